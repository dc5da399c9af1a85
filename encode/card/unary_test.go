package card_test

import (
	"math/rand/v2"
	"testing"

	"leeway/encode/card"
	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
)

func holding(x uint, literals []int) int {
	count := 0
	for _, l := range literals {
		if x>>(max(l, -l)-1)&1 != 0 == (l > 0) {
			count++
		}
	}
	return count
}

// TestTotalEqualsCounting counts literals in parts and holds the total to every
// number.
func TestTotalEqualsCounting(t *testing.T) {
	for i := range 60 {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		n := rng.IntN(8)
		lits := literals(rng, n)
		want := rng.IntN(n + 2)
		most := want + 1 + rng.IntN(3)
		var f cnftest.Formula
		b := cnf.NewBuilder(&f, "test", n, 1<<20)
		var parts []card.Unary
		for at := 0; at < n; {
			next := at + 1 + rng.IntN(n-at)
			parts = append(parts, card.Count(b, lits[at:next]))
			at = next
		}
		card.Equals(b, card.Total(b, parts, most), want)
		for x := range uint(1) << n {
			if got := f.Satisfiable(cnftest.Assignment(x, n)); got != (holding(x, lits) == want) {
				t.Fatalf("case %d: literals %v at %b: %v, want %d of them", i, lits, x, got, want)
			}
		}
	}
}

// TestAddEqualsSumming adds counts with factors and guards, and bounds the sum
// together with a count that is not 0 unless the sum is.
func TestAddEqualsSumming(t *testing.T) {
	for i := range 150 {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		n := 2 + rng.IntN(6)
		lits := literals(rng, n)
		limit, most := int64(rng.IntN(9)), int64(0)
		var f cnftest.Formula
		b := cnf.NewBuilder(&f, "test", n, 1<<20)
		var sum card.Unary
		var terms []func(x uint) int64
		for range 1 + rng.IntN(3) {
			from := rng.IntN(n)
			part, guard, factor := lits[from:from+rng.IntN(n-from)], lits[rng.IntN(n)], int64(1+rng.IntN(3))
			always := rng.IntN(3) == 0
			if always {
				guard = 0
			}
			most = limit + 1 + rng.Int64N(4)
			sum = card.Add(b, sum, guard, card.Count(b, part), factor, limit+1)
			terms = append(terms, func(x uint) int64 {
				if always || holding(x, []int{guard}) == 1 {
					return factor * int64(holding(x, part))
				}
				return 0
			})
		}
		last := card.Add(b, nil, 0, card.Count(b, lits), 1, most)
		guard := lits[rng.IntN(n)]
		card.Within(b, sum, guard, last, limit)
		for x := range uint(1) << n {
			total := int64(holding(x, lits))
			for _, term := range terms {
				total += term(x)
			}
			want := total <= limit || holding(x, []int{guard}) == 0
			if got := f.Satisfiable(cnftest.Assignment(x, n)); got != want {
				t.Fatalf("case %d: %b has the sum %d, limit %d: %v", i, x, total, limit, got)
			}
		}
	}
}
