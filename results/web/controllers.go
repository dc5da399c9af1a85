package web

import (
	"html/template"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/findings"
	"leeway/results/picture"
)

// controllersBody is what the page of controllers shows.
type controllersBody struct {
	Controllers int
	Networks    []controllersOn
}

// controllersOn is what the page shows of a network.
type controllersOn struct {
	Name       string
	Ways       []findings.Scheme
	Best       []*atlas.Cell // by ways, nil where the atlas has none
	Placements []controllersAt
}

// controllersAt is a placement with its E_max by ways.
type controllersAt struct {
	Name     string
	Picture  template.HTML
	Shows    string // the way of its picture
	Distance string // mean, of a client from a controller
	Rows     []controllersRow
}

// A controllersRow is a placement under one way.
type controllersRow struct {
	Way                       string
	MaxLoad, Load, Throughput string
	Optimal                   bool // the atlas has a proof that none is below
}

// hasControllers reports whether the atlas has a cell that the page of controllers sets others against.
func (s *Site) hasControllers() bool {
	for _, t := range findings.ControllersNetworks() {
		for _, w := range findings.Schemes {
			if p, err := w.Problem(t, 1, findings.ControllersBeside); err == nil {
				if c, ok := s.source.Cell(atlas.KeyOf(p)); ok && c.Fault == "" && c.MaxLoad != "" {
					return true
				}
			}
		}
	}
	return false
}

// controllers is the page that sets the placements of controllers of the literature beside the best ones known.
func (s *Site) controllers() (document, error) {
	if !s.hasControllers() {
		return document{}, ErrNotFound
	}
	body := controllersBody{Controllers: findings.ControllersBeside}
	for _, t := range findings.ControllersNetworks() {
		on, err := s.controllersOn(t)
		if err != nil {
			return document{}, err
		}
		body.Networks = append(body.Networks, on)
	}
	return s.render("controllers", controllersAddress, "Where to put memory controllers", nil, body)
}

func (s *Site) controllersOn(t *core.Torus) (controllersOn, error) {
	on := controllersOn{Name: picture.NetworkName(t), Ways: findings.Schemes}
	problems := make([]objective.Problem, len(findings.Schemes))
	on.Best = make([]*atlas.Cell, len(findings.Schemes))
	type named struct {
		name  string
		shows int // of findings.Schemes
		core.Placement
	}
	var list []named
	add := func(name string, shows int, p core.Placement) {
		for i := range list {
			if slices.Equal(list[i].Nodes(), p.Nodes()) {
				list[i].name += ", " + name
				return
			}
		}
		list = append(list, named{name, shows, p})
	}
	for i, w := range findings.Schemes {
		var err error
		if problems[i], err = w.Problem(t, 1, findings.ControllersBeside); err != nil {
			return on, err
		}
		d, ok, err := s.source.Detail(atlas.KeyOf(problems[i]))
		if err != nil {
			return on, err
		}
		if !ok || d.Record == nil {
			continue
		}
		p, err := core.PlacementFromCoords(t, d.Record.Nodes)
		if err != nil {
			return on, err
		}
		on.Best[i] = &d.Cell
		name := "best known under " + w.Name
		if d.Status == atlas.Optimal {
			name = "optimum under " + w.Name
		}
		add(name, i, p)
	}
	for _, text := range findings.ControllersNamed(t, findings.ControllersBeside) {
		p, err := family.Parse(t, text)
		if err != nil {
			return on, err
		}
		add(text, 0, p)
	}
	for _, p := range list {
		at := controllersAt{Name: p.name, Shows: findings.Schemes[p.shows].Name,
			Distance: objective.MeanDistance(p.Placement).FloatString(2)}
		for i, q := range problems {
			loads := q.Evaluate(p.Placement)
			most, _ := loads.Max()
			row := controllersRow{Way: findings.Schemes[i].Name, MaxLoad: results.FormatFraction(most),
				Load:       new(big.Rat).Quo(most, big.NewRat(findings.ControllersBeside, 1)).FloatString(2),
				Throughput: new(big.Rat).Inv(most).FloatString(4)}
			row.Optimal = on.Best[i] != nil && on.Best[i].Status == atlas.Optimal && on.Best[i].MaxLoad == row.MaxLoad
			at.Rows = append(at.Rows, row)
			if i != p.shows {
				continue
			}
			var svg strings.Builder
			err := picture.SVG(&svg, picture.Params{Title: "Loads under " + at.Shows,
				Placement: p.Placement, Loads: loads, Clients: true, Embedded: true, Compact: true})
			if err != nil {
				return on, err
			}
			at.Picture = template.HTML(svg.String()) // this program escapes all text in it
		}
		on.Placements = append(on.Placements, at)
	}
	return on, nil
}
