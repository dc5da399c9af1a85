package web

import (
	"cmp"
	"context"
	"html/template"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/picture"
)

// A drawing is a placement as the script of pictures reads it, in a page.
type drawing struct {
	About     string `json:"about"` // for those who do not see it
	Sides     []int  `json:"sides"`
	Open      []int  `json:"open,omitempty"`
	Bandwidth []int  `json:"bandwidth,omitempty"` // by dimension, none where all are the same
	Noun      string `json:"noun"`                // what a processor is called
	Nodes     []int  `json:"nodes"`
	Fixed     []int  `json:"fixed,omitempty"`
	Forbidden []int  `json:"forbidden,omitempty"`
	// Values are the loads that occur, ascending, and Loads which of them a link carries, by its number, -1 for none such.
	// Without them nodes alone are drawn.
	Values []string `json:"values,omitempty"`
	Loads  []int    `json:"loads,omitempty"`
	Most   string   `json:"most,omitempty"` // the load with the last colour, where that is not the largest
}

// sketch returns the drawing of a placement without its loads.
func sketch(p core.Placement) drawing {
	t := p.Torus()
	d := drawing{Sides: t.Dims(), Noun: "processor", Nodes: p.Nodes(),
		About: picture.Processors(p.Size(), false) + " on the " + picture.NetworkName(t)}
	for j := range t.D() {
		if t.Open(j) {
			d.Open = append(d.Open, j)
		}
		d.Bandwidth = append(d.Bandwidth, t.Bandwidth(j))
	}
	if slices.Max(d.Bandwidth) == slices.Min(d.Bandwidth) {
		d.Bandwidth = nil
	}
	return d
}

// drawingOf returns the drawing of a placement with its loads and the conditions of a problem.
func drawingOf(problem objective.Problem, p core.Placement, loads *objective.Loads) drawing {
	d, t := sketch(p), p.Torus()
	if problem.Traffic.Clients() {
		d.Noun = "controller"
		d.About = picture.Processors(p.Size(), true) + " on the " + picture.NetworkName(t)
	}
	if problem.Fixed != nil {
		d.Fixed = problem.Fixed.Nodes()
	}
	if problem.Forbidden != nil {
		d.Forbidden = problem.Forbidden.Nodes()
	}
	byText := map[string]*big.Rat{"0": new(big.Rat)}
	texts := make([]string, t.M())
	for l := range t.M() {
		if t.HasLink(core.Link(l)) {
			v := loads.At(core.Link(l))
			texts[l] = v.RatString()
			byText[texts[l]] = v
		}
	}
	for text := range byText {
		d.Values = append(d.Values, text)
	}
	slices.SortFunc(d.Values, func(a, b string) int { return byText[a].Cmp(byText[b]) })
	at := map[string]int{"": -1}
	for i, text := range d.Values {
		at[text] = i
	}
	d.Loads = make([]int, t.M())
	for l, text := range texts {
		d.Loads[l] = at[text]
	}
	d.About += ", with the load of every link; the largest, E_max, is " + d.Values[len(d.Values)-1]
	return d
}

// An optimum is one of the optimal placements of a cell, for all that symmetry makes of it.
type optimum struct {
	Picture drawing
	Orbit   int           // how many placements it stands for, 0 where that was not counted
	Nodes   template.HTML // as of the page
	Editor  string
}

// maxOptima is how many optima the page of a cell draws.
const maxOptima = 12

// optimaOf returns the first optima that a record lists, those that stand for most first. Without a bench orbits are
// said only where that takes no work.
func optimaOf(d atlas.Detail, problem objective.Problem, with *bench) ([]optimum, error) {
	r := d.Record
	if r.Optima == nil || problem.Torus().N() > picture.MaxNodes || problem.Torus().Twisted() {
		return nil, nil
	}
	orbits := r.OptimaOrbits
	var list []optimum
	for i, nodes := range (*r.Optima)[:min(len(*r.Optima), maxOptima)] {
		p, err := core.PlacementFromCoords(problem.Torus(), nodes)
		if err != nil {
			return nil, err
		}
		o := optimum{Picture: sketch(p), Nodes: template.HTML(core.JoinNodes(nodes)),
			Editor: editorOf(p.Torus(), nodes, d.Demand, d.Conditions, d.Routing)}
		switch {
		case len(orbits) == len(*r.Optima):
			o.Orbit = int(orbits[i].Size)
		case r.Labelled != nil && len(*r.Optima) == 1:
			o.Orbit = int(*r.Labelled)
		case with != nil && r.Table == nil:
			if with.group == nil {
				if with.group, err = problem.Group(context.Background()); err != nil {
					return nil, err
				}
			}
			o.Orbit = int(results.OrbitsUnder(with.group, []core.Placement{p})[0].Size)
		}
		list = append(list, o)
	}
	slices.SortStableFunc(list, func(a, b optimum) int { return b.Orbit - a.Orbit })
	return list, nil
}

// galleryBody is what the gallery shows, of all networks or of one.
type galleryBody struct {
	Where    string // "" for all networks: then each has one picture, which leads to its own gallery
	Pictures []framed
	Left     int // that are not shown
}

// A framed is an optimal placement on a wall of the gallery.
type framed struct {
	atlas.Cell
	optimum
}

// maxFramed is how many pictures a page of the gallery has.
const maxFramed = 48

// galleryOf is the gallery of a network.
func galleryOf(where string) string { return place(where) + "/optima.html" }

// gallery is the page with an optimal placement of every network that has some.
func (s *Site) gallery() (document, error) {
	body := galleryBody{}
	for _, t := range s.source.Tori() {
		if t.Proved == 0 || len(t.Torus) == 0 {
			continue
		}
		if len(body.Pictures) == maxFramed {
			body.Left++
			continue
		}
		cells := s.countedOptima(t.Where())
		if len(cells) == 0 {
			continue
		}
		// The largest that has just one kind of optimum is the most telling.
		best := slices.MaxFunc(cells, func(a, b atlas.Cell) int {
			return cmp.Or(cmp.Compare(b.Optima, a.Optima), cmp.Compare(a.Size, b.Size))
		})
		if err := body.hang(s, best); err != nil {
			return document{}, err
		}
	}
	return s.render("gallery", galleryAddress, "Optimal placements", nil, body)
}

// networkGallery is the gallery of a network.
func (s *Site) networkGallery(t atlas.Summary) (document, error) {
	body := galleryBody{Where: t.Where()}
	cells := s.countedOptima(body.Where)
	if len(cells) == 0 {
		return document{}, ErrNotFound
	}
	slices.SortStableFunc(cells, func(a, b atlas.Cell) int { return cmp.Compare(a.Optima, b.Optima) })
	shown := cells[:min(len(cells), maxFramed)]
	body.Left = len(cells) - len(shown)
	slices.SortStableFunc(shown, func(a, b atlas.Cell) int { return cmp.Compare(a.Size, b.Size) })
	for _, c := range shown {
		if err := body.hang(s, c); err != nil {
			return document{}, err
		}
	}
	trail := []crumb{{"gallery", galleryAddress}, {picture.Shown(body.Where), torusAddress(body.Where)}}
	return s.render("gallery", galleryOf(body.Where), "Optimal placements on "+picture.Shown(body.Where), trail, body)
}

// countedOptima returns the cells of a network whose optimal placements were all found, but for those with next to no
// processors or other nodes, of which every picture looks the same.
func (s *Site) countedOptima(where string) []atlas.Cell {
	cells, _ := s.source.Cells(atlas.Filter{Torus: where, Limit: maxPlotted})
	return slices.DeleteFunc(slices.Clone(cells), func(c atlas.Cell) bool {
		nodes := 1
		for _, k := range c.Torus {
			nodes *= k
		}
		return c.Optima == 0 || c.Fault != "" || c.Size < 3 || c.Size > nodes-3
	})
}

// hang adds the first optimum of a cell.
func (b *galleryBody) hang(s *Site, c atlas.Cell) error {
	d, _, err := s.source.Detail(c.Key())
	if err != nil || d.Record == nil {
		return err
	}
	problem, _, err := placementOf(d)
	if err != nil {
		return err
	}
	list, err := optimaOf(d, problem, nil)
	if len(list) > 0 {
		b.Pictures = append(b.Pictures, framed{d.Cell, list[0]})
	}
	return err
}
