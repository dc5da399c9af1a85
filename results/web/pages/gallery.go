package pages

import (
	"cmp"
	"context"
	"html/template"
	"slices"

	"leeway/core"
	"leeway/core/labels"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/picture"
)

// An optimum is one of the optimal placements of a cell, for all that symmetry makes of it.
type optimum struct {
	Number  int           // in its record, from 1
	Address string        `json:"-"` // of its page
	Nodes   template.HTML `json:"-"` // digits, commas and +
	Label   string        // the end of its label, see labels.Orbit
	Orbit   int           `json:",omitempty"` // how many placements it stands for, 0 where that was not counted
}

// maxOptima is how many optima the page of a cell draws.
const maxOptima = 12

// optimaOf returns the first optima that a record lists, in its order. Where with is nil, orbits are said only where
// that takes no work.
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
		_, o.Label, _ = labels.Split(labels.Orbit(d.Label(), nodes))
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
			o.Orbit = int(compose.OrbitsOf(with.group, []core.Placement{p})[0].Size)
		}
		list = append(list, o)
	}
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

// GalleryOf is the gallery of a network.
func GalleryOf(where string) string { return labels.Place(where) + "/optima.html" }

// Gallery is the page with an optimal placement of every network that has some.
func Gallery(s Source) (Page, error) {
	body := galleryBody{}
	for _, t := range s.Tori() {
		if t.Proved == 0 || len(t.Torus) == 0 {
			continue
		}
		if len(body.Pictures) == maxFramed {
			body.Left++
			continue
		}
		cells := countedOptima(s, t.Where())
		if len(cells) == 0 {
			continue
		}
		// The largest that has just one kind of optimum is the most telling.
		best := slices.MaxFunc(cells, func(a, b atlas.Cell) int {
			return cmp.Or(cmp.Compare(b.Optima, a.Optima), cmp.Compare(a.Size, b.Size))
		})
		if err := body.hang(s, best); err != nil {
			return Page{}, err
		}
	}
	return newPage("gallery", GalleryAddress, "Optimal placements", nil, body), nil
}

// NetworkGallery is the gallery of a network.
func NetworkGallery(s Source, t atlas.Summary) (Page, error) {
	body := galleryBody{Where: t.Where()}
	cells := countedOptima(s, body.Where)
	if len(cells) == 0 {
		return Page{}, ErrNotFound
	}
	slices.SortStableFunc(cells, func(a, b atlas.Cell) int { return cmp.Compare(a.Optima, b.Optima) })
	shown := cells[:min(len(cells), maxFramed)]
	body.Left = len(cells) - len(shown)
	slices.SortStableFunc(shown, func(a, b atlas.Cell) int { return cmp.Compare(a.Size, b.Size) })
	for _, c := range shown {
		if err := body.hang(s, c); err != nil {
			return Page{}, err
		}
	}
	trail := []crumb{{"gallery", GalleryAddress}, {picture.Shown(body.Where), TorusAddress(body.Where)}}
	return newPage("gallery", GalleryOf(body.Where), "Optimal placements on "+picture.Shown(body.Where), trail, body), nil
}

// countedOptima returns the cells of a network whose optimal placements were all found, but for those with next to no
// processors or other nodes, of which every picture looks the same.
func countedOptima(s Source, where string) []atlas.Cell {
	cells, _ := s.Cells(atlas.Filter{Torus: where, Limit: maxPlotted})
	return slices.DeleteFunc(slices.Clone(cells), func(c atlas.Cell) bool {
		nodes := 1
		for _, k := range c.Torus {
			nodes *= k
		}
		return c.Optima == 0 || c.Fault != "" || c.Size < 3 || c.Size > nodes-3
	})
}

// hang adds the first optimum of a cell.
func (b *galleryBody) hang(s Source, c atlas.Cell) error {
	d, _, err := s.Detail(c.Key())
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
