package steps

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/congestion"
)

// Complete exchange with all ports: what bounds it, and which schedule fits the network.

// AllPort returns a schedule of complete exchange among the participants, in ascending order (nil: all nodes), on a
// network of PortNetwork. Of all nodes of a torus without open dimensions it is the same at every node (orders.go),
// unless blocks of the sources of a subgroup can be packed into fewer steps; otherwise blocks are packed. Errors are
// *core.InputError, more hops than are scheduled, and that of the context where it ends.
func AllPort(ctx context.Context, n *Network, participants []int) (*Plan, error) {
	procs := n.processors(participants)
	bounds, err := linkBounds(ctx, n, procs)
	if err != nil {
		return nil, err
	}
	name, found := "packed", sequence{}
	if len(procs) == n.nodes && n.torus.Closed() {
		name = "coloured"
		found, err = n.exchangeAll(ctx, procs, bounds[0].Steps)
	} else {
		p := newPacking(n, procs, symmetricShifts(n, procs))
		if err = p.fits(); err == nil {
			best := p.greedy(bounds[0].Steps)
			if len(best) > bounds[0].Steps {
				bounds = withWeights(bounds, n, participants)
			}
			found = listed(n.nodes, p.expand(p.improve(best, bounds[0].Steps)))
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return newPlan(name, n, participants, found, bounds), nil
}

// exchangeAll returns an exchange of all nodes of a torus without open dimensions.
func (n *Network) exchangeAll(ctx context.Context, procs []int, bound int) (sequence, error) {
	moves := n.nodes * n.statusOfFirst()
	if moves > maxMoves {
		return sequence{}, &core.InputError{Text: n.String(),
			Problem: fmt.Sprintf("the exchange has %d hops, more than the %d that are scheduled", moves, maxMoves)}
	}
	best := newInvariant(n.torus, n.steps(0), bound).sequence()
	if moves > maxPacked {
		return best, nil
	}
	for _, shifts := range n.subgroups() {
		if best.steps <= bound || ctx.Err() != nil {
			break
		}
		p := newPacking(n, procs, shifts)
		if steps := p.improve(p.greedy(bound), bound); len(steps) < best.steps {
			best = listed(n.nodes, p.expand(steps))
		}
	}
	return best, nil
}

// statusOfFirst returns the sum of the distances from node 0.
func (n *Network) statusOfFirst() int {
	sum := 0
	for v := range n.nodes {
		sum += n.distanceOf(0, v)
	}
	return sum
}

// maxPacked is the largest number of hops of an exchange of all nodes that is packed for subgroups.
const maxPacked = 1 << 16

// subgroups returns the translations of the subgroups of index 2, 3 and 4 whose factor group is cyclic, then the
// trivial one: a schedule that is the same at the nodes of a subgroup can give others other paths.
func (n *Network) subgroups() (list [][]int) {
	t := n.torus
	for index := 2; index <= 4; index++ {
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
			sum += c * n.torus.Coord(v, j)
		}
		return sum % index
	}
	for v := range n.nodes {
		for _, s := range n.steps(v) {
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

// linkBounds returns lower bounds on the steps with all ports, the best first: the greatest distance of two processors,
// that by equal weights of links, and that by the weights which are the dual of the best routing by shortest paths. The
// error is that of the context.
func linkBounds(ctx context.Context, n *Network, procs []int) ([]Bound, error) {
	w := newWeigher(n, procs)
	for i := range w.weight {
		w.weight[i] = 1
	}
	w.combine(n, procs)
	far := 0
	for _, p := range w.sources {
		for _, q := range procs {
			far = max(far, n.distanceOf(p, q))
		}
	}
	bounds := bestFirst([]Bound{w.bound(), newBound("distance", big.NewRat(int64(far), 1))})
	s, err := congestion.Solve(ctx, core.MustPlacement(n.torus, procs),
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
	for v, places := range w.place {
		via := 0
		for port := range n.torus.Ports() {
			if l := core.Link(port*n.nodes + v); n.torus.HasLink(l) {
				w.weight[places[via]] = int(s.Weights[l] / down)
				via++
			}
		}
	}
	w.combine(n, procs)
	bounds = bestFirst(append(bounds, w.bound()))
	return bounds, nil
}

// combine makes one source stand for all that translations take it to, if these keep the processors and the weights.
func (w *weigher) combine(n *Network, procs []int) {
	shifts := symmetricShifts(n, procs)
	for _, s := range shifts {
		for v, places := range w.place {
			for via, place := range places {
				if w.weight[place] != w.weight[w.place[n.shifted(v, s)][via]] {
					return
				}
			}
		}
	}
	seen := make([]bool, n.nodes)
	w.sources, w.alike = nil, len(shifts)
	for _, p := range procs {
		if seen[p] {
			continue
		}
		w.sources = append(w.sources, p)
		for _, s := range shifts {
			seen[n.shifted(p, s)] = true
		}
	}
}
