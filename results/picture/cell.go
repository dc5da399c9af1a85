package picture

import (
	"fmt"

	"leeway/core"
)

// A cellForm says how a node and the links that belong to it are set in text.
type cellForm struct {
	text    loadText
	stacked bool // every link on a line of its own
	width   int
	height  int
	load    int // length of the longest load
}

// A loadText says how loads are written.
type loadText uint8

const (
	noLoads loadText = iota
	levels           // ninths of E_max, rounded up
	exact
)

// levelCount is the number of levels above idle: one digit tells them apart.
const levelCount = 9

// newCellForm returns the form of cells for loads of the given length.
func newCellForm(s slicing, text loadText, stacked bool, load int) cellForm {
	f := cellForm{text: text, stacked: stacked, load: load}
	lines := s.torus.D()
	if f.stacked {
		f.width, f.height = 2+f.slot(), 2*lines
		return f
	}
	f.width, f.height = 2+2*f.slot(), lines
	return f
}

// slot returns the width of an arrow, a load and the star of the maximum.
func (f cellForm) slot() int { return 1 + f.load + 1 }

// place returns where the links of one dimension stand in the cell: out in
// direction +, and back.
func (f cellForm) place(line int) (outX, outY, backX, backY int) {
	indent := 0
	if line == 0 {
		indent = 1 // right of the node
	}
	if f.stacked {
		return indent, 2 * line, indent, 2*line + 1
	}
	return indent, line, indent + f.slot(), line
}

// cell puts a node and its links at x, y: those to and from the next node to the
// right and below, and those that leave it for other panels.
func (s *sketch) cell(c *canvas, node, x, y int) {
	if s.processors.Has(node) {
		c.put(x, y, s.glyphs.processor, s.code("1"))
	} else {
		c.put(x, y, s.glyphs.node, "")
	}
	if s.form.text == noLoads {
		return
	}
	s.pair(c, node, s.colDim, x, y, 0, s.glyphs.right, s.glyphs.left)
	if s.rowDim >= 0 {
		s.pair(c, node, s.rowDim, x, y, 1, s.glyphs.down, s.glyphs.up)
	}
	for _, l := range s.across(node) {
		_, port := s.torus.LinkFrom(l)
		outX, outY, backX, backY := s.form.place(port.Dim + 2)
		if port.Dir == core.Plus {
			s.load(c, l, x+outX, y+outY, "+")
		} else {
			s.load(c, l, x+backX, y+backY, "-")
		}
	}
}

// pair puts the two links between a node and its next along dim.
func (s *sketch) pair(c *canvas, node, dim, x, y, line int, out, back string) {
	step, ok := s.step(node, dim)
	if !ok {
		return
	}
	outX, outY, backX, backY := s.form.place(line)
	s.load(c, step.out, x+outX, y+outY, out)
	s.load(c, step.back, x+backX, y+backY, back)
}

// load puts an arrow and the load of a link, with a star at E_max; nothing for an
// idle link, so that the busy ones can be seen.
func (s *sketch) load(c *canvas, l core.Link, x, y int, arrow string) {
	color := s.scale.level(l, int64(len(s.codes)))
	if color == 0 {
		return
	}
	text := arrow + s.scale.text(l)
	if s.form.text == levels {
		text = arrow + fmt.Sprint(s.scale.level(l, levelCount))
	}
	code := s.codes[color-1]
	if s.scale.atMax(l) {
		text, code = text+"*", "1;"+code
	}
	c.put(x, y, text, s.code(code))
}
