package bisect

import "leeway/core"

// Sweep returns a cut for the question by sweeping a hyperplane over the torus,
// the constructive proof of Proposition 1 of seed 000: at most 2d k^(d-1)
// neighbours in the array lie on both sides and at most d k^(d-1) more around
// the torus, so the width is at most 6 d k^(d-1) directed links for any
// placement. On mixed sides k^(d-1) reads N/k for the longest side in the array,
// and N/k_j around dimension j. Cost O(M).
func Sweep(q Question) core.Set {
	t := q.Placement.Torus()
	set, _ := newGraph(t).prefix(q, hyperplane(t, 0))
	return set
}

// prefix returns the prefix of an order that fits the question with the fewest
// links out, and that number. One always fits: the number of processors grows by
// steps of one; it may be empty.
func (g *graph) prefix(q Question, order []int) (core.Set, int) {
	best, length := -1, 0
	if q.fits(0) {
		best = 0
	}
	g.prefixes(order, q.Placement.Set(), func(i, count, out int) {
		if q.fits(count) && (best < 0 || out < best) {
			best, length = out, i
		}
	})
	set := core.NewSet(g.nodes)
	for _, v := range order[:length] {
		set.Add(v)
	}
	return set, best
}

// Slabs returns a cut for the question between two parallel cuts across one
// dimension, Theorem 1 of seed 000, and whether there is one: uniform placements
// have it, with at most 4 k^(d-1) directed links when the side is even. Cost
// O(N + sum of sides).
func Slabs(q Question) (core.Set, bool) {
	t := q.Placement.Torus()
	n := q.Placement.Size()
	if n < 2 {
		return core.NewSet(t.N()), q.fits(0)
	}
	best := Band{}
	for j := range t.D() {
		b := Middle(q.Placement, j)
		if q.fits(b.Count) && (best.Length == 0 || b.Out(t) < best.Out(t)) {
			best = b
		}
	}
	return best.Set(t), best.Length > 0
}

// A Band is the set of Length neighbouring slabs across dimension Dim, from slab
// Start on, around the ring. Count is the number of processors in it.
type Band struct{ Dim, Start, Length, Count int }

// Out returns the number of directed links that leave the band.
func (b Band) Out(t *core.Torus) int {
	k := t.Side(b.Dim)
	if k == 2 {
		return t.N() / k
	}
	return 2 * t.N() / k
}

// Set returns the nodes of the band.
func (b Band) Set(t *core.Torus) core.Set {
	s := core.NewSet(t.N())
	if b.Length == 0 {
		return s
	}
	k := t.Side(b.Dim)
	for v := range t.N() {
		if (t.Coord(v, b.Dim)-b.Start+k)%k < b.Length {
			s.Add(v)
		}
	}
	return s
}

// Middle returns the band across dimension j whose number of processors is
// nearest to half. Cost O(n + k).
func Middle(p core.Placement, j int) Band {
	counts := p.SlabCounts(j)
	k, n := len(counts), p.Size()
	best := Band{Dim: j, Length: 1, Count: counts[0]}
	try := func(start, length, count int) {
		if length > 0 && length < k && abs(2*count-n) < abs(2*best.Count-n) {
			best = Band{Dim: j, Start: start, Length: length, Count: count}
		}
	}
	length, count := 0, 0 // the longest band from start with at most half
	for start := range k {
		for length < k && 2*(count+counts[(start+length)%k]) <= n {
			count += counts[(start+length)%k]
			length++
		}
		try(start, length, count)
		try(start, length+1, count+counts[(start+length)%k])
		if length > 0 {
			count -= counts[start]
			length--
		}
	}
	return best
}

func abs(a int) int { return max(a, -a) }
