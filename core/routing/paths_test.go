package routing_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// node returns the number of a node of a torus.
func node(torus *core.Torus, coords ...int) int { return coretest.Must(torus.Node(coords...)) }

// nodeAt returns the node with a digit for each coordinate.
func nodeAt(torus *core.Torus, digits string) int {
	var coords []int
	for _, c := range digits {
		coords = append(coords, int(c-'0'))
	}
	return node(torus, coords...)
}

// walks returns every path from p to q as the nodes it visits, ascending, with a digit for each coordinate.
func walks(r routing.Routing, p, q int, processors core.Set) []string {
	torus := r.Torus()
	var list []string
	for path := range r.Paths(p, q, processors) {
		walk := core.JoinInts(torus.Coords(p), "")
		for _, l := range path {
			_, to := torus.LinkEnds(l)
			walk += "-" + core.JoinInts(torus.Coords(to), "")
		}
		list = append(list, walk)
	}
	slices.Sort(list)
	return list
}

func countPaths(r routing.Routing, p, q int, processors core.Set) int {
	n := 0
	for range r.Paths(p, q, processors) {
		n++
	}
	return n
}

// TestPathsByHand holds listed paths against lists written out by hand.
func TestPathsByHand(t *testing.T) {
	for _, c := range []struct{ torus, routing, from, to, want string }{
		{"6", "odr", "5", "1", "5-0-1"},
		{"6", "odr", "1", "5", "1-0-5"},
		{"4", "odr", "3", "1", "3-0-1"}, // a tie goes the + way
		{"4", "odr:tie=both", "3", "1", "3-0-1 3-2-1"},
		{"2", "minimal", "1", "0", "1-0"}, // a side of 2 has no tie
		{"3x3", "odr", "00", "12", "00-10-12"},
		{"3x3", "odr:order=1,0", "00", "12", "00-02-12"},
		{"5x5", "udr", "00", "21", "00-01-11-21 00-10-20-21"},
		{"5x5", "minimal", "00", "21", "00-01-11-21 00-10-11-21 00-10-20-21"},
		{"2x4", "udr:tie=both", "00", "12", "00-01-02-12 00-03-02-12 00-10-11-12 00-10-13-12"},
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		r := parse(t, torus, c.routing)
		list := walks(r, nodeAt(torus, c.from), nodeAt(torus, c.to), core.NewSet(torus.N()))
		if got := strings.Join(list, " "); got != c.want {
			t.Errorf("%s on %s, %s to %s: %s, want %s", r, torus, c.from, c.to, got, c.want)
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
