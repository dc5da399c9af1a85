package check

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// Limits of the walk of the tree levels, besides maxFillSide.
const (
	maxLevelNodes = 256     // a node is a byte
	maxLevelLists = 1 << 20 // slab counts of one dimension, and classes: some hundred megabytes
)

// A levelWalk repeats a census by the tree levels of docs/proofs.md. Loads of
// links are held like those of the tree orderly, with rests in place of what
// pairs send each other.
type levelWalk struct {
	torus  *core.Torus
	size   int
	limit  int64 // L in units, rounded down; -1 if it is negative
	most   int   // slab counts of one dimension, and classes
	loads  *orbitLoads
	sides  []*levelSide // by dimension
	points [][]int      // images of the nodes under the automorphisms that fix node 0
	turns  []levelTurn  // by point
	group  *orbitGroup
	lines  []levelLine // of all dimensions
	at     []levelNode // by node
	heads  [][]int     // the classes
	picks  [][]int32   // by class and dimension: number of its slab counts
}

// newLevelWalk lists the classes of n processors under r for loads below a
// value. It fails with a *core.InputError for what the tree levels is not defined
// for or when more than maxLevelLists slab counts of a dimension or classes would be
// listed, and with that of the meter.
func newLevelWalk(m *meter, r routing.Routing, n int, below *big.Rat) (walk, error) {
	return within(m, func() (walk, error) {
		w, err := newLevels(m, r, n, below)
		if err != nil {
			return nil, err
		}
		if err := w.prepare(m); err != nil {
			return nil, err
		}
		return w, nil
	})
}

// newLevels returns the walk without its slab counts and classes.
func newLevels(m *meter, r routing.Routing, n int, below *big.Rat) (*levelWalk, error) {
	t := r.Torus()
	shape := ""
	switch {
	case t.D() < 3:
		shape = "three and more dimensions only"
	case t.N() > maxLevelNodes:
		shape = fmt.Sprintf("up to %d nodes, this torus has %d", maxLevelNodes, t.N())
	}
	orders, group, err := fillQuestion(m, treeLevels, shape, r, n)
	if err != nil {
		return nil, err
	}
	w := &levelWalk{torus: t, size: n, most: maxLevelLists, points: make([][]int, group.Points())}
	m.chargeAll(16, len(w.points), t.N()+64)
	for i := range w.points {
		w.points[i] = group.Images(i, 0)
	}
	w.placeLines()
	return w, w.weigh(m, orders, below)
}

// prepare lists slab counts and classes.
func (w *levelWalk) prepare(m *meter) error {
	w.group = newOrbitGroup(w.torus, w.points)
	for _, images := range w.points {
		w.turns = append(w.turns, levelTurnOf(w.torus, images))
	}
	if w.limit < 0 {
		return nil // no link is within it, so there are no slab counts
	}
	for s, side := range w.sides {
		if err := side.list(m, w.size, w.limit, w.most); err != nil {
			return fmt.Errorf("slab counts of dimension %d: %w", s, err)
		}
	}
	w.rankCounts(m)
	return w.listClasses(m)
}

// prefixes implements walk: they are the classes.
func (w *levelWalk) prefixes() [][]int { return w.heads }

// run implements walk.
func (w *levelWalk) run(m *meter, from, to int, most int64) tally {
	f := newLevelFill(m, w, most)
	return f.through(from, to, f.open)
}
