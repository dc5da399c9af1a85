package audit

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
)

// Lemma 8 of seed 004, against bounds that are counted.

// onePortStartups returns ceil(lg N): who has heard from a node at most doubles.
func onePortStartups(nodes int) int { return bits.Len(uint(nodes - 1)) }

func lemma8Of004(ctx context.Context, l Limits) Finding {
	var s survey
	for axes := 2; axes <= 3; axes++ {
		for n := 2; n <= 4*l.MaxK && ctx.Err() == nil; n *= 2 {
			t, err := core.NewTorus(slices.Repeat([]int{n}, axes)...)
			if err != nil {
				return broken(err)
			}
			// What N-1 blocks a node must receive, and what crosses the middle of one axis.
			links := 2 * t.N() / n
			if n == 2 {
				links /= 2
			}
			truth := larger(count(t.N()-1), big.NewRat(int64(t.N()/2)*int64(t.N()/2), int64(links)))
			claimed := big.NewRat(1, 8)
			for range axes + 1 {
				claimed.Mul(claimed, count(n))
			}
			lg := axes * bits.Len(uint(n-1))
			s.add(claimed.Cmp(truth) <= 0 && lg <= onePortStartups(t.N()), differs(fmt.Sprintf("%v", t.Dims()), fmt.Sprintf("at least %s blocks, %d startups", claimed.RatString(), lg),
				fmt.Sprintf("proved: %s blocks, %d startups", truth.RatString(), onePortStartups(t.N()))))
		}
	}
	return s.finding(fmt.Sprintf("sides 2, 4, 8, .. up to %d, two and three axes, against what N-1 receives and the middle cut prove", 4*l.MaxK),
		oddSides())
}

// oddSides says from which odd side on neither bound proves what Lemma 8 claims.
func oddSides() string {
	text := "for odd sides the cut proves n (n^2-1)/8 and n^2 (n^2-1)/8 only"
	for axes := 2; axes <= 3; axes++ {
		n := 3
		for oddGap(n, axes) == "" {
			n += 2
		}
		text += fmt.Sprintf("; from n = %d on, with %d axes, %s", n, axes, oddGap(n, axes))
	}
	return text + "; whether these are wrong is open"
}

// oddGap says what Lemma 8 claims for an odd side and what is proved, or nothing if that
// is enough.
func oddGap(n, axes int) string {
	nodes := 1
	for range axes {
		nodes *= n
	}
	claimed := big.NewRat(int64(nodes)*int64(n), 8)
	proved := larger(ceiling(big.NewRat(int64(nodes/n)*int64(n*n-1), 8)), count(nodes-1))
	if claimed.Cmp(proved) <= 0 {
		return ""
	}
	return fmt.Sprintf("%s is claimed and %s proved", claimed.RatString(), proved.RatString())
}
