// Package assigned checks records about assignments of tasks to nodes, under a matrix of what the tasks send each
// other.
package assigned

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
)

// Faults returns what is wrong with a record about an assignment of a problem, whose traffic is a matrix, and with its
// proof.
func Faults(m *meter.Meter, p objective.Problem, r results.Record) (faults, ofProof []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	wrong := func(format string, args ...any) { ofProof = append(ofProof, fmt.Sprintf(format, args...)) }
	a, problem := assignment(r, p)
	if problem != "" {
		fault("assignment: %s", problem)
		return faults, nil
	}
	if at := core.MustPlacement(p.Torus(), a.Nodes()).Coords(); !slices.EqualFunc(r.Nodes, at, slices.Equal[[]int]) ||
		r.Size != len(at) {
		fault("nodes and size are not those of the assignment: %d nodes have tasks", len(at))
	}
	if r.Optima != nil || r.Certificate != nil || r.LoadLimit != nil || r.BoundProof != nil || r.Baseline != nil ||
		r.Then != "" || r.SolverClaim != nil {
		fault("there is a field that an assignment does not have")
	}
	loads, err := p.NaiveAssigned(func(links int64) error { return m.Spend(1 + 2*links) }, a)
	if err != nil {
		m.End(err)
	}
	most, _ := loads.Max()
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
	case r.Proof != nil && r.Proof.Below != r.LowerBound:
		wrong("it is about values below %q", r.Proof.Below)
	case r.Proof != nil && r.Proof.Kind == results.ProofAssignments:
		if better := assignmentBelow(m, p, lower); better != nil {
			wrong("the assignment %v has a smaller E_max", better)
		}
	case r.Proof != nil && r.Proof.Kind != results.ProofBound:
		wrong("a proof about assignments is a bound, or goes through all of them")
	case travelBound(m, p).Cmp(lower) < 0 && nodeBound(p).Cmp(lower) < 0 && pairBound(m, p).Cmp(lower) < 0:
		fault("lower_bound %s does not follow from what tasks send and how far", r.LowerBound)
	}
	return faults, ofProof
}

// assignment returns the assignment of a record, or says why it is none of the problem.
func assignment(r results.Record, p objective.Problem) (objective.Assignment, string) {
	var a objective.Assignment
	for task, pair := range r.Assignment {
		if pair[0] != task {
			return nil, fmt.Sprintf("entry %d is about task %d: all tasks are listed, ascending", task, pair[0])
		}
		a = append(a, pair[1])
	}
	if problem := p.Refusal(a); problem != "" {
		return nil, problem
	}
	return a, ""
}

// carried returns what part of a message between two nodes each link carries, over its bandwidth, by listed paths.
func carried(m *meter.Meter, r routing.Routing, from, to int) map[core.Link]*big.Rat {
	total, on, parts := int64(0), map[core.Link]int64{}, map[core.Link]*big.Rat{}
	for path, weight := range m.Paths(r, from, to, nil) {
		total += weight
		for _, l := range path {
			on[l] += weight
		}
	}
	for l, weight := range on {
		parts[l] = big.NewRat(weight, total*int64(r.Torus().LinkBandwidth(l)))
	}
	return parts
}

// nodeBound returns a lower bound on E_max: what a task sends, or receives, crosses the links of a node, but for its
// greatest demands, as many as there is room for other tasks.
func nodeBound(p objective.Problem) *big.Rat {
	t, m := p.Torus(), p.Traffic.Matrix
	capacity := 0
	for v := range t.N() {
		capacity = max(capacity, t.CapacityAt(v))
	}
	sums := map[[2]int][]int64{} // by task and whether it receives
	for _, d := range m.Demands {
		sums[[2]int{d.From, 0}] = append(sums[[2]int{d.From, 0}], d.Amount)
		sums[[2]int{d.To, 1}] = append(sums[[2]int{d.To, 1}], d.Amount)
	}
	most := int64(0)
	for _, amounts := range sums {
		slices.Sort(amounts)
		sum := int64(0)
		for _, a := range amounts[:max(0, len(amounts)-p.Traffic.Room()+1)] {
			sum += a
		}
		most = max(most, sum)
	}
	return new(big.Rat).SetFrac(big.NewInt(most), new(big.Int).Mul(big.NewInt(int64(capacity)), big.NewInt(m.Den)))
}

// maxPairNodes is the most nodes of which pairBound lists the paths of every pair.
const maxPairNodes = 256

// pairBound returns a lower bound on E_max: the greatest demand has paths between two nodes, of which some link carries
// the greatest part; that is least for some pair. It is 0 where tasks may be on one node.
func pairBound(m *meter.Meter, p objective.Problem) *big.Rat {
	t, greatest := p.Torus(), int64(0)
	for _, d := range p.Traffic.Matrix.Demands {
		greatest = max(greatest, d.Amount)
	}
	var least *big.Rat
	for from := range t.N() {
		for to := range t.N() {
			if from == to || p.Traffic.Room() > 1 || t.N() > maxPairNodes || from > 0 && routing.Invariant(p.Routing) {
				continue
			}
			most := new(big.Rat)
			for _, part := range carried(m, p.Routing, from, to) {
				if part.Cmp(most) > 0 {
					most = part
				}
			}
			if least == nil || most.Cmp(least) < 0 {
				least = most
			}
		}
	}
	if least == nil {
		return new(big.Rat)
	}
	return least.Mul(least, big.NewRat(greatest, p.Traffic.Matrix.Den))
}

// travelBound returns a lower bound on E_max: the demands of every task, the greatest first, go to places that are not
// nearer than those of any node, the nearest first; what that adds up to is spread over all links.
func travelBound(m *meter.Meter, p objective.Problem) *big.Rat {
	t, matrix := p.Torus(), p.Traffic.Matrix
	m.ChargeAll(4, t.N(), t.M())
	places := make([]int64, matrix.Tasks)
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
	total := func(pairs map[[2]int]int64) int64 { // by task and partner
		of := map[int][]int64{}
		for pair, amount := range pairs {
			of[pair[0]] = append(of[pair[0]], amount)
		}
		sum := int64(0)
		for _, amounts := range of {
			slices.SortFunc(amounts, func(a, b int64) int { return cmp.Compare(b, a) })
			for k, amount := range amounts {
				sum += amount * places[k]
			}
		}
		return sum
	}
	out, in, both := map[[2]int]int64{}, map[[2]int]int64{}, map[[2]int]int64{}
	for _, d := range matrix.Demands {
		out[[2]int{d.From, d.To}], in[[2]int{d.To, d.From}] = d.Amount, d.Amount
		both[[2]int{d.From, d.To}] += d.Amount
		both[[2]int{d.To, d.From}] += d.Amount
	}
	bound := big.NewRat(max(2*total(out), 2*total(in), total(both)), 2*t.Capacity())
	return bound.Mul(bound, big.NewRat(1, matrix.Den))
}

// assignmentBelow goes through all assignments, those of a task after the other, but for branches where a link has a
// value already, and returns one with E_max below the value, nil if there is none. What a pair puts on links is by
// listing its paths. Where translations preserve the paths and no node is special, the first task is on node 0.
func assignmentBelow(m *meter.Meter, p objective.Problem, value *big.Rat) objective.Assignment {
	t, tasks := p.Torus(), p.Traffic.Matrix.Tasks
	m.ChargeAll(16, t.N(), t.N(), t.D())
	unit, sum := p.Denominator(), int64(0)
	for _, d := range p.Traffic.Matrix.Demands {
		sum += d.Amount
	}
	if unit == nil || unit.BitLen()+bits.Len64(uint64(sum)) > 62 {
		m.End(&meter.LimitError{What: "loads of 62 bits"})
	}
	limit := objective.NumeratorUp(value, new(big.Int).Mul(unit, big.NewInt(p.Traffic.Matrix.Den))).Int64()
	type share struct {
		link  core.Link
		units int64
	}
	flows := make([][]share, t.N()*t.N()) // of an amount of one unit of the matrix
	for from := range t.N() {
		for to := range t.N() {
			if from == to {
				continue
			}
			for l, part := range carried(m, p.Routing, from, to) {
				units := part.Mul(part, new(big.Rat).SetInt(unit)).Num().Int64()
				flows[from*t.N()+to] = append(flows[from*t.N()+to], share{l, units})
			}
		}
	}
	with := make([][]objective.Demand, tasks) // demands with tasks before
	for _, d := range p.Traffic.Matrix.Demands {
		with[max(d.From, d.To)] = append(with[max(d.From, d.To)], d)
	}
	pinned := map[int]int{}
	for _, f := range p.Pinned {
		pinned[f.Task] = f.Node
	}
	alike := p.Pinned == nil && p.Forbidden == nil && routing.Invariant(p.Routing)
	at, on, loads := make(objective.Assignment, tasks), make([]int, t.N()), make([]int64, t.M())
	var place func(task int) bool
	place = func(task int) bool {
		if task == tasks {
			return true
		}
		for v := range t.N() {
			node, fixed := pinned[task]
			if fixed && v != node || on[v] == p.Traffic.Room() || !p.MayHave(v) || alike && task == 0 && v > 0 {
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
			if below && place(task+1) {
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
