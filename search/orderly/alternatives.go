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
	even     bool            // whether translations preserve them
	mirrored bool            // whether the paths back are those there, run backwards
	reverse  []core.Link     // by link
	unsure   []int64         // by from*nodes+to: what is not sure of the message, after a recount

	now, most []int // by path of a message: processors inside, and with all free ones; overwritten by message
}

// An alternative is a path: its links, ascending, and the nodes strictly inside.
type alternative struct {
	links  []core.Link
	inside core.Set
}

// passes returns how many nodes of a set a path has inside.
func (p *alternative) passes(set core.Set) (n int) {
	for i, inside := range p.inside {
		n += bits.OnesCount64(inside & set[i])
	}
	return n
}

func newAlternatives(r *routing.Avoid) *alternatives {
	t := r.Torus()
	a := &alternatives{nodes: t.N(), unit: 1, paths: make([][]alternative, t.N()*t.N()), even: routing.Invariant(r),
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
			p := alternative{slices.Sorted(slices.Values(links)), core.NewSet(a.nodes)}
			for _, l := range links[1:] {
				v, _ := t.LinkFrom(l)
				p.inside.Add(v)
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
func (a *alternatives) sure(u, v int, set, free core.Set, loads []int64, sign int64) {
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
func (a *alternatives) message(i int, set, free core.Set, loads []int64, sign int64) {
	paths := a.paths[i]
	low, high := maxNodes, maxNodes
	a.now, a.most = a.now[:0], a.most[:0]
	for i := range paths {
		now := paths[i].passes(set)
		most := now + paths[i].passes(free)
		low, high = min(low, now), min(high, most)
		a.now, a.most = append(a.now, now), append(a.most, most)
	}
	a.unsure[i] = a.unit
	if high > low {
		return // none is certain
	}
	possible := int64(0)
	for _, now := range a.now {
		if now <= high {
			possible++
		}
	}
	share := a.unit / possible
	for j := range paths {
		if a.most[j] > low {
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
			q := alternative{inside: core.NewSet(a.nodes)}
			for _, l := range p.links {
				q.links = append(q.links, links[l])
			}
			slices.Sort(q.links)
			for _, v := range p.inside.Nodes() {
				q.inside.Add(images[v])
			}
			return !slices.ContainsFunc(to, func(o alternative) bool {
				return slices.Equal(o.inside, q.inside) && slices.Equal(o.links, q.links)
			})
		})
	}
	for u := range a.nodes {
		for v := range u {
			if a.even && v > 0 {
				break // as from node 0
			}
			x, y := images[u], images[v]
			if !(goes(u, v, x, y) && goes(v, u, y, x)) && !(goes(u, v, y, x) && goes(v, u, x, y)) {
				return false
			}
		}
	}
	return true
}
