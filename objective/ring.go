package objective

// ringRule says how much of the traffic over each distance goes the + and the -
// way around a ring of length k, in units that make a whole pair full.
type ringRule struct {
	k       int
	half    int   // the largest cyclic distance
	full    int64 // weight of a pair at a distance below k/2
	tiePlus int64 // weight of a pair at distance exactly k/2, the + way
	tieMin  int64 // the same, the - way
}

// newRingRule returns the rule for a ring of length k. With halves, a whole pair
// has weight 2 so that a tie can be split.
func newRingRule(k int, halves, both bool) ringRule {
	r := ringRule{k: k, half: k / 2, full: 1}
	if halves {
		r.full = 2
	}
	switch {
	case k == 2 || k%2 == 0 && !both:
		r.tiePlus = r.full
	case k%2 == 0:
		r.tiePlus, r.tieMin = r.full/2, r.full/2
	default: // no distance is a tie: the farthest is like the others
		r.tiePlus, r.tieMin = r.full, r.full
	}
	return r
}

// add adds to out[c] the traffic on the edge between places c and c+1 when a[x]
// b[y] units go from every place x to every y != x, counting the + way with far
// as the weight of the farthest distance.
//
// Going from one edge to the next the sum changes by what starts at the place
// between them and by what ends there,
//
//	L[c] - L[c-1] = a[c] (b[c+1]+...+b[c+h]) - b[c] (a[c-h]+...+a[c-1]),
//
// with sliding windows, so that the ring costs O(k).
func (r ringRule) add(a, b, out []int64, far int64) {
	k, h := r.k, r.half
	var ahead, behind, load int64 // b[c+1..c+h-1] and a[c-h+1..c-1] at c = 0, and L[0]
	for i := 1; i < h; i++ {
		ahead += b[i]
		behind += a[k-i]
	}
	// L[0]: from place -x to place y, crossing 0 -> 1, for x + y <= h.
	window := r.full*ahead + far*b[h%k]
	near := ahead
	for x := 0; x < h; x++ {
		load += a[(k-x)%k] * window
		// For the next x the far end is h-x-1: weight far there, full below it.
		if end := h - x - 1; end >= 1 {
			near -= b[end]
			window = r.full*near + far*b[end]
		}
	}
	out[0] += load
	for c := 1; c < k; c++ {
		// Move the windows from c-1 to c: ahead covers c+1..c+h-1, behind c-h+1..c-1.
		ahead += b[(c+h-1)%k] - b[c]
		behind += a[c-1] - a[(c-h+k)%k]
		load += a[c]*(r.full*ahead+far*b[(c+h)%k]) - b[c]*(r.full*behind+far*a[(c-h+k)%k])
		out[c] += load
	}
}
