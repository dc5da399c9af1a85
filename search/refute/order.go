package refute

import "leeway/search/heap"

// An order has the variables that may be decided: those of a first group first, of each those first that took part in
// most conflicts, late ones counting more (N. Eén and N. Sörensson, SAT 2003), and of equals the one with the
// smallest number.
type order struct {
	heap.Heap
	activity []float64
	first    []bool  // by variable: whether it is in the first group
	step     float64 // that a conflict adds
}

// decay is by how much less a conflict counts than the next one.
const decay = 0.8

// maxActivity is where activities are scaled down.
const maxActivity = 1e100

// newOrder returns an order without variables.
func newOrder(vars int) order {
	activity, first := make([]float64, vars), make([]bool, vars)
	precedes := func(a, b int32) bool {
		if first[a] != first[b] {
			return first[a]
		}
		return activity[a] > activity[b] || activity[a] == activity[b] && a < b
	}
	return order{Heap: heap.New(vars, precedes), activity: activity, first: first, step: 1}
}

// bump notes that variables took part in a conflict.
func (o *order) bump(variables []uint32) {
	for _, v := range variables {
		if o.activity[v] += o.step; o.activity[v] > maxActivity {
			for i := range o.activity {
				o.activity[i] /= maxActivity
			}
			o.step /= maxActivity
		}
		o.Raised(int32(v))
	}
	o.step /= decay
}

// add puts a variable back, unless it is there.
func (o *order) add(v uint32) { o.Push(int32(v)) }

// next takes out the first variable without a value, false if there is none.
func (o *order) next(values []int8) (uint32, bool) {
	for v, ok := o.Pop(); ok; v, ok = o.Pop() {
		if values[v<<1] == 0 {
			return uint32(v), true
		}
	}
	return 0, false
}
