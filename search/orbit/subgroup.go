package orbit

import (
	"context"
	"fmt"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/objective/fast"
)

// A group is the verified group that preserves E_max under a routing, as points that can be multiplied. Its element (i,
// shift) has number i*N + shift; a shift is 0 in all open dimensions. The elements that take placements of the problem
// to such are kin: all of them but for fixed and forbidden nodes.
type group struct {
	torus   *core.Torus
	routing string
	points  []symmetry.Point
	linear  [][]int        // by point: what it makes of every shift
	number  map[string]int // of points, by the text of the element without shift
	kin     []elements.Element
	sums    core.NodeTable
	spans   []family.Lattice // by point: by what conjugation with translations among kin changes shifts
	shifts  []int            // of the translations among kin: every kin is one of the list with a translation after it
}

// groupOf returns the group of a problem, whose size does not matter. Errors are those of symmetry.GroupOf.
func groupOf(p objective.Problem) (*group, error) {
	verified, err := symmetry.GroupOf(p.Routing)
	if err != nil {
		return nil, err
	}
	g := &group{torus: p.Torus(), routing: p.Routing.String(), number: map[string]int{}, sums: core.Sums(p.Torus())}
	for i, point := range verified.List() {
		g.number[elements.Element{Point: point}.Text(g.torus)] = i
		g.points, g.linear = append(g.points, point), append(g.linear, linear(g.torus, verified.Images(i, 0)))
	}
	kin := verified
	if p.Conditioned() {
		if kin, err = fast.Group(context.Background(), p); err != nil {
			return nil, err
		}
	}
	for i, point := range kin.List() {
		shift := g.torus.Displacement(point.Node(g.torus, 0), kin.Images(i, 0)[0])
		g.kin = append(g.kin, elements.Element{Point: point, Shift: shift})
	}
	g.shifts = kin.Shifts()
	return g, nil
}

// linear returns, by node, what an element with the given images of nodes makes of the translation by the closed part
// of the node.
func linear(t *core.Torus, images []int) []int {
	list := make([]int, len(images))
	for v, image := range images {
		list[v] = t.ClosedPart(t.Displacement(images[0], image))
	}
	return list
}

// has reports whether an element belongs to the group: translations all do.
func (g *group) has(e elements.Element) bool {
	_, ok := g.number[elements.Element{Point: e.Point}.Text(g.torus)]
	return ok
}

// order returns the number of elements.
func (g *group) order() int { return len(g.points) * g.torus.Translations() }

// numberOf returns the number of an element of the group.
func (g *group) numberOf(e elements.Element) int {
	return g.number[elements.Element{Point: e.Point}.Text(g.torus)]*g.torus.N() + e.Shift
}

// A Subgroup is a group of automorphisms that preserve E_max under the routing for which it was made. It is immutable.
type Subgroup struct {
	torus  *core.Torus
	gens   []elements.Element
	order  int
	orbits [][]int
}

// maxOrder is the most elements that a subgroup may have: they are counted one by one.
const maxOrder = 1 << 17

// newSubgroup returns the subgroup that some elements generate, and false if it has more than maxOrder elements.
func newSubgroup(t *core.Torus, gens []elements.Element) (*Subgroup, bool) {
	order := closure(t, gens)
	return &Subgroup{torus: t, gens: gens, order: order, orbits: orbitsOf(t, gens)}, order <= maxOrder
}

// closure returns the order of the group that some elements generate, by making all of its elements; a number above
// maxOrder says that there are at least this many. Cost: order times generators.
func closure(t *core.Torus, gens []elements.Element) int {
	one := elements.Translation(t, 0)
	seen := map[string]bool{one.Text(t): true}
	list := []elements.Element{one}
	for i := 0; i < len(list) && len(list) <= maxOrder; i++ { // list grows while we walk it
		for _, g := range gens {
			if e := g.Compose(t, list[i]); !seen[e.Text(t)] {
				seen[e.Text(t)] = true
				list = append(list, e)
			}
		}
	}
	return len(list)
}

// orbitsOf returns the orbits of the nodes, each ascending, ordered by first node.
func orbitsOf(t *core.Torus, gens []elements.Element) [][]int {
	of := make([]int, t.N())
	for v := range of {
		of[v] = -1
	}
	var orbits [][]int
	for v := range of {
		if of[v] >= 0 {
			continue
		}
		of[v] = len(orbits)
		orbits = append(orbits, nil)
		reached := []int{v}
		for i := 0; i < len(reached); i++ { // reached grows while we walk it
			for _, g := range gens {
				if w := g.Image(t, reached[i]); of[w] < 0 {
					of[w] = of[v]
					reached = append(reached, w)
				}
			}
		}
	}
	for v, i := range of {
		orbits[i] = append(orbits[i], v)
	}
	return orbits
}

// String returns the generators in the form that Parse reads, each in its shortest spelling.
func (s *Subgroup) String() string {
	words := make([]string, len(s.gens))
	for i, g := range s.gens {
		words[i] = g.Text(s.torus)
	}
	return strings.Join(words, ";")
}

// Order returns the number of elements.
func (s *Subgroup) Order() int { return s.order }

// fits reports whether the sizes of orbits can sum to that of the problem: of all with a fixed node, and of some
// without a forbidden one.
func (s *Subgroup) fits(p objective.Problem) bool {
	n := p.Size
	can := make([]bool, n+1)
	can[0] = true
	for _, o := range s.orbits {
		must, may := standing(p, o)
		for m := n; m >= 0; m-- {
			with := may && m >= len(o) && can[m-len(o)]
			can[m] = with || can[m] && !must
		}
	}
	return can[n]
}

// entries returns how many loads of pairs its orbits have.
func (s *Subgroup) entries() int { return len(s.orbits) * (len(s.orbits) + 1) / 2 * s.torus.M() }

const subgroupHint = "write generators such as t=2,4, -1, or p=1,0:s=+-:t=0,1, joined by ;"

// Parse reads a subgroup of the group that preserves E_max under r from its generators, joined by semicolons, each as
// elements.Read says.
//
// Errors are *core.InputError and name the part that is wrong or the generator that does not preserve the loads, and
// those of symmetry.GroupOf.
func Parse(r routing.Routing, text string) (*Subgroup, error) {
	if n := r.Torus().N(); n > maxNodes {
		return nil, core.Invalid(r.Torus().String(), "the torus has %d nodes, subgroups are read up to %d", n, maxNodes)
	}
	whole, err := groupOf(objective.Problem{Routing: r})
	if err != nil {
		return nil, err
	}
	return whole.parse(text)
}

// parse reads generators and looks them up in the whole group.
func (g *group) parse(text string) (*Subgroup, error) {
	whole := core.Text{Whole: text, Hint: subgroupHint}
	var gens []elements.Element
	for _, part := range (core.Part{Text: text}).Split(";") {
		e, err := elements.Read(g.torus, whole, part)
		if err != nil {
			return nil, err
		}
		if !g.has(e) {
			return nil, whole.Fail(part, "the generator does not preserve the loads of "+g.routing)
		}
		gens = append(gens, e)
	}
	s, ok := newSubgroup(g.torus, gens)
	if !ok {
		return nil, whole.FailWhole(fmt.Sprintf("the subgroup has more than %d elements", maxOrder))
	}
	return s, nil
}
