package web

import (
	"cmp"
	"context"
	"html/template"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/picture"
)

// A drawing is a placement with its loads as the script of pictures reads it, in a page.
type drawing struct {
	Network   string `json:"network"`
	Nodes     string `json:"nodes"` // as the option --placement has them, and so the others
	Fixed     string `json:"fixed,omitempty"`
	Forbidden string `json:"forbidden,omitempty"`
	Noun      string `json:"noun,omitempty"` // what a processor is called, where not that
	// Values are the loads that occur, ascending, and Loads has a character for each link: after noLink as many as the
	// value is after the first, or noLink where the network has no link of this number.
	Values []string `json:"values"`
	Loads  string   `json:"loads"`
	Most   string   `json:"most,omitempty"` // the load with the last colour, where that is not the largest
}

// noLink stands in a drawing for the load of a link that is not there.
const noLink = '?'

// drawingOf returns the drawing of a placement with its loads and the conditions of a problem.
func drawingOf(problem objective.Problem, p core.Placement, loads *objective.Loads) drawing {
	t := p.Torus()
	d := drawing{Network: t.String(), Nodes: core.JoinNodes(p.Coords()), Values: []string{"0"}}
	if problem.Traffic.Clients() {
		d.Noun = "controller"
	}
	conditions := results.ConditionsOf(problem)
	d.Fixed, d.Forbidden = core.JoinNodes(conditions.Fixed), core.JoinNodes(conditions.Forbidden)
	byText := map[string]*big.Rat{"0": new(big.Rat)}
	texts := make([]string, t.M())
	for l := range t.M() {
		if !t.HasLink(core.Link(l)) {
			continue
		}
		v := loads.At(core.Link(l))
		if texts[l] = v.RatString(); byText[texts[l]] == nil {
			byText[texts[l]] = v
			d.Values = append(d.Values, texts[l])
		}
	}
	slices.SortFunc(d.Values, func(a, b string) int { return byText[a].Cmp(byText[b]) })
	at := map[string]rune{"": noLink}
	for i, text := range d.Values {
		at[text] = noLink + 1 + rune(i)
	}
	marks := make([]rune, t.M())
	for l, text := range texts {
		marks[l] = at[text]
	}
	d.Loads = string(marks)
	return d
}

// tallies counts the links of each load above 0, the largest load first, and those without.
func (d drawing) tallies() (list []tally, idle int) {
	count := make([]int, len(d.Values))
	for _, mark := range d.Loads {
		if mark != noLink {
			count[mark-noLink-1]++
		}
	}
	for i, text := range d.Values[1:] {
		list = append(list, tally{text, count[i+1]})
	}
	slices.Reverse(list)
	return list, count[0]
}

// An optimum is one of the optimal placements of a cell, for all that symmetry makes of it.
type optimum struct {
	Number  int           // in its record, from 1
	Address string        `json:"-"`          // of its page
	Nodes   template.HTML `json:"-"`          // digits, commas and +
	Orbit   int           `json:",omitempty"` // how many placements it stands for, 0 where that was not counted
}

// maxOptima is how many optima the page of a cell draws.
const maxOptima = 12

// optimaOf returns the first optima that a record lists, those that stand for most first. Where with is nil, orbits are
// said only where that takes no work.
func optimaOf(d atlas.Detail, problem objective.Problem, with *shared) ([]optimum, error) {
	r := d.Record
	if r.Optima == nil || problem.Torus().N() > picture.MaxNodes {
		return nil, nil
	}
	orbits := r.OptimaOrbits
	var list []optimum
	for i, nodes := range (*r.Optima)[:min(len(*r.Optima), maxOptima)] {
		p, err := core.PlacementFromCoords(problem.Torus(), nodes)
		if err != nil {
			return nil, err
		}
		o := optimum{Number: i + 1, Address: optimumAddress(d.Key(), i+1), Nodes: template.HTML(core.JoinNodes(nodes))}
		switch {
		case len(orbits) == len(*r.Optima):
			o.Orbit = int(orbits[i].Size)
		case r.Labelled != nil && len(*r.Optima) == 1:
			o.Orbit = int(*r.Labelled)
		case with != nil && r.Table == nil:
			if with.group == nil {
				if with.group, err = fast.Group(context.Background(), problem); err != nil {
					return nil, err
				}
			}
			o.Orbit = int(results.OrbitsOf(with.group, []core.Placement{p})[0].Size)
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
