package routing

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"

	"leeway/core"
)

// Legs is a routing whose messages go along two legs, one after the other: the turn models, whose second leg has the
// steps that the first must not take, and those by way of a random node, between the legs. Rules lists them.
type Legs struct {
	base
	rule *rule
	ties int64 // val: common multiple of the numbers of shortest vectors
	once sync.Once
	den  *big.Int // once known
}

// A rule says what the legs of a pair are.
type rule struct {
	name string
	flat bool // two dimensions only
	// early reports, for turn models, whether a step belongs to the first leg; a leg takes its steps in every sequence.
	early func(t *core.Torus, dim int, up bool) bool
	// trips yields, for routings by way of a node, all choices of the two legs; each leg corrects one dimension after the
	// other, in index order or, if any, in every order.
	trips func(r *Legs, p, q int) iter.Seq[trip]
	any   bool
	// detours reports whether paths may be longer than the shortest.
	detours bool
}

// A trip is a choice of two legs, as vectors of steps, with the weight of each path along them.
type trip struct {
	weight int64
	legs   [2][]int
}

// rules are, by name:
//
//	west-first      steps in the - direction of dimension 1 first, then the others (Glass and Ni, 1992)
//	north-last      steps in the - direction of dimension 0, up in pictures, last (the same)
//	negative-first  all steps in - directions first, then those in + directions (the same)
//	val             by way of any node, all equally likely, on shortest paths (Valiant, 1981)
//	romm            by way of a node of the box between the ends, all equally likely (Nesson and Johnsson, 1995: two
//	                phases)
//	rlb             around each ring of k nodes in either direction, by d steps with the probability 1 - d/k; then as
//	                romm, either leg in any order of the dimensions (Singh et al., 2002)
var rules = []*rule{
	{name: "west-first", flat: true, early: func(_ *core.Torus, dim int, up bool) bool { return dim == 1 && !up }},
	{name: "north-last", flat: true, early: func(_ *core.Torus, dim int, up bool) bool { return dim != 0 || up }},
	{name: "negative-first", early: func(_ *core.Torus, _ int, up bool) bool { return !up }},
	{name: "val", trips: (*Legs).anywhere, detours: true},
	{name: "romm", trips: (*Legs).minimalTrips},
	{name: "rlb", trips: (*Legs).ringTrips, any: true, detours: true},
}

// Limits of weights, so that sums of them over many messages fit a word, and of what all paths of a pair weigh.
const (
	maxTripBits = 34
	maxPathBits = 60
)

// NewLegs returns the routing with a name of the list at Rules. Errors are *core.InputError: another name, a turn model
// of two dimensions elsewhere, rlb on a twisted torus or with ties plus, and networks so large that the weights of
// paths pass 60 bits.
func NewLegs(t *core.Torus, name string, tie Tie) (*Legs, error) {
	fail := func(problem, hint string) (*Legs, error) {
		return nil, core.Invalid(name, "%s", problem).Hinted(hint)
	}
	i := slices.IndexFunc(rules, func(r *rule) bool { return r.name == name })
	if i < 0 {
		return fail("unknown routing", "the names are "+strings.Join(Rules(), ", "))
	}
	r := &Legs{base: base{t, tie}, rule: rules[i], ties: 1}
	switch {
	case r.rule.flat && t.D() != 2:
		return fail(fmt.Sprintf("%s is defined in two dimensions, %s has %d", name, t, t.D()),
			"negative-first is defined in any number")
	case r.rule.any && !t.Separable():
		return fail(fmt.Sprintf("%s goes around rings, %s has none", name, t), "val and romm have a meaning there")
	case r.rule.any && tie == TiePlus:
		return fail(name+" chooses the direction by its length, so both ways of a tie are taken", "omit tie=plus")
	}
	for q := 0; r.rule.name == "val" && q < t.N(); q++ {
		r.ties = core.LCM(r.ties, int64(len(t.Vectors(0, q, tie == TieBoth))))
		if t.Separable() && tie == TieBoth {
			r.ties = 1
			for j := range t.D() {
				if k := t.Side(j); k > 2 && k%2 == 0 && !t.Open(j) {
					r.ties *= 2
				}
			}
			break
		}
	}
	if most := r.mostWeight(); r.rule.trips != nil && most.BitLen() > maxTripBits || most.BitLen() > maxPathBits {
		return fail("the paths between two nodes of "+t.String()+" have weights that are too large", "take a smaller torus")
	}
	return r, nil
}

// Rules returns the names that NewLegs takes.
func Rules() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// legFamilies returns the rows of the rules in the table of routings.
func legFamilies() (list []family) {
	for _, name := range Rules() {
		list = append(list, family{name, TieBoth, func(t *core.Torus, text *core.Text, tie Tie) (Routing, error) {
			r, err := NewLegs(t, name, tie)
			if e, ok := err.(*core.InputError); ok {
				e.Text, e.Part = text.Whole, text.Name
				return nil, e
			}
			return r, nil
		}})
	}
	return list
}

// mostWeight returns a number that what all paths of a pair weigh together does not pass.
func (r *Legs) mostWeight() *big.Int {
	t := r.torus
	most := big.NewInt(r.ties * r.ties)
	switch {
	case r.rule.name == "val":
		return most.Mul(most, big.NewInt(int64(t.N())))
	case r.rule.any:
		for j := range t.D() {
			dim := int64(1)
			for d := range t.Side(j) {
				total := int64(0)
				for _, way := range r.ways(j, d) {
					total += way.weight * int64(max(way.steps, -way.steps)+1)
				}
				dim = max(dim, total)
			}
			most.Mul(most, big.NewInt(dim))
		}
		orders := big.NewInt(factorial(min(t.D(), 20)))
		return most.Mul(most, orders).Mul(most, orders)
	case !t.Separable():
		for q := range t.N() {
			if total := r.Weight(0, q); total.Cmp(most) > 0 {
				most = total
			}
		}
		return most
	}
	far := make([]int, t.D()) // the ends that are farthest apart have the most paths, or the largest box
	for j, k := range t.Dims() {
		if far[j] = k / 2; t.Open(j) {
			far[j] = k - 1
		}
		if r.tie == TieBoth {
			most.Lsh(most, 1)
		}
	}
	if r.rule.trips == nil {
		return most.Mul(most, manyPaths(far))
	}
	for _, steps := range far {
		most.Mul(most, big.NewInt(int64(steps+1)))
	}
	return most
}

// String returns the canonical form: the name with the tie rule.
func (r *Legs) String() string { return r.rule.name + ":tie=" + r.tie.String() }

// Shortest reports whether every path is a shortest one.
func (r *Legs) Shortest() bool { return !r.rule.detours }

// Uniform reports whether paths are distinct and of one weight, as those of turn models are.
func (r *Legs) Uniform() bool { return r.rule.trips == nil }

// Early reports, for a turn model, whether a step along a dimension, up or down, belongs to the first leg; ok is false
// for other routings.
func (r *Legs) Early(dim int, up bool) (early, ok bool) {
	if r.rule.early == nil {
		return false, false
	}
	return r.rule.early(r.torus, dim, up), true
}

// Unordered reports whether a leg corrects the dimensions in any order.
func (r *Legs) Unordered() bool { return r.rule.any }

// choices yields the choices of the legs from p to q.
func (r *Legs) choices(p, q int) iter.Seq[trip] {
	if r.rule.trips != nil {
		return r.rule.trips(r, p, q)
	}
	return r.split(p, q)
}

// split yields the legs of a turn model for every shortest vector.
func (r *Legs) split(p, q int) iter.Seq[trip] {
	return func(yield func(trip) bool) {
		for _, v := range r.torus.Vectors(p, q, r.tie == TieBoth) {
			one := trip{1, [2][]int{make([]int, len(v)), make([]int, len(v))}}
			for j, steps := range v {
				leg := 1
				if r.rule.early(r.torus, j, steps > 0) {
					leg = 0
				}
				one.legs[leg][j] = steps
			}
			if !yield(one) {
				return
			}
		}
	}
}

// anywhere yields the legs by way of every node. The shortest vectors of a leg are equally likely.
func (r *Legs) anywhere(p, q int) iter.Seq[trip] {
	return func(yield func(trip) bool) {
		for stop := range r.torus.N() {
			there := r.torus.Vectors(p, stop, r.tie == TieBoth)
			on := r.torus.Vectors(stop, q, r.tie == TieBoth)
			weight := r.ties / int64(len(there)) * (r.ties / int64(len(on)))
			for _, a := range there {
				for _, b := range on {
					if !yield(trip{weight, [2][]int{a, b}}) {
						return
					}
				}
			}
		}
	}
}

// minimalTrips yields the legs by way of every node of the box of every shortest vector, which are equally likely.
func (r *Legs) minimalTrips(p, q int) iter.Seq[trip] {
	return func(yield func(trip) bool) {
		vectors, common := r.torus.Vectors(p, q, r.tie == TieBoth), int64(1)
		for _, v := range vectors {
			common = core.LCM(common, inBox(v))
		}
		for _, v := range vectors {
			if !stops(trip{common / inBox(v), [2][]int{make([]int, len(v)), slices.Clone(v)}}, 0, yield) {
				return
			}
		}
	}
}

// inBox returns the number of nodes of the box of a vector.
func inBox(v []int) int64 {
	nodes := int64(1)
	for _, steps := range v {
		nodes *= int64(max(steps, -steps) + 1)
	}
	return nodes
}

// stops yields a trip with its second leg, from dimension j on, divided among the two in every way.
func stops(one trip, j int, yield func(trip) bool) bool {
	if j == len(one.legs[0]) {
		return yield(trip{one.weight, [2][]int{slices.Clone(one.legs[0]), slices.Clone(one.legs[1])}})
	}
	all, dir := one.legs[1][j], 1
	if all < 0 {
		dir = -1
	}
	for i := 0; i <= all*dir; i++ {
		one.legs[0][j], one.legs[1][j] = i*dir, all-i*dir
		if !stops(one, j+1, yield) {
			return false
		}
	}
	one.legs[0][j], one.legs[1][j] = 0, all
	return true
}

// A way is a number of steps along a ring, with the weight of each place to stop on it.
type way struct {
	steps  int
	weight int64
}

// ways returns how rlb goes d steps up dimension j: that far, or the rest of the ring down, the less likely the longer.
// Where there is one way it has it.
func (r *Legs) ways(j, d int) []way {
	k := r.torus.Side(j)
	if d == 0 || r.torus.Open(j) || !r.torus.BothWays(j) {
		return []way{{d, 1}}
	}
	common := core.LCM(int64(d+1), int64(k-d+1))
	return []way{{d, int64(k-d) * (common / int64(d+1))}, {d - k, int64(d) * (common / int64(k-d+1))}}
}

// ringTrips yields the legs by way of every node of every box that leads from p to q once at most around each ring.
func (r *Legs) ringTrips(p, q int) iter.Seq[trip] {
	return func(yield func(trip) bool) {
		t := r.torus
		v, weight := make([]int, t.D()), int64(1)
		var choose func(j int) bool
		choose = func(j int) bool {
			if j == t.D() {
				orders := factorial(t.D())
				return stops(trip{weight, [2][]int{make([]int, t.D()), slices.Clone(v)}}, 0, func(one trip) bool {
					for _, leg := range one.legs { // as if all orders were taken, of which some are the same path
						one.weight *= orders / factorial(len(moved(leg)))
					}
					return yield(one)
				})
			}
			d := t.Coord(q, j) - t.Coord(p, j)
			if !t.Open(j) {
				d = core.Mod(d, t.Side(j))
			}
			before := weight
			for _, way := range r.ways(j, d) {
				v[j], weight = way.steps, before*way.weight
				if !choose(j + 1) {
					return false
				}
			}
			weight = before
			return true
		}
		choose(0)
	}
}

// walk calls yield for every way to go along a leg from a node, with the links behind those of path and the node
// reached, until it returns false.
func (r *Legs) walk(path []core.Link, node int, leg []int, yield func(path []core.Link, end int) bool) bool {
	if r.rule.trips == nil {
		return walkBox(r.torus, path, node, boxOf(leg), yield)
	}
	orders := slices.Values([][]int{moved(leg)})
	if r.rule.any {
		orders = permutations(moved(leg))
	}
	for order := range orders {
		longer, end := path, node
		for _, j := range order {
			longer, end = appendSegment(r.torus, longer, end, j, leg[j])
		}
		if !yield(longer, end) {
			return false
		}
	}
	return true
}

// walks returns in how many ways walk goes along a leg.
func (r *Legs) walks(leg []int) int64 {
	switch {
	case r.rule.trips == nil:
		return interleavings(boxOf(leg).steps)
	case r.rule.any:
		return factorial(len(moved(leg)))
	}
	return 1
}

// interleavings returns in how many sequences some steps can be taken, within the limit of NewLegs.
func interleavings(steps []int) int64 {
	if n, ok := wordPaths(steps); ok {
		return int64(n)
	}
	return manyPaths(steps).Int64()
}

// Paths yields the paths choice by choice.
func (r *Legs) Paths(p, q int, _ core.Set) iter.Seq2[[]core.Link, int64] {
	return func(yield func([]core.Link, int64) bool) {
		var path []core.Link
		for one := range r.choices(p, q) {
			more := r.walk(path[:0], p, one.legs[0], func(first []core.Link, stop int) bool {
				return r.walk(first, stop, one.legs[1], func(whole []core.Link, _ int) bool {
					path = whole
					return yield(whole, one.weight)
				})
			})
			if !more {
				return
			}
		}
	}
}

// Weight returns what the paths of a pair weigh together.
func (r *Legs) Weight(p, q int) *big.Int {
	total := new(big.Int)
	for one := range r.choices(p, q) {
		each := big.NewInt(one.weight)
		for _, leg := range one.legs {
			each.Mul(each, big.NewInt(r.walks(leg)))
		}
		total.Add(total, each)
	}
	return total
}

// Listed returns how many links Paths lists for a pair, or math.MaxInt64 where these are more.
func (r *Legs) Listed(p, q int) int64 {
	total := new(big.Int)
	for one := range r.choices(p, q) {
		links := int64(0)
		for _, leg := range one.legs {
			for _, steps := range leg {
				links += int64(max(steps, -steps))
			}
		}
		each := big.NewInt(links)
		for _, leg := range one.legs {
			each.Mul(each, big.NewInt(r.walks(leg)))
		}
		total.Add(total, each)
	}
	if !total.IsInt64() {
		return math.MaxInt64
	}
	return total.Int64()
}

// Flow adds up the legs of every choice. Cost: for turn models the volume of the box between the ends, else the links
// of all choices of legs.
func (r *Legs) Flow(p, q int, _ core.Set) Flow {
	f, _ := r.flow(p, q, nil) // no watch, no error
	return f
}

// flow is Flow until the watch ends.
func (r *Legs) flow(p, q int, w *core.Watch) (Flow, error) {
	loads, used, total := make([]int64, r.torus.M()), []core.Link(nil), int64(0)
	add := func(l core.Link, weight int64) {
		if loads[l] == 0 {
			used = append(used, l)
		}
		loads[l] += weight
	}
	for one := range r.choices(p, q) {
		counts := [2]int64{r.walks(one.legs[0]), r.walks(one.legs[1])}
		total += one.weight * counts[0] * counts[1]
		node := p
		for i, leg := range one.legs {
			weight := one.weight * counts[1-i]
			if r.rule.trips == nil {
				b := boxOf(leg)
				_ = b.points(r.torus, node, func(at int, made, left []int) error { // which does not fail
					for i := range left {
						if left[i] > 0 {
							left[i]--
							add(r.torus.Link(at, i, b.dirs[i]), weight*interleavings(made)*interleavings(left))
							left[i]++
						}
					}
					return nil
				})
			} else {
				r.walk(nil, node, leg, func(path []core.Link, _ int) bool {
					for _, l := range path {
						add(l, weight)
					}
					return true
				})
			}
			for j, steps := range leg {
				node = r.torus.Shift(node, j, steps)
			}
		}
		if err := w.Err(stepsOfSplit); err != nil {
			return Flow{}, err
		}
	}
	slices.Sort(used)
	f := Flow{Den: big.NewInt(total), Shares: make([]Share, len(used))}
	for i, l := range used {
		f.Shares[i] = Share{Link: l, Num: big.NewInt(loads[l])}
	}
	return f, w.Err(len(used) * stepsOfShare)
}

// Denominator returns the least common multiple of what the paths of all pairs weigh, nil on networks of more than
// 10000 nodes, or where it has more than 1000 bits.
func (r *Legs) Denominator() *big.Int {
	r.once.Do(func() { r.den = r.denominator() })
	if r.den == nil {
		return nil
	}
	return new(big.Int).Set(r.den)
}

func (r *Legs) denominator() *big.Int {
	// What paths weigh depends on the vectors, all of which begin at the corners of open dimensions.
	t, corners := r.torus, []int{0}
	if r.rule.name == "val" {
		return r.Weight(0, 0) // the same for all pairs
	}
	if t.N() > maxDisplacements {
		return nil
	}
	for j, k := range t.Dims() {
		if t.Open(j) {
			for _, v := range slices.Clone(corners) {
				corners = append(corners, v+(k-1)*t.Stride(j))
			}
		}
	}
	den := big.NewInt(1)
	for _, p := range corners {
		for q := range t.N() {
			if core.FoldLCM(den, r.Weight(p, q)); den.BitLen() > maxDenominatorBits {
				return nil
			}
		}
	}
	return den
}

const maxDenominatorBits = 1000
