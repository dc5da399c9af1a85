package fast

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/lanes"
)

// packed is an Incremental that evaluates a swap without making it. Beside the
// loads it keeps, for every node v, the vector V_v of the joint flows of v with
// all processors, so that the loads after a swap of a for b are
//
//	load - V_a + V_b - joint(a, b)
//
// a few word operations per word of links: loads are packed in lanes of 16 bits,
// or of 32 where that is too narrow, of which the top one stays clear. Making a
// swap costs the joint flows of every node with a and b. Under client traffic V_v is what a processor on v brings,
// whatever the others are, and nothing is joint.
type packed struct {
	pairs   *Table // nil under client traffic
	lanes   lanes.Layout
	places  []lanes.Place // by share
	words   int
	padding int // lanes without a link
	load    []uint64
	around  []uint64 // V, row by row
	joint   []uint64 // joint flows of all pairs, row by row, of clients one row of zeros; nil where that is too large
	after   []uint64 // scratch: loads after a swap
	in      []bool
	changes
}

// Limits of packed: 1 MiB for the vectors of all nodes, 8 MiB for the flows of all pairs.
const (
	maxAroundWords = 1 << 17
	maxJointWords  = 1 << 20
)

// packedLanes returns the lanes that loads of n processors under r in units of 1/den
// fit, and whether there are any and the vectors are small enough. On shortest paths a link
// carries pairs from one set of processors to a disjoint one, at most n^2/4, and
// V_v at most twice n flows; on others any pair, twice at most.
func packedLanes(r routing.Routing, den int64, n int) (lanes.Layout, bool) {
	t, pairs := r.Torus(), int64(n)*int64(n)/4+2*int64(n)+2
	if !routing.Shortest(r) {
		pairs *= 8
	}
	most := new(big.Int).Mul(big.NewInt(den), big.NewInt(pairs))
	for _, l := range []lanes.Layout{lanes.New(16), lanes.New(32)} {
		if most.Cmp(big.NewInt(l.Max())) <= 0 {
			return l, l.Words(t.M())*t.N() <= maxAroundWords
		}
	}
	return lanes.Layout{}, false
}

func newPacked(t *core.Torus, den int64, l lanes.Layout) *packed {
	words := l.Words(t.M())
	e := &packed{changes: changes{den: den, exact: true}, lanes: l, words: words, padding: words*l.Per - t.M(),
		load: make([]uint64, words), around: make([]uint64, words*t.N()), after: make([]uint64, words),
		in: make([]bool, t.N())}
	e.change = e.exchange
	e.empty = func() {
		clear(e.load)
		clear(e.in)
		if e.pairs != nil {
			clear(e.around)
		}
	}
	return e
}

// packPairs returns the evaluator of a routing in lanes that its loads fit.
func packPairs(r routing.Routing, den int64, l lanes.Layout) *packed {
	t := r.Torus()
	e := newPacked(t, den, l)
	e.pairs = NewTable(r, den)
	// Links that leave a node side by side have lanes side by side: a share has the loads of all.
	ports := t.M() / t.N()
	e.pairs.ports, e.pairs.width = int32(core.GCD(ports, l.Per)), l.Width
	e.places = lanes.New(l.Width * uint(e.pairs.ports)).Places(t.M() / int(e.pairs.ports))
	e.pairs.Fill()
	if e.words*t.N()*t.N() <= maxJointWords {
		e.joint = make([]uint64, e.words*t.N()*t.N())
		for p := range t.N() {
			for q := range t.N() {
				e.add(e.row(e.joint, p*t.N()+q), p, q, 1)
			}
		}
	}
	return e
}

// packRows returns the evaluator of client traffic for up to n processors, nil where loads do not fit lanes of 16 or 32
// bits or the loads by node are not stored.
func packRows(nodes *NodeLoads, n int) *packed {
	if !nodes.Stored() {
		return nil
	}
	for _, width := range []uint{16, 32} {
		l := lanes.New(width)
		if slices.Max(nodes.stored) > l.Max()/int64(n+1) {
			continue
		}
		t := nodes.torus
		e := newPacked(t, nodes.den, l)
		for v := range t.N() {
			row := nodes.Row(v, nil)
			copy(e.row(e.around, v), l.Pack(t.M(), func(i int) int64 { return row[i] }))
		}
		e.joint = make([]uint64, e.words)
		return e
	}
	return nil
}

// add adds the joint flow of a pair, times sign, to packed loads.
func (e *packed) add(words []uint64, p, q int, sign int64) {
	j, at := e.pairs.Pair(p, q)
	for _, s := range j.Shares {
		lanes.Add(words, e.places[s.Base+at[s.From]], sign*s.Load)
	}
}

func (e *packed) row(a []uint64, i int) []uint64 { return lanes.Row(a, i, e.words) }

func (e *packed) exchange(out, in int) {
	if out != none {
		lanes.AddScaled(e.load, e.load, -1, e.row(e.around, out))
		e.in[out] = false
	}
	if e.pairs != nil {
		e.changeAround(out, in)
	}
	if in != none {
		lanes.AddScaled(e.load, e.load, 1, e.row(e.around, in))
		e.in[in] = true
	}
}

// changeAround updates the vectors of all nodes.
func (e *packed) changeAround(out, in int) {
	if e.joint == nil {
		for u := range e.in {
			words := e.row(e.around, u)
			if out != none {
				e.add(words, out, u, -1)
			}
			if in != none {
				e.add(words, in, u, 1)
			}
		}
		return
	}
	// The joint flows of one node with all nodes lie like the vectors.
	all := len(e.around)
	switch {
	case in == none:
		lanes.AddScaled(e.around, e.around, -1, e.joint[out*all:][:all])
	case out == none:
		lanes.AddScaled(e.around, e.around, 1, e.joint[in*all:][:all])
	default:
		lanes.AddDifference(e.around, e.joint[in*all:][:all], e.joint[out*all:][:all])
	}
}

func (e *packed) Peak() (int64, int) { return e.links(e.lanes.Peak(e.load)) }

func (e *packed) TrySwap(out, in int) (int64, int) {
	va, vb := e.row(e.around, out), e.row(e.around, in)
	if e.joint == nil {
		copy(e.after, e.load)
		lanes.AddDifference(e.after, vb, va)
		e.add(e.after, out, in, -1)
		return e.links(e.lanes.Peak(e.after))
	}
	pair := 0
	if e.pairs != nil {
		pair = out*len(e.in) + in
	}
	return e.links(e.lanes.Exchange(e.after, e.load, va, vb, e.row(e.joint, pair)))
}

// links returns a peak and how many links have it, given how many lanes do.
func (e *packed) links(most int64, lanes int) (int64, int) {
	if most == 0 {
		lanes -= e.padding
	}
	return most, lanes
}
