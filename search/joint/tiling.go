package joint

import (
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/symmetry/elements"
)

// A tiling is an instance on which translations by a lattice take processors to processors and paths to paths. Then
// loads are equal on classes of links, and only one processor of every coset and one pair of every class are left to
// choose.
type tiling struct {
	*instance
	slots  int       // cosets with processors
	shifts []int     // the nodes of the lattice, 0 first
	reps   []int32   // by node: the node that stands for its coset
	rows   [][]int32 // by node; nil: not asked for yet, see row
	fixed  []int     // what stands for the cosets that always have processors, ascending
	barred []bool    // by node that stands for its coset: it never has processors; nil: none is
	room   int       // cosets that may have processors
}

// newTiling returns the instance under a lattice whose order divides the size. One goroutine uses it at a time.
func newTiling(g *instance, l family.Lattice) *tiling {
	n := g.torus.N()
	t := &tiling{instance: g, slots: g.size / l.Order(), shifts: l.Nodes(), reps: make([]int32, n),
		rows: make([][]int32, n)}
	for v := range t.reps {
		t.reps[v] = int32(l.Representative(v))
	}
	t.room = l.Index()
	if g.problem.Conditioned() {
		t.condition()
	}
	return t
}

// condition takes in the fixed and forbidden nodes.
func (t *tiling) condition() {
	t.barred = make([]bool, len(t.reps))
	for v, rep := range t.reps {
		if t.problem.MustHave(v) && !slices.Contains(t.fixed, int(rep)) {
			t.fixed = append(t.fixed, int(rep))
		}
		if !t.problem.MayHave(v) && !t.barred[rep] {
			t.barred[rep] = true
			t.room--
		}
	}
	slices.Sort(t.fixed)
}

// possible reports whether some placement of the problem is made of whole cosets.
func (t *tiling) possible() bool {
	return len(t.fixed) <= t.slots && t.slots <= t.room &&
		!slices.ContainsFunc(t.fixed, func(rep int) bool { return t.barred[rep] })
}

// open reports whether the coset of a node may have processors.
func (t *tiling) open(v int) bool { return t.barred == nil || !t.barred[t.reps[v]] }

// periodOf returns the lattice of the translations that keep a placement of at least one processor.
func periodOf(p core.Placement) family.Lattice {
	translations, _ := elements.Stabiliser(p, nil)
	var shifts []int
	for _, e := range translations {
		shifts = append(shifts, e.Shift)
	}
	return family.Span(p.Torus(), shifts...)
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
func newTilings(g *instance) tilings {
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

// maxDraws is how many lattices are drawn until one allows placements of the problem.
const maxDraws = 16

// draw returns the instance under a lattice, of every order with the same chance, that is possible.
func (t tilings) draw(g *instance, random *rand.Rand) *tiling {
	for range maxDraws {
		same := t[random.IntN(len(t))]
		if drawn := newTiling(g, same[random.IntN(len(same))]); drawn.possible() {
			return drawn
		}
	}
	return newTiling(g, family.Span(g.torus))
}
