package check

import "math/big"

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
	if k > maxCornerSides {
		return arcDistance(neighbours(k, room, n), n)
	}
	var least *big.Int
	for full := range uint(1) << k {
		for partial := range k {
			counts, ok := corner(k, room, n, full, partial)
			if !ok {
				continue
			}
			if v := arcDistance(counts, n); least == nil || v.Cmp(least) < 0 {
				least = v
			}
		}
	}
	return least
}

// corner returns the counts with the places in full holding room each and the
// rest at place partial, and whether that is possible.
func corner(k, room, n int, full uint, partial int) ([]int, bool) {
	counts := make([]int, k)
	for i := range counts {
		if full>>i&1 != 0 {
			counts[i] = room
			n -= room
		}
	}
	if n < 0 || n > room || full>>partial&1 != 0 && n > 0 {
		return nil, false
	}
	counts[partial] += n
	return counts, true
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
	sum := new(big.Int)
	for i := range k {
		sum.Add(sum, big.NewInt(int64(arc)*int64(n-arc)))
		arc += counts[(i+k/2)%k] - counts[i]
	}
	return sum
}
