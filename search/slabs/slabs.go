// Package slabs proves that no placement of a size has E_max below a value where the counts of processors in slabs, the
// nodes of one coordinate, suffice to show it, on networks whose lines have too many nodes to go through. It writes the
// proof as steps (docs/steps.md), in one of three ways (docs/margin-bound.md, docs/bounds.md):
//
//   - the links between the slabs of one dimension carry too much for all counts of these;
//   - so they do where no slab has more than t, or the links of one slab of another dimension do that has t;
//   - the line of a processor is full unless few slabs have processors, and so few lines carry what crosses.
package slabs

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
	"leeway/search/flows"
)

// Name is that of the engine.
const Name = "slabs"

// ErrOpen says that counts of slabs do not show it, or not with the cases that are tried.
var ErrOpen = errors.New("slabs: the counts of slabs leave a case open")

// Limits of what is tried: nodes, and those between all pairs of which there are tables, the side of a dimension, and
// the sums that are looked at in each way.
const (
	mostNodes  = 1 << 12
	mostTabled = 1 << 9
	mostSide   = 64
	mostWork   = 1 << 29
)

// Refutes returns nil for problems that Refute takes, else an *search.UnsupportedError: all to all over shortest paths,
// up to 4,096 nodes and sides of 64.
func Refutes(p objective.Problem) error {
	t := p.Torus()
	switch {
	case !t.HasDimensions():
		return search.Unsupported(Name, p, "what crosses does not follow from slabs")
	case !p.Traffic.ToAll() || !routing.Shortest(p.Routing) || routing.ByPair(p.Routing):
		return search.Unsupported(Name, p, "what crosses is known all to all over shortest paths of a rule")
	case t.N() > mostNodes || slices.Max(t.Dims()) > mostSide:
		return search.Unsupported(Name, p, "the network has more than %d nodes, or a side more than %d", mostNodes, mostSide)

	}
	return nil
}

// Refute writes, as steps, that no placement of a problem has E_max below a value. Errors are *search.UnsupportedError,
// ErrOpen, those of writing and the context's. Cost: the loads of all pairs up to 512 nodes, and mostWork sums for each
// way.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	if err := Refutes(p); err != nil {
		return err
	}
	r, err := newRefuter(ctx, p, below)
	if err != nil {
		return err
	}
	for _, w := range r.ways() {
		err := r.write(to.Draft(), w)
		if err == nil {
			return errors.Join(r.write(to, w), to.Flush())
		}
		if !errors.Is(err, ErrOpen) {
			return err
		}
	}
	return ErrOpen
}

// A way to go about a proof: by the slabs of some dimensions.
type way struct {
	dims  []int
	prove func(dims []*dimension) error
	lines bool // of processors are looked at
}

// ways returns those that are tried, in their order.
func (r *refuter) ways() (list []way) {
	t := r.torus
	if r.flows != nil && r.ordered && t.D() == 2 && !t.Twisted() {
		return nil // counts sees more
	}
	for s := range t.D() {
		list = append(list, way{dims: []int{s}, prove: r.alone})
	}
	if r.flows != nil && r.ordered && r.even {
		for s := range t.D() {
			for o := 0; o < s && !t.Twisted(); o++ {
				list = append(list, way{dims: []int{s, o}, prove: r.together})
			}
		}
		if t.D() > 2 || t.Twisted() {
			list = append(list, way{dims: core.Range(t.D()), prove: r.fewLines, lines: true})
		}
	}
	return list
}

// A refuter writes one proof.
type refuter struct {
	objective.Problem
	steps.Branch
	output
	ctx     context.Context
	torus   *core.Torus
	flows   *flows.Table         // nil where the paths depend on the processors or are chosen, and on large networks
	unit    int64                // of a message
	limits  []int64              // by link
	strict  bool                 // no link comes up to its limit
	ordered bool                 // a path corrects one dimension after the other
	even    bool                 // translations preserve loads, and no node is fixed or forbidden
	sets    map[string]steps.Set // by their nodes
	root    steps.Branch         // before the first case
	work    int64                // that is left
}

// An output is a writer with the numbers of what it has been told.
type output struct {
	to       *steps.Writer
	elements map[int]steps.Element // by image of node 0, of translations
	lemmas   map[string]steps.Lemma
}

func newRefuter(ctx context.Context, p objective.Problem, below *big.Rat) (r *refuter, err error) {
	t := p.Torus()
	r = &refuter{Problem: p, ctx: ctx, torus: t, even: t.Closed() && !p.Conditioned()}
	_, r.ordered = p.Routing.(*routing.Orders)
	den := p.Routing.Denominator()
	if p.Free == nil && !p.Routing.DependsOnPlacement() && t.N() <= mostTabled && den != nil && den.BitLen() <= 40 {
		if r.flows, err = flows.New(ctx, p); err != nil {
			return nil, err
		}
		r.unit, r.limits = r.flows.Unit, r.flows.Limits(t, below, false)
		return r, nil
	}
	if r.strict = p.Free == nil || !p.Free.Single; !r.strict {
		r.unit, r.limits = 1, flows.Limits(t, 1, below, false)
		return r, nil
	}
	if scale := big.NewInt(1 << 16); below.Denom().Cmp(scale) > 0 { // a little above: this refutes below, too
		below = objective.RoundUp(below, scale)
	}
	if below.Num().BitLen() > 30 {
		return nil, ErrOpen
	}
	r.unit = 2 * below.Denom().Int64()
	r.limits = flows.Limits(t, r.unit, below, true)
	return r, nil
}

// write writes the proof in one way.
func (r *refuter) write(to *steps.Writer, w way) error {
	t := r.torus
	r.output = output{to, map[int]steps.Element{0: steps.Identity}, map[string]steps.Lemma{}}
	r.Branch, r.work = steps.Branch{}, mostWork
	r.sets = map[string]steps.Set{fmt.Sprint(core.Range(t.N())): steps.All}
	for v := range t.N() {
		r.sets[fmt.Sprint([]int{v})] = steps.Node(v)
	}
	r.Add(t.N())
	for range t.N() {
		r.Add(1)
	}
	for len(r.Lo) < to.Sets() { // of a radius, which steps leave alone
		r.Add(t.N())
	}
	var dims []*dimension
	for _, s := range w.dims {
		dims = append(dims, r.newDimension(s, w.lines))
	}
	r.Bound(steps.All, r.Size, r.Size)
	for v := range t.N() {
		switch {
		case r.MustHave(v):
			r.Bound(steps.Node(v), 1, 1)
		case !r.MayHave(v):
			r.Bound(steps.Node(v), 0, 0)
		}
	}
	r.root = r.Clone()
	if r.Crossed {
		to.Crossed()
		return nil
	}
	return w.prove(dims)
}

// dry calls a function that writes, and forgets what it has written.
func (r *refuter) dry(prove func() error) error {
	out, work := r.output, r.work
	defer func() { r.output, r.work = out, work }()
	r.work = mostWork / 4
	r.output = output{out.to.Draft(), maps.Clone(out.elements), maps.Clone(out.lemmas)}
	return prove()
}

// set returns the set of some nodes, each as often as a function says, which it defines unless there is one.
func (r *refuter) set(times func(v int) int) steps.Set {
	var nodes []int
	for v := range r.torus.N() {
		nodes = append(nodes, slices.Repeat([]int{v}, times(v))...)
	}
	key := fmt.Sprint(nodes)
	if s, ok := r.sets[key]; ok {
		return s
	}
	r.Add(len(nodes))
	r.sets[key] = r.to.Set(nodes)
	return r.sets[key]
}

// union returns the set of the nodes of some slabs across a dimension, each as often as a function says: the sum of
// these.
func (r *refuter) union(d *dimension, times func(x int) int) steps.Set {
	s := r.set(func(v int) int { return times(r.torus.Slab(v, d.s)) })
	var parts []steps.Set
	var each []int
	for x, slab := range d.slabs {
		if m := times(x); m > 0 && slab != s {
			parts, each = append(parts, slab), append(each, m)
		}
	}
	if parts != nil {
		r.Declare(r.to, s, parts, each)
	}
	return s
}

// keyOf is a text that tells premises apart.
func keyOf(premises []steps.Premise) string {
	var key []byte
	for _, p := range premises {
		side := byte(0)
		if p.AtLeast {
			side = 1
		}
		key = binary.AppendUvarint(append(binary.AppendUvarint(key, uint64(p.Set)), side), uint64(p.Number))
	}
	return string(key)
}

// lemma returns the lemma of some premises, which it proves unless it has been proved.
func (r *refuter) lemma(premises []steps.Premise, prove func() error) (steps.Lemma, error) {
	key := keyOf(premises)
	if l, ok := r.lemmas[key]; ok {
		return l, nil
	}
	r.to.Lemma(premises)
	if err := r.Suppose(&r.root, premises, prove); err != nil {
		return 0, err
	}
	r.lemmas[key] = r.to.Proved()
	return r.lemmas[key], nil
}

// exclude closes the case of at least a given number in a set by a lemma, moved to a node, and goes on with fewer. It
// reports whether that closes the branch.
func (r *refuter) exclude(s steps.Set, least int, l steps.Lemma, to int) (closed bool) {
	if r.Hi[s] < least {
		return false
	}
	g := r.translation(to)
	if r.Lo[s] >= least {
		r.to.Use(l, g)
		return true
	}
	r.to.Split(s, least)
	r.to.Use(l, g)
	if r.Bound(s, 0, least-1); r.Crossed {
		r.to.Crossed()
	}
	return r.Crossed
}

// translation returns the number of the one that takes node 0 to a node.
func (r *refuter) translation(to int) steps.Element {
	if e, ok := r.elements[to]; ok {
		return e
	}
	t, first := r.torus, 0
	for t.Coord(to, first) == 0 {
		first++
	}
	one := t.Stride(first)
	var e steps.Element
	if to == one {
		images := make([]int, t.N())
		for v := range images {
			images[v] = t.Sum(v, one)
		}
		e = r.to.Element(0, images)
	} else {
		before, unit := r.translation(to-one), r.translation(one)
		e = r.to.Product(before, unit)
	}
	r.elements[to] = e
	return e
}

// weigh closes the branch by weighted links.
func (r *refuter) weigh(weights []steps.LinkWeight, outer, inner []steps.Set) {
	r.to.Weigh(r.to.Weighting(weights), steps.Identity, r.to.View(outer, inner))
}
