// Package witnesses checks lists of bounds, and what the witnesses of bounds for one placement say. No verdict about a
// record rests on it.
package witnesses

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/check/assigned"
	"leeway/results/check/meter"
)

// Document returns the verdict about a list of bounds; see check.Document. Those of a placement have to hold for it,
// and what their witnesses say is recomputed; of those for every placement of a size the largest is verified, which the
// others are below.
func Document(ctx context.Context, data []byte, o check.Options) check.Verdict {
	m := check.NewMeter(ctx, o)
	return check.Judged(m, func() check.Verdict {
		var d answers.Bounds
		var err error
		m.Foreign(check.ReadingSteps(data), func() { d, err = answers.ReadBounds(data) })
		if err != nil {
			return check.Undecided(err)
		}
		c := &checker{document: d, options: o, meter: m}
		ended := m.Run(c.run)
		v := check.Verdict{Verdict: check.Valid, ProofVerdict: check.Absent, Reasons: c.faults, Slices: c.slices}
		switch {
		case len(c.faults) > 0:
			if v.Verdict = check.Wrong; ended != nil { // what was found before stays wrong
				v.Reasons = append(v.Reasons, "note: "+ended.Error())
			}
		case ended != nil:
			return check.Undecided(ended)
		default:
			v.Reasons = []string{}
		}
		return v
	})
}

// A checker gathers what is wrong with one list of bounds.
type checker struct {
	document  answers.Bounds
	options   check.Options
	meter     *meter.Meter
	problem   objective.Problem
	placement *core.Placement // nil: the bounds are for every placement of the size
	faults    []string
	slices    []check.Accepted // by which steps were followed, where they are asked for
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *checker) run() {
	if problem := c.subject(); problem != "" {
		c.fault("%s", problem)
		return
	}
	seen := map[string]bool{}
	var best *lowerbound.Bound // the first of the largest value
	for _, b := range c.document.Bounds {
		value, err := results.ParseFraction(b.Value)
		switch {
		case err != nil || value.Sign() < 0:
			c.fault("the value of %s is %q, no fraction of at least 0", b.Name, b.Value)
			continue
		case seen[b.Name]:
			c.fault("the bound %s stands twice", b.Name)
			continue
		}
		seen[b.Name] = true
		own := lowerbound.Bound{Name: b.Name, Value: value, Witness: b.Witness}
		if c.placement != nil {
			if problem := c.witnessProblem(own); problem != "" {
				c.fault("%s: %s", b.Name, problem)
			}
		}
		if best == nil || value.Cmp(best.Value) > 0 {
			best = &own
		}
	}
	switch {
	case len(c.document.Bounds) == 0:
		c.fault("no bounds are listed")
	case best == nil: // and every bound is at fault
	case c.document.Best != best.Value.RatString():
		c.fault("best is %s, the largest value is %s", c.document.Best, best.Value.RatString())
	case c.document.Reason != best.Reason():
		c.fault("reason is %q, the first of the largest value is %q", c.document.Reason, best.Reason())
	case len(c.faults) == 0:
		if problem := c.bestProblem(*best); problem != "" {
			c.fault("%s: %s", best.Name, problem)
		}
	}
}

// subject reads torus, routing, traffic, size and placement, or says what is wrong with them.
func (c *checker) subject() string {
	d := c.document
	t, err := d.ReadGrid()
	if err != nil {
		return err.Error()
	}
	r, err := c.meter.ReadRouting(results.Record{Routing: d.Routing, Table: d.Table}, t)
	if err != nil {
		return err.Error()
	}
	problem := ""
	c.problem, problem = check.Setting(objective.Problem{Routing: r, Size: d.Size}, d.Setting)
	if t.M() > meter.MaxLinks {
		return fmt.Sprintf("the torus has %d links, more than the %d that are checked", t.M(), meter.MaxLinks)
	}
	matrix := c.problem.Traffic.Matrix
	if matrix == nil && (d.Size < 0 || d.Size > t.N()) {
		return fmt.Sprintf("the size %d lies outside 0..%d", d.Size, t.N())
	}
	if matrix != nil && d.Size != matrix.Tasks {
		return fmt.Sprintf("the size is %d, the number of tasks %d", d.Size, matrix.Tasks)
	}
	if problem != "" || d.Nodes == nil {
		return problem
	}
	if d.Conditioned() {
		return "conditions are of bounds for every placement of a size, not of one placement"
	}
	p, err := d.Placement(t, *d.Nodes)
	if err != nil {
		return err.Error()
	}
	if matrix != nil {
		if problem := c.problem.Refusal(p); problem != "" {
			return problem
		}
	}
	if p.Size() != d.Size {
		return fmt.Sprintf("size is %d, but there are %d nodes", d.Size, p.Size())
	}
	c.placement = &p
	return ""
}

// bestProblem says why a value is not a lower bound: the placement has less, or steps do not show that none has.
func (c *checker) bestProblem(best lowerbound.Bound) string {
	value := best.Value
	if value.Sign() == 0 {
		return ""
	}
	if c.placement == nil && c.problem.Traffic.Matrix != nil {
		for _, b := range assigned.Bounds(c.meter, c.problem) {
			if b.Value.Cmp(value) >= 0 {
				return ""
			}
		}
		return "it does not follow from what tasks send and how far"
	}
	if c.placement == nil {
		problem, followed := check.Unshown(c.meter, c.options, c.problem, value)
		if c.options.Slices {
			c.slices = followed
		}
		return problem
	}
	most, _, err := check.MaxLoad(c.meter, c.problem, *c.placement)
	switch {
	case check.IsLimit(err):
		c.meter.End(err)
		return ""
	case err != nil:
		return err.Error()
	case most.Cmp(value) < 0:
		return fmt.Sprintf("the placement has E_max %s, less than %s", most.RatString(), value.RatString())
	}
	return ""
}

// witnessProblem says what is wrong with the witness of a bound for a placement, "" for bounds that have none of their
// own: these are held against the placement only.
func (c *checker) witnessProblem(b lowerbound.Bound) string {
	m, p := c.meter, *c.placement
	if name := foreignPart(b, p.Torus().CommonBandwidth() > 1); name != "" {
		return fmt.Sprintf("the field %s does not belong to its witness", name)
	}
	switch {
	case !c.problem.Traffic.ToAll():
		return ""
	case b.Name == lowerbound.Degree, b.Name == lowerbound.Separator, b.Name == lowerbound.Slab,
		b.Name == lowerbound.Bisection:
		return cutProblem(m, p.Torus(), p, b)
	case b.Name == lowerbound.Congestion && b.Value.Sign() > 0 && !routing.Shortest(c.problem.Routing):
		return "it is about shortest paths, and those of " + c.problem.Routing.String() + " may be longer"
	case b.Name == lowerbound.Congestion:
		return weightsProblem(m, p.Torus(), b, p.Nodes(), func(int, int) int64 { return 1 })
	case b.Name == lowerbound.Mean, b.Name == lowerbound.DimensionMean:
		return distanceProblem(m, p, b)
	}
	return ""
}

// Problem says why the witness of a lower bound for a placement does not give its value, "" if it does. It reports
// false for bounds whose witnesses are not looked at.
func Problem(m *meter.Meter, q objective.Problem, p core.Placement, b lowerbound.Bound) (problem string, known bool) {
	switch b.Name {
	case lowerbound.Degree, lowerbound.Separator, lowerbound.Slab, lowerbound.Bisection,
		lowerbound.Congestion, lowerbound.Mean, lowerbound.DimensionMean:
		c := &checker{meter: m, problem: q, placement: &p}
		return c.witnessProblem(b), q.Traffic.ToAll()
	}
	return "", false
}

// foreignPart names a part of a witness that the bound does not have, "" where all parts belong to it: nobody checks
// such a part.
func foreignPart(b lowerbound.Bound, bandwidths bool) string {
	w, cut, mean := b.Witness, false, false
	switch b.Name {
	case lowerbound.Degree, lowerbound.Separator, lowerbound.Slab, lowerbound.Bisection,
		lowerbound.Corner:
		cut = true
	case lowerbound.Mean, lowerbound.DimensionMean:
		mean = true
	}
	across := b.Name == lowerbound.DimensionMean
	rounded := b.Name == lowerbound.Granularity
	margins := b.Name == lowerbound.Margin || b.Name == lowerbound.Lines
	for _, part := range []struct {
		name          string
		there, belong bool
	}{
		{"set", w.Set != nil, cut}, {"dim", w.Dim != nil, across || b.Name == lowerbound.Slab},
		{"slab_counts", w.SlabCounts != nil, false}, {"distance", w.Distance != "", mean},
		{"links", w.Links != 0, cut || mean}, {"capacity", w.Capacity != 0, bandwidths && (cut || mean)},
		{"weights", w.Weights != nil, b.Name == lowerbound.Congestion},
		{"refuted", w.Refuted != "", margins},
		{"from", w.From != "", rounded}, {"denominator", w.Denominator != "", rounded || margins},
	} {
		if part.there && !part.belong {
			return part.name
		}
	}
	return ""
}

// holds reports whether a witness has the capacity of its links, where that is not their number.
func holds(t *core.Torus, w lowerbound.Witness, capacity int64) bool {
	return t.CommonBandwidth() == 1 || w.Capacity == capacity
}

// distanceProblem adds up distances over ordered pairs: in all dimensions for mean, in the dimension of the witness for
// dimension-mean.
func distanceProblem(m *meter.Meter, p core.Placement, b lowerbound.Bound) string {
	t, dim, total := p.Torus(), b.Witness.Dim, int64(0)
	if b.Name == lowerbound.DimensionMean && (dim == nil || *dim < 0 || *dim >= t.D()) {
		return "the witness names no dimension"
	}
	links, capacity := 0, int64(0)
	m.ChargeAll(4, t.M())
	for l := range t.EachLink() {
		if _, port := t.LinkFrom(l); dim == nil || *dim == port.Dim {
			links++
			capacity += int64(t.LinkBandwidth(l))
		}
	}
	m.ChargeAll(4, t.D(), p.Size(), p.Size())
	for _, u := range p.Nodes() {
		for _, v := range p.Nodes() {
			if dim == nil {
				total += int64(t.LeeDistance(u, v))
			} else {
				total += int64(slabsApart(t, *dim, t.Slab(u, *dim), t.Slab(v, *dim)))
			}
		}
	}
	value := new(big.Rat).SetFrac64(total, capacity)
	switch {
	case b.Witness.Links != links:
		return fmt.Sprintf("there are %d links, not %d", links, b.Witness.Links)
	case !holds(t, b.Witness, capacity):
		return fmt.Sprintf("the links have bandwidth %d, not %d", capacity, b.Witness.Capacity)
	case b.Witness.Distance != fmt.Sprint(total):
		return fmt.Sprintf("the distances add up to %d, not %s", total, b.Witness.Distance)
	case value.Cmp(b.Value) != 0:
		return fmt.Sprintf("the value is %s, not %s", value.RatString(), b.Value.RatString())
	}
	return ""
}

// slabsApart returns the least number of links along dimension j on a path from slab x to slab y.
func slabsApart(t *core.Torus, j, x, y int) int {
	if t.Open(j) {
		return max(x-y, y-x)
	}
	return core.CyclicDistance(x, y, t.Slabs(j))
}
