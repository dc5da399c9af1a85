package restrict

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/differences"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
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
	kinds       [][2]int // a pair of every kind: where it differs, and ties; where its shortest vectors move
	random      *rand.Rand
	best        orderValue
	evaluations int64
}

// runOrders is Run for dimension orders: all sets are tried if they are few,
// otherwise climbs from random sets change one order at a time.
func runOrders(ctx context.Context, p Params) (Restriction, error) {
	t := p.Placement.Torus()
	if t.D() > maxOrderDims {
		return Restriction{}, core.Invalid(t.String(), "dimension orders are chosen in up to %d dimensions", maxOrderDims)
	}
	if n := tablePaths(p.Placement, p.Traffic); n > maxOrderPaths {
		return Restriction{}, core.Invalid(t.String(),
			"the table of dimension orders may have %d paths, more than the %d that are written",
			n, maxOrderPaths).Hinted("take a smaller torus, or compare orders with leeway eval --routing orders:...")
	}
	g, err := narrowest(ctx, p)
	if err != nil {
		return Restriction{}, err
	}
	p.Goal = goal(p, g.lower)
	o := &orderSearch{Params: p, orders: routing.EveryOrder(t.D()), ties: []routing.Tie{routing.TiePlus},
		random: rand.New(rand.NewPCG(p.Seed, 0))}
	if o.kinds, err = kinds(ctx, p.Placement, p.Traffic); err != nil {
		return Restriction{}, err
	}
	if !p.Single {
		o.ties = append(o.ties, routing.TieBoth)
	}
	if sets := o.all(); sets != nil {
		o.list(ctx, sets)
	} else {
		o.climb(ctx)
	}
	r := Restriction{Orders: o.best.routing, Value: o.best.value, MinPaths: o.fewest(o.best.routing), Lower: g.lower,
		Weights: g.weights, Method: Name + ": orders", Evaluations: o.evaluations, Reason: reason(ctx, o.done(), o.spent())}
	if r.Table, err = tableOf(o.best.routing, p.Placement, p.Traffic); err != nil {
		return Restriction{}, err
	}
	return r, p.confirm(r)
}

// narrowest returns the guide of the paths of p; no bound where they are too many.
func narrowest(ctx context.Context, p Params) (guide, error) {
	s, err := newCandidates(ctx, p.Placement, p.Traffic)
	if err != nil || len(s.pairs) == 0 {
		return guide{lower: new(big.Rat)}, nil // orders need no list of paths
	}
	list, err := coarsenings(ctx, p.Placement, p.Traffic, ByAny, nil)
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

// kinds returns a pair of every kind that sends messages, or the error of the context.
func kinds(ctx context.Context, p core.Placement, traffic objective.Traffic) ([][2]int, error) {
	watch, t := core.NewWatch(ctx), p.Torus()
	seen, known := make([]bool, differences.Count(t)), map[string]bool{}
	var list [][2]int
	for from, to := range sending(p, traffic) {
		if err := watch.Err(1); err != nil {
			return nil, err
		}
		d := differences.Number(t, from, to)
		if seen[d] {
			continue
		}
		seen[d] = true
		var kind []byte
		for _, vector := range t.Vectors(from, to, true) {
			kind = fmt.Append(kind, moving(vector))
		}
		if !known[string(kind)] {
			known[string(kind)] = true
			list = append(list, [2]int{from, to})
		}
	}
	return list, nil
}

// all returns all sets, the full one first, or nil if they are too many.
func (o *orderSearch) all() []orderSet {
	n := len(o.orders)
	var list []orderSet
	switch {
	case o.Single:
		for i := range n {
			s := orderSet{in: make([]bool, n)}
			s.in[i] = true
			list = append(list, s)
		}
	case n < 20 && 1<<n <= maxListed:
		for set := 1<<n - 1; set > 0; set-- {
			for _, tie := range o.ties {
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
func (o *orderSearch) list(ctx context.Context, sets []orderSet) {
	for len(sets) > 0 && !o.done() && !o.spent() && (o.best.value == nil || ctx.Err() == nil) {
		n := min(o.room(), len(sets))
		o.evaluate(sets[:n])
		sets = sets[n:]
	}
}

// climb starts from all orders, then again and again from random sets.
func (o *orderSearch) climb(ctx context.Context) {
	now := orderSet{in: slices.Repeat([]bool{true}, len(o.orders)), tie: routing.TieBoth}
	standing := o.evaluate([]orderSet{now})[0]
	for stale := 0; !o.done() && !o.spent() && ctx.Err() == nil; stale++ {
		if stale > maxStaleBatch {
			now, stale = o.anySet(), 0
			standing = o.evaluate([]orderSet{now})[0]
		}
		near := make([]orderSet, o.room())
		for i := range near {
			near[i] = o.neighbour(now)
		}
		for i, j := range o.evaluate(near) {
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
func (o *orderSearch) anySet() orderSet {
	s := orderSet{in: make([]bool, len(o.orders)), tie: o.ties[o.random.IntN(len(o.ties))]}
	for range 1 + o.random.IntN(len(s.in)) {
		s.in[o.random.IntN(len(s.in))] = true
	}
	return s
}

// neighbour changes the tie rule, adds or takes away an order, or exchanges two.
func (o *orderSearch) neighbour(s orderSet) orderSet {
	n := orderSet{in: slices.Clone(s.in), tie: s.tie}
	if o.random.IntN(16) == 0 {
		n.tie = o.ties[o.random.IntN(len(o.ties))]
	}
	for range 1 + o.random.IntN(2) {
		i := o.random.IntN(len(n.in))
		n.in[i] = !n.in[i]
	}
	if !slices.Contains(n.in, true) {
		n.in[o.random.IntN(len(n.in))] = true
	}
	return n
}

// An orderValue is what a set of orders is worth; value is nil if it leaves a pair too few paths.
type orderValue struct {
	routing *routing.Orders
	value   *big.Rat
	links   int // at value
}

// compare orders values, the better first.
func (j orderValue) compare(other orderValue) int {
	switch {
	case j.value == nil && other.value == nil:
		return 0
	case j.value == nil:
		return 1
	case other.value == nil:
		return -1
	}
	return cmp.Or(j.value.Cmp(other.value), cmp.Compare(j.links, other.links))
}

// evaluate evaluates sets side by side and keeps the best of them, the first among equals.
func (o *orderSearch) evaluate(sets []orderSet) []orderValue {
	list := make([]orderValue, len(sets))
	parallel.Each(context.Background(), o.Workers, len(sets), func(i int) { list[i] = o.weigh(sets[i]) })
	o.evaluations += int64(len(sets))
	for _, j := range list {
		if j.compare(o.best) >= 0 {
			continue
		}
		better := o.best.value == nil || j.value.Cmp(o.best.value) < 0
		o.best = j
		o.observe(j.value, o.evaluations, better, "orders")
	}
	return list
}

func (o *orderSearch) weigh(s orderSet) orderValue {
	var orders [][]int
	for i, in := range s.in {
		if in {
			orders = append(orders, o.orders[i])
		}
	}
	r, err := routing.NewOrders(o.Placement.Torus(), orders, s.tie)
	if err != nil {
		panic(err) // orders of EveryOrder, at least one
	}
	for _, k := range o.kinds {
		least := o.free().Least(CountPaths(r.Torus(), k[0], k[1]))
		if least > 1 && len(pathsOf(r, k[0], k[1])) < least { // there is a path always
			return orderValue{routing: r}
		}
	}
	value, links := fast.Evaluate(o.problem(r), o.Placement).Max()
	return orderValue{routing: r, value: value, links: links}
}

// fewest returns the least number of paths that a pair has, 0 without pairs.
func (o *orderSearch) fewest(r *routing.Orders) int {
	least := 0
	for i, k := range o.kinds {
		if n := len(pathsOf(r, k[0], k[1])); i == 0 || n < least {
			least = n
		}
	}
	return least
}

func (o *orderSearch) done() bool { return o.best.value != nil && o.best.value.Cmp(o.Goal) <= 0 }

func (o *orderSearch) spent() bool {
	return o.best.value != nil && o.Evaluations > 0 && o.evaluations >= o.Evaluations
}

// room returns how many sets the next batch may have, at least 1.
func (o *orderSearch) room() int {
	if o.Evaluations == 0 {
		return batch
	}
	return int(max(1, min(batch, o.Evaluations-o.evaluations)))
}

// pathsOf returns the paths of a pair in the words of a table.
func pathsOf(r *routing.Orders, from, to int) []routing.TablePath {
	var list []routing.TablePath
	for links := range r.Paths(from, to, nil) {
		list = append(list, routing.PathOf(r.Torus(), links))
	}
	return list
}

// maxOrderPaths is the most paths of a table of dimension orders.
const maxOrderPaths = 1 << 18

// tablePaths bounds the paths of the table that tableOf makes of dimension orders.
func tablePaths(p core.Placement, traffic objective.Traffic) int {
	t := p.Torus()
	paths := t.N()
	switch {
	case t.Closed():
	case traffic.Clients():
		paths *= t.N() - 1
	default:
		paths = p.Size() * (p.Size() - 1)
	}
	for j := range t.D() {
		paths *= j + 1
	}
	return paths
}

// tableOf returns the same routing as a table: by displacement, or where dimensions are open by pair of processors,
// under client traffic of nodes.
// Paths in the words of a table are listed once for each Difference.
func tableOf(r *routing.Orders, p core.Placement, traffic objective.Traffic) (*routing.Table, error) {
	t := r.Torus()
	known := map[int][]routing.TablePath{}
	entry := func(from, to int) routing.TableEntry {
		d := differences.Number(t, from, to)
		if known[d] == nil {
			known[d] = pathsOf(r, from, to)
		}
		return routing.TableEntry{From: from, To: to, Paths: known[d]}
	}
	var entries []routing.TableEntry
	switch {
	case t.Closed():
		for v := 1; v < t.N(); v++ {
			entries = append(entries, entry(0, v))
		}
	case traffic.Clients():
		for from := range t.N() {
			for to := range t.N() {
				if from != to {
					entries = append(entries, entry(from, to))
				}
			}
		}
	default:
		for from, to := range p.Pairs() {
			entries = append(entries, entry(from, to))
		}
	}
	return routing.NewTable(t, !t.Closed(), entries)
}
