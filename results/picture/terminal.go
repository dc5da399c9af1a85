package picture

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"leeway/core"
)

// Terminal writes the placement and its loads as text. Errors are
// *core.InputError for parameters that cannot be drawn, otherwise those of w.
// Cost O(M).
//
// Loads are exact when Values is set and there is room, else levels: ninths of
// E_max, rounded up. Where not even levels fit side by side into the width, only
// the placement is drawn. A remark says so in both cases. A ring is broken into
// lines instead, and so is a placement that is wider than the terminal.
func Terminal(w io.Writer, p Params) error {
	if err := p.check(); err != nil {
		return err
	}
	s := newSketch(p)
	_, err := io.WriteString(w, s.heading()+s.body()+"\n"+s.legend())
	return err
}

// A sketch is a text drawing being made.
type sketch struct {
	slicing
	params     Params
	scale      scale
	processors core.Set
	glyphs     glyphs
	codes      [8]string // by level, from 1
	width      int
	labels     int // width of the row numbers
	form       cellForm
	remark     string
}

// glyphs are the characters for nodes and arrows.
type glyphs struct{ processor, node, right, left, down, up string }

var (
	unicodeGlyphs = glyphs{"■", "·", "→", "←", "↓", "↑"}
	asciiGlyphs   = glyphs{"#", ".", ">", "<", "v", "^"}
)

// ansiCodes are 256-colour codes from light to heavy load, by theme.
var ansiCodes = [...][8]string{
	Auto:  {"38;5;67", "38;5;68", "38;5;104", "38;5;134", "38;5;168", "38;5;167", "38;5;202", "38;5;196"},
	Light: {"38;5;215", "38;5;208", "38;5;203", "38;5;167", "38;5;161", "38;5;125", "38;5;89", "38;5;53"},
	Dark:  {"38;5;97", "38;5;133", "38;5;168", "38;5;204", "38;5;209", "38;5;215", "38;5;222", "38;5;229"},
}

const defaultWidth = 80

func newSketch(p Params) *sketch {
	s := &sketch{slicing: newSlicing(p.Placement.Torus()), params: p, scale: newScale(p.Loads),
		processors: p.Placement.Set(), glyphs: unicodeGlyphs, codes: ansiCodes[p.Theme], width: p.Width}
	if p.ASCII {
		s.glyphs = asciiGlyphs
	}
	if s.width == 0 {
		s.width = defaultWidth
	}
	if s.rowDim >= 0 {
		s.labels = len(fmt.Sprint(s.rows-1)) + 1
	}
	s.chooseForm()
	return s
}

// chooseForm takes the most telling form of cells that fits.
func (s *sketch) chooseForm() {
	if s.params.Values {
		for _, stacked := range []bool{false, true} {
			if s.take(newCellForm(s.slicing, exact, stacked, s.scale.longest())) {
				return
			}
		}
		s.remark = fmt.Sprintf("Exact loads do not fit into %d columns: levels are shown instead.", s.width)
	}
	for _, stacked := range []bool{false, true} {
		if s.take(newCellForm(s.slicing, levels, stacked, 1)) {
			return
		}
	}
	s.remark = fmt.Sprintf("Loads do not fit into %d columns: only the placement is shown.", s.width)
	s.form = cellForm{width: 2, height: 1}
	if s.columns() < s.cols {
		s.form.width = 1
	}
}

// take sets the form of cells and reports whether a row of the torus, or a node
// of a ring, has room in a line.
func (s *sketch) take(f cellForm) bool {
	s.form = f
	return s.columns() >= s.cols || s.rowDim < 0 && s.columns() > 0
}

// columns returns how many cells go into a line. Cells of more than one character
// end in a blank, which the last of a line does not need.
func (s *sketch) columns() int {
	room := s.width - s.labels
	if s.form.width > 1 {
		room++
	}
	return room / s.form.width
}

// code returns an ANSI code if colours are wanted, otherwise "".
func (s *sketch) code(code string) string {
	if !s.params.Color {
		return ""
	}
	return code
}

// heading returns the title line, "" without a title.
func (s *sketch) heading() string {
	if s.params.Title == "" {
		return ""
	}
	ellipsis := "…"
	if s.params.ASCII {
		ellipsis = "..."
	}
	return clipped(s.printable(s.params.Title), s.width, ellipsis) + "\n\n"
}

// printable returns text without characters that could steer a terminal, and
// without any beyond ASCII where these are not wanted.
func (s *sketch) printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || s.params.ASCII && r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}
