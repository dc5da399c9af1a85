// Package assigned checks records about assignments of tasks to nodes, under a matrix of what the tasks send each
// other.
package assigned

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/check/meter"
)

// Faults returns what is wrong with a record about an assignment of a problem, whose traffic is a matrix, and with its
// proof.
func Faults(m *meter.Meter, p objective.Problem, r results.Record) (faults, ofProof []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	wrong := func(format string, args ...any) { ofProof = append(ofProof, fmt.Sprintf(format, args...)) }
	at, err := r.Placement(p.Torus(), r.Nodes)
	if err != nil {
		fault("%v", err)
		return faults, nil
	}
	if problem := p.Refusal(at); problem != "" {
		fault("assignment: %s", problem)
		return faults, nil
	}
	if !slices.EqualFunc(r.Nodes, at.Coords(), slices.Equal[[]int]) || r.Size != at.Size() {
		fault("nodes are not sorted, or the size is not the number of tasks, %d", at.Size())
	}
	if r.Optima != nil || r.Certificate != nil || r.LoadLimit != nil || r.BoundProof != nil || r.Baseline != nil ||
		r.Then != "" || r.SolverClaim != nil {
		fault("there is a field that an assignment does not have")
	}
	most := m.MaxLoad(p, at)
	if claimed, err := results.ParseFraction(r.MaxLoad); err == nil && most.Cmp(claimed) != 0 {
		fault("max_load is %s, recomputed it is %s", r.MaxLoad, most.RatString())
	}
	lower, err := results.ParseFraction(r.LowerBound)
	if err != nil || lower.Sign() < 0 {
		fault("lower_bound %q is not a fraction of at least 0", results.Shorten(r.LowerBound))
		return faults, ofProof
	}
	optimal := r.Status == results.StatusOptimal
	switch {
	case optimal != (lower.Cmp(most) == 0) || optimal != (r.Proof != nil) || lower.Cmp(most) > 0:
		fault("a record is optimal, with a proof, exactly if lower_bound is max_load, and it is never above that")
	case r.Proof != nil:
		if problem := Unproved(m, "", p, lower, r.Proof); problem != "" {
			wrong("%s", problem)
		}
	case !follows(m, p, lower):
		fault("lower_bound %s does not follow from what tasks send and how far", r.LowerBound)
	}
	return faults, ofProof
}

// Unproved says why a proof does not show that no assignment of a problem has E_max below a value, "" if it does: a
// check.Judge.
func Unproved(m *meter.Meter, _ string, p objective.Problem, below *big.Rat, proof *results.Proof) string {
	switch {
	case p.Traffic.Matrix == nil:
		return "a proof about assignments is about the tasks of a matrix"
	case proof.Below != below.RatString():
		return fmt.Sprintf("it is about values below %q", proof.Below)
	case proof.Kind == results.ProofAssignments:
		if better := PlacementBelow(m, p, below); better != nil {
			return fmt.Sprintf("the assignment %v has a smaller E_max", better)
		}
		return ""
	case proof.Kind != results.ProofBound:
		return "a proof about assignments is a bound, or goes through all of them"
	case !follows(m, p, below):
		return fmt.Sprintf("%s does not follow from what tasks send and how far", below.RatString())
	}
	return ""
}

// follows reports whether some bound is at least a value.
func follows(m *meter.Meter, p objective.Problem, value *big.Rat) bool {
	return slices.ContainsFunc(Bounds(m, p), func(b lowerbound.Bound) bool { return b.Value.Cmp(value) >= 0 })
}

// carried returns what part of a message between two nodes each link carries, over its bandwidth.
func carried(m *meter.Meter, r routing.Routing, from, to int) map[core.Link]*big.Rat {
	m.Charge(16 * meter.FlowSteps(r)(meter.Apart(r.Torus(), from, to)))
	flow, parts := r.Flow(from, to, nil), map[core.Link]*big.Rat{}
	for _, s := range flow.Shares {
		bandwidth := big.NewInt(int64(r.Torus().LinkBandwidth(s.Link)))
		parts[s.Link] = new(big.Rat).SetFrac(s.Num, bandwidth.Mul(bandwidth, flow.Den))
	}
	return parts
}

// Bounds returns lower bounds on E_max of every assignment of a problem, the first three whatever the routing:
//
//	degree     what a task sends, or receives, crosses the links of its node, but for its greatest demands, as many as
//	           there is room for other tasks
//	mean       the demands of every task, the greatest first, go to places that are not nearer than those of any node,
//	           the nearest first; what that adds up to is spread over all links
//	separator  the links out of a set of nodes carry what the tasks in it send the others at least; see cutBound
//	pair       demands are between nodes of whose messages some link carries the greatest part, and these are some
//	           distance apart; see pairBound; where a node has one task only
//	link       some link of the node of the task that exchanges most; see linkBound
//	weights    links have weights, and demands go between different nodes; see weightsBound
//
// The last one rounds the best of these up to what loads are multiples of. Cost: the distances of all nodes, and the
// flows of all pairs of up to 256.
func Bounds(m *meter.Meter, p objective.Problem) []lowerbound.Bound {
	t, matrix, room := p.Torus(), p.Traffic.Matrix, p.Traffic.Room()
	type partners map[int]int64
	var rows [3][]partners // what every task sends, receives, and both
	for i := range rows {
		for range matrix.Tasks {
			rows[i] = append(rows[i], partners{})
		}
	}
	greatest := int64(0)
	for _, d := range matrix.Demands {
		rows[0][d.From][d.To], rows[1][d.To][d.From] = d.Amount, d.Amount
		rows[2][d.From][d.To] += d.Amount
		rows[2][d.To][d.From] += d.Amount
		greatest = max(greatest, d.Amount)
	}
	places := placesOf(m, p)
	var sorted [3][][]int64       // the amounts of rows, the greatest first
	var crossing, travel [3]int64 // the most that a task has beyond its node; how far all demands go
	for i, tasks := range rows {
		for _, of := range tasks {
			amounts := slices.Sorted(maps.Values(of))
			slices.Reverse(amounts)
			sorted[i] = append(sorted[i], amounts)
			beyond := int64(0)
			for k, amount := range amounts {
				if travel[i] += amount * places[k]; k >= room-1 {
					beyond += amount
				}
			}
			crossing[i] = max(crossing[i], beyond)
		}
	}
	capacity := 0
	for v := range t.N() {
		capacity = max(capacity, t.CapacityAt(v))
	}
	per := func(name string, value *big.Rat, witness lowerbound.Witness) lowerbound.Bound {
		return lowerbound.Bound{Name: name, Value: value.Mul(value, big.NewRat(1, matrix.Den)), Witness: witness}
	}
	list := []lowerbound.Bound{
		per(lowerbound.Degree, big.NewRat(max(crossing[0], crossing[1]), int64(capacity)),
			lowerbound.Witness{Links: capacity}),
		per(lowerbound.Mean, big.NewRat(max(2*travel[0], 2*travel[1], travel[2]), 2*t.Capacity()),
			lowerbound.Witness{Links: t.Links()})}
	cut, set := cutBound(m, p, [2][][]int64(sorted[:2]))
	list = append(list, per(lowerbound.Separator, cut, set))
	if room == 1 && t.N() <= maxPairNodes && greatest > 0 {
		list = append(list, per(lowerbound.Pair, pairBound(m, p), lowerbound.Witness{}))
	}
	if value := weightsBound(m, p); value != nil {
		list = append(list, per(lowerbound.Weights, value, lowerbound.Witness{}))
	}
	if units := linkBound(m, p); units > 0 {
		link := per(lowerbound.Link, big.NewRat(units, 1), lowerbound.Witness{})
		link.Value.Quo(link.Value, new(big.Rat).SetInt(unitOf(p, maxLoadBits)))
		list = append(list, link)
	}
	if unit := p.Denominator(); unit != nil {
		best := slices.MaxFunc(list, func(a, b lowerbound.Bound) int { return a.Value.Cmp(b.Value) })
		list = append(list, lowerbound.Bound{Name: lowerbound.Granularity,
			Value:   objective.RoundUp(best.Value, unit),
			Witness: lowerbound.Witness{From: best.Name, Denominator: unit.String()}})
	}
	return list
}

// placesOf returns numbers of links that the partners of a task are at least away from it, the nearest first.
func placesOf(m *meter.Meter, p objective.Problem) []int64 {
	t := p.Torus()
	m.ChargeAll(4, t.N(), t.M())
	places := make([]int64, p.Traffic.Matrix.Tasks)
	for v := range t.N() {
		from, _ := t.Nearest([]int{v})
		slices.Sort(from)
		for k := range places { // place 0 is that of the task
			d := int64(from[min((k+1)/p.Traffic.Room(), t.N()-1)])
			if v == 0 || d < places[k] {
				places[k] = d
			}
		}
	}
	return places
}

// maxPairNodes is the most nodes of which the flow of every pair is looked at for a bound.
const maxPairNodes = 256

// pairBound returns a lower bound on E_max where a node has one task, in units of the matrix: E_max is at least what
// every demand puts on some link of its paths. So where it is below a value, only such pairs of nodes have a demand for
// which that is below the value, and the distances of these, over the capacity of all links, are another bound.
func pairBound(m *meter.Meter, p objective.Problem) (least *big.Rat) {
	t, r := p.Torus(), p.Routing
	type pair struct {
		part     *big.Rat // of a message, that some link carries
		distance int      // least of all pairs up to this one
	}
	var pairs []pair
	for from := range t.N() {
		for to := range t.N() {
			if from == to || from > 0 && routing.Invariant(r) {
				continue
			}
			most := new(big.Rat)
			for _, part := range carried(m, r, from, to) {
				if part.Cmp(most) > 0 {
					most = part
				}
			}
			pairs = append(pairs, pair{most, t.LeeDistance(from, to)})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return a.part.Cmp(b.part) })
	for i := range pairs[1:] {
		pairs[i+1].distance = min(pairs[i+1].distance, pairs[i].distance)
	}
	counts := map[int64]int64{} // demands by amount
	for _, d := range p.Traffic.Matrix.Demands {
		counts[d.Amount]++
	}
	greatest := slices.Max(slices.Collect(maps.Keys(counts)))
	for i, x := range pairs {
		value := new(big.Rat).Mul(x.part, big.NewRat(greatest, 1))
		if least != nil && value.Cmp(least) >= 0 {
			break
		}
		if i+1 < len(pairs) && x.part.Cmp(pairs[i+1].part) == 0 {
			continue
		}
		travel := int64(0)
		for amount, count := range counts {
			m.Charge(int64(bits.Len(uint(len(pairs)))))
			last := len(pairs) - 1 // of those that an amount may be between
			if i < last {
				limit := new(big.Rat).Mul(pairs[i+1].part, big.NewRat(greatest, amount))
				last, _ = slices.BinarySearchFunc(pairs, limit, func(x pair, limit *big.Rat) int { return x.part.Cmp(limit) })
				last--
			}
			travel += amount * count * int64(pairs[last].distance)
		}
		if mean := big.NewRat(travel, t.Capacity()); mean.Cmp(value) > 0 {
			value = mean
		}
		if least == nil || value.Cmp(least) < 0 {
			least = value
		}
	}
	return least
}

// PlacementBelow goes through all assignments, task by task, those with most to exchange first, but for branches where
// a link has a value already, and returns one with E_max below the value, nil if there is none. Where translations
// preserve the paths and no node is special, the first task is on node 0. The meter ends it, with a *meter.LimitError
// where loads are beyond 62 bits.
func PlacementBelow(m *meter.Meter, p objective.Problem, value *big.Rat) []int {
	t, tasks := p.Torus(), p.Traffic.Matrix.Tasks
	unit, exchanged := unitOf(p, maxLoadBits), make([]int64, tasks)
	for _, d := range p.Traffic.Matrix.Demands {
		exchanged[d.From] += d.Amount
		exchanged[d.To] += d.Amount
	}
	if unit == nil {
		m.End(&meter.LimitError{What: "loads of 62 bits"})
	}
	limit := objective.NumeratorUp(value, new(big.Int).Mul(unit, big.NewInt(p.Traffic.Matrix.Den))).Int64()
	flows := flowsOf(m, p, unit)                                        // of an amount of one unit of the matrix
	order, with := core.Range(tasks), make([][]objective.Demand, tasks) // by task: demands with tasks before it
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(exchanged[b], exchanged[a]) })
	for _, d := range p.Traffic.Matrix.Demands {
		later := d.From
		if slices.Index(order, d.To) > slices.Index(order, d.From) {
			later = d.To
		}
		with[later] = append(with[later], d)
	}
	pinned := map[int]int{}
	for _, f := range p.Pinned {
		pinned[f.Task] = f.Node
	}
	alike := p.Pinned == nil && p.Forbidden == nil && routing.Invariant(p.Routing)
	at, on, loads := make([]int, tasks), make([]int, t.N()), make([]int64, t.M())
	var place func(i int) bool
	place = func(i int) bool {
		if i == tasks {
			return true
		}
		task := order[i]
		for v := range t.N() {
			node, fixed := pinned[task]
			if fixed && v != node || on[v] == p.Traffic.Room() || !p.MayHave(v) || alike && i == 0 && v > 0 {
				continue
			}
			at[task] = v
			on[v]++
			below := true
			for _, d := range with[task] {
				list := flows[at[d.From]*t.N()+at[d.To]]
				m.Charge(int64(1 + len(list)))
				for _, s := range list {
					loads[s.link] += d.Amount * s.units
					below = below && loads[s.link] < limit
				}
			}
			if below && place(i+1) {
				return true
			}
			for _, d := range with[task] {
				for _, s := range flows[at[d.From]*t.N()+at[d.To]] {
					loads[s.link] -= d.Amount * s.units
				}
			}
			on[v]--
		}
		m.Charge(int64(t.N()))
		m.Must()
		return false
	}
	if limit > 0 && place(0) {
		return at
	}
	return nil
}
