package web

import (
	"html/template"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/picture"
)

// What the page of controllers is about: as many on networks of these sides, one request and one reply.
const (
	controllers      = 16
	controllersSides = "8x8"
)

// A clientWay is a way of routing requests and replies that the literature has a name for.
type clientWay struct{ Name, Routing, Replies string } // Replies "" is Routing

// clientWays are those that the page of controllers compares, first the one that its pictures show.
var clientWays = []clientWay{{"XY", "xy", ""}, {"CDR", "xy", "yx"}, {"O1TURN", "o1turn", ""}}

// problem returns a problem of the page. Where nothing ties, the tie rules are the one in keys, + alone for dimension
// orders.
func (w clientWay) problem(t *core.Torus) (objective.Problem, error) {
	parse := func(text string) (routing.Routing, error) {
		if t.HasTies() {
			text += ":tie=both"
		}
		return routing.Parse(t, text)
	}
	traffic := objective.Traffic{Request: 1, Reply: 1}
	r, err := parse(w.Routing)
	if err == nil && w.Replies != "" {
		traffic.Replies, err = parse(w.Replies)
	}
	if err != nil {
		return objective.Problem{}, err
	}
	return objective.Problem{Routing: r, Size: controllers}.WithTraffic(traffic)
}

// controllersBody is what the page of controllers shows.
type controllersBody struct {
	Controllers int
	Networks    []controllersOn
}

// controllersOn is what the page shows of a network.
type controllersOn struct {
	Name       string
	Ways       []clientWay
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
	for _, t := range controllersNetworks() {
		for _, w := range clientWays {
			if p, err := w.problem(t); err == nil {
				if c, ok := s.source.Cell(atlas.KeyOf(p)); ok && c.Fault == "" && c.MaxLoad != "" {
					return true
				}
			}
		}
	}
	return false
}

// controllersNetworks returns the networks of the page.
func controllersNetworks() []*core.Torus {
	var list []*core.Torus
	if t, err := core.ParseMesh(controllersSides); err == nil {
		list = append(list, t)
	}
	if t, err := core.ParseNetwork(controllersSides); err == nil {
		list = append(list, t)
	}
	return list
}

// controllers is the page that sets the placements of controllers of the literature beside the best ones known.
func (s *Site) controllers() (document, error) {
	if !s.hasControllers() {
		return document{}, ErrNotFound
	}
	body := controllersBody{Controllers: controllers}
	for _, t := range controllersNetworks() {
		on, err := s.controllersOn(t)
		if err != nil {
			return document{}, err
		}
		body.Networks = append(body.Networks, on)
	}
	return s.render("controllers", controllersAddress, "Where to put memory controllers", nil, body)
}

func (s *Site) controllersOn(t *core.Torus) (controllersOn, error) {
	on := controllersOn{Name: picture.NetworkName(t), Ways: clientWays}
	problems := make([]objective.Problem, len(clientWays))
	on.Best = make([]*atlas.Cell, len(clientWays))
	type named struct {
		name  string
		shows int // of clientWays
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
	for i, w := range clientWays {
		var err error
		if problems[i], err = w.problem(t); err != nil {
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
	for _, text := range append(family.Planar(t, controllers), "spaced:t=2") {
		p, err := family.Parse(t, text)
		if err != nil {
			return on, err
		}
		add(text, 0, p)
	}
	for _, p := range list {
		at := controllersAt{Name: p.name, Shows: clientWays[p.shows].Name,
			Distance: objective.MeanDistance(p.Placement).FloatString(2)}
		for i, q := range problems {
			loads := q.Evaluate(p.Placement)
			most, _ := loads.Max()
			row := controllersRow{Way: clientWays[i].Name, MaxLoad: results.FormatFraction(most),
				Load:       new(big.Rat).Quo(most, big.NewRat(controllers, 1)).FloatString(2),
				Throughput: new(big.Rat).Inv(most).FloatString(4)}
			row.Optimal = on.Best[i] != nil && on.Best[i].Status == atlas.Optimal && on.Best[i].MaxLoad == row.MaxLoad
			at.Rows = append(at.Rows, row)
			if i != p.shows {
				continue
			}
			var svg strings.Builder
			err := picture.SVG(&svg, picture.Params{Title: "Loads under " + at.Shows,
				Placement: p.Placement, Loads: loads, Embedded: true, Compact: true})
			if err != nil {
				return on, err
			}
			at.Picture = template.HTML(svg.String()) // this program escapes all text in it
		}
		on.Placements = append(on.Placements, at)
	}
	return on, nil
}
