package orderly

import (
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/steps"
)

// alternatives are the paths that messages may take under avoid.
type alternatives struct {
	nodes  int
	unit   int64           // of a message: all numbers of paths divide it
	paths  [][]alternative // by from*nodes+to
	unsure []int64         // by from*nodes+to: what is not sure of the message, after a recount
}

// An alternative is a path: its links, ascending, and the nodes strictly inside.
type alternative struct {
	links  []core.Link
	inside uint64
}

func newAlternatives(r *routing.Avoid) *alternatives {
	t := r.Torus()
	a := &alternatives{nodes: t.N(), unit: 1, paths: make([][]alternative, t.N()*t.N()),
		unsure: make([]int64, t.N()*t.N())}
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

// sure adds what a message puts at least on links, times a sign, with processors on the nodes of a set and perhaps on
// free ones: its shares of the paths that cannot have more processors inside than any other.
func (a *alternatives) sure(from, to int, set, free uint64, loads []int64, sign int64) {
	paths := a.paths[from*a.nodes+to]
	low, high := maxNodes, maxNodes
	for i := range paths {
		n := bits.OnesCount64(paths[i].inside & set)
		low, high = min(low, n), min(high, n+bits.OnesCount64(paths[i].inside&free))
	}
	possible := int64(0)
	for i := range paths {
		if bits.OnesCount64(paths[i].inside&set) <= high {
			possible++
		}
	}
	rest := a.unit
	for i := range paths {
		if bits.OnesCount64(paths[i].inside&(set|free)) <= low {
			rest -= a.unit / possible
			for _, l := range paths[i].links {
				loads[l] += sign * (a.unit / possible)
			}
		}
	}
	a.unsure[from*a.nodes+to] = rest
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

// A band is some neighbouring slabs of a ring, with the links out of it.
type band struct {
	nodes      uint64
	most       int64 // what the links out of it may carry
	set, other steps.Set
	cut        []core.Link
	weighting  steps.Weighting
}

// newBands defines the bands of up to half of the slabs, and their complements, as sets.
func (b *burden) newBands() (list []band) {
	t := b.torus
	for j := range t.D() {
		k := t.Slabs(j)
		if k < 3 || t.Open(j) {
			continue
		}
		for first := range k {
			for length := 1; length <= k/2; length++ {
				var sides [2][]int
				x := band{weighting: undefined}
				for v := range t.N() {
					if (t.Slab(v, j)-first+k)%k < length {
						sides[0] = append(sides[0], v)
						x.nodes |= 1 << v
					} else {
						sides[1] = append(sides[1], v)
					}
				}
				for l := range core.Link(t.M()) {
					if from, to := t.LinkEnds(l); t.HasLink(l) && x.nodes>>from&1 == 1 && x.nodes>>to&1 == 0 {
						x.cut = append(x.cut, l)
					}
				}
				x.set, x.other = b.to.Set(sides[0]), b.to.Set(sides[1])
				b.to.Sum(steps.All, []steps.Part{{Set: x.set, Times: 1}, {Set: x.other, Times: 1}})
				list = append(list, x)
			}
		}
	}
	return list
}

// crowded closes the branch if for no number of processors in some band the links out of it have room for what they
// send to the others.
func (b *burden) crowded(set, free uint64) bool {
	n := b.size
	for i := range b.bands {
		x := &b.bands[i]
		least := max(bits.OnesCount64(set&x.nodes), n-bits.OnesCount64((set|free)&^x.nodes))
		most := min(bits.OnesCount64((set|free)&x.nodes), n-bits.OnesCount64(set&^x.nodes))
		fits := func(some int) bool { return int64(some*(n-some))*b.avoid.unit <= x.most }
		if least > most || fits(least) || fits(most) {
			continue
		}
		if x.weighting < 0 {
			x.weighting = b.to.Weighting(evenly(x.cut))
		}
		view := b.view([]steps.Set{x.set}, []steps.Set{x.other})
		for some := least + 1; some <= most; some++ { // also for all numbers between
			b.to.SplitLow(x.set, some)
			b.to.Weigh(x.weighting, steps.Identity, view)
		}
		b.to.Weigh(x.weighting, steps.Identity, view)
		return true
	}
	return false
}
