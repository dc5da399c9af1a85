package bound_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/objective/texts"
)

// clientProblem returns a random problem with client traffic on a network of up to most nodes, under any routing that
// treats it, every other with conditions.
func clientProblem(rng *rand.Rand, most int) objective.Problem {
	t := coretest.AnyNetwork(rng, most)
	r := coretest.Routing(rng, t)
	for r.DependsOnPlacement() {
		r = coretest.Routing(rng, t)
	}
	traffic := objective.Traffic{Request: rng.IntN(4), Reply: 1 + rng.IntN(4)}
	if traffic.Request > 0 && rng.IntN(2) == 0 {
		traffic.Replies = coretest.Orders(rng, t)
	}
	p := coretest.Must(objective.Problem{Routing: r, Size: 1}.WithTraffic(traffic))
	fixed, forbidden := 0, 0
	if rng.IntN(2) == 0 {
		forbidden = rng.IntN(t.N()/2 + 1)
		fixed = rng.IntN(min(3, t.N()-forbidden))
	}
	nodes := rng.Perm(t.N())
	n := max(1, fixed) + rng.IntN(t.N()-forbidden-max(1, fixed)+1)
	return coretest.Must(p.WithSize(n).WithNodes(nodes[:fixed], nodes[fixed:fixed+forbidden]))
}

// TestClientBoundsAgainstAllPlacements: no bound is above E_max of any placement, by the naive evaluator, and the dual
// one is at least as good as the others, up to its rounding.
func TestClientBoundsAgainstAllPlacements(t *testing.T) {
	tight, all := 0, 0
	for i := range coretest.Cases(400, 60) {
		p := clientProblem(coretest.Rng(2210, i), 9)
		var best *big.Rat
		for set := range uint64(1) << p.Torus().N() {
			nodes := core.Set{set}
			if nodes.Count() != p.Size || !p.AdmitsSet(nodes) {
				continue
			}
			s := core.MustPlacement(p.Torus(), nodes.Nodes())
			most, _ := p.Naive(s).Max()
			if best == nil || most.Cmp(best) < 0 {
				best = most
			}
			for _, b := range bound.ClientPlacementBounds(context.Background(), p, s) {
				if b.Value.Cmp(most) > 0 {
					t.Fatalf("case %d, %s, %v: %s is %s, E_max %s", i, p, s.Nodes(), b.Name, b.Value.RatString(), most.RatString())
				}
			}
		}
		dual, closed := new(big.Rat), new(big.Rat)
		bounds := coretest.Must(bound.ProblemBounds(context.Background(), p))
		for _, b := range bounds {
			switch {
			case b.Value.Cmp(best) > 0:
				t.Fatalf("case %d, %s: %s is %s, the optimum %s", i, p, b.Name, b.Value.RatString(), best.RatString())
			case b.Name == lowerbound.Dual:
				dual = b.Value
			case b.Name == lowerbound.Mean, b.Name == lowerbound.DimensionMean:
				if b.Value.Cmp(closed) > 0 {
					closed = b.Value
				}
			}
		}
		if less := new(big.Rat).Mul(closed, big.NewRat(999, 1000)); dual.Cmp(less) < 0 {
			t.Errorf("case %d, %s: dual is %s, means %s", i, p, dual.RatString(), closed.RatString())
		}
		if v := bound.QuickBound(p).Value; v.Cmp(best) > 0 {
			t.Errorf("case %d, %s: %s above %s", i, p, v.RatString(), best.RatString())
		}
		if all++; bound.Best(bounds).Value.Cmp(best) == 0 {
			tight++
		}
	}
	if 4*tight < all {
		t.Errorf("tight in %d of %d cases", tight, all)
	}
}

// TestClientBoundsKnown: under O1TURN and CDR on 8x8 the bounds are the optima of 16 processors that a program for
// integer programming found.
func TestClientBoundsKnown(t *testing.T) {
	for _, c := range []struct {
		where, routed string
		want          int64
	}{
		{"8x8:open=0,1:traffic=clients:request=1:reply=1", "udr:tie=both", 64},
		{"8x8:open=0,1:traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both", "odr:tie=both", 64},
		{"8x8:traffic=clients:request=1:reply=1", "udr:tie=both", 32},
	} {
		p := coretest.Must(texts.ParseProblem(c.where, c.routed, 16))
		list := coretest.Must(bound.ProblemBounds(context.Background(), p))
		if b := bound.Best(list); b.Value.Cmp(big.NewRat(c.want, 1)) != 0 {
			t.Errorf("%s: %s, want %d", p, b.Value.RatString(), c.want)
		}
	}
}
