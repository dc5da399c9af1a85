package orderly

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
)

// A PlacementError says that there is no refutation: a placement answers the question.
type PlacementError struct{ Placement core.Placement }

func (e *PlacementError) Error() string { return "a placement is below the value" }

// Refute writes, as steps, that no placement of a problem has E_max below a value. It walks the lists that are
// smallest among their images, as the engine does, and says of each branch that it leaves why: it is turned, or links
// would carry too much. It returns the number of lists. Errors are *search.UnsupportedError, *PlacementError, those
// of writing and the context's. Cost: the automorphisms times the lists, a comparison each.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) (lists int64, err error) {
	if err := Refutes(p); err != nil {
		return 0, err
	}
	r, err := newRefuter(ctx, p, below, to)
	if err != nil {
		return 0, err
	}
	err = r.prove(-1)
	if err == nil {
		err = to.Flush()
	}
	return r.lists, err
}

// Refutes returns nil for problems that Refute takes, else an *search.UnsupportedError.
func Refutes(p objective.Problem) error {
	if err := (Engine{}).Supports(p); err != nil {
		return err
	}
	if p.Routing.DependsOnPlacement() || p.Near.Asked() {
		return search.Unsupported(Name, p, "it writes no steps where paths depend on processors, nor with "+
			"a radius or a distance")
	}
	return nil
}

// What is known of a node.
const (
	open int8 = iota // it may have a processor or not
	taken
	barred
)

// A refuter writes one proof.
type refuter struct {
	ctx   context.Context
	to    *steps.Writer
	torus *core.Torus
	lists int64

	flows  *pairFlows
	limits []int64 // by link, in units
	load   []int64 // by link: what the processors put on it
	unit   int64   // of a message
	state  []int8
	nodes  []int // that have processors
	need   int   // how many more there are
	free   int   // nodes that are open

	elements []turning
	links    []steps.Weighting // by link, -1 before it is used
	ports    [2][]steps.Weighting
	sees     [2]steps.View // nothing; what known processors send to the others
	seen     [2]bool
}

// A turning is a symmetry with its number in the stream, -1 before it is used.
type turning struct {
	images, inverse []int
	mask            uint
	number          steps.Element
}

func newRefuter(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) (*refuter, error) {
	t := p.Torus()
	flows, err := newPairFlowsOf(ctx, p)
	if err != nil {
		return nil, err
	}
	r := &refuter{ctx: ctx, to: to, torus: t, flows: flows, load: make([]int64, t.M()), unit: flows.unit,
		state: make([]int8, t.N()), need: p.Size, free: t.N()}
	for l := range t.M() {
		r.limits = append(r.limits, flows.limit(t, core.Link(l), below))
		r.links = append(r.links, -1)
	}
	for side := range r.ports {
		for range t.N() {
			r.ports[side] = append(r.ports[side], -1)
		}
	}
	for v := range t.N() {
		switch {
		case p.MustHave(v):
			r.take(v)
		case !p.MayHave(v):
			r.state[v] = barred
			r.free--
		}
	}
	g, err := p.Group(ctx)
	if err != nil {
		return nil, err
	}
	return r, r.turnings(g)
}

// turnings lists the symmetries but the identity.
func (r *refuter) turnings(g *symmetry.Group) error {
	for i := range g.Points() {
		mask, ok := uint(0), false
		for _, shift := range g.Shifts() {
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			images := g.Images(i, shift)
			if !ok {
				if mask, ok = r.flows.mask(r.torus, images); !ok {
					break // it preserves E_max otherwise than by a map of links
				}
			}
			e := turning{images: images, inverse: make([]int, len(images)), mask: mask, number: -1}
			same := true
			for v, w := range images {
				e.inverse[w] = v
				same = same && v == w
			}
			if !same {
				r.elements = append(r.elements, e)
			}
		}
	}
	return nil
}

// take puts a processor on a node.
func (r *refuter) take(v int) {
	for _, u := range r.nodes {
		for _, s := range r.flows.between(u, v) {
			r.load[s.link] += s.amount
		}
	}
	r.state[v] = taken
	r.nodes = append(r.nodes, v)
	r.need--
	r.free--
}

// leave takes back the last take.
func (r *refuter) leave() {
	v := r.nodes[len(r.nodes)-1]
	r.nodes = r.nodes[:len(r.nodes)-1]
	for _, u := range r.nodes {
		for _, s := range r.flows.between(u, v) {
			r.load[s.link] -= s.amount
		}
	}
	r.state[v] = open
	r.need++
	r.free++
}

// overloads reports whether a processor on a node brings more to some link than it may carry.
func (r *refuter) overloads(v int) bool {
	over := false
	for _, u := range r.nodes {
		for _, s := range r.flows.between(u, v) {
			r.load[s.link] += s.amount
			over = over || r.load[s.link] > r.limits[s.link]
		}
	}
	for _, u := range r.nodes {
		for _, s := range r.flows.between(u, v) {
			r.load[s.link] -= s.amount
		}
	}
	return over
}

// prove writes the proof of the branch in which all nodes up to last are decided.
func (r *refuter) prove(last int) error {
	r.lists++
	if err := r.ctx.Err(); err != nil {
		return err
	}
	var out []int // what this branch bars
	defer func() {
		for _, v := range out {
			r.state[v] = open
			r.free++
		}
	}()
	bar := func(v int) {
		out = append(out, v)
		r.state[v] = barred
		r.free--
	}
	if closed, err := r.settled(); closed || err != nil {
		return err
	}
	for v := last + 1; v < len(r.state); v++ {
		if r.state[v] == open && r.overloads(v) {
			bar(v)
		}
	}
	if len(out) > 0 {
		r.to.Filter()
		if closed, err := r.settled(); closed || err != nil {
			return err
		}
	}
	for v := last + 1; v < len(r.state); v++ {
		if r.state[v] != open {
			continue
		}
		r.to.Split(steps.Node(v), 1)
		r.take(v)
		err := r.child(v)
		r.leave()
		if err != nil {
			return err
		}
		bar(v)
		if closed, err := r.settled(); closed || err != nil {
			return err
		}
	}
	return nil
}

// child writes the proof of the branch with one more processor.
func (r *refuter) child(v int) error {
	if e := r.turned(); e >= 0 {
		r.to.Turn(r.element(e))
		return nil
	}
	if x, ok := r.crowded(); ok {
		r.to.Weigh(x, steps.Identity, r.view(1))
		return nil
	}
	return r.prove(v)
}

// settled closes the branch if too few nodes are open, or if all that are have to be taken: then some link carries too
// much, or the placement answers the question.
func (r *refuter) settled() (closed bool, err error) {
	switch {
	case r.free < r.need || r.need < 0:
		r.to.Crossed()
		return true, nil
	case r.free > r.need && r.need > 0:
		return false, nil
	}
	var forced []int
	if r.need > 0 {
		for v, s := range r.state {
			if s == open {
				forced = append(forced, v)
			}
		}
	}
	for _, v := range forced {
		r.take(v)
	}
	over := -1
	for l, load := range r.load {
		if load > r.limits[l] {
			over = l
			break
		}
	}
	if over < 0 {
		err = &PlacementError{core.MustPlacement(r.torus, append([]int(nil), r.nodes...))}
	}
	for range forced {
		r.leave()
	}
	if err == nil {
		r.to.Weigh(r.link(over), steps.Identity, r.view(0))
	}
	return true, err
}

// turned returns a symmetry that takes every placement of the branch to a greater one, -1 if none is found. Placements
// are compared node by node.
func (r *refuter) turned() int {
	for i := range r.elements {
		for u, from := range r.elements[i].inverse {
			if r.state[u] == barred {
				if r.state[from] == taken {
					return i
				}
			} else if r.state[from] != taken {
				break
			}
		}
	}
	return -1
}

// crowded returns the links out of a processor, or into it, if they have no room for the messages with all that are
// missing.
func (r *refuter) crowded() (steps.Weighting, bool) {
	for _, v := range r.nodes {
		for side := range r.ports {
			room := -int64(r.need) * r.unit
			list := r.flows.ports[side][v]
			for _, l := range list {
				room += r.limits[l] - r.load[l]
			}
			if room >= 0 {
				continue
			}
			if r.ports[side][v] < 0 {
				var weights []steps.LinkWeight
				for _, l := range list {
					weights = append(weights, steps.LinkWeight{Link: int(l), Weight: 1})
				}
				r.ports[side][v] = r.to.Weighting(weights)
			}
			return r.ports[side][v], true
		}
	}
	return 0, false
}

// element returns the number of a symmetry, which is defined when it is first used.
func (r *refuter) element(i int) steps.Element {
	e := &r.elements[i]
	if e.number < 0 {
		e.number = r.to.Element(e.mask, e.images)
	}
	return e.number
}

// link returns the weighting of one link.
func (r *refuter) link(l int) steps.Weighting {
	if r.links[l] < 0 {
		r.links[l] = r.to.Weighting([]steps.LinkWeight{{Link: l, Weight: 1}})
	}
	return r.links[l]
}

// view returns the view of nothing, or that of what known processors send to the others.
func (r *refuter) view(i int) steps.View {
	if !r.seen[i] {
		r.seen[i], r.sees[i] = true, r.to.View(nil, []steps.Set{steps.All}[:i])
	}
	return r.sees[i]
}
