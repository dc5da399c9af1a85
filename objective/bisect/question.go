package bisect

import (
	"fmt"
	"math/big"

	"leeway/core"
)

// A Question asks for the narrowest cut that leaves at least Least processors of
// Placement on each side.
type Question struct {
	Placement core.Placement
	Least     int
}

// Half asks for a bisection: the sides differ by at most one processor.
func Half(p core.Placement) Question { return Question{Placement: p, Least: p.Size() / 2} }

// Share asks for an alpha-separator: both sides hold at least alpha times the
// processors, or as near to that as whole processors allow (floor(n/2) when alpha
// n lies above). It fails with an *core.InputError unless 0 < alpha <= 1/2.
func Share(p core.Placement, alpha *big.Rat) (Question, error) {
	if alpha.Sign() <= 0 || alpha.Cmp(big.NewRat(1, 2)) > 0 {
		return Question{}, &core.InputError{Text: alpha.RatString(),
			Problem: "the share of the smaller side lies outside 0 < alpha <= 1/2",
			Hint:    "write a fraction such as 1/3"}
	}
	least := new(big.Int).Mul(alpha.Num(), big.NewInt(int64(p.Size())))
	least.Add(least, alpha.Denom()).Sub(least, big.NewInt(1)).Div(least, alpha.Denom())
	return Question{Placement: p, Least: min(int(least.Int64()), p.Size()/2)}, nil
}

// most returns the largest number of processors that a side may hold.
func (q Question) most() int { return q.Placement.Size() - q.Least }

// fits reports whether a side may hold count processors.
func (q Question) fits(count int) bool { return q.Least <= count && count <= q.most() }

// limits returns, by number of processors in S, the number of links out of S that
// an improvement must stay below: out where that number fits, 0 elsewhere.
func (q Question) limits(out int) []int {
	list := make([]int, q.Placement.Size()+1)
	for c := q.Least; c <= q.most(); c++ {
		list[c] = out
	}
	return list
}

// String returns torus, number of processors and least side.
func (q Question) String() string {
	return fmt.Sprintf("--torus %s, %d processors, at least %d on each side", q.Placement.Torus(), q.Placement.Size(),
		q.Least)
}
