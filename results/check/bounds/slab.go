package bounds

import (
	"math/big"
	"math/bits"
)

// maxCornerSides is the longest side for which all corners are looked at.
const maxCornerSides = 12

// leastSlabDistance returns the least total cyclic distance, over ordered pairs,
// of n processors on a ring of k places with room for room of them each.
//
// Let A_i be the processors on the arc of h = floor(k/2) places from i on. Of the
// k arcs exactly d hold x and not y, when d is the cyclic distance of x and y; so
// the total distance is the sum of A_i (n - A_i). That is concave in the counts,
// and a concave function on the counts 0 <= c <= room with sum n is least in a
// corner: all places full or empty but at most one. For short rings all corners
// are looked at. For long ones the full places are taken to be neighbours, with
// the rest beside them: by Riesz's rearrangement inequality on the cycle (Pruss,
// Duke Math. J. 91, 1998) no arrangement is closer; the test compares both.
func leastSlabDistance(k, room, n int) *big.Int {
	if k > maxCornerSides || n < 1 {
		return arcDistance(neighbours(k, room, n), n)
	}
	// Turned so that the place that may be neither full nor empty is place 0, a corner has
	// full places elsewhere and 1..room processors there.
	full := (n - 1) / room
	var least *big.Int
	counts := make([]int, k)
	for set := range uint(1) << (k - 1) {
		if bits.OnesCount(set) != full {
			continue
		}
		counts[0] = n - full*room
		for i := 1; i < k; i++ {
			counts[i] = int(set>>(i-1)&1) * room
		}
		if v := arcDistance(counts, n); least == nil || v.Cmp(least) < 0 {
			least = v
		}
	}
	return least
}

// neighbours fills one place after the other.
func neighbours(k, room, n int) []int {
	counts := make([]int, k)
	for i := range counts {
		counts[i] = min(n, room)
		n -= counts[i]
	}
	return counts
}

// arcDistance returns the sum of A (n - A) over the arcs of half the ring.
func arcDistance(counts []int, n int) *big.Int {
	k := len(counts)
	arc := 0
	for i := range k / 2 {
		arc += counts[i]
	}
	total, part := new(big.Int), int64(0)
	for i := range k {
		if part += int64(arc) * int64(n-arc); part > 1<<61 {
			total.Add(total, big.NewInt(part))
			part = 0
		}
		arc += counts[(i+k/2)%k] - counts[i]
	}
	return total.Add(total, big.NewInt(part))
}
