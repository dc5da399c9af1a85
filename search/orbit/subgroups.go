package orbit

import (
	"cmp"
	"context"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/objective/fast"
)

// Limits of what is listed: elements that are sorted into conjugacy classes, times points (past it no cyclic groups
// are tried); elements by which lattices are compared and that count as symmetries of unions (fewer of them cost time
// only); elements of which all, not only kin, generate cyclic groups where nodes are fixed or forbidden; lattices of
// one order, and numbers in the table of one lattice (the others are not looked at).
const (
	maxConjugations = 1 << 27
	maxPoints       = 400
	maxOthers       = 1 << 13
	maxLattices     = 20_000
	maxTable        = 1 << 20
)

// maxSingles is the most cosets of the lattice of one node: their unions are any placements, and other methods' work.
const maxSingles = 3

// cyclic returns the cyclic groups that Method goes through: those with elements that are no translations, and of which
// some orbits make up the size, one of each class under conjugation by kin, with the most elements first, then in the
// order of their texts.
func cyclic(_ context.Context, p objective.Problem) ([]choice, error) {
	g, err := groupOf(p)
	if err != nil {
		return nil, err
	}
	images := g.images()
	var list []choice
	for _, s := range g.cyclic() {
		if e := s.gens[0]; (e.Permutes() || e.Reflects()) && s.fits(p) && s.entries() <= maxEntries {
			list = append(list, choice{Subgroup: s, problem: p, points: images})
		}
	}
	slices.SortFunc(list, func(a, b choice) int { return cmp.Or(b.order-a.order, cmp.Compare(a.String(), b.String())) })
	return list, nil
}

// images returns the images of nodes under kin, as many as are looked at.
func (g *group) images() (list [][]int) {
	for _, e := range g.kin {
		images := e.Images(g.torus)
		for _, shift := range g.shifts {
			if len(list) == maxImages {
				return list
			}
			image := make([]int, len(images))
			for v, w := range images {
				image[v] = g.torus.Sum(w, shift)
			}
			list = append(list, image)
		}
	}
	return list
}

// maxImages is the most elements of which images are the symmetries of unions of one subgroup.
const maxImages = 1 << 12

// lattices returns the lattices that Lattice goes through for placements of a problem, those with the fewest cosets
// first; the error may be that of the context.
func lattices(ctx context.Context, p objective.Problem) ([]choice, error) {
	t, n := p.Torus(), p.Size
	group, err := fast.Group(ctx, p)
	if err != nil {
		return nil, err
	}
	var points [][]int
	for i := range min(group.Points(), maxPoints) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		points = append(points, group.Images(i, 0))
	}
	bases := len(t.Bases())
	var list []choice
	for order := n; order > 0; order-- {
		index := t.N() / order
		if n%order != 0 || t.Translations()%order != 0 || index > maxTable/index/t.Degree()/bases ||
			order == 1 && n > maxSingles {
			continue
		}
		listed := 0
		for l := range family.Lattices(t, order) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if kept, earliest := keepers(l, points); earliest && possible(p, l) {
				s := &Subgroup{torus: t, order: order}
				for _, v := range l.Generators() {
					s.gens = append(s.gens, elements.Translation(t, v))
				}
				list = append(list, choice{s, p, true, moved(group, kept)})
			}
			if listed++; listed == maxLattices {
				break
			}
		}
	}
	return list, nil
}

// possible reports whether some cosets of a lattice, of which each is in if it has a fixed node and out if it has a
// forbidden one, make up a placement of a problem.
func possible(p objective.Problem, l family.Lattice) bool {
	in, out := map[int]bool{}, map[int]bool{}
	for _, v := range p.Fixed.Nodes() {
		in[l.Representative(v)] = true
	}
	for _, v := range p.Forbidden.Nodes() {
		if rep := l.Representative(v); in[rep] {
			return false
		} else {
			out[rep] = true
		}
	}
	size := p.Size / l.Order()
	return len(in) <= size && size <= l.Index()-len(out)
}

// moved returns the images of nodes under elements followed by translations of a group that does not have all of them,
// where they are few enough; of one that has, those given.
func moved(g *symmetry.Group, elements [][]int) [][]int {
	shifts := g.Shifts()
	if len(shifts) == g.Torus().Translations() || len(elements)*len(shifts) > maxPoints {
		return elements
	}
	var list [][]int
	for _, images := range elements {
		for _, shift := range shifts {
			image := make([]int, len(images))
			for v, w := range images {
				image[v] = g.Torus().Sum(w, shift)
			}
			list = append(list, image)
		}
	}
	return list
}

// keepers returns the points that take a lattice to itself, and whether none takes it to an earlier one.
func keepers(l family.Lattice, points [][]int) (kept [][]int, earliest bool) {
	for _, images := range points {
		switch c := image(l, images).Compare(l); {
		case c < 0:
			return nil, false
		case c == 0:
			kept = append(kept, images)
		}
	}
	return kept, true
}

// image returns what an element with the given images of nodes makes of a lattice.
func image(l family.Lattice, images []int) family.Lattice {
	gens, t := l.Generators(), l.Torus()
	for i, v := range gens {
		gens[i] = t.ClosedPart(t.Displacement(images[0], images[v]))
	}
	return family.Span(t, gens...)
}

// cyclic returns the cyclic subgroups, one of each conjugacy class, generated by the element that comes first among the
// generators of the class.
func (g *group) cyclic() []*Subgroup {
	if p := len(g.points); p*p > maxConjugations/g.torus.N() {
		return nil
	}
	class := g.classes()
	var own map[int]bool
	if len(g.kin)*len(g.shifts) < g.order() && g.order() > maxOthers {
		own = g.ofKin()
	}
	var list []*Subgroup
	for i, least := range class {
		if i != least || i == 0 || own != nil && !own[i] || !g.leads(i, class) {
			continue
		}
		if s, ok := newSubgroup(g.torus, []elements.Element{g.element(i)}); ok {
			list = append(list, s)
		}
	}
	return list
}

// ofKin returns the numbers of the kin.
func (g *group) ofKin() map[int]bool {
	own := map[int]bool{}
	for _, e := range g.kin {
		for _, shift := range g.shifts {
			own[g.numberOf(elements.Element{Point: e.Point, Shift: g.torus.Sum(e.Shift, shift)})] = true
		}
	}
	return own
}

// leads reports whether no power of element i that generates the same group has an earlier class.
func (g *group) leads(i int, class []int) bool {
	e := g.element(i)
	powers := []int{i}
	for x := e.After(g.torus, e); g.numberOf(x) != i; x = e.After(g.torus, x) {
		powers = append(powers, g.numberOf(x))
	}
	for j, number := range powers {
		if core.GCD(j+1, len(powers)) == 1 && class[number] < i {
			return false
		}
	}
	return true
}

// classes returns for every element the smallest number in its class under conjugation by kin, -1 for numbers that no
// element has.
func (g *group) classes() []int {
	n := g.torus.N()
	class := make([]int, len(g.points)*n)
	for i := range class {
		class[i] = -1
	}
	conjugate := g.conjugates()
	for i := range class {
		if class[i] >= 0 || i%n != g.torus.ClosedPart(i%n) {
			continue
		}
		class[i] = i
		reached := []int{i}
		for r := 0; r < len(reached); r++ { // reached grows while we walk it
			for _, to := range conjugate(reached[r]) {
				if class[to] < 0 {
					class[to] = i
					reached = append(reached, to)
				}
			}
		}
	}
	return class
}

// conjugates returns a function that lists the conjugates of an element by the listed kin and by translations that
// generate those among kin.
func (g *group) conjugates() func(i int) []int {
	t, n := g.torus, g.torus.N()
	conjugate := make([][]int, len(g.kin)) // by kin c, point p: the number of c p c^-1
	points := make([][]int, len(g.kin))    // by kin: what its point makes of shifts
	for c, by := range g.kin {
		inverse := by.Inverse(t)
		points[c] = g.linear[g.numberOf(elements.Element{Point: by.Point})/n]
		for _, p := range g.points {
			conjugate[c] = append(conjugate[c], g.numberOf(by.After(t, elements.Element{Point: p}).After(t, inverse)))
		}
	}
	steps := family.Span(t, g.shifts...).Generators()
	var list []int
	return func(i int) []int {
		p, shift := i/n, i%n
		list = list[:0]
		for c := range g.kin {
			to := conjugate[c][p]
			list = append(list, to-to%n+t.Sum(to%n, points[c][shift]))
		}
		for _, step := range steps {
			list = append(list, p*n+t.Sum(shift, t.Displacement(g.linear[p][step], step)))
		}
		return list
	}
}
