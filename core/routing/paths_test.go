package routing_test

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// node returns the number of a node of a torus.
func node(torus *core.Torus, coords ...int) int { return coretest.Must(torus.Node(coords...)) }

// walks returns every path from p to q as the coordinates it visits, ascending.
func walks(r routing.Routing, p, q int, processors core.Set) [][][]int {
	torus := r.Torus()
	var list [][][]int
	for path := range r.Paths(p, q, processors) {
		walk := [][]int{torus.Coords(p)}
		for _, l := range path {
			_, to := torus.LinkEnds(l)
			walk = append(walk, torus.Coords(to))
		}
		list = append(list, walk)
	}
	slices.SortFunc(list, func(a, b [][]int) int { return slices.CompareFunc(a, b, slices.Compare) })
	return list
}

func countPaths(r routing.Routing, p, q int, processors core.Set) int {
	n := 0
	for range r.Paths(p, q, processors) {
		n++
	}
	return n
}

// choose counts by Pascal's rule.
func choose(n, k int) int {
	if k == 0 || k == n {
		return 1
	}
	return choose(n-1, k-1) + choose(n-1, k)
}

// wantCounts returns, from the definitions, how many paths odr, udr and minimal
// have from p to q: 1, |S|! and a multinomial coefficient, each times two per
// tie where ties go both ways.
func wantCounts(torus *core.Torus, p, q int, both bool) (odr, udr, minimal int) {
	odr, udr, minimal = 1, 1, 1
	differ, steps := 0, 0
	for j, k := range torus.Dims() {
		a, b := torus.Coord(p, j), torus.Coord(q, j)
		if a == b {
			continue
		}
		way := min((b-a+k)%k, (a-b+k)%k)
		differ, steps = differ+1, steps+way
		udr *= differ
		minimal *= choose(steps, way)
		if both && k > 2 && 2*way == k {
			odr, udr, minimal = 2*odr, 2*udr, 2*minimal
		}
	}
	return odr, udr, minimal
}

func TestNumberOfPaths(t *testing.T) {
	for _, dims := range [][]int{{2}, {6}, {7}, {4, 4}, {2, 6}, {5, 3}, {4, 3, 2}, {4, 4, 2}, {2, 2, 2, 2}} {
		torus := core.MustTorus(dims...)
		for _, tie := range []routing.Tie{routing.TiePlus, routing.TieBoth} {
			odr := coretest.Must(routing.NewODR(torus, nil, tie))
			udr, minimal := routing.NewUDR(torus, tie), routing.NewMinimal(torus, tie)
			for q := 1; q < torus.N(); q++ {
				o, u, m := wantCounts(torus, 0, q, tie == routing.TieBoth)
				if n := countPaths(odr, 0, q, nil); n != o {
					t.Errorf("%s on %s to %v: %d paths, want %d", odr, torus, torus.Coords(q), n, o)
				}
				if n := countPaths(udr, 0, q, nil); n != u {
					t.Errorf("%s on %s to %v: %d paths, want %d", udr, torus, torus.Coords(q), n, u)
				}
				if n := countPaths(minimal, 0, q, nil); n != m {
					t.Errorf("%s on %s to %v: %d paths, want %d", minimal, torus, torus.Coords(q), n, m)
				}
			}
		}
	}
}

// TestPathsByHand holds listed paths against lists written out by hand.
func TestPathsByHand(t *testing.T) {
	for _, c := range []struct {
		dims     []int
		routing  string
		from, to []int
		want     [][][]int
	}{
		{[]int{6}, "odr", []int{5}, []int{1}, [][][]int{{{5}, {0}, {1}}}},
		{[]int{6}, "odr", []int{1}, []int{5}, [][][]int{{{1}, {0}, {5}}}},
		{[]int{4}, "odr", []int{3}, []int{1}, [][][]int{{{3}, {0}, {1}}}}, // a tie goes the + way
		{[]int{4}, "odr:tie=both", []int{3}, []int{1}, [][][]int{{{3}, {0}, {1}}, {{3}, {2}, {1}}}},
		{[]int{2}, "minimal", []int{1}, []int{0}, [][][]int{{{1}, {0}}}}, // a side of 2 has no tie
		{[]int{3, 3}, "odr", []int{0, 0}, []int{1, 2}, [][][]int{{{0, 0}, {1, 0}, {1, 2}}}},
		{[]int{3, 3}, "odr:order=1,0", []int{0, 0}, []int{1, 2}, [][][]int{{{0, 0}, {0, 2}, {1, 2}}}},
		{[]int{5, 5}, "udr", []int{0, 0}, []int{2, 1}, [][][]int{{{0, 0}, {0, 1}, {1, 1}, {2, 1}},
			{{0, 0}, {1, 0}, {2, 0}, {2, 1}}}},
		{[]int{5, 5}, "minimal", []int{0, 0}, []int{2, 1}, [][][]int{
			{{0, 0}, {0, 1}, {1, 1}, {2, 1}}, {{0, 0}, {1, 0}, {1, 1}, {2, 1}}, {{0, 0}, {1, 0}, {2, 0}, {2, 1}}}},
		{[]int{2, 4}, "udr:tie=both", []int{0, 0}, []int{1, 2}, [][][]int{
			{{0, 0}, {0, 1}, {0, 2}, {1, 2}}, {{0, 0}, {0, 3}, {0, 2}, {1, 2}},
			{{0, 0}, {1, 0}, {1, 1}, {1, 2}}, {{0, 0}, {1, 0}, {1, 3}, {1, 2}}}},
	} {
		torus := core.MustTorus(c.dims...)
		r := parse(t, torus, c.routing)
		got := walks(r, node(torus, c.from...), node(torus, c.to...), core.NewSet(torus.N()))
		if !slices.EqualFunc(got, c.want, func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }) {
			t.Errorf("%s on %s, %v to %v: %v, want %v", r, torus, c.from, c.to, got, c.want)
		}
	}
}

// TestTiesGoPlus checks that with tie=plus every step of a tie goes up.
func TestTiesGoPlus(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(13, i)
		torus := coretest.Torus(rng, 64)
		for _, text := range []string{"odr:tie=plus", "udr:tie=plus", "minimal:tie=plus"} {
			r := parse(t, torus, text)
			p, q := rng.IntN(torus.N()), rng.IntN(torus.N())
			if p == q {
				continue
			}
			for path := range r.Paths(p, q, nil) {
				for _, l := range path {
					_, port := torus.LinkFrom(l)
					if d := torus.Coord(q, port.Dim) - torus.Coord(p, port.Dim); 2*max(d, -d) == torus.Side(
						port.Dim) && port.Dir != core.Plus {
						t.Fatalf("%s on %s, %v to %v: path %v goes down in a tie", r, torus, torus.Coords(p), torus.Coords(q), path)
					}
				}
			}
		}
	}
}

// TestPathsStopEarly checks that a reader may stop after any path.
func TestPathsStopEarly(t *testing.T) {
	torus := core.MustTorus(4, 4, 3)
	for _, text := range allRoutings(3) {
		r := parse(t, torus, text)
		q := node(torus, 2, 2, 1)
		for stop := 1; stop <= min(8, countPaths(r, 0, q, core.NewSet(torus.N()))); stop++ {
			n := 0
			for range r.Paths(0, q, core.NewSet(torus.N())) {
				if n++; n == stop {
					break
				}
			}
			if n != stop {
				t.Errorf("%s stops after %d paths, not %d", r, n, stop)
			}
		}
	}
}

// TestFlowsOfManyPaths compares what the first links of long ways carry under minimal with factorials, on both sides of
// the numbers of paths that fit a word.
func TestFlowsOfManyPaths(t *testing.T) {
	torus := core.MustTorus(160, 160, 8)
	r := routing.NewMinimal(torus, routing.TiePlus)
	ways := func(steps []int) *big.Rat {
		sum := int64(0)
		for _, s := range steps {
			sum += int64(s)
		}
		n := new(big.Int).MulRange(1, sum)
		for _, s := range steps {
			n.Div(n, new(big.Int).MulRange(1, int64(s)))
		}
		return new(big.Rat).SetInt(n)
	}
	for _, steps := range [][]int{{1, 0, 0}, {33, 33, 0}, {34, 33, 0}, {34, 34, 0}, {35, 34, 0}, {66, 1, 0}, {67, 1, 0},
		{79, 2, 3}, {20, 20, 3}, {25, 25, 3}, {3, 60, 2}} {
		f := r.Flow(0, node(torus, steps...), nil)
		for j := range steps {
			if steps[j] == 0 {
				continue
			}
			rest := slices.Clone(steps)
			rest[j]--
			want, found := new(big.Rat).Quo(ways(rest), ways(steps)), false
			for _, s := range f.Shares {
				if s.Link == torus.Link(0, j, core.Plus) {
					found = true
					if have := new(big.Rat).SetFrac(s.Num, f.Den); have.Cmp(want) != 0 {
						t.Errorf("%v: the first link along dimension %d carries %v, want %v", steps, j, have, want)
					}
				}
			}
			if !found {
				t.Errorf("%v: nothing on the first link along dimension %d", steps, j)
			}
		}
	}
}

// TestFlowsByWords compares flows by words with those by numbers of any size.
func TestFlowsByWords(t *testing.T) {
	for i := range coretest.Cases(3000, 300) {
		rng := coretest.Rng(1903, i)
		torus := coretest.Network(rng, 200)
		if i%4 == 3 {
			torus = coretest.Twisted(rng, 40)
		}
		tie := coretest.Tie(rng)
		if torus.Twisted() {
			tie = routing.TiePlus // the other has flows of its own
		}
		r := routing.NewMinimal(torus, tie)
		p, q := rng.IntN(torus.N()), rng.IntN(torus.N())
		have, want := r.Flow(p, q, nil), r.LargeFlow(p, q)
		same := func(a, b routing.Share) bool { return a.Link == b.Link && a.Num.Cmp(b.Num) == 0 }
		if have.Den.Cmp(want.Den) != 0 || !slices.EqualFunc(have.Shares, want.Shares, same) {
			t.Fatalf("%s on %s from %d to %d: %v, by numbers of any size %v", r, torus, p, q, have, want)
		}
	}
}
