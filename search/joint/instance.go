package joint

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"leeway/core"
	"leeway/core/differences"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/restrict"
)

// maxNodes is the largest torus that is searched.
const maxNodes = 4096

// An instance holds what all chains of a problem share. Options and lists of paths are made when they are first asked
// for.
type instance struct {
	problem objective.Problem
	torus   *core.Torus
	size    int
	free    routing.Free
	den     int64 // shares of a chain are multiples of 1/den
	unit    int64 // den times the common bandwidth: loads are multiples of 1/unit
	coarse  int   // bits that squares leave out

	options []func() *options // by difference
	lists   *restrict.Lists
}

// squareBits is how many bits of the common bandwidth squares of loads have room for.
const squareBits = 4

// fits returns an *core.InputError where torus or pairs are too many.
func fits(t *core.Torus, size int) error {
	if t.N() > maxNodes {
		return core.Invalid(t.String(),
			"placement and routing are searched together on tori of up to %d nodes, this one has %d",
			maxNodes, t.N()).Hinted("search under udr:tie=both, then restrict the placement found")
	}
	most := 1
	for d := range differences.Count(t) {
		from, to := differences.Pair(t, d)
		most = max(most, restrict.CountPaths(t, from, to))
	}
	if size*(size-1) > restrict.MaxPaths/most {
		return core.Invalid(fmt.Sprintf("%d processors on %s", size, t),
			"their pairs may have more than %d paths together, too many to choose from",
			restrict.MaxPaths).Hinted("take fewer processors")
	}
	return nil
}

// newInstance returns the instance of a problem that fits.
func newInstance(p objective.Problem) *instance {
	t, free := p.Torus(), *p.Free
	common := t.CommonBandwidth()
	g := &instance{problem: p, torus: t, size: p.Size, free: free, den: 2,
		options: make([]func() *options, differences.Count(t)),
		coarse:  max(0, bits.Len(uint(common))-1-squareBits), lists: restrict.NewLists(t)}
	for d := range g.options {
		g.options[d] = sync.OnceValue(func() *options { return g.newOptions(d) })
	}
	for d := 1; d < len(g.options) && g.size > 1; d++ {
		from, to := differences.Pair(t, d)
		count := restrict.CountPaths(t, from, to)
		if count <= maxAll {
			g.den = core.LCM(g.den, int64(count))
		}
		g.den = core.LCM(g.den, int64(free.Least(count)))
	}
	g.unit = g.den * int64(common)
	return g
}

// Limits of options: chains are to be quick, and restrict looks at every set of paths afterwards.
const (
	maxSingles = 48 // single paths of a pair, spread evenly over all
	maxAll     = 48 // paths up to which all of them together are a choice
)

// The options hold the sets of paths that pairs of one difference choose from in a chain.
type options struct {
	count int // paths of the pairs
	sets  []pathSet
}

// A pathSet is some paths of a pair with what they lay on links, in units. Link i leaves by the port whose
// first link is ports[i], from the node that lies nodes[i] away from the start.
type pathSet struct {
	paths        []int // places in the list of all paths, ascending
	ports, nodes []int32
	amounts      []int64
}

// newOptions lists the choices: single paths, pairs of opposite orders, sets of the
// fewest paths allowed, and all paths, as far as the restriction has them.
func (g *instance) newOptions(difference int) *options {
	from, to := differences.Pair(g.torus, difference)
	paths := g.lists.Paths(from, to)
	m := &options{count: len(paths)}
	take := func(set ...int) {
		if g.free.Allows(len(set), len(paths)) && g.den%int64(len(set)) == 0 {
			m.sets = append(m.sets, g.newSet(from, to, paths, set))
		}
	}
	step := max(1, (len(paths)+maxSingles-1)/maxSingles)
	least := g.free.Least(len(paths))
	for i := 0; i < len(paths); i += step {
		take(i)
		if j := opposite(paths, i); j > i {
			take(i, j)
		}
		if least > 2 && least < len(paths) {
			take(window(i, least, len(paths))...)
		}
	}
	// Two paths are opposite orders and taken above, or both ways around a ring.
	if n := len(paths); n > 1 && (n > 2 || least > 1 || opposite(paths, 0) == 0) && (n <= maxAll || len(m.sets) == 0) {
		take(window(0, n, n)...)
	}
	return m
}

// window returns count numbers below n from start on, around the end, ascending.
func window(start, count, n int) []int {
	in := make([]bool, n)
	for i := range count {
		in[(start+i)%n] = true
	}
	var list []int
	for i, has := range in {
		if has {
			list = append(list, i)
		}
	}
	return list
}

// opposite returns the place of the path that takes the same ways in the opposite order, or that of the path itself.
func opposite(paths []routing.TablePath, i int) int {
	back := paths[i].Reverse()
	if j := slices.IndexFunc(paths, func(q routing.TablePath) bool { return q.Compare(back) == 0 }); j >= 0 {
		return j
	}
	return i
}

// newSet adds up what paths of a pair lay on links.
func (g *instance) newSet(from, to int, paths []routing.TablePath, set []int) pathSet {
	s := pathSet{paths: set}
	share := g.den / int64(len(set))
	place := map[core.Link]int{}
	var links []core.Link
	for _, i := range set {
		links = paths[i].AppendLinks(links[:0], g.torus, from)
		for _, l := range links {
			at, ok := place[l]
			if !ok {
				at = len(s.nodes)
				place[l] = at
				n, _ := g.torus.LinkFrom(l)
				s.ports = append(s.ports, int32(int(l)-n))
				s.nodes = append(s.nodes, int32(g.torus.Displacement(from, n)))
				s.amounts = append(s.amounts, 0)
			}
			s.amounts[at] += share * int64(g.torus.LinkScale(l))
		}
	}
	return s
}
