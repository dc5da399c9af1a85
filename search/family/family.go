package family

import (
	"context"
	"iter"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// maxCandidates bounds how many placements Run evaluates.
const maxCandidates = 20_000

// Method is the search among residue classes.
type Method struct{}

// Name returns "family".
func (Method) Name() string { return "family" }

// Supports refuses networks without dimensions. Any other problem can be tried, though many sizes have no
// residue-class placement.
func (m Method) Supports(p objective.Problem) error {
	if !p.Torus().HasDimensions() {
		return search.Unsupported(m.Name(), p, "nodes have no coordinates")
	}
	return nil
}

// UsesStarts returns false: what is tried depends on the problem only.
func (Method) UsesStarts() bool { return false }

// Run evaluates, for client traffic, the placements of controllers of the literature, then
// the residue-class placements of the problem's size in a fixed
// order, then one with processors dropped from a larger size, and returns the
// first of the best. Without any Value is nil. Reason is Complete when all were
// seen. Where nodes are fixed or forbidden, placements are mended: the fixed nodes
// are added, the forbidden ones left out, and processors dropped from what is too large. Placements that do not keep to
// a radius are left out.
func (Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	r := &run{params: p, evaluator: fast.NewEvaluator(p.Problem), left: maxCandidates,
		least: p.Problem.Size, most: p.Problem.Size}
	if p.Evaluations > 0 {
		r.left = min(r.left, p.Evaluations)
	}
	r.planar(ctx)
	r.classes(ctx)
	if !r.stopped(ctx) {
		r.drop(ctx)
	}
	switch {
	case p.Done(r.out.Value):
		r.out.Reason = search.Reached
	case ctx.Err() != nil:
		r.out.Reason = search.Stopped
	case r.left <= 0:
		r.out.Reason = search.Spent
	default:
		r.out.Reason = search.Complete
	}
	return r.out, nil
}

// A run is the state of one Run.
type run struct {
	params    search.Params
	evaluator *fast.Evaluator
	least     int    // size of placements that are taken
	most      int    // and the largest
	left      int64  // evaluations
	note      string // of the best
	quiet     bool   // report nothing
	out       search.Outcome
}

func (r *run) spend(n int64) {
	r.left -= n
	r.out.Evaluations += n
}

// stopped reports whether there is no more to look for.
func (r *run) stopped(ctx context.Context) bool {
	return ctx.Err() != nil || r.left <= 0 || r.params.Done(r.out.Value)
}

// planar evaluates the placements of controllers that family.Planar lists.
func (r *run) planar(ctx context.Context) {
	p := r.params.Problem
	if !p.Traffic.Clients() {
		return
	}
	for _, text := range family.Planar(p.Torus(), p.Size) {
		placement, err := family.Parse(p.Torus(), text)
		if err != nil {
			panic(err) // Planar lists what fits the torus
		}
		if r.stopped(ctx) || !p.Admits(placement) {
			continue
		}
		r.spend(1)
		r.take(placement, text)
	}
}

// classes evaluates the residue-class placements of the size.
func (r *run) classes(ctx context.Context) {
	t := r.params.Problem.Torus()
	for class := range Classes(t, r.params.Problem.Size) {
		if r.stopped(ctx) {
			return
		}
		placement, err := class.Placement(t)
		if err != nil {
			panic(err) // Classes yields what fits the torus
		}
		note := class.String()
		if p := r.params.Problem; !p.Admits(placement) {
			placement, note = mended(p, placement), note+", mended"
		}
		if n := placement.Size(); n < r.least || n > r.most {
			continue
		}
		r.spend(1)
		r.take(placement, note)
	}
}

// mended returns a placement with processors on the fixed nodes of a problem and without those on forbidden ones.
func mended(p objective.Problem, s core.Placement) core.Placement {
	set := s.Set()
	for _, v := range p.Fixed.Nodes() {
		set.Add(v)
	}
	for _, v := range p.Forbidden.Nodes() {
		set.Remove(v)
	}
	return core.MustPlacement(p.Torus(), set.Nodes())
}

// take keeps a placement if it is the best so far.
func (r *run) take(placement core.Placement, note string) {
	value, _ := r.evaluator.Loads(placement).Max()
	if r.out.Value != nil && value.Cmp(r.out.Value) >= 0 || placement.Size() == r.params.Problem.Size &&
		!r.params.Problem.Admits(placement) {
		return
	}
	r.out.Best, r.out.Value, r.note = placement, value, note
	if !r.quiet {
		r.params.Report(search.Event{Value: value, Best: placement, Evaluations: r.out.Evaluations, Improved: true,
			Note: note})
	}
}

// Classes yields the residue-class placements of the given size on t whose
// classes are all equally large: the coefficients respect the sides, c_j k_j = 0
// mod m. All-ones coefficients come first.
func Classes(t *core.Torus, size int) iter.Seq[family.Residues] {
	return func(yield func(family.Residues) bool) {
		for _, m := range moduli(t) {
			for c := range coefficients(t, m) {
				classes := m / common(c, m) // how many residues occur
				if size*classes%t.N() != 0 {
					continue
				}
				count := size * classes / t.N()
				for _, r := range residueSets(count, classes, common(c, m)) {
					if !yield(family.Residues{Coefficients: slices.Clone(c), Modulus: m, Residues: r}) {
						return
					}
				}
			}
		}
	}
}

// moduli returns the moduli to try: those that share a factor with some side,
// the common or largest side first.
func moduli(t *core.Torus) []int {
	lcm, largest := 1, 0
	for j := range t.D() {
		k := t.Side(j)
		largest = max(largest, k)
		lcm = lcm / core.GCD(lcm, k) * k
		if lcm > 4*largest { // enough: larger moduli give ever thinner classes
			lcm = largest
		}
	}
	list := []int{largest}
	for m := 2; m <= lcm; m++ {
		if lcm%m == 0 && m != largest {
			list = append(list, m)
		}
	}
	return list
}

// coefficients yields the coefficient vectors for modulus m, all ones first if
// it is one of them, then in lexicographic order. The slice is reused.
func coefficients(t *core.Torus, m int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		c := make([]int, t.D())
		step := make([]int, t.D())
		for j := range c {
			c[j] = 1
			step[j] = m / core.GCD(m, t.Side(j))
		}
		first := !slices.ContainsFunc(step, func(s int) bool { return s != 1 })
		if first && !yield(c) {
			return
		}
		clear(c)
		for advance(c, step, m) {
			if first && !slices.ContainsFunc(c, func(x int) bool { return x != 1 }) {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// advance moves c to the next vector of multiples of step below m and reports
// whether there is one.
func advance(c, step []int, m int) bool {
	for j := len(c) - 1; j >= 0; j-- {
		if c[j] += step[j]; c[j] < m {
			return true
		}
		c[j] = 0
	}
	return false
}

// residueSets returns count residues in a row, and spread evenly where that
// differs, out of the multiples of unit below classes*unit.
func residueSets(count, classes, unit int) [][]int {
	row, spread := make([]int, count), make([]int, count)
	for i := range count {
		row[i] = i * unit
		spread[i] = i * classes / count * unit
	}
	if slices.Equal(row, spread) {
		return [][]int{row}
	}
	return [][]int{row, spread}
}

// common returns the greatest common divisor of all coefficients and m.
func common(c []int, m int) int {
	for _, x := range c {
		m = core.GCD(m, x)
	}
	return m
}
