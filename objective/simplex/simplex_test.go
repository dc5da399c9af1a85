package simplex_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/objective/simplex"
)

// TestExact solves programs whose optimum is known by trying all vertices of a grid: maximise c.x with x in a box and a
// cut. The prices of the rows prove the optimum.
func TestExact(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 0))
	for range 200 {
		const n = 3
		p := simplex.New(n+1, n)
		var cost, weight [n]int64
		room := random.Int64N(5)
		for j := range n { // x_j <= 1 and weight.x <= room, weights 0 or 1: whole vertices
			cost[j], weight[j] = random.Int64N(9)-3, random.Int64N(2)
			p.Gain(j, float64(cost[j]))
			p.Set(j, j, 1)
			p.Right(j, 1)
			p.Set(n, j, float64(weight[j]))
		}
		p.Right(n, float64(room))
		p.Nudge()
		p.Run(100)
		want := int64(0)
		for set := range 1 << n {
			value, used := int64(0), int64(0)
			for j := range n {
				if set>>j&1 == 1 {
					value, used = value+cost[j], used+weight[j]
				}
			}
			if used <= room {
				want = max(want, value)
			}
		}
		values, prices, ok := p.Exact()
		if !ok {
			t.Fatal("not solved")
		}
		gain, bound := new(big.Rat), new(big.Rat).Mul(prices[n], big.NewRat(room, 1))
		for j, x := range values {
			gain.Add(gain, new(big.Rat).Mul(x, big.NewRat(cost[j], 1)))
			bound.Add(bound, prices[j])
		}
		if gain.Cmp(big.NewRat(want, 1)) != 0 || bound.Cmp(gain) != 0 {
			t.Fatalf("costs %v, weights %v, room %d: %s, bound %s, want %d", cost, weight, room, gain.RatString(),
				bound.RatString(), want)
		}
	}
}
