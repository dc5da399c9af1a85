package picture

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"leeway/core"
)

// Terminal writes the placement and its loads as text. Errors are *core.InputError for parameters that cannot be
// drawn, otherwise those of w. Cost O(M).
//
// Loads are exact when Values is set and there is room, else levels: ninths of E_max, rounded up. Where not even
// levels fit side by side into the width, only the placement is drawn. A remark says so in both cases. A ring is
// broken into lines instead, and so is a placement that is wider than the terminal.
func Terminal(w io.Writer, p Params) error {
	if err := p.check(); err != nil {
		return err
	}
	s := newTextDrawing(p)
	_, err := io.WriteString(w, s.heading()+s.body()+"\n"+s.legend())
	return err
}

// A textDrawing is a picture for a terminal in the making.
type textDrawing struct {
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

func newTextDrawing(p Params) *textDrawing {
	s := &textDrawing{slicing: newSlicing(p.Placement.Torus()), params: p, scale: newScale(p.Loads),
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
func (s *textDrawing) chooseForm() {
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

// take sets the form of cells and reports whether a row of the torus, or a node of a ring, has room in a line.
func (s *textDrawing) take(f cellForm) bool {
	s.form = f
	return s.columns() >= s.cols || s.rowDim < 0 && s.columns() > 0
}

// columns returns how many cells go into a line. Cells of more than one character end in a blank, which the last of a
// line does not need.
func (s *textDrawing) columns() int {
	room := s.width - s.labels
	if s.form.width > 1 {
		room++
	}
	return room / s.form.width
}

// code returns an ANSI code if colours are wanted, otherwise "".
func (s *textDrawing) code(code string) string {
	if !s.params.Color {
		return ""
	}
	return code
}

// heading returns the title line, "" without a title.
func (s *textDrawing) heading() string {
	if s.params.Title == "" {
		return ""
	}
	ellipsis := "…"
	if s.params.ASCII {
		ellipsis = "..."
	}
	return clipped(s.printable(s.params.Title), s.width, ellipsis) + "\n\n"
}

// printable returns text without characters that could steer a terminal, and without any beyond ASCII where these are
// not wanted.
func (s *textDrawing) printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || s.params.ASCII && r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}

// panelGap is the number of blank columns between panels.
const panelGap = 3

// body returns all panels, side by side where they fit.
func (s *textDrawing) body() string {
	c := &canvas{}
	width := s.labels + s.cols*s.form.width
	perRow := s.panelsPerLine(width)
	for panel := 0; panel < s.panels; panel += perRow {
		y := len(c.rows)
		for i := range min(perRow, s.panels-panel) {
			s.panel(c, panel+i, i*(width+panelGap), y)
		}
	}
	return c.String()
}

// panelsPerLine returns the largest of the good numbers of panels side by side that fits.
func (s *textDrawing) panelsPerLine(width int) int {
	best := 1
	for _, n := range s.rowLengths() {
		if n*(width+panelGap)-panelGap-1 <= s.width {
			best = n
		}
	}
	return best
}

// panel puts one panel, broken into parts where it is too wide.
func (s *textDrawing) panel(c *canvas, panel, x, y int) {
	if s.panels > 1 {
		if y > 0 {
			y++ // a blank line between panels
		}
		c.put(x+s.labels, y, s.label(panel), s.code("1"))
		y++
	}
	for from := 0; from < s.cols; from += s.columns() {
		if from > 0 {
			y++
		}
		y = s.part(c, panel, from, min(from+s.columns(), s.cols), x, y)
	}
}

// part puts the columns from..to-1 of a panel and returns the line below.
func (s *textDrawing) part(c *canvas, panel, from, to, x, y int) int {
	every := s.numberEvery()
	for col := from; col < to; col++ {
		if number := fmt.Sprint(col); col%every == 0 && x+s.labels+(col-from)*s.form.width+len(number) <= s.width {
			c.put(x+s.labels+(col-from)*s.form.width, y, number, s.code("2"))
		}
	}
	y++
	for row := range s.rows {
		if s.rowDim >= 0 {
			c.put(x, y, fmt.Sprintf("%*d", s.labels-1, row), s.code("2"))
		}
		for col := from; col < to; col++ {
			s.cell(c, s.node(panel, row, col), x+s.labels+(col-from)*s.form.width, y)
		}
		y += s.form.height
	}
	return y
}

// numberEvery returns at which multiples columns are numbered, so that the numbers do not touch.
func (s *textDrawing) numberEvery() int {
	need := len(fmt.Sprint(s.cols-1)) + 1
	for _, every := range []int{1, 2, 5, 10} {
		if every*s.form.width >= need {
			return every
		}
	}
	return 20
}

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

// place returns where the links of one dimension stand in the cell: out in direction +, and back.
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

// cell puts a node and its links at x, y: those to and from the next node to the right and below, and those that
// leave it for other panels.
func (s *textDrawing) cell(c *canvas, node, x, y int) {
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
func (s *textDrawing) pair(c *canvas, node, dim, x, y, line int, out, back string) {
	step, ok := s.step(node, dim)
	if !ok {
		return
	}
	outX, outY, backX, backY := s.form.place(line)
	s.load(c, step.out, x+outX, y+outY, out)
	s.load(c, step.back, x+backX, y+backY, back)
}

// load puts an arrow and the load of a link, with a star at E_max; nothing for an idle link, so that the busy ones
// can be seen.
func (s *textDrawing) load(c *canvas, l core.Link, x, y int, arrow string) {
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

// A canvas is text in the making: every place holds a character and the ANSI code that colours it.
type canvas struct {
	rows [][]spot
}

type spot struct {
	char rune
	code string // "" for none
}

// put writes text at a place, growing the canvas as needed.
func (c *canvas) put(x, y int, text, code string) {
	for len(c.rows) <= y {
		c.rows = append(c.rows, nil)
	}
	for _, char := range text {
		for len(c.rows[y]) <= x {
			c.rows[y] = append(c.rows[y], spot{char: ' '})
		}
		c.rows[y][x] = spot{char: char, code: code}
		x++
	}
}

// String returns the lines without blanks at their ends. Codes are set before the first and reset after the last
// character that they colour.
func (c *canvas) String() string {
	var b strings.Builder
	for _, row := range c.rows {
		for len(row) > 0 && row[len(row)-1].char == ' ' {
			row = row[:len(row)-1]
		}
		code := ""
		for _, s := range row {
			if s.code != code {
				changeCode(&b, code, s.code)
				code = s.code
			}
			b.WriteRune(s.char)
		}
		changeCode(&b, code, "")
		b.WriteByte('\n')
	}
	return b.String()
}

// changeCode ends one code and begins another; "" is none.
func changeCode(b *strings.Builder, from, to string) {
	if from != "" {
		b.WriteString("\x1b[0m")
	}
	if to != "" {
		b.WriteString("\x1b[" + to + "m")
	}
}

// legend returns the facts and what the signs mean, within the width.
func (s *textDrawing) legend() string {
	separator := " · "
	if s.params.ASCII {
		separator = " | "
	}
	text := s.wrapped(s.params.facts(), separator)
	if s.remark != "" {
		text += s.wrapped(strings.Fields(s.remark), " ")
	}
	text += s.wrapped(s.signs(), "   ")
	if s.panels > 1 {
		text += s.wrapped(strings.Fields(s.panelLine()), " ")
	}
	return text
}

// signs returns the meaning of every sign that the picture uses.
func (s *textDrawing) signs() []string {
	signs := []string{s.glyphs.processor + " processor", s.glyphs.node + " other node"}
	if s.rowDim >= 0 {
		signs = append(signs, fmt.Sprintf("rows: dimension %d", s.rowDim))
	}
	signs = append(signs, fmt.Sprintf("columns: dimension %d", s.colDim))
	if s.form.text == noLoads {
		return signs
	}
	arrows := s.glyphs.right + s.glyphs.left
	if s.rowDim >= 0 {
		arrows += s.glyphs.down + s.glyphs.up
	}
	what := "load of the link that way"
	if s.form.text == levels {
		what = "load in ninths of E_max, rounded up"
	}
	return append(signs, arrows+" "+what, "* at E_max", "idle links are left out")
}

// panelLine says what the panels and their further lines are.
func (s *textDrawing) panelLine() string {
	line := fmt.Sprintf("panels: dimension%s", s.otherDims())
	if s.form.text == noLoads {
		return line
	}
	line += "; + and -: links to the next and the previous"
	if s.rowDim > 1 {
		line += ", lines in the order of the dimensions"
	}
	return line
}

// otherDims returns the numbers of the dimensions that panels do not show.
func (s *textDrawing) otherDims() string {
	if s.rowDim == 1 {
		return " 0"
	}
	return fmt.Sprintf("s 0 to %d", s.rowDim-1)
}

// wrapped joins items and starts a new line where the width is reached; an item that alone is too long is broken.
func (s *textDrawing) wrapped(items []string, separator string) string {
	var b strings.Builder
	length, gap := 0, utf8.RuneCountInString(separator)
	for _, item := range s.pieces(items) {
		n := utf8.RuneCountInString(item)
		switch {
		case length == 0:
		case length+gap+n > s.width:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteString(separator)
			length += gap
		}
		b.WriteString(item)
		length += n
	}
	return b.String() + "\n"
}

// pieces returns the items in printable characters, those longer than a line cut into lines.
func (s *textDrawing) pieces(items []string) []string {
	var list []string
	for _, item := range items {
		runes := []rune(s.printable(item))
		for len(runes) > s.width {
			list = append(list, string(runes[:s.width]))
			runes = runes[s.width:]
		}
		list = append(list, string(runes))
	}
	return list
}
