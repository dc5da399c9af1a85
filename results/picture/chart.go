package picture

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"leeway/core"
)

// A Chart is a plot of exact values over whole numbers: E_max against the number of processors, or the best value
// against the evaluations of a search. In SVG every value is an element of class "point" with its exact value in the
// title; in a terminal values of several series in one place show the first series.
type Chart struct {
	Title  string
	About  string // a line below the title
	X, Y   string // what the axes show
	Series []Series

	Color bool // terminal: ANSI colours
	ASCII bool // terminal: no characters beyond ASCII
	Width int  // terminal: columns, 0 for 80
}

// A Series is a row of points of one kind, ascending by X.
type Series struct {
	Name   string
	Kind   SeriesKind
	Points []Point
}

// A Point is one value.
type Point struct {
	X    int64
	Y    *big.Rat
	Note string // "" or what stands behind the value in its title
	Open bool   // the value may be too large: its marker is hollow
}

// A SeriesKind says how a series is drawn. The kinds differ in shape as well as in colour.
type SeriesKind uint8

// The kinds of series.
const (
	Best   SeriesKind = iota // discs
	Bound                    // a line in steps: a value holds until the next
	First                    // squares: the first family of placements, and so on
	Second                   // triangles
	Third                    // diamonds
)

// kinds are the ways in which the kinds of series appear: the class of their shapes in SVG; in a terminal their sign,
// in Unicode and ASCII, and ANSI colour.
var kinds = [...]struct{ class, sign, ascii, code string }{
	Best:   {"best", "●", "*", "1;36"},
	Bound:  {"bound", "─", "-", "90"},
	First:  {"first", "■", "#", "33"},
	Second: {"second", "▲", "^", "35"},
	Third:  {"third", "◆", "x", "32"},
}

// maxPoints is the most points of all series together; more are refused.
const maxPoints = 100_000

// check returns nil if the chart can be drawn, otherwise an *core.InputError.
func (c Chart) check() error {
	count := 0
	for _, s := range c.Series {
		count += len(s.Points)
		if s.Kind > Third {
			return core.Invalid(s.Name, "unknown kind of series")
		}
		for i, p := range s.Points {
			if p.Y == nil || p.X < 0 || p.Y.Sign() < 0 {
				return core.Invalid(s.Name, "point %d has no value of at least 0", i+1)
			}
			if i > 0 && p.X < s.Points[i-1].X {
				return core.Invalid(s.Name, "point %d lies before the last", i+1)
			}
		}
	}
	switch {
	case count == 0:
		return core.Invalid("chart", "there is nothing to draw")
	case count > maxPoints:
		return core.Invalid("chart", "it has %d points; charts are limited to %d", count,
			maxPoints)
	}
	return checkWidth(c.Width)
}

// An axis maps values to places between 0 and length.
type axis struct {
	low, high float64
	step      float64 // between ticks
	length    int
}

// newAxis returns an axis over the values from low to high, rounded outwards to ticks, of which there are about the
// given number.
func newAxis(low, high float64, length, ticks int) axis {
	if high <= low {
		high = low + 1
	}
	rough := (high - low) / float64(ticks)
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, m := range []float64{1, 2, 5, 10} {
		if step*m >= rough {
			step *= m
			break
		}
	}
	return axis{low: math.Floor(low/step) * step, high: math.Ceil(high/step) * step, step: step, length: length}
}

// place returns the place of a value.
func (a axis) place(v float64) int {
	return int(math.Round((v - a.low) / (a.high - a.low) * float64(a.length)))
}

// ticks returns the values that are written beside the axis.
func (a axis) ticks() []float64 {
	var list []float64
	for i := 0; a.low+float64(i)*a.step <= a.high+a.step/2; i++ {
		list = append(list, a.low+float64(i)*a.step)
	}
	return list
}

// extent returns the least and largest X and the largest Y of all points.
func (c Chart) extent() (low, high int64, most float64) {
	low = math.MaxInt64
	for _, s := range c.Series {
		for _, p := range s.Points {
			low, high = min(low, p.X), max(high, p.X)
			y, _ := p.Y.Float64()
			most = max(most, y)
		}
	}
	return low, high, most
}

// tickText returns a tick without digits of no use.
func tickText(v float64) string {
	switch {
	case v >= 1e6 && math.Mod(v, 1e5) == 0:
		return fmt.Sprintf("%gM", v/1e6)
	case v >= 1e4 && math.Mod(v, 1e3) == 0:
		return fmt.Sprintf("%gk", v/1e3)
	}
	return fmt.Sprintf("%.6g", v)
}

// Lengths of charts in pixels.
const (
	plotWidth   = 660
	plotHeight  = 320
	plotLeft    = 64
	plotTop     = 76
	legendWidth = 600
)

// legendRow returns how many entries a row of the legend has: four short names, or two.
func (c Chart) legendRow() int {
	if slices.ContainsFunc(c.Series, func(s Series) bool { return utf8.RuneCountInString(s.Name) > 18 }) {
		return 2
	}
	return 4
}

// A plot is a scene of a chart in the making.
type plot struct {
	scene
	chart Chart
	x, y  axis
}

func (c Chart) asScene() *scene {
	low, high, most := c.extent()
	p := &plot{chart: c,
		x: newAxis(float64(low), float64(high), plotWidth, 10), y: newAxis(0, most, plotHeight, 6)}
	rows := (len(c.Series) + c.legendRow()) / c.legendRow() // one entry more for open values
	p.width, p.height = plotLeft+plotWidth+border+8, plotTop+plotHeight+64+rows*22
	p.name, p.about = c.Title, c.description()
	p.text(border, 30, "title", clipped(c.Title, 64, "…"))
	p.text(border, 52, "muted", clipped(c.About, 110, "…"))
	p.dx, p.dy = plotLeft, plotTop
	p.frame()
	p.gaps()
	// The best values come last and so lie on top.
	for i := len(c.Series) - 1; i >= 0; i-- {
		p.series(c.Series[i])
	}
	p.dx, p.dy = 0, 0
	p.legend()
	return &p.scene
}

// description says in words what the chart shows.
func (c Chart) description() string {
	text := fmt.Sprintf("Chart of %s against %s.", c.Y, c.X)
	for _, s := range c.Series {
		if n := len(s.Points); n > 0 {
			first, last := s.Points[0], s.Points[n-1]
			text += fmt.Sprintf(" %s: %d values, from %s at %d to %s at %d.", s.Name, n, first.Y.RatString(), first.X,
				last.Y.RatString(), last.X)
		}
	}
	return text
}

// place returns where a value lies.
func (p *plot) place(x int64, y *big.Rat) (int, int) {
	v, _ := y.Float64()
	return p.x.place(float64(x)), plotHeight - p.y.place(v)
}

// frame writes the axes with their ticks and what they show.
func (p *plot) frame() {
	for _, v := range p.y.ticks() {
		y := plotHeight - p.y.place(v)
		p.line("grid", []subpath{{0, y, []vec{{plotWidth, 0}}}}, "")
		p.text(-10, y+4, "small muted end", tickText(v))
	}
	for _, v := range p.x.ticks() {
		x := p.x.place(v)
		p.line("axis", []subpath{{x, plotHeight, []vec{{0, 5}}}}, "")
		p.text(x, plotHeight+20, "small muted mid", tickText(v))
	}
	p.line("axis", []subpath{{0, plotHeight, []vec{{plotWidth, 0}}}}, "")
	p.text(plotWidth/2, plotHeight+42, "small muted mid", p.chart.X)
	p.turnedText(-46, plotHeight/2, "small muted mid", p.chart.Y)
}

// gaps joins open values and the bounds below them.
func (p *plot) gaps() {
	bounds := map[int64]*big.Rat{}
	for _, s := range p.chart.Series {
		for _, v := range s.Points {
			if s.Kind == Bound {
				bounds[v.X] = v.Y
			}
		}
	}
	for _, s := range p.chart.Series {
		for _, v := range s.Points {
			if b := bounds[v.X]; v.Open && b != nil {
				x, top := p.place(v.X, v.Y)
				_, bottom := p.place(v.X, b)
				p.line("gap", []subpath{{x, top, []vec{{0, bottom - top}}}}, "")
			}
		}
	}
}

// series writes the points of a series.
func (p *plot) series(s Series) {
	if s.Kind == Bound {
		p.steps(s)
	}
	for _, v := range s.Points {
		x, y := p.place(v.X, v.Y)
		title := fmt.Sprintf("%s at %d: %s", s.Name, v.X, v.Y.RatString())
		if v.Note != "" {
			title += ", " + v.Note
		}
		p.marker(s.Kind, v.Open, "point", x, y, title)
	}
}

// steps writes the line of a series: a value holds until the next.
func (p *plot) steps(s Series) {
	var line subpath
	atX, atY := 0, 0
	for i, v := range s.Points {
		x, y := p.place(v.X, v.Y)
		if i == 0 {
			line = subpath{x: x, y: y}
		} else {
			line.steps = append(line.steps, vec{x - atX, 0}, vec{0, y - atY})
		}
		atX, atY = x, y
	}
	if len(line.steps) > 0 {
		p.line("steps "+kinds[s.Kind].class, []subpath{line}, "")
	}
}

// marker writes the shape of one value.
func (p *plot) marker(k SeriesKind, open bool, class string, x, y int, title string) {
	class += " " + kinds[k].class
	if open {
		class += " open"
	}
	switch k {
	case Best:
		p.circle(class, x, y, 4.5, title)
	case Bound:
		p.rect(class, x-4, y-2, 8, 3, 0, title)
	case First:
		p.rect(class, x-6, y-6, 12, 12, 0, title)
	case Second:
		p.area(class, []subpath{{x - 8, y + 6, []vec{{8, -14}, {8, 14}}}}, title)
	default:
		p.area(class, []subpath{{x - 8, y, []vec{{8, -8}, {8, 8}, {-8, 8}}}}, title)
	}
}

// legend names the series below the axis.
func (p *plot) legend() {
	entry, row := 0, p.chart.legendRow()
	name := func(k SeriesKind, open bool, text string) {
		x := plotLeft + entry%row*legendWidth/row
		y := plotTop + plotHeight + 68 + entry/row*22
		p.marker(k, open, "sample", x+5, y-4, "")
		p.text(x+18, y, "small", clipped(text, 38, "…"))
		entry++
	}
	for _, s := range p.chart.Series {
		name(s.Kind, false, s.Name)
	}
	if p.chart.someOpen() {
		name(Best, true, "open: may be too large")
	}
}

// chartRows is the height of charts in a terminal.
const chartRows = 18

func (c Chart) asText() string {
	width := cmp.Or(c.Width, defaultWidth)
	low, high, most := c.extent()
	const left = 9
	x, y := newAxis(float64(low), float64(high), width-left-2, 8), newAxis(0, most, chartRows-1, 5)
	text := canvas{color: c.Color}
	text.put(0, 0, clipped(c.Title, width, "..."), "1")
	text.put(0, 1, clipped(c.About, width, "..."), "2")
	text.put(0, 2, c.Y, "2")
	top := 3
	for _, v := range y.ticks() {
		row := top + chartRows - 1 - y.place(v)
		text.put(0, row, fmt.Sprintf("%7s", tickText(v)), "")
		text.put(left-1, row, "|", "2")
	}
	place := func(p Point) (column, row int) {
		v, _ := p.Y.Float64()
		return left + x.place(float64(p.X)), top + chartRows - 1 - y.place(v)
	}
	for _, s := range slices.Backward(c.Series) {
		if s.Kind == Bound {
			c.stepsAsText(&text, s, place)
		}
	}
	for _, s := range slices.Backward(c.Series) {
		for _, p := range s.Points {
			column, row := place(p)
			text.put(column, row, c.sign(s.Kind, p.Open), kinds[s.Kind].code)
		}
	}
	c.drawAxis(&text, x, left, top+chartRows)
	return text.String()
}

// stepsAsText puts the line of a series: along each value to the next one, then up or down to it.
func (c Chart) stepsAsText(text *canvas, s Series, place func(Point) (column, row int)) {
	along, across, code := "─", "│", kinds[s.Kind].code
	if c.ASCII {
		along, across = "-", "|"
	}
	for i := 1; i < len(s.Points); i++ {
		from, row := place(s.Points[i-1])
		to, next := place(s.Points[i])
		for column := from + 1; column < to; column++ {
			text.put(column, row, along, code)
		}
		for between := min(row, next); between < max(row, next); between++ {
			text.put(to, between, across, code)
		}
	}
}

// drawAxis puts the axis and the legend.
func (c Chart) drawAxis(text *canvas, x axis, left, row int) {
	for _, v := range x.ticks() {
		if label := tickText(v); left+x.place(v)+len(label) <= left+x.length+2 {
			text.put(left+x.place(v), row, label, "")
		}
	}
	text.put(left, row+1, c.X, "2")
	at := left
	for _, s := range c.Series {
		entry := c.sign(s.Kind, false) + " " + s.Name
		if at+len(entry) > left+x.length && at > left {
			row, at = row+1, left
		}
		text.put(at, row+2, entry, kinds[s.Kind].code)
		at += len(entry) + 3
	}
	if c.someOpen() {
		text.put(left, row+3, c.sign(Best, true)+" open: may be too large", kinds[Best].code)
	}
}

// sign returns the character of a value.
func (c Chart) sign(k SeriesKind, open bool) string {
	switch {
	case open && k == Best && c.ASCII:
		return "o"
	case open && k == Best:
		return "○"
	case c.ASCII:
		return kinds[k].ascii
	}
	return kinds[k].sign
}

// someOpen reports whether some value may be too large.
func (c Chart) someOpen() bool {
	return slices.ContainsFunc(c.Series, func(s Series) bool {
		return slices.ContainsFunc(s.Points, func(p Point) bool { return p.Open })
	})
}
