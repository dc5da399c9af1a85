package objective

import "leeway/core"

// A blockWalk visits all values of some dimensions, the last fastest, and keeps
// the node and the places in some marginals where the others are 0.
type blockWalk struct {
	torus   *core.Torus
	outer   []int
	at      []int
	base    int
	views   []*marginal
	offsets []int
}

func newBlockWalk(t *core.Torus, outer []int, views ...*marginal) *blockWalk {
	return &blockWalk{torus: t, outer: outer, at: make([]int, len(outer)), views: views, offsets: make([]int, len(views))}
}

// reset goes back to the start, from anywhere.
func (w *blockWalk) reset() {
	clear(w.at)
	clear(w.offsets)
	w.base = 0
}

// next moves on and reports whether it did not come back to the start.
func (w *blockWalk) next() bool {
	for i := len(w.outer) - 1; i >= 0; i-- {
		j := w.outer[i]
		step := 1
		if w.at[i]++; w.at[i] == w.torus.Side(j) {
			w.at[i], step = 0, 1-w.torus.Side(j)
		}
		w.base += step * w.torus.Stride(j)
		for n, m := range w.views {
			w.offsets[n] += step * m.strides[j]
		}
		if step == 1 {
			return true
		}
	}
	return false
}
