// Package orders evaluates dimension-ordered routings: it counts the loads of all links for processors that all send
// to each other, in time linear in the number of links, without looking at pairs.
package orders

import (
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/lanes"
)

// A Counter counts loads in time linear in the number of links, without looking at pairs.
//
// Fix a dimension s and a ring along it through the other coordinates i_j. A pair uses that ring after correcting some
// set T of dimensions and before correcting U, and then p_s = x, q_s = y, p_j = i_j outside T, q_j = i_j outside U,
// with p_j != i_j in T and q_j != i_j in U. With M_T[x] the number of processors that agree with the ring outside T
// (their coordinates in T are free), counting with "!=" is inclusion and exclusion over subsets, so the load on the
// ring is
//
//	sum over disjoint T, U of v(s,T,U) ring(M_T, M_U)
//
// where v are the weights of routing.Orders folded by inclusion and exclusion, and ring(a, b) is what a[x] b[y] units
// from every place x to every y != x put on its links. For one order one term per dimension is left: T all dimensions
// before s, U all behind it. For all orders too T and U together are all others, and T, U weighs as much as U, T.
//
// From one link of a ring to the next of the same direction the load changes by what starts at the place between them
// and by what ends there:
//
//	plus:  L[c] = L[c-1] + a[c] ahead(b)[c] - b[c] behind(a)[c]
//	minus: L[c] = L[c-1] + b[c] ahead(a)[c] - a[c] behind(b)[c]
//
// with windows as far as the direction goes; see ring.go. Rings that lie side by side are done together, row by row, by
// lanes.Product. Along the last dimension, where rings lie along memory, they are counted place by place and then
// turned. The work is a list of steps that is made once.
type Counter struct {
	torus     *core.Torus
	margin    int64
	load      []int64
	numbers   []int64       // all arrays but the loads; first M of no dimension: 1 where there is a processor
	columns   []*column     // the lines of that, by dimension
	steps     []step        // what follows
	slides    *lanes.Slides // where rows to be computed are appended
	marginals map[uint]array
	lines     map[lineKey]*lines
	windows   map[windowKey]int
	zero, sum int     // where rows of zeros and a row to add up begin, as long as any row
	end       int     // how much of numbers is used
	turned    []int64 // the loads of a port along the last dimension, place by place
	present   int     // how many processors there are
	direct    bool    // the loads of the port stand where they belong, and not in turned
}

// An array is where numbers begin, and how many they are.
type array struct{ at, size int }

// A column is what follows from the nodes ring by ring of one dimension: their lines, filled in by fill unless they are
// the array of the nodes itself, and rows, with a number for every ring.
type column struct {
	lines  *lines
	fill   func()
	slides lanes.Slides
}

// A step is a part of the work: rows, and then something else that looks at about this many numbers.
type step struct {
	slides *lanes.Slides
	cost   int
	do     func()
}

// maxTermDims is the most dimensions for which the weights of several orders are folded.
const maxTermDims = 9

// Above large nodes windows of all nodes are kept of some rings at a time only, of about partNumbers nodes.
const (
	large       = 1 << 15
	partNumbers = 1 << 13
)

// manyRings returns how many rings there are for each of their places where it pays to count beforehand what processors
// on one ring put there.
func manyRings() int {
	if lanes.Vectors() { // with which products cost less
		return 32
	}
	return 16
}

// New returns a counter of the loads under r for processors that all send to each other, in units of one over the
// denominator of r times the common multiple of the bandwidths; nil for several orders of more than 9 dimensions and on
// twisted tori, where paths do not go around rings. It is for one goroutine.
func New(r *routing.Orders) *Counter {
	t := r.Torus()
	if !t.Separable() || len(r.List()) != 1 && t.D() > maxTermDims {
		return nil
	}
	c := &Counter{torus: t, load: make([]int64, t.M()), marginals: map[uint]array{},
		lines: map[lineKey]*lines{}, slides: new(lanes.Slides)}
	c.marginals[0] = c.array(t.N())
	longest := t.N() / slices.Min(t.Dims())
	c.zero, c.sum = c.array(longest).at, c.array(longest).at
	if t.D() > 1 {
		c.turned = make([]int64, t.N())
	}
	heaviest := int64(1)
	halves := r.Denominator().Int64() != r.OrderDenominator()
	for s := range t.D() {
		rule := newRingRule(r, s, halves)
		terms := foldTerms(r, s)
		for _, term := range terms {
			heaviest = max(heaviest, 2*rule.full*term.weight, -2*rule.full*term.weight)
		}
		c.windows = map[windowKey]int{}
		if rule.k > 2 && rule.mirrored(terms) {
			c.addPort(terms, rule, core.Plus)
			c.then(t.N(), func() { c.mirror(s) })
			continue
		}
		for _, dir := range rule.directions() {
			c.addPort(terms, rule, dir)
		}
	}
	c.numbers = make([]int64, c.end)
	c.margin = heaviest * heaviest
	return c
}

// Margin returns by which factor the loads of as many processors as there may be must stay below 2^62: with it the
// numbers that are multiplied are below 2^31.
func (c *Counter) Margin() int64 { return c.margin }

// Loads returns the loads of all links for processors on some nodes. The slice is reused. The error is that of the
// watch, and after one the counter is of no use.
func (c *Counter) Loads(nodes []int, w *core.Watch) ([]int64, error) {
	occupied := c.numbers[:c.torus.N()]
	clear(occupied)
	c.present = len(nodes)
	for _, v := range nodes {
		occupied[v] = 1
	}
	for _, column := range c.columns {
		if err := w.Err(c.torus.N() + column.slides.Numbers()); err != nil {
			return nil, err
		}
		if column.fill != nil {
			column.fill()
		}
		column.slides.Run(c.numbers)
	}
	return c.Count(w)
}

// Put puts a given number of processors on a node, 0 or 1, for the next Count. Cost O(d k) for sides of k.
func (c *Counter) Put(v int, processors int64) {
	c.present += int(processors - c.numbers[v])
	c.numbers[v] = processors
	for _, column := range c.columns {
		l := column.lines
		stride := c.torus.Stride(l.s)
		ring := v/(stride*c.torus.Side(l.s))*stride + v%stride
		c.numbers[l.at+c.torus.Coord(v, l.s)*l.row+ring] = processors
		column.slides.RunAt(c.numbers, ring)
	}
}

// Count is Loads for the processors of the latest Loads, as Put has changed them.
func (c *Counter) Count(w *core.Watch) ([]int64, error) {
	for _, step := range c.steps {
		if err := w.Err(step.cost + step.slides.Numbers()); err != nil {
			return nil, err
		}
		step.slides.Run(c.numbers)
		if step.do != nil {
			step.do()
		}
	}
	for i, port := range c.torus.Ports() {
		if scale := int64(c.torus.Scale(port.Dim)); scale > 1 {
			loads := c.load[i*c.torus.N():][:c.torus.N()]
			for l := range loads {
				loads[l] *= scale
			}
		}
	}
	return c.load, nil
}

// then ends a step.
func (c *Counter) then(cost int, do func()) {
	c.steps, c.slides = append(c.steps, step{c.slides, cost, do}), new(lanes.Slides)
}

// slide appends a row that is from + in - out.
func (c *Counter) slide(to, from, in, out, row int) { c.slides.Add(to, from, in, out, row) }

// add appends the sum of two rows, in place of the first.
func (c *Counter) add(to, row, length int) { c.slide(to, to, row, c.zero, length) }

// appendTo appends rows to what depends on the rings of some lines only, if these are of the nodes themselves.
func (c *Counter) appendTo(l *lines, appended func()) {
	for _, column := range c.columns {
		if column.lines == l {
			kept := c.slides
			c.slides = &column.slides
			defer func() { c.slides = kept }()
		}
	}
	appended()
}

// array returns an array of a given length.
func (c *Counter) array(size int) array {
	c.end += size
	return array{c.end - size, size}
}

// A term is a part weight ring(M_before, M_after) of the loads along a dimension, or, of both, weight (ring(M_before,
// M_after) + ring(M_after, M_before)).
type term struct {
	before, after uint
	weight        int64
	both          bool
}

// foldTerms returns the terms of dimension s that do not vanish, in units of one over the OrderDenominator. Cost O(1)
// for one order, otherwise O(5^(d-1)).
func foldTerms(r *routing.Orders, s int) []term {
	d := r.Torus().D()
	others := (uint(1)<<d - 1) &^ (1 << s)
	if list := r.List(); len(list) == 1 {
		before := routing.EarlierDims(list[0], s)
		return []term{{before, others &^ before, 1, false}}
	}
	folded := map[[2]uint]int64{}
	for before := range subsets(others) {
		for after := range subsets(others &^ before) {
			num, den := r.Weight(s, before, after)
			weight := num * (r.OrderDenominator() / den)
			for b := range subsets(before) {
				for a := range subsets(after) {
					left := bits.OnesCount(before&^b) + bits.OnesCount(after&^a)
					folded[[2]uint{b, a}] += weight * int64(1-2*(left&1))
				}
			}
		}
	}
	var terms []term
	for before := range subsets(others) {
		for after := range subsets(others &^ before) {
			weight, back := folded[[2]uint{before, after}], folded[[2]uint{after, before}]
			both := weight == back && before != after
			if weight != 0 && (!both || before < after) {
				terms = append(terms, term{before, after, weight, both})
			}
		}
	}
	return terms
}

// subsets yields the subsets of mask in ascending order.
func subsets(mask uint) func(yield func(uint) bool) {
	return func(yield func(uint) bool) {
		for sub := uint(0); ; sub = (sub - mask) & mask {
			if !yield(sub) || sub == mask {
				return
			}
		}
	}
}

// sides returns the product of the sides from, from+1, ..., to-1 but for those in mask.
func (c *Counter) sides(from, to int, mask uint) int {
	n := 1
	for j := from; j < to; j++ {
		if mask>>j&1 == 0 {
			n *= c.torus.Side(j)
		}
	}
	return n
}

// marginal returns the array M of a set of dimensions: how many processors there are for given coordinates in the
// others, the last of which is contiguous. It is made when it is first asked for, by adding up another along a
// dimension, so that the sets of dimensions before one, and those behind one, follow from each other.
func (c *Counter) marginal(mask uint) array {
	if m, ok := c.marginals[mask]; ok {
		return m
	}
	j := bits.Len(mask) - 1
	if j == c.torus.D()-1 {
		j = bits.TrailingZeros(mask)
	}
	from := c.line(mask&^(1<<j), j, 1)
	to := c.array(from.row)
	c.marginals[mask] = to
	c.appendTo(from, func() {
		c.slide(to.at, from.at, from.at+from.row, c.zero, from.row)
		for i := 2; i < c.torus.Side(j); i++ {
			c.add(to.at, from.at+i*from.row, from.row)
		}
	})
	return to
}

// lines are the numbers of a marginal, times a weight, place by place of a dimension s: for every place a row with a
// number for every ring, by the coordinates in the dimensions but s and those added up.
type lines struct {
	lineKey
	array
	row int
}

type lineKey struct {
	mask   uint
	s      int
	weight int64
}

// line returns the lines of a set of dimensions along s.
func (c *Counter) line(mask uint, s int, weight int64) *lines {
	key := lineKey{mask, s, weight}
	if l := c.lines[key]; l != nil {
		return l
	}
	k := c.torus.Side(s)
	high, low := c.sides(0, s, mask), c.sides(s+1, c.torus.D(), mask)
	l := &lines{lineKey: key, row: high * low}
	c.lines[key] = l
	from := c.marginal(mask)
	var fill func()
	switch {
	case weight != 1:
		from = c.line(mask, s, 1).array
		fill = func() {
			to := c.numbers[l.at:][:l.size]
			for i, v := range c.numbers[from.at:][:l.size] {
				to[i] = weight * v
			}
		}
	case high > 1:
		fill = func() { turn(c.numbers[l.at:][:l.size], c.numbers[from.at:][:l.size], high, k, low) }
	}
	l.array = from
	if fill != nil {
		l.array = c.array(from.size)
	}
	switch {
	case mask == 0 && weight == 1:
		c.columns = append(c.columns, &column{lines: l, fill: fill})
	case fill != nil:
		c.then(l.size, fill)
	}
	return l
}

// turn writes an array with axes of high, k and low places with the middle one in front.
func turn(to, from []int64, high, k, low int) {
	if low == 1 {
		lanes.Transpose(to, from, high, k)
		return
	}
	for h := range high {
		for x := range k {
			copy(to[(x*high+h)*low:][:low], from[(h*k+x)*low:])
		}
	}
}

// step returns how far apart the rings of l are that are one apart in dimension j, 0 where they are the same.
func (c *Counter) step(l *lines, j int) int {
	if l.mask>>j&1 != 0 {
		return 0
	}
	return c.sides(j+1, c.torus.D(), l.mask|1<<l.s)
}

// window returns what a direction sees from every place in the lines of an array in which pairs start, in which they
// end, or both.
func (c *Counter) window(l *lines, rule ringRule, dir core.Dir, side side) int {
	key := windowKey{l, rule.spans(dir, side)}
	at, ok := c.windows[key]
	if !ok {
		at = c.array(l.size).at
		c.windows[key] = at
		c.appendTo(l, func() { c.addWindow(at, l, rule, key.spans) })
	}
	return at
}

type windowKey struct {
	lines *lines
	spans [2]span
}

// port returns the loads of the links along a dimension in a direction.
func (c *Counter) port(s int, dir core.Dir) []int64 {
	n := c.torus.N()
	return c.load[c.torus.PortIndex(s, dir)*n:][:n]
}

// mirror gives the links of a dimension in the - direction the loads of those between the same nodes, the other way.
func (c *Counter) mirror(s int) {
	from, to, row := c.port(s, core.Plus), c.port(s, core.Minus), c.torus.Stride(s)
	for ring := row * c.torus.Side(s); len(to) > 0; from, to = from[ring:], to[ring:] {
		copy(to[row:ring], from)
		copy(to[:row], from[ring-row:])
	}
}

// addPort appends the steps that count the loads of all links along one dimension in one direction.
func (c *Counter) addPort(terms []term, rule ringRule, dir core.Dir) {
	t, s := c.torus, rule.s
	n, last := t.N(), t.D()-1
	port := c.port(s, dir)
	out := port
	if s == last && t.D() > 1 {
		out = c.turned
	}
	for i, term := range terms {
		c.addProduct(term, rule, dir, out, i > 0, len(terms) == 1)
	}
	if s == last && t.D() > 1 {
		c.then(n, func() {
			if !c.direct {
				lanes.Transpose(port, out, rule.k, n/rule.k)
			}
			c.direct = false
		})
	}
}

// addProduct appends the steps that count one term of the loads of a port, which may be the only one.
func (c *Counter) addProduct(term term, rule ringRule, dir core.Dir, out []int64, add, alone bool) {
	t, s := c.torus, rule.s
	_, unit := rule.reaches(dir)
	weight, inVector, inFactor := unit, starts, ends
	if term.both {
		weight, inVector, inFactor = rule.full, startsAndEnds, startsAndEnds
	}
	// A row goes over trailing dimensions that the same of both arrays have.
	vector, factor := term.before, term.after
	row, outer, rowwise := 1, others(t, s), false
	for len(outer) > 0 {
		j := outer[len(outer)-1]
		if j < s && s < t.D()-1 {
			break
		}
		here := term.before>>j&1 != 0
		wise := !here && term.after>>j&1 == 0
		if row == 1 {
			rowwise = wise
			if here {
				vector, factor, inVector, inFactor = term.after, term.before, inFactor, inVector
			}
		} else if wise != rowwise || vector>>j&1 != 0 {
			break
		}
		if row > 1 && t.N() > large && row*t.Side(j)*rule.k > partNumbers {
			break
		}
		row *= t.Side(j)
		outer = outer[:len(outer)-1]
	}
	v, f := c.line(vector, s, 1), c.line(factor, s, term.weight*weight)
	p := &lanes.Product{Places: rule.k, Row: row, V: v.at, VStep: v.row, F: f.at, FStep: f.row,
		FWindow: c.window(f, rule, dir, inFactor), Rowwise: rowwise, Open: rule.open, Add: add}
	if dir == core.Plus {
		p.At = 1
	}
	if !rule.open {
		p.First = c.array(f.size).at
		c.addFirst(p.First, c.line(factor, s, term.weight*unit), rule, dir, inVector)
	}
	step := t.Stride(s)
	if s == t.D()-1 {
		step = t.N() / rule.k
	}
	blocks, spans := c.blocks(outer, v, f, s), rule.spans(dir, inVector)
	few := func() bool { return false }
	sparse := alone && s > 0 && s == t.D()-1 && vector == 0 && f.size == rule.k &&
		t.N() >= manyRings()*rule.k*rule.k
	if sparse {
		few = c.responses(*p, rule, spans, c.port(s, dir))
	}
	if sparse || vector == 0 && v.size > large {
		c.addParts(p, v, rule, spans, blocks, out, step, few)
		return
	}
	p.VWindow = c.window(v, rule, dir, inVector)
	c.then(2*t.N(), func() {
		p.Sum = c.numbers[c.sum:][:row]
		for _, b := range blocks {
			p.Count(out[b.out:], step, c.numbers, int(b.v), int(b.f))
		}
	})
}

// addParts is the end of addProduct where the vector has a number for every node, and too many for the cache, or few
// that are not 0: its lines and windows are kept of one block at a time, and not needed if few has counted the loads.
func (c *Counter) addParts(p *lanes.Product, v *lines, rule ringRule, spans [2]span, blocks []block, out []int64,
	step int, few func() bool) {
	part := &lines{row: p.Row, array: c.array(rule.k * p.Row)}
	var window *lanes.Slides
	p.V, p.VStep = part.at, p.Row
	p.VWindow, window = c.windowOf(part, rule, spans)
	c.then(4*c.torus.N(), func() {
		if c.direct = few(); c.direct {
			return
		}
		p.Sum = c.numbers[c.sum:][:p.Row]
		for _, b := range blocks {
			from := c.numbers[v.at+int(b.v):]
			for x := range rule.k {
				copy(c.numbers[part.at+x*p.Row:][:p.Row], from[x*v.row:])
			}
			window.Run(c.numbers)
			p.Count(out[b.out:], step, c.numbers, 0, int(b.f))
		}
	})
}

// windowOf returns where windows of lines are, and what computes them.
func (c *Counter) windowOf(l *lines, rule ringRule, spans [2]span) (at int, window *lanes.Slides) {
	kept := c.slides
	defer func() { c.slides = kept }()
	at, c.slides = c.array(l.size).at, new(lanes.Slides)
	c.addWindow(at, l, rule, spans)
	return at, c.slides
}

// responses returns what counts the loads of a port along the last dimension where processors are few, and says so: a
// ring has the sum of what each of its processors alone would put on it, which is the same for all rings, since their
// factor is.
func (c *Counter) responses(p lanes.Product, rule ringRule, spans [2]span, port []int64) (few func() bool) {
	k := rule.k
	alone, all, turned := &lines{row: k, array: c.array(k * k)}, c.array(k*k).at, c.array(k*k).at
	var window *lanes.Slides
	p.V, p.VStep, p.Row = alone.at, k, k
	p.VWindow, window = c.windowOf(alone, rule, spans)
	return func() bool {
		if c.present*k > 2*len(port) {
			return false
		}
		for x := range k {
			c.numbers[alone.at+x*(k+1)] = 1
		}
		window.Run(c.numbers)
		p.Sum = c.numbers[c.sum:][:k]
		p.Count(c.numbers[turned:], k, c.numbers, 0, 0)
		lanes.Transpose(c.numbers[all:], c.numbers[turned:], k, k)
		for at := 0; at < len(port); at += k {
			to, none := port[at:][:k], true
			for x, v := range c.numbers[at:][:k] {
				if v == 0 {
					continue
				}
				response := c.numbers[all+x*k:][:k]
				if none {
					copy(to, response)
					none = false
					continue
				}
				for i, load := range response {
					to[i] += load
				}
			}
			if none {
				clear(to)
			}
		}
		return true
	}
}

// A block is where rows begin: in the loads, the lines of the vector and those of the factor.
type block struct{ out, v, f int32 }

// blocks lists the blocks for all coordinates in some dimensions.
func (c *Counter) blocks(dims []int, v, f *lines, s int) []block {
	list := []block{{}}
	for _, j := range dims {
		out, more := c.torus.Stride(j), []block(nil)
		if s == c.torus.D()-1 {
			out = c.sides(j+1, s, 0)
		}
		for _, b := range list {
			for x := range c.torus.Side(j) {
				more = append(more, block{b.out + int32(x*out), b.v + int32(x*c.step(v, j)), b.f + int32(x*c.step(f, j))})
			}
		}
		list = more
	}
	return list
}

// others returns the dimensions but s.
func others(t *core.Torus, s int) []int {
	return slices.DeleteFunc(core.Range(t.D()), func(j int) bool { return j == s })
}
