package picture

import (
	"fmt"
	"io"
	"math"
	"math/big"

	"leeway/core"
)

// A Chart is a plot of exact values over whole numbers: E_max against the number of
// processors, or the best value against the evaluations of a search.
type Chart struct {
	Title    string
	About    string // a line below the title
	X, Y     string // what the axes show
	Series   []Series
	Theme    Theme
	Embedded bool // SVG: leave out the style sheet, since the page around has StyleSheet

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
	Link string // "" or the page about it, in SVG
}

// A SeriesKind says how a series is drawn. The kinds differ in shape as well as in
// colour.
type SeriesKind uint8

// The kinds of series.
const (
	Best   SeriesKind = iota // discs
	Bound                    // a line in steps
	First                    // squares: the first family of placements, and so on
	Second                   // triangles
	Third                    // diamonds
)

// class returns the class of the shapes of a kind.
func (k SeriesKind) class() string {
	return [...]string{"best", "bound", "first", "second", "third"}[k]
}

// maxPoints is the most points of all series together; more are refused.
const maxPoints = 100_000

// check returns nil if the chart can be drawn, otherwise an *core.InputError.
func (c Chart) check() error {
	count := 0
	for _, s := range c.Series {
		count += len(s.Points)
		if s.Kind > Third {
			return &core.InputError{Text: s.Name, Problem: "unknown kind of series"}
		}
		for i, p := range s.Points {
			if p.Y == nil || p.X < 0 || p.Y.Sign() < 0 {
				return &core.InputError{Text: s.Name, Problem: fmt.Sprintf("point %d has no value of at least 0", i+1)}
			}
			if i > 0 && p.X < s.Points[i-1].X {
				return &core.InputError{Text: s.Name, Problem: fmt.Sprintf("point %d lies before the last", i+1)}
			}
		}
	}
	switch {
	case count == 0:
		return &core.InputError{Text: "chart", Problem: "there is nothing to draw"}
	case count > maxPoints:
		return &core.InputError{Text: "chart", Problem: fmt.Sprintf("it has %d points; charts are limited to %d", count,
			maxPoints)}
	case c.Theme > Dark:
		return &core.InputError{Text: fmt.Sprint(c.Theme), Problem: "unknown theme", Hint: "themes are auto, light and dark"}
	case c.Width != 0 && c.Width < minWidth:
		return &core.InputError{Text: fmt.Sprint(c.Width), Problem: fmt.Sprintf("a picture needs at least %d columns",
			minWidth)}
	}
	return nil
}

// ChartSVG writes a chart as one SVG document. Every value is an element of class
// "point" with its exact value in the title. Errors as of SVG.
func ChartSVG(w io.Writer, c Chart) error {
	if err := c.check(); err != nil {
		return err
	}
	_, err := w.Write(newPlot(c).svg(c.Theme, c.Embedded))
	return err
}

// ChartPNG writes the chart as pixels, two by two for each unit of the SVG.
func ChartPNG(w io.Writer, c Chart) error {
	if err := c.check(); err != nil {
		return err
	}
	return newPlot(c).writePNG(w, c.Theme)
}

// An axis maps values to places between 0 and length.
type axis struct {
	low, high float64
	step      float64 // between ticks
	length    int
}

// newAxis returns an axis over the values from low to high, rounded outwards to
// ticks, of which there are about the given number.
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

// at returns the place of a value.
func (a axis) at(v float64) int {
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
