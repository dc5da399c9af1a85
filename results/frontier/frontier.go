// Package frontier turns what an atlas knows into charts: E_max against the number of processors for a torus and a
// routing.
package frontier

import (
	"fmt"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/core/words"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/picture"
)

// Chart returns the chart of E_max against the number of processors for cells of one torus and routing, ascending by
// size. The error is an *core.InputError where no cell has a value.
func Chart(cells []atlas.Cell) (picture.Chart, error) {
	best := picture.Series{Name: "best known", Kind: picture.Best}
	lower := picture.Series{Name: "lower bound", Kind: picture.Bound}
	families := map[string]*picture.Series{}
	open := 0
	for _, c := range cells {
		if c.Fault != "" {
			continue
		}
		x := int64(c.Size)
		if v := value(c.LowerBound); v != nil {
			lower.Points = append(lower.Points, picture.Point{X: x, Y: v, Note: c.BoundReason})
		}
		if v := value(c.MaxLoad); v != nil {
			p := picture.Point{X: x, Y: v, Note: c.Status, Open: c.Status != atlas.Optimal}
			if p.Open {
				open++
			}
			best.Points = append(best.Points, p)
		}
		for _, f := range c.Families {
			addFamily(families, f, x)
		}
	}
	if len(best.Points)+len(lower.Points) == 0 {
		return picture.Chart{}, core.Invalid(subject(cells), "no cell has a value").Hinted("leeway atlas lists the cells")
	}
	chart := picture.Chart{X: axis(cells[0]), Y: "E_max", Series: []picture.Series{best, lower}}
	for _, name := range familyNames {
		if s := families[name]; s != nil {
			chart.Series = append(chart.Series, *s)
		}
	}
	chart.Title = "E_max on " + subject(cells)
	chart.About = replies(cells[0]) + fmt.Sprintf("%s, %d proved optimal, %d open", core.Count(len(best.Points), "size"),
		len(best.Points)-open, open)
	return chart, nil
}

// axis returns what a chart counts along its lower side.
func axis(c atlas.Cell) string {
	if c.Traffic != "" {
		return "controllers n"
	}
	return "processors n"
}

// where returns network, traffic and conditions of a cell in named, but for the routing of the replies, which would
// make a title too long.
func where(c atlas.Cell) string {
	c.ReplyRouting = ""
	return picture.Shown(c.Where())
}

// replies says what where leaves out.
func replies(c atlas.Cell) string {
	if c.ReplyRouting == "" {
		return ""
	}
	return "replies by " + named(c, c.ReplyRouting) + "; "
}

// words returns a routing of a cell as captions name it.
func named(c atlas.Cell, text string) string {
	t, err := c.ReadGrid()
	if err != nil {
		return text
	}
	return words.Routing(t, text)
}

// subject says what a chart is about.
func subject(cells []atlas.Cell) string {
	if len(cells) == 0 {
		return "no cells"
	}
	return where(cells[0]) + " under " + named(cells[0], cells[0].Routing)
}

// familyNames are the families with a series, in the order of the legend.
var familyNames = []string{"linear", "multilinear", "spaced"}

// addFamily adds a placement with a name to the series of its family. Of several of one size the least stays.
func addFamily(series map[string]*picture.Series, f atlas.Family, x int64) {
	name, _, _ := strings.Cut(f.Placement, ":")
	v := value(f.MaxLoad)
	for i, known := range familyNames {
		if name != known || v == nil {
			continue
		}
		s := series[name]
		if s == nil {
			s = &picture.Series{Name: name, Kind: picture.First + picture.SeriesKind(i)}
			series[name] = s
		}
		p := picture.Point{X: x, Y: v, Note: f.Placement}
		if n := len(s.Points); n == 0 || s.Points[n-1].X != x {
			s.Points = append(s.Points, p)
		} else if v.Cmp(s.Points[n-1].Y) < 0 {
			s.Points[n-1] = p
		}
	}
}

// value reads a fraction, nil for "".
func value(text string) *big.Rat {
	v, err := results.ParseFraction(text)
	if err != nil {
		return nil
	}
	return v
}
