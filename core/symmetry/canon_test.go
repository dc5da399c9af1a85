package symmetry_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/symmetry"
)

// images returns every image of a set under every element, each ascending, by
// listing them all.
func images(g *symmetry.Group, nodes []int) [][]int {
	var list [][]int
	for point := range g.Points() {
		for _, shift := range g.Shifts() {
			image := make([]int, 0, len(nodes))
			to := g.Images(point, shift)
			for _, v := range nodes {
				image = append(image, to[v])
			}
			slices.Sort(image)
			list = append(list, image)
		}
	}
	return list
}

// TestCanonicalForm compares with the list of all images: the form is their
// smallest, the same for each, and the stabilizer counts how often the set
// itself comes.
func TestCanonicalForm(t *testing.T) {
	for i := range 120 {
		rng := coretest.Rng(20, i)
		in := coretest.Random(rng, 24)
		if i >= 60 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 24))
		}
		g := coretest.Must(symmetry.GroupOf(in.Routing))
		nodes := in.Placement.Nodes()
		if g.Order() > 2000 || g.Order()*len(nodes) > 20000 {
			continue
		}
		all := images(g, nodes)
		form, stabilizer := g.Canonical(nodes)
		fixed, distinct := 0, map[string]bool{}
		for k, image := range all {
			if slices.Compare(image, form) < 0 {
				t.Fatalf("%s: image %v comes before the form %v", in, image, form)
			}
			if slices.Equal(image, nodes) {
				fixed++
			}
			distinct[fmt.Sprint(image)] = true
			if k%17 != 0 {
				continue
			}
			if again, s := g.Canonical(image); !slices.Equal(again, form) || s != stabilizer {
				t.Fatalf("%s: form %v with stabilizer %d, but image %v has %v with %d", in, form, stabilizer, image, again, s)
			}
		}
		if again, _ := g.Canonical(form); !slices.Equal(again, form) || !distinct[fmt.Sprint(form)] {
			t.Fatalf("%s: the form %v is not its own form %v, or no image", in, form, again)
		}
		if stabilizer != fixed || fixed*len(distinct) != g.Order() {
			t.Fatalf("%s: stabilizer %d of %d, orbit of %d, order %d", in, stabilizer, fixed, len(distinct), g.Order())
		}
	}
}

// TestCanonicalIgnoresOrder feeds the same nodes in another sequence and leaves
// them untouched.
func TestCanonicalIgnoresOrder(t *testing.T) {
	g, _ := group(core.MustTorus(4, 4), "udr")
	nodes := []int{13, 2, 7}
	a, _ := g.Canonical(nodes)
	b, _ := g.Canonical([]int{2, 7, 13})
	if !slices.Equal(a, b) || !slices.Equal(nodes, []int{13, 2, 7}) {
		t.Errorf("forms %v and %v, nodes now %v", a, b, nodes)
	}
}

// TestGroupOrders holds orders against hand counts of permutations and
// reflections, times the translations.
func TestGroupOrders(t *testing.T) {
	for _, c := range []struct {
		torus   string
		routing string
		want    int
	}{
		{"8x8", "udr", 64 * 8},
		{"4x6", "udr", 24 * 4},
		{"4x4x4", "udr:tie=both", 64 * 48},
		{"2x2x2", "udr", 8 * 6},
		{"3x3", "odr", 9 * 8},         // 01 and its reverse: both permutations, any reflections
		{"4x4", "odr", 16 * 2},        // identity, and the swap with both reflections
		{"4x3", "odr", 12 * 2},        // the odd side reflects
		{"4", "odr", 4 * 2},           // one order is its own reverse
		{"5x5x5", "odr", 125 * 2 * 8}, // 012 and 210
		{"5x5x5", "orders:012+120+201", 125 * 6 * 8},
		{"4x4x4", "orders:012+120+201", 64 * 6}, // three rotations without, three with all reflections
		{"4x4x4", "orders:012+210", 64 * 2 * 8},
		{"4x4", "minimal:tie=plus", 16 * 4}, // two permutations, none or all reflected
		{"4x4", "minimal", 16 * 8},
		{"4x3", "avoid:tie=plus", 12 * 4},
	} {
		if g, _ := group(coretest.Must(core.ParseTorus(c.torus)), c.routing); g.Order() != c.want {
			t.Errorf("%s on %v: order %d, want %d", c.routing, c.torus, g.Order(), c.want)
		}
	}
}

// fixedSubsets returns the number of n-subsets that a permutation maps to
// themselves, for every n: the coefficients of the product of 1 + x^c over its
// cycles of length c.
func fixedSubsets(image []int) []int64 {
	poly := make([]int64, len(image)+1)
	poly[0] = 1
	seen := make([]bool, len(image))
	for v := range image {
		length := 0
		for w := v; !seen[w]; w = image[w] {
			seen[w] = true
			length++
		}
		for n := len(image); length > 0 && n >= length; n-- {
			poly[n] += poly[n-length]
		}
	}
	return poly
}

// burnside returns the number of orbits of n-subsets for every n, from
// automorphisms made in plain arithmetic: all permutations of equal sides, all
// reflections, all translations, which is the group of udr.
func burnside(t *testing.T, torus *core.Torus) []int64 {
	t.Helper()
	sums, order := make([]int64, torus.N()+1), int64(0)
	for _, p := range allPoints(torus) {
		for _, shift := range translates(torus) {
			order++
			for n, fixed := range fixedSubsets(move(torus, p, shift)) {
				sums[n] += fixed
			}
		}
	}
	for n := range sums {
		if sums[n]%order != 0 {
			t.Fatalf("%s: Burnside's sum %d for n=%d is no multiple of %d", torus, sums[n], n, order)
		}
		sums[n] /= order
	}
	return sums
}

// subsets calls visit with every n-subset of 0..size-1.
func subsets(size, n int, visit func([]int)) {
	var extend func(set []int, next int)
	extend = func(set []int, next int) {
		if len(set) == n {
			visit(set)
			return
		}
		for v := next; v < size; v++ {
			extend(append(set, v), v+1)
		}
	}
	extend(make([]int, 0, n), 0)
}

// TestOrbitsAgainstBurnside counts canonical forms over all n-subsets, and the
// sizes of their orbits, which must add up to all subsets.
func TestOrbitsAgainstBurnside(t *testing.T) {
	for _, c := range []struct {
		network string
		upTo    int
	}{{"3x3", 9}, {"4x4", 6}, {"2x2x2", 8}, {"3x4", 12}, {"7", 7}, {"3x3:open=0,1", 9}, {"4x3:open=0", 7},
		{"4x4:open=0,1", 5}, {"3x3:bandwidth=1,2", 9}, {"2x4:twist=2", 8}, {"1x10:twist=3", 8}, {"3x4:twist=1", 6},
		{"2x2x3:bandwidth=1,1,2:twist=0,1,1+0,0,0+0,0,0", 6}} {
		torus := network(c.network)
		g, _ := group(torus, "udr:tie=both")
		want := burnside(t, torus)
		for n := range c.upTo + 1 {
			forms := map[string]int64{}
			subsets(torus.N(), n, func(set []int) {
				form, stabilizer := g.Canonical(set)
				forms[fmt.Sprint(form)] = int64(g.Order() / stabilizer)
			})
			labelled := int64(0)
			for _, size := range forms {
				labelled += size
			}
			if int64(len(forms)) != want[n] {
				t.Errorf("%s, n=%d: %d canonical forms, Burnside counts %d orbits", torus, n, len(forms), want[n])
			}
			if all := new(big.Int).Binomial(int64(torus.N()), int64(n)).Int64(); labelled != all {
				t.Errorf("%s, n=%d: the orbits hold %d sets of %d", torus, n, labelled, all)
			}
		}
	}
}

// TestBurnsideByHand holds the counting itself against known numbers: necklaces
// that may be turned over, of 6 beads of two colours, by number of black beads.
func TestBurnsideByHand(t *testing.T) {
	if got := burnside(t, core.MustTorus(6)); !slices.Equal(got, []int64{1, 1, 3, 3, 3, 1, 1}) {
		t.Errorf("bracelets of 6 beads: %v", got)
	}
}

// TestStabiliserOfSets compares with the elements of the whole group that keep the sets: there are as many, the same
// maps of nodes, and the canonical form is the smallest image under them.
func TestStabiliserOfSets(t *testing.T) {
	for i := range 150 {
		rng := coretest.Rng(21, i)
		in := coretest.Random(rng, 16)
		if i >= 60 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 16))
		}
		g := coretest.Must(symmetry.GroupOf(in.Routing))
		sets := []core.Set{coretest.Placement(rng, in.Torus).Set(), coretest.Placement(rng, in.Torus).Set()}[:1+rng.IntN(2)]
		keeping := map[string]bool{}
		for point := range g.Points() {
			for _, shift := range translates(g.Torus()) {
				images := g.Images(point, shift)
				keeps := true
				for _, s := range sets {
					for _, v := range s.Nodes() {
						keeps = keeps && s.Has(images[v])
					}
				}
				if keeps {
					keeping[fmt.Sprint(images)] = true
				}
			}
		}
		sub := g.StabiliserOf(sets...)
		found := map[string]bool{}
		for point := range sub.Points() {
			for _, shift := range sub.Shifts() {
				found[fmt.Sprint(sub.Images(point, shift))] = true
			}
		}
		if len(keeping) != len(found) || sub.Points()*len(sub.Shifts()) != sub.Order() {
			t.Fatalf("case %d: %d elements keep the sets, the stabiliser has %d of order %d", i, len(keeping), len(found),
				sub.Order())
		}
		for text := range found {
			if !keeping[text] {
				t.Fatalf("case %d: %s does not keep the sets", i, text)
			}
		}
		if whole := sub.Order() == g.Order(); whole && sub.Transitive() != g.Transitive() {
			t.Errorf("case %d: transitive %v", i, sub.Transitive())
		}
		nodes := in.Placement.Nodes()
		list := images(sub, nodes)
		form, stabilizer := sub.Canonical(nodes)
		same := 0
		for _, image := range list {
			if slices.Equal(image, nodes) {
				same++
			}
		}
		if !slices.Equal(form, slices.MinFunc(list, slices.Compare)) || stabilizer != same {
			t.Errorf("case %d: form %v of %v, stabiliser %d, want %d", i, form, nodes, stabilizer, same)
		}
	}
}

// TestOrbitsAreAllImages compares with the list of all images, of several sets and on networks and under conditions.
func TestOrbitsAreAllImages(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(22, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 16))
		g := coretest.Must(symmetry.GroupOf(in.Routing))
		if i%3 == 0 {
			g = g.StabiliserOf(coretest.Placement(rng, in.Routing.Torus()).Set())
		}
		if g.Order() > 2000 {
			continue
		}
		sets := [][]int{in.Placement.Nodes(), coretest.Placement(rng, in.Routing.Torus()).Nodes()}
		want := map[string]bool{}
		for _, nodes := range sets {
			for _, image := range images(g, nodes) {
				want[fmt.Sprint(image)] = true
			}
		}
		got := g.Orbits(append(sets, sets[0]))
		for k, image := range got {
			if !want[fmt.Sprint(image)] || k > 0 && slices.Compare(got[k-1], image) >= 0 {
				t.Fatalf("%s: image %v is none, or not in order", in, image)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d images, %d by listing", in, len(got), len(want))
		}
	}
}
