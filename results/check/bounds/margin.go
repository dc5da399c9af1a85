package bounds

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// marginProblem says why the margin bound b on the E_max of n processors under r is not confirmed, "" if it is. The
// bound claims that no placement keeps every link within Witness.Refuted, and that E_max is then at least the next
// multiple of 1/Witness.Denominator.
//
// The claim is derived again from the paths of single pairs: see docs/margin-bound.md for the argument. Nothing is
// shared with the program that found the bound.
func marginProblem(m *meter.Meter, r routing.Routing, n int, known *conditions, b objective.Bound) string {
	limit, problem := refutedLimit(m, r, n, b)
	if limit == nil {
		return problem
	}
	return refuteMargins(m, r, n, known, limit)
}

// refutedLimit returns the limit that a witness says is refuted, nil without one or with a problem.
func refutedLimit(m *meter.Meter, r routing.Routing, n int, b objective.Bound) (limit *big.Rat, problem string) {
	if b.Witness.Refuted == "" {
		if b.Value.Sign() != 0 {
			return nil, fmt.Sprintf("a bound %s above 0 names no refuted limit", b.Name)
		}
		return nil, ""
	}
	if n < 0 || n > r.Torus().N() {
		return nil, "the size does not fit the torus"
	}
	limit, ok := new(big.Rat).SetString(b.Witness.Refuted)
	if !ok || limit.Sign() < 0 || limit.RatString() != b.Witness.Refuted {
		return nil, "the refuted limit is not a fraction in lowest terms"
	}
	step := shares.MarginStep(m, r)
	if step == nil || step.String() != b.Witness.Denominator {
		return nil, "the denominator is not that of the routing"
	}
	units := new(big.Rat).Mul(limit, new(big.Rat).SetInt(step))
	if !units.IsInt() {
		return nil, "the refuted limit is no multiple of 1/" + step.String()
	}
	if next := new(big.Rat).Add(limit, new(big.Rat).SetFrac(big.NewInt(1), step)); next.Cmp(b.Value) != 0 {
		return nil, "the bound is not the next multiple after the refuted limit"
	}
	return limit, ""
}

// refuteMargins returns "" if some dimension or pair of dimensions has no margins within the limit, of any placements
// or of those that keep to the conditions, nil for none.
func refuteMargins(m *meter.Meter, r routing.Routing, n int, known *conditions, limit *big.Rat) string {
	problem := refuteWithin(m, r, n, nil, limit)
	if problem != "" && known != nil {
		return refuteWithin(m, r, n, known, limit)
	}
	return problem
}

// refuteWithin is refuteMargins for the conditions alone.
func refuteWithin(m *meter.Meter, r routing.Routing, n int, known *conditions, limit *big.Rat) string {
	t := r.Torus()
	if t.Twisted() {
		return "the slab counts of a twisted torus do not say which cuts messages cross"
	}
	tooLong := false
	for s := range t.D() {
		for o := s; o < t.D(); o++ {
			found, ok := marginsExist(m, r, s, o, n, known, limit)
			if ok && !found {
				return ""
			}
			tooLong = tooLong || !ok
		}
	}
	if tooLong {
		return fmt.Sprintf("margins of more than %d places are not tried again", maxMarginSide)
	}
	return "there are margins within the refuted limit"
}

// marginsExist reports whether dimensions s and o have margins within the limit that leave room for each other, for s =
// o whether s has one within its boundaries. The answer is not ok if side s is too long; a pair of dimensions that the
// routing mixes in varying shares is taken to have some.
func marginsExist(m *meter.Meter, r routing.Routing, s, o, n int, known *conditions,
	limit *big.Rat) (found, ok bool) {
	first := newMargin(m, r, s, o, n, known, limit)
	if first == nil {
		return true, s != o
	}
	rooms := first.rooms()
	if s == o {
		return rooms != nil, true
	}
	if rooms == nil {
		return false, true
	}
	second, others := newMargin(m, r, o, s, n, known, limit), rooms
	if known != nil || !second.like(first) {
		others = second.rooms()
	}
	for p, q := range rooms {
		for p2, q2 := range others {
			if p2 <= q && p <= q2 { // the largest counts p and p2 have room in each other's patterns
				return true, true
			}
		}
	}
	return false, true
}

// like reports whether two margins without conditions ask the same.
func (m *margin) like(o *margin) bool {
	return m.k == o.k && m.open == o.open && m.room == o.room && m.cell == o.cell && m.line == o.line &&
		slices.Equal(m.cuts, o.cuts) && slices.EqualFunc(m.parts, o.parts, slices.Equal) &&
		slices.EqualFunc(m.classes, o.classes, linkClass.like)
}

// maxMarginSide is the longest side whose margins are tried.
const maxMarginSide = 64

// A margin tries all counts of processors in the slabs across one dimension.
type margin struct {
	k, n    int
	open    bool  // slabs 0 and k-1 are no neighbours
	turned  bool  // the slabs of a ring are alike, and slab 0 is taken to hold a largest count
	low     []int // by slab, the least that it and all after it may hold, together
	high    []int // the same for the most
	room    int   // nodes in a slab
	cell    int   // nodes that a slab shares with one across the other dimension, 0 without one
	classes []linkClass
	cuts    []bool // by processors in k/2 neighbouring slabs: does the product fit
	line    int64  // limit on a link class within a slab of the other dimension
	meter   *meter.Meter
	count   []int       // the margin being tried
	best    map[int]int // by largest count: the largest pattern of a margin found
	// Buffers, one row a slab: what the classes carry before it is filled, and what a processor in it adds.
	carried, slopes [][]int64
	// What a processor of a pattern loads, by place and class: what one in each slab adds to that, and the sums over
	// the slabs before each.
	parts, costs [][]int64
	costed       int // so many of the costs are those of the margin being tried
	pattern      *patternSearch
}

// A linkClass are the links of one direction in one boundary: the units that a processor in slab x and one in y
// exchange over it.
type linkClass struct {
	both  [][]int64
	limit int64
}

func (l linkClass) like(o linkClass) bool {
	return l.limit == o.limit && slices.EqualFunc(l.both, o.both, slices.Equal)
}

// newMargin prepares dimension s against o, s alone if o = s, for a limit on the load of a link. It returns nil where
// the argument does not apply.
func newMargin(meter *meter.Meter, r routing.Routing, s, o, n int, known *conditions, limit *big.Rat) *margin {
	t := r.Torus()
	k := t.Side(s)
	first, unit := shares.FirstPart(meter, r, s, o)
	if unit == 0 || k > maxMarginSide || t.Side(o) > maxMarginSide {
		return nil
	}
	m := &margin{k: k, n: n, open: t.Open(s), room: t.N() / k, meter: meter, count: make([]int, k), best: map[int]int{},
		turned: !t.Open(s) && known == nil, low: make([]int, k+1), high: make([]int, k+1)}
	for z := k - 1; z >= 0; z-- {
		m.high[z] = m.high[z+1] + m.room
	}
	if known != nil {
		must, may := known.counts(s, known.must), known.counts(s, known.may)
		for z := k - 1; z >= 0; z-- {
			m.low[z], m.high[z] = m.low[z+1]+must[z], m.high[z+1]+must[z]+may[z]
		}
	}
	if s != o {
		m.cell = m.room / t.Side(o)
	}
	within := func(links int64) int64 { // rounded down; a limit above all loads stays above them
		v := new(big.Int).Mul(limit.Num(), big.NewInt(links*int64(t.Bandwidth(s))))
		if v.Div(v, limit.Denom()); !v.IsInt64() {
			return math.MaxInt64
		}
		return v.Int64()
	}
	m.line = within(2 * unit * int64(m.cell))
	slab := shares.Slab(meter, r, s)
	meter.ChargeAll(32, k, k, len(slab))
	var parts [][][]int64 // by class and place: what a processor there loads for one in each slab
	for _, share := range slab {
		l, part := linkClass{both: shares.NewTable(k), limit: within(2 * unit * int64(m.room))}, shares.NewTable(k)
		for x := range k {
			for y := range k {
				l.both[x][y] = unit * (share[x][y] + share[y][x])
				// The first part of a pair lies where it starts, the rest where it ends.
				part[x][y] = first*share[x][y] + (unit-first)*share[y][x]
			}
		}
		if !slices.ContainsFunc(core.Range(len(parts)), func(i int) bool {
			return l.like(m.classes[i]) && slices.EqualFunc(part, parts[i], slices.Equal)
		}) { // else it says the same as another class
			m.classes, parts = append(m.classes, l), append(parts, part)
		}
	}
	classes := len(m.classes)
	m.parts, m.costs = shares.NewRows(k, k*classes), shares.NewRows(k+1, k*classes)
	for i, part := range parts {
		for x := range k {
			for y := range k {
				m.parts[y][x*classes+i] = part[x][y]
			}
		}
	}
	m.carried, m.slopes = shares.NewRows(k+1, classes), shares.NewRows(k, classes)
	m.pattern = &patternSearch{margin: m, weights: m.costs[k], loads: shares.NewRows(k+1, classes)}
	// The pairs from h neighbouring slabs, h = floor(k/2), to the others leave by one of two boundaries, by one if k =
	// 2, and use no other link there. On a path the boundaries are classes, and that is all.
	most := within(int64(min(2, k-1)) * int64(m.room))
	meter.Charge(int64(n))
	for a := range n + 1 {
		m.cuts = append(m.cuts, int64(a)*int64(n-a) <= most)
	}
	return m
}

// rooms returns, by the largest count p of a margin within all limits, the largest pattern that such a margin has room
// for; nil if there is no margin. Turning the ring changes nothing, so slab 0 holds a largest count; on a path, or
// under conditions, any slab may.
func (m *margin) rooms() map[int]int {
	if !m.turned {
		m.extend(0, m.n)
		return m.found()
	}
	for top := (m.n + m.k - 1) / m.k; top <= min(m.room, m.n); top++ {
		m.set(0, top)
		m.extend(1, m.n-top)
	}
	return m.found()
}

// found returns the best, nil if there is no margin.
func (m *margin) found() map[int]int {
	if len(m.best) == 0 {
		return nil
	}
	return m.best
}

// extend tries all counts of slabs z, z+1, ... with the given sum. What the classes carry only rises.
func (m *margin) extend(z, left int) {
	m.meter.Charge(int64(2 * (1 + len(m.classes))))
	if m.cell == 0 && len(m.best) > 0 {
		return // without another dimension one margin is as good as all
	}
	if z == m.k {
		if m.wrapped() {
			m.record()
		}
		return
	}
	slopes := m.slope(z)
	loads, next := m.carried[z], m.carried[z+1]
	least, most := left-m.high[z+1], min(left-m.low[z+1], m.high[z]-m.high[z+1])
	if m.turned {
		least, most = left-(m.k-z-1)*m.count[0], min(left, m.count[0])
	}
	for v := max(m.low[z]-m.low[z+1], least); v <= most; v++ {
		for i := range next {
			if next[i] = loads[i] + int64(v)*slopes[i]; next[i] > m.classes[i].limit {
				return
			}
		}
		m.set(z, v)
		if h := m.k / 2; m.open || z+1 < h || m.cuts[sum(m.count[z+1-h:z+1])] {
			m.extend(z+1, left-v)
		}
	}
}

// set puts v processors into slab z.
func (m *margin) set(z, v int) {
	m.count[z] = v
	m.costed = min(m.costed, z)
}

// slope returns, by class, what a processor in slab z adds to the load.
func (m *margin) slope(z int) []int64 {
	list := m.slopes[z]
	for i := range m.classes {
		list[i] = 0
		for y, v := range m.classes[i].both[z][:z] {
			list[i] += int64(m.count[y]) * v
		}
	}
	return list
}

// wrapped reports whether the halvings that contain the last slab and the first fit.
func (m *margin) wrapped() bool {
	h := m.k / 2
	if m.open {
		return true
	}
	for x := range h {
		if !m.cuts[sum(m.count[:x])+sum(m.count[m.k-h+x:])] {
			return false
		}
	}
	return true
}

// record notes the largest pattern that the full margin has room for.
func (m *margin) record() {
	top := slices.Max(m.count)
	have, ok := m.best[top]
	if !ok {
		have = -1
	}
	if m.cell == 0 {
		m.best[top] = 0
		return
	}
	m.meter.ChargeAll(m.k, len(m.classes))
	m.cost()
	p := m.pattern
	p.best = have
	p.extend(0, 0)
	m.best[top] = p.best
}

// cost brings the costs up to date with the margin being tried.
func (m *margin) cost() {
	for z, v := range m.count[m.costed:] {
		from, part, to := m.costs[m.costed+z], m.parts[m.costed+z], m.costs[m.costed+z+1]
		for i, load := range from {
			to[i] = load + int64(v)*part[i]
		}
	}
	m.costed = m.k
}

// A patternSearch looks for the largest pattern within the limit of a line.
type patternSearch struct {
	*margin
	weights []int64   // by place and class, what a processor there loads
	loads   [][]int64 // by place, what the classes carry before it is filled
	best    int
}

// extend tries all contents of places x, x+1, ... that could beat the best.
func (p *patternSearch) extend(x, total int) {
	p.meter.Charge(int64(2 + len(p.classes)))
	if x == p.k {
		p.best = max(p.best, total)
		return
	}
	rest := 0
	for y := x + 1; y < p.k; y++ {
		rest += min(p.cell, p.count[y])
	}
	copy(p.loads[x+1], p.loads[x])
	for v := 0; v <= min(p.cell, p.count[x]); v++ {
		if v > 0 && !p.add(x) {
			break
		}
		if total+v+rest > p.best {
			p.extend(x+1, total+v)
		}
	}
}

// add puts one processor of the pattern at x and reports whether that fits.
func (p *patternSearch) add(x int) bool {
	fits, loads := true, p.loads[x+1]
	for i, cost := range p.weights[x*len(loads):][:len(loads)] {
		if loads[i] += cost; loads[i] > p.line {
			fits = false
		}
	}
	return fits
}

func sum(list []int) int {
	total := 0
	for _, v := range list {
		total += v
	}
	return total
}
