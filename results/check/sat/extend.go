package sat

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/encode"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results/check/meter"
)

// An Extension says what the variables of a formula mean for a placement. docs/proofs.md shows that with these values
// every clause holds if the placement has no load above the limit, so that a refuted formula leaves no such placement.
// The values are computed from listed paths, sums and counts, by no solver and with nothing of package encode; package
// encode only writes the clauses. It is immutable.
type Extension struct {
	problem  objective.Problem
	formula  *encode.Formula
	unit     *big.Int                 // D: all loads are multiples of 1/D
	images   [][]int                  // the elements of the group, if rows break symmetry
	units    int64                    // the limit, in units of 1/D
	loads    map[core.Link][]pairLoad // what pairs put on links
	classes  []core.Link              // a link of each class that needs rules, leaving a base
	shifts   []int                    // the translations of the network
	diagrams []sumDiagram             // of a formula over pairs, one for each class with a rule
	counted  []bool                   // by p N + q, p < q: the pair has a variable
}

// A pairLoad is what two nodes, a < b, put on a link together, in units of 1/D.
type pairLoad struct {
	a, b   int
	weight int64
}

// NewExtension returns the extension for the formula "some placement has E_max below a value", with the rows that break
// symmetry or without. Errors are those of the formula, or say that loads have no common unit. Cost: the paths of all
// pairs.
func NewExtension(m *meter.Meter, p objective.Problem, below *big.Rat, broken bool) (*Extension, error) {
	formula, err := placementFormula(m, p, below, broken)
	if err != nil {
		return nil, err
	}
	unit := p.Denominator()
	if messages := uint(p.Traffic.Request + p.Traffic.Reply + 1); unit == nil ||
		unit.BitLen()+bits.Len(messages)+2*bits.Len(uint(p.Torus().N())) > 62 {
		return nil, fmt.Errorf("the loads of %s have no common unit of reasonable size", p)
	}
	e := &Extension{problem: p, formula: formula, unit: unit, loads: map[core.Link][]pairLoad{},
		units: objective.NumeratorBelow(below, unit).Int64()}
	if broken {
		var group *symmetry.Group
		if m.Foreign(0, func() { group, err = fast.Group(context.Background(), p) }); err != nil {
			return nil, err
		}
		m.ChargeAll(8, group.Order(), p.Torus().N())
		for _, shift := range group.Shifts() {
			for i := range group.Points() {
				e.images = append(e.images, group.Images(i, shift))
			}
		}
	}
	if p.Traffic.Clients() {
		e.shifts = []int{0}
		e.addNodeDiagrams(m)
		return e, nil
	}
	e.addLoads(m)
	t := p.Torus()
	for v := range t.N() {
		if t.ClosedPart(v) == v {
			e.shifts = append(e.shifts, v)
		}
	}
	for port := range t.Degree() {
		for _, base := range t.Bases() {
			link := core.Link(port*t.N() + base)
			if t.HasLink(link) && (formula.OverCounts() || !e.idle(link)) {
				e.classes = append(e.classes, link)
			}
		}
	}
	if !formula.OverCounts() {
		e.addDiagrams()
	}
	return e, nil
}

// put adds what some messages between two nodes put on links, by their listed paths.
func (e *Extension) put(m *meter.Meter, r routing.Routing, from, to, messages int, load map[core.Link]int64) {
	paths, through := int64(0), map[core.Link]int64{}
	for path, weight := range m.Paths(r, from, to, nil) {
		paths += weight
		m.ChargeAll(8, len(path))
		for _, l := range path {
			through[l] += weight
		}
	}
	for l, weight := range through {
		share := big.NewRat(weight*int64(messages), paths*int64(r.Torus().LinkBandwidth(l)))
		load[l] += share.Mul(share, new(big.Rat).SetInt(e.unit)).Num().Int64() // a whole number, D being what it is
	}
}

// addLoads adds what all pairs put on all links, heaviest first.
func (e *Extension) addLoads(m *meter.Meter) {
	for b := range e.problem.Torus().N() {
		for a := range b {
			load := map[core.Link]int64{}
			e.put(m, e.problem.Routing, a, b, 1, load)
			e.put(m, e.problem.Routing, b, a, 1, load)
			for link, weight := range load {
				e.loads[link] = append(e.loads[link], pairLoad{a, b, weight})
			}
		}
	}
	for _, list := range e.loads {
		slices.SortFunc(list, func(x, y pairLoad) int {
			return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
		})
	}
}

// idle reports whether a link in direction minus carries what the reverse link does, whatever the placement.
func (e *Extension) idle(link core.Link) bool {
	t := e.problem.Torus()
	_, port := t.LinkFrom(link)
	return port.Dir == core.Minus && slices.Equal(e.loads[link], e.loads[t.Reverse(link)])
}

// addDiagrams adds the diagrams of a formula over pairs and says which pairs have a variable.
func (e *Extension) addDiagrams() {
	t := e.problem.Torus()
	alone := map[[2]int]bool{} // pairs that pass the limit alone
	for _, list := range e.loads {
		for _, l := range list {
			if l.weight > e.units {
				alone[[2]int{l.a, l.b}] = true
			}
		}
	}
	e.counted = make([]bool, t.N()*t.N())
	for _, link := range e.classes {
		d := sumDiagram{}
		divisor := int64(0)
		for _, l := range e.loads[link] {
			if !alone[[2]int{l.a, l.b}] {
				d.pairs = append(d.pairs, l)
				divisor = core.GCD(divisor, l.weight)
			}
		}
		for i := range d.pairs {
			d.pairs[i].weight /= divisor
		}
		if d.build(e.units / max(divisor, 1)); !d.needed {
			continue
		}
		e.diagrams = append(e.diagrams, d)
		for _, by := range e.shifts {
			for _, l := range d.pairs {
				a, b := t.Sum(l.a, by), t.Sum(l.b, by)
				e.counted[min(a, b)*t.N()+max(a, b)] = true
			}
		}
	}
}

// addNodeDiagrams adds the diagrams of a formula over nodes, a node standing as the pair of it with itself: of each
// link on which placements of the size may pass the limit, once for links with the same constraint.
func (e *Extension) addNodeDiagrams(m *meter.Meter) {
	t, size := e.problem.Torus(), int64(e.problem.Size)
	rows := make([]map[core.Link]int64, t.N()) // by processor: what it and its clients put on links
	for v := range rows {
		rows[v] = map[core.Link]int64{}
		for u := range t.N() {
			if u != v {
				e.put(m, e.problem.Routing, u, v, e.problem.Traffic.Request, rows[v])
				e.put(m, e.problem.ReplyRouting(), v, u, e.problem.Traffic.Reply, rows[v])
			}
		}
	}
	known := map[string]bool{}
	for link := range core.Link(t.M()) {
		least, divisor := rows[0][link], int64(0)
		for v := range t.N() {
			least = min(least, rows[v][link])
		}
		d, limit := sumDiagram{}, e.units-least*size
		for v := range t.N() {
			if weight := rows[v][link] - least; weight > 0 {
				d.pairs = append(d.pairs, pairLoad{v, v, weight})
				divisor = core.GCD(divisor, weight)
			}
		}
		for i := range d.pairs {
			d.pairs[i].weight /= divisor
		}
		if limit >= 0 {
			limit /= max(divisor, 1)
		}
		slices.SortStableFunc(d.pairs, func(x, y pairLoad) int { return cmp.Compare(y.weight, x.weight) })
		name := fmt.Sprint(d.pairs, limit)
		if d.build(limit); d.needed && !known[name] {
			e.diagrams = append(e.diagrams, d)
		}
		known[name] = true
	}
}

// A sumDiagram is the decision diagram of "the weights of the pairs that are there add up to at most a limit". Its node
// (level, most) says that those from a level on add up to at most so much.
type sumDiagram struct {
	pairs  []pairLoad
	needed bool     // some choice of pairs passes the limit
	nodes  []budget // in the sequence in which they get variables; the last has none
	sums   [][]int64
	known  map[budget]int
}

type budget struct {
	level int
	most  int64 // a sum that the weights from the level on can have
}

// The ends of a diagram.
const (
	always = -1
	never  = -2
)

// build lists the nodes for a limit: of each two budgets of a level between which no sum lies, one stands for both.
func (d *sumDiagram) build(limit int64) {
	n := len(d.pairs)
	d.known, d.sums = map[budget]int{}, make([][]int64, n+1)
	d.sums[n] = []int64{0}
	for i := n - 1; i >= 0; i-- {
		list := slices.Clone(d.sums[i+1])
		for _, s := range d.sums[i+1] {
			if s += d.pairs[i].weight; s <= max(limit, 0) {
				list = append(list, s)
			}
		}
		slices.Sort(list)
		d.sums[i] = slices.Compact(list)
	}
	d.needed = d.at(0, limit) != always
}

// at returns the number of the node of a level for a budget, made on first demand, or one of the ends.
func (d *sumDiagram) at(level int, most int64) int {
	if most < 0 {
		return never
	}
	whole := int64(0)
	for _, l := range d.pairs[level:] {
		whole += l.weight
	}
	if most >= whole {
		return always
	}
	next, found := slices.BinarySearch(d.sums[level], most)
	if !found {
		next--
	}
	key := budget{level, d.sums[level][next]}
	if n, ok := d.known[key]; ok {
		return n
	}
	with, n := d.at(level+1, key.most-d.pairs[level].weight), d.at(level+1, key.most)
	if with != n { // else the pair of this level does not matter
		n = len(d.nodes)
		d.nodes = append(d.nodes, key)
	}
	d.known[key] = n
	return n
}

// Values returns the values of the variables, number 0 unused, for the processors of a placement. Their number is the
// least that the meanings need; a formula with another number of variables is not the one described here.
func (e *Extension) Values(s core.Placement) []bool {
	t := e.problem.Torus()
	v := &valuation{in: s.Set(), holds: make([]bool, 1, e.formula.Vars()+1)}
	for node := range t.N() {
		v.say(v.in.Has(node))
	}
	if e.formula.OverCounts() {
		e.counts(v)
	} else {
		e.overPairs(v)
	}
	e.rows(v)
	return v.holds
}

// A valuation collects values in the sequence of the variables.
type valuation struct {
	in    core.Set
	holds []bool
}

func (v *valuation) say(value bool) { v.holds = append(v.holds, value) }

// overPairs says: of the first nodes there are at least j processors; both nodes of a pair are processors; the pairs
// from a level on stay within their budget.
func (e *Extension) overPairs(v *valuation) {
	t, size, sum := e.problem.Torus(), e.problem.Size, 0
	for i := range t.N() {
		if v.in.Has(i) {
			sum++
		}
		for j := max(1, size-(t.N()-1-i)+1); j <= min(i+1, size); j++ {
			v.say(sum >= j)
		}
	}
	for q := range len(e.counted) / t.N() {
		for p := range q {
			if e.counted[p*t.N()+q] {
				v.say(v.in.Has(p) && v.in.Has(q))
			}
		}
	}
	for _, d := range e.diagrams {
		rest := make([]int64, len(d.pairs)+1)
		for _, by := range e.shifts {
			for i, l := range slices.Backward(d.pairs) {
				rest[i] = rest[i+1]
				if v.in.Has(t.Sum(l.a, by)) && v.in.Has(t.Sum(l.b, by)) {
					rest[i] += l.weight
				}
			}
			for i, n := range d.nodes {
				if i < len(d.nodes)-1 {
					v.say(rest[n.level] <= n.most)
				}
			}
		}
	}
}

// A number is a sum with the values at which variables ask whether it has come to them.
type number struct {
	sum    int64
	values []int64
}

// plus returns a number plus factor times another one where the guard is a processor, with new variables for all values
// up to most that it can have. Without guard or anything before there is nothing new to ask.
func (v *valuation) plus(sum number, guard int, term number, factor, most int64) number {
	if most < 1 {
		return number{}
	}
	total := number{sum: sum.sum, values: slices.Clone(sum.values)}
	if guard == unguarded || v.in.Has(guard) {
		total.sum += factor * term.sum
	}
	for _, s := range append([]int64{0}, sum.values...) {
		for _, t := range term.values {
			total.values = append(total.values, min(s+factor*t, most))
		}
	}
	slices.Sort(total.values)
	total.values = slices.Compact(total.values)
	if guard != unguarded || len(sum.values) > 0 {
		for _, value := range total.values {
			v.say(total.sum >= value)
		}
	}
	return total
}

const unguarded = -1

// counts says: a slab has at least j processors, in its first nodes and in the first slabs together; what processors at
// a place of a line meet, and the load of the first places of a line, come to a value.
func (e *Extension) counts(v *valuation) {
	if e.units < 0 {
		return
	}
	list := e.lineLoads()
	for dim := range 2 {
		counts := e.slabs(v, dim)
		for _, l := range list {
			if l.dim == dim {
				e.lines(v, l, counts)
			}
		}
	}
}

// slabs says how many processors slabs have and returns that.
func (e *Extension) slabs(v *valuation, dim int) []number {
	t := e.problem.Torus()
	k, size := t.Side(dim), t.N()/t.Side(dim)
	counts := make([]number, k)
	for z := range k {
		for i := range size {
			if v.in.Has(e.nodeAt(dim, i, z)) {
				counts[z].sum++
			}
			counts[z].values = append(counts[z].values, int64(i+1))
			if i > 0 { // the first node speaks for itself
				v.saySum(counts[z].sum, i+1)
			}
		}
	}
	sum, asked := int64(0), 0
	for z, c := range counts {
		sum += c.sum
		asked = min(asked+size, e.problem.Size+1)
		if z > 0 || size > e.problem.Size+1 {
			v.saySum(sum, asked)
		}
	}
	return counts
}

// saySum says whether a sum is at least 1, 2, ..., most.
func (v *valuation) saySum(sum int64, most int) {
	for j := 1; j <= most; j++ {
		v.say(sum >= int64(j))
	}
}

// nodeAt returns the node at a place of a line along a dimension of two.
func (e *Extension) nodeAt(dim, line, place int) int {
	t := e.problem.Torus()
	return place*t.Stride(dim) + line*t.Stride(1-dim)
}

// A lineLoad are the links in one direction along a dimension: share[x][z] is what a processor at place x of a line
// puts on the link of the line for every processor at place z of any line. Places count from the link.
type lineLoad struct {
	dim, start int
	share      [][]int64
}

// lineLoads reads the shares off the pairs of neighbouring lines, and leaves out links that are idle in all lines.
func (e *Extension) lineLoads() []lineLoad {
	t := e.problem.Torus()
	type key struct{ port, start int }
	idle := map[key]bool{}
	var keys []key
	loads := map[key]lineLoad{}
	for _, link := range e.classes {
		from, port := t.LinkFrom(link)
		dim := port.Dim
		k, own, start := t.Side(dim), t.Coord(from, 1-dim), t.Coord(from, dim)
		id := key{int(link) / t.N(), start}
		if l, ok := loads[id]; ok {
			idle[id] = idle[id] && e.idle(link)
			loads[id] = l
			continue
		}
		l := lineLoad{dim: dim, start: start, share: make([][]int64, k)}
		for x := range l.share {
			l.share[x] = make([]int64, k)
		}
		for _, pair := range e.loads[link] {
			for _, ends := range [2][2]int{{pair.a, pair.b}, {pair.b, pair.a}} {
				if t.Coord(ends[0], 1-dim) == own && t.Coord(ends[1], 1-dim) == (own+1)%t.Side(1-dim) {
					l.share[(t.Coord(ends[0], dim)-start+k)%k][(t.Coord(ends[1], dim)-start+k)%k] = pair.weight
				}
			}
		}
		keys, loads[id], idle[id] = append(keys, id), l, e.idle(link)
	}
	var list []lineLoad
	for _, id := range keys {
		if !idle[id] {
			list = append(list, loads[id])
		}
	}
	return list
}

// lines says what the places of lines meet and what the links with a load carry.
func (e *Extension) lines(v *valuation, l lineLoad, counts []number) {
	t := e.problem.Torus()
	divisor, k := int64(0), len(l.share)
	for _, row := range l.share {
		for _, s := range row {
			divisor = core.GCD(divisor, s)
		}
	}
	divisor = max(divisor, 1)
	units, starts := e.units/divisor, []int{l.start}
	if !t.Open(l.dim) {
		starts = core.Range(k)
	}
	for _, start := range starts {
		met := make([]number, k)
		known := map[string]number{} // sums that begin alike are asked once
		for x, row := range l.share {
			name := ""
			for _, z := range fromLink(k) {
				if row[z] == 0 {
					continue
				}
				name += fmt.Sprint(z, " ", row[z], ", ")
				sum, ok := known[name]
				if !ok {
					sum = v.plus(met[x], unguarded, counts[(start+z)%k], row[z]/divisor, units+1)
					known[name] = sum
				}
				met[x] = sum
			}
		}
		for line := range t.Side(1 - l.dim) {
			load := number{}
			for x, m := range met {
				if len(m.values) > 0 {
					load = v.plus(load, e.nodeAt(l.dim, line, (start+x)%k), m, 1, units)
				}
			}
		}
	}
}

// fromLink lists the places of a line from the link between places 0 and 1 on: 0 and 1, 2 and the last, 3 and so on.
func fromLink(k int) []int {
	list := []int{0, 1}
	for near, far := 2, k-1; near <= far; near, far = near+1, far-1 {
		if list = append(list, near); near < far {
			list = append(list, far)
		}
	}
	return list
}

// maxRows and maxRowEntries are those of encode/symbreak.
const (
	maxRows       = 1024
	maxRowEntries = 16
)

// rows says, for each row of a lex-leader, whether the entries compared so far are equal.
func (e *Extension) rows(v *valuation) {
	rows := 0
	for _, image := range e.images {
		var moved []int
		for i, to := range image {
			if to != i {
				moved = append(moved, i)
			}
		}
		if len(moved) == 0 || rows == maxRows {
			continue
		}
		rows++
		equal := true
		for _, i := range moved[:min(maxRowEntries, len(moved)-1)-1] {
			equal = equal && v.in.Has(i) == v.in.Has(image[i])
			v.say(equal)
		}
	}
}

// Leader returns the image of a placement, under the group of the problem, whose list of entries 1 for a processor and
// 0 for none is lexicographically largest: the one that rows which break symmetry keep in any case. Without such rows
// it returns the placement.
func (e *Extension) Leader(s core.Placement) core.Placement {
	best := s.Nodes()
	for _, image := range e.images {
		nodes := make([]int, 0, s.Size())
		for _, v := range s.Nodes() {
			nodes = append(nodes, image[v])
		}
		slices.Sort(nodes)
		if slices.Compare(nodes, best) < 0 {
			best = nodes
		}
	}
	return core.MustPlacement(s.Torus(), best)
}

// Problem says which clause of the formula the values of a placement do not satisfy, or that the formula has another
// number of variables than it should, "" if neither.
func (e *Extension) Problem(s core.Placement) string {
	values := e.Values(s)
	if len(values)-1 != e.formula.Vars() {
		return fmt.Sprintf("the formula has %d variables, their meanings are %d", e.formula.Vars(), len(values)-1)
	}
	err := e.formula.Write(truth(values))
	if err != nil {
		return err.Error()
	}
	return ""
}

// truth are the values of variables, a sink that fails with the first clause of which no literal holds.
type truth []bool

// Add implements cnf.Sink.
func (v truth) Add(clause []int) error {
	for _, l := range clause {
		if v[max(l, -l)] == (l > 0) {
			return nil
		}
	}
	return fmt.Errorf("the clause %v does not hold", clause)
}
