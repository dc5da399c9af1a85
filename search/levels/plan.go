package levels

import (
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/search/census"
)

// A plan is one question prepared: its classes, and what filling them needs.
type plan struct {
	problem  objective.Problem
	rings    []*ring
	sides    [][]counted // by dimension
	classes  [][]int     // by class and dimension: the number of its slab counts
	prefixes [][]int
	table    *table
	turns    []turn // by point of the group
	lines    *lines
	images   [][]uint8 // by automorphism: of nodes
	slabs    [][]uint8 // by automorphism: of slabs
}

// prepare lists the classes. It fails with errTooMany, an error of the meter, or that
// of symmetry.Of.
func prepare(p objective.Problem, limit int64, m *meter) (*plan, error) {
	r, t := p.Routing.(*routing.Orders), p.Torus()
	g, err := symmetry.Of(r)
	if err != nil {
		return nil, err
	}
	q := &plan{problem: p, turns: turnsOf(g)}
	for s := range t.D() {
		d := newRing(r, s)
		side, err := d.list(p.Size, limit, m)
		if err != nil {
			return nil, err
		}
		q.rings, q.sides = append(q.rings, d), append(q.sides, side)
	}
	if q.classes, err = choose(t, q.sides, q.turns, m); err != nil {
		return nil, err
	}
	if len(q.classes) > 0 {
		q.table, q.images, q.lines = newTable(r, q.rings, limit), imagesOf(g), newLines(t)
		q.slabs = slabImages(q.images, q.turns, q.lines)
	}
	for _, class := range q.classes {
		var prefix []int
		for s, i := range class {
			prefix = append(prefix, q.sides[s][i].counts...)
		}
		q.prefixes = append(q.prefixes, prefix)
	}
	return q, nil
}

// Split returns 0: prefixes are classes.
func (q *plan) Split() int { return 0 }

// Prefixes returns the classes, the slab counts of all dimensions in sequence.
func (q *plan) Prefixes() [][]int { return q.prefixes }

// Walker returns a walker with memory of its own.
func (q *plan) Walker() census.Walker { return newWalker(q) }
