// Package deadlock has the channel dependencies of routings: whether messages in wormhole switching, each of which
// holds channels while it waits for the next one of its path, can wait for each other in a circle, and how many
// virtual channels the links need so that they cannot (Dally and Seitz, "Deadlock-free message routing in
// multiprocessor interconnection networks", 1987).
package deadlock

import (
	"context"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A Channel is one of the virtual channels of a link, counted from 0.
type Channel struct {
	Link   core.Link
	Number int
}

// A Dependency says that messages between two nodes use a link and, directly after it, another.
type Dependency struct {
	Link, Next     core.Link
	Source, Target int // of one of these messages
}

// A Graph has the dependencies of all messages of a placement under a routing.
type Graph struct {
	problem   objective.Problem
	placement core.Placement
	links     digraph                     // by link
	first     map[[2]core.Link]Dependency // by two links in sequence
}

// maxListed is the most links of all paths that are listed.
const maxListed = 1 << 27

// New returns the graph of all messages of a placement. Errors are *core.InputError, where paths are too many to list
// or a table misses one, and that of the context. Cost: all paths times their length.
func New(ctx context.Context, q objective.Problem, p core.Placement) (*Graph, error) {
	if q.Traffic.ToAll() {
		if err := routing.Covers(q.Routing, p); err != nil {
			return nil, err
		}
	}
	g := &Graph{problem: q, placement: p, links: newDigraph(q.Torus().M()), first: map[[2]core.Link]Dependency{}}
	listed := 0
	err := g.each(ctx, func(m objective.Message, path []core.Link) error {
		if listed += len(path); listed > maxListed {
			return core.Invalid(q.Routing.String(),
				"the paths between %d processors on %s have more than %d links together", p.Size(), q.Torus(), maxListed).
				Hinted("take a smaller network, fewer processors, or a routing with fewer paths")
		}
		for i, l := range path {
			g.links.used[l] = true
			if i == 0 {
				continue
			}
			if two := [2]core.Link{path[i-1], l}; g.first[two] == (Dependency{}) {
				g.first[two] = Dependency{two[0], l, m.From, m.To}
				g.links.add(int(two[0]), int(l))
			}
		}
		return nil
	})
	return g, err
}

// each calls do for every path of every message.
func (g *Graph) each(ctx context.Context, do func(m objective.Message, path []core.Link) error) error {
	set := g.placement.Set()
	for m := range g.problem.Messages(g.placement) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for path := range m.Routing.Paths(m.From, m.To, set) {
			if err := do(m, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// Order returns the links that messages use such that every path goes by the order, or false where a cycle forbids
// that.
func (g *Graph) Order() ([]core.Link, bool) {
	var list []core.Link
	order, ok := g.links.order()
	for _, v := range order {
		list = append(list, core.Link(v))
	}
	return list, ok
}

// Cycle returns a shortest cycle of dependencies, nil if there is none. Cost: links times dependencies.
func (g *Graph) Cycle() (list []Dependency) {
	cycle := g.links.cycle()
	for i, v := range cycle {
		list = append(list, g.first[[2]core.Link{core.Link(v), core.Link(cycle[(i+1)%len(cycle)])}])
	}
	return list
}

// Datelines returns the channels in an order by which every path goes that takes channel 0 of its links along a
// dimension until it goes over the end of that dimension, and from then on channel 1; nil where dependencies have a
// cycle even so, or there are no dimensions.
func (g *Graph) Datelines(ctx context.Context) ([]Channel, error) {
	t := g.problem.Torus()
	if !t.HasDimensions() {
		return nil, nil
	}
	m := t.M()
	two := newDigraph(2 * m)
	crossed := make([]int, t.D())
	err := g.each(ctx, func(_ objective.Message, path []core.Link) error {
		clear(crossed)
		before := -1
		for _, l := range path {
			from, port := t.LinkFrom(l)
			if end := t.Coord(from, port.Dim) + int(port.Dir); (end < 0 || end >= t.Side(port.Dim)) && t.BothWays(port.Dim) {
				crossed[port.Dim] = 1
			}
			v := crossed[port.Dim]*m + int(l)
			if two.used[v] = true; before >= 0 {
				two.add(before, v)
			}
			before = v
		}
		return nil
	})
	order, free := two.order()
	if !free {
		return nil, err
	}
	return channelsOf(order, m), err
}

// channelsOf returns channels by their numbers, number times m plus link.
func channelsOf(list []int, m int) (channels []Channel) {
	for _, v := range list {
		channels = append(channels, Channel{core.Link(v % m), v / m})
	}
	return channels
}

// Numbers returns how many channels a link has among some, at most.
func Numbers(list []Channel) (most int) {
	for _, c := range list {
		most = max(most, c.Number+1)
	}
	return most
}

// Virtual returns virtual channels in an order such that every path finds its way by it: after each channel that it
// takes some channel of the next link comes later. They are the fewest of a link that are found: with datelines, or one
// path after the other with channels of one number, the first that close no cycle with the dependencies so far, or
// where none do for each of its links the first that does not; then orders and paths are changed in turn (Walks),
// where paths are few. That no fewer are enough is proved only of 1, and of 2 where there is a cycle.
// Cost: for every path, and for every dependency with each number of channels, a search through all.
func (g *Graph) Virtual(ctx context.Context) ([]Channel, error) {
	best, err := g.Datelines(ctx)
	if err != nil {
		return nil, err
	}
	_, free := g.links.order()
	if best != nil && (Numbers(best) == 1 || Numbers(best) == 2 && !free) {
		return best, nil
	}
	m := g.problem.Torus().M()
	v := &layers{digraph: newDigraph(m), links: m, count: 1}
	err = g.each(ctx, func(_ objective.Message, path []core.Link) error {
		for number := range v.count {
			if v.take(path, number, number) {
				return nil
			}
		}
		for number := range v.count {
			if v.take(path, number, -1) {
				return nil
			}
		}
		v.grow(m)
		v.count++
		v.take(path, v.count-1, v.count-1) // nothing leads from there
		return nil
	})
	if err != nil {
		return nil, err
	}
	list, _ := v.order() // no cycle was closed
	if greedy := channelsOf(list, m); best == nil || Numbers(greedy) < Numbers(best) {
		best = greedy
	}
	if Numbers(best) > 2 {
		return g.fewer(ctx, best)
	}
	return best, nil
}

// Limits of the search for fewer channels: links of all paths, and orders that are drawn without progress.
const (
	maxWalked  = 1 << 17
	fewerTries = 12
)

// fewer returns channels of which there are no more, by changing orders and paths in turn.
func (g *Graph) fewer(ctx context.Context, channels []Channel) ([]Channel, error) {
	var courses []Course
	steps := 0
	err := g.each(ctx, func(_ objective.Message, path []core.Link) error {
		if steps += len(path); steps <= maxWalked {
			ends := core.Range(len(path))
			for i := range ends {
				ends[i]++
			}
			courses = append(courses, Course{slices.Clone(path), ends})
		}
		return nil
	})
	if err != nil || steps > maxWalked {
		return channels, err
	}
	w := NewWalks(g.problem.Torus(), Numbers(channels), courses, channels)
	for i := range courses {
		w.Walk(i, func(_ core.Link, number int) int64 { return int64(number) })
	}
	w.Drain(ctx, rand.New(rand.NewPCG(1, 0)), 2, fewerTries)
	return w.Order(), ctx.Err()
}

// layers are dependencies of virtual channels, number times links plus link, without a cycle.
type layers struct {
	digraph
	links, count int
	added        [][2]int
}

// take adds the dependencies of a path that begins with a channel of a number and has channels of another throughout,
// or with -1 on each link the first that closes no cycle. It reports false, and adds nothing, where there is none.
func (v *layers) take(path []core.Link, first, number int) bool {
	v.added = v.added[:0]
	before := first*v.links + int(path[0])
	at := append(make([]int, 0, len(path)), before)
	for _, l := range path[1:] {
		from, end := number, number+1
		if number < 0 {
			from, end = 0, v.count
		}
		for ; from < end; from++ {
			next := from*v.links + int(l)
			if v.has(before, next) {
				break
			}
			if !v.leads(next, before) {
				v.add(before, next)
				v.added = append(v.added, [2]int{before, next})
				break
			}
		}
		if from == end {
			for _, edge := range v.added {
				v.remove(edge[0], edge[1])
			}
			return false
		}
		before = from*v.links + int(l)
		at = append(at, before)
	}
	for _, u := range at {
		v.used[u] = true
	}
	return true
}
