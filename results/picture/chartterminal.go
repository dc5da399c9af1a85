package picture

import (
	"fmt"
	"io"
)

// chartRows is the height of charts in a terminal.
const chartRows = 18

// ChartTerminal writes a chart as text. Values of several series in one place show
// the first series; colours need c.Color. Errors as of ChartSVG.
func ChartTerminal(w io.Writer, c Chart) error {
	if err := c.check(); err != nil {
		return err
	}
	width := c.Width
	if width == 0 {
		width = 80
	}
	low, high, most := c.extent()
	const left = 9
	x, y := newAxis(float64(low), float64(high), width-left-2, 8), newAxis(0, most, chartRows-1, 5)
	var text canvas
	text.put(0, 0, clipped(c.Title, width, "..."), c.code("1"))
	text.put(0, 1, clipped(c.About, width, "..."), c.code("2"))
	text.put(0, 2, c.Y, c.code("2"))
	top := 3
	for _, v := range y.ticks() {
		row := top + chartRows - 1 - y.at(v)
		text.put(0, row, fmt.Sprintf("%7s", tickText(v)), "")
		text.put(left-1, row, "|", c.code("2"))
	}
	for i := len(c.Series) - 1; i >= 0; i-- {
		for _, p := range c.Series[i].Points {
			v, _ := p.Y.Float64()
			text.put(left+x.at(float64(p.X)), top+chartRows-1-y.at(v), c.sign(c.Series[i].Kind, p.Open),
				c.code(seriesCodes[c.Series[i].Kind]))
		}
	}
	c.below(&text, x, left, top+chartRows)
	_, err := io.WriteString(w, text.String())
	return err
}

// seriesCodes are the ANSI colours of the kinds.
var seriesCodes = [...]string{"1;36", "90", "33", "35", "32"}

// below puts the axis and the legend.
func (c Chart) below(text *canvas, x axis, left, row int) {
	for _, v := range x.ticks() {
		if label := tickText(v); left+x.at(v)+len(label) <= left+x.length+2 {
			text.put(left+x.at(v), row, label, "")
		}
	}
	text.put(left, row+1, c.X, c.code("2"))
	at, open := left, false
	for _, s := range c.Series {
		entry := c.sign(s.Kind, false) + " " + s.Name
		if at+len(entry) > left+x.length && at > left {
			row, at = row+1, left
		}
		text.put(at, row+2, entry, c.code(seriesCodes[s.Kind]))
		at += len(entry) + 3
		for _, p := range s.Points {
			open = open || p.Open
		}
	}
	if open {
		text.put(left, row+3, c.sign(Best, true)+" open: may be too large", c.code(seriesCodes[Best]))
	}
}

// sign returns the character of a value.
func (c Chart) sign(k SeriesKind, open bool) string {
	signs := [...]string{"●", "─", "■", "▲", "◆", "○"}
	if c.ASCII {
		signs = [...]string{"*", "-", "#", "^", "x", "o"}
	}
	if open && k == Best {
		return signs[len(signs)-1]
	}
	return signs[k]
}

// code returns the ANSI code of a colour, "" without colours.
func (c Chart) code(code string) string {
	if c.Color {
		return code
	}
	return ""
}
