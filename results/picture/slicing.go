package picture

import (
	"fmt"
	"strings"

	"leeway/core"
)

// A slicing cuts a torus into panels over its last two dimensions.
type slicing struct {
	torus              *core.Torus
	rowDim, colDim     int // rowDim is -1 on a ring
	rows, cols, panels int
}

func newSlicing(t *core.Torus) slicing {
	s := slicing{torus: t, rowDim: t.D() - 2, colDim: t.D() - 1, rows: 1, cols: t.Side(t.D() - 1)}
	if s.rowDim >= 0 {
		s.rows = t.Side(s.rowDim)
	}
	s.panels = t.N() / (s.rows * s.cols)
	return s
}

// node returns the node at a place of a panel; nodes are numbered row by row.
func (s slicing) node(panel, row, col int) int {
	return (panel*s.rows+row)*s.cols + col
}

// label returns the coordinates that the nodes of a panel share, as (2,*,*).
func (s slicing) label(panel int) string {
	var parts []string
	for j := range s.rowDim {
		parts = append(parts, fmt.Sprint(s.torus.Coord(s.node(panel, 0, 0), j)))
	}
	return "(" + strings.Join(append(parts, "*", "*"), ",") + ")"
}

// across returns the links that leave a node along the dimensions that panels
// do not show.
func (s slicing) across(node int) []core.Link {
	var links []core.Link
	for _, p := range s.torus.Ports() {
		if p.Dim < s.rowDim {
			links = append(links, s.torus.Link(node, p.Dim, p.Dir))
		}
	}
	return links
}

// A between is the links that join a node and its next in one dimension.
type between struct {
	out, back core.Link
	wraps     bool // around the torus
}

// step returns the links between a node and its next along dim, and false where
// there are none: at the end of a side of 2, whose two links both lie at its
// beginning.
func (s slicing) step(node, dim int) (between, bool) {
	last := s.torus.Coord(node, dim) == s.torus.Side(dim)-1
	if last && s.torus.Side(dim) == 2 {
		return between{}, false
	}
	next := s.torus.Shift(node, dim, 1)
	return between{
		out:   s.torus.Link(node, dim, core.Plus),
		back:  s.torus.Link(next, dim, core.Minus),
		wraps: last,
	}, true
}

// rowLengths returns the numbers of panels that a row may have, ascendins.
func (s slicing) rowLengths() []int {
	var lengths []int
	for n := 1; n <= s.panels; n++ {
		if s.rowDim <= 1 || s.panels%n == 0 && s.endsEvenly(n) {
			lengths = append(lengths, n)
		}
	}
	return lengths
}

// endsEvenly reports whether n panels are all values of the last panel
// dimensions, times a divisor of the side of the next.
func (s slicing) endsEvenly(n int) bool {
	for j := s.rowDim - 1; j >= 0; j-- {
		k := s.torus.Side(j)
		if n%k != 0 {
			return k%n == 0
		}
		n /= k
	}
	return true
}
