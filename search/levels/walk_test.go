package levels

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/objective"
	"leeway/search"
	"leeway/search/exhaustive"
	"leeway/search/searchtest"
)

var routings = []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "odr:order=2,0,1", "orders:012+120+201:tie=both", "orders:012+021"}

// planned returns the plan of a question.
func planned(t *testing.T, p objective.Problem, below *big.Rat) *plan {
	t.Helper()
	q, err := Engine{}.Plan(context.Background(), p, below, 1)
	if err != nil {
		t.Fatalf("%s below %s: %v", p, below.RatString(), err)
	}
	return q.(*plan)
}

func onward(int64) bool { return true }

// compare holds prefixes and the counts and sums of every prefix against the slow
// twin, and returns the nodes and whether a placement was found.
func compare(t *testing.T, p objective.Problem, below *big.Rat) (nodes int64, any bool) {
	t.Helper()
	q, classes := planned(t, p, below), newTwin(p, below).classes()
	if !slices.EqualFunc(q.Prefixes(), classes, func(a []int, c *twinClass) bool { return slices.Equal(a, c.prefix()) }) {
		t.Errorf("%s below %s: %d prefixes, by the definition %d, or others", p, below.RatString(), len(q.Prefixes()), len(classes))
		return 0, false
	}
	walker := q.Walker()
	for i, c := range classes {
		got := walker.Walk(i, onward)
		count, sum, found := c.walk()
		if (got.Found.Size() > 0) != found || !found && (got.Nodes != count || got.Sum != sum) {
			t.Errorf("%s below %s, prefix %v: %d nodes, sum %x, found %v; by the definition %d, %x, %v", p, below.RatString(), c.prefix(),
				got.Nodes, got.Sum, got.Found.Size() > 0, count, sum, found)
		}
		if found {
			any = true
			if v, _ := objective.Naive(p.Routing, got.Found).Max(); got.Found.Size() != p.Size || v.Cmp(below) >= 0 {
				t.Errorf("%s below %s: found %v of E_max %s", p, below.RatString(), got.Found.Nodes(), v.RatString())
			}
		}
		nodes += got.Nodes
	}
	return nodes, any
}

// TestTwin compares with the slow twin on the smallest tori, for every size and for
// values around the optimum by brute force: nothing is found below it, something
// one step above.
func TestTwin(t *testing.T) {
	tori := []string{"2x2x2", "2x2x3", "2x3x2", "3x2x2"}
	if testing.Short() {
		tori = tori[:1]
	}
	nodes := int64(0)
	for i, torus := range tori {
		for j, r := range routings {
			if i > 0 && (i+j)%3 == 0 { // each routing on two of the three
				continue
			}
			for n := 1; n <= searchtest.Problem(torus, r, 1).Torus().N(); n++ {
				p := searchtest.Problem(torus, r, n)
				below, step := optimum(p), big.NewRat(1, p.Routing.Denominator().Int64())
				for above := range 2 {
					if below.Sign() > 0 {
						count, found := compare(t, p, below)
						if nodes += count; found != (above > 0) {
							t.Errorf("%s below %s: found %v, %d steps above the optimum", p, below.RatString(), found, above)
						}
					}
					below = new(big.Rat).Add(below, step)
				}
			}
		}
	}
	if nodes == 0 {
		t.Error("no nodes at all")
	}
}

// TestTwinOnLargerTori goes on where the slow twin takes a while.
func TestTwinOnLargerTori(t *testing.T) {
	if testing.Short() {
		t.Skip("the slow twin lists paths")
	}
	for _, c := range []struct {
		torus, routing string
		n              int
		below          string
	}{
		{"3x3x2", "odr", 4, "7/2"}, {"3x3x2", "udr", 7, "7/3"}, {"2x4x2", "udr:tie=both", 7, "5/2"}, {"3x3x3", "udr", 7, "4/3"},
		{"4x2x2", "odr:tie=both", 6, "4"}, {"2x2x2x2", "udr", 6, "2"}, {"3x3x3", "odr", 5, "3"}, {"2x3x3", "orders:012+120+201", 5, "3/2"},
		{"2x2x4", "odr", 7, "5"}, {"2x2x2x2", "orders:0123+3210:tie=both", 5, "3"}, {"2x4x3", "udr", 6, "2"}, {"3x3x3", "orders:012+210", 6, "2"},
	} {
		below, _ := new(big.Rat).SetString(c.below)
		compare(t, searchtest.Problem(c.torus, c.routing, c.n), below)
	}
}

// optimum returns the best value by the full count, on the smallest tori with the
// naive evaluator.
func optimum(p objective.Problem) *big.Rat {
	if p.Torus().N() <= 8 {
		return searchtest.Optimum(p)
	}
	full, err := exhaustive.New().Run(context.Background(), search.Params{Problem: p, Workers: 1})
	if err != nil {
		panic(err)
	}
	return full.Value
}
