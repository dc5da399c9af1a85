package trees

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// A marginWalk repeats a census by the tree margin of docs/proofs.md. Side 1 are
// the rows, whose places the column margins count, side 0 the columns.
type marginWalk struct {
	torus  *core.Torus
	sides  [2]*marginSide
	turns  []marginTurn
	ranks  [2][2][2][]int32 // by side, side of the image, reversed or not, and number: number of the image, -1 if not listed
	groups []marginGroup    // of row margins
	heads  [][]int          // column margins
}

// A marginGroup are row margins with the same sizes that occur and that columns
// may have: they go together with the same column margins.
type marginGroup struct {
	occur, allowed uint32
	members        []int32 // ascending
}

// newMarginWalk lists the margins of n processors under r for loads below a value.
// It fails with an *core.InputError for what the tree margin is not defined for
// or when more than maxMargins margins would be listed, and with that
// of the meter.
func newMarginWalk(m *meter.Meter, r routing.Routing, n int, below *big.Rat) (Walk, error) {
	return meter.Within(m, func() (Walk, error) {
		w, err := newMargins(m, r, n, below)
		if err != nil {
			return nil, err
		}
		if err := w.prepare(m); err != nil {
			return nil, err
		}
		return w, nil
	})
}

// newMargins returns the walk without its margins.
func newMargins(m *meter.Meter, r routing.Routing, n int, below *big.Rat) (*marginWalk, error) {
	shape := ""
	if r.Torus().D() != 2 {
		shape = "two dimensions only"
	}
	orders, group, err := fillQuestion(m, treeMargin, shape, r, n)
	if err != nil {
		return nil, err
	}
	w, d := &marginWalk{torus: r.Torus(), turns: turnsOf(group)}, shares.OrdersDenominator(m, orders)
	for s := range w.sides {
		_, unit := shares.FirstPart(m, r, s, 1-s)
		w.sides[s] = newMarginSide(m, r, s, n, limitBelow(below, d, big.NewInt(2*unit), big.NewInt(marginMost)))
	}
	return w, nil
}

// prepare lists and groups the margins.
func (w *marginWalk) prepare(m *meter.Meter) error {
	if err := w.sides[1].list(m); err != nil {
		return err
	}
	if w.sides[0].like(w.sides[1]) {
		w.sides[0].margins = w.sides[1].margins
	} else if err := w.sides[0].list(m); err != nil {
		return err
	}
	// Each margin has images under all turns, and all its rotations are looked at for them.
	if err := m.Spend(int64(len(w.sides[0].margins)+len(w.sides[1].margins)) * int64(64*(4+len(w.turns)))); err != nil {
		return err
	}
	w.rankMargins()
	w.groupRows()
	k := w.sides[1].places
	numbers := make([]int, k*len(w.sides[1].margins))
	for _, m := range w.sides[1].margins {
		for x, v := range m.counts[:k] {
			numbers[x] = int(v)
		}
		w.heads = append(w.heads, numbers[:k:k])
		numbers = numbers[k:]
	}
	return nil
}

// groupRows puts row margins that go with the same column margins together.
func (w *marginWalk) groupRows() {
	numbers := map[[2]uint32]int{}
	for i, m := range w.sides[0].margins {
		key := [2]uint32{m.occur, m.allowed}
		g, ok := numbers[key]
		if !ok {
			g = len(w.groups)
			numbers[key] = g
			w.groups = append(w.groups, marginGroup{occur: m.occur, allowed: m.allowed})
		}
		w.groups[g].members = append(w.groups[g].members, int32(i))
	}
}

// Prefixes implements walk: they are the column margins.
func (w *marginWalk) Prefixes() [][]int { return w.heads }

// Run implements walk.
func (w *marginWalk) Run(m *meter.Meter, from, to int, most int64) Tally {
	f := newMarginFill(m, w, most)
	return f.through(from, to, f.open)
}
