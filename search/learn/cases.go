package learn

import (
	"cmp"
	"context"
	"slices"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/encode/steps"
	"leeway/objective/fast"
	"leeway/search/flows"
)

// Cases are the part of a proof that uses symmetry. Of its orbit a placement may be taken to be the one with the most
// processors in the first slab, and there with the first nodes. For each count of that slab, and each way to have it,
// what is left is a lemma: its premises are what the case says, as far as that was needed, so that it may close others.
type cases struct {
	first    slab       // none without nodes: there are no cases
	fill     bool       // its nodes are gone through
	others   []slab     // that symmetry takes to it
	elements []*element // but the identity
	defined  map[*element]steps.Element
	branch   solver    // what rows alone give in the case at hand
	assumed  []literal // what the case says
	closing  []*lemma  // that have closed cases
	script   []func(*steps.Writer)
}

// A slab is a set of nodes with an element that takes it to the first one.
type slab struct {
	set   int
	nodes []int
	by    *element
}

type element struct {
	images, inverse []int
	mask            uint
	slab            int // the slab that it takes to the first slab, 0 if it takes another set there
}

// chooseKeys chooses by what placements are compared, if symmetry takes slabs to each other.
func (r *refuter) chooseKeys(ctx context.Context) error {
	g, err := fast.Group(ctx, r.problem)
	if err != nil {
		return err
	}
	if err := r.list(ctx, g); err != nil {
		return err
	}
	most := 0
	for _, d := range r.dims {
		count := 0
		for x := range d.k {
			if r.takes(d.slab(x), d.slab(0)) != nil {
				count++
			}
		}
		if n := len(d.slab(0)); count > 0 && cmp.Or(cmp.Compare(n, len(r.first.nodes)), cmp.Compare(count, most)) > 0 {
			most, r.first = count, slab{set: d.slabs[stretch{0, 1}], nodes: d.slab(0)}
		}
	}
	if most == 0 {
		return nil
	}
	keys := []steps.Set{steps.Set(r.first.set)}
	for _, v := range r.first.nodes {
		keys = append(keys, steps.Node(v))
	}
	r.to.Keys(keys)
	r.fill = r.torus.Closed()
	for _, d := range r.dims {
		for x := range d.k {
			s := slab{set: d.slabs[stretch{x, 1}], nodes: d.slab(x)}
			for _, e := range r.elements {
				if e.takes(s.nodes, r.first.nodes) {
					e.slab = s.set
				}
			}
			if s.by = r.takes(s.nodes, r.first.nodes); s.by != nil && s.set != r.first.set {
				r.others = append(r.others, s)
			}
		}
	}
	return nil
}

// list lists the symmetries but the identity. The error is that of the context.
func (r *refuter) list(ctx context.Context, g *symmetry.Group) error {
	for images, mask := range r.flows.Symmetries(r.torus, g) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.elements = append(r.elements, &element{images: images, inverse: flows.Inverse(images), mask: mask})
	}
	return nil
}

// takes reports whether an element takes nodes to others, of which there are as many.
func (e *element) takes(nodes, to []int) bool {
	return len(nodes) == len(to) &&
		!slices.ContainsFunc(nodes, func(v int) bool { return !slices.Contains(to, e.images[v]) })
}

// takes returns an element that takes nodes to others, nil if none does.
func (r *refuter) takes(nodes, to []int) *element {
	for _, e := range r.elements {
		if e.takes(nodes, to) {
			return e
		}
	}
	return nil
}

// prove finds the proof.
func (r *refuter) prove(ctx context.Context) error {
	r.defined = map[*element]steps.Element{}
	if r.branch = r.rowsOnly(); r.first.nodes == nil {
		return r.settle(ctx)
	}
	lo, hi := bound(2*r.first.set), bound(2*r.first.set+1)
	for r.branch.at[lo] < -r.branch.at[hi] {
		count := r.branch.at[lo]
		r.say(func(to *steps.Writer) { to.SplitLow(steps.Set(r.first.set), int(count)+1) })
		if err := r.suppose(literal{hi, -count}, func() error { return r.cap(ctx, count) }); err != nil {
			return err
		}
		if !r.assume(literal{lo, count + 1}) {
			return nil
		}
	}
	return r.cap(ctx, r.branch.at[lo])
}

// say adds to the script.
func (r *refuter) say(write func(*steps.Writer)) { r.script = append(r.script, write) }

// rowsOnly returns a solver that draws from rows alone.
func (r *refuter) rowsOnly() solver {
	b := solver{at: slices.Clone(r.at), last: slices.Clone(r.last), rows: r.rows, sums: slices.Clone(r.sums),
		rowsOf: r.rowsOf, formsOf: make([][]int32, len(r.formsOf))}
	b.dirtyRows.in = make([]bool, len(r.rows))
	return b
}

// assume takes in what a case says, and reports whether rows leave an answer; if not the case is closed.
func (r *refuter) assume(l literal) bool {
	b := &r.branch
	r.assumed = append(r.assumed, l)
	open := !b.holds(l.not())
	if open && !b.holds(l) {
		b.raise(l, reason{})
		open = b.propagate().kind == decision
	}
	if !open {
		r.say((*steps.Writer).Crossed)
	}
	return open
}

// suppose proves a case, and forgets what it says.
func (r *refuter) suppose(l literal, prove func() error) error {
	assumed, changes := len(r.assumed), len(r.branch.trail)
	defer func() {
		r.assumed = r.assumed[:assumed]
		for len(r.branch.trail) > changes {
			r.branch.undo()
		}
	}()
	if !r.assume(l) {
		return nil
	}
	return prove()
}

// cap bounds the other slabs by the count of the first.
func (r *refuter) cap(ctx context.Context, count int32) error {
	for _, s := range r.others {
		hi := bound(2*s.set + 1)
		if -r.branch.at[hi] <= count {
			continue
		}
		r.say(func(to *steps.Writer) {
			to.Split(steps.Set(s.set), int(count)+1)
			to.Turn(r.numberOf(to, s.by))
		})
		if !r.assume(literal{hi, -count}) {
			return nil
		}
	}
	if r.fill {
		return r.choose(ctx, r.first.nodes)
	}
	return r.choose(ctx, nil)
}

// choose goes through the ways to have nodes.
func (r *refuter) choose(ctx context.Context, nodes []int) error {
	if e := r.greater(); e != nil {
		r.say(func(to *steps.Writer) { to.Turn(r.numberOf(to, e)) })
		return nil
	}
	for len(nodes) > 0 && r.branch.decided(nodes[0]) {
		nodes = nodes[1:]
	}
	if len(nodes) == 0 {
		return r.settle(ctx)
	}
	if r.known() {
		return nil
	}
	set := steps.Node(nodes[0])
	r.say(func(to *steps.Writer) { to.Split(set, 1) })
	next := func() error { return r.choose(ctx, nodes[1:]) }
	if err := r.suppose(literal{bound(2 * set), 1}, next); err != nil {
		return err
	}
	return r.suppose(literal{bound(2*set + 1), 0}, next)
}

// decided reports whether it is known if a node has a processor.
func (s *solver) decided(v int) bool {
	set := steps.Node(v)
	return s.at[2*set] == -s.at[2*set+1]
}

// greater returns an element that takes all placements of the case to greater ones, nil if none is found.
func (r *refuter) greater() *element {
	at := r.branch.at
	keys := []int{r.first.set}
	keys = append(append(keys, nodeSets(r.first.nodes)...), nodeSets(core.Range(r.torus.N()))...)
	for _, e := range r.elements {
		for i, key := range keys {
			from := e.slab
			if i > 0 {
				from = int(steps.Node(e.inverse[key-1]))
			}
			if from == 0 {
				break
			}
			lo, hi := at[2*from], -at[2*key+1]
			if lo > hi {
				return e
			}
			if lo < hi {
				break
			}
		}
	}
	return nil
}

func (r *refuter) numberOf(to *steps.Writer, e *element) steps.Element {
	number, ok := r.defined[e]
	if !ok {
		number = to.Element(e.mask, e.images)
		r.defined[e] = number
	}
	return number
}

// known closes the case at hand by a lemma that there is, and reports whether it does.
func (r *refuter) known() bool {
	for _, l := range r.closing {
		if !slices.ContainsFunc(l.premises, func(p literal) bool { return !r.branch.holds(p) }) {
			r.use(l)
			return true
		}
	}
	return false
}

func (r *refuter) use(l *lemma) {
	l.used = true
	r.say(func(to *steps.Writer) { to.Use(l.number, steps.Identity) })
}

// settle closes the case at hand by a lemma.
func (r *refuter) settle(ctx context.Context) error {
	if r.known() {
		return nil
	}
	draft := r.to.Draft()
	final, found, err := r.solve(ctx, r.assumed, func(l *lemma) error {
		r.lemma(draft, l)
		return cmp.Or(draft.Flush(), r.to.Enough())
	})
	switch {
	case err != nil:
		return err
	case found:
		var nodes []int
		for v := range r.torus.N() {
			if r.at[2*steps.Node(v)] > 0 {
				nodes = append(nodes, v)
			}
		}
		return &PlacementError{core.MustPlacement(r.torus, nodes)}
	}
	r.closing = append(r.closing, final)
	r.use(final)
	return nil
}
