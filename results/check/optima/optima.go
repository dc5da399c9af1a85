// Package optima checks lists of all optimal placements: that they are as many, up to symmetry and with all images, as
// steps place.
package optima

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/meter"
)

// Problem says what is wrong with the optima of a record, "" if nothing is: steps place as many, up to the group that
// preserves E_max and with all images, and what the record lists of them is that.
func Problem(m *meter.Meter, l check.Listed) string {
	group, err := Group(m, l.Problem)
	if err != nil {
		return err.Error()
	}
	placed, problem := l.Placed()
	if problem != "" {
		return problem
	}
	if !holds(m, group, placed.Elements) {
		return "the steps use symmetries outside the group by which orbits are counted"
	}
	labelled, orbits := int64(0), map[string]results.Orbit{} // by the smallest placement of each
	for _, nodes := range placed.Placed {
		name, orbit := orbitOf(m, group, nodes)
		if _, twice := orbits[name]; !twice {
			orbits[name] = orbit
			labelled += orbit.Size
		}
	}
	r := l.Record
	switch {
	case len(orbits) != *r.Orbits:
		return fmt.Sprintf("%d orbits are counted here, the record says %d", len(orbits), *r.Orbits)
	case labelled != *r.Labelled:
		return fmt.Sprintf("the orbits hold %d placements, not %d", labelled, *r.Labelled)
	case r.Optima == nil && r.OptimaOrbits != nil &&
		!slices.Equal(sorted(slices.Values(r.OptimaOrbits)), sorted(maps.Values(orbits))):
		return "optima_orbits are not the orbits that are counted here"
	case r.Optima == nil:
		return ""
	}
	own, _ := orbitOf(m, group, l.Placement.Nodes())
	listed := map[string]bool{}
	for i, coords := range *r.Optima {
		p, err := core.PlacementFromCoords(l.Problem.Torus(), coords)
		if err != nil {
			return err.Error()
		}
		name, _ := orbitOf(m, group, p.Nodes())
		orbit, counted := orbits[name]
		switch {
		case !counted:
			return fmt.Sprintf("%s is not optimal, or not of the problem", core.JoinNodes(coords))
		case listed[name]:
			return fmt.Sprintf("%s lies in the orbit of another", core.JoinNodes(coords))
		case r.OptimaOrbits != nil && r.OptimaOrbits[i] != orbit:
			return fmt.Sprintf("optima_orbits: the orbit of %s has %d placements, and %d symmetries fix it, not %d and %d",
				core.JoinNodes(coords), orbit.Size, orbit.Stabiliser, r.OptimaOrbits[i].Size, r.OptimaOrbits[i].Stabiliser)
		}
		listed[name] = true
	}
	if !listed[own] {
		return "the placement of the record is not among them"
	}
	return ""
}

// orbitOf returns the orbit of a placement, and its smallest placement as a text.
func orbitOf(m *meter.Meter, group *symmetry.Group, nodes []int) (string, results.Orbit) {
	m.ChargeAll(8, group.Points(), len(nodes), len(nodes))
	form, stabilizer := group.Canonical(nodes)
	return fmt.Sprint(form), results.Orbit{Size: int64(group.Order() / stabilizer), Stabiliser: int64(stabilizer)}
}

// sorted returns orbits by size.
func sorted(orbits iter.Seq[results.Orbit]) []results.Orbit {
	return slices.SortedFunc(orbits, func(a, b results.Orbit) int { return cmp.Compare(a.Size, b.Size) })
}

// holds reports whether a group has all of some maps of nodes.
func holds(m *meter.Meter, group *symmetry.Group, elements [][]int) bool {
	missing := map[string]bool{}
	for _, images := range elements {
		m.ChargeAll(8, len(images))
		missing[fmt.Sprint(images)] = true
	}
	for point := range group.Points() {
		for _, shift := range group.Shifts() {
			if len(missing) == 0 {
				return true
			}
			m.ChargeAll(8, group.Torus().N())
			delete(missing, fmt.Sprint(group.Images(point, shift)))
		}
	}
	return len(missing) == 0
}

// Group returns the group that preserves E_max and maps fixed and forbidden nodes to themselves. It is charged as one
// that is verified by all flows for each of its generators, and lists all points that package symmetry may list.
func Group(m *meter.Meter, p objective.Problem) (*symmetry.Group, error) {
	type answer struct {
		group *symmetry.Group
		err   error
	}
	a := meter.OncePer(m, "group", p.Routing, func() (a answer) {
		ChargeGroup(m, p.Routing, false)
		m.Foreign(0, func() { a.group, a.err = symmetry.GroupOf(p.Routing) })
		return a
	})
	if a.err != nil || !p.Conditioned() {
		return a.group, a.err
	}
	m.ChargeAll(4, a.group.Order(), p.Fixed.Count()+p.Forbidden.Count())
	return a.group.StabiliserOf(p.Fixed, p.Forbidden), nil
}

// maxGroupPoints is the most points that package symmetry lists.
const maxGroupPoints = 50_000

// ChargeGroup charges what Group does and, where there are conditions, the look at every element whether it keeps
// to them.
func ChargeGroup(m *meter.Meter, r routing.Routing, conditions bool) {
	t := r.Torus()
	points := 1 // permutations and reflections
	for j := 0; j < t.D() && points < maxGroupPoints; j++ {
		points *= j + 1
		if t.BothWays(j) {
			points *= 2
		}
	}
	points = min(points, maxGroupPoints)
	m.ChargeAll(4, points, t.N()+64)
	m.ChargeFlows(r, 1)
	if conditions {
		m.ChargeAll(16, points, t.Translations())
	}
}

// Images returns some placements of a problem with all their images under the group.
func Images(m *meter.Meter, p objective.Problem, placements [][]int) ([][]int, error) {
	group, err := Group(m, p)
	if err != nil {
		return nil, err
	}
	m.ChargeAll(16, len(placements), group.Order(), p.Size)
	return group.Orbits(placements), nil
}
