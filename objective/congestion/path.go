package congestion

import (
	"math"

	"leeway/core"
)

// A finder finds cheapest shortest paths. It keeps its buffers from one pair to
// the next.
type finder struct {
	torus *core.Torus
	// One box of lattice points for each choice of ways; by dimension, the steps
	// to take and the part of the node number at each step.
	steps []int
	place [][]int
	cost  []int64
	last  []int8 // dimension of the last step of a cheapest path, -1 at the start
	path  []core.Link
}

func newFinder(t *core.Torus) *finder {
	return &finder{torus: t, steps: make([]int, t.D()), place: make([][]int, t.D())}
}

// cheapest returns a cheapest shortest path between two nodes, both ways round
// at a tie, and its cost: the first of equals in a fixed order. Weights are by
// class of link; the sum along a path must fit in an int64. The path is valid
// until the next call. Cost O(d times the volume of the boxes).
func (f *finder) cheapest(from, to int, weights []int64, class []int32) (int64, []core.Link) {
	t := f.torus
	var ties []int
	dirs := make([]core.Dir, t.D())
	for j := range dirs {
		k, a, b := t.Side(j), t.Coord(from, j), t.Coord(to, j)
		ahead := (b - a + k) % k
		f.steps[j], dirs[j] = t.Distance(j, a, b), core.Plus
		if t.Open(j) && a > b || !t.Open(j) && 2*ahead > k {
			dirs[j] = core.Minus
		}
		if k > 2 && 2*ahead == k && !t.Open(j) {
			ties = append(ties, j)
		}
	}
	best := int64(math.MaxInt64)
	for choice := range 1 << len(ties) {
		for i, j := range ties {
			dirs[j] = core.Plus
			if choice>>i&1 == 1 {
				dirs[j] = core.Minus
			}
		}
		if cost := f.sweep(from, dirs, weights, class); cost < best {
			best = cost
			f.trace(dirs)
		}
	}
	return best, f.path
}

// sweep returns the least cost across the box with the given ways, by dynamic
// programming in row-major order.
func (f *finder) sweep(from int, dirs []core.Dir, weights []int64, class []int32) int64 {
	t := f.torus
	f.layOut(from, dirs)
	at := make([]int, t.D())
	for cell := range f.cost {
		node := 0
		for j, a := range at {
			node += f.place[j][a]
		}
		f.cost[cell], f.last[cell] = math.MaxInt64, -1
		stride := 1
		for j := t.D() - 1; j >= 0; j-- {
			if a := at[j]; a > 0 {
				link := t.Link(node-f.place[j][a]+f.place[j][a-1], j, dirs[j])
				if c := f.cost[cell-stride] + weights[class[link]]; c < f.cost[cell] {
					f.cost[cell], f.last[cell] = c, int8(j)
				}
			}
			stride *= f.steps[j] + 1
		}
		if f.last[cell] < 0 {
			f.cost[cell] = 0
		}
		f.advance(at)
	}
	return f.cost[len(f.cost)-1]
}

// layOut fills the places of the steps and makes room for the box.
func (f *finder) layOut(from int, dirs []core.Dir) {
	t, volume := f.torus, 1
	for j, s := range f.steps {
		k, a := t.Side(j), t.Coord(from, j)
		f.place[j] = f.place[j][:0]
		for i := range s + 1 {
			f.place[j] = append(f.place[j], (a+int(dirs[j])*i+k)%k*t.Stride(j))
		}
		volume *= s + 1
	}
	if cap(f.cost) < volume {
		f.cost, f.last = make([]int64, volume), make([]int8, volume)
	}
	f.cost, f.last = f.cost[:volume], f.last[:volume]
}

// advance moves to the next lattice point, the last dimension fastest.
func (f *finder) advance(at []int) {
	for j := len(at) - 1; j >= 0; j-- {
		if at[j]++; at[j] <= f.steps[j] {
			return
		}
		at[j] = 0
	}
}

// trace reads the path of the last sweep, from its end.
func (f *finder) trace(dirs []core.Dir) {
	f.path = f.path[:0]
	at := append([]int(nil), f.steps...)
	for {
		cell, node := 0, 0
		for j, a := range at {
			cell = cell*(f.steps[j]+1) + a
			node += f.place[j][a]
		}
		j := int(f.last[cell])
		if j < 0 {
			break
		}
		at[j]--
		f.path = append(f.path, f.torus.Link(node-f.place[j][at[j]+1]+f.place[j][at[j]], j, dirs[j]))
	}
	for i, j := 0, len(f.path)-1; i < j; i, j = i+1, j-1 {
		f.path[i], f.path[j] = f.path[j], f.path[i]
	}
}

// volume returns how many lattice points a search from one node to another
// looks at.
func volume(t *core.Torus, from, to int) int64 {
	v := int64(1)
	for j := range t.D() {
		k := t.Side(j)
		s := t.Distance(j, t.Coord(from, j), t.Coord(to, j))
		v *= int64(s + 1)
		if k > 2 && 2*s == k && !t.Open(j) {
			v *= 2
		}
	}
	return v
}
