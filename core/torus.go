package core

import (
	"fmt"
	"slices"
	"strconv"
)

// Limits of what a Torus represents. They keep every node and link number far
// inside an int and a set of nodes within a few megabytes.
const (
	MaxSide  = 65535
	MaxNodes = 1 << 26
)

// A Torus is an immutable mixed-radix torus with numbered directed links.
type Torus struct {
	dims    []int
	strides []int
	nodes   int
	ports   []Port
	portOf  [][2]int // by dimension and direction: port number, -1 if none
}

// NewTorus returns the torus with the given sides. It fails with an *InputError
// when there is no side, a side lies outside 2..MaxSide, or the torus has more
// than MaxNodes nodes.
func NewTorus(dims ...int) (*Torus, error) {
	text := formatSides(dims)
	if len(dims) == 0 {
		return nil, &InputError{Text: text, Problem: "a torus needs at least one side", Hint: torusHint}
	}
	nodes := 1
	for j, k := range dims {
		if problem := sideProblem(j, k); problem != "" {
			return nil, &InputError{Text: text, Part: strconv.Itoa(k), Offset: len(formatSides(append(dims[:j:j], 0))) - 1,
				Problem: problem, Hint: torusHint}
		}
		if nodes > MaxNodes/k {
			return nil, &InputError{Text: text,
				Problem: fmt.Sprintf("the torus has more than %d nodes, the most that is supported", MaxNodes)}
		}
		nodes *= k
	}
	t := &Torus{dims: slices.Clone(dims), strides: make([]int, len(dims)), nodes: nodes, portOf: make([][2]int, len(dims))}
	stride := 1
	for j := len(dims) - 1; j >= 0; j-- {
		t.strides[j] = stride
		stride *= dims[j]
	}
	for j, k := range dims {
		t.portOf[j] = [2]int{len(t.ports), -1}
		t.ports = append(t.ports, Port{Dim: j, Dir: Plus})
		if k > 2 {
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

// M returns the number of directed links.
func (t *Torus) M() int { return t.nodes * len(t.ports) }

// Degree returns the number of links that leave a node: two per dimension, one
// in a dimension of side 2.
func (t *Torus) Degree() int { return len(t.ports) }

// Common returns the side that all dimensions share, and whether there is one.
func (t *Torus) Common() (int, bool) {
	for _, k := range t.dims {
		if k != t.dims[0] {
			return 0, false
		}
	}
	return t.dims[0], true
}

// Equal reports whether both tori have the same sides in the same order.
func (t *Torus) Equal(u *Torus) bool { return slices.Equal(t.dims, u.dims) }

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
	if len(coords) != len(t.dims) {
		return 0, &InputError{Text: fmt.Sprint(coords),
			Problem: fmt.Sprintf("a node of %s has %d coordinates, not %d", t, len(t.dims), len(coords))}
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
	k, c := t.dims[j], t.Coord(node, j)
	to := ((c+by)%k + k) % k
	return node + (to-c)*t.strides[j]
}

// Displacement returns the node q-p: each coordinate is that of q minus that of
// p, modulo the side.
func (t *Torus) Displacement(p, q int) int {
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
// cyclic distances of their coordinates.
func (t *Torus) LeeDistance(p, q int) int {
	sum := 0
	for j, k := range t.dims {
		sum += CyclicDistance(t.Coord(p, j), t.Coord(q, j), k)
	}
	return sum
}
