package atlas

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
)

// maxNamed is the largest number of nodes of a network on which names are looked for.
const maxNamed = 4096

// namesOf returns the names of placements whose first image is that of a placement, then what it is called elsewhere,
// and then its pattern: a residue class, a sublattice, or a union of cosets of one.
func namesOf(p objective.Problem, s core.Placement, first func(core.Placement) (core.Placement, int)) []string {
	names := []string{}
	t := p.Torus()
	if t.N() > maxNamed || !t.HasDimensions() {
		return names
	}
	for _, c := range candidates(p) {
		if c.size != s.Size() {
			continue
		}
		if named, err := family.Parse(t, c.text); err == nil && named.Size() == s.Size() && p.Admits(named) {
			if o, _ := first(named); slices.Equal(o.Nodes(), s.Nodes()) {
				names = append(names, c.text)
			}
		}
	}
	if radius, _, packing := s.Spacing(); s.Size() > 1 && packing == 2*radius+1 {
		names = append(names, fmt.Sprintf("perfect code of radius %d", radius)+ballsOf(s, radius))
	}
	if k, equal := t.Common(); equal && queens(s, k) {
		names = append(names, fmt.Sprintf("%d queens on a torus that do not attack each other (OEIS A007705)", k))
	}
	if form := family.Recognise(s); form.Kind != family.Sporadic {
		names = append(names, form.String())
	}
	return names
}

// balls are the sequences of the OEIS that count the points of Z^d within radius 0, 1, 2, ... of one, by d.
var balls = []string{1: "A005408", 2: "A001844", 3: "A001845", 4: "A001846"}

// ballsOf says how many nodes each processor of a perfect code has within the radius, and which sequence counts them
// where none comes around the network.
func ballsOf(s core.Placement, radius int) string {
	d := s.Torus().D()
	each := s.Torus().N() / s.Size()
	inside := make([]int, radius+1) // points of Z^j at each distance, for j = 0, 1, ..., d
	inside[0] = 1
	for range d {
		next := make([]int, radius+1)
		for far, points := range inside {
			next[far] += points
			for step := 1; far+step <= radius; step++ {
				next[far+step] += 2 * points
			}
		}
		inside = next
	}
	free := 0
	for _, points := range inside {
		free += points
	}
	if d >= len(balls) || free != each {
		return fmt.Sprintf(", %d nodes each", each)
	}
	return fmt.Sprintf(", %d nodes each (OEIS %s)", each, balls[d])
}

// queens reports whether processors on a torus of two dimensions with side k are k queens none of which attacks
// another around the torus: one in each row, column and diagonal of both directions.
func queens(s core.Placement, k int) bool {
	t := s.Torus()
	if t.D() != 2 || k < 2 || s.Size() != k || t.Twisted() || t.Open(0) || t.Open(1) {
		return false
	}
	lines := map[[2]int]bool{}
	for _, at := range s.Coords() {
		for direction, line := range []int{at[0], at[1], at[0] + at[1], at[0] - at[1]} {
			lines[[2]int{direction, core.Mod(line, k)}] = true
		}
	}
	return len(lines) == 4*k
}
