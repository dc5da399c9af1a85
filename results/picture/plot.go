package picture

import (
	"fmt"
	"math/big"
)

// Lengths of charts in pixels.
const (
	plotWidth  = 660
	plotHeight = 320
	plotLeft   = 64
	plotTop    = 76
	legendStep = 150 // between entries of the legend
	legendRow  = 4   // entries in a row of it
)

// A plot is a scene of a chart in the making.
type plot struct {
	scene
	chart Chart
	x, y  axis
}

// newPlot returns the whole scene.
func newPlot(c Chart) *plot {
	low, high, most := c.extent()
	p := &plot{chart: c, x: newAxis(float64(low), float64(high), plotWidth, 10), y: newAxis(0, most, plotHeight, 6)}
	rows := (len(c.Series) + legendRow) / legendRow // one entry more for open values
	p.width, p.height = plotLeft+plotWidth+border+8, plotTop+plotHeight+64+rows*22
	p.name, p.about = c.Title, c.description()
	p.dx, p.dy = 0, 0
	p.text(border, 30, "title", clipped(c.Title, 72, "…"))
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
	return p
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
	return p.x.at(float64(x)), plotHeight - p.y.at(v)
}

// frame writes the axes with their ticks and what they show.
func (p *plot) frame() {
	for _, v := range p.y.ticks() {
		y := plotHeight - p.y.at(v)
		p.line("grid", []subpath{{0, y, []heading{{plotWidth, 0}}}}, "")
		p.text(-10, y+4, "small muted end", tickText(v))
	}
	for _, v := range p.x.ticks() {
		x := p.x.at(v)
		p.line("axis", []subpath{{x, plotHeight, []heading{{0, 5}}}}, "")
		p.text(x, plotHeight+20, "small muted mid", tickText(v))
	}
	p.line("axis", []subpath{{0, plotHeight, []heading{{plotWidth, 0}}}}, "")
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
				p.line("gap", []subpath{{x, top, []heading{{0, bottom - top}}}}, "")
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
		p.link = v.Link
		p.marker(s.Kind, v.Open, "point", x, y, title)
		p.link = ""
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
			line.steps = append(line.steps, heading{x - atX, 0}, heading{0, y - atY})
		}
		atX, atY = x, y
	}
	if len(line.steps) > 0 {
		p.line("steps "+s.Kind.class(), []subpath{line}, "")
	}
}

// marker writes the shape of one value.
func (p *plot) marker(k SeriesKind, open bool, class string, x, y int, title string) {
	class += " " + k.class()
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
		p.area(class, []subpath{{x - 8, y + 6, []heading{{8, -14}, {8, 14}}}}, title)
	default:
		p.area(class, []subpath{{x - 8, y, []heading{{8, -8}, {8, 8}, {-8, 8}}}}, title)
	}
}

// legend names the series below the axis.
func (p *plot) legend() {
	entry := 0
	name := func(k SeriesKind, open bool, text string) {
		x := plotLeft + entry%legendRow*legendStep
		y := plotTop + plotHeight + 68 + entry/legendRow*22
		p.marker(k, open, "sample", x+5, y-4, "")
		p.text(x+18, y, "small", clipped(text, 22, "…"))
		entry++
	}
	open := false
	for _, s := range p.chart.Series {
		name(s.Kind, false, s.Name)
		for _, v := range s.Points {
			open = open || v.Open
		}
	}
	if open {
		name(Best, true, "open: may be too large")
	}
}
