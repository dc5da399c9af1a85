package joint

import (
	"math/rand/v2"

	"leeway/core/family"
)

// A tiling is a ground on which translations by a lattice take processors to processors and paths to paths. Then loads
// are equal on classes of links, and only one processor of every coset and one pair of every class are left to choose.
type tiling struct {
	*ground
	slots  int       // cosets with processors
	shifts []int     // the nodes of the lattice, 0 first
	reps   []int32   // by node: the node that stands for its coset
	rows   [][]int32 // by node; nil: not asked for yet, see row
}

// newTiling returns the ground under a lattice whose order divides the size. One goroutine uses it at a time.
func newTiling(g *ground, l family.Lattice) *tiling {
	n := g.torus.N()
	t := &tiling{ground: g, slots: g.size / l.Order(), shifts: l.Nodes(), reps: make([]int32, n), rows: make([][]int32, n)}
	for v := range t.reps {
		t.reps[v] = int32(l.Representative(v))
	}
	return t
}

// row returns, by displacement, what stands for the nodes that lie it away from a node.
func (t *tiling) row(node int) []int32 {
	if t.rows[node] == nil {
		t.rows[node] = make([]int32, len(t.reps))
		for v := range t.reps {
			t.rows[node][v] = t.reps[t.torus.Sum(node, v)]
		}
	}
	return t.rows[node]
}

// plus returns the node that lies a shift of the lattice away.
func (t *tiling) plus(node, shift int) int { return t.torus.Sum(node, shift) }

// maxLattices bounds the lattices of one order that chains draw from, and maxOrders the orders.
const (
	maxLattices = 4096
	maxOrders   = 64
)

// tilings are the lattices that can tie a chain, by their order: first the one that ties nothing.
type tilings [][]family.Lattice

// newTilings lists the lattices whose order divides the size.
func newTilings(g *ground) tilings {
	var list tilings
	for order := 1; order <= g.size && len(list) < maxOrders; order++ {
		if g.size%order != 0 || g.torus.N()%order != 0 {
			continue
		}
		var same []family.Lattice
		for l := range family.Lattices(g.torus, order) {
			if same = append(same, l); len(same) == maxLattices {
				break
			}
		}
		if same != nil {
			list = append(list, same)
		}
	}
	return list
}

// draw returns a lattice: of every order with the same chance.
func (t tilings) draw(random *rand.Rand) family.Lattice {
	same := t[random.IntN(len(t))]
	return same[random.IntN(len(same))]
}
