package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
	"leeway/objective/exchange"
)

// Complete exchange with all ports: what bounds it, and which schedule fits the network.

// AllPort returns a schedule of what a traffic has nodes send under a placement, on a network with all ports. Complete
// exchange of all nodes of a torus without open dimensions is the same at every node (orders.go), unless blocks of the
// sources of a subgroup can be packed into fewer steps; otherwise blocks are packed. A block is a message, or the unit
// of a matrix. If a routing is given, every block takes one of its paths. Errors are *core.InputError, more hops than
// are scheduled, and that of the context where it ends.
func AllPort(ctx context.Context, n *Network, t objective.Traffic, s core.Placement, r routing.Routing) (*Plan, error) {
	demand, err := n.demandOf(t, s)
	if err != nil {
		return nil, err
	}
	bounds, err := linkBounds(ctx, n, t, s, demand)
	if err != nil {
		return nil, err
	}
	if demand.IsComplete() && len(demand.Nodes) == n.N() && n.Closed() && r == nil {
		return n.exchangeAll(ctx, demand, bounds)
	}
	shifts := symmetricShifts(n, demand)
	if r != nil && !routing.Invariant(r) {
		shifts = shifts[:1]
	}
	p := newPacking(n, demand, shifts)
	if r != nil {
		if err := p.setPaths(r, s.Set()); err != nil {
			return nil, err
		}
		bounds = exchange.BestFirst(append(bounds, p.pathBound()))
	}
	steps, bounds, err := p.pack(bounds, demand)
	if err != nil {
		return nil, err
	}
	plan := newPlan("packed", n, demand, listed(n.N(), steps), bounds)
	if !t.ToAll() {
		t.Replies = nil // which does not matter
		plan.Schedule.Traffic, plan.Schedule.Placement = t.String(), slices.Clone(s.List())
		if t.Matrix != nil {
			text := json.RawMessage(t.Matrix.Text())
			plan.Schedule.Traffic, plan.Schedule.Matrix = objective.MatrixTraffic, &text
		}
	}
	return plan, ctx.Err()
}

// demandOf returns what nodes have for each other under a placement. More blocks than are scheduled are a
// *core.InputError.
func (n *Network) demandOf(t objective.Traffic, s core.Placement) (exchange.Demand, error) {
	if t.ToAll() {
		return exchange.CompleteDemand(s.Nodes()), nil
	}
	messages, nodes := t.Amounts(s)
	list, hops := [][]int{}, int64(0)
	for _, from := range nodes {
		for _, to := range nodes {
			blocks := messages(from, to)
			if from == to || blocks == 0 {
				continue
			}
			if blocks > maxHops || hops+blocks*int64(n.LeeDistance(from, to)) > maxHops {
				return exchange.Demand{}, core.Invalid(n.String(), "the blocks have more than the %d hops that are scheduled",
					maxHops).Hinted("give fewer processors, smaller amounts, or amounts with a smaller common denominator")
			}
			hops += blocks * int64(n.LeeDistance(from, to))
			list = append(list, []int{from, to, int(blocks)})
		}
	}
	return exchange.NewDemand(n.N(), list)
}

// setPaths lets every block take the paths of a routing only. It fails with a *core.InputError if these have more than
// 2^23 hops.
func (p *packing) setPaths(r routing.Routing, set core.Set) error {
	p.paths = make([][]route, len(p.blocks))
	hops := 0
	for i, b := range p.blocks {
		if i > 0 && b == p.blocks[i-1] {
			p.paths[i] = p.paths[i-1]
			continue
		}
		for links := range r.Paths(int(b.From), int(b.To), set) {
			if hops += len(links); hops > maxHops {
				return &core.InputError{Text: r.String(), Problem: fmt.Sprintf("the paths have more than %d hops",
					maxHops), Hint: "without a routing blocks take any paths"}
			}
			by := make(route, len(links))
			for k, l := range links {
				from, _ := p.net.LinkFrom(l)
				by[k] = int32(slices.IndexFunc(p.out[from], func(s step) bool { return s.link == int(l) }))
			}
			p.paths[i] = append(p.paths[i], by)
		}
	}
	return nil
}

// PathBound is the name of the bound by what all paths of a routing use.
const PathBound = "paths"

// pathBound returns the bound by the blocks that use a link on all their paths, not before they have made some hops and
// with others left: for all numbers of hops r before and q after, T - r - q steps have room for those with as many or
// more.
func (p *packing) pathBound() exchange.Bound {
	type use struct{ paths, times, before, after int }
	forced := make([]map[use]int, len(p.room)) // by place: how many blocks use it so on all their paths
	for i, paths := range p.paths {
		uses := map[int]use{} // by place, of the block: the least of each number
		for _, by := range paths {
			path, hops := map[int]use{}, 0
			p.follow(i, by, func(_, _ int, places []int) {
				u, used := path[places[0]]
				if !used {
					u.before = hops
				}
				hops++
				path[places[0]] = use{1, u.times + 1, u.before, len(by) - hops}
			})
			for place, u := range path {
				if all, used := uses[place]; used {
					u = use{all.paths + 1, min(u.times, all.times), min(u.before, all.before), min(u.after, all.after)}
				}
				uses[place] = u
			}
		}
		for place, u := range uses {
			if u.paths == len(paths) {
				if forced[place] == nil {
					forced[place] = map[use]int{}
				}
				u.paths = 0
				forced[place][u]++
			}
		}
	}
	best := new(big.Rat)
	for place, uses := range forced {
		for r := range uses {
			for q := range uses {
				blocks := 0
				for u, n := range uses {
					if u.before >= r.before && u.after >= q.after {
						blocks += u.times * n
					}
				}
				v := big.NewRat(int64(blocks+(r.before+q.after)*p.room[place]), int64(p.room[place]))
				if blocks > 0 && v.Cmp(best) > 0 {
					best = v
				}
			}
		}
	}
	return exchange.NewBound(PathBound, best)
}

// exchangeAll returns an exchange of all nodes of a torus without open dimensions.
func (n *Network) exchangeAll(ctx context.Context, d exchange.Demand, bounds []exchange.Bound) (*Plan, error) {
	moves := n.N() * statusOf(n.Network, 0)
	if moves > maxMoves {
		return nil, &core.InputError{Text: n.String(),
			Problem: fmt.Sprintf("the exchange has %d hops, more than the %d that are scheduled", moves, maxMoves)}
	}
	name := "coloured"
	best := newInvariant(n.Network, n.out[0], shortestVectors(n.Network), n.invariantSteps(bounds)).sequence()
	if best.steps > bounds[0].Steps {
		bounds = withWeights(bounds, n, d)
	}
	invariant := 0
	if best.steps > bounds[0].Steps && n.N() <= maxDetoured {
		best, invariant = n.detoured(best, bounds)
	}
	if moves <= maxPacked {
		if fewer := n.searchSubgroups(ctx, bounds, best.steps); fewer != nil {
			name, best = "packed", listed(n.N(), fewer)
		}
	}
	p := newPlan(name, n, d, best, bounds)
	p.Invariant = invariant
	return p, ctx.Err()
}

// detoured returns a schedule that is the same at every node, of fewer steps than the best so far if there is one with
// paths that are not shortest, and what no such schedule goes below.
func (n *Network) detoured(best sequence, bounds []exchange.Bound) (sequence, int) {
	price := n.prices(bounds)
	least := n.invariantSteps(bounds)
	for steps := least; steps < best.steps && n.boxes(best.steps) <= maxVectors; steps++ {
		if b := n.choose(price, steps); b != nil {
			return colour(n.Network, n.out[0], b).sequence(), least
		}
	}
	return best, least
}

// invariantSteps returns what no schedule that is the same at every node goes below, given bounds.
func (n *Network) invariantSteps(bounds []exchange.Bound) int {
	return max(bounds[0].Steps, exchange.NewBound("", n.invariantBound(n.prices(bounds))).Steps)
}

// boxes returns how many vectors there are with so many hops along each dimension at most.
func (n *Network) boxes(hops int) int {
	boxes := 1
	for range n.D() {
		boxes *= 2*min(hops, n.N()) + 1
	}
	return boxes
}

// Limits of how an exchange of all nodes is improved that does not reach its bound.
const (
	maxDetoured = 256     // nodes, for paths that are not shortest
	maxVectors  = 1 << 22 // in a box, for choices that are looked at one by one
	maxPacked   = 1 << 18 // hops, for schedules that are the same at the nodes of a subgroup
	maxWays     = 12      // of a block for each of its vectors, for the same
)

// searchSubgroups returns a schedule of fewer steps than the best so far that is the same at the nodes of a subgroup
// only; nil if it finds none. First blocks are packed, which takes next to no time. Then, since the link that a hop
// takes depends on the sequence of a block, blocks choose among ways along their vectors that take different sets of
// links; once these are balanced, negotiation finds when each hop is made. Vectors are the cheapest by the prices of
// the bound, then all that there is room for; those of shortest paths where these are too many to look at.
func (n *Network) searchSubgroups(ctx context.Context, bounds []exchange.Bound, best int) (fewest [][]hop) {
	subgroups, price := n.subgroups(), n.prices(bounds)
	for i := 0; i < len(subgroups) && best > bounds[0].Steps; i++ {
		p := newPacking(n, n.complete(nil), subgroups[i])
		if steps := p.greedy(bounds[0].Steps); len(steps) < best {
			best, fewest = len(steps), p.expand(steps)
		}
	}
	for steps := bounds[0].Steps; steps < best; steps++ {
		lists := [][][]portVector{shortestVectors(n.Network)}
		if n.boxes(steps) <= maxVectors {
			lists[0] = vectors(n.Network, price, 0, steps)
			if all, beyond := n.affordable(price, steps); beyond > 0 {
				lists = append(lists, all)
			}
		}
		for _, shifts := range subgroups {
			for _, choices := range lists {
				if ctx.Err() != nil {
					return fewest
				}
				if list := n.searchSubgroup(shifts, choices, steps); list != nil {
					return list
				}
			}
		}
	}
	return fewest
}

// searchSubgroup returns a schedule of so many steps that is the same at the nodes of a subgroup, given by its
// translations, with the vectors given for each displacement; nil if it finds none.
func (n *Network) searchSubgroup(shifts []int, choices [][]portVector, steps int) (list [][]hop) {
	p := newPacking(n, n.complete(nil), shifts)
	places, routes := make([][]portVector, len(p.blocks)), make([][]route, len(p.blocks))
	for i, b := range p.blocks {
		for _, v := range choices[n.Displacement(int(b.From), int(b.To))] {
			for _, w := range p.waysAlong(int(b.From), v) {
				places[i], routes[i] = append(places[i], w.places), append(routes[i], w.by)
			}
		}
	}
	chosen := make([][]route, len(p.blocks))
	balanced(places, p.room, steps, 20, 1<<8, func(b *balance, rng *rand.Rand) bool {
		for i, c := range b.chosen {
			chosen[i] = routes[i][c : c+1]
		}
		for _, p.paths = range [][][]route{chosen, routes} { // all ways where blocks have no time to wait
			work := negotiateWork / 8
			if hops := p.negotiate(steps, 0, &work, rng); hops != nil {
				list = p.expand(hops)
				return true
			}
		}
		return false
	})
	return list
}

// A way is a route with the places that it needs, in ascending order.
type way struct {
	by     route
	places portVector
	at     int // where it ends
}

// waysAlong returns ways from a node along a vector in any sequence, one for each set of places, not all where these
// are many.
func (p *packing) waysAlong(from int, v portVector) []way {
	list := []way{{at: from}}
	for range v {
		var next []way
		seen := map[string]bool{}
		for _, w := range list {
			left := slices.Clone(v)
			for _, port := range w.by {
				i := slices.Index(left, int16(port))
				left = slices.Delete(left, i, i+1)
			}
			for _, port := range slices.Compact(left) {
				places := append(slices.Clone(w.places), int16(p.places[w.at][port][0]))
				slices.Sort(places)
				if key := fmt.Sprint(places); !seen[key] && len(next) < maxWays {
					seen[key] = true
					next = append(next, way{append(slices.Clone(w.by), int32(port)), places, p.out[w.at][port].to})
				}
			}
		}
		list = next
	}
	return list
}

// maxIndex is the largest index of a subgroup for which blocks are packed, but for the trivial one.
const maxIndex = 8

// subgroups returns the translations of the subgroups of small index whose factor group is cyclic, then the trivial
// one: a schedule that is the same at the nodes of a subgroup can give others other paths.
func (n *Network) subgroups() (list [][]int) {
	t := n.Network
	for index := 2; index <= maxIndex; index++ {
		character := make([]int, t.D()) // by dimension: what a step along it adds, modulo the index
		for {
			i := 0
			for ; i < len(character); i++ {
				if character[i]++; character[i] < index {
					break
				}
				character[i] = 0
			}
			if i == len(character) {
				break
			}
			if kernel := n.kernel(character, index); len(kernel)*index == t.N() &&
				!slices.ContainsFunc(list, func(k []int) bool { return slices.Equal(k, kernel) }) {
				list = append(list, kernel)
			}
		}
	}
	return append(list, []int{0})
}

// kernel returns the nodes that a character of the group of translations takes to 0, nil if it is none.
func (n *Network) kernel(character []int, index int) (kernel []int) {
	value := func(v int) int {
		sum := 0
		for j, c := range character {
			sum += c * n.Network.Coord(v, j)
		}
		return sum % index
	}
	for v := range n.N() {
		for _, s := range n.out[v] {
			if core.Mod(value(s.to)-value(v)-int(s.dir)*character[s.axis], index) != 0 {
				return nil
			}
		}
		if value(v) == 0 {
			kernel = append(kernel, v)
		}
	}
	return kernel
}

// linkBounds returns lower bounds on the steps with all ports, the best first: those of exchange.Bounds, those by equal
// weights of all links and of those of a cut of each open dimension, and that by the weights which are the dual of the
// best routing by shortest paths. The error is that of the context.
func linkBounds(ctx context.Context, n *Network, t objective.Traffic, p core.Placement, d exchange.Demand) (
	[]exchange.Bound, error) {
	w := newWeigher(n, d)
	bounds := append([]exchange.Bound{w.bound()}, exchange.Bounds(n.Model(), n.Network, d)...)
	for j := 0; n.HasDimensions() && j < n.D(); j++ {
		if n.Open(j) {
			bounds = append(bounds, w.cutBound(j))
		}
	}
	bounds = exchange.BestFirst(bounds)
	s, err := congestion.SolveTraffic(ctx, p, t,
		congestion.Options{ExactClasses: 64, GuessClasses: 800, Pivots: 4000, Work: 1 << 26})
	var large *core.InputError
	switch {
	case errors.As(err, &large) || err == nil && (s.Weights == nil || slices.Max(s.Weights) == 0):
		return bounds, nil
	case err != nil:
		return nil, err
	}
	down := int64(1) // weights that are too large to add up are rounded, which keeps the bound valid
	for slices.Max(s.Weights)/down > math.MaxInt32 {
		down *= 2
	}
	w = newWeigher(n, d)
	clear(w.weight)
	for v, out := range n.out { // the mean over translations is no worse than the weights
		for via, l := range out {
			w.weight[w.places[v][via][0]] += int(s.Weights[l.link] / down)
		}
	}
	for slices.Max(w.weight) > math.MaxInt32 {
		for i := range w.weight {
			w.weight[i] /= len(w.shifts)
		}
	}
	return exchange.BestFirst(append(bounds, w.bound())), nil
}

// cutBound returns the bound by equal weights of the links that cross an open dimension where most blocks go across.
func (w *weigher) cutBound(dim int) exchange.Bound {
	t := w.net
	crossing := make([]int, t.Side(dim)) // by coordinate, less that of the one before: blocks that go past it
	for _, p := range w.demand.Nodes {
		for q, blocks := range w.demand.Receivers(p) {
			a, b := t.Coord(p, dim), t.Coord(q, dim)
			crossing[min(a, b)] += blocks
			crossing[max(a, b)] -= blocks
		}
	}
	at, blocks, most := 0, 0, -1
	for c := range t.Side(dim) - 1 {
		if blocks += crossing[c]; blocks > most {
			at, most = c, blocks
		}
	}
	clear(w.weight)
	for v, out := range w.out {
		for via, s := range out {
			if c := t.Coord(v, dim); s.axis == dim && min(c, t.Coord(s.to, dim)) == at {
				w.weight[w.places[v][via][0]] = 1
			}
		}
	}
	return w.bound()
}
