package linear

import (
	"math"
	"slices"

	"leeway/core"
	"leeway/encode/opb"
	"leeway/encode/veripb"
)

// A slab is the set of nodes with one coordinate in one dimension.
type slab struct {
	dim, place int
	nodes      []int
	has        []bool           // by node
	counts     []veripb.Literal // counts[c], c = 1...: at least c processors; counts[0] is unused
	atLeast    []veripb.ID      // by c: "if counts[c], at least c processors"
	atMost     []veripb.ID      // by c: "if not counts[c], at most c-1"
}

// A reasoner derives constraints about the numbers of processors in slabs.
type reasoner struct {
	model   *opb.Model
	torus   *core.Torus
	size    int
	limit   int64
	proof   *veripb.Proof
	sum     *veripb.Sum
	vars    int
	slabs   [][]*slab    // by dimension, place
	sizeID  [2]veripb.ID // at least so many processors, and at most
	pairs   []veripb.ID  // by pair: "a pair variable holds with both nodes"
	links   []link
	counted []veripb.ID // rows about counts alone
	given   int         // rows of the formula

	met      map[meetsKey]veripb.ID
	products map[productKey]veripb.ID
	scratch  []int64 // by pair, all 0 between uses
}

// A link is the row of a link.
type link struct {
	id    veripb.ID
	dim   int
	minus bool
	from  int
	load  []opb.Term // by pair variable
}

func (r *reasoner) pairOf(p, q int) int {
	return r.model.PairVar(min(p, q), max(p, q)) - r.torus.N() - 1
}

// pairVar returns the variable of a pair by its number.
func (r *reasoner) pairVar(pair int) veripb.Literal { return veripb.Literal(pair + r.torus.N() + 1) }

func (r *reasoner) node(v int) veripb.Literal { return veripb.Literal(r.model.NodeVar(v)) }

// define introduces the variables of the counts of every slab and derives what they have in common: for each slab more
// means at least, and for each dimension the counts add up to the number of processors.
func (r *reasoner) define() {
	t := r.torus
	r.slabs = make([][]*slab, t.D())
	for d := range t.D() {
		for x := range t.Side(d) {
			s := &slab{dim: d, place: x, has: make([]bool, t.N())}
			for v := range t.N() {
				if t.Coord(v, d) == x {
					s.nodes = append(s.nodes, v)
					s.has[v] = true
				}
			}
			most := min(len(s.nodes), r.size)
			s.counts, s.atLeast, s.atMost = make([]veripb.Literal, most+1), make([]veripb.ID, most+1), make([]veripb.ID, most+1)
			for c := 1; c <= most; c++ {
				r.defineCount(s, c)
			}
			for c := 1; c < most; c++ {
				r.sum.Add(s.atLeast[c+1], 1)
				r.sum.Add(s.atMost[c], 1)
				r.sum.Saturate()
				r.sum.Divide(r.sum.Degree())
				r.counted = append(r.counted, r.sum.Done())
			}
			r.slabs[d] = append(r.slabs[d], s)
		}
		r.addUp(r.slabs[d])
	}
}

func (r *reasoner) defineCount(s *slab, c int) {
	r.vars++
	z := veripb.Literal(r.vars)
	m := len(s.nodes)
	least := []opb.Term{{Coef: -int64(c), Var: int(z)}}
	most := []opb.Term{{Coef: int64(m - c + 1), Var: int(z)}}
	for _, v := range s.nodes {
		least = append(least, opb.Term{Coef: 1, Var: r.model.NodeVar(v)})
		most = append(most, opb.Term{Coef: -1, Var: r.model.NodeVar(v)})
	}
	s.counts[c] = z
	s.atLeast[c] = r.proof.Define(normal(0, least), -z)
	s.atMost[c] = r.proof.Define(normal(int64(1-c), most), z)
}

// addUp derives that all counts of a dimension that hold are as many as there are processors: for each slab, by
// induction, from c down, that the nodes without a processor and the counts above c are together at least m-c, and,
// from c up, that the processors and the counts up to c that fail are at least c.
func (r *reasoner) addUp(slabs []*slab) {
	var below, above []veripb.ID
	for _, s := range slabs {
		m, most := len(s.nodes), len(s.counts)-1
		before := veripb.ID(0)
		if most < m {
			r.sum.Add(r.sizeID[1], 1)
			r.sum.Weaken(func(l veripb.Literal) bool { return s.has[int(l)-1] })
			before = r.sum.Done()
		}
		for c := most; c >= 1; c-- {
			if before != 0 {
				r.sum.Add(before, int64(m-c))
			}
			r.sum.Add(s.atMost[c], 1)
			r.sum.Divide(int64(m - c + 1))
			before = r.sum.Done()
		}
		below = append(below, before)
		before = s.atLeast[1]
		for c := 2; c <= most; c++ {
			r.sum.Add(before, int64(c-1))
			r.sum.Add(s.atLeast[c], 1)
			r.sum.Divide(int64(c))
			before = r.sum.Done()
		}
		above = append(above, before)
	}
	r.sum.Add(r.sizeID[0], 1)
	for _, id := range below {
		r.sum.Add(id, 1)
	}
	r.counted = append(r.counted, r.sum.Done())
	r.sum.Add(r.sizeID[1], 1)
	for _, id := range above {
		r.sum.Add(id, 1)
	}
	r.counted = append(r.counted, r.sum.Done())
}

type meetsKey struct {
	node, dim, place, count int
}

// meets returns "if the node has a processor and the slab at least so many, then so many pair variables of the node and
// the others of the slab hold": y >= x_p + x_q - 1 summed over q in the slab, and saturated. In its own slab the node
// does not meet itself. It returns 0 where that says nothing.
func (r *reasoner) meets(p int, s *slab, count int) veripb.ID {
	own := 0
	if s.has[p] {
		own = 1
	}
	if count <= own {
		return 0
	}
	key := meetsKey{p, s.dim, s.place, count}
	id, ok := r.met[key]
	if !ok {
		for _, q := range s.nodes {
			if q != p {
				r.sum.Add(r.pairs[r.pairOf(p, q)], 1)
			}
		}
		r.sum.Add(s.atLeast[count], 1)
		r.sum.Saturate()
		id = r.sum.Done()
		r.met[key] = id
	}
	return id
}

type productKey struct {
	dim, place, count, place2, count2 int
}

// product returns "if one slab has at least so many processors and another of its dimension at least so many, the
// product is at most the number of pairs between them": the above for every node of the first slab.
func (r *reasoner) product(s *slab, count int, t *slab, count2 int) veripb.ID {
	key := productKey{s.dim, s.place, count, t.place, count2}
	id, ok := r.products[key]
	if !ok {
		var list []veripb.ID
		for _, p := range s.nodes {
			list = append(list, r.meets(p, t, count2))
		}
		for _, m := range list {
			r.sum.Add(m, 1)
		}
		r.sum.Add(s.atLeast[count], int64(count2))
		r.sum.Saturate()
		id = r.sum.Done()
		r.products[key] = id
	}
	return id
}

// A border is a set of links in one dimension and direction: those between two neighbouring slabs, those of them in one
// slab of another dimension, or one link alone.
type border struct {
	dim   int
	links []int
	id    veripb.ID  // the sum of their rows
	load  []pairLoad // of the pairs that they carry
	nodes []int      // of these pairs
	limit int64
	// between holds, for two places of the dimension, the least load of a pair between them.
	between [][]int64
}

type pairLoad struct {
	pair int
	load int64
}

// newBorder sums the rows of links. A link that the pairs cannot overload is left alone: it carries what all of them
// bring.
func (r *reasoner) newBorder(dim int, links []int) *border {
	b := &border{dim: dim, links: links}
	for _, l := range links {
		all := int64(0)
		for _, t := range r.links[l].load {
			r.scratch[t.Var-r.torus.N()-1] += t.Coef
			all += t.Coef
		}
		if all > r.limit {
			r.sum.Add(r.links[l].id, 1)
			b.limit += r.limit
			continue
		}
		for _, t := range r.links[l].load {
			r.sum.AddLiteral(-veripb.Literal(t.Var), t.Coef)
		}
		b.limit += all
	}
	if b.id = r.links[links[0]].id; len(links) > 1 {
		b.id = r.sum.Done()
	}
	r.sum.Clear()
	k := r.torus.Side(dim)
	b.between = make([][]int64, k)
	for x := range b.between {
		b.between[x] = slices.Repeat([]int64{math.MaxInt64}, k)
		b.between[x][x] = 0
	}
	meets := make([]bool, r.torus.N())
	for q := range r.torus.N() {
		for p := range q {
			i := r.pairOf(p, q)
			x, y := r.torus.Coord(p, dim), r.torus.Coord(q, dim)
			b.between[x][y] = min(b.between[x][y], r.scratch[i])
			b.between[y][x] = b.between[x][y]
			if r.scratch[i] > 0 {
				b.load = append(b.load, pairLoad{i, r.scratch[i]})
				meets[p], meets[q] = true, true
				r.scratch[i] = 0
			}
		}
	}
	for v, ok := range meets {
		if ok {
			b.nodes = append(b.nodes, v)
		}
	}
	return b
}

// A forced says what a border carries at least if the slabs of its dimension have at least these counts: a load for
// every node that has a processor, and what is left of the pairs.
type forced struct {
	border *border
	counts []int
	force  []int64 // by node
	parts  []part
	rest   []pairLoad
	id     veripb.ID  // 0: not yet in the proof
	row    veripb.Row // as it will be there
}

// A part is what a node meets in a slab, so many times.
type part struct {
	node, place int
	times       int64
}

// force returns what a border carries under counts. A node meets a slab as often as the pair does that brings least.
func (r *reasoner) force(b *border, counts []int) *forced {
	f := &forced{border: b, counts: counts, force: make([]int64, r.torus.N())}
	for _, l := range b.load {
		r.scratch[l.pair] = l.load
	}
	for _, p := range b.nodes {
		for x, s := range r.slabs[b.dim] {
			meets := counts[x]
			if s.has[p] {
				meets--
			}
			if meets <= 0 {
				continue
			}
			least := int64(math.MaxInt64)
			for _, q := range s.nodes {
				if q != p {
					if least = min(least, r.scratch[r.pairOf(p, q)]); least == 0 {
						break
					}
				}
			}
			if least == 0 || least == math.MaxInt64 {
				continue
			}
			for _, q := range s.nodes {
				if q != p {
					r.scratch[r.pairOf(p, q)] -= least
				}
			}
			f.parts = append(f.parts, part{p, x, least})
			f.force[p] += least * int64(meets)
		}
	}
	for _, l := range b.load {
		if left := r.scratch[l.pair]; left > 0 {
			f.rest = append(f.rest, pairLoad{l.pair, left})
		}
		r.scratch[l.pair] = 0
	}
	f.row = r.rowOf(f)
	return f
}

// rowOf returns the row that derive will put into the proof.
func (r *reasoner) rowOf(f *forced) veripb.Row {
	var terms []veripb.Term
	degree := -f.border.limit
	for _, l := range f.rest {
		terms = append(terms, veripb.Term{Coef: l.load, Literal: -r.pairVar(l.pair)})
		degree += l.load
	}
	conditions := make([]int64, len(f.counts))
	nodes := make([]int64, r.torus.N())
	for _, p := range f.parts {
		s := r.slabs[f.border.dim][p.place]
		c := int64(f.counts[p.place])
		conditions[p.place] += p.times * c
		if !s.has[p.node] {
			nodes[p.node] += p.times * c
			degree += p.times * c
			continue
		}
		conditions[p.place] -= p.times // in its own slab c-1 others, or all but one of its nodes
		nodes[p.node] += p.times * min(int64(len(s.nodes)-2), c-1)
		degree += p.times * (c - 1)
	}
	for v, c := range nodes {
		if c > 0 {
			terms = append(terms, veripb.Term{Coef: c, Literal: -r.node(v)})
		}
	}
	for x, c := range conditions {
		if c > 0 {
			terms = append(terms, veripb.Term{Coef: c, Literal: -r.slabs[f.border.dim][x].counts[f.counts[x]]})
		}
	}
	for i := range terms {
		terms[i].Coef = min(terms[i].Coef, degree)
	}
	row := veripb.Normal(0, terms)
	row.Degree = degree
	return row
}

// derive puts what a border carries into the proof.
func (r *reasoner) derive(f *forced) veripb.ID {
	if f.id == 0 {
		ids := make([]veripb.ID, len(f.parts))
		for i, p := range f.parts {
			ids[i] = r.meets(p.node, r.slabs[f.border.dim][p.place], f.counts[p.place])
		}
		r.sum.Add(f.border.id, 1)
		for i, p := range f.parts {
			r.sum.Add(ids[i], p.times)
		}
		r.sum.Saturate()
		f.id = r.sum.Done()
	}
	return f.id
}
