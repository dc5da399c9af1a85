package bisect

import "leeway/core"

// boxes looks at all boxes: arcs of any length in every dimension, from any
// corner. Cost O(N^2).
func (s *sparse) boxes() {
	counts := make([]int32, s.nodes)
	for _, v := range s.placement.Nodes() {
		counts[v] = 1
	}
	b := &boxSearch{sparse: s, torus: s.placement.Torus(), lengths: make([]int, s.placement.Torus().D()), corner: -1}
	b.grow(0, counts)
	if b.corner >= 0 {
		s.set = b.box()
	}
}

// boxSearch goes through the shapes of boxes dimension by dimension.
type boxSearch struct {
	*sparse
	torus   *core.Torus
	lengths []int
	corner  int   // of the best box, -1 if none is best
	shape   []int // its lengths
}

// grow tries all lengths from dimension j on. counts holds the processors of the
// box with the lengths chosen so far, and 1 from j on, by its first corner.
func (b *boxSearch) grow(j int, counts []int32) {
	if j == len(b.lengths) {
		b.look(counts)
		return
	}
	port := b.torus.PortIndex(j, core.Plus)
	sums := append([]int32(nil), counts...)
	ahead := make([]int32, b.nodes) // by corner: the node length steps on
	for v := range ahead {
		ahead[v] = b.next[v*b.degree+port]
	}
	for b.lengths[j] = 1; ; b.lengths[j]++ {
		b.grow(j+1, sums)
		if b.lengths[j] == b.torus.Side(j) {
			return
		}
		for v, w := range ahead {
			sums[v] += counts[w]
			ahead[v] = b.next[int(w)*b.degree+port]
		}
	}
}

// look compares the boxes of one shape.
func (b *boxSearch) look(counts []int32) {
	out := b.leaving()
	for v, c := range counts {
		if b.better(int(c), out) {
			b.count, b.out, b.corner = int(c), out, v
			b.shape = append(b.shape[:0], b.lengths...)
		}
	}
}

// leaving returns the links out of a box of the current lengths.
func (b *boxSearch) leaving() int {
	volume := 1
	for _, a := range b.lengths {
		volume *= a
	}
	out := 0
	for j, a := range b.lengths {
		switch k := b.torus.Side(j); {
		case a == k:
		case k == 2:
			out += volume / a
		default:
			out += 2 * volume / a
		}
	}
	return out
}

// box returns the nodes of the best box.
func (b *boxSearch) box() core.Set {
	set := core.NewSet(b.nodes)
	for v := range b.nodes {
		in := true
		for j, a := range b.shape {
			k := b.torus.Side(j)
			in = in && (b.torus.Coord(v, j)-b.torus.Coord(b.corner, j)+k)%k < a
		}
		if in {
			set.Add(v)
		}
	}
	return set
}
