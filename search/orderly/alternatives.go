package orderly

import (
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// alternatives are the paths that messages may take under avoid.
type alternatives struct {
	nodes    int
	unit     int64           // of a message: all numbers of paths divide it
	paths    [][]alternative // by from*nodes+to
	mirrored bool            // whether the paths back are those there, run backwards
	reverse  []core.Link     // by link
	unsure   []int64         // by from*nodes+to: what is not sure of the message, after a recount
}

// An alternative is a path: its links, ascending, and the nodes strictly inside.
type alternative struct {
	links  []core.Link
	inside uint64
}

func newAlternatives(r *routing.Avoid) *alternatives {
	t := r.Torus()
	a := &alternatives{nodes: t.N(), unit: 1, paths: make([][]alternative, t.N()*t.N()),
		unsure: make([]int64, t.N()*t.N()), mirrored: r.Tie() == routing.TieBoth || !t.HasTies()}
	for l := range core.Link(t.M()) {
		a.reverse = append(a.reverse, l)
		if t.HasLink(l) {
			a.reverse[l] = t.Reverse(l)
		}
	}
	most := int64(0)
	for i := range a.paths {
		from, to := i/a.nodes, i%a.nodes
		if from == to {
			continue
		}
		for links := range r.Candidates().Paths(from, to, nil) {
			p := alternative{links: slices.Sorted(slices.Values(links))}
			for _, l := range links[1:] {
				v, _ := t.LinkFrom(l)
				p.inside |= 1 << v
			}
			a.paths[i] = append(a.paths[i], p)
		}
		most = max(most, int64(len(a.paths[i])))
	}
	for k := int64(2); k <= most; k++ {
		a.unit = core.LCM(a.unit, k)
	}
	return a
}

// sure adds what two nodes send each other at least over links, times a sign, with processors on the nodes of a set and
// perhaps on free ones.
func (a *alternatives) sure(u, v int, set, free uint64, loads []int64, sign int64) {
	there, back := u*a.nodes+v, v*a.nodes+u
	if u > v {
		there, back = back, there
	}
	a.message(there, set, free, loads, sign)
	if a.mirrored {
		a.unsure[back] = a.unsure[there]
	} else {
		a.message(back, set, free, loads, sign)
	}
}

// message does so for one message, or with mirrored paths for that there and back: its shares of the paths that cannot
// have more processors inside than any other.
func (a *alternatives) message(i int, set, free uint64, loads []int64, sign int64) {
	paths := a.paths[i]
	low, high := maxNodes, maxNodes
	for i := range paths {
		n := bits.OnesCount64(paths[i].inside & set)
		low, high = min(low, n), min(high, n+bits.OnesCount64(paths[i].inside&free))
	}
	a.unsure[i] = a.unit
	if high > low {
		return // none is certain
	}
	possible := int64(0)
	for i := range paths {
		if bits.OnesCount64(paths[i].inside&set) <= high {
			possible++
		}
	}
	share := a.unit / possible
	for j := range paths {
		if bits.OnesCount64(paths[j].inside&(set|free)) > low {
			continue
		}
		a.unsure[i] -= share
		for _, l := range paths[j].links {
			loads[l] += sign * share
		}
		if a.mirrored {
			for _, l := range paths[j].links {
				loads[a.reverse[l]] += sign * share
			}
		}
	}
}

// preserved reports whether maps of nodes and links take the paths of all messages to paths: those between two nodes to
// those between their images, there and back or back and there.
func (a *alternatives) preserved(images []int, links []core.Link) bool {
	goes := func(u, v, x, y int) bool {
		from, to := a.paths[u*a.nodes+v], a.paths[x*a.nodes+y]
		return len(from) == len(to) && !slices.ContainsFunc(from, func(p alternative) bool {
			var q alternative
			for _, l := range p.links {
				q.links = append(q.links, links[l])
			}
			slices.Sort(q.links)
			for rest := p.inside; rest != 0; rest &= rest - 1 {
				q.inside |= 1 << images[bits.TrailingZeros64(rest)]
			}
			return !slices.ContainsFunc(to, func(o alternative) bool {
				return o.inside == q.inside && slices.Equal(o.links, q.links)
			})
		})
	}
	for u := range a.nodes {
		for v := range u {
			x, y := images[u], images[v]
			if !(goes(u, v, x, y) && goes(v, u, y, x)) && !(goes(u, v, y, x) && goes(v, u, x, y)) {
				return false
			}
		}
	}
	return true
}
