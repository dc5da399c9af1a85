package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"leeway/core"
)

func (p Params) asText() string {
	s := newTextDrawing(p)
	body := s.body
	if !s.torus.HasDimensions() {
		body = s.listing
	}
	text := s.heading() + body() + "\n" + s.legend()
	if p.Phase != nil {
		text += "\n" + p.Phase.list(s.glyphs.right)
	}
	return text
}

// A textDrawing is a picture for a terminal in the making.
type textDrawing struct {
	slicing
	params     Params
	scale      scale
	processors core.Set
	glyphs     glyphs
	width      int
	labels     int // width of the row numbers
	mark       int // width of what stands for a node, 0 where its tasks do not fit
	least      int // bandwidth
	form       cellForm
	remark     string
}

// glyphs are the characters for nodes and arrows and those between words.
type glyphs struct{ processor, node, fixed, forbidden, right, left, down, up, ellipsis, separator string }

var (
	unicodeGlyphs = glyphs{"■", "·", "◆", "×", "→", "←", "↓", "↑", "…", " · "}
	asciiGlyphs   = glyphs{"#", ".", "@", "x", ">", "<", "v", "^", "...", " | "}
)

// widened are the arrows of links of more than the least bandwidth; ASCII has none.
var widened = strings.NewReplacer("→", "⇒", "←", "⇐", "↓", "⇓", "↑", "⇑")

// arrows returns the arrows of links along dim, if it is to the right or down.
func (s *textDrawing) arrows(dim int) (out, back string) {
	if out, back = s.glyphs.right, s.glyphs.left; dim == s.rowDim {
		out, back = s.glyphs.down, s.glyphs.up
	}
	if s.torus.Bandwidth(dim) > s.least {
		return widened.Replace(out), widened.Replace(back)
	}
	return out, back
}

// ansiCodes are 256-colour codes from light to heavy load, which can be read on light and dark backgrounds.
var ansiCodes = [8]string{"38;5;67", "38;5;68", "38;5;104", "38;5;134", "38;5;168", "38;5;167", "38;5;202", "38;5;196"}

const defaultWidth = 80

func newTextDrawing(p Params) *textDrawing {
	s := &textDrawing{slicing: newSlicing(p.Placement.Torus()), params: p, scale: newScale(p.Loads),
		processors: p.Placement.Set(), glyphs: unicodeGlyphs,
		width: cmp.Or(p.Width, defaultWidth)}
	values, _ := bandwidths(s.torus)
	s.least = values[0]
	if p.ASCII {
		s.glyphs = asciiGlyphs
	}
	if s.rowDim >= 0 {
		s.labels = len(fmt.Sprint(s.rows-1)) + 1
	}
	s.mark = 1
	for v := range s.torus.N() {
		label, _ := p.labelOn(v)
		s.mark = max(s.mark, len(label))
	}
	if s.form.text = exact; s.torus.HasDimensions() {
		s.chooseForm()
	}
	return s
}

// chooseForm takes the most telling form of cells that fits.
func (s *textDrawing) chooseForm() {
	for _, text := range []loadText{exact, levels} {
		if s.params.measured().counts && text == levels {
			break
		}
		load := 1
		if text == exact {
			load = s.scale.longest()
		}
		for _, stacked := range []bool{false, true} {
			f := newCellForm(s.slicing, text, stacked, load)
			if f.width += s.mark - 1; s.take(f) {
				return
			}
		}
		s.remark = fmt.Sprintf("Exact loads do not fit into %d columns: ninths of E_max are shown instead.", s.width)
	}
	s.remark = fmt.Sprintf("Loads do not fit into %d columns: only the placement is shown.", s.width)
	s.form = cellForm{width: s.mark + 1, height: 1}
	if s.columns() < s.cols {
		s.form.width, s.mark = 1, 0
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

// heading returns the title line, "" without a title.
func (s *textDrawing) heading() string {
	if s.params.Title == "" {
		return ""
	}
	return clipped(s.printable(s.params.Title), s.width, s.glyphs.ellipsis) + "\n\n"
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
	c := &canvas{color: s.params.Color}
	width := s.labels + s.cols*s.form.width
	perRow := 1
	for _, n := range s.rowLengths() {
		if n*(width+panelGap)-panelGap-1 <= s.width {
			perRow = n
		}
	}
	for panel := 0; panel < s.panels; panel += perRow {
		y := len(c.rows)
		for i := range min(perRow, s.panels-panel) {
			s.panel(c, panel+i, i*(width+panelGap), y)
		}
	}
	return c.String()
}

// panel puts one panel, broken into parts where it is too wide.
func (s *textDrawing) panel(c *canvas, panel, x, y int) {
	if s.panels > 1 {
		if y > 0 {
			y++ // a blank line between panels
		}
		c.put(x+s.labels, y, s.label(panel), "1")
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
			c.put(x+s.labels+(col-from)*s.form.width, y, number, "2")
		}
	}
	y++
	for row := range s.rows {
		if s.rowDim >= 0 {
			c.put(x, y, fmt.Sprintf("%*d", s.labels-1, row), "2")
		}
		for col := from; col < to; col++ {
			s.cell(c, s.node(panel, row, col), x+s.labels+(col-from)*s.form.width, y)
		}
		y += s.form.height
	}
	if s.shifts(s.rowDim) { // below each column the node that its last link leads to
		put := false
		for col := from; col < to; col++ {
			next := s.torus.Shift(s.node(panel, s.rows-1, col), s.rowDim, 1)
			if name := core.JoinInts(s.torus.Coords(next), ","); len(name) < s.form.width {
				c.put(x+s.labels+(col-from)*s.form.width, y, name, "2")
				put = true
			}
		}
		if put {
			y++
		}
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
	slot    int // width of an arrow, a load and the star of the maximum
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
	f := cellForm{text: text, stacked: stacked, slot: 1 + load + 1}
	f.width, f.height = 2+2*f.slot, s.torus.D()
	if stacked {
		f.width, f.height = 2+f.slot, 2*s.torus.D()
	}
	return f
}

// cell puts a node and its links at x, y: those to and from the next node to the right and below, and those that
// leave it for other panels.
func (s *textDrawing) cell(c *canvas, node, x, y int) {
	sign, code := s.sign(node)
	c.put(x, y, sign, code)
	if s.form.text == noLoads {
		return
	}
	put := func(l core.Link, line int, back bool, arrow string) {
		atX, atY := x, y+line
		if line == 0 {
			atX += s.mark // right of the node
		}
		switch {
		case s.form.stacked && back:
			atY += line + 1
		case s.form.stacked:
			atY += line
		case back:
			atX += s.form.slot
		}
		s.load(c, l, atX, atY, arrow)
	}
	pair := func(dim, line int) {
		out, back := s.arrows(dim)
		if step, ok := s.step(node, dim); ok {
			put(step.out, line, false, out)
			put(step.back, line, true, back)
		}
	}
	pair(s.colDim, 0)
	if s.rowDim >= 0 {
		pair(s.rowDim, 1)
	}
	for _, l := range s.hiddenLinks(node) {
		_, port := s.torus.LinkFrom(l)
		put(l, port.Dim+2, port.Dir == core.Minus, port.Dir.String())
	}
}

// sign returns what stands for a node, and the ANSI code for it.
func (s *textDrawing) sign(node int) (sign, code string) {
	label, _ := s.params.labelOn(node)
	switch {
	case label != "" && len(label) <= s.mark:
		return label, "1"
	case s.params.fixed(node):
		return s.glyphs.fixed, "1"
	case s.processors.Has(node):
		return s.glyphs.processor, "1"
	case s.params.forbidden(node):
		return s.glyphs.forbidden, ""
	}
	return s.glyphs.node, ""
}

// load puts an arrow and the load of a link, with a star at E_max; nothing for an idle link, so that the busy ones
// can be seen.
func (s *textDrawing) load(c *canvas, l core.Link, x, y int, arrow string) {
	color := s.scale.level(l, int64(len(ansiCodes)))
	if color == 0 {
		return
	}
	text := arrow + s.scale.text(l)
	if s.form.text == levels {
		text = arrow + fmt.Sprint(s.scale.level(l, levelCount))
	}
	code := ansiCodes[color-1]
	if s.scale.atMax(l) {
		text, code = text+"*", "1;"+code
	}
	c.put(x, y, text, code)
}

// A canvas is text in the making: every place holds a character and the ANSI code that colours it.
type canvas struct {
	rows  [][]spot
	color bool // without it codes are ignored
}

type spot struct {
	char rune
	code string // "" for none
}

// put writes text at a place, growing the canvas as needed.
func (c *canvas) put(x, y int, text, code string) {
	if !c.color {
		code = ""
	}
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
		for _, s := range append(slices.Clip(row), spot{char: '\n'}) {
			if code != "" && s.code != code {
				b.WriteString("\x1b[0m")
			}
			if s.code != "" && s.code != code {
				b.WriteString("\x1b[" + s.code + "m")
			}
			code = s.code
			b.WriteRune(s.char)
		}
	}
	return b.String()
}

// legend returns the facts and what the signs mean, within the width.
func (s *textDrawing) legend() string {
	text := s.wrapped(s.params.facts(), s.glyphs.separator)
	if s.remark != "" {
		text += s.wrapped(strings.Fields(s.remark), " ")
	}
	text += s.wrapped(s.signs(), "   ")
	for _, line := range s.shiftLines() {
		text += s.wrapped(strings.Fields(line), " ")
	}
	if s.panels > 1 {
		text += s.wrapped(strings.Fields(s.panelLine()), " ")
	}
	return text
}

// signs returns the meaning of every sign that the picture uses.
func (s *textDrawing) signs() []string {
	processor := s.glyphs.processor + " " + s.params.noun()
	switch {
	case s.mark > 0 && s.params.Placement.Tasks() != nil:
		processor = "0 task 0, 0+ with others on the node"
	case s.params.Phase != nil:
		processor += ", or how many blocks wait at a node for others"
	}
	signs := []string{processor, s.glyphs.node + " other node"}
	if s.params.Fixed.Count() > 0 {
		signs = append(signs, s.glyphs.fixed+" fixed "+s.params.noun())
	}
	if s.params.Forbidden.Count() > 0 {
		signs = append(signs, s.glyphs.forbidden+" forbidden node")
	}
	if s.colDim >= 0 {
		signs = append(signs, fmt.Sprintf("horizontal (x): dimension %d", s.colDim))
	}
	if s.rowDim >= 0 {
		signs = append(signs, fmt.Sprintf("vertical (y): dimension %d", s.rowDim))
	}
	if s.form.text == noLoads {
		return signs
	}
	arrows := s.glyphs.right
	if s.colDim >= 0 {
		out, back := s.arrows(s.colDim)
		arrows = out + back
	}
	if s.rowDim >= 0 {
		out, back := s.arrows(s.rowDim)
		arrows += out + back
	}
	measure := s.params.measured()
	what := measure.arrow
	if s.form.text == levels {
		what = "load in ninths of E_max, rounded up"
	}
	signs = append(signs, arrows+" "+what)
	if values, dims := bandwidths(s.torus); len(values) > 1 && s.colDim >= 0 {
		for _, b := range values {
			signs = append(signs, fmt.Sprintf("bandwidth %d along dimension %s", b, core.JoinInts(dims[b], ", ")))
		}
	}
	return append(signs, "* "+strings.TrimPrefix(measure.most, "link "), measure.left)
}

// panelLine says what the panels and their further lines are.
func (s *textDrawing) panelLine() string {
	line := "panels: " + s.others()
	if s.form.text != noLoads {
		line += "; + and -: links to the next and the previous"
		if s.rowDim > 1 {
			line += ", lines in the order of the dimensions"
		}
	}
	return line
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
