package audit

import (
	"context"
	"fmt"
)

// checkPathSum: in the proof of Theorem 4 the sum of |C| over the pairs, the number of
// paths through a link, is bounded by 2^(d-1) k^(d-1); what was counted is pairs.
func checkPathSum(ctx context.Context, l Limits) Finding {
	var s survey
	axes := []int{2, 3, 4, 5, 6, 7}
	for _, d := range axes {
		for k := 3; k <= l.MaxK && ctx.Err() == nil; k++ {
			at := words(fmt.Sprintf("torus %d^%d, placement linear, routing udr, paths through a link next to a processor", k, d))
			s.compare(at, whole(pathsBesideProcessor(k, d)), below, pairsBound(k, d, 1))
		}
	}
	return s.finding(fmt.Sprintf("sides from 3 to %d, 2 to 7 axes, ties the + way, axes first, then sides", l.MaxK),
		"the proof counts pairs, of which there are fewer, but the formula adds up paths, up to (d-1)! for one pair and link. E_max itself stays below, see seed000-theorem-4")
}

// pathsBesideProcessor returns the number of UDR paths, ties the + way, of the linear
// placement on k^d through the + link that leaves a processor: over the numbers a and
// b of axes corrected before and after, the ways to choose and order them times the
// pairs. A source at x steps from the processor on the ring has a other coordinates,
// none 0, with sum -x.
func pathsBesideProcessor(k, d int) int {
	total := 0
	for a := range d {
		for b := range d - a {
			pairs := 0
			from, to := nonzeroSums(k, a), nonzeroSums(k, b)
			for x := range k {
				behind := (k - x) % k
				for step := behind + 1; step <= k/2; step++ {
					pairs += from[x] * to[(x+step)%k]
				}
			}
			total += falling(d-1, a) * falling(d-1-a, b) * pairs
		}
	}
	return total
}

// nonzeroSums returns, for every x, the number of lists of a nonzero residues modulo k
// whose sum is -x.
func nonzeroSums(k, a int) []int {
	ways := make([]int, k)
	ways[0] = 1
	for range a {
		next := make([]int, k)
		for x, n := range ways {
			for c := 1; c < k; c++ {
				next[(x+k-c)%k] += n
			}
		}
		ways = next
	}
	return ways
}

// falling returns n (n-1) .. (n-m+1), the ordered choices of m out of n.
func falling(n, m int) int {
	f := 1
	for i := range m {
		f *= n - i
	}
	return f
}
