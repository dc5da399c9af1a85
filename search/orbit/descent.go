package orbit

import "math"

// A descent looks for the best choice of a model by one walk, which lowers its limit
// with every choice found. It starts the walk again where the values have fallen so
// far that narrower lanes may do.
type descent struct {
	model   *model
	value   int64 // choices must be below; that of best once there is one
	enough  int64 // a value at which to end, -1 for none
	allowed int64 // nodes that may be visited, 0 for any number
	shuffle uint64
	stopped func() bool

	best   []int
	nodes  int64
	closed bool // nothing below the value is left
}

// fall is how far, as a factor, values fall until the walk starts again.
const fall = 4

// run looks until nothing better is left, or until the nodes, the stop or a value
// that is enough ends it.
func (q *descent) run() {
	for again := true; again; {
		if q.closed = q.value == 0; q.closed {
			return
		}
		w := newWalk(q.model, q.value-1, q.left(), q.stopped)
		low := w.limit / fall
		w.enough = max(q.enough, low)
		w.run(q.shuffle)
		q.nodes += w.nodes
		if w.best != nil {
			q.best, q.value = w.best, w.value
		}
		q.closed = !w.ended
		again = w.ended && w.best != nil && w.value <= low && w.value > q.enough && q.left() > 0
	}
}

// left returns how many nodes may still be visited.
func (q *descent) left() int64 {
	if q.allowed == 0 {
		return math.MaxInt64
	}
	return q.allowed - q.nodes
}
