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

// cyclic returns the cyclic groups that Method goes through: those with elements that are not translations, and with
// orbits that can make up the size, one of each class under conjugation by kin, with the most elements first, then in
// the order of their texts.
func cyclic(_ context.Context, p objective.Problem) ([]choice, error) {
	g, err := groupOf(p)
	if err != nil {
		return nil, err
	}
	images := g.images()
	var list []choice
	for _, s := range g.cyclic() {
		if s.fits(p) && s.entries() <= maxEntries {
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

// cyclic returns the cyclic subgroups whose generator is not a translation, one of each class under conjugation by
// kin, with the generator of the smallest number in its class. The shifts of a point are conjugate by translations if
// what these translations and their images differ by takes one to the other.
func (g *group) cyclic() []*Subgroup {
	t, n := g.torus, g.torus.N()
	if p := len(g.points); p*p > maxConjugations/n {
		return nil
	}
	for i := range g.points {
		var differences []int
		for _, step := range family.Span(t, g.shifts...).Generators() {
			differences = append(differences, t.Displacement(g.linear[i][step], step))
		}
		g.spans = append(g.spans, family.Span(t, differences...))
	}
	var own map[int]bool
	if len(g.kin)*len(g.shifts) < g.order() && g.order() > maxOthers {
		own = g.ofKin()
	}
	var list []*Subgroup
	for i, span := range g.spans {
		for _, shift := range span.Representatives() {
			e := elements.Element{Point: g.points[i], Shift: shift}
			number := i*n + shift
			if !e.Permutes() && !e.Reflects() || shift != t.ClosedPart(shift) || own != nil && !own[number] ||
				!g.leads(e, number) {
				continue
			}
			if s, ok := newSubgroup(t, []elements.Element{e}); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// leads reports whether no element that generates a conjugate of the group of an element has a smaller number.
func (g *group) leads(e elements.Element, number int) bool {
	powers := []elements.Element{e}
	for x := e.Compose(g.torus, e); g.numberOf(x) != number; x = e.Compose(g.torus, x) {
		powers = append(powers, x)
	}
	for i, power := range powers {
		if core.GCD(i+1, len(powers)) != 1 {
			continue
		}
		for _, by := range g.kin {
			to := g.numberOf(by.Compose(g.torus, power).Compose(g.torus, by.Inverse(g.torus)))
			point, shift := to/g.torus.N(), to%g.torus.N()
			if point*g.torus.N()+g.spans[point].Representative(shift) < number {
				return false
			}
		}
	}
	return true
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
