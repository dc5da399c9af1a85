package bound

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/bisect"
	"leeway/objective/lowerbound"
)

// A set S of nodes gives the bound |P in S| |P not in S| / out(S), out(S) being the
// directed links that leave S, or the sum of their bandwidths (seed 000, Lemma 1, which counts the links of both
// directions and the messages both ways): each of the messages from S to the rest uses
// one of these links at least once. The bounds of this file take such a set each. With
// fewer than two processors they are 0 without a witness.

// separator takes the best set found: the best there is on small tori, in particular
// k x k up to about 8x8 and all with at most 24 nodes, and a good one elsewhere; see
// bisect.Sparsest. It takes the best set so far when the context ends. Cost: a fraction
// of a second up to 4096 nodes, then O(d M).
func separator(ctx context.Context, p core.Placement) lowerbound.Bound {
	if p.Size() < 2 {
		return nothing(lowerbound.Separator)
	}
	if p.Torus().N() > bisect.MaxNodes {
		set, corner := core.NewSet(p.Torus().N()), bisect.Corner(p)
		set.Add(corner)
		return cut(lowerbound.Separator, p, set, p.Torus().CapacityAt(corner))
	}
	set, _ := bisect.Sparsest(ctx, p)
	return cut(lowerbound.Separator, p, set, bisect.CapacityOut(p.Torus(), set))
}

// bisection takes a set with half of the processors: 2 floor(n/2) ceil(n/2) / width
// (seed 000, (8), where the printed (n/2)^2 is wrong for odd n). It is best for the
// narrowest cut, which is found for sure where that is quick (bisect.Quick); it takes
// the best cut so far when the context ends. It is 0 without a witness on tori of more
// than bisect.MaxNodes nodes. Cost: below a second up to 4096 nodes, then O(d M).
func bisection(ctx context.Context, p core.Placement) lowerbound.Bound {
	if p.Size() < 2 || p.Torus().N() > bisect.MaxNodes || !p.Torus().HasDimensions() {
		return nothing(lowerbound.Bisection)
	}
	r := bisect.Quick(ctx, bisect.Half(p))
	return cut(lowerbound.Bisection, p, r.Side, r.Out)
}

// slab takes the best set between two parallel cuts, over all dimensions and positions of the cuts: the two cuts of
// seed 000, Theorem 1. Of the bands across one dimension all have the same links out, so the one with nearest to half
// of the processors is best; across an open dimension bands with one cut are best. The witness names the dimension too.
// Cost O(d (n + k)) and O(N) for the witness.
func slab(p core.Placement) lowerbound.Bound {
	if p.Size() < 2 {
		return nothing(lowerbound.Slab)
	}
	t := p.Torus()
	var best *big.Rat
	var band bisect.Band
	for j := range t.D() {
		b := bisect.Middle(p, j)
		if v := ratio(pairs(b.Count, p.Size()), int64(b.CapacityOut(t))); best == nil || v.Cmp(best) > 0 {
			best, band = v, b
		}
	}
	if best.Sign() == 0 && band.CapacityOut(t) == 0 { // on a twisted torus all nodes can be one slab
		return nothing(lowerbound.Slab)
	}
	b := cut(lowerbound.Slab, p, band.Set(t), band.CapacityOut(t))
	b.Witness.Dim = &band.Dim
	return b
}

// band is the least that slab can be for any n processors: whatever the numbers of processors in the slabs across a
// dimension, some band of neighbouring slabs has m of them with m (n-m) at least the value times the capacity of its
// links. It holds under every routing by paths, shortest or not, and is best over the dimensions. The witness are slab
// counts whose best band is no better. See docs/bounds.md. Cost O(d k).
func band(t *core.Torus, n int) lowerbound.Bound {
	best := nothing(lowerbound.Band)
	for j := range t.D() {
		k, room := t.Slabs(j), t.N()/t.Slabs(j)
		m, slabs := bestBand(k, room, n, t.Open(j))
		links := 2 * room
		if !t.BothWays(j) || t.Open(j) { // a single cut is best: of the two of a band one carries at least as much
			links = room
		}
		capacity := int64(links) * int64(t.Bandwidth(j))
		if v := ratio(pairs(m, n), capacity); v.Cmp(best.Value) > 0 {
			best = lowerbound.Bound{Name: lowerbound.Band, Value: v,
				Witness: lowerbound.Witness{Dim: &j, SlabCounts: slabs}}
			shareOf(t, &best.Witness, links, capacity)
		}
	}
	return best
}

// bestBand returns the largest m such that, however n processors are spread over k slabs with room for a given number
// on each, some band of neighbouring slabs has at least m of them inside and m outside, and slab counts of which no
// band has more. Slabs form a ring, or, if open, a path.
func bestBand(k, room, n int, open bool) (m int, slabs []int) {
	if k == 2 || open {
		return bestCut(k, room, n)
	}
	m, heavy := n/2, 0
	for p := 1; p <= k; p += 2 {
		if least := leastBand(k, room, n, p); 2*least < n && least < m {
			m, heavy = least, p
		}
	}
	switch heavy {
	case 0: // every spread has a band of n/2
		return m, closest(k, room, n)
	case k:
		for i := range k {
			slabs = append(slabs, (i+1)*n/k-i*n/k)
		}
		return m, slabs
	}
	return m, spread(k, room, n, m, heavy)
}

// bestCut is bestBand on a path, where the bands up to one cut are best: m is least with a full slab in the middle.
func bestCut(k, room, n int) (m int, slabs []int) {
	half := (k + 1) / 2
	m = max(0, (n-room+1)/2, n-half*room)
	left := min(m, (half-1)*room)
	right := min(m, n-left)
	before := closest(half-1, room, left) // from the middle on
	slices.Reverse(before)
	return m, slices.Concat(before, []int{n - left - right}, closest(k-half, room, right))
}

// closest fills one of k slabs after the other.
func closest(k, room, n int) []int {
	slabs := make([]int, k)
	for i := range slabs {
		slabs[i] = min(n, room)
		n -= slabs[i]
	}
	return slabs
}

// leastBand returns the least m, if 2m < n, that a ring allows where p slabs, an odd number, have more than what bands
// leave between m and n-m, by the inequalities of docs/bounds.md.
func leastBand(k, room, n, p int) int {
	r, light := (p-1)/2, min(p, k-p) // light: places between the heavy slabs that can have processors
	m := (r*n + p - 1) / p
	if light == 0 {
		return m
	}
	weight := light + (p-light)/2
	over := max(0, weight*(n-room)-r*n)
	return max(m, (n-room+1)/2, (over+2*weight-p-1)/(2*weight-p))
}

// spread returns slab counts on a ring whose best band has m of n processors inside or outside, with p heavy slabs, an
// odd number below k, where leastBand gives m. The slabs are the gaps between points on a circle of length n: p
// clusters, each of one or two points, in the order of a star: the next lies (p-1)/2 clusters on, and its end m behind
// the first one's start. What is left to close the star goes into widths of clusters and into steps that are shorter.
func spread(k, room, n, m, p int) []int {
	r, light := (p-1)/2, min(p, k-p)
	left, most := p*m-r*n, room-n+2*m
	points, at := make([]int, 0, k), 0
	for i := range p {
		part := min(left, most)
		width, short := 0, 0
		switch {
		case i < light:
			width = part
		case (i-light)%2 == 0 && i+1 < p:
			short = part
		}
		left -= width + short
		points = append(points, core.Mod(at-width, n))
		if width > 0 {
			points = append(points, core.Mod(at, n))
		}
		at += m - width - short
	}
	slices.Sort(points)
	slabs := make([]int, k)
	for i, v := range points[1:] {
		slabs[i] = v - points[i]
	}
	slabs[len(points)-1] = points[0] + n - points[len(points)-1]
	return slabs
}

// Arcs returns a lower bound for every placement of n processors on a network without open dimensions and bandwidths.
// It takes each way to lay the nodes around a ring, on which every step along a dimension goes as many places on: a
// homomorphism into a cyclic group, g nodes on each place. From h neighbouring places to the h from the next on, the
// number of processors changes by at most g, so that some have within g/2 of the mean number; all have as many links
// out. It is the best over these and holds under every routing by paths. Cost O(d N^2).
func Arcs(t *core.Torus, n int) *big.Rat {
	nodes, shifts, axes := t.N(), t.Twist(), t.Axes()
	messages, links := 0, 1
	steps := make([]int, t.D()) // places that a step goes on, times g
	around := func() {
		g := nodes
		for _, s := range steps {
			g = core.GCD(g, s)
		}
		places, jump := nodes/g, min(g, n)
		for h := 1; h <= places/2; h++ {
			out := 0
			for _, p := range t.Ports() {
				by := steps[p.Dim] / g
				out += g * min(by, places-by, h)
			}
			low := (max(0, 2*n*h-jump*places) + 2*places - 1) / (2 * places)
			high := min(n, (2*n*h+jump*places)/(2*places))
			if most := min(low*(n-low), high*(n-high)); most*links > messages*out {
				messages, links = most, out
			}
		}
	}
	var choose func(i int)
	choose = func(i int) {
		if i < 0 {
			around()
			return
		}
		j, back := axes[i], 0 // a round along j goes as far on as its end shifts
		if shifts != nil {
			for a, by := range shifts[j] {
				back += by * steps[a]
			}
		}
		for s := range nodes {
			if (t.Side(j)*s-back)%nodes == 0 {
				steps[j] = s
				choose(i - 1)
			}
		}
		steps[j] = 0
	}
	choose(t.D() - 1)
	return big.NewRat(int64(messages), int64(links))
}

// cut returns the bound that a set with a capacity out gives. The witness is
// the set or its complement, whichever has fewer nodes: as many links enter a set
// as leave it, and the product is the same.
func cut(name string, p core.Placement, set core.Set, out int) lowerbound.Bound {
	in := 0
	for _, v := range p.Nodes() {
		if set.Has(v) {
			in++
		}
	}
	b := lowerbound.Bound{Name: name, Value: ratio(pairs(in, p.Size()), int64(out)),
		Witness: lowerbound.Witness{Set: smaller(p.Torus(), set)}}
	shareOf(p.Torus(), &b.Witness, linksOut(p.Torus(), set, out), int64(out))
	return b
}

// linksOut returns the number of links out of a set, given their capacity.
func linksOut(t *core.Torus, set core.Set, capacity int) int {
	if t.CommonBandwidth() == 1 {
		return capacity
	}
	count := 0
	for l := range t.EachLink() {
		if from, to := t.LinkEnds(l); set.Has(from) && !set.Has(to) {
			count++
		}
	}
	return count
}

// pairs returns the number of messages from count of n processors to the others.
func pairs(count, n int) *big.Int {
	return new(big.Int).Mul(big.NewInt(int64(count)), big.NewInt(int64(n-count)))
}

// smaller returns the coordinates of the nodes in a set or of those outside,
// whichever are fewer.
func smaller(t *core.Torus, set core.Set) [][]int {
	in := 2*set.Count() <= t.N()
	var list [][]int
	for v := range t.N() {
		if set.Has(v) == in {
			list = append(list, t.Coords(v))
		}
	}
	return list
}
