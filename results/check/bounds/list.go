package bounds

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// List returns what is wrong with a list of bounds, remarks, and what ended the check early, if anything did.
func List(m *meter.Meter, d results.Bounds) (faults, notes []string, ended error) {
	c := &boundsChecker{document: d, values: map[string]*big.Rat{}, meter: m}
	ended = m.Run(c.run)
	return c.faults, c.notes, ended
}

// A boundsChecker gathers what is wrong with one list of bounds.
type boundsChecker struct {
	document  results.Bounds
	routing   routing.Routing
	placement *core.Placement // nil if placement-free
	own       *Derivation
	traffic   objective.Traffic
	clients   *clientDerivation   // under client traffic
	derived   map[string]*big.Rat // what it derives
	fixed     core.Set            // of a placement-free list; nil: none
	forbidden core.Set
	values    map[string]*big.Rat
	meter     *meter.Meter
	faults    []string
	notes     []string
}

func (c *boundsChecker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *boundsChecker) run() {
	if problem := c.subject(); problem != "" {
		c.fault("%s", problem)
		return
	}
	var best *objective.Bound // the first of the largest value
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
		own := objective.Bound{Name: b.Name, Value: value, Witness: b.Witness}
		if problem := c.problem(own); problem != "" {
			c.fault("%s: %s", b.Name, problem)
		}
		c.values[b.Name] = value // granularity refers to those before it
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
	}
}

// subject reads torus, routing, size and placement and says what is wrong with them.
func (c *boundsChecker) subject() string {
	d := c.document
	t, err := d.ReadGrid()
	if err != nil {
		return err.Error()
	}
	record := results.Record{Routing: d.Routing, Table: d.Table}
	if c.routing, err = c.meter.ReadRouting(record, t); err != nil {
		return err.Error()
	}
	q, err := d.Demand.Of(objective.Problem{Routing: c.routing})
	if err != nil {
		return "traffic: " + err.Error()
	}
	c.traffic = q.Traffic
	if t.M() > meter.MaxLinks {
		return fmt.Sprintf("the torus has %d links, more than the %d that are checked", t.M(), meter.MaxLinks)
	}
	if d.Size < 0 || d.Size > t.N() {
		return fmt.Sprintf("the size %d lies outside 0..%d", d.Size, t.N())
	}
	if d.Nodes == nil {
		return c.conditions(t)
	}
	if d.Conditions.Any() {
		return "conditions are of bounds for every placement of a size, not of one placement"
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

// conditions reads the fixed and forbidden nodes and says what is wrong with them.
func (c *boundsChecker) conditions(t *core.Torus) string {
	for _, list := range []struct {
		name   string
		coords [][]int
		set    *core.Set
	}{{"fixed", c.document.Fixed, &c.fixed}, {"forbidden", c.document.Forbidden, &c.forbidden}} {
		p, err := core.PlacementFromCoords(t, list.coords)
		if err != nil {
			return fmt.Sprintf("%s: %v", list.name, err)
		}
		if p.Size() > 0 {
			*list.set = p.Set()
		}
	}
	for _, v := range c.fixed.Nodes() {
		if c.forbidden != nil && c.forbidden.Has(v) {
			return fmt.Sprintf("node %s is both fixed and forbidden", core.JoinInts(t.Coords(v), ","))
		}
	}
	if n, most := c.document.Size, t.N()-c.forbidden.Count(); n < c.fixed.Count() || n > most {
		return fmt.Sprintf("the size %d lies outside %d..%d, which fixed and forbidden leave", n, c.fixed.Count(), most)
	}
	return ""
}

// question returns routing and traffic.
func (c *boundsChecker) question() objective.Problem {
	return objective.Problem{Routing: c.routing, Traffic: c.traffic}
}

// problem says why a bound is not confirmed, "" if it is.
func (c *boundsChecker) problem(b objective.Bound) string {
	if name := foreignPart(b, c.placement == nil, c.routing.Torus().CommonBandwidth() > 1); name != "" {
		return fmt.Sprintf("the field %s does not belong to its witness", name)
	}
	if c.traffic.Clients() {
		return c.clientsProblem(b)
	}
	switch b.Name {
	case objective.BoundMargin:
		known := newConditions(c.meter, c.routing.Torus(), c.document.Size, c.fixed, c.forbidden)
		return marginProblem(c.meter, c.routing, c.document.Size, known, b)
	case objective.BoundLines:
		return linesProblem(c.meter, c.routing, c.document.Size, b)
	case objective.BoundGranularity:
		return c.roundingProblem(b, shares.Denominator(c.meter, c.routing))
	}
	if c.placement == nil {
		return c.sizeProblem(b)
	}
	t := c.routing.Torus()
	switch b.Name {
	case objective.BoundCorner:
		return cornerProblem(c.routing, *c.placement, b)
	case objective.BoundDegree, objective.BoundSeparator, objective.BoundSlab, objective.BoundBisection:
		return cutProblem(c.meter, t, *c.placement, b)
	case objective.BoundCongestion:
		return weightsProblem(c.meter, t, b, c.placement.Nodes(), func(int, int) int64 { return 1 })
	case objective.BoundMean, objective.BoundDimensionMean:
		return c.distanceProblem(b)
	}
	return "there is no checker for this bound"
}

// foreignPart names a part of a witness that the bound does not have, "" if there is none: nobody checks such a part.
func foreignPart(b objective.Bound, free, bandwidths bool) string {
	w, cut, mean := b.Witness, false, false
	switch b.Name {
	case objective.BoundDegree, objective.BoundSeparator, objective.BoundSlab, objective.BoundBisection,
		objective.BoundCorner:
		cut = true
	case objective.BoundMean, objective.BoundDimensionMean:
		mean = true
	}
	across, band := b.Name == objective.BoundDimensionMean, b.Name == objective.BoundBand
	rounded := b.Name == objective.BoundGranularity
	margins := b.Name == objective.BoundMargin || b.Name == objective.BoundLines
	for _, part := range []struct {
		name          string
		there, belong bool
	}{
		{"set", w.Set != nil, cut}, {"dim", w.Dim != nil, across || band || b.Name == objective.BoundSlab},
		{"slab_counts", w.SlabCounts != nil, (across || band) && free}, {"distance", w.Distance != "", mean},
		{"links", w.Links != 0, cut || mean || band},
		{"capacity", w.Capacity != 0, bandwidths && (cut || mean || band)},
		{"weights", w.Weights != nil, b.Name == objective.BoundCongestion ||
			free && (b.Name == objective.BoundFixed || b.Name == objective.BoundDual)},
		{"refuted", w.Refuted != "", margins},
		{"from", w.From != "", rounded}, {"denominator", w.Denominator != "", rounded || margins},
	} {
		if part.there && !part.belong {
			return part.name
		}
	}
	return ""
}

// sizeProblem compares a placement-free bound with the same one derived here, and goes through its witness.
func (c *boundsChecker) sizeProblem(b objective.Bound) string {
	n := c.document.Size
	if c.own == nil {
		c.own = Derive(c.meter, c.routing, c.fixed, c.forbidden)
	}
	known := c.own.conditioned(n)
	switch b.Name {
	case objective.BoundSlab, objective.BoundSeparator, objective.BoundFixed:
		return c.rangeProblem(known, b)
	}
	own, ok := c.own.Named(n, b.Name, b.Value)
	switch {
	case !ok:
		return "there is no checker for this bound without a placement"
	case own.Cmp(b.Value) < 0:
		return fmt.Sprintf("the value is %s, derived here it is %s", b.Value.RatString(), own.RatString())
	case b.Name == objective.BoundBand:
		return c.bandsProblem(b)
	case b.Name != objective.BoundDegree && b.Name != objective.BoundCorner:
		return c.distanceProblem(b)
	case n < 2:
		if b.Witness.Set != nil || b.Witness.Links != 0 {
			return "fewer than two processors send nothing, so that there is no witness"
		}
		return ""
	}
	// The witness is one node, which stands for any processor, or for any at a corner.
	t := c.routing.Torus()
	one, err := core.PlacementFromCoords(t, b.Witness.Set)
	if err != nil {
		return err.Error()
	}
	if one.Size() != 1 {
		return fmt.Sprintf("the set of %s is not one processor", b.Name)
	}
	links, capacity := linksOut(t, one.Set())
	switch {
	case b.Witness.Links != links:
		return fmt.Sprintf("%d links leave a processor, not %d", links, b.Witness.Links)
	case !holds(t, b.Witness, capacity):
		return fmt.Sprintf("the links that leave a processor have bandwidth %d, not %d", capacity, b.Witness.Capacity)
	}
	messages := n - 1
	if b.Name == objective.BoundCorner {
		messages = n
	}
	if own.Cmp(b.Value) != 0 || own.Cmp(big.NewRat(int64(messages), capacity)) != 0 {
		return fmt.Sprintf("%d messages over %d links give %s, not %s", messages, links, own.RatString(),
			b.Value.RatString())
	}
	return ""
}

// cornerProblem goes through the witness of the bound corner: a processor, what it sends, and what others in its row
// and others in its column send each other.
func cornerProblem(r routing.Routing, p core.Placement, b objective.Bound) string {
	if !turning(r) {
		return "it is about udr in two dimensions"
	}
	t := p.Torus()
	one, err := core.PlacementFromCoords(t, b.Witness.Set)
	if err != nil {
		return err.Error()
	}
	if one.Size() != 1 || !p.Set().Has(one.Nodes()[0]) {
		return "the set is not one processor"
	}
	at, row, column := t.Coords(one.Nodes()[0]), 0, 0
	for _, other := range p.Coords() {
		switch {
		case other[0] == at[0] && other[1] != at[1]:
			row++
		case other[0] != at[0] && other[1] == at[1]:
			column++
		}
	}
	links, capacity := linksOut(t, one.Set())
	messages := int64(p.Size() - 1 + row*column)
	switch value := big.NewRat(messages, capacity); {
	case b.Witness.Links != links:
		return fmt.Sprintf("%d links leave the processor, not %d", links, b.Witness.Links)
	case !holds(t, b.Witness, capacity):
		return fmt.Sprintf("the links that leave the processor have bandwidth %d, not %d", capacity, b.Witness.Capacity)
	case value.Cmp(b.Value) != 0:
		return fmt.Sprintf("%d messages over %d links give %s, not %s", messages, links, value.RatString(),
			b.Value.RatString())
	}
	return ""
}

// rangeProblem goes through the witness of a bound that holds under conditions only: a set of nodes the number of whose
// processors lies in a range, or a link and what fixed nodes load it with.
func (c *boundsChecker) rangeProblem(known *conditions, b objective.Bound) string {
	t, w := c.routing.Torus(), b.Witness
	switch {
	case known == nil:
		return "there is no checker for this bound without a placement"
	case b.Value.Sign() == 0 && w.Set == nil && w.Links == 0 && w.Capacity == 0 && w.Dim == nil && w.Weights == nil:
		return ""
	case b.Name == objective.BoundFixed:
		if len(w.Weights) != 1 || w.Weights[0].Weight != "1" {
			return "the witness is not one link of weight 1"
		}
		link, problem := linkOf(t, w.Weights[0])
		if problem != "" {
			return problem
		}
		loads, _ := known.mustLoads(c.routing)
		if loads == nil || loads[link].Cmp(b.Value) != 0 {
			return fmt.Sprintf("the fixed nodes do not bring %s on that link", b.Value.RatString())
		}
		return ""
	}
	c.meter.ChargeAll(4, t.M())
	set, problem := cutSet(t, w.Set)
	if problem != "" {
		return "the set: " + problem
	}
	must, may := 0, 0
	for _, v := range known.must {
		if set.Has(v) {
			must++
		}
	}
	for _, v := range known.may {
		if set.Has(v) {
			may++
		}
	}
	out, capacity := linksOut(t, set)
	switch {
	case out != w.Links:
		return fmt.Sprintf("%d links leave the set, not %d", out, w.Links)
	case !holds(t, w, capacity):
		return fmt.Sprintf("the links out of the set have bandwidth %d, not %d", capacity, w.Capacity)
	case out == 0:
		return "no link leaves the set"
	}
	messages := known.leaving(must, may)
	if v := new(big.Rat).SetFrac(messages, big.NewInt(capacity)); v.Cmp(b.Value) != 0 {
		return fmt.Sprintf("at least %s messages leave the set, which gives %s, not %s", messages, v.RatString(),
			b.Value.RatString())
	}
	if b.Name == objective.BoundSlab {
		return bandProblem(t, set, w.Dim)
	}
	return ""
}

// bandsProblem goes through the witness of the bound band: slab counts whose best band gives the value. That no others
// have less is derived.
func (c *boundsChecker) bandsProblem(b objective.Bound) string {
	t, n, w := c.routing.Torus(), c.document.Size, b.Witness
	if b.Value.Sign() == 0 && w.Dim == nil && w.SlabCounts == nil && w.Links == 0 && w.Capacity == 0 {
		return ""
	}
	if w.Dim == nil || *w.Dim < 0 || *w.Dim >= t.D() {
		return "the witness names no dimension"
	}
	j := *w.Dim
	if problem := spreadProblem(t, j, n, w.SlabCounts); problem != "" {
		return problem
	}
	k, most := t.Slabs(j), 0
	c.meter.ChargeAll(4, k, k)
	for from := range k {
		in := 0
		for z := range k - 1 {
			in += w.SlabCounts[(from+z)%k]
			if from == 0 || !t.Open(j) {
				most = max(most, min(in, n-in))
			}
		}
	}
	capacity := bandCapacity(t, j)
	links := int(capacity / int64(t.Bandwidth(j)))
	value := new(big.Rat).SetFrac(parted(most, n), big.NewInt(capacity))
	switch {
	case most != leastBand(t, j, n):
		return fmt.Sprintf("a band has %d processors inside or outside, with other slab counts fewer are enough", most)
	case w.Links != links:
		return fmt.Sprintf("%d links are cut, not %d", links, w.Links)
	case !holds(t, w, capacity):
		return fmt.Sprintf("the links have bandwidth %d, not %d", capacity, w.Capacity)
	case value.Cmp(b.Value) != 0:
		return fmt.Sprintf("the value is %s, not %s", value.RatString(), b.Value.RatString())
	}
	return ""
}

// spreadProblem says why counts are not those of n processors in the slabs across dimension j, "" if they are.
func spreadProblem(t *core.Torus, j, n int, counts []int) string {
	room := t.N() / t.Slabs(j)
	for _, count := range counts {
		if count < 0 || count > room {
			return fmt.Sprintf("%d processors do not fit a slab of %d nodes", count, room)
		}
	}
	if len(counts) != t.Slabs(j) || sum(counts) != n {
		return fmt.Sprintf("the slab counts are not those of %d processors in %d slabs", n, t.Slabs(j))
	}
	return ""
}

// holds reports whether a witness has the capacity of its links, where that is not their number.
func holds(t *core.Torus, w objective.Witness, capacity int64) bool {
	return t.CommonBandwidth() == 1 || w.Capacity == capacity
}

// distanceProblem adds up distances over ordered pairs, or the least that they can be without a placement: in all
// dimensions for mean, in the dimension of the witness for dimension-mean.
func (c *boundsChecker) distanceProblem(b objective.Bound) string {
	t, n := c.routing.Torus(), c.document.Size
	total, dim := new(big.Int), b.Witness.Dim
	if b.Name == objective.BoundDimensionMean && (dim == nil || *dim < 0 || *dim >= t.D()) {
		return "the witness names no dimension"
	}
	links, capacity := c.linksAlong(dim)
	switch {
	case c.placement == nil && dim == nil:
		total = newDerivation(c.meter, t, nil).leastDistance(n)
		if known := c.own.conditioned(n); known != nil && n > 1 {
			if sum := known.leastDistance(); sum.Cmp(total) > 0 {
				total = sum
			}
		}
	case c.placement == nil:
		counts := b.Witness.SlabCounts
		if problem := spreadProblem(t, *dim, n, counts); problem != "" {
			return problem
		}
		least := leastAlong(t, *dim, n)
		if known := c.own.conditioned(n); known != nil {
			if !known.inRange(*dim, counts) {
				return "the slab counts are not those of a placement with the fixed nodes and without the forbidden ones"
			}
			least = known.leastAlong(*dim)
		}
		if total = along(t, *dim, counts, n); total.Cmp(least) != 0 {
			return fmt.Sprintf("other slab counts have a smaller distance than %s", total)
		}
	case dim == nil && t.Twisted():
		c.meter.ChargeAll(4, t.D(), n, n)
		for _, u := range c.placement.Nodes() {
			for _, v := range c.placement.Nodes() {
				total.Add(total, big.NewInt(int64(t.LeeDistance(u, v))))
			}
		}
	default:
		for j := range t.D() {
			if dim == nil || *dim == j {
				total.Add(total, along(t, j, c.placement.SlabCounts(j), n))
			}
		}
	}
	value := new(big.Rat).SetFrac(total, big.NewInt(capacity))
	switch {
	case b.Witness.Links != links:
		return fmt.Sprintf("there are %d links, not %d", links, b.Witness.Links)
	case !holds(t, b.Witness, capacity):
		return fmt.Sprintf("the links have bandwidth %d, not %d", capacity, b.Witness.Capacity)
	case b.Witness.Distance != total.String():
		return fmt.Sprintf("the distances add up to %s, not %s", total, b.Witness.Distance)
	case value.Cmp(b.Value) != 0:
		return fmt.Sprintf("the value is %s, not %s", value.RatString(), b.Value.RatString())
	}
	return ""
}

// linksAlong counts the links along a dimension, along all if it is nil, and adds up their bandwidths.
func (c *boundsChecker) linksAlong(dim *int) (links int, capacity int64) {
	t := c.routing.Torus()
	c.meter.ChargeAll(4, t.M())
	for l := range t.M() {
		if _, port := t.LinkFrom(core.Link(l)); t.HasLink(core.Link(l)) && (dim == nil || *dim == port.Dim) {
			links++
			capacity += int64(t.Bandwidth(port.Dim))
		}
	}
	return links, capacity
}

// roundingProblem checks of the bound granularity that the bound it rounds up stands before it, that loads are
// multiples of 1/Denominator, which is to be d, and the rounding.
func (c *boundsChecker) roundingProblem(b objective.Bound, d *big.Int) string {
	from, ok := c.values[b.Witness.From]
	if !ok {
		return fmt.Sprintf("the bound %q that it rounds up does not stand before it", b.Witness.From)
	}
	switch {
	case d == nil && b.Value.Cmp(from) == 0: // nothing was rounded
		c.notes = append(c.notes, "the denominator of granularity is not checked: it is not found in reasonable time")
		return ""
	case d == nil:
		return "the denominator of the loads is not found in reasonable time"
	case d.String() != b.Witness.Denominator:
		return fmt.Sprintf("loads are multiples of 1/%s, not 1/%s", d, b.Witness.Denominator)
	}
	if value := shares.RoundedUp(from, d); value.Cmp(b.Value) != 0 {
		return fmt.Sprintf("%s rounds up to %s, not %s", from.RatString(), value.RatString(), b.Value.RatString())
	}
	return ""
}
