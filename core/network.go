package core

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
)

// Limits of bandwidths. They keep loads counted in units of the common multiple far inside an int64.
const (
	MaxBandwidth       = 4096
	MaxCommonBandwidth = 1 << 20
)

// WithLinks returns the same nodes with the given dimensions open, a path in place of a ring, and a bandwidth for each
// dimension; nil stands for no open dimension, or bandwidth 1 for all. On a side of 2 open makes no difference and
// is not kept. Errors are *InputError: a dimension that is not there or is repeated, a bandwidth outside
// 1..MaxBandwidth or one for too many or too few dimensions, bandwidths whose least common multiple passes
// MaxCommonBandwidth, or open dimensions on a twisted torus.
func (t *Torus) WithLinks(open, bandwidth []int) (*Torus, error) {
	if t.given != nil {
		return nil, Invalid(t.String(), "a network from a list of links has no dimensions")
	}
	u := *t
	u.open, u.bandwidth, u.common = make([]bool, t.D()), slices.Repeat([]int{1}, t.D()), 1
	if len(open) > 0 && t.Twisted() {
		return nil, Invalid("open="+JoinInts(open, ","),
			"no dimension of a twisted torus can be open: its ends are joined with shifts").Hinted(networkHint)
	}
	for i, j := range open {
		if j < 0 || j >= t.D() || slices.Contains(open[:i], j) {
			return nil, &InputError{Text: "open=" + JoinInts(open, ","), Part: strconv.Itoa(j),
				Offset: len("open="+JoinInts(append(open[:i:i], 0), ",")) - 1, Problem: openProblem(t.D()), Hint: networkHint}
		}
		u.open[j] = t.dims[j] > 2
	}
	if bandwidth == nil {
		return &u, nil
	}
	fail := func(problem string) (*Torus, error) {
		return nil, Invalid("bandwidth="+JoinInts(bandwidth, ","), "%s", problem).Hinted(networkHint)
	}
	if len(bandwidth) != t.D() {
		return fail(fmt.Sprintf("%d bandwidths for %d dimensions", len(bandwidth), t.D()))
	}
	for j, b := range bandwidth {
		if b < 1 || b > MaxBandwidth {
			return fail(fmt.Sprintf("bandwidth %d is %d, outside 1..%d", j, b, MaxBandwidth))
		}
		if u.common = LCM(u.common, b); u.common > MaxCommonBandwidth {
			return fail(fmt.Sprintf("the least common multiple of the bandwidths is above %d", MaxCommonBandwidth))
		}
	}
	u.bandwidth = slices.Clone(bandwidth)
	return &u, nil
}

// openProblem says what the list of open dimensions has to be.
func openProblem(d int) string {
	return fmt.Sprintf("the dimensions are 0..%d, each at most once", d-1)
}

// Open reports whether dimension j is a path and not a ring: there is no link between its last coordinate and its
// first. It is false for a side of 2, where both are the same.
func (t *Torus) Open(j int) bool { return t.open[j] }

// Bandwidth returns how much a link along dimension j carries: its load counts divided by that.
func (t *Torus) Bandwidth(j int) int { return t.bandwidth[j] }

// LinkBandwidth returns how much a link carries: its load counts divided by that.
func (t *Torus) LinkBandwidth(l Link) int {
	if t.given != nil {
		return int(t.given.bandwidth[l])
	}
	return t.bandwidth[t.ports[int(l)/t.nodes].Dim]
}

// LinkScale returns CommonBandwidth divided by the bandwidth of a link: the weight of a load on it in sums of whole
// numbers.
func (t *Torus) LinkScale(l Link) int { return t.common / t.LinkBandwidth(l) }

// CommonBandwidth returns the least common multiple of the bandwidths.
func (t *Torus) CommonBandwidth() int { return t.common }

// Scale returns CommonBandwidth divided by the bandwidth of dimension j: the weight of a load on one of its links in
// sums of whole numbers.
func (t *Torus) Scale(j int) int { return t.common / t.bandwidth[j] }

// Plain reports whether this is a torus whose links are all the same: no dimension is open, no end has a shift, all
// bandwidths are 1.
func (t *Torus) Plain() bool {
	return t.twist == nil && t.given == nil && t.Closed() &&
		!slices.ContainsFunc(t.bandwidth, func(b int) bool { return b != 1 })
}

// Closed reports whether no dimension is open, so that every translation is a symmetry of the network.
func (t *Torus) Closed() bool { return !slices.Contains(t.open, true) }

// ClosedPart returns the node whose coordinates are those of v in the closed dimensions and 0 in the open ones. Only
// such nodes say by how much a translation moves.
func (t *Torus) ClosedPart(v int) int {
	for j, open := range t.open {
		if open {
			v -= t.Coord(v, j) * t.strides[j]
		}
	}
	return v
}

// Bases returns the nodes whose coordinates in the closed dimensions are 0, ascending: every node is a translate of
// exactly one of them, and of node 0 if no dimension is open.
func (t *Torus) Bases() []int {
	if t.Closed() {
		return []int{0}
	}
	var list []int
	for v := range t.nodes {
		if t.ClosedPart(v) == 0 {
			list = append(list, v)
		}
	}
	return list
}

// Translations returns how many translations there are: the product of the closed sides.
func (t *Torus) Translations() int {
	count := 1
	for j, k := range t.dims {
		if !t.open[j] {
			count *= k
		}
	}
	return count
}

// SameAxis reports whether two dimensions may be exchanged: they have the same side, openness and bandwidth. On a
// twisted torus it says that nothing but the shifts forbids that, whatever the sides.
func (t *Torus) SameAxis(i, j int) bool {
	return (t.dims[i] == t.dims[j] || t.twist != nil) && t.BothWays(i) == t.BothWays(j) && t.open[i] == t.open[j] &&
		t.bandwidth[i] == t.bandwidth[j]
}

// HasLink reports whether a link number has a link: at the ends of an open dimension some have none.
func (t *Torus) HasLink(l Link) bool {
	if t.given != nil {
		return int(t.given.ends[l]) != int(l)%t.nodes
	}
	from, p := t.LinkFrom(l)
	if !t.open[p.Dim] {
		return true
	}
	end := 0
	if p.Dir == Plus {
		end = t.dims[p.Dim] - 1
	}
	return t.Coord(from, p.Dim) != end
}

// Links returns how many directed links there are: M less the numbers without a link.
func (t *Torus) Links() int {
	links := 0
	for j := range t.dims {
		links += t.LinksAlong(j)
	}
	return links
}

// Capacity returns the sum of the bandwidths of all links.
func (t *Torus) Capacity() int64 {
	sum := int64(0)
	if t.given != nil {
		for v := range t.nodes {
			sum += int64(t.CapacityAt(v))
		}
		return sum
	}
	for j, b := range t.bandwidth {
		sum += int64(t.LinksAlong(j)) * int64(b)
	}
	return sum
}

// EachLink yields the links that there are, ascending.
func (t *Torus) EachLink() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range Link(t.M()) {
			if t.HasLink(l) && !yield(l) {
				return
			}
		}
	}
}

// LinksFrom yields the links that leave a node, ascending.
func (t *Torus) LinksFrom(node int) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for i := range t.ports {
			if l := Link(i*t.nodes + node); t.HasLink(l) && !yield(l) {
				return
			}
		}
	}
}

// LinksBetween returns the links from one node to another, ascending, by the two.
func (t *Torus) LinksBetween() map[[2]int][]Link {
	links := map[[2]int][]Link{}
	for l := range t.EachLink() {
		from, to := t.LinkEnds(l)
		links[[2]int{from, to}] = append(links[[2]int{from, to}], l)
	}
	return links
}

// LinksAround returns by node the links that leave it, and those that enter it, ascending.
func (t *Torus) LinksAround() (out, in [][]Link) {
	out, in = make([][]Link, t.N()), make([][]Link, t.N())
	for l := range t.EachLink() {
		from, to := t.LinkEnds(l)
		out[from], in[to] = append(out[from], l), append(in[to], l)
	}
	return out, in
}

// CapacityAt returns the sum of the bandwidths of the links that leave a node; as much enters it.
func (t *Torus) CapacityAt(node int) int {
	sum := 0
	for l := range t.LinksFrom(node) {
		sum += t.LinkBandwidth(l)
	}
	return sum
}

// LinksAlong returns how many directed links there are along dimension j.
func (t *Torus) LinksAlong(j int) int {
	switch k := t.dims[j]; {
	case t.given != nil:
		return t.given.links
	case !t.BothWays(j):
		return t.nodes
	case t.open[j]:
		return t.nodes / k * 2 * (k - 1)
	default:
		return 2 * t.nodes
	}
}

// Slabs returns how many slabs lie across dimension j: as many as its side, on a twisted torus the greatest common
// divisor of it and of all shifts along it. Only links along the dimension leave a slab, each for one of its neighbours
// on a ring, or on a path if the dimension is open. All slabs have the same number of nodes. Without dimensions there
// is one.
func (t *Torus) Slabs(j int) int {
	if t.given != nil {
		return 1
	}
	k := t.dims[j]
	if t.twist != nil {
		for _, s := range t.twist.shifts {
			k = GCD(k, s[j])
		}
	}
	return k
}

// Slab returns the number of the slab across dimension j in which a node is: its coordinate modulo Slabs(j).
func (t *Torus) Slab(node, j int) int {
	if t.Separable() {
		return t.Coord(node, j)
	}
	return t.Coord(node, j) % t.Slabs(j)
}

// BothWays reports whether a node has a link in either direction along dimension j, but for ends of open ones: not on
// a side of 2 whose end has no shift, where two steps return to the node.
func (t *Torus) BothWays(j int) bool { return t.portOf[j][1] >= 0 }

// Distance returns the number of links of a shortest way from coordinate a to b along dimension j. Where the network is
// not Separable there is no such number, and it panics.
func (t *Torus) Distance(j, a, b int) int {
	t.alongRings()
	if t.open[j] {
		return max(a-b, b-a)
	}
	return CyclicDistance(a, b, t.dims[j])
}

// Ways returns the directions of the shortest ways from coordinate a to another coordinate b along dimension j: one,
// or + and - where both ways around a ring are as long and both are wanted; if not, only + then. Where the network is
// not Separable there are no such ways, and it panics.
func (t *Torus) Ways(j, a, b int, both bool) []Dir {
	t.alongRings()
	k := t.dims[j]
	forward := (b - a + k) % k
	switch {
	case t.open[j] && a > b:
		return []Dir{Minus}
	case t.open[j] || k == 2 || 2*forward < k:
		return []Dir{Plus}
	case 2*forward > k:
		return []Dir{Minus}
	case both:
		return []Dir{Plus, Minus}
	default:
		return []Dir{Plus}
	}
}

// Vectors returns the shortest vectors of steps from p to q, one signed number of steps for each dimension, in
// descending lexicographic order: all of them, or the first alone if not all are wanted. The steps of a vector may be
// made in any order; on a side of 2 they go up. Cost: d for each vector.
func (t *Torus) Vectors(p, q int, all bool) [][]int {
	t.alongDimensions()
	if !t.Separable() {
		return t.twist.listed(t.Displacement(p, q), len(t.dims), all)
	}
	list := [][]int{make([]int, len(t.dims))}
	for j := range t.dims {
		a, b := t.Coord(p, j), t.Coord(q, j)
		if a == b {
			continue
		}
		steps, ways := t.Distance(j, a, b), t.Ways(j, a, b, all)
		for i := range list {
			list[i][j] = int(ways[0]) * steps
		}
		if len(ways) == 1 {
			continue
		}
		var next [][]int
		for _, v := range list {
			other := slices.Clone(v)
			other[j] = int(ways[1]) * steps
			next = append(next, v, other)
		}
		list = next
	}
	return list
}

// alongRings panics where the network is not Separable: who asks about ways along one dimension there has a bug.
func (t *Torus) alongRings() {
	if !t.Separable() {
		panic("core: ways along one dimension of " + t.String())
	}
}

// HasTies reports whether some pair of nodes has two shortest ways: around a ring of an even side above 2, or by two
// vectors on a twisted torus. Without dimensions it is taken for granted.
func (t *Torus) HasTies() bool {
	if t.given != nil {
		return true
	}
	if t.twist != nil {
		return t.twist.hasTies()
	}
	for j, k := range t.dims {
		if k%2 == 0 && k > 2 && !t.open[j] {
			return true
		}
	}
	return false
}

// options returns the text of what is not plain, as ParseNetwork reads it after the sides.
func (t *Torus) options() string {
	if t.given != nil {
		return t.given.text
	}
	var open []int
	for j := range t.dims {
		if t.open[j] {
			open = append(open, j)
		}
	}
	text := ""
	if open != nil {
		text += ":open=" + JoinInts(open, ",")
	}
	if t.common > 1 {
		text += ":bandwidth=" + JoinInts(t.bandwidth, ",")
	}
	if t.twist != nil {
		text += t.twist.text()
	}
	return text
}
