package routing_test

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
)

// TestInducedOrders has values worked out by hand: 012+120+201 induce 01, 10 and 01 on dimensions 0 and 1, so a pair
// that differs only there goes 01 or 10, one half each (over distinct paths), and a pair that differs in all has three
// paths. 012+120 leave pairs in 0 and 1 both ways too, but those in 1 and 2 only one.
func TestInducedOrders(t *testing.T) {
	torus := core.MustTorus(5, 5, 5)
	for _, c := range []struct {
		routing string
		to      []int
		want    map[int]string // by the node after the first segment's first step: its share
	}{
		{"orders:012+120+201", []int{1, 1, 0}, map[int]string{0: "1/2", 1: "1/2"}},
		{"orders:012+120+201", []int{0, 1, 1}, map[int]string{1: "1/2", 2: "1/2"}},
		{"orders:012+120+201", []int{1, 0, 1}, map[int]string{0: "1/2", 2: "1/2"}},
		{"orders:012+120+201", []int{1, 1, 1}, map[int]string{0: "1/3", 1: "1/3", 2: "1/3"}},
		{"orders:012+120+201", []int{0, 1, 0}, map[int]string{1: "1"}},
		{"orders:012+120", []int{1, 1, 0}, map[int]string{0: "1/2", 1: "1/2"}},
		{"orders:012+120", []int{0, 1, 1}, map[int]string{1: "1"}},
		{"orders:012+021+120", []int{1, 1, 1}, map[int]string{0: "2/3", 1: "1/3"}},
		{"orders:012+021+120", []int{1, 1, 0}, map[int]string{0: "1/2", 1: "1/2"}}, // 01, 01, 10: two distinct paths
	} {
		r := parse(t, torus, c.routing)
		flow := r.Flow(0, node(torus, c.to...), nil)
		got := map[int]string{} // by dimension of the first link
		for _, s := range flow.Shares {
			if from, port := torus.LinkFrom(s.Link); from == 0 {
				got[port.Dim] = new(big.Rat).SetFrac(s.Num, flow.Den).RatString()
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s to %v: leaves by %v, want %v", c.routing, c.to, got, c.want)
		}
		for j, share := range c.want {
			if got[j] != share {
				t.Errorf("%s to %v: share %q leaves along dimension %d, want %s", c.routing, c.to, got[j], j, share)
			}
		}
	}
}

// splits lists the disjoint pairs of sets of dimensions without s.
func splits(d, s int) [][2]uint {
	list := [][2]uint{{0, 0}}
	for j := range d {
		if j == s {
			continue
		}
		for _, x := range list {
			list = append(list, [2]uint{x[0] | 1<<j, x[1]}, [2]uint{x[0], x[1] | 1<<j})
		}
	}
	return list
}

// countedWeight lists the distinct orders that the given ones induce and counts
// those in which exactly the dimensions of before precede s.
func countedWeight(orders [][]int, s int, before, after uint) *big.Rat {
	induced := map[string]bool{} // by spelling: whether it counts
	for _, o := range orders {
		var spelled []byte
		ahead, reached := uint(0), false
		for _, j := range o {
			if (before|after|1<<s)>>j&1 == 0 {
				continue
			}
			spelled = append(spelled, byte('0'+j))
			reached = reached || j == s
			if !reached {
				ahead |= 1 << j
			}
		}
		induced[string(spelled)] = ahead == before
	}
	hits := int64(0)
	for _, hit := range induced {
		if hit {
			hits++
		}
	}
	return big.NewRat(hits, int64(len(induced)))
}

// allOrders lists the orders of 0..d-1 by inserting d-1 everywhere.
func allOrders(d int) [][]int {
	if d == 0 {
		return [][]int{{}}
	}
	var list [][]int
	for _, o := range allOrders(d - 1) {
		for i := range d {
			list = append(list, slices.Insert(slices.Clone(o), i, d-1))
		}
	}
	return list
}

func TestWeightCountsOrders(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(14, i)
		d := 1 + rng.IntN(4)
		torus := core.MustTorus([]int{2, 3, 2, 3}[:d]...)
		r := coretest.Orders(rng, torus)
		orders := r.List()
		if r.All() {
			orders = allOrders(d)
		}
		common := big.NewRat(r.OrderDenominator(), 1)
		for s := range d {
			sums := map[uint]*big.Rat{} // by the set that is split: all weights
			for _, x := range splits(d, s) {
				num, den := r.Weight(s, x[0], x[1])
				got, want := big.NewRat(num, den), countedWeight(orders, s, x[0], x[1])
				if got.Cmp(want) != 0 {
					t.Fatalf("%s, d=%d: weight of %03b before %d before %03b is %s, counted %s", r, d, x[0], s, x[1],
						got.RatString(), want.RatString())
				}
				if !new(big.Rat).Mul(got, common).IsInt() {
					t.Errorf("%s: weight %s is not a multiple of 1/%s", r, got.RatString(), common.RatString())
				}
				if sums[x[0]|x[1]] == nil {
					sums[x[0]|x[1]] = new(big.Rat)
				}
				sums[x[0]|x[1]].Add(sums[x[0]|x[1]], got)
			}
			for set, sum := range sums {
				if sum.Cmp(big.NewRat(1, 1)) != 0 {
					t.Errorf("%s: the weights around %d of the splits of %03b add up to %s", r, s, set, sum.RatString())
				}
			}
		}
	}
}

// TestDenominators holds denominators against hand computation: lcm(1..d) for
// udr, the counts of induced orders, and a factor 2 once for ties.
func TestDenominators(t *testing.T) {
	for _, c := range []struct {
		torus   string
		routing string
		want    int64
	}{
		{"4x4", "odr", 1},
		{"4x4", "odr:tie=both", 2},
		{"5x2", "odr:tie=both", 1}, // no tie can occur
		{"4x4", "udr", 2},
		{"4x4", "udr:tie=both", 4},
		{"3x3x3", "udr", 6},
		{"4x2x2x2", "udr:tie=both", 24},
		{"3x3x3", "orders:012+120+201", 6},
		{"3x3x3", "orders:012+210", 2},
		{"3x3", "minimal", 2},
		{"4x4", "minimal", 24},          // 1, 2, 3 and 6 lattice paths; ties 2 and 4: 2*1, 2*3, 4*6
		{"4x4", "minimal:tie=plus", 6},  // lcm(1, 2, 3, 6)
		{"5x5", "minimal:tie=plus", 6},  // the same boxes
		{"6x6", "minimal:tie=plus", 60}, // 1, 2, 3, 4, 6, 10, 20
	} {
		torus := coretest.Must(core.ParseTorus(c.torus))
		if got := parse(t, torus, c.routing).Denominator(); got.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("%s on %s: denominator %s, want %d", c.routing, torus, got, c.want)
		}
	}
}

func TestCanonicalNames(t *testing.T) {
	for _, c := range [][3]string{
		{"3x3x3", "odr", "odr:tie=plus"},
		{"3x3x3", "odr:order=0,1,2:tie=both", "odr:tie=both"},
		{"3x3x3", "odr:tie=both:order=2,1,0", "odr:order=2,1,0:tie=both"},
		{"3x3x3", "orders:201", "odr:order=2,0,1:tie=plus"},
		{"3x3x3", "orders:201+012+201", "orders:012+201:tie=plus"},
		{"3x3x3", "orders:0,1,2+2,0,1", "orders:012+201:tie=plus"},
		{"3x3", "orders:10+01:tie=both", "udr:tie=both"},
		{"3", "orders:0", "odr:tie=plus"},
		{"3", "udr", "udr:tie=plus"},
		{"3x3", "avoid", "avoid:tie=both"},
		{"3x3", "minimal", "minimal:tie=both"},
		{"3x3", "minimal:tie=plus", "minimal:tie=plus"},
	} {
		torus := coretest.Must(core.ParseTorus(c[0]))
		if got := parse(t, torus, c[1]).String(); got != c[2] {
			t.Errorf("%s on %s prints as %s, want %s", c[1], c[0], got, c[2])
		}
	}
}

// TestManyDimensions reads orders of eleven dimensions, which need commas.
func TestManyDimensions(t *testing.T) {
	torus := core.MustTorus(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
	text := "orders:0,1,2,3,4,5,6,7,8,9,10+10,9,8,7,6,5,4,3,2,1,0:tie=plus"
	r := parse(t, torus, text)
	if r.String() != text {
		t.Errorf("%s prints as %s", text, r)
	}
	if n := countPaths(r, 0, torus.N()-1, nil); n != 2 {
		t.Errorf("%s has %d paths, want 2", text, n)
	}
	if _, err := routing.NewOrders(core.MustTorus(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
		[][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		routing.TiePlus); err == nil {
		t.Error("two orders of 13 dimensions are accepted, past the limit of 12")
	}
}
