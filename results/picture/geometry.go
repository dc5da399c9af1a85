package picture

// Lengths of SVG pictures in pixels.
const (
	basePitch  = 56 // between nodes
	clear      = 11 // from the middle of a node to the beginning of a link
	lane       = 5  // from the middle of an edge to each of its two links
	digit      = 6  // width of a character of a load
	letter     = 7  // width of a character of a line of text
	lineHeight = 17 // height of a line of small text
	gutter     = 30 // room for coordinates beside a panel
	markStep   = 10 // between rows of marks
	markRows   = 4  // rows of marks in a column when they carry no numbers
	border     = 20 // around the picture
	minInner   = 440
)

// A geometry says where things lie. Within a panel, positions count from its
// first node.
type geometry struct {
	slicing
	pitch    int
	overhang heading // length of the ends of a link around the torus, per axis
	left     int     // from the edge of a panel to its first node
	top      int
	panelW   int
	panelH   int
	perRow   int // panels side by side
}

// newGeometry lays out the panels. textLength is the length of the longest load
// that is printed, 0 if none is.
func newGeometry(s slicing, textLength int) geometry {
	g := geometry{slicing: s, pitch: basePitch, overhang: heading{20, 20}}
	marks := len(s.across(0))
	if textLength > 0 {
		width := digit * textLength
		// The number of a vertical link stands above all marks of the node.
		g.overhang = heading{max(g.overhang.x, width+14), 36 + markStep*marks}
		// Side by side: the numbers of two vertical links; one above the
		// other: marks with their numbers, and the number of a vertical link.
		g.pitch = max(basePitch+8, 2*width+26, 2*(28+markStep*marks))
	} else if marks > 0 {
		columns := (max(0, s.rowDim) + markRows - 1) / markRows
		g.pitch = max(basePitch, 28+markStep*min(s.rowDim, markRows), 28+24*columns)
	}
	right := g.reach(s.colDim, g.overhang.x)
	below := g.reach(s.rowDim, g.overhang.y)
	g.left = gutter + right
	g.top = g.captions() + max(below, markHeight(marks, textLength > 0))
	g.panelW = g.left + (s.cols-1)*g.pitch + right
	g.panelH = g.top + (s.rows-1)*g.pitch + below
	g.perRow = g.choosePerRow()
	return g
}

// reach returns how far links go beyond the last node of a dimension.
func (g geometry) reach(dim, overhang int) int {
	if dim < 0 || g.torus.Side(dim) == 2 {
		return clear
	}
	return clear + overhang
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
		return clear
	}
	if !values {
		marks = min((marks+1)/2, markRows)
	}
	return 24 + markStep*marks
}

// choosePerRow returns how many panels to set side by side: the number that fits
// the smallest frame of format 4:3, and of these the largest. Where panels have
// more than one dimension of their own, a row ends only where a coordinate
// starts over.
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

// A heading is a step right, down, left or up.
type heading struct{ x, y int }

// starboard returns the heading to the right of h; y grows downwards.
func (h heading) starboard() heading { return heading{-h.y, h.x} }

// reverse returns the opposite heading.
func (h heading) reverse() heading { return heading{-h.x, -h.y} }

// along returns the part of a pair of lengths that lies along h.
func (h heading) along(lengths heading) int {
	if h.x != 0 {
		return lengths.x
	}
	return lengths.y
}
