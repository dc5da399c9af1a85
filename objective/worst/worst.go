// Package worst computes the largest load of a link over all permutations of the processors: every processor sends one
// message to another, or to itself, and no two to the same. It is an assignment problem for every link (Towles and
// Dally, "Worst-case traffic for oblivious routing functions", 2002), solved in whole numbers.
package worst

import (
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A Case is a worst permutation, with the proof that there is no worse one.
type Case struct {
	Den  int64     // of loads and potentials
	Load int64     // the largest load, in units of 1/Den
	Link core.Link // one that has it
	To   []int     // by processor, ascending: the node to which it sends
	// Potentials are those of links, of which every other is a translate by a node that takes the placement, and the
	// routing, to themselves.
	Potentials []Potential
}

// A Potential bounds the load of a link: what it carries of a message is at most what the sender and the receiver
// have, and the sum of all is at most Case.Load.
type Potential struct {
	Link            core.Link
	Sends, Receives []int64 // by processor, ascending
}

// An Evaluator computes worst cases under one routing, again and again. It is not safe for concurrent use.
type Evaluator struct {
	routing routing.Routing
	torus   *core.Torus
	den     int64
	even    bool           // translations preserve what messages put on links
	minus   core.NodeTable // if so
	table   []int64        // by message and link, of 1/den; of node 0 if even, else of all pairs of ends
	ends    int            // how many these are, where not even
	place   []int          // by node: which of these it is
	links   []core.Link    // those there are
	assign  *assigner
	weights [][]int64 // by link that is looked at: by sender and receiver
	most    []int64   // by such a link: more than no permutation puts on it
	order   []int
}

// maxNumbers is the most numbers of a table, 256 MiB.
const maxNumbers = 1 << 25

// New returns an evaluator for all placements. Errors are *core.InputError: a table that misses pairs, paths that
// depend on the placement, more than 2^25 numbers of what messages put on links, or loads without a common
// denominator of use. Cost: a flow for every node, or for every two where translations do not preserve flows.
func New(r routing.Routing) (*Evaluator, error) {
	return newEvaluator(r, core.MustPlacement(r.Torus(), core.Range(r.Torus().N())))
}

// NewFor is New for placements within one.
func NewFor(r routing.Routing, p core.Placement) (*Evaluator, error) { return newEvaluator(r, p) }

func newEvaluator(r routing.Routing, within core.Placement) (*Evaluator, error) {
	t := r.Torus()
	n := t.N()
	fail := func(text, problem, hint string) (*Evaluator, error) {
		return nil, core.Invalid(text, "%s", problem).Hinted(hint)
	}
	if err := routing.Covers(r, within); err != nil {
		return nil, err
	}
	e := &Evaluator{routing: r, torus: t, even: routing.Invariant(r)}
	sources, ends := within.Nodes(), within.Nodes()
	if e.even {
		sources, ends = []int{0}, core.Range(n)
	}
	switch {
	case r.DependsOnPlacement():
		return fail(r.String(), "its paths depend on the placement, which worst cases do not treat",
			"take udr, whose paths avoid chooses from")
	case n*n > maxNumbers || len(sources)*len(ends)*t.M() > maxNumbers:
		return fail(t.String(), fmt.Sprintf("what each two nodes put on each link are more than %d numbers", maxNumbers),
			"take a smaller network")
	}
	flows, den := make([]routing.Flow, len(sources)*len(ends)), big.NewInt(1)
	for i, p := range sources {
		for j, q := range ends {
			if p != q {
				f := r.Flow(p, q, nil)
				flows[i*len(ends)+j] = f
				if core.FoldLCM(den, f.Den); den.BitLen() > maxBits {
					return fail(r.String(), "loads have no common denominator of use on "+t.String(), "take a smaller network")
				}
			}
		}
	}
	den.Mul(den, big.NewInt(int64(t.CommonBandwidth())))
	e.den = den.Int64()
	if e.even {
		e.minus = core.Displacements(t)
	} else {
		e.ends, e.place = len(ends), make([]int, n)
		for i, v := range ends {
			e.place[v] = i
		}
	}
	e.table = make([]int64, len(flows)*t.M())
	for i, f := range flows {
		if f.Den == nil { // of a node to itself
			continue
		}
		for l, load := range f.Units(t, den) {
			e.table[i*t.M()+int(l)] = load
		}
	}
	e.links = slices.Collect(t.EachLink())
	e.assign = newAssigner(n)
	return e, nil
}

// maxBits is the most bits of a denominator, so that sums over all nodes fit a word.
const maxBits = 40

// Den returns the denominator of loads.
func (e *Evaluator) Den() int64 { return e.den }

// Load returns the largest load, in units of 1/Den, of processors on some nodes, or where that is at least a limit,
// which is above 0, some load of at least the limit.
func (e *Evaluator) Load(nodes []int, limit int64) int64 {
	load, _ := e.find(nodes, e.classes(nodes), limit)
	return load
}

// Case returns the worst case of processors on some nodes, ascending.
func (e *Evaluator) Case(nodes []int) Case {
	links := e.classes(nodes)
	load, at := e.find(nodes, links, 0)
	n := len(nodes)
	c := Case{Den: e.den, Load: load, To: slices.Clone(nodes)}
	for i, l := range links {
		p := Potential{Link: l, Sends: make([]int64, n), Receives: make([]int64, n)}
		if e.boundOf(n, e.weights[i], p.Sends, p.Receives) > load || i == at {
			e.assign.solve(n, e.weights[i])
			copy(p.Sends, e.assign.sends)
			copy(p.Receives, e.assign.receives)
		}
		if i == at {
			c.Link = l
			for column, row := range e.assign.row[1 : n+1] {
				c.To[row-1] = nodes[column]
			}
		}
		c.Potentials = append(c.Potentials, p)
	}
	return c
}

// classes returns links of which all others are translates by nodes that take the processors to themselves.
func (e *Evaluator) classes(nodes []int) []core.Link {
	t := e.torus
	if !e.even || len(nodes) == 0 {
		return e.links
	}
	set := core.NewSet(t.N())
	for _, v := range nodes {
		set.Add(v)
	}
	shifts := []int{}
	for _, v := range nodes { // one takes the first node to a node
		x := e.minus.Node(nodes[0], v)
		if !slices.ContainsFunc(nodes, func(u int) bool { return !set.Has(t.Sum(u, x)) }) {
			shifts = append(shifts, x)
		}
	}
	if len(shifts) == 1 {
		return e.links
	}
	var list []core.Link
	for _, l := range e.links {
		from, port := t.LinkFrom(l)
		if !slices.ContainsFunc(shifts, func(x int) bool { return t.Link(t.Sum(from, x), port.Dim, port.Dir) < l }) {
			list = append(list, l)
		}
	}
	return list
}

// find returns the largest load over some links and which of these has it, or some load of at least a limit above 0.
func (e *Evaluator) find(nodes []int, links []core.Link, limit int64) (load int64, at int) {
	n := len(nodes)
	for len(e.weights) < len(links) {
		e.weights, e.most = append(e.weights, nil), append(e.most, 0)
	}
	e.order = e.order[:0]
	sends, receives := e.assign.sends[:n], e.assign.receives[:n]
	for i, l := range links {
		e.weights[i] = e.fill(e.weights[i], nodes, l)
		e.most[i] = e.boundOf(n, e.weights[i], sends, receives)
		e.order = append(e.order, i)
	}
	slices.SortStableFunc(e.order, func(a, b int) int { return int(min(1, max(-1, e.most[b]-e.most[a]))) })
	load, at = -1, 0
	for _, i := range e.order {
		if e.most[i] <= load {
			break
		}
		if value := e.assign.solve(n, e.weights[i]); value > load {
			if load, at = value, i; limit > 0 && load >= limit {
				break
			}
		}
	}
	return max(load, 0), at
}

// fill returns what a link carries of messages between processors, those of a processor to itself being 0.
func (e *Evaluator) fill(weights []int64, nodes []int, l core.Link) []int64 {
	n, links, all := len(nodes), e.torus.M(), e.torus.N()
	weights = slices.Grow(weights[:0], n*n)[:n*n]
	for i, p := range nodes {
		row := weights[i*n:][:n]
		if !e.even {
			for j, q := range nodes {
				row[j] = e.table[(e.place[p]*e.ends+e.place[q])*links+int(l)]
			}
			continue
		}
		away := e.minus.Row(p)
		from := int(l) % all
		at := int(l) - from + int(away[from])
		for j, q := range nodes {
			row[j] = e.table[int(away[q])*links+at]
		}
	}
	return weights
}

// boundOf returns a bound on all assignments with its potentials, of rows or of columns alone.
func (e *Evaluator) boundOf(n int, weights, sends, receives []int64) int64 {
	clear(sends)
	clear(receives)
	bySender, byReceiver := int64(0), int64(0)
	for i := range n {
		for j, w := range weights[i*n:][:n] {
			sends[i], receives[j] = max(sends[i], w), max(receives[j], w)
		}
		bySender += sends[i]
	}
	for _, w := range receives {
		byReceiver += w
	}
	if bySender <= byReceiver {
		clear(receives)
		return bySender
	}
	clear(sends)
	return byReceiver
}
