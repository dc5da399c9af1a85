package refute

// An order has the variables that may be decided: those of a first group first, of each those first that took part in
// most conflicts, late ones counting more (N. Eén and N. Sörensson, SAT 2003), and of equals the one with the
// smallest number. It is a binary heap.
type order struct {
	heap     []uint32
	index    []int32 // by variable: where it stands in the heap, -1: nowhere
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
	o := order{index: make([]int32, vars), activity: make([]float64, vars), first: make([]bool, vars), step: 1}
	for v := range vars {
		o.index[v] = -1
	}
	return o
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
		if o.index[v] >= 0 {
			o.siftUp(int(o.index[v]))
		}
	}
	o.step /= decay
}

// add puts a variable back, unless it is there.
func (o *order) add(v uint32) {
	if o.index[v] < 0 {
		o.heap = append(o.heap, v)
		o.index[v] = int32(len(o.heap) - 1)
		o.siftUp(len(o.heap) - 1)
	}
}

// next takes out the first variable without a value, false if there is none.
func (o *order) next(values []int8) (uint32, bool) {
	for len(o.heap) > 0 {
		first, last := o.heap[0], len(o.heap)-1
		o.set(0, o.heap[last])
		o.heap, o.index[first] = o.heap[:last], -1
		if last > 0 {
			o.siftDown(0)
		}
		if values[first<<1] == 0 {
			return first, true
		}
	}
	return 0, false
}

func (o *order) precedes(a, b uint32) bool {
	if o.first[a] != o.first[b] {
		return o.first[a]
	}
	return o.activity[a] > o.activity[b] || o.activity[a] == o.activity[b] && a < b
}

func (o *order) set(i int, v uint32) { o.heap[i], o.index[v] = v, int32(i) }

func (o *order) siftUp(i int) {
	v := o.heap[i]
	for i > 0 && o.precedes(v, o.heap[(i-1)/2]) {
		o.set(i, o.heap[(i-1)/2])
		i = (i - 1) / 2
	}
	o.set(i, v)
}

func (o *order) siftDown(i int) {
	v := o.heap[i]
	for {
		child := 2*i + 1
		if child+1 < len(o.heap) && o.precedes(o.heap[child+1], o.heap[child]) {
			child++
		}
		if child >= len(o.heap) || !o.precedes(o.heap[child], v) {
			break
		}
		o.set(i, o.heap[child])
		i = child
	}
	o.set(i, v)
}
