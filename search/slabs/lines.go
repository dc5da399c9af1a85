package slabs

import (
	"math"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/encode/steps"
)

// Limits of what fewLines tries: slabs of a dimension, all subsets of which it goes through, and how often a node
// counts in a set.
const (
	mostSlabs = 8
	mostTimes = 4
)

// An own is a bound on counts of slabs around one that has a processor: else links of its line carry too much.
type own struct {
	links []int // of node 0
	times []int // by slab, as seen from that of the processor: how often its nodes count
	most  int
	sets  []steps.Set // by slab of the processor: those that count
	// Where they count p or q times: the sets of slabs that do so around slab 0.
	p, q         int
	often, other steps.Set
}

// addOwn defines the sets of the bounds on slabs across a dimension, from what node 0 and all others put on the links
// of its line: of one link, or of two at the node.
func (r *refuter) addOwn(d *dimension) {
	t := r.torus
	var list []*own
	var near [2][]int // links out of node 0, and into it
	for l := range t.EachLink() {
		if _, port := t.LinkFrom(l); port.Dim != d.s {
			continue
		}
		from, to := t.LinkEnds(l)
		if from == 0 {
			near[0] = append(near[0], int(l))
		}
		if to == 0 {
			near[1] = append(near[1], int(l))
		}
		if from < t.Stride(d.s)*t.Side(d.s) && from%t.Stride(d.s) == 0 {
			list = append(list, r.newOwn(d, int(l)))
		}
	}
	list = r.strongest(list)
	for _, links := range near {
		if len(links) == 2 {
			list = append(list, r.newOwn(d, links...))
		}
	}
	for _, o := range list {
		if r.reduce(o) {
			d.owns = append(d.owns, o)
		}
	}
	r.define(d)
}

// newOwn returns what a processor at node 0 and each in a slab put on some links together, at least.
func (r *refuter) newOwn(d *dimension, links ...int) *own {
	o := &own{links: links, times: slices.Repeat([]int{math.MaxInt}, d.k)}
	o.times[0] = 0
	for u := range r.torus.N() {
		if x := r.torus.Slab(u, d.s); x > 0 {
			amount := 0
			for _, s := range r.flows.Pair(0, u) {
				if slices.Contains(links, s.Link) {
					amount += int(s.Amount)
				}
			}
			o.times[x] = min(o.times[x], amount)
		}
	}
	return o
}

// strongest returns the bounds of one link each that no other implies.
func (r *refuter) strongest(list []*own) (kept []*own) {
	implies := func(a, b *own) bool {
		for x := range a.times {
			if a.times[x] < b.times[x] {
				return false
			}
		}
		return r.limits[a.links[0]] <= r.limits[b.links[0]]
	}
	for i, b := range list {
		if slices.Max(b.times) > 0 && !slices.ContainsFunc(list, func(a *own) bool {
			return a != b && implies(a, b) && (!implies(b, a) || slices.Index(list, a) < i)
		}) {
			kept = append(kept, b)
		}
	}
	return kept
}

// reduce divides a bound by what its numbers have in common, and reports whether a proof can use it.
func (r *refuter) reduce(o *own) bool {
	limit, divisor := 0, int64(0)
	for _, l := range o.links {
		limit += int(r.limits[l])
	}
	for _, m := range o.times {
		divisor = core.GCD(int64(m), divisor)
	}
	if divisor == 0 {
		return false
	}
	for x := range o.times {
		o.times[x] /= int(divisor)
		switch m := o.times[x]; {
		case m == 0 || m == o.p || m == o.q:
		case o.p == 0:
			o.p = m
		case o.q == 0:
			o.q = m
		default:
			return false
		}
	}
	o.most = limit / int(divisor)
	return limit >= 0 && slices.Max(o.times) <= mostTimes && o.most < r.Size*slices.Max(o.times)
}

// define defines the sets of all bounds, and which of them have all nodes together.
func (r *refuter) define(d *dimension) {
	type plain struct {
		slabs uint64
		set   steps.Set
	}
	var list []plain
	for x, s := range d.slabs {
		list = append(list, plain{1 << x, s})
	}
	for _, o := range d.owns {
		for x := range d.k {
			slabs := uint64(0)
			s := r.union(d, func(z int) int {
				m := o.times[(z-x+d.k)%d.k]
				if m > 0 {
					slabs |= 1 << z
				}
				return m
			})
			if o.sets = append(o.sets, s); o.q == 0 {
				list = append(list, plain{slabs, s})
			}
		}
		if o.q > 0 {
			those := func(m int) steps.Set {
				return r.union(d, func(x int) int {
					if o.times[x] == m {
						return 1
					}
					return 0
				})
			}
			o.often, o.other = those(o.p), those(o.q)
			r.Declare(r.to, o.sets[0], []steps.Set{o.often, o.other}, []int{o.p, o.q})
		}
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if a.slabs&b.slabs == 0 && a.slabs|b.slabs == 1<<d.k-1 {
				r.Declare(r.to, steps.All, []steps.Set{a.set, b.set}, nil)
			}
		}
	}
}

// lemmaOf returns the lemma that slab 0 has no processor where the sets around it count more than a bound.
func (r *refuter) lemmaOf(d *dimension, o *own) (steps.Lemma, error) {
	weights := steps.Evenly(o.links...)
	over := steps.Premise{Set: o.sets[0], AtLeast: true, Number: o.most + 1}
	node, err := r.lemma([]steps.Premise{{Set: steps.Node(0), AtLeast: true, Number: 1}, over}, func() error {
		if o.q == 0 {
			r.weigh(weights, nil, []steps.Set{o.sets[0]})
			return nil
		}
		for { // by the number of those that count p times
			s := o.often
			v, closed := r.Lo[s], false
			closes := func() bool {
				switch {
				case r.Crossed:
					r.to.Crossed()
				case o.p*r.Lo[s]+o.q*r.Lo[o.other] > o.most:
					r.weigh(weights, nil, []steps.Set{s, o.other})
				default:
					return false
				}
				return true
			}
			if closes() {
				return nil
			}
			if v == r.Hi[s] {
				return ErrOpen
			}
			r.to.SplitLow(s, v+1)
			r.Tentatively(func() error { r.Bound(s, v, v); closed = closes(); return nil })
			if !closed {
				return ErrOpen
			}
			r.Bound(s, v+1, r.Hi[s])
		}
	})
	if err != nil {
		return 0, err
	}
	return r.lemma([]steps.Premise{{Set: d.slabs[0], AtLeast: true, Number: 1}, over}, func() error {
		for v := range r.torus.N() {
			if r.torus.Slab(v, d.s) == 0 && r.exclude(steps.Node(v), 1, node, v) {
				return nil
			}
		}
		r.to.Crossed()
		return nil
	})
}

// A fewLines is a proof by how many slabs of each dimension can have processors.
type fewLines struct {
	*refuter
	dims []*dimension
	most []int // by dimension: the most slabs that can, under as many as there can be of those before
}

// fewLines refutes by the lines in use: a path goes along lines whose coordinates are those of slabs with processors.
// More slabs than some number fill the line of a processor, or what the lines carry that are left.
func (r *refuter) fewLines(dims []*dimension) error {
	if slices.ContainsFunc(dims, func(d *dimension) bool { return d.k > mostSlabs }) {
		return ErrOpen
	}
	f := &fewLines{refuter: r}
	for _, owns := range [2]bool{true, false} { // first those of which own lines leave few slabs
		for _, d := range dims {
			if len(d.owns) > 0 == owns {
				f.dims = append(f.dims, d)
			}
		}
	}
	for _, d := range f.dims {
		for _, o := range d.owns {
			if _, err := r.lemmaOf(d, o); err != nil {
				return err
			}
		}
	}
	for i := range f.dims {
		most, err := f.find(i)
		if err != nil {
			return err
		}
		if err := f.each(i, most+1, f.refute); err != nil {
			return err
		}
		if f.most = append(f.most, most); most == 0 {
			return f.choose(make([]uint64, i+1), 0, 0)
		}
	}
	return ErrOpen
}

// find returns the most slabs of a dimension for which a case is left open.
func (f *fewLines) find(i int) (int, error) {
	for u := f.dims[i].k; u > 0; u-- {
		err := f.dry(func() error { return f.each(i, u, f.refute) })
		if err == ErrOpen {
			return u, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// each calls a function for all choices of slabs of the first dimensions, up to translations: of as many as they can
// have, in the last of a number.
func (f *fewLines) each(last, count int, do func(slabs []uint64) error) error {
	slabs := make([]uint64, last+1)
	var choose func(i int) error
	choose = func(i int) error {
		if i > last {
			return do(slabs)
		}
		want := count
		if i < last {
			want = f.most[i]
		}
		k := f.dims[i].k
		for slabs[i] = 0; slabs[i] < 1<<k; slabs[i]++ {
			if least, _ := turned(slabs[i], k); bits.OnesCount64(slabs[i]) == want && least == slabs[i] {
				kept := slabs[i]
				if err := choose(i + 1); err != nil {
					return err
				}
				slabs[i] = kept
			}
		}
		return nil
	}
	return choose(0)
}

// turned returns the least turn of a set of k slabs, and by how much that is turned to be the set.
func turned(set uint64, k int) (least uint64, by int) {
	least = set
	for i := range k {
		if turn := (set>>i | set<<(k-i)) & (1<<k - 1); turn < least {
			least, by = turn, i
		}
	}
	return least, by
}

// premises returns those that the dimensions but the last have no other slabs with processors, and the last these.
func (f *fewLines) premises(slabs []uint64) (list []steps.Premise) {
	last := len(slabs) - 1
	for i, set := range slabs {
		for x, s := range f.dims[i].slabs {
			if has := set>>x&1 == 1; has == (i == last) {
				list = append(list, steps.Premise{Set: s, AtLeast: has, Number: int(set >> x & 1)})
			}
		}
	}
	return list
}

// refute proves the lemma that not all of some slabs have processors where no others of the dimensions before have.
func (f *fewLines) refute(slabs []uint64) error {
	d := f.dims[len(slabs)-1]
	_, err := f.lemma(f.premises(slabs), func() error {
		for x := range d.k {
			for i := 0; i < len(d.owns) && slabs[len(slabs)-1]>>x&1 == 1; i++ {
				o := d.owns[i]
				l, err := f.lemmaOf(d, o)
				if err != nil {
					return err
				}
				if f.exclude(o.sets[x], o.most+1, l, x*f.torus.Stride(d.s)) {
					return nil
				}
			}
		}
		return f.count(f.newTree(d, f.dims), 0)
	})
	return err
}

// choose goes through the slabs with processors, from slab x of dimension i on.
func (f *fewLines) choose(slabs []uint64, i, x int) error {
	d := f.dims[i]
	switch {
	case f.Crossed:
		f.to.Crossed()
		return nil
	case x == d.k:
		return f.choose(slabs, i+1, 0)
	case f.Hi[d.slabs[x]] == 0:
		return f.choose(slabs, i, x+1)
	}
	with := slices.Clone(slabs)
	with[i] |= 1 << x
	return f.Tentatively(func() error {
		s := d.slabs[x]
		if bits.OnesCount64(slabs[i]) == f.most[i] {
			l, to := f.moved(with[:i+1])
			if f.exclude(s, 1, l, to) {
				return nil
			}
			return f.choose(slabs, i, x+1)
		}
		if f.Lo[s] > 0 {
			return f.choose(with, i, x+1)
		}
		f.to.Split(s, 1)
		if err := f.Tentatively(func() error { f.Bound(s, 1, f.Hi[s]); return f.choose(with, i, x+1) }); err != nil {
			return err
		}
		f.Bound(s, 0, 0)
		return f.choose(slabs, i, x+1)
	})
}

// moved returns the lemma about some slabs, and the node to which it is moved.
func (f *fewLines) moved(slabs []uint64) (l steps.Lemma, to int) {
	least := make([]uint64, len(slabs))
	for i, set := range slabs {
		for x := 0; i < len(slabs)-1 && bits.OnesCount64(set) < f.most[i]; x++ {
			set |= 1 << x
		}
		by := 0
		least[i], by = turned(set, f.dims[i].k)
		to += by * f.torus.Stride(f.dims[i].s)
	}
	return f.lemmas[keyOf(f.premises(least))], to
}
