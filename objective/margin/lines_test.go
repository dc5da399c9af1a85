package margin_test

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/margin"
)

func lines(r routing.Routing, n int, effort int64) margin.Bound {
	return coretest.Must(margin.Lines(context.Background(), r, n, effort))
}

// TestLinesAgainstAllPlacements holds the bound for every size of small tori and networks against the optimum over all
// placements under the naive evaluator; it reaches it often.
func TestLinesAgainstAllPlacements(t *testing.T) {
	networks := strings.Fields("2x2x2 2x3x2 2x2x3:open=2 3x2x2:bandwidth=1,2,1 2x2x4:open=2 2x2x2x2")
	for i := range coretest.Cases(30, 2) {
		rng := coretest.Rng(1113, i)
		torus := coretest.Network(rng, 12)
		for torus.D() < 3 {
			torus = coretest.Network(rng, 12)
		}
		networks = append(networks, torus.String(), coretest.Twisted(rng, 9).String())
	}
	tight, all := 0, 0
	for i, text := range networks {
		torus := coretest.Must(core.ParseNetwork(text))
		if !coretest.Long() && torus.N() > 12 || testing.Short() && torus.N() > 8 {
			continue
		}
		ordered := []routing.Routing{coretest.Orders(coretest.Rng(1114, i), torus)}
		if torus.N() < 13 {
			ordered = append(ordered, routings(torus, "odr", "udr")...)
		}
		for _, r := range ordered {
			best := optima(r)
			for n := 1; n <= torus.N(); n++ {
				switch got := lines(r, n, 1e6); got.Value.Cmp(best[n]) {
				case 0:
					tight++
				case 1:
					t.Errorf("%s %s n=%d: bound %s above the optimum %s", torus, r, n, got.Value.RatString(), best[n].RatString())
				}
				all++
			}
		}
	}
	if 4*tight < all {
		t.Errorf("tight in %d of %d cases", tight, all)
	}
}

// TestLinesHoldForPlacements tries residue classes, which are among the best placements known, and random placements
// on larger tori and networks.
func TestLinesHoldForPlacements(t *testing.T) {
	tight := 0
	for i := range coretest.Cases(1500, 200) {
		rng := coretest.Rng(1115, i)
		texts := strings.Fields("3x3x3 4x4x4 3x3x4 2x4x4 5x5x5 4x4x6 3x3x3x3 4x4x4x2 4x4x4:open=0 4x4x4:open=1,2 " +
			"3x4x3:bandwidth=2,1,3 5x5x5:open=0,1,2 2x2x2x2x2 6x6x6 4x4x4x4 2x6x4 4x8:twist=4 8x8:twist=4 " +
			"4x4x8:twist=0,0,4+0,0,4+0,0,0 6x6:bandwidth=1,3:twist=3 8x16:twist=8")
		torus := coretest.Must(core.ParseNetwork(texts[i%len(texts)]))
		r := routings(torus, "odr", "udr")[i/len(texts)%4]
		if i%5 == 4 && torus.D() < 5 {
			r = coretest.Orders(rng, torus)
		}
		m := 2 + rng.IntN(7)
		var c, residues []string
		for range torus.D() {
			c = append(c, strconv.Itoa(rng.IntN(m)))
		}
		for _, v := range rng.Perm(m)[:1+rng.IntN(m/2)] {
			residues = append(residues, strconv.Itoa(v))
		}
		p, err := family.Parse(torus, fmt.Sprintf("residues:c=%s:m=%d:r=%s", strings.Join(c, ","), m,
			strings.Join(residues, ",")))
		if i%4 == 3 || err != nil || p.Size() == 0 {
			p = coretest.Placement(rng, torus)
		}
		most, _ := fast.Evaluate(objective.Problem{Routing: r}, p).Max()
		switch got := lines(r, p.Size(), 1e5); got.Value.Cmp(most) {
		case 0:
			tight++
		case 1:
			t.Errorf("%v on %s under %s: bound %s above E_max %s", p.Coords(), torus, r, got.Value.RatString(), most.RatString())
		}
	}
	if tight == 0 {
		t.Error("never tight")
	}
}

// TestLinesAgainstTheirDefinition compares with all slab counts of all dimensions together, in plain sequence.
func TestLinesAgainstTheirDefinition(t *testing.T) {
	for i := range coretest.Cases(150, 30) {
		rng := coretest.Rng(1116, i)
		texts := strings.Fields("2x2x2 3x3x3 2x3x4 4x4x4 2x2x2x2 3x3x3:open=0,2 3x4x2:open=1:bandwidth=2,1,1 " +
			"4x3x3:bandwidth=1,1,3")
		torus := coretest.Must(core.ParseNetwork(texts[i%len(texts)]))
		r := coretest.Orders(rng, torus)
		n := 2 + rng.IntN(min(torus.N()-1, 12))
		got := lines(r, n, 1e7)
		if !got.Complete {
			t.Fatalf("%s %s n=%d: not complete", torus, r, n)
		}
		if !linesExist(r, n, got.Value) || got.Refuted != nil && linesExist(r, n, got.Refuted) {
			t.Errorf("%s %s n=%d: %s is not the least limit", torus, r, n, got.Value.RatString())
		}
	}
}

// linesExist reports whether there are slab counts of all dimensions within the limit. What crosses is read off the
// paths of pairs on one ring, and the parts on own lines off those of all pairs.
func linesExist(r routing.Routing, n int, limit *big.Rat) bool {
	t := r.Torus()
	first, last := ownParts(r)
	type kept struct{ used, need int }
	var sides [][]kept
	for s := range t.D() {
		k, found := t.Side(s), map[kept]bool{}
		cross := crossing(r, s)
		line := new(big.Rat).Mul(limit, big.NewRat(int64(t.Bandwidth(s)), 1))
		counts := make([]int, k)
		var fill func(x, left int)
		fill = func(x, left int) {
			if x < k {
				for counts[x] = 0; counts[x] <= min(left, t.N()/k); counts[x]++ {
					fill(x+1, left-counts[x])
				}
				counts[x] = 0
				return
			}
			if left > 0 {
				return
			}
			used, need := 0, 0
			for x, count := range counts {
				if count == 0 {
					continue
				}
				used, need = used+1, max(need, count)
				for _, share := range cross {
					own := new(big.Rat)
					for z, others := range counts {
						own.Add(own, new(big.Rat).Mul(big.NewRat(int64(others), 1), new(big.Rat).Add(
							new(big.Rat).Mul(first[s], share[x][z]), new(big.Rat).Mul(last[s], share[z][x]))))
					}
					if own.Cmp(line) > 0 {
						return
					}
				}
			}
			for _, share := range cross {
				sum := new(big.Rat)
				for x, a := range counts {
					for z, b := range counts {
						sum.Add(sum, new(big.Rat).Mul(share[x][z], big.NewRat(int64(a*b), 1)))
					}
				}
				for new(big.Rat).Mul(line, big.NewRat(int64(need), 1)).Cmp(sum) < 0 {
					if need++; need > t.N() {
						return
					}
				}
			}
			found[kept{used, need}] = true
		}
		fill(0, n)
		sides = append(sides, nil)
		for f := range found {
			sides[s] = append(sides[s], f)
		}
	}
	picks := make([]kept, t.D())
	var pick func(s int) bool
	pick = func(s int) bool {
		if s < t.D() {
			for _, picks[s] = range sides[s] {
				if pick(s + 1) {
					return true
				}
			}
			return false
		}
		for s := range picks {
			lines := 1
			for o, other := range picks {
				if o != s {
					lines *= other.used
				}
			}
			if picks[s].need > lines {
				return false
			}
		}
		return true
	}
	return pick(0)
}

// ownParts returns, by dimension, the least part of the traffic of a pair that differs in it that corrects it first,
// and last, over all pairs of nodes.
func ownParts(r routing.Routing) (first, last []*big.Rat) {
	t := r.Torus()
	for range t.D() {
		first, last = append(first, big.NewRat(1, 1)), append(last, big.NewRat(1, 1))
	}
	for v := 1; v < t.N(); v++ {
		paths, starts, ends := int64(0), make([]int64, t.D()), make([]int64, t.D())
		for path := range r.Paths(0, v, nil) {
			paths++
			_, out := t.LinkFrom(path[0])
			_, in := t.LinkFrom(path[len(path)-1])
			starts[out.Dim]++
			ends[in.Dim]++
		}
		for s := range t.D() {
			if a, b := big.NewRat(starts[s], paths), big.NewRat(ends[s], paths); t.Coord(v, s) != 0 {
				if a.Cmp(first[s]) < 0 {
					first[s] = a
				}
				if b.Cmp(last[s]) < 0 {
					last[s] = b
				}
			}
		}
	}
	return first, last
}

// crossing returns, by link of a ring or path along s, the part of the traffic from place x to place z that crosses.
func crossing(r routing.Routing, s int) map[core.Link][][]*big.Rat {
	t := r.Torus()
	k, list := t.Side(s), map[core.Link][][]*big.Rat{}
	for x := range k {
		for z := range k {
			paths, uses := int64(0), map[core.Link]int64{}
			for path := range r.Paths(x*t.Stride(s), z*t.Stride(s), nil) {
				paths++
				for _, l := range path {
					uses[l]++
				}
			}
			for l, count := range uses {
				if list[l] == nil {
					for range k {
						row := make([]*big.Rat, k)
						for i := range row {
							row[i] = new(big.Rat)
						}
						list[l] = append(list[l], row)
					}
				}
				list[l][x][z] = big.NewRat(count, paths)
			}
		}
	}
	return list
}

// TestLinesOnTwistedTori has values found by hand: what a processor sends leaves its line by two links, so that few
// slabs have processors, and what crosses from half of them to the others along the middle dimension shares few lines.
func TestLinesOnTwistedTori(t *testing.T) {
	for _, test := range []struct {
		torus, routing string
		n              int
		value          *big.Rat
	}{
		{"4x4x8:twist=0,0,4+0,0,4+0,0,0", "odr", 16, big.NewRat(4, 1)},
		{"4x4x8:twist=0,0,4+0,0,4+0,0,0", "odr:tie=both", 16, big.NewRat(4, 1)},
		{"4x4x8:twist=0,0,4+0,0,4+0,0,0", "odr", 32, big.NewRat(11, 1)},
		{"4x4x8:twist=0,0,4+0,0,4+0,0,0", "odr:tie=both", 32, big.NewRat(11, 1)},
		{"8x16:twist=8", "odr", 16, big.NewRat(6, 1)},
		{"8x16:twist=8", "odr:tie=both", 16, big.NewRat(11, 2)},
	} {
		r := parse(coretest.Must(core.ParseNetwork(test.torus)), test.routing)
		if got := lines(r, test.n, 1e8); got.Value.Cmp(test.value) != 0 {
			t.Errorf("%s %s n=%d: %s, want %s", test.torus, r, test.n, got.Value.RatString(), test.value.RatString())
		}
	}
}

// TestLinesKnownValues: where the bound equals the E_max of a placement of a family both are the optimum.
func TestLinesKnownValues(t *testing.T) {
	for _, test := range []struct {
		torus, routing, placement string
	}{
		{"6x6x6", "odr:tie=plus", "linear"}, {"4x4x4x4", "odr:tie=plus", "linear"}, {"4x4x4x4", "odr:tie=both", "linear"},
		{"5x5x5", "odr:tie=plus", "spaced:t=2"}, {"3x3x3", "odr:tie=plus", "linear"}, {"4x4x4", "odr:tie=both", "linear"},
	} {
		torus := coretest.Must(core.ParseNetwork(test.torus))
		r := parse(torus, test.routing)
		p := coretest.Must(family.Parse(torus, test.placement))
		most, _ := fast.Evaluate(objective.Problem{Routing: r}, p).Max()
		if got := lines(r, p.Size(), 1e8); got.Value.Cmp(most) != 0 {
			t.Errorf("%s %s n=%d: %s, %s has %s", torus, r, p.Size(), got.Value.RatString(), test.placement, most.RatString())
		}
	}
}

// TestLinesSayNothing of other routings, two dimensions and one processor.
func TestLinesSayNothing(t *testing.T) {
	cube, square := core.MustTorus(3, 3, 3), core.MustTorus(4, 4)
	for _, test := range []struct {
		r routing.Routing
		n int
	}{{parse(cube, "minimal"), 9}, {parse(cube, "avoid"), 9}, {parse(square, "odr"), 4}, {parse(cube, "odr"), 1}} {
		if got := lines(test.r, test.n, 1e6); got.Value.Sign() != 0 || got.Refuted != nil {
			t.Errorf("%s %s n=%d: %s", test.r.Torus(), test.r, test.n, got.Value.RatString())
		}
	}
}
