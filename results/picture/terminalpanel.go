package picture

import "fmt"

// panelGap is the number of blank columns between panels.
const panelGap = 3

// body returns all panels, side by side where they fit.
func (s *sketch) body() string {
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

// panelsPerLine returns the largest of the good numbers of panels side by side
// that fits.
func (s *sketch) panelsPerLine(width int) int {
	best := 1
	for _, n := range s.rowLengths() {
		if n*(width+panelGap)-panelGap-1 <= s.width {
			best = n
		}
	}
	return best
}

// panel puts one panel, broken into parts where it is too wide.
func (s *sketch) panel(c *canvas, panel, x, y int) {
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
func (s *sketch) part(c *canvas, panel, from, to, x, y int) int {
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

// numberEvery returns at which multiples columns are numbered, so that the
// numbers do not touch.
func (s *sketch) numberEvery() int {
	need := len(fmt.Sprint(s.cols-1)) + 1
	for _, every := range []int{1, 2, 5, 10} {
		if every*s.form.width >= need {
			return every
		}
	}
	return 20
}
