package card

import "leeway/encode/cnf"

// pairwise is how many literals are excluded pair by pair.
const pairwise = 5

// AtMostK writes that at most k of the literals hold, by a sequential counter in one
// direction (C. Sinz, CP 2005): about k variables and 2k clauses for each literal. Of a
// few literals at most one holds by a clause for every pair. A k below 0 gives the
// clause that cannot hold.
func AtMostK(b *cnf.Builder, literals []int, k int) {
	switch {
	case k < 0:
		b.Clause()
		return
	case k == 1 && len(literals) <= pairwise:
		for i, x := range literals {
			for _, y := range literals[:i] {
				b.Clause(-x, -y)
			}
		}
		return
	}
	var before []int // before[j] must hold if at least j+1 of the literals so far do
	for i, x := range literals {
		now := make([]int, min(i+1, k))
		for j := range now {
			now[j] = b.Var()
			if j < len(before) {
				b.Clause(-before[j], now[j])
			}
			if j == 0 {
				b.Clause(-x, now[j])
			} else {
				b.Clause(-x, -before[j-1], now[j])
			}
		}
		switch {
		case k == 0:
			b.Clause(-x)
		case i >= k:
			b.Clause(-x, -before[k-1])
		}
		before = now
	}
}
