package audit

import (
	"context"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Independent computations behind the verdicts: the naive evaluator and counts over
// all sets and paths.

// TestClosedFormsAgainstNaive compares our closed forms with the evaluator that lists
// paths.
func TestClosedFormsAgainstNaive(t *testing.T) {
	forms := map[string]func(k, d, t int, both bool) *big.Rat{"odr": odrLoad, "udr": udrLoad}
	for _, kd := range [][2]int{{3, 2}, {4, 2}, {5, 2}, {6, 2}, {7, 2}, {3, 3}, {4, 3}} {
		for name, form := range forms {
			for m := 1; m < kd[0]; m++ {
				for _, both := range []bool{false, true} {
					text := name
					if both {
						text += ":tie=both"
					}
					at := setUp(kd[0], kd[1], residues(m), text)
					most, _ := objective.Naive(at.routing, at.placement).Max()
					if want := form(kd[0], kd[1], m, both); most.Cmp(want) != 0 {
						t.Errorf("%s: naive %s, closed form %s", at, most.RatString(), want.RatString())
					}
				}
			}
		}
	}
}

// TestSidesOfTwo: what the notes of Corollary 2.1 and Theorem 3.2 say about them.
func TestSidesOfTwo(t *testing.T) {
	for d, routed := range map[int]string{2: "udr:tie=both", 3: "avoid"} {
		at := setUp(2, d, "linear", routed)
		most, _ := objective.Naive(at.routing, at.placement).Max()
		if want := ratio(at.placement.Size()-1, d); most.Cmp(want) != 0 {
			t.Errorf("%s: %s, want %s", at, most.RatString(), want.RatString())
		}
	}
}

// TestMorePathsByHand: on 4x4 with the linear placement the link from (0,0) to (0,1)
// carries, under minimal, messages of (0,0) to (3,1), (1,3), (2,2) and what others
// send through. By hand from the paths listed, not from the evaluators.
func TestMorePathsByHand(t *testing.T) {
	at := setUp(4, 2, "linear", "minimal")
	most := new(big.Rat)
	for link := range at.torus().M() {
		load := new(big.Rat)
		for _, p := range at.placement.Nodes() {
			for _, q := range at.placement.Nodes() {
				if p == q {
					continue
				}
				all, through := 0, 0
				for path := range at.routing.Paths(p, q, nil) {
					all++
					if slices.Contains(path, core.Link(link)) {
						through++
					}
				}
				load.Add(load, ratio(through, all))
			}
		}
		if load.Cmp(most) > 0 {
			most = load
		}
	}
	if most.RatString() != "5/6" {
		t.Errorf("E_max by listing paths: %s, want 5/6", most.RatString())
	}
}

// TestWidthByAllSets finds bisection widths by looking at all sets of nodes.
func TestWidthByAllSets(t *testing.T) {
	torus := cube(3, 2)
	for text, want := range map[string]int{"full": 16, "nodes:0,0+0,1+1,0+1,2+2,1+2,2": 16, "linear": 8} {
		p := setUp(3, 2, text, "").placement
		least := torus.M()
		for set := range 1 << torus.N() {
			inside := bits.OnesCount(uint(set) & mask(p))
			if other := p.Size() - inside; inside-other > 1 || other-inside > 1 {
				continue
			}
			cut := 0
			for v := range torus.N() {
				for _, w := range neighbours(torus, v) {
					if set>>v&1 != set>>w&1 {
						cut++
					}
				}
			}
			least = min(least, cut)
		}
		if got := width(&survey{ctx: context.Background()}, p); got != least || got != want {
			t.Errorf("%s: width %d, over all sets %d, want %d", text, got, least, want)
		}
	}
}

// TestPathsBesideProcessor compares the count with all paths of all pairs.
func TestPathsBesideProcessor(t *testing.T) {
	for _, kd := range [][2]int{{3, 2}, {4, 2}, {7, 2}, {3, 3}, {4, 3}, {5, 3}, {3, 4}, {4, 4}} {
		at := setUp(kd[0], kd[1], "linear", "udr")
		link := at.torus().Link(0, 0, core.Plus)
		n := 0
		for _, p := range at.placement.Nodes() {
			for _, q := range at.placement.Nodes() {
				if p == q {
					continue
				}
				for path := range at.routing.Paths(p, q, nil) {
					if slices.Contains(path, link) {
						n++
					}
				}
			}
		}
		if got := pathsBesideProcessor(kd[0], kd[1]); got != n {
			t.Errorf("k=%d d=%d: %d paths counted, %d listed", kd[0], kd[1], got, n)
		}
		if got := pathsThrough(at)[link]; got != n {
			t.Errorf("k=%d d=%d: %d paths by flows, %d listed", kd[0], kd[1], got, n)
		}
	}
}

// TestAlgorithm31 compares the literal algorithm with the paths of avoid, one by one.
func TestAlgorithm31(t *testing.T) {
	for k := 3; k <= 5; k++ {
		at := setUp(k, 3, "linear", "avoid")
		set := at.placement.Set()
		for _, q := range at.placement.Nodes()[1:] {
			var want []trail
			for path := range at.routing.Paths(0, q, set) {
				var nodes trail
				for _, link := range path {
					_, to := at.torus().LinkEnds(link)
					nodes = append(nodes, to)
				}
				want = append(want, nodes)
			}
			slices.SortFunc(want, slices.Compare[trail])
			if got := algorithm31(at.torus(), set, 0, q); !slices.EqualFunc(got, want, slices.Equal[trail]) {
				t.Errorf("k=%d, node 0 to %d: %v, avoid has %v", k, q, got, want)
			}
		}
	}
}

// TestPlacementsAreAll counts the placements with node 0.
func TestPlacementsAreAll(t *testing.T) {
	torus := cube(3, 2)
	n := 0
	for p := range allPlacements(context.Background(), torus, 1) {
		if p.Nodes()[0] != 0 {
			t.Fatalf("%v lacks node 0", p.Nodes())
		}
		n++
	}
	if n != 256 {
		t.Errorf("%d placements with node 0 on 3x3, want 2^8", n)
	}
}

// TestRingOfTheMiddle: an independent look at why the UDR claim about general linear
// placements fails: on linear:c=1,0,1 E_max over k^2 grows, by the naive evaluator.
func TestRingOfTheMiddle(t *testing.T) {
	last := new(big.Rat)
	for k := 4; k <= 6; k += 2 {
		p := setUp(k, 3, "linear:c=1,0,1", "").placement
		most, _ := objective.Naive(must(routing.Parse(p.Torus(), "udr")), p).Max()
		share := product(most, power(k, -2))
		if want := product(ratio(2*k+1, 3), crossings(k, false)); most.Cmp(want) != 0 {
			t.Errorf("k=%d: naive %s, closed form %s", k, most.RatString(), want.RatString())
		}
		if share.Cmp(last) <= 0 {
			t.Errorf("k=%d: E_max/|P| = %s does not grow", k, share.RatString())
		}
		last = share
	}
}
