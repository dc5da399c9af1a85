package fast

import (
	"context"
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/orders"
)

// An Evaluator computes the loads of placements under one routing and traffic, again and
// again, by the cheapest exact way that applies:
//
//	a matrix                a table by displacement or pair, a flow for each demand
//	client traffic          a sum of NodeLoads, O(n M)
//	one order (odr)         one product per ring, O(M), see the package orders
//	all or some orders      by marginals, O(M) in a fixed number of dimensions,
//	                        of which there are up to 9; see the package orders
//	other fixed flows       a table by displacement or pair, O(n^2) entries
//	avoid                   segments of candidate paths, O(n^2) of them
//	numbers beyond a word   displacement by displacement, O(N) flows
//	anything else           by the flows of pairs, O(n^2) flows
//
// Its buffers are reused; it is not safe for concurrent use, make one per
// worker.
type Evaluator struct {
	problem objective.Problem
	den     *big.Int
	kernel  kernel // nil: none
	avoid   *segmented
	margin  int64 // how far intermediate sums exceed loads
	most    int   // the largest size whose sums fit the kernel's words
	nodes   []int
}

// A kernel returns the loads of all links for processors on some nodes, in units of the
// denominator of its routing. The slice is reused. The error is that of the watch; after one
// the kernel is of no use.
type kernel func(nodes []int, w *core.Watch) ([]int64, error)

// NewEvaluator returns an evaluator for routing and traffic of the problem.
func NewEvaluator(p objective.Problem) *Evaluator {
	e := &Evaluator{problem: p, den: p.Denominator(), margin: 1}
	r, t := p.Routing, p.Torus()
	switch {
	case p.Traffic.Matrix != nil:
		if fitAmounts(p, objective.Denominator(r)) {
			e.kernel, e.most = demanded(p), objective.MaxTasks
		}
		return e
	case p.Traffic.Clients():
		if fitClients(p, e.den, t.N()) {
			e.kernel, e.most = rowSums(p), t.N()
		}
		return e
	}
	switch r := r.(type) {
	case *routing.Orders:
		if c := orders.New(r); c != nil {
			e.kernel, e.margin = c.Loads, c.Margin()
		}
	case *routing.Avoid:
		word := int64(0)
		if fits(e.den, t.N(), 1) {
			word = e.den.Int64()
		}
		switch e.avoid = newSegmented(r, e.den, word); {
		case word == 0:
		case e.avoid != nil:
			e.kernel = e.avoid.loads
		default:
			e.kernel = listed(r, word)
		}
	}
	if e.kernel == nil && !r.DependsOnPlacement() && fits(e.den, t.N(), 1) {
		e.kernel = tabled(r, e.den.Int64())
	}
	for step := 1 << 26; e.den != nil && step > 0; step /= 2 {
		if fits(e.den, e.most+step, e.margin) {
			e.most += step
		}
	}
	return e
}

// Loads returns the exact loads of p. They are valid until the next call.
func (e *Evaluator) Loads(p core.Placement) *objective.Loads {
	loads, _ := e.watched(p, nil) // no watch, no error
	return loads
}

// watched is Loads until the watch ends.
func (e *Evaluator) watched(p core.Placement, w *core.Watch) (*objective.Loads, error) {
	if e.kernel == nil || p.Size() > e.most {
		if e.avoid != nil {
			return e.avoid.large(p.Nodes(), w)
		}
		if e.den != nil && e.problem.Traffic.Matrix == nil && invariant(e.problem) {
			return displaced(e.problem, p, e.den, w)
		}
		return e.problem.Pairwise(p, w, nil)
	}
	e.nodes = append(e.nodes[:0], p.List()...)
	loads, err := e.kernel(e.nodes, w)
	if err != nil {
		return nil, err
	}
	return objective.NewLoads(e.problem.Torus(), e.den, loads, nil), nil
}

// invariant reports whether all flows of the problem follow from the displacements of pairs.
func invariant(p objective.Problem) bool {
	of := func(r routing.Routing) bool { return !r.DependsOnPlacement() && routing.Invariant(r) }
	return of(p.Routing) && (p.Traffic.Replies == nil || of(p.Traffic.Replies))
}

// displaced returns the loads of an invariant problem in units of 1/den, its denominator, whatever their size: the flow
// of every displacement is counted once and added to itself for all messages of that displacement. Cost: a flow for
// every node, and a sum for every link that a message takes.
func displaced(p objective.Problem, s core.Placement, den *big.Int, w *core.Watch) (*objective.Loads, error) {
	t, set, nodes := p.Torus(), s.Set(), s.Nodes()
	messages := bits.Len(uint(len(nodes))) + bits.Len(uint(t.N())) + bits.Len(uint(p.Traffic.Request+p.Traffic.Reply))
	sums := newLargeSums(t, den.BitLen()+messages)
	type stream struct {
		routing routing.Routing
		count   int
		from    func(v, d int) int // where the message starts that a processor on v takes part in, or the constant none
	}
	streams := []stream{{p.Routing, 1, func(v, d int) int {
		if !set.Has(sums.sum(v, sums.row(v), d)) {
			return none
		}
		return v
	}}}
	if p.Traffic.Clients() {
		streams = []stream{{p.Routing, p.Traffic.Request, func(v, d int) int { return t.Displacement(d, v) }},
			{p.ReplyRouting(), p.Traffic.Reply, func(v, _ int) int { return v }}}
	}
	unit, load := new(big.Int), new(big.Int)
	for _, m := range streams {
		for d := 1; d < t.N() && m.count > 0; d++ {
			var starts []int
			for _, v := range nodes {
				if from := m.from(v, d); from != none {
					starts = append(starts, from)
				}
			}
			if len(starts) == 0 {
				continue
			}
			f, err := routing.FlowWatched(m.routing, 0, d, nil, w)
			if err != nil {
				return nil, err
			}
			unit.Div(unit.Div(den, big.NewInt(int64(t.CommonBandwidth()))), f.Den).Mul(unit, big.NewInt(int64(m.count)))
			sums.shares, sums.each = sums.shares[:0], sums.each[:0]
			for _, share := range f.Shares {
				load.Mul(share.Num, unit).Mul(load, big.NewInt(int64(t.LinkScale(share.Link))))
				sums.take(share.Link, load)
			}
			for _, from := range starts {
				if err := w.Err(len(f.Shares) * stepsOfSum); err != nil {
					return nil, err
				}
				sums.add(from)
			}
		}
	}
	return objective.NewLoads(t, den, nil, sums.loads()), nil
}

// largeSums adds up what messages of one displacement after the other put on links, in numbers of some words.
type largeSums struct {
	torus  *core.Torus
	width  int
	words  []big.Word   // of the sums, link by link
	shares []largeShare // links that a message from node 0 loads
	each   []big.Word   // words of these loads
	rows   [][]int32    // by node, on tori of up to maxRowNodes: its sums with all nodes, once asked for
}

// A largeShare is a link, with the number port + node, that leaves a node.
type largeShare struct{ port, node int }

// maxRowNodes is the most nodes of which sums are kept, four bytes for every two.
const maxRowNodes = 4096

// newLargeSums returns loads of 0 that have room for a given number of bits.
func newLargeSums(t *core.Torus, room int) *largeSums {
	s := &largeSums{torus: t, width: room/bits.UintSize + 1}
	s.words = make([]big.Word, t.M()*s.width)
	if t.N() <= maxRowNodes {
		s.rows = make([][]int32, t.N())
	}
	return s
}

// take adds a load to those of a message from node 0.
func (s *largeSums) take(link core.Link, load *big.Int) {
	node, _ := s.torus.LinkFrom(link)
	s.shares = append(s.shares, largeShare{port: int(link) - node, node: node})
	s.each = append(s.each, load.Bits()...)
	s.each = append(s.each, make([]big.Word, len(s.shares)*s.width-len(s.each))...)
}

// add adds what the message puts on links if it starts at a node.
func (s *largeSums) add(from int) {
	row := s.row(from)
	for i, share := range s.shares {
		link := share.port + s.sum(from, row, share.node)
		to, load, carry := s.words[link*s.width:][:s.width], s.each[i*s.width:][:s.width], uint(0)
		for k, w := range load {
			var word uint
			word, carry = bits.Add(uint(to[k]), uint(w), carry)
			to[k] = big.Word(word)
		}
	}
}

// row returns the sums of a node with all nodes, nil on large tori.
func (s *largeSums) row(v int) []int32 {
	if s.rows == nil {
		return nil
	}
	if s.rows[v] == nil {
		s.rows[v] = make([]int32, s.torus.N())
		for d := range s.rows[v] {
			s.rows[v][d] = int32(s.torus.Sum(v, d))
		}
	}
	return s.rows[v]
}

// sum returns the sum of two nodes, of which row is that of the first.
func (s *largeSums) sum(v int, row []int32, d int) int {
	if row == nil {
		return s.torus.Sum(v, d)
	}
	return int(row[d])
}

// loads returns the sums, which share memory with s.
func (s *largeSums) loads() []*big.Int {
	list := make([]*big.Int, s.torus.M())
	for l := range list {
		list[l] = new(big.Int).SetBits(s.words[l*s.width:][:s.width:s.width])
	}
	return list
}

// stepsOfSum is how many steps of a watch a sum of large numbers is.
const stepsOfSum = 4

// Evaluate returns the exact loads of a placement under routing and traffic of the problem. To evaluate many
// placements, make an Evaluator. Processors on all nodes take O(N) flows where translations preserve the paths.
func Evaluate(p objective.Problem, s core.Placement) *objective.Loads {
	loads, _ := evaluate(p, s, nil) // no watch, no error
	return loads
}

// EvaluateContext is Evaluate, or the error of the context when that ends first.
func EvaluateContext(ctx context.Context, p objective.Problem, s core.Placement) (*objective.Loads, error) {
	return evaluate(p, s, core.NewWatch(ctx))
}

func evaluate(p objective.Problem, s core.Placement, w *core.Watch) (*objective.Loads, error) {
	_, orders := p.Routing.(*routing.Orders)
	if s.Size() == p.Torus().N() && p.Traffic.ToAll() && invariant(p) && (!orders || p.Torus().Twisted()) {
		if den := p.Denominator(); den != nil {
			return everywhere(p, den, w)
		}
	}
	return NewEvaluator(p).watched(s, w)
}

// everywhere returns the loads of an invariant problem with processors on all nodes, in units of 1/den, its
// denominator: a link carries what one node sends all others over links like it. Cost: a flow for every node.
func everywhere(p objective.Problem, den *big.Int, w *core.Watch) (*objective.Loads, error) {
	t := p.Torus()
	ports, unit, load := make([]*big.Int, t.M()/t.N()), new(big.Int), new(big.Int)
	for i := range ports {
		ports[i] = new(big.Int)
	}
	for d := 1; d < t.N(); d++ {
		f, err := routing.FlowWatched(p.Routing, 0, d, nil, w)
		if err != nil {
			return nil, err
		}
		unit.Div(unit.Div(den, big.NewInt(int64(t.CommonBandwidth()))), f.Den)
		for _, share := range f.Shares {
			load.Mul(share.Num, unit).Mul(load, big.NewInt(int64(t.LinkScale(share.Link))))
			sum := ports[int(share.Link)/t.N()]
			sum.Add(sum, load)
		}
	}
	all := make([]*big.Int, t.M())
	for l := range all {
		all[l] = ports[l/t.N()]
	}
	return objective.NewLoads(t, den, nil, all), nil
}
