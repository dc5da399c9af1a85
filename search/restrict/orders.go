package restrict

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/search"
)

const (
	maxOrderDims  = 6       // dimensions up to which orders are chosen: 720 orders
	maxListed     = 1 << 10 // sets up to which all are looked at
	batch         = 16      // sets that are evaluated side by side
	maxStaleBatch = 24      // batches without progress after which a climb starts anew
)

// An orderSet is some of the dimension orders with a tie rule.
type orderSet struct {
	in  []bool
	tie routing.Tie
}

// An orderSearch looks for the best set of dimension orders.
type orderSearch struct {
	Params
	orders      [][]int
	ties        []routing.Tie
	kinds       []int // a displacement for every kind of pair: where it differs, and ties
	random      *rand.Rand
	best        *routing.Orders
	value       *big.Rat
	links       int // at value
	evaluations int64
}

// runOrders is Run for dimension orders: all sets are tried if they are few,
// otherwise climbs from random sets change one order at a time.
func runOrders(ctx context.Context, p Params) (Result, error) {
	t := p.Placement.Torus()
	if t.D() > maxOrderDims {
		return Result{}, &core.InputError{Text: t.String(), Problem: fmt.Sprintf("dimension orders are chosen in up to %d dimensions", maxOrderDims)}
	}
	if n := tablePaths(t); n > maxOrderPaths {
		return Result{}, &core.InputError{Text: t.String(), Problem: fmt.Sprintf("the table of dimension orders may have %d paths, more than the %d that are written", n, maxOrderPaths),
			Hint: "take a smaller torus, or compare orders with leeway eval --routing orders:..."}
	}
	g, err := narrowest(ctx, p.Placement)
	if err != nil {
		return Result{}, err
	}
	p.Goal = goal(p, g.lower)
	h := &orderSearch{Params: p, orders: everyOrder(t.D()), ties: []routing.Tie{routing.TiePlus},
		random: rand.New(rand.NewPCG(p.Seed, 0))}
	if h.kinds, err = kinds(ctx, p.Placement); err != nil {
		return Result{}, err
	}
	if !p.Single {
		h.ties = append(h.ties, routing.TieBoth)
	}
	if sets := h.all(); sets != nil {
		h.list(ctx, sets)
	} else {
		h.climb(ctx)
	}
	r := Result{Orders: h.best, Value: h.value, Method: Name + ": orders", Evaluations: h.evaluations, Reason: search.Complete,
		Lower: g.lower, Weights: g.weights, MinPaths: h.fewest(h.best)}
	switch {
	case h.done():
		r.Reason = search.Reached
	case h.spent():
		r.Reason = search.Spent
	case ctx.Err() != nil:
		r.Reason = search.Stopped
	}
	if r.Table, err = tableOf(h.best); err != nil {
		return Result{}, err
	}
	return r, confirm(p.Placement, r)
}

// narrowest returns the guide of the paths of p; no bound where they are too many.
func narrowest(ctx context.Context, p core.Placement) (guide, error) {
	s, err := newSpace(ctx, p)
	if err != nil || len(s.pairs) == 0 {
		return guide{lower: new(big.Rat)}, nil // orders need no list of paths
	}
	list, err := grains(ctx, p, ByPair, nil)
	if err != nil && ctx.Err() == nil {
		return guide{}, err
	}
	if ctx.Err() != nil {
		return guide{lower: new(big.Rat)}, nil
	}
	g, err := newGuide(ctx, s, list[0], false)
	if !g.narrow {
		g.weights = nil
	}
	return g, err
}

// everyOrder returns all orders of d dimensions, ascending.
func everyOrder(d int) [][]int {
	list := [][]int{{}}
	for range d {
		var longer [][]int
		for _, order := range list {
			for j := range d {
				if !slices.Contains(order, j) {
					longer = append(longer, append(slices.Clone(order), j))
				}
			}
		}
		list = longer
	}
	return list
}

// kinds returns a displacement of every kind that pairs of p have, or the error of the
// context.
func kinds(ctx context.Context, p core.Placement) ([]int, error) {
	watch := core.NewWatch(ctx)
	t, nodes := p.Torus(), p.Nodes()
	seen, known := make([]bool, t.N()), map[string]bool{}
	var list []int
	for _, from := range nodes {
		if err := watch.Err(len(nodes)); err != nil {
			return nil, err
		}
		for _, to := range nodes {
			v := t.Displacement(from, to)
			if v == 0 || seen[v] {
				continue
			}
			seen[v] = true
			ways := make([]byte, t.D())
			for j := range ways {
				if c := t.Coord(v, j); c != 0 {
					ways[j] = byte(len(shortWays(t.Side(j), c)))
				}
			}
			if !known[string(ways)] {
				known[string(ways)] = true
				list = append(list, v)
			}
		}
	}
	return list, nil
}

// all returns all sets, the full one first, or nil if they are too many.
func (h *orderSearch) all() []orderSet {
	n := len(h.orders)
	var list []orderSet
	switch {
	case h.Single:
		for i := range n {
			s := orderSet{in: make([]bool, n)}
			s.in[i] = true
			list = append(list, s)
		}
	case n < 20 && 1<<n <= maxListed:
		for set := 1<<n - 1; set > 0; set-- {
			for _, tie := range h.ties {
				s := orderSet{in: make([]bool, n), tie: tie}
				for i := range n {
					s.in[i] = set>>i&1 == 1
				}
				list = append(list, s)
			}
		}
	}
	return list
}

// list looks at sets in turn.
func (h *orderSearch) list(ctx context.Context, sets []orderSet) {
	for len(sets) > 0 && !h.done() && !h.spent() && (h.best == nil || ctx.Err() == nil) {
		n := min(h.room(), len(sets))
		h.judge(sets[:n])
		sets = sets[n:]
	}
}

// climb starts from all orders, then again and again from random sets.
func (h *orderSearch) climb(ctx context.Context) {
	now := orderSet{in: slices.Repeat([]bool{true}, len(h.orders)), tie: routing.TieBoth}
	standing := h.judge([]orderSet{now})[0]
	for stale := 0; !h.done() && !h.spent() && ctx.Err() == nil; stale++ {
		if stale > maxStaleBatch {
			now, stale = h.anySet(), 0
			standing = h.judge([]orderSet{now})[0]
		}
		near := make([]orderSet, h.room())
		for i := range near {
			near[i] = h.neighbour(now)
		}
		for i, j := range h.judge(near) {
			if c := j.compare(standing); c <= 0 {
				now, standing = near[i], j
				if c < 0 {
					stale = 0
				}
			}
		}
	}
}

// anySet draws a set that is not empty.
func (h *orderSearch) anySet() orderSet {
	s := orderSet{in: make([]bool, len(h.orders)), tie: h.ties[h.random.IntN(len(h.ties))]}
	for range 1 + h.random.IntN(len(s.in)) {
		s.in[h.random.IntN(len(s.in))] = true
	}
	return s
}

// neighbour changes the tie rule, adds or takes away an order, or exchanges two.
func (h *orderSearch) neighbour(s orderSet) orderSet {
	n := orderSet{in: slices.Clone(s.in), tie: s.tie}
	if h.random.IntN(16) == 0 {
		n.tie = h.ties[h.random.IntN(len(h.ties))]
	}
	for range 1 + h.random.IntN(2) {
		i := h.random.IntN(len(n.in))
		n.in[i] = !n.in[i]
	}
	if !slices.Contains(n.in, true) {
		n.in[h.random.IntN(len(n.in))] = true
	}
	return n
}
