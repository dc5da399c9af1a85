package card_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/card"
	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
)

// literals returns a list of n literals of variables 1..n, some negated.
func literals(rng *rand.Rand, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
		if rng.IntN(3) == 0 {
			list[i] = -list[i]
		}
	}
	return list
}

// same fails the test unless, for every partial assignment of the n variables,
// the formula can be satisfied exactly if some completion is right, and unit
// propagation finds every literal and every contradiction that all right
// completions have in common.
func same(t *testing.T, f *cnftest.Formula, n int, right func(assignment uint) bool) {
	t.Helper()
	partial := make([]int, n) // by variable: 0 open, 1 true, 2 false
	for {
		var assumed []int
		for i, p := range partial {
			switch p {
			case 1:
				assumed = append(assumed, i+1)
			case 2:
				assumed = append(assumed, -i-1)
			}
		}
		comparePartial(t, f, n, partial, assumed, right)
		i := 0
		for ; i < n && partial[i] == 2; i++ {
			partial[i] = 0
		}
		if i == n {
			return
		}
		partial[i]++
	}
}

func comparePartial(t *testing.T, f *cnftest.Formula, n int, partial, assumed []int, right func(uint) bool) {
	t.Helper()
	everTrue, everFalse := uint(0), uint(0)
	for x := range uint(1) << n {
		fits := !slices.ContainsFunc(assumed, func(l int) bool { return l > 0 != (x>>(max(l, -l)-1)&1 != 0) })
		if fits && right(x) {
			everTrue |= x
			everFalse |= ^x
		}
	}
	possible := everTrue|everFalse != 0
	if n == 0 {
		possible = right(0)
	}
	if got := f.Satisfiable(assumed); got != possible {
		t.Fatalf("assuming %v: satisfiable %v, want %v", assumed, got, possible)
	}
	forced, ok := f.Forced(assumed)
	if ok != possible {
		t.Fatalf("assuming %v: propagation consistent %v, want %v", assumed, ok, possible)
	}
	for i := range n {
		if !possible || partial[i] != 0 {
			continue
		}
		if everFalse>>i&1 == 0 && !slices.Contains(forced, i+1) || everTrue>>i&1 == 0 && !slices.Contains(forced, -i-1) {
			t.Fatalf("assuming %v: propagation misses variable %d", assumed, i+1)
		}
	}
}

func TestExactlyKEqualsCounting(t *testing.T) {
	for n := range 7 {
		for k := -1; k <= n+1; k++ {
			lits := literals(rand.New(rand.NewPCG(uint64(n), uint64(k+1))), n)
			var f cnftest.Formula
			b := cnf.NewBuilder(&f, "test", n, 1<<20)
			card.ExactlyK(b, lits, k)
			t.Logf("n=%d k=%d: %d clauses", n, k, b.Clauses())
			same(t, &f, n, func(x uint) bool {
				count := 0
				for i, l := range lits {
					if x>>i&1 != 0 == (l > 0) {
						count++
					}
				}
				return count == k
			})
		}
	}
}

func TestAtMostEqualsSumming(t *testing.T) {
	for i := range coretest.Cases(400, 60) {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		n := rng.IntN(7)
		weights, sum := make([]int64, n), int64(0)
		for j := range weights {
			weights[j] = rng.Int64N(1 + rng.Int64N(12)) // zeros and repetitions included
			sum += weights[j]
		}
		if rng.IntN(2) == 0 {
			slices.SortFunc(weights, func(a, b int64) int { return int(b - a) })
		}
		limit := rng.Int64N(sum+4) - 2
		lits := literals(rng, n)
		most := coretest.Must(card.NewAtMost(nil, weights, limit, 1<<20))
		if most.Holds() != (limit >= sum) {
			t.Fatalf("case %d: weights %v limit %d: holds %v", i, weights, limit, most.Holds())
		}
		var f cnftest.Formula
		most.Write(cnf.NewBuilder(&f, "test", n, 1<<20), lits)
		if int64(len(f.Clauses)) != most.Clauses() {
			t.Fatalf("case %d: %d clauses are written, announced %d", i, len(f.Clauses), most.Clauses())
		}
		t.Logf("case %d: weights %v limit %d literals %v", i, weights, limit, lits)
		same(t, &f, n, func(x uint) bool {
			total := int64(0)
			for j, l := range lits {
				if x>>j&1 != 0 == (l > 0) {
					total += weights[j]
				}
			}
			return total <= limit
		})
	}
}

// TestAtMostIsSmall checks that equal weights need no more than a counter does:
// about limit nodes for each literal, not one for each subset.
func TestAtMostIsSmall(t *testing.T) {
	weights := make([]int64, 200)
	for i := range weights {
		weights[i] = 1_000_003
	}
	most := coretest.Must(card.NewAtMost(nil, weights, 10*1_000_003+17, 1<<20))
	b := cnf.NewBuilder(nil, "test", 200, 1<<20)
	most.Write(b, make([]int, 200))
	if b.Clauses() > 2*200*11 {
		t.Fatalf("%d clauses", b.Clauses())
	}
}

func TestAtMostRefusesWhatIsTooLarge(t *testing.T) {
	weights := make([]int64, 40)
	for i := range weights {
		weights[i] = 1 << i // every subset has a sum of its own
	}
	slices.Reverse(weights)
	weights = append(weights, weights...)
	var size *cnf.SizeError
	if _, err := card.NewAtMost(nil, weights, 1<<40, 1000); !errors.As(err, &size) || size.Limit != 1000 {
		t.Fatalf("error %v", err)
	}
}

func TestAtMostKEqualsCounting(t *testing.T) {
	for n := range 8 {
		for k := -1; k <= n+1; k++ {
			lits := literals(rand.New(rand.NewPCG(uint64(n), uint64(k+1))), n)
			var f cnftest.Formula
			card.AtMostK(cnf.NewBuilder(&f, "test", n, 1<<20), lits, k)
			t.Logf("n=%d k=%d", n, k)
			same(t, &f, n, func(x uint) bool {
				count := 0
				for i, l := range lits {
					if x>>i&1 != 0 == (l > 0) {
						count++
					}
				}
				return count <= k
			})
		}
	}
}

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
		card.LimitSum(b, sum, guard, last, limit)
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
