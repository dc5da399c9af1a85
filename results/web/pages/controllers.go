package pages

import (
	"fmt"
	"html/template"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
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
	Best     string // the ways under which it is the one that the atlas has, "" for none
	Picture  drawing
	Shows    string // the way of its picture
	Distance string // mean, of a client from a controller
	Editor   template.URL
	Rows     []controllersRow
}

// A controllersRow is a placement under one way.
type controllersRow struct {
	Way                       string
	MaxLoad, Load, Throughput string
	More                      string // than the best known, "+45 %"; "" where it is none or nothing is known
	Optimal                   bool   // the atlas has a proof that none is below
}

// hasControllers reports whether the atlas has a cell that the page of controllers sets others against.
func hasControllers(s Source) bool {
	for _, t := range findings.ControllersNetworks() {
		for _, w := range findings.Schemes {
			if p, err := w.Problem(t, 1, findings.ControllersBeside); err == nil {
				if c, ok := s.Cell(texts.KeyOf(p)); ok && c.Fault == "" && c.MaxLoad != "" {
					return true
				}
			}
		}
	}
	return false
}

// Controllers is the page that sets the placements of controllers of the literature beside the best ones known.
func Controllers(s Source) (Page, error) {
	if !hasControllers(s) {
		return Page{}, ErrNotFound
	}
	body := controllersBody{Controllers: findings.ControllersBeside}
	for _, t := range findings.ControllersNetworks() {
		on, err := placementsOn(s, t)
		if err != nil {
			return Page{}, err
		}
		body.Networks = append(body.Networks, on)
	}
	return newPage("controllers", ControllersAddress, "Where to put memory controllers", nil, body), nil
}

func placementsOn(s Source, t *core.Torus) (controllersOn, error) {
	on := controllersOn{Name: picture.NetworkName(t), Ways: findings.Schemes}
	problems := make([]objective.Problem, len(findings.Schemes))
	on.Best = make([]*atlas.Cell, len(findings.Schemes))
	type named struct {
		core.Placement
		name  string
		best  []string
		shows int // of findings.Schemes
	}
	var list []*named
	for _, text := range findings.ControllersNamed(t, findings.ControllersBeside) {
		p, err := family.Parse(t, text)
		if err != nil {
			return on, err
		}
		list = append(list, &named{Placement: p, name: text})
	}
	for i, w := range findings.Schemes {
		var err error
		if problems[i], err = w.Problem(t, 1, findings.ControllersBeside); err != nil {
			return on, err
		}
		d, ok, err := s.Detail(texts.KeyOf(problems[i]))
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
		at := slices.IndexFunc(list, func(have *named) bool { return slices.Equal(have.Nodes(), p.Nodes()) })
		if at < 0 {
			at, list = len(list), append(list, &named{Placement: p, name: "best under " + w.Name, shows: i})
		}
		list[at].best = append(list[at].best, w.Name)
	}
	for _, p := range list {
		way := findings.Schemes[p.shows]
		at := controllersAt{Name: p.name, Best: strings.Join(p.best, ", "), Shows: way.Name,
			Distance: fast.MeanDistance(p.Placement).FloatString(2)}
		k := texts.KeyOf(problems[p.shows])
		at.Editor = editorOf(t, core.JoinNodes(p.Coords()), compose.SettingOf(problems[p.shows]), k.Routing)
		for i, q := range problems {
			loads := fast.Evaluate(q, p.Placement)
			most, _ := loads.Max()
			row := controllersRow{Way: findings.Schemes[i].Name, MaxLoad: results.FormatFraction(most),
				Load:       new(big.Rat).Quo(most, big.NewRat(findings.ControllersBeside, 1)).FloatString(2),
				Throughput: new(big.Rat).Quo(big.NewRat(findings.ControllersBeside, 1), most).FloatString(3)}
			if best := on.Best[i]; best != nil {
				row.Optimal = best.Status == atlas.Optimal && best.MaxLoad == row.MaxLoad
				if more := percent(row.MaxLoad, best.MaxLoad) - 100; more > 0 {
					row.More = fmt.Sprintf("+%d %%", more)
				}
			}
			at.Rows = append(at.Rows, row)
			if i != p.shows {
				continue
			}
			at.Picture = drawingOf(q, p.Placement, loads)
		}
		on.Placements = append(on.Placements, at)
	}
	return on, nil
}
