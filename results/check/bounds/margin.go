package bounds

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
)

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
	if s == o {
		return slices.ContainsFunc(core.Range(first.most()+1), func(top int) bool { return first.fits(top, 0) }), true
	}
	second := newMargin(m, r, o, s, n, known, limit)
	alike := known == nil && second.like(first)
	for top := range min(first.most(), second.most()) + 1 {
		if first.goesWith(second, top) || !alike && second.goesWith(first, top) {
			return true, true
		}
	}
	return false, true
}

// goesWith reports whether a margin with largest count top and one of the other dimension with a largest count of at
// least that have room in each other's patterns.
func (m *margin) goesWith(o *margin, top int) bool {
	least := (o.n + o.k - 1) / o.k
	for most := max(top, least); most <= o.most() && m.fits(top, most); most++ {
		if o.fits(most, top) {
			return true
		}
	}
	return false
}

// like reports whether two margins without conditions ask the same.
func (m *margin) like(o *margin) bool {
	return m.k == o.k && m.open == o.open && m.room == o.room && m.cell == o.cell && slices.Equal(m.cuts, o.cuts) &&
		slices.EqualFunc(m.classes, o.classes, links.like) && slices.EqualFunc(m.lines, o.lines, links.like)
}

// maxMarginSide is the longest side whose margins are tried.
const maxMarginSide = 64

// A margin tries all counts of processors in the slabs across one dimension.
type margin struct {
	k, n    int
	open    bool    // slabs 0 and k-1 are no neighbours
	turned  bool    // the slabs of a ring are alike: of all turns of a margin the lexicographically greatest is tried
	low     []int   // by slab, the least that it and all after it may hold, together
	high    []int   // the same for the most
	room    int     // nodes in a slab
	cell    int     // nodes that a slab shares with one across the other dimension, 0 without one
	classes []links // in one boundary and direction: what a processor in slab x and one in y exchange over them
	lines   []links // the same in one slab of the other dimension: what one in x in that slab does for one in y anywhere
	cuts    []bool  // by processors in k/2 neighbouring slabs: does the product fit
	meter   *meter.Meter
	top     int       // the most that a slab of the margin being tried holds
	count   []int     // the margin being tried
	carried [][]int64 // by slab and class: what the class carries before the slab is filled
	slopes  [][]int64 // the same for what a processor in the slab adds
	pattern *patternSearch
}

// Links have a limit on what they carry together, the units that load[x][y] says of a processor in slab x and one in y.
type links struct {
	load  [][]int64
	limit int64
}

func (l links) like(o links) bool {
	return l.limit == o.limit && slices.EqualFunc(l.load, o.load, slices.Equal)
}

// withNew appends links that do not say the same as others.
func withNew(list []links, l links) []links {
	if slices.ContainsFunc(list, l.like) {
		return list
	}
	return append(list, l)
}

// newMargin prepares dimension s against o, s alone if o = s, for a limit on the load of a link. It returns nil where
// the argument does not apply.
func newMargin(meter *meter.Meter, r routing.Routing, s, o, n int, known *conditions, limit *big.Rat) *margin {
	t := r.Torus()
	k := t.Side(s)
	first, unit := firstPart(meter, r, s, o)
	if unit == 0 || k > maxMarginSide || t.Side(o) > maxMarginSide {
		return nil
	}
	m := &margin{k: k, n: n, open: t.Open(s), room: t.N() / k, meter: meter, count: make([]int, k),
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
	slab := slabShares(meter, r, s)
	meter.ChargeAll(32, k, k, 3*len(slab))
	line := func(of ...[][]int64) links { // the first part of a pair lies where it starts, the rest where it ends
		l := links{load: newRows(k, k), limit: within(2 * unit * int64(m.cell) * int64(len(of)))}
		for _, share := range of {
			for x := range k {
				for y := range k {
					l.load[x][y] += first*share[x][y] + (unit-first)*share[y][x]
				}
			}
		}
		return l
	}
	for _, share := range slab {
		both := links{load: newRows(k, k), limit: within(2 * unit * int64(m.room))}
		for x := range k {
			for y := range k {
				both.load[x][y] = unit * (share[x][y] + share[y][x])
			}
		}
		m.classes, m.lines = withNew(m.classes, both), withNew(m.lines, line(share))
	}
	for x := range k { // what leaves some neighbouring slabs: two links carry no more than twice as much together
		for _, length := range []int{k / 2, k - k/2} {
			m.lines = withNew(m.lines, line(slab[(x+length-1)%k], slab[k+x]))
		}
	}
	m.carried, m.slopes = newRows(k+1, len(m.classes)), newRows(k, len(m.classes))
	m.pattern = newPatternSearch(m)
	// The pairs from h neighbouring slabs, h = floor(k/2), to the others leave by one of two boundaries, by one if k =
	// 2, and use no other link there. On a path the boundaries are classes, and that is all.
	most := within(int64(min(2, k-1)) * int64(m.room))
	meter.Charge(int64(n))
	for a := range n + 1 {
		m.cuts = append(m.cuts, int64(a)*int64(n-a) <= most)
	}
	return m
}

// most returns the most that a slab can hold.
func (m *margin) most() int { return min(m.room, m.n) }

// fits reports whether a margin with largest count top is within all limits and has room for a pattern of so many
// processors. On a path, or under conditions, that is a largest count of at most top: less asks for no more room.
func (m *margin) fits(top, pattern int) bool {
	m.meter.ChargeAll(8, pattern+1, len(m.lines))
	m.top, m.pattern.size, m.pattern.loads = top, pattern, newRows(pattern+1, len(m.lines))
	if !m.turned {
		return m.extend(0, m.n)
	}
	m.count[0] = top
	return top <= m.n && m.pattern.fits(0, m.n-top) && m.extend(1, m.n-top)
}

// extend tries all counts of slabs z, z+1, ... with the given sum. What the classes carry only rises.
func (m *margin) extend(z, left int) bool {
	m.meter.Charge(int64(2 * (1 + len(m.classes))))
	if z == m.k {
		return m.wrapped()
	}
	slopes := m.slope(z)
	loads, next := m.carried[z], m.carried[z+1]
	least := max(m.low[z]-m.low[z+1], left-min(m.high[z+1], (m.k-z-1)*m.top))
	most := min(left-m.low[z+1], m.high[z]-m.high[z+1], m.top)
	for x := 1; x < z && m.turned; x++ {
		if slices.Equal(m.count[x:z], m.count[:z-x]) { // the turn that begins with slab x must not be greater
			most = min(most, m.count[z-x])
		}
	}
	for v := least; v <= most; v++ {
		for i := range next {
			if next[i] = loads[i] + int64(v)*slopes[i]; next[i] > m.classes[i].limit {
				return false
			}
		}
		m.count[z] = v
		if h := m.k / 2; (m.open || z+1 < h || m.cuts[sum(m.count[z+1-h:z+1])]) && m.pattern.fits(z, left-v) &&
			m.extend(z+1, left-v) {
			return true
		}
	}
	return false
}

// slope returns, by class, what a processor in slab z adds to the load.
func (m *margin) slope(z int) []int64 {
	list := m.slopes[z]
	for i := range m.classes {
		list[i] = 0
		for y, v := range m.classes[i].load[z][:z] {
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

// A patternSearch looks for a pattern of some processors within the limits of a line.
type patternSearch struct {
	*margin
	size    int       // 0: any will do
	parts   [][]int64 // by slab: what a processor in it adds to what one of a pattern loads, by place and line
	ahead   [][]int64 // the least that one in it or behind it adds
	costs   [][]int64 // the sums over the slabs before it
	weights []int64   // what a processor of a pattern loads in any case, by place and line
	room    []int     // by place: how many a pattern may have there
	behind  []int     // by place: how many it may have there and behind it
	loads   [][]int64 // by number of processors that are missing: what the others load, by line
}

func newPatternSearch(m *margin) *patternSearch {
	lines := len(m.lines)
	p := &patternSearch{margin: m, parts: newRows(m.k, m.k*lines), costs: newRows(m.k+1, m.k*lines),
		weights: make([]int64, m.k*lines), room: make([]int, m.k), behind: make([]int, m.k+1)}
	for i, l := range m.lines {
		for x := range m.k {
			for y := range m.k {
				p.parts[y][x*lines+i] = l.load[x][y]
			}
		}
	}
	p.ahead = append(slices.Clone(p.parts), make([]int64, m.k*lines))
	for y := m.k - 2; y >= 0; y-- {
		p.ahead[y] = slices.Clone(p.parts[y])
		for i, v := range p.ahead[y+1] {
			p.ahead[y][i] = min(p.ahead[y][i], v)
		}
	}
	return p
}

// fits reports whether the margin, with slabs up to z filled and so many processors left for those behind, may have
// room for a pattern of the size asked for. With all slabs filled that is so exactly if it has.
func (p *patternSearch) fits(z, left int) bool {
	if p.size == 0 {
		return true
	}
	p.meter.ChargeAll(2, p.k, len(p.lines))
	v, part, ahead, before, costs := int64(p.count[z]), p.parts[z], p.ahead[z+1], p.costs[z], p.costs[z+1]
	for i, cost := range before {
		costs[i] = cost + v*part[i]
		p.weights[i] = costs[i] + int64(left)*ahead[i]
	}
	for x := p.k - 1; x >= 0; x-- {
		p.room[x] = p.cell
		if x <= z {
			p.room[x] = min(p.cell, p.count[x])
		}
		p.behind[x] = p.behind[x+1] + p.room[x]
	}
	return p.extend(0, 0, p.size)
}

// extend tries all contents of places x, x+1, ... with so many processors, here of them at x so far.
func (p *patternSearch) extend(x, here, missing int) bool {
	p.meter.Charge(int64(2 + len(p.lines)))
	if missing == 0 {
		return true
	}
	if p.behind[x]-here < missing {
		return false
	}
	if here < p.room[x] && p.add(x, missing) && p.extend(x, here+1, missing-1) {
		return true
	}
	return p.extend(x+1, 0, missing)
}

// add puts one of the processors that are missing at x and reports whether that fits.
func (p *patternSearch) add(x, missing int) bool {
	loads, next := p.loads[missing], p.loads[missing-1]
	for i, weight := range p.weights[x*len(loads):][:len(loads)] {
		if next[i] = loads[i] + weight; next[i] > p.lines[i].limit {
			return false
		}
	}
	return true
}

func sum(list []int) int {
	total := 0
	for _, v := range list {
		total += v
	}
	return total
}
