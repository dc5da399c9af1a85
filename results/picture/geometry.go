package picture

import (
	"fmt"
	"slices"
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
	if !t.HasDimensions() { // one panel, a circle
		return slicing{torus: t, rowDim: -1, colDim: -1, rows: 1, cols: 1, panels: 1}
	}
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

// hiddenLinks returns the links that leave a node along the dimensions that panels do not show.
func (s slicing) hiddenLinks(node int) []core.Link {
	var links []core.Link
	for _, p := range s.torus.Ports() {
		if l := s.torus.Link(node, p.Dim, p.Dir); p.Dim < s.rowDim && s.torus.HasLink(l) {
			links = append(links, l)
		}
	}
	return links
}

// mostAcross returns the largest number of links that leave a node along these dimensions.
func (s slicing) mostAcross() int {
	count := 0
	for j := range max(0, s.rowDim) {
		if count++; s.torus.BothWays(j) {
			count++
		}
	}
	return count
}

// others names the dimensions that panels do not show, of which there are some.
func (s slicing) others() string {
	if s.rowDim == 1 {
		return "dimension 0"
	}
	return fmt.Sprintf("dimensions 0 to %d", s.rowDim-1)
}

// A linkPair is the links that join a node and its next in one dimension.
type linkPair struct {
	out, back core.Link
	next      int
	wraps     bool // around the torus
}

// step returns the links between a node and its next along dim, and false if they do not exist: at the end of an open
// dimension, and at one of two nodes that are each other's next, whose links both lie at the other.
func (s slicing) step(node, dim int) (linkPair, bool) {
	last := s.torus.Coord(node, dim) == s.torus.Side(dim)-1
	next := s.torus.Shift(node, dim, 1)
	if last && s.torus.Open(dim) || !s.torus.BothWays(dim) && next < node {
		return linkPair{}, false
	}
	return linkPair{
		out:   s.torus.Link(node, dim, core.Plus),
		back:  s.torus.Link(next, dim, core.Minus),
		next:  next,
		wraps: last,
	}, true
}

// ends reports whether links go over the ends of a dimension.
func (s slicing) ends(dim int) bool {
	return dim >= 0 && !s.torus.Open(dim) && (s.torus.BothWays(dim) || s.torus.Side(dim) == 1)
}

// shifts reports whether these links also move in other dimensions.
func (s slicing) shifts(dim int) bool {
	return dim >= 0 && s.torus.Twisted() && slices.Max(s.torus.Twist()[dim]) > 0
}

// shiftLines says for each dimension whose ends are joined with a shift what that is.
func (s slicing) shiftLines() (lines []string) {
	for dim := range s.torus.D() {
		if s.shifts(dim) {
			lines = append(lines, fmt.Sprintf("the end of dimension %d is joined to its beginning (%s) further on", dim,
				core.JoinInts(s.torus.Twist()[dim], ",")))
		}
	}
	return lines
}

// rowLengths returns the numbers of panels that a row may have, ascending.
func (s slicing) rowLengths() []int {
	var lengths []int
	for n := 1; n <= s.panels; n++ {
		if s.rowDim <= 1 || s.panels%n == 0 && s.endsEvenly(n) {
			lengths = append(lengths, n)
		}
	}
	return lengths
}

// endsEvenly reports whether n panels are all values of the last panel dimensions, times a divisor of the side of the
// next.
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

// Lengths of SVG pictures in pixels.
const (
	basePitch  = 56 // between nodes
	clearance  = 11 // from the middle of a node to the beginning of a link
	linkOffset = 5  // from the middle of an edge to each of its two links
	digit      = 6  // width of a character of a load
	letter     = 7  // width of a character of a line of text
	lineHeight = 17 // height of a line of small text
	gutter     = 30 // room for coordinates beside a panel
	markStep   = 10 // between rows of marks
	markRows   = 4  // rows of marks in a column when they carry no numbers
	border     = 20 // around the picture
	minInner   = 440
)

// A geometry says where things lie. Within a panel, positions count from its first node.
type geometry struct {
	slicing
	pitch    int
	overhang vec // length of the ends of a link around the torus, per axis
	left     int // from the edge of a panel to its first node
	top      int
	panelW   int
	panelH   int
	perRow   int // panels side by side
}

// newGeometry lays out the panels. textLength is the length of the longest load that is printed, 0 if none is.
func newGeometry(s slicing, textLength int) geometry {
	g := geometry{slicing: s, pitch: basePitch, overhang: vec{20, 20}}
	marks, beside := s.mostAcross(), 0
	if textLength > 0 {
		width := digit * textLength
		if marks > 0 || s.rowDim >= 0 {
			beside = width + 22 // the numbers of marks and of vertical links
		}
		// The number of a vertical link stands above all marks of the node.
		g.overhang = vec{max(g.overhang.x, width+14), 36 + markStep*marks}
		// Side by side: the numbers of two vertical links; one above the other: marks with their numbers, and the
		// number of a vertical link.
		g.pitch = max(basePitch+8, 2*width+26, 2*(28+markStep*marks))
	} else if marks > 0 {
		columns := (max(0, s.rowDim) + markRows - 1) / markRows
		g.pitch = max(basePitch, 28+markStep*min(s.rowDim, markRows), 28+24*columns)
	}
	farthest := core.JoinInts(s.torus.Coords(s.torus.N()-1), ",") // no coordinates are longer
	right := max(beside, g.reach(s.colDim, g.overhang.x, letter*len(farthest)+6))
	below := g.reach(s.rowDim, g.overhang.y, lineHeight)
	if s.shifts(s.rowDim) {
		g.pitch = max(g.pitch, letter*len(farthest)+6)
	}
	g.left = gutter + right
	g.top = g.captions() + max(below, markHeight(marks, textLength > 0))
	g.panelW = g.left + (s.cols-1)*g.pitch + right
	g.panelH = g.top + (s.rows-1)*g.pitch + below
	g.perRow = g.choosePerRow()
	return g
}

// reach returns how far links go beyond the last node of a dimension, with the names of the nodes that they lead to
// where their ends are shifted.
func (g geometry) reach(dim, overhang, name int) int {
	switch {
	case g.shifts(dim):
		return clearance + overhang + name
	case g.ends(dim):
		return clearance + overhang
	}
	return clearance
}

// place returns where a node lies, from the corner of another panel on.
func (g geometry) place(node, panel int) vec {
	own := node / (g.rows * g.cols)
	x, y := g.origin(own)
	fromX, fromY := g.origin(panel)
	return vec{x - fromX + g.left + node%g.cols*g.pitch, y - fromY + g.top + node/g.cols%g.rows*g.pitch}
}

// captions returns the height of the lines above a panel.
func (g geometry) captions() int {
	if g.panels == 1 {
		return 2*lineHeight + 6
	}
	return 3*lineHeight + 9
}

// markHeight returns how far the marks of a node reach above its middle.
func markHeight(marks int, values bool) int {
	if marks == 0 {
		return clearance
	}
	if !values {
		marks = min((marks+1)/2, markRows)
	}
	return 24 + markStep*marks
}

// choosePerRow returns how many panels to set side by side: the number that fits the smallest frame of format 4:3,
// and of these the largest. Where panels have more than one dimension of their own, a row ends only where a
// coordinate starts over.
func (g geometry) choosePerRow() int {
	best, bestFrame := 1, 0
	for _, n := range g.rowLengths() {
		rows := (g.panels + n - 1) / n
		frame := max(3*n*(g.panelW+gutter), 4*rows*(g.panelH+gutter))
		if bestFrame == 0 || frame <= bestFrame {
			best, bestFrame = n, frame
		}
	}
	return best
}

// size returns width and height of all panels together.
func (g geometry) size() (width, height int) {
	rows := (g.panels + g.perRow - 1) / g.perRow
	return g.perRow*(g.panelW+gutter) - gutter, rows*(g.panelH+gutter) - gutter
}

// origin returns where the upper left corner of a panel lies among them.
func (g geometry) origin(panel int) (x, y int) {
	return panel % g.perRow * (g.panelW + gutter), panel / g.perRow * (g.panelH + gutter)
}

// A vec is a place in a picture, or a way from one place to another; y grows downwards.
type vec struct{ x, y int }

func (a vec) plus(b vec) vec  { return vec{a.x + b.x, a.y + b.y} }
func (a vec) minus(b vec) vec { return vec{a.x - b.x, a.y - b.y} }
func (a vec) times(n int) vec { return vec{a.x * n, a.y * n} }
func (a vec) right() vec      { return vec{-a.y, a.x} } // a quarter turn to the right

// project returns the part of a pair of lengths that lies along h.
func (h vec) project(lengths vec) int {
	if h.x != 0 {
		return lengths.x
	}
	return lengths.y
}
