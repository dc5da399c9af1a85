package model

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
)

// TestMorePathsByHand: on 4x4 with the linear placement the link from (0,0) to (0,1)
// carries, under minimal, messages of (0,0) to (3,1), (1,3), (2,2) and what others
// send through. By hand from the paths listed, not from the evaluators.
func TestMorePathsByHand(t *testing.T) {
	at := SetUp(4, 2, "linear", "minimal")
	most := new(big.Rat)
	for link := range at.Torus().M() {
		load := new(big.Rat)
		for _, p := range at.Placement.Nodes() {
			for _, q := range at.Placement.Nodes() {
				if p == q {
					continue
				}
				all, through := 0, 0
				for path := range at.Routing.Paths(p, q, nil) {
					all++
					if slices.Contains(path, core.Link(link)) {
						through++
					}
				}
				load.Add(load, big.NewRat(int64(through), int64(all)))
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

// TestPathsBesideProcessor compares the count with all paths of all pairs.
func TestPathsBesideProcessor(t *testing.T) {
	for _, kd := range [][2]int{{3, 2}, {4, 2}, {7, 2}, {3, 3}, {4, 3}, {5, 3}, {3, 4}, {4, 4}} {
		at := SetUp(kd[0], kd[1], "linear", "udr")
		link := at.Torus().Link(0, 0, core.Plus)
		n := 0
		for _, p := range at.Placement.Nodes() {
			for _, q := range at.Placement.Nodes() {
				if p == q {
					continue
				}
				for path := range at.Routing.Paths(p, q, nil) {
					if slices.Contains(path, link) {
						n++
					}
				}
			}
		}
		if got := PathsBesideProcessor(kd[0], kd[1]); got != n {
			t.Errorf("k=%d d=%d: %d paths counted, %d listed", kd[0], kd[1], got, n)
		}
		if got := PathsThrough(at)[link]; got != n {
			t.Errorf("k=%d d=%d: %d paths by flows, %d listed", kd[0], kd[1], got, n)
		}
	}
}

// TestAlgorithm31 compares the literal algorithm with the paths of avoid, one by one.
func TestAlgorithm31(t *testing.T) {
	for k := 3; k <= 5; k++ {
		at := SetUp(k, 3, "linear", "avoid")
		set := at.Placement.Set()
		for _, q := range at.Placement.Nodes()[1:] {
			var want []Trail
			for path := range at.Routing.Paths(0, q, set) {
				var nodes Trail
				for _, link := range path {
					_, to := at.Torus().LinkEnds(link)
					nodes = append(nodes, to)
				}
				want = append(want, nodes)
			}
			slices.SortFunc(want, slices.Compare[Trail])
			if got := Algorithm31(at.Torus(), set, 0, q); !slices.EqualFunc(got, want, slices.Equal[Trail]) {
				t.Errorf("k=%d, node 0 to %d: %v, avoid has %v", k, q, got, want)
			}
		}
	}
}

// TestPlacementsAreAll counts the placements with node 0.
func TestPlacementsAreAll(t *testing.T) {
	torus := Cube(3, 2)
	n := 0
	for p := range AllPlacements(context.Background(), torus, 1) {
		if p.Nodes()[0] != 0 {
			t.Fatalf("%v lacks node 0", p.Nodes())
		}
		n++
	}
	if n != 256 {
		t.Errorf("%d placements with node 0 on 3x3, want 2^8", n)
	}
}
