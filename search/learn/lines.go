package learn

import (
	"leeway/core"
)

// A stretch is places of a dimension one after the other, around a ring.
type stretch struct{ first, count int }

// A dimension has slabs across it and lines along it.
type dimension struct {
	side, k int // the number of the dimension, and how many places it has
	open    bool
	torus   *core.Torus
	slabs   map[stretch]int   // the sets of the slabs of a stretch
	lines   []map[stretch]int // by line: those of its nodes
}

// newDimension defines the sets along a dimension: of the stretches of its slabs, and of those of each line.
func (r *refuter) newDimension(side int) *dimension {
	t := r.torus
	d := &dimension{side: side, k: t.Side(side), open: t.Open(side), torus: t}
	slabs := make([][]int, d.k)
	for x := range slabs {
		slabs[x] = d.slab(x)
	}
	d.slabs = r.stretchSets(d, slabs, false)
	for line := range t.Side(1 - side) {
		nodes := make([][]int, d.k)
		for x := range nodes {
			nodes[x] = []int{d.node(x, line)}
		}
		d.lines = append(d.lines, r.stretchSets(d, nodes, true))
	}
	for _, at := range d.stretches() {
		if at.count > 1 && at.count < d.k {
			var parts []int
			for _, sets := range d.lines {
				parts = append(parts, sets[at])
			}
			r.declare(d.slabs[at], parts, nil)
		}
	}
	return d
}

// node returns the node at a place of a line.
func (d *dimension) node(place, line int) int {
	return place*d.torus.Stride(d.side) + line*d.torus.Stride(1-d.side)
}

// slab returns the nodes at a place of all lines.
func (d *dimension) slab(place int) (nodes []int) {
	for line := range d.torus.Side(1 - d.side) {
		nodes = append(nodes, d.node(place, line))
	}
	return nodes
}

// coords returns the place and the line of a node.
func (d *dimension) coords(v int) (place, line int) {
	return d.torus.Coord(v, d.side), d.torus.Coord(v, 1-d.side)
}

// stretches lists those that have sets, the shortest first: of a ring up to half of it, of a path single places and
// what is on one side of a link; and all places.
func (d *dimension) stretches() (list []stretch) {
	for count := 1; count <= d.k; count++ {
		for x := range d.k {
			ends := d.open && x+count <= d.k && (x == 0 || x+count == d.k || count == 1)
			if ends || !d.open && (count <= (d.k+1)/2 || count == d.k && x == 0) {
				list = append(list, stretch{x, count})
			}
		}
	}
	return list
}

// places lists the places of a stretch.
func (d *dimension) places(at stretch) (list []int) {
	for i := range at.count {
		list = append(list, (at.first+i)%d.k)
	}
	return list
}

// stretchSets defines the sets of all stretches of some parts, those of a line or of the slabs, and their sums: each is
// a shorter one with a single part at either end, and all parts are any two that make up the rest.
func (r *refuter) stretchSets(d *dimension, parts [][]int, line bool) map[stretch]int {
	sets := map[stretch]int{}
	for _, at := range d.stretches() {
		var nodes []int
		for _, x := range d.places(at) {
			nodes = append(nodes, parts[x]...)
		}
		sets[at] = r.set(nodes, at.count == 1 || line && at.count == d.k)
	}
	declare := func(whole, a, b stretch) {
		if sets[a] > 0 && sets[b] > 0 {
			r.declare(sets[whole], []int{sets[a], sets[b]}, nil)
		}
	}
	for _, at := range d.stretches() {
		if at.count > 1 && at.count < d.k {
			shorter := at.count - 1
			declare(at, stretch{at.first, shorter}, stretch{(at.first + shorter) % d.k, 1})
			declare(at, stretch{at.first, 1}, stretch{(at.first + 1) % d.k, shorter})
		}
	}
	whole := stretch{0, d.k}
	if !line {
		var single []int
		for x := range d.k {
			single = append(single, sets[stretch{x, 1}])
		}
		r.declare(sets[whole], single, nil)
	}
	for x := range d.k {
		for count := 2; x+count < d.k; count++ {
			declare(whole, stretch{x, count}, stretch{x + count, d.k - count})
		}
	}
	return sets
}
