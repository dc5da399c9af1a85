package core

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of what a Torus represents. They keep every node and link number far
// inside an int and a set of nodes within a few megabytes.
const (
	MaxSide  = 65535
	MaxNodes = 1 << 26
)

// A Network is an immutable network with numbered nodes and numbered directed links, each with its reverse. Most are
// mixed-radix tori. Some of the dimensions of one may be open, paths in place of rings, and its links may have
// different bandwidths by dimension; see network.go. The ends of dimensions may be joined with shifts; see twist.go. A
// network from a list of links has no dimensions; see given.go. What more there is to a network than nodes, links and
// distances is asked for by properties: HasDimensions, Separable, Closed, Slabs, Translations.
type Network struct {
	dims      []int
	strides   []int
	nodes     int
	ports     []Port
	portOf    [][2]int // by dimension and direction: port number, -1 if none
	open      []bool   // by dimension; false for a side of 2
	bandwidth []int    // by dimension
	common    int      // least common multiple of the bandwidths
	twist     *twist   // nil: no end has a shift
	given     *given   // nil: the links go along dimensions
}

// A Torus is a network of which dimensions are expected.
type Torus = Network

// NewTorus returns the torus with the given sides. It fails with an *InputError
// when there is no side, a side lies outside 2..MaxSide, or the torus has more
// than MaxNodes nodes.
func NewTorus(dims ...int) (*Torus, error) { return newTorus(dims, nil) }

// newTorus is NewTorus where both says which dimensions have links both ways, nil: those above 2. Then a side may be 1.
func newTorus(dims []int, both []bool) (*Torus, error) {
	text := formatSides(dims)
	if len(dims) == 0 {
		return nil, Invalid(text, "a torus needs at least one side").Hinted(torusHint)
	}
	nodes := 1
	for j, k := range dims {
		if problem := sideProblem(j, k); problem != "" && (k != 1 || both == nil) {
			return nil, &InputError{Text: text, Part: strconv.Itoa(k), Offset: len(formatSides(append(dims[:j:j], 0))) - 1,
				Problem: problem, Hint: torusHint}
		}
		if nodes > MaxNodes/k {
			return nil, Invalid(text, "the torus has more than %d nodes, the most that is supported", MaxNodes)
		}
		nodes *= k
	}
	t := &Torus{dims: slices.Clone(dims), strides: make([]int, len(dims)), nodes: nodes, portOf: make([][2]int, len(dims)),
		open: make([]bool, len(dims)), bandwidth: slices.Repeat([]int{1}, len(dims)), common: 1}
	stride := 1
	for j := len(dims) - 1; j >= 0; j-- {
		t.strides[j] = stride
		stride *= dims[j]
	}
	for j, k := range dims {
		t.portOf[j] = [2]int{len(t.ports), -1}
		t.ports = append(t.ports, Port{Dim: j, Dir: Plus})
		if k > 2 || both != nil && both[j] {
			t.portOf[j][1] = len(t.ports)
			t.ports = append(t.ports, Port{Dim: j, Dir: Minus})
		}
	}
	return t, nil
}

// MustTorus is NewTorus for sides known to be right; it panics on an error.
func MustTorus(dims ...int) *Torus {
	t, err := NewTorus(dims...)
	if err != nil {
		panic("core: " + err.Error())
	}
	return t
}

// Dims returns a copy of the sides.
func (t *Torus) Dims() []int { return slices.Clone(t.dims) }

// D returns the number of dimensions.
func (t *Torus) D() int { return len(t.dims) }

// Side returns the length of dimension j.
func (t *Torus) Side(j int) int { return t.dims[j] }

// Stride returns the difference of the numbers of two nodes that differ by one
// in coordinate j.
func (t *Torus) Stride(j int) int { return t.strides[j] }

// N returns the number of nodes.
func (t *Torus) N() int { return t.nodes }

// M returns how many link numbers there are: the number of directed links if no dimension is open.
func (t *Torus) M() int { return t.nodes * len(t.ports) }

// Degree returns the number of links that leave a node, but for the ends of open
// dimensions: two per dimension, one in a dimension of side 2.
func (t *Torus) Degree() int { return len(t.ports) }

// Common returns the side that all dimensions share, and whether there is one.
func (t *Torus) Common() (int, bool) {
	if t.given != nil {
		return 0, false
	}
	for _, k := range t.dims {
		if k != t.dims[0] {
			return 0, false
		}
	}
	return t.dims[0], true
}

// Equal reports whether both tori have the same sides in the same order, the same
// of them open, with the same bandwidths and shifts.
func (t *Torus) Equal(u *Torus) bool {
	return slices.Equal(t.dims, u.dims) && slices.Equal(t.open, u.open) && slices.Equal(t.bandwidth, u.bandwidth) &&
		slices.EqualFunc(t.Twist(), u.Twist(), slices.Equal) && (t.given == nil) == (u.given == nil) &&
		(t.given == nil || t.given.text == u.given.text)
}

// Coord returns coordinate j of a node.
func (t *Torus) Coord(node, j int) int { return node / t.strides[j] % t.dims[j] }

// Coords returns the coordinates of a node.
func (t *Torus) Coords(node int) []int {
	c := make([]int, len(t.dims))
	for j := range c {
		c[j] = t.Coord(node, j)
	}
	return c
}

// Node returns the number of the node with the given coordinates, or an
// *InputError when their count is wrong or one lies outside its side.
func (t *Torus) Node(coords ...int) (int, error) {
	if t.given != nil && (len(coords) != 1 || coords[0] < 0 || coords[0] >= t.N()) {
		return 0, Invalid(fmt.Sprint(coords), "nodes of the network have the numbers 0..%d", t.N()-1)
	}
	if len(coords) != len(t.dims) {
		return 0, Invalid(fmt.Sprint(coords), "a node of %s has %d coordinates, not %d", t, len(t.dims), len(coords))
	}
	node := 0
	for j, c := range coords {
		if c < 0 || c >= t.dims[j] {
			return 0, &InputError{Text: fmt.Sprint(coords), Part: strconv.Itoa(c),
				Offset:  len(fmt.Sprint(append(coords[:j:j], 0))) - 2,
				Problem: fmt.Sprintf("coordinate %d is %d, outside 0..%d on torus %s", j, c, t.dims[j]-1, t)}
		}
		node += c * t.strides[j]
	}
	return node, nil
}

// Shift returns the node reached from node by moving by along dimension j,
// around the ring as often as needed.
func (t *Torus) Shift(node, j, by int) int {
	t.alongDimensions()
	if t.twist != nil {
		return t.twist.shift(t, node, j, by)
	}
	c := t.Coord(node, j)
	return node + (Mod(c+by, t.dims[j])-c)*t.strides[j]
}

// Displacement returns the node q-p: each coordinate is that of q minus that of
// p, modulo the side; on a twisted torus that of the vector between them.
func (t *Torus) Displacement(p, q int) int {
	if t.twist != nil {
		return t.twist.combine(t, q, p, -1)
	}
	node := 0
	for j, k := range t.dims {
		node += (t.Coord(q, j) - t.Coord(p, j) + k) % k * t.strides[j]
	}
	return node
}

// CyclicDistance returns the distance of coordinates a and b on a ring of
// length k: min(|a-b|, k-|a-b|).
func CyclicDistance(a, b, k int) int {
	x := a - b
	if x < 0 {
		x = -x
	}
	return min(x, k-x)
}

// LeeDistance returns the length of a shortest path from p to q: the sum of the
// distances of their coordinates.
func (t *Torus) LeeDistance(p, q int) int {
	switch {
	case t.given != nil:
		return t.given.distance(t, p, q)
	case t.twist != nil:
		return t.twist.distance(t, t.Displacement(p, q))
	}
	sum := 0
	for j := range t.dims {
		sum += t.Distance(j, t.Coord(p, j), t.Coord(q, j))
	}
	return sum
}

// Sum returns the node p+q: each coordinate is the sum of those of p and q, modulo the
// side. It is the node a displacement q away from p.
func (t *Torus) Sum(p, q int) int {
	if t.twist != nil {
		return t.twist.combine(t, p, q, 1)
	}
	node := 0
	for j, k := range t.dims {
		node += (t.Coord(p, j) + t.Coord(q, j)) % k * t.strides[j]
	}
	return node
}

// A NodeTable holds a node for every two nodes.
type NodeTable struct {
	n     int
	nodes []int32
}

// Sums tables Sum for all nodes. Cost O(N^2).
func Sums(t *Torus) NodeTable { return newNodeTable(t.N(), t.Sum) }

// Displacements tables Displacement for all nodes. Cost O(N^2).
func Displacements(t *Torus) NodeTable { return newNodeTable(t.N(), t.Displacement) }

func newNodeTable(n int, of func(p, q int) int) NodeTable {
	t := NodeTable{n: n, nodes: make([]int32, 0, n*n)}
	for p := range n {
		for q := range n {
			t.nodes = append(t.nodes, int32(of(p, q)))
		}
	}
	return t
}

// Node returns the node for p and q.
func (t NodeTable) Node(p, q int) int { return int(t.nodes[p*t.n+q]) }

// Row returns, by q, the nodes for p and q. It belongs to the table.
func (t NodeTable) Row(p int) []int32 { return t.nodes[p*t.n:][:t.n:t.n] }

const (
	torusHint   = "write the sides as 8x8, 4x6x3, 30, or 8^3 for 8x8x8"
	networkHint = torusHint + "; then :open=0,1 for dimensions without wrap-around, :bandwidth=2,1, one for each, and " +
		":twist=4 in two dimensions for what going round dimension 0 moves in dimension 1"
)

// ParseNetwork reads what ParseTorus reads, followed by ":open=0,1", the open
// dimensions, ":bandwidth=2,1", one for each dimension, and ":twist=4" or
// ":twist=0,4+0,0", the shift at the end of each dimension, where these are not
// none, 1 and 0: a torus as NewTwisted and WithLinks make it. Or it is a number of nodes with
// ":links=0-1,1-2*4", its edges, and ":names=a+b+c": a network as NewGiven makes it. Errors are
// *InputError and name the offending part.
func ParseNetwork(text string) (*Torus, error) {
	options, err := ParseText(text, networkHint)
	if err != nil {
		return nil, err
	}
	if links, ok := options.Take("links"); ok {
		return readGiven(options, links)
	}
	t, err := readTwisted(options)
	if err != nil {
		return nil, err
	}
	var lists [2][]int
	for i, key := range []string{"open", "bandwidth"} {
		if part, ok := options.Take(key); ok {
			if lists[i], err = options.Ints(part, ","); err != nil {
				return nil, err
			}
		}
	}
	if err := options.Unused(); err != nil {
		return nil, err
	}
	t, err = t.WithLinks(lists[0], lists[1])
	if e, ok := err.(*InputError); ok { // it is about one option, which is written as it was read
		if e.Part == "" {
			e.Part = e.Text
		}
		e.Text, e.Offset = text, e.Offset+strings.Index(text, e.Text)
	}
	return t, err
}

// ParseTorus reads "8x8", "4x6x3", "30" or "8^3". Errors are *InputError and
// name the offending part.
func ParseTorus(text string) (*Torus, error) {
	dims, err := readSides(text, 2)
	if err != nil {
		return nil, err
	}
	t, err := NewTorus(dims...)
	if e, ok := err.(*InputError); ok {
		e.Text = text // each side is checked above, so the error is about all of them
	}
	return t, err
}

// readSides reads sides of at least least, with x, X or × between them.
func readSides(text string, least int) (dims []int, err error) {
	for offset := 0; offset <= len(text); {
		part, sign := text[offset:], 1
		if i := strings.IndexAny(part, "xX×"); i >= 0 {
			_, sign = utf8.DecodeRuneInString(part[i:])
			part = part[:i]
		}
		side, count, problem := parseSide(part)
		if problem == "" && (side < least || side > MaxSide) {
			problem = sideProblem(len(dims), side)
		}
		if problem != "" {
			return nil, &InputError{Text: text, Part: part, Offset: offset, Problem: problem, Hint: torusHint}
		}
		for range count {
			dims = append(dims, side)
		}
		offset += len(part) + sign
	}
	return dims, nil
}

// sideProblem says what is wrong with side j being k, "" if nothing is.
func sideProblem(j, k int) string {
	if k < 2 || k > MaxSide {
		return fmt.Sprintf("side %d is %d, outside 2..%d", j, k, MaxSide)
	}
	return ""
}

// parseSide reads one factor "8" or "8^3" and returns the side, how often it
// stands, and what is wrong with it ("" if nothing).
func parseSide(part string) (side, count int, problem string) {
	base, exponent, hasExponent := strings.Cut(part, "^")
	if base == "" {
		return 0, 0, "a side is missing"
	}
	side, ok := parseNatural(base)
	if !ok {
		return 0, 0, fmt.Sprintf("side %q is not a whole number of at most %d", base, MaxSide)
	}
	if !hasExponent {
		return side, 1, ""
	}
	count, ok = parseNatural(exponent)
	if !ok || count < 1 || count > 26 {
		return 0, 0, fmt.Sprintf("exponent %q is not a whole number in 1..26", exponent)
	}
	return side, count, ""
}

// parseNatural reads plain decimal digits, at most seven of them, without
// leading zeros: what prints is what was written.
func parseNatural(s string) (int, bool) {
	if len(s) > 7 || !Plain(s) {
		return 0, false
	}
	v, err := strconv.Atoi(s)
	return v, err == nil
}

func formatSides(dims []int) string {
	parts := make([]string, len(dims))
	for j, k := range dims {
		parts[j] = strconv.Itoa(k)
	}
	return strings.Join(parts, "x")
}

// String returns the sides joined by x, with the options of a network that is not
// plain: the form that ParseNetwork reads.
func (t *Torus) String() string { return formatSides(t.dims) + t.options() }

// A Dir is the direction of a link along its dimension.
type Dir int8

// The two directions. On a side of 2 only Plus exists.
const (
	Plus  Dir = 1
	Minus Dir = -1
)

// String returns "+" or "-".
func (d Dir) String() string {
	if d == Minus {
		return "-"
	}
	return "+"
}

// A Port is a dimension with a direction: one of the ways out of every node.
type Port struct {
	Dim int
	Dir Dir
}

// A Link is the number of a directed link: port*N + node it leaves.
type Link int

// Ports returns the ports of the torus in their numbering.
func (t *Torus) Ports() []Port { return append([]Port(nil), t.ports...) }

// Port returns the port with the given number.
func (t *Torus) Port(i int) Port { return t.ports[i] }

// PortIndex returns the number of the port along dimension dim in direction
// dir. On a side of 2 both directions name the one port there is.
func (t *Torus) PortIndex(dim int, dir Dir) int {
	if dir == Minus && t.portOf[dim][1] >= 0 {
		return t.portOf[dim][1]
	}
	return t.portOf[dim][0]
}

// Link returns the link that leaves node from along dimension dim in direction
// dir.
func (t *Torus) Link(from, dim int, dir Dir) Link {
	t.alongDimensions()
	return Link(t.PortIndex(dim, dir)*t.nodes + from)
}

// LinkFrom returns the node that a link leaves and its port.
func (t *Torus) LinkFrom(l Link) (from int, port Port) {
	return int(l) % t.nodes, t.ports[int(l)/t.nodes]
}

// LinkEnds returns the nodes that a link leaves and enters.
func (t *Torus) LinkEnds(l Link) (from, to int) {
	if t.given != nil {
		return int(l) % t.nodes, int(t.given.ends[l])
	}
	from, p := t.LinkFrom(l)
	return from, t.Shift(from, p.Dim, int(p.Dir))
}

// Reverse returns the other link of the edge of l.
func (t *Torus) Reverse(l Link) Link {
	if t.given != nil {
		return t.given.reverse[l]
	}
	_, to := t.LinkEnds(l)
	_, port := t.LinkFrom(l)
	return t.Link(to, port.Dim, -port.Dir)
}
