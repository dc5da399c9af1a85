package steps

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/congestion"
	"leeway/objective/exchange"
)

// Complete exchange with all ports: what bounds it, and which schedule fits the network.

// AllPort returns a schedule of complete exchange among the participants, in ascending order (nil: all nodes), on a
// network with all ports. Of all nodes of a torus without open dimensions it is the same at every node (orders.go),
// unless blocks of the sources of a subgroup can be packed into fewer steps; otherwise blocks are packed. If a routing
// is given, every block takes one of its paths. Errors are *core.InputError, more hops than are scheduled, and that of
// the context where it ends.
func AllPort(ctx context.Context, n *Network, participants []int, r routing.Routing) (*Plan, error) {
	procs := n.processors(participants)
	bounds, err := linkBounds(ctx, n, procs)
	if err != nil {
		return nil, err
	}
	if len(procs) == n.N() && n.Closed() && r == nil {
		return n.exchangeAll(ctx, participants, bounds)
	}
	shifts := symmetricShifts(n, procs)
	if r != nil && !routing.Invariant(r) {
		shifts = shifts[:1]
	}
	p := newPacking(n, procs, shifts)
	if r != nil {
		if err := p.setPaths(r, procs); err != nil {
			return nil, err
		}
		bounds = exchange.BestFirst(append(bounds, p.pathBound()))
	}
	steps, bounds, err := p.pack(bounds, procs)
	if err != nil {
		return nil, err
	}
	return newPlan("packed", n, participants, listed(n.N(), steps), bounds), ctx.Err()
}

// setPaths lets every block take the paths of a routing only. It fails with a *core.InputError if these have more than
// 2^23 hops.
func (p *packing) setPaths(r routing.Routing, procs []int) error {
	set := core.NewSet(p.net.N())
	for _, v := range procs {
		set.Add(v)
	}
	p.paths = make([][]route, len(p.blocks))
	hops := 0
	for i, b := range p.blocks {
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

// pathBound returns the bound by the blocks that use a link on all their paths.
func (p *packing) pathBound() exchange.Bound {
	forced := make([]int, len(p.room))
	for i, paths := range p.paths {
		on := map[int]int{} // by place: the paths that use it
		most := map[int]int{}
		for _, by := range paths {
			times := map[int]int{}
			p.follow(i, by, func(_, _ int, places []int) { times[places[0]]++ })
			for place, n := range times {
				if on[place]++; on[place] == 1 || n < most[place] {
					most[place] = n
				}
			}
		}
		for place, n := range on {
			if n == len(paths) {
				forced[place] += most[place]
			}
		}
	}
	best := new(big.Rat)
	for place, blocks := range forced {
		if v := big.NewRat(int64(blocks), int64(p.room[place])); v.Cmp(best) > 0 {
			best = v
		}
	}
	return exchange.NewBound(PathBound, best)
}

// exchangeAll returns an exchange of all nodes of a torus without open dimensions.
func (n *Network) exchangeAll(ctx context.Context, participants []int, bounds []exchange.Bound) (*Plan, error) {
	moves := n.N() * statusOf(n.Network, 0)
	if moves > maxMoves {
		return nil, &core.InputError{Text: n.String(),
			Problem: fmt.Sprintf("the exchange has %d hops, more than the %d that are scheduled", moves, maxMoves)}
	}
	bound := bounds[0].Steps
	name, best := "coloured", newInvariant(n.Network, n.out[0], shortestVectors(n.Network), bound).sequence()
	if best.steps > bound {
		bounds = withWeights(bounds, n, n.processors(participants))
		bound = bounds[0].Steps
	}
	invariant := 0
	if best.steps > bound && n.N() <= maxDetoured {
		best, invariant = n.detoured(best, bounds)
	}
	subgroups := n.subgroups()
	for _, shifts := range subgroups {
		if best.steps <= bound || moves > maxPacked || ctx.Err() != nil {
			break
		}
		p := newPacking(n, n.processors(participants), shifts)
		work := 4 * negotiateWork / len(subgroups)
		steps := p.improve(p.greedy(bound), bound, &work)
		if len(steps) < best.steps {
			name, best = "packed", listed(n.N(), p.expand(steps))
		}
	}
	p := newPlan(name, n, participants, best, bounds)
	p.Invariant = invariant
	return p, ctx.Err()
}

// detoured returns a schedule that is the same at every node, of fewer steps than the best so far if there is one with
// paths that are not shortest, and what no such schedule goes below.
func (n *Network) detoured(best sequence, bounds []exchange.Bound) (sequence, int) {
	price := n.prices(bounds)
	least := max(bounds[0].Steps, exchange.NewBound("", n.invariantBound(price)).Steps)
	boxes := 1
	for range n.D() {
		boxes *= 2*min(best.steps, n.N()) + 1
	}
	for steps := least; steps < best.steps && boxes <= maxVectors; steps++ {
		for _, mirrored := range []bool{true, false} {
			if b := n.choose(price, steps, mirrored); b != nil {
				return colour(n.Network, n.out[0], b).sequence(), least
			}
		}
	}
	if best.steps <= least {
		return best, least
	}
	room, far := 0, 0
	for _, s := range n.out[0] {
		room += s.room
	}
	for v := range n.N() {
		far = max(far, n.LeeDistance(0, v))
	}
	// longer than shortest ones by no more than what the links of node 0 carry beyond the distances
	longer := least*room - statusOf(n.Network, 0)
	list := vectors(n.Network, slices.Repeat([]int{1}, len(price)), longer, min(far+longer, 2*far+2, least))
	if s := newInvariant(n.Network, n.out[0], list, least); s.steps < best.steps {
		best = s.sequence()
	}
	return best, least
}

// Limits of how an exchange of all nodes is improved that does not reach its bound.
const (
	maxDetoured = 256     // nodes, for paths that are not shortest
	maxVectors  = 1 << 22 // in a box, for choices that are looked at one by one
	maxPacked   = 1 << 16 // hops, for schedules that are the same at the nodes of a subgroup
)

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
func linkBounds(ctx context.Context, n *Network, procs []int) ([]exchange.Bound, error) {
	w := newWeigher(n, procs)
	bounds := append([]exchange.Bound{w.bound()}, exchange.Bounds(n.Model(), n.Network, procs)...)
	for j := 0; n.HasDimensions() && j < n.D(); j++ {
		if n.Open(j) {
			bounds = append(bounds, w.cutBound(j))
		}
	}
	bounds = exchange.BestFirst(bounds)
	s, err := congestion.Solve(ctx, core.MustPlacement(n.Network, procs),
		congestion.Options{ExactClasses: 64, GuessClasses: 800, Pivots: 4000, Work: 1 << 26})
	var large *core.InputError
	switch {
	case errors.As(err, &large) || err == nil && s.Weights == nil:
		return bounds, nil
	case err != nil:
		return nil, err
	}
	down := int64(1) // weights that are too large to add up are rounded, which keeps the bound valid
	for slices.Max(s.Weights)/down > math.MaxInt32 {
		down *= 2
	}
	w = newWeigher(n, procs)
	for v, out := range n.out {
		for via, l := range out {
			w.weight[w.places[v][via][0]] = int(s.Weights[l.link] / down)
		}
	}
	return exchange.BestFirst(append(bounds, w.bound())), nil
}

// cutBound returns the bound by equal weights of the links that cross an open dimension where the products of the
// numbers of processors on both sides is greatest.
func (w *weigher) cutBound(dim int) exchange.Bound {
	t := w.net
	below := make([]int, t.Side(dim)+1) // processors before a coordinate
	for _, p := range w.procs {
		below[t.Coord(p, dim)+1]++
	}
	at, most := 0, -1
	for c := range t.Side(dim) - 1 {
		below[c+1] += below[c]
		if product := below[c+1] * (len(w.procs) - below[c+1]); product > most {
			at, most = c, product
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
