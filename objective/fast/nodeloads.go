package fast

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// NodeLoads knows, for every node v of a network, the load of every link that a processor on v causes under client
// traffic: requests of all other nodes to v and replies from v. The loads of a placement are the sum of those of its
// nodes. They are whole numbers of units of 1/Den.
//
// It is read only after NewNodeLoads and safe for concurrent use.
type NodeLoads struct {
	problem objective.Problem
	torus   *core.Torus
	den     int64
	stored  []int64 // vectors of links: of every node, or of the bases
	index   []int32 // by node: which of the stored vectors is its own, or that of its base; nil: none is stored
	moved   bool    // vectors are stored of bases only: the others are translates
}

// maxStored is the most numbers that NodeLoads stores for vectors (64 MB).
const maxStored = 1 << 23

// NewNodeLoads returns the loads by node of a problem with client traffic. On small networks it computes all of them
// here, on large ones those of nodes that are not translates of each other, or none: then Row does, each time. Cost:
// O(d N) numbers for a node under odr and udr, otherwise a flow for each of its clients, each way. The error is an
// *OverflowError where loads of one processor pass an int64, else that of the watch.
func NewNodeLoads(p objective.Problem, w *core.Watch) (*NodeLoads, error) {
	den := p.Denominator()
	if !fitClients(p, den, 1) {
		return nil, &OverflowError{Routing: p.Routing.String(), Size: 1, Den: den}
	}
	t := p.Torus()
	n := &NodeLoads{problem: p, torus: t, den: den.Int64()}
	bases := t.Bases()
	all := t.N()*t.M() <= maxStored
	n.moved = !routing.ByPair(p.Routing) && len(bases) < t.N()
	if !all && (!n.moved || len(bases)*t.M() > maxStored) {
		n.moved = false
		return n, nil
	}
	if !n.moved {
		bases = core.Range(t.N())
	}
	n.index = make([]int32, t.N())
	n.stored = make([]int64, len(bases)*t.M())
	for i, b := range bases {
		n.index[b] = int32(i)
		if err := n.compute(b, n.stored[i*t.M():][:t.M()], w); err != nil {
			return nil, err
		}
	}
	if !n.moved {
		return n, nil
	}
	for v := range t.N() {
		n.index[v] = n.index[n.base(v)]
	}
	if all {
		rows := make([]int64, t.N()*t.M())
		for v := range t.N() {
			n.Row(v, rows[v*t.M():][:t.M()])
			if err := w.Err(t.M()); err != nil {
				return nil, err
			}
		}
		n.stored, n.moved = rows, false
		for v := range n.index {
			n.index[v] = int32(v)
		}
	}
	return n, nil
}

// fitClients reports whether the loads of n processors under client traffic, in units of 1/den, stay inside an int64,
// and those of all orders of maxOrders dimensions together.
func fitClients(p objective.Problem, den *big.Int, n int) bool {
	if den == nil {
		return false
	}
	messages := big.NewInt(int64(p.Traffic.Request + p.Traffic.Reply))
	messages.Mul(messages, big.NewInt(int64(p.Torus().N())))
	messages.Mul(messages, big.NewInt(int64(n)))
	return messages.Mul(messages, den).BitLen() <= 54
}

// Den returns the denominator: loads are in units of 1/Den.
func (n *NodeLoads) Den() int64 { return n.den }

// Stored reports whether Row has all vectors at hand.
func (n *NodeLoads) Stored() bool { return n.index != nil && !n.moved }

// Row returns the load of every link that a processor on node v causes. The result is to be read only: it is a stored
// vector, or scratch, which must have a number for every link, written over.
func (n *NodeLoads) Row(v int, scratch []int64) []int64 {
	m := n.torus.M()
	switch {
	case n.index == nil:
		clear(scratch)
		n.compute(v, scratch, nil) // no watch, no error
		return scratch
	case !n.moved:
		return n.stored[int(n.index[v])*m:][:m]
	}
	row := n.stored[int(n.index[v])*m:][:m]
	by := n.torus.ClosedPart(v)
	for u := range n.torus.N() {
		to := n.torus.Sum(u, by)
		for at := 0; at < m; at += n.torus.N() {
			scratch[at+to] = row[at+u]
		}
	}
	return scratch
}

// base returns the node whose translate v is, which is 0 in all closed dimensions.
func (n *NodeLoads) base(v int) int { return n.torus.Displacement(n.torus.ClosedPart(v), v) }

// compute adds the loads of a processor on node v to a vector. The error is that of the watch.
func (n *NodeLoads) compute(v int, row []int64, w *core.Watch) error {
	p := n.problem
	if err := n.send(p.Routing, v, int64(p.Traffic.Request), false, row, w); err != nil {
		return err
	}
	return n.send(p.ReplyRouting(), v, int64(p.Traffic.Reply), true, row, w)
}

// maxOrders is the most dimensions for which udr is taken as the mean of all orders.
const maxOrders = 5

// send adds a given number of messages from all other nodes to v, or from v to them, to a vector.
func (n *NodeLoads) send(r routing.Routing, v int, messages int64, away bool, row []int64, w *core.Watch) error {
	if messages == 0 {
		return nil
	}
	orders, ok := r.(*routing.Orders)
	if ok && n.torus.Separable() && (len(orders.List()) == 1 || orders.All() && n.torus.D() <= maxOrders) {
		list := orders.List()
		if orders.All() {
			list = routing.EveryOrder(n.torus.D())
		}
		// The orders of all dimensions induce each order of some of them equally often, so that the paths of udr are
		// those of a random order of all.
		sum := make([]int64, len(row))
		for _, order := range list {
			if away { // the way back of the reverse order
				order = reversed(order)
			}
			n.lines(order, r.Tie() == routing.TieBoth, v, messages, away, sum)
		}
		for l, load := range sum {
			row[l] += load / int64(len(list))
		}
		return w.Err(len(list) * n.torus.N() * n.torus.D())
	}
	for u := range n.torus.N() {
		if u == v {
			continue
		}
		from, to := u, v
		if away {
			from, to = v, u
		}
		flow, err := routing.FlowWatched(r, from, to, nil, w)
		if err != nil {
			return err
		}
		for _, l := range gather(n.torus, n.den, flow) {
			row[l.Link(n.torus)] += l.Load * messages
		}
	}
	return w.Err(n.torus.N())
}

// reversed returns an order of dimensions from its last to its first.
func reversed(order []int) []int {
	list := make([]int, len(order))
	for i, j := range order {
		list[len(order)-1-i] = j
	}
	return list
}

// lines adds what all nodes send v when they correct the dimensions in order, or, away, what v sends them by the same
// ways backwards. While dimension j is being corrected, those before it in the order have the
// coordinates of v, whatever they were, and those after it any: so each line along j through such nodes carries the
// same, as often as there are coordinates before.
func (n *NodeLoads) lines(order []int, both bool, v int, messages int64, away bool, row []int64) {
	t := n.torus
	starts := core.Range(t.N()) // the nodes with the coordinates of v in the dimensions before
	for _, j := range order {
		k, at := t.Side(j), t.Coord(v, j)
		weight := messages * int64(t.N()/len(starts)) * (n.den / int64(t.CommonBandwidth()) * int64(t.Scale(j)))
		var profile [2][]int64 // by direction and coordinate: the load of the link that leaves it
		profile[0], profile[1] = make([]int64, k), make([]int64, k)
		for x := range k {
			if x == at {
				continue
			}
			from, to := x, at
			if away {
				from, to = at, x
			}
			ways := t.Ways(j, from, to, both)
			for _, dir := range ways {
				i := 0
				if dir == core.Minus {
					i = 1
				}
				for c, steps := from, t.Distance(j, from, to); steps > 0; steps-- {
					profile[i][c] += weight / int64(len(ways))
					c = core.Mod(c+int(dir), k)
				}
			}
		}
		for i, dir := range []core.Dir{core.Plus, core.Minus} {
			for _, u := range starts {
				if load := profile[i][t.Coord(u, j)]; load > 0 {
					row[t.Link(u, j, dir)] += load
				}
			}
		}
		rest := starts[:0]
		for _, u := range starts {
			if t.Coord(u, j) == at {
				rest = append(rest, u)
			}
		}
		starts = rest
	}
}

// rowSums returns the kernel of client traffic, which computes the loads of nodes when it is first used.
func rowSums(p objective.Problem) kernel {
	var loads *NodeLoads
	sum, scratch := make([]int64, p.Torus().M()), make([]int64, p.Torus().M())
	return func(nodes []int, w *core.Watch) ([]int64, error) {
		if loads == nil {
			var err error
			if loads, err = NewNodeLoads(p, w); err != nil {
				return nil, err
			}
		}
		clear(sum)
		for _, v := range nodes {
			for l, load := range loads.Row(v, scratch) {
				sum[l] += load
			}
			if err := w.Err(len(sum)); err != nil {
				return nil, err
			}
		}
		return sum, nil
	}
}
