package check

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// Bounds returns the verdict about a list of bounds: every witness is looked at
// and every value recomputed from it, with code of this package only.
func Bounds(data []byte) Verdict {
	m := newMeter(context.Background(), int64(len(data)), 0)
	return m.judge(func() Verdict { return bounds(data, &verifier{meter: m}) })
}

func bounds(data []byte, verify *verifier) Verdict {
	var d results.Bounds
	var err error
	verify.meter.foreign(parseSteps(data), func() { d, err = results.ReadBounds(data) })
	if err != nil {
		return unreadable(err)
	}
	c := &boundsChecker{document: d, values: map[string]*big.Rat{}, meter: verify.meter}
	ended := c.meter.run(c.run)
	if ended != nil && len(c.faults) == 0 {
		return unreadable(ended)
	}
	v := Verdict{Verdict: Valid, ProofVerdict: Absent, Reasons: c.faults}
	if len(c.faults) > 0 {
		v.Verdict = Wrong
	} else {
		v.Reasons = []string{} // a list is never null
	}
	if ended != nil { // what was found before stays wrong
		v.note(ended.Error())
	}
	return v
}

// A boundsChecker gathers what is wrong with one list of bounds.
type boundsChecker struct {
	document  results.Bounds
	routing   routing.Routing
	placement *core.Placement // nil if placement-free
	values    map[string]*big.Rat
	meter     *meter
	faults    []string
}

func (c *boundsChecker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *boundsChecker) run() {
	if problem := c.subject(); problem != "" {
		c.fault("%s", problem)
		return
	}
	for _, b := range c.document.Bounds {
		value, err := results.ParseFraction(b.Value)
		if err != nil || value.Sign() < 0 {
			c.fault("the value of %s is %q, no fraction of at least 0", b.Name, b.Value)
			continue
		}
		if _, twice := c.values[b.Name]; twice {
			c.fault("the bound %s stands twice", b.Name)
			continue
		}
		if problem := c.problem(objective.Bound{Name: b.Name, Value: value, Witness: b.Witness}); problem != "" {
			c.fault("%s: %s", b.Name, problem)
		}
		c.values[b.Name] = value // granularity refers to those before it
	}
	best := new(big.Rat)
	for _, v := range c.values {
		if v.Cmp(best) > 0 {
			best = v
		}
	}
	if c.document.Best != best.RatString() {
		c.fault("best is %s, the largest value is %s", c.document.Best, best.RatString())
	}
}

// subject reads torus, routing, size and placement and says what is wrong with
// them.
func (c *boundsChecker) subject() string {
	d := c.document
	t, err := core.NewTorus(d.Torus...)
	if err != nil {
		return err.Error()
	}
	record := results.Record{Routing: d.Routing, Table: d.Table}
	if c.routing, err = record.ReadRouting(t); err != nil {
		return err.Error()
	}
	if t.M() > maxLinks {
		return fmt.Sprintf("the torus has %d links, more than the %d that are checked", t.M(), maxLinks)
	}
	if d.Size < 0 || d.Size > t.N() {
		return fmt.Sprintf("the size %d lies outside 0..%d", d.Size, t.N())
	}
	if d.Nodes == nil {
		return ""
	}
	p, err := core.PlacementFromCoords(t, *d.Nodes)
	if err != nil {
		return err.Error()
	}
	if p.Size() != d.Size {
		return fmt.Sprintf("size is %d, but there are %d nodes", d.Size, p.Size())
	}
	c.placement = &p
	return ""
}

// problem says why a bound is not confirmed, "" if it is.
func (c *boundsChecker) problem(b objective.Bound) string {
	switch b.Name {
	case objective.BoundMargin:
		return marginProblem(c.routing, c.document.Size, b)
	case objective.BoundGranularity:
		return c.granularityProblem(b)
	}
	if c.placement == nil {
		return c.sizeProblem(b)
	}
	t := c.routing.Torus()
	switch b.Name {
	case objective.BoundDegree, objective.BoundSeparator, objective.BoundSlab, objective.BoundBisection:
		return cutProblem(t, *c.placement, b)
	case objective.BoundCongestion:
		return weightsProblem(t, *c.placement, b)
	case objective.BoundMean, objective.BoundDimensionMean:
		return distanceProblem(t, *c.placement, b)
	}
	return "there is no checker for this bound"
}

// sizeProblem compares a placement-free bound with the same one derived here.
func (c *boundsChecker) sizeProblem(b objective.Bound) string {
	own, ok := boundsOf(c.routing, c.document.Size)[b.Name]
	switch {
	case !ok:
		return "there is no checker for this bound without a placement"
	case own.Cmp(b.Value) < 0:
		return fmt.Sprintf("the value is %s, derived here it is %s", b.Value.RatString(), own.RatString())
	}
	return ""
}

// distanceProblem adds up distances over ordered pairs: in all dimensions for
// mean, in the dimension of the witness for dimension-mean.
func distanceProblem(t *core.Torus, p core.Placement, b objective.Bound) string {
	links, dims := t.M(), make([]int, t.D())
	for j := range dims {
		dims[j] = j
	}
	if b.Name == objective.BoundDimensionMean {
		if b.Witness.Dim == nil || *b.Witness.Dim < 0 || *b.Witness.Dim >= t.D() {
			return "the witness names no dimension"
		}
		dims = []int{*b.Witness.Dim}
		links = 2 * t.N()
		if t.Side(dims[0]) == 2 {
			links = t.N()
		}
	}
	sum := new(big.Int)
	for _, j := range dims {
		counts := p.SlabCounts(j)
		for a, m := range counts {
			for c, n := range counts {
				if m > 0 && n > 0 {
					pairs := new(big.Int).Mul(big.NewInt(int64(m)), big.NewInt(int64(n)))
					sum.Add(sum, pairs.Mul(pairs, big.NewInt(int64(core.CyclicDistance(a, c, t.Side(j))))))
				}
			}
		}
	}
	value := new(big.Rat).SetFrac(sum, big.NewInt(int64(links)))
	switch {
	case b.Witness.Links != links:
		return fmt.Sprintf("there are %d links, not %d", links, b.Witness.Links)
	case b.Witness.Distance != sum.String():
		return fmt.Sprintf("the distances add up to %s, not %s", sum, b.Witness.Distance)
	case value.Cmp(b.Value) != 0:
		return fmt.Sprintf("the value is %s, not %s", value.RatString(), b.Value.RatString())
	}
	return ""
}

// granularityProblem checks that the bound it rounds up stands before it, that
// loads are multiples of 1/Denominator, and the rounding.
func (c *boundsChecker) granularityProblem(b objective.Bound) string {
	from, ok := c.values[b.Witness.From]
	if !ok {
		return fmt.Sprintf("the bound %q that it rounds up does not stand before it", b.Witness.From)
	}
	if b.Value.Cmp(from) == 0 {
		return "" // nothing was rounded
	}
	d := denominator(c.routing)
	if d == nil {
		return "the denominator of the loads is not found in reasonable time"
	}
	if d.String() != b.Witness.Denominator {
		return fmt.Sprintf("loads are multiples of 1/%s, not 1/%s", d, b.Witness.Denominator)
	}
	units := ceil(new(big.Rat).Mul(from, new(big.Rat).SetInt(d)))
	if value := new(big.Rat).SetFrac(units, d); value.Cmp(b.Value) != 0 {
		return fmt.Sprintf("%s rounds up to %s, not %s", from.RatString(), value.RatString(), b.Value.RatString())
	}
	return ""
}
