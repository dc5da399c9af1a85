package orderly

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/symmetry"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search/flows"
)

// A PlacementError says that there is no refutation: a placement answers the question.
type PlacementError struct{ Placement core.Placement }

func (e *PlacementError) Error() string { return "a placement is below the value" }

// Refute writes, as steps, that no placement of a problem has E_max below a value. It walks the lists that are
// smallest among their images, as the engine does, and says of each branch that it leaves why: it is turned, or links
// would carry too much. Errors are *search.UnsupportedError, *PlacementError, those of writing and the context's. Cost:
// the automorphisms times the lists, a comparison each.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	return write(ctx, p, below, false, to)
}

// List writes, as steps, that a problem has no placements with E_max at most a value but those that steps "place" list,
// one of every orbit. Otherwise it is Refute.
func List(ctx context.Context, p objective.Problem, value *big.Rat, to *steps.Writer) error {
	return write(ctx, p, value, true, to)
}

func write(ctx context.Context, p objective.Problem, value *big.Rat, all bool, to *steps.Writer) error {
	if err := Refutes(p); err != nil {
		return err
	}
	r, err := newRefuter(ctx, p, value, all, to)
	if err == nil {
		err = r.prove(-1)
	}
	if err == nil {
		err = to.Flush()
	}
	return err
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
	all   bool // placements are listed

	burden *burden
	state  []int8
	nodes  []int // that have processors
	size   int   // how many they are to be
	free   int   // nodes that are open

	near  [][]int // by node: those within the radius, nil without one
	left  []int   // by node: how many of these are not barred
	alone int     // nodes without any left
	far   *far    // nil without a distance

	elements []turning
	byFirst  [][]int // by node: the elements that take it to node 0
	group    *symmetry.Group
	masks    []uint                   // by point: the dimensions along which links turn around
	numbers  map[[2]int]steps.Element // by point and shift, of elements that the stream has
}

// A turning is a symmetry: a translation after a point.
type turning struct {
	inverse      []uint8
	point, shift int
}

func newRefuter(ctx context.Context, p objective.Problem, value *big.Rat, all bool,
	to *steps.Writer) (*refuter, error) {
	t := p.Torus()
	n := t.N()
	r := &refuter{ctx: ctx, to: to, torus: t, all: all, state: make([]int8, n), size: p.Size, free: n}
	if p.Radius > 0 {
		r.near = p.Balls(p.Radius)
		for _, list := range r.near {
			r.left = append(r.left, len(list))
		}
	}
	if p.Distance > 0 {
		r.far = newFar(p)
	}
	g, err := fast.Group(ctx, p)
	if err != nil {
		return nil, err
	}
	if r.burden, err = newBurden(ctx, r, p, value); err != nil {
		return nil, err
	}
	if err := r.turnings(g); err != nil {
		return nil, err
	}
	for v := range n {
		switch {
		case p.MustHave(v):
			r.take(v)
			r.burden.add(v, 1)
		case !p.MayHave(v):
			r.bar(v)
		}
	}
	return r, nil
}

// turnings lists the symmetries that are maps of nodes and links, but for the identity.
func (r *refuter) turnings(g *symmetry.Group) error {
	r.group, r.byFirst, r.numbers = g, make([][]int, len(r.state)), map[[2]int]steps.Element{{}: steps.Identity}
	between := r.torus.LinksBetween()
	r.masks = make([]uint, g.Points())
	for i := range g.Points() {
		ok := false
		for _, shift := range g.Shifts() {
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			image := g.Images(i, shift)
			if !ok {
				if r.masks[i], ok = flows.Mask(r.torus, between, image, r.burden.preserved); !ok {
					break // it preserves E_max otherwise than by a map of links
				}
			}
			e := turning{inverse: make([]uint8, len(image)), point: i, shift: shift}
			same := true
			for v, w := range image {
				e.inverse[w] = uint8(v)
				same = same && v == w
			}
			if !same {
				r.elements = append(r.elements, e)
			}
		}
	}
	// What is looked at in one order lies in it.
	slices.SortStableFunc(r.elements, func(a, b turning) int { return int(a.inverse[0]) - int(b.inverse[0]) })
	flat := make([]uint8, 0, len(r.elements)*len(r.state))
	for i, e := range r.elements {
		first := e.inverse[0]
		r.byFirst[first] = append(r.byFirst[first], i)
		flat = append(flat, e.inverse...)
		r.elements[i].inverse = flat[len(flat)-len(r.state):]
	}
	return nil
}

// take puts a processor on a node.
func (r *refuter) take(v int) {
	r.state[v] = taken
	r.nodes = append(r.nodes, v)
	r.free--
	r.burden.decide(v, -1)
}

// leave takes back the last take.
func (r *refuter) leave() {
	v := r.nodes[len(r.nodes)-1]
	r.nodes = r.nodes[:len(r.nodes)-1]
	r.state[v] = open
	r.free++
	r.burden.decide(v, 1)
}

// need returns how many processors are missing.
func (r *refuter) need() int { return r.size - len(r.nodes) }

// bar keeps processors off a node.
func (r *refuter) bar(v int) {
	r.state[v] = barred
	r.free--
	r.burden.decide(v, -1)
	r.reach(v, -1)
}

// unbar takes back a bar.
func (r *refuter) unbar(v int) {
	r.state[v] = open
	r.free++
	r.burden.decide(v, 1)
	r.reach(v, 1)
}

// reach counts the nodes that are barred, or no more, for those within the radius.
func (r *refuter) reach(v, by int) {
	if r.near == nil {
		return
	}
	for _, u := range r.near[v] {
		if r.left[u] += by; by < 0 && r.left[u] == 0 {
			r.alone++
		} else if by > 0 && r.left[u] == 1 {
			r.alone--
		}
	}
}

// prove writes the proof of the branch in which all nodes up to last are decided.
func (r *refuter) prove(last int) error {
	parallel.Pause()
	if err := r.ctx.Err(); err != nil {
		return err
	}
	var out []int // what this branch bars
	defer func() {
		for _, v := range out {
			r.unbar(v)
		}
	}()
	if closed, err := r.settled(); closed || err != nil {
		return err
	}
	for v := last + 1; v < len(r.state); v++ {
		if r.state[v] == open && r.burden.bars(v) {
			out = append(out, v)
		}
	}
	if len(out) > 0 {
		r.to.Filter()
		for _, v := range out {
			r.bar(v)
		}
		if closed, err := r.settled(); closed || err != nil {
			return err
		}
	}
	// First the nodes at which a symmetry takes placements to greater ones, whatever is known of those before: that holds
	// for all other branches.
	drop := r.dropping()
	for _, write := range [2]func(v int) error{
		func(v int) error { r.to.Turn(r.element(drop[v])); return nil },
		r.child,
	} {
		for v := last + 1; v < len(r.state); v++ {
			if r.state[v] != open || drop != nil && drop[v] < 0 {
				continue
			}
			r.to.Split(steps.Node(v), 1)
			if err := write(v); err != nil {
				return err
			}
			out = append(out, v)
			r.bar(v)
			if closed, err := r.settled(); closed || err != nil {
				return err
			}
		}
		drop = nil
	}
	return nil
}

// child writes the proof of the branch with one more processor.
func (r *refuter) child(v int) error {
	r.take(v)
	defer r.leave()
	if e := r.turned(); e >= 0 {
		r.to.Turn(r.element(e))
		return nil
	}
	r.burden.add(v, 1)
	defer r.burden.add(v, -1)
	if r.burden.close() {
		return nil
	}
	return r.to.Branch(func() error { return r.prove(v) })
}

// settled closes the branch if too few nodes are open, or if all that are have to be taken: then some link carries too
// much, or it is a placement that answers the question.
func (r *refuter) settled() (closed bool, err error) {
	switch need := r.need(); {
	case r.free < need || need < 0 || r.alone > 0:
		r.to.Crossed()
		return true, nil
	case r.far != nil && r.far.passed(r.state):
		r.to.Distance()
		return true, nil
	case r.free > need && need > 0:
		return false, nil
	}
	var last []int
	for v, s := range r.state {
		if s == open {
			last = append(last, v)
		}
	}
	return true, r.answered(last)
}

// answered closes a branch that is one placement, with the last nodes where processors are missing, else without.
func (r *refuter) answered(last []int) error {
	more := last[:min(r.need(), len(last))]
	if over := r.burden.overloads(more); over >= 0 {
		r.to.Weigh(r.to.Weighting(steps.Evenly(over)), steps.Identity, r.to.View(nil, nil))
		return nil
	}
	known := barred
	if len(more) > 0 {
		known = taken
	}
	for _, v := range last {
		r.state[v] = known
	}
	defer func() {
		for _, v := range last {
			r.state[v] = open
		}
	}()
	has := func(v int) bool { return r.state[v] == taken }
	if slices.ContainsFunc(r.near, func(list []int) bool { return !slices.ContainsFunc(list, has) }) {
		r.to.Crossed()
	} else if r.far != nil && r.far.passed(r.state) {
		r.to.Distance()
	} else if !r.all {
		return &PlacementError{core.MustPlacement(r.torus, slices.Concat(r.nodes, more))}
	} else if e := r.turned(); e >= 0 {
		r.to.Turn(r.element(e))
	} else {
		r.to.Place()
	}
	return nil
}

// turned returns a symmetry that takes every placement of the branch to a greater one, -1 if none is found. Placements
// are compared node by node.
func (r *refuter) turned() int {
	for v, s := range r.state {
		if s != taken && r.state[0] != barred {
			continue // it takes no processor to node 0, where there may be one
		}
		for _, i := range r.byFirst[v] {
			if r.greater(r.elements[i].inverse) {
				return i
			}
		}
	}
	return -1
}

// dropping returns, by open node, a symmetry that takes every placement of the branch with a processor there to a
// greater one, -1 where none is found. None does so whatever is there: the branch itself is not turned.
func (r *refuter) dropping() []int {
	drop := slices.Repeat([]int{-1}, len(r.state))
	for v, s := range r.state {
		if s == barred && r.state[0] != barred {
			continue // as in turned
		}
		for _, i := range r.byFirst[v] {
			if s == open && drop[v] >= 0 {
				break // a processor is supposed there by all of these
			}
			inverse, at := r.elements[i].inverse, -1 // the node where a processor is supposed
		walk:
			for u, from := range inverse {
				switch s := r.state[from]; {
				case r.state[u] == barred && (s == taken || int(from) == at):
					if at >= 0 && drop[at] < 0 {
						drop[at] = i
					}
					break walk
				case r.state[u] == barred && s == open && at < 0:
					if drop[from] < 0 {
						drop[from] = i
					}
				case r.state[u] == barred || s == taken || int(from) == at:
				case s == open && at < 0 && drop[from] < 0:
					at = int(from)
				default:
					break walk
				}
			}
		}
	}
	return drop
}

// greater reports whether every placement of the branch has a greater image.
func (r *refuter) greater(inverse []uint8) bool {
	for u, from := range inverse {
		if s := r.state[from]; r.state[u] == barred {
			if s == taken {
				return true
			}
		} else if s != taken {
			return false
		}
	}
	return false
}

// element returns the number of a symmetry, which is defined when it is first used.
func (r *refuter) element(i int) steps.Element {
	e := r.elements[i]
	return r.numbered(e.point, e.shift)
}

func (r *refuter) numbered(point, shift int) steps.Element {
	at := [2]int{point, shift}
	if number, ok := r.numbers[at]; ok {
		return number
	}
	var number steps.Element
	if point != 0 && shift != 0 {
		number = r.to.Product(r.numbered(0, shift), r.numbered(point, 0))
	} else {
		number = r.to.Element(r.masks[point], r.group.Images(point, shift))
	}
	r.numbers[at] = number
	return number
}
