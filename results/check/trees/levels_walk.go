package trees

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
)

// Limits of the walk of the tree levels, besides maxFillSide.
const (
	maxLevelsNodes = 256     // a node is a byte
	maxLevelsLists = 1 << 20 // slab counts of one dimension, and classes: some hundred megabytes
)

// A levelsWalk repeats a census by the tree levels of docs/proofs.md. Loads of
// links are held like those of the tree orderly, with rests in place of what
// pairs send each other.
type levelsWalk struct {
	torus  *core.Torus
	size   int
	limit  int64 // L in units, rounded down; -1 if it is negative
	most   int   // slab counts of one dimension, and classes
	loads  *orderlyLoads
	sides  []*levelsSide // by dimension
	points [][]int       // images of the nodes under the automorphisms that fix node 0
	turns  []levelsTurn  // by point
	group  *orderlyGroup
	lines  []levelsLine // of all dimensions
	at     []levelsNode // by node
	heads  [][]int      // the classes
	picks  [][]int32    // by class and dimension: number of its slab counts
}

// newLevelsWalk lists the classes of n processors under r for loads below a
// value. It fails with a *core.InputError for what the tree levels is not defined
// for or when more than maxLevelLists slab counts of a dimension or classes would be
// listed, and with that of the meter.
func newLevelsWalk(m *meter.Meter, r routing.Routing, n int, below *big.Rat) (Walk, error) {
	return meter.Within(m, func() (Walk, error) {
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
func newLevels(m *meter.Meter, r routing.Routing, n int, below *big.Rat) (*levelsWalk, error) {
	t := r.Torus()
	shape := ""
	switch {
	case t.D() < 3:
		shape = "three and more dimensions only"
	case t.N() > maxLevelsNodes:
		shape = fmt.Sprintf("up to %d nodes, this torus has %d", maxLevelsNodes, t.N())
	}
	orders, group, err := fillQuestion(m, treeLevels, shape, r, n)
	if err != nil {
		return nil, err
	}
	w := &levelsWalk{torus: t, size: n, most: maxLevelsLists, points: make([][]int, group.Points())}
	m.ChargeAll(16, len(w.points), t.N()+64)
	for i := range w.points {
		w.points[i] = group.Images(i, 0)
	}
	w.placeLines()
	return w, w.weigh(m, orders, below)
}

// prepare lists slab counts and classes.
func (w *levelsWalk) prepare(m *meter.Meter) error {
	w.group = newOrderlyGroup(w.torus, w.points)
	for _, images := range w.points {
		w.turns = append(w.turns, levelsTurnOf(w.torus, images))
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

// Prefixes implements walk: they are the classes.
func (w *levelsWalk) Prefixes() [][]int { return w.heads }

// Run implements walk.
func (w *levelsWalk) Run(m *meter.Meter, from, to int, most int64) Tally {
	f := newLevelsFill(m, w, most)
	return f.through(from, to, f.open)
}
