package congestion

import (
	"math"
	"slices"

	"leeway/core"
)

// A finder finds cheapest shortest paths. It keeps its buffers from one pair to
// the next.
type finder struct {
	torus *core.Torus
	alike bool // all links of a port are of one class
	// One box of lattice points for each choice of ways; by dimension, the steps
	// to take and the part of the node number at each step.
	steps []int
	place [][]int // of a torus that is not twisted
	from  int
	dirs  []core.Dir
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
// until the next call. Cost O(d times the volume of the boxes), of their sides where the links of every port are alike.
func (f *finder) cheapest(from, to int, weights []int64, class []int32) (int64, []core.Link) {
	if !f.torus.HasDimensions() {
		return f.cheapestListed(from, to, weights, class)
	}
	best := int64(math.MaxInt64)
	t, dirs := f.torus, make([]core.Dir, f.torus.D())
	for _, v := range t.Vectors(from, to, true) {
		for j, x := range v {
			f.steps[j], dirs[j] = max(x, -x), core.Plus
			if x < 0 {
				dirs[j] = core.Minus
			}
		}
		if f.alike {
			best = f.straight(from, dirs, best, weights, class)
		} else if cost := f.sweep(from, dirs, weights, class); cost < best {
			best = cost
			f.trace(dirs)
		}
	}
	return best, f.path
}

// straight is sweep and trace where the links of every port are of one class, so that all paths across the box cost as
// much: it returns that if it is below the best so far, and then takes the path that goes along one dimension after the
// other, which sweep finds first.
func (f *finder) straight(from int, dirs []core.Dir, best int64, weights []int64, class []int32) int64 {
	t, cost := f.torus, int64(0)
	for j, s := range f.steps {
		cost += int64(s) * weights[class[t.Link(from, j, dirs[j])]]
	}
	if cost >= best {
		return best
	}
	f.path = f.path[:0]
	for j, s := range f.steps {
		for range s {
			f.path = append(f.path, t.Link(from, j, dirs[j]))
			from = t.Shift(from, j, int(dirs[j]))
		}
	}
	return cost
}

// cheapestListed is cheapest without dimensions: it goes through the links of all shortest paths. Cost O(d N).
func (f *finder) cheapestListed(from, to int, weights []int64, class []int32) (int64, []core.Link) {
	t, order, left := f.torus, []int{from}, make([]int64, f.torus.N()) // left: to the end, by node
	next := make([]core.Link, t.N())
	ahead := func(v int, visit func(l core.Link, end int)) {
		for l := range t.LinksFrom(v) {
			if _, end := t.LinkEnds(l); t.LeeDistance(end, to) < t.LeeDistance(v, to) {
				visit(l, end)
			}
		}
	}
	for i := 0; i < len(order); i++ { // it grows, the nodes nearer to the end later
		ahead(order[i], func(_ core.Link, end int) {
			if left[end] == 0 && end != to {
				left[end], order = -1, append(order, end)
			}
		})
	}
	for _, v := range slices.Backward(order) {
		left[v] = math.MaxInt64
		ahead(v, func(l core.Link, end int) {
			if cost := left[end] + weights[class[l]]; cost < left[v] {
				left[v], next[v] = cost, l
			}
		})
	}
	f.path = f.path[:0]
	for v := from; v != to; _, v = t.LinkEnds(next[v]) {
		f.path = append(f.path, next[v])
	}
	return left[from], f.path
}

// sweep returns the least cost across the box with the given ways, by dynamic
// programming in row-major order.
func (f *finder) sweep(from int, dirs []core.Dir, weights []int64, class []int32) int64 {
	t := f.torus
	f.layOut(from, dirs)
	at := make([]int, t.D())
	for cell := range f.cost {
		node := f.node(at)
		f.cost[cell], f.last[cell] = math.MaxInt64, -1
		stride := 1
		for j := t.D() - 1; j >= 0; j-- {
			if at[j] > 0 {
				link := t.Link(f.previous(node, j, at[j]), j, dirs[j])
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
	f.from, f.dirs = from, dirs
	for j, s := range f.steps {
		volume *= s + 1
		if !t.Separable() {
			continue
		}
		k, a := t.Side(j), t.Coord(from, j)
		f.place[j] = f.place[j][:0]
		for i := range s + 1 {
			f.place[j] = append(f.place[j], (a+int(dirs[j])*i+k)%k*t.Stride(j))
		}
	}
	if cap(f.cost) < volume {
		f.cost, f.last = make([]int64, volume), make([]int8, volume)
	}
	f.cost, f.last = f.cost[:volume], f.last[:volume]
}

// node returns the node at a lattice point of the box.
func (f *finder) node(at []int) int {
	if t := f.torus; !t.Separable() {
		v := t.Coords(f.from)
		for j, a := range at {
			v[j] += int(f.dirs[j]) * a
		}
		return t.NodeAt(v)
	}
	node := 0
	for j, a := range at {
		node += f.place[j][a]
	}
	return node
}

// previous returns the node one step along dimension j before a node, to which a given number of steps lead.
func (f *finder) previous(node, j, steps int) int {
	if !f.torus.Separable() {
		return f.torus.Shift(node, j, -int(f.dirs[j]))
	}
	return node - f.place[j][steps] + f.place[j][steps-1]
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
		cell := 0
		for j, a := range at {
			cell = cell*(f.steps[j]+1) + a
		}
		j := int(f.last[cell])
		if j < 0 {
			break
		}
		f.path = append(f.path, f.torus.Link(f.previous(f.node(at), j, at[j]), j, dirs[j]))
		at[j]--
	}
	for i, j := 0, len(f.path)-1; i < j; i, j = i+1, j-1 {
		f.path[i], f.path[j] = f.path[j], f.path[i]
	}
}

// volume returns how many lattice points a search from one node to another
// looks at.
func volume(t *core.Torus, from, to int) int64 {
	if !t.HasDimensions() {
		return int64(t.Links())
	}
	sum := int64(0)
	for _, v := range t.Vectors(from, to, true) {
		box := int64(1)
		for _, x := range v {
			box *= int64(max(x, -x) + 1)
		}
		sum += box
	}
	return sum
}
