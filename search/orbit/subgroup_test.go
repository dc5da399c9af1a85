package orbit

import (
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/search/searchtest"
)

// wholeGroup returns the group of a routing given as text.
func wholeGroup(t *testing.T, torus, text string) *group {
	t.Helper()
	_, r := coretest.Parse(torus, text)
	return coretest.Must(groupOf(objective.Problem{Routing: r}))
}

// A shuffle is an element as the images of all nodes, which tells elements apart whatever their spelling.
func shuffleOf(t *core.Torus, e elements.Element) string {
	images := make([]int, t.N())
	for v := range images {
		images[v] = e.Image(t, v)
	}
	return joinInts(images)
}

// spanned returns the shuffles of the group that elements generate, sorted and joined: two subgroups are equal exactly
// if theirs are.
func spanned(t *core.Torus, gens []elements.Element) (key string, order int) {
	list := []elements.Element{elements.Translation(t, 0)}
	seen := map[string]bool{shuffleOf(t, list[0]): true}
	for i := 0; i < len(list); i++ {
		for _, g := range gens {
			if e := list[i].Compose(t, g); !seen[shuffleOf(t, e)] {
				seen[shuffleOf(t, e)] = true
				list = append(list, e)
			}
		}
	}
	var keys []string
	for k := range seen {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return strings.Join(keys, " "), len(list)
}

// elementsOf returns all elements of a group.
func elementsOf(g *group) (list []elements.Element) {
	for i := range len(g.points) * g.torus.N() {
		if e := g.element(i); e.Shift == g.torus.ClosedPart(e.Shift) {
			list = append(list, e)
		}
	}
	return list
}

// inverseOf returns the inverse of an element by trial.
func inverseOf(g *group, e elements.Element) elements.Element {
	for _, x := range elementsOf(g) {
		if shuffleOf(g.torus, x.Compose(g.torus, e)) == shuffleOf(g.torus,
			elements.Translation(g.torus, 0)) {
			return x
		}
	}
	panic("no inverse")
}

// conjugatesOf returns the keys of all conjugates of a subgroup.
func conjugatesOf(g *group, gens []elements.Element) map[string]bool {
	keys := map[string]bool{}
	for _, by := range elementsOf(g) {
		back := inverseOf(g, by)
		var turned []elements.Element
		for _, e := range gens {
			turned = append(turned, by.Compose(g.torus, e).Compose(g.torus, back))
		}
		key, _ := spanned(g.torus, turned)
		keys[key] = true
	}
	return keys
}

// TestSubgroupsCoverCyclicGroups checks that every cyclic subgroup that has more than translations is conjugate to
// exactly one that is tried, unless its orbits cannot sum to n.
func TestSubgroupsCoverCyclicGroups(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		n              int
	}{{"3x3", "udr", 3}, {"2x4", "odr:tie=both", 4}, {"2x2x2", "orders:012+102", 4}, {"6", "udr", 6}, {"6", "udr", 3},
		{"3x3:open=0,1", "udr", 4}, {"4x3:open=0", "odr", 6}, {"3x3:open=0:bandwidth=2,1", "udr", 5}} {
		g := wholeGroup(t, c.torus, c.routing)
		p := searchtest.Problem(c.torus, c.routing, c.n)
		list := coretest.Must(cyclic(t.Context(), p))
		var classes []map[string]bool
		for _, s := range list {
			if _, order := spanned(g.torus, s.gens); order != s.Order() {
				t.Errorf("%s %s: %s has %d elements, not %d", c.torus, c.routing, s, order, s.Order())
			}
			classes = append(classes, conjugatesOf(g, s.gens))
		}
		count := func(gens []elements.Element) {
			s, _ := newSubgroup(g.torus, gens)
			key, _ := spanned(g.torus, gens)
			found := 0
			for _, class := range classes {
				if class[key] {
					found++
				}
			}
			want := 1
			if !gens[0].Permutes() && !gens[0].Reflects() || !s.fits(p) {
				want = 0
			}
			if found != want {
				t.Errorf("%s %s n=%d: %s stands %d times, want %d", c.torus, c.routing, c.n, s, found, want)
			}
		}
		for _, e := range elementsOf(g) {
			count([]elements.Element{e})
		}
	}
}

// TestSubgroupsOrder checks the order of the list.
func TestSubgroupsOrder(t *testing.T) {
	list, err := cyclic(t.Context(), searchtest.Problem("4x4", "udr", 8))
	if err != nil || len(list) < 10 {
		t.Fatalf("%d subgroups", len(list))
	}
	for i, s := range list[1:] {
		if before := list[i]; before.Order() < s.Order() || before.Order() == s.Order() && before.String() >= s.String() {
			t.Errorf("%s of order %d stands before %s of order %d", before, before.Order(), s, s.Order())
		}
	}
}

// element returns the element with a number.
func (g *group) element(i int) elements.Element {
	return elements.Element{Point: g.points[i/g.torus.N()], Shift: i % g.torus.N()}
}
