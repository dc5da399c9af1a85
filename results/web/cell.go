package web

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/frontier"
	"leeway/results/picture"
)

// cellBody is what the page of a cell shows.
type cellBody struct {
	atlas.Detail
	Torus, Nodes   string // as options of the command line
	Picture        template.HTML
	Loads          []results.LinkLoad // none for large tori
	Total, Idle    int                // links of the torus, and those without load
	Progress       template.HTML      // history of the best value
	Gap            string
	Papers         *atlas.Family
	Percent        int // of the papers' load
	Previous, Next string
	Split          *splitBody // where it is part of the page
	SplitAddress   string
	Editor         string // "" where there is none
	HasPicture     bool
	FromPicture    bool // the list of loads is made from the picture
	Basis          bool // the record rests on a proof file
	Free           bool // the routing is the record's own table
}

// maxLoadRows is how many loads the page of a cell lists.
const maxLoadRows = 1024

func (s *Site) cellPage(ctx context.Context, d atlas.Detail) (document, error) {
	k := d.Key()
	body := cellBody{Detail: d, Torus: k.Torus}
	body.Previous, body.Next = s.neighbours(k)
	if d.Record != nil {
		if err := body.placed(d, s.options.Static); err != nil {
			return document{}, err
		}
		body.SplitAddress = cellAddress(k, splitEnding)
		if s.options.Static {
			split, err := s.split(ctx, d)
			if err != nil {
				return document{}, err
			}
			body.Split = &split
		}
	}
	title := fmt.Sprintf("%s on %s under %s", plural(k.Size, "processor", "processors"), k.Torus, k.Routing)
	trail := []crumb{{k.Torus, torusAddress(k.Torus)}, {k.Routing, frontierAddress(k.Torus, k.Routing, 1)}}
	return s.render("cell", cellAddress(k, pageEnding), title, trail, body)
}

// placed fills in what a placement shows. In a static site the list of loads is made from
// the picture, by a script: it would take as much room again.
func (b *cellBody) placed(d atlas.Detail, static bool) error {
	p, loads, err := loadsOf(d)
	if err != nil {
		return err
	}
	b.Nodes = nodesText(d.Record.Nodes)
	b.Total = p.Torus().M()
	if p.Torus().N() <= picture.MaxNodes {
		b.HasPicture = true
		svg, err := drawing(d, picture.Params{Placement: p, Loads: loads, Embedded: true, Compact: static})
		if err != nil {
			return err
		}
		b.Picture = inline(svg)
	}
	e := results.NewEvaluation(loadsRouting(d), p, loads, true)
	if e.Loads != nil {
		b.Idle = b.Total - len(e.Loads)
		switch {
		case static && b.HasPicture:
			b.FromPicture = true
		case len(e.Loads) <= maxLoadRows:
			b.Loads = e.Loads
		}
	}
	if gap, ok := d.Gap(); ok {
		b.Gap = gap.RatString()
	}
	if f, ok := d.Papers(); ok {
		b.Papers = &f
		b.Percent = percent(d.MaxLoad, f.MaxLoad)
	}
	if chart, err := frontier.Progress(d); err == nil && len(d.History) > 1 {
		chart.Embedded = true
		var out bytes.Buffer
		if err := picture.ChartSVG(&out, chart); err != nil {
			return err
		}
		b.Progress = inline(out.Bytes())
	}
	if b.Free = d.Record.Table != nil; planar(d.Torus) && !b.Free {
		b.Editor = editorAddress(b.Torus)
	}
	b.Basis = d.Record.Proof.NamesFile() || d.Record.BoundProof.NamesFile()
	return nil
}

// percent returns a as hundredths of b, rounded; 0 where b is none.
func percent(a, b string) int {
	x, errX := results.ParseFraction(a)
	y, errY := results.ParseFraction(b)
	if errX != nil || errY != nil || y.Sign() == 0 {
		return 0
	}
	v, _ := x.Quo(x, y).Float64()
	return int(100*v + 0.5)
}

// neighbours returns the pages of the next smaller and larger size, "" for none.
func (s *Site) neighbours(k atlas.Key) (previous, next string) {
	for _, step := range []struct {
		to   *string
		size int
	}{{&previous, k.Size - 1}, {&next, k.Size + 1}} {
		if c, ok := s.source.Cell(atlas.Key{Torus: k.Torus, Routing: k.Routing, Size: step.size}); ok {
			*step.to = cellAddress(c.Key(), pageEnding)
		}
	}
	return previous, next
}

// loadsRouting returns the routing of a cell, which has a record.
func loadsRouting(d atlas.Detail) routing.Routing {
	p, err := d.Key().Problem()
	if err != nil {
		panic("web: a cell with a record is about a problem")
	}
	if p.Free == nil {
		return p.Routing
	}
	table, err := d.Record.ReadRouting(p.Torus())
	if err != nil {
		panic("web: a record of a cell without a fault has a routing")
	}
	return table
}

// placementOf returns the placement of a cell.
func placementOf(d atlas.Detail) (core.Placement, error) {
	return core.PlacementFromCoords(loadsRouting(d).Torus(), d.Record.Nodes)
}

// loadsOf returns the placement of a cell and its loads.
func loadsOf(d atlas.Detail) (core.Placement, *objective.Loads, error) {
	p, err := placementOf(d)
	if err != nil {
		return p, nil, err
	}
	return p, objective.Evaluate(loadsRouting(d), p), nil
}

// drawing returns the picture of a cell as SVG.
func drawing(d atlas.Detail, p picture.Params) ([]byte, error) {
	var b bytes.Buffer
	p.Routing = d.Routing
	err := picture.SVG(&b, p)
	return b.Bytes(), err
}

// pictureFile returns the picture of a cell as a file of its own.
func pictureFile(d atlas.Detail, ending string) (document, error) {
	if d.Record == nil {
		return document{}, ErrNotFound
	}
	p, loads, err := loadsOf(d)
	if err != nil {
		return document{}, err
	}
	if p.Torus().N() > picture.MaxNodes {
		return document{}, ErrNotFound
	}
	if ending == svgEnding {
		svg, err := drawing(d, picture.Params{Placement: p, Loads: loads})
		return document{kindSVG, svg}, err
	}
	var b bytes.Buffer
	err = picture.PNG(&b, picture.Params{Routing: d.Routing, Placement: p, Loads: loads})
	return document{kindPNG, b.Bytes()}, err
}

// recordFile returns the record of a cell.
func recordFile(d atlas.Detail) (document, error) {
	if d.Record == nil {
		return document{}, ErrNotFound
	}
	data, err := d.Record.Encode()
	return document{kindJSON, data}, err
}

// nodesText returns nodes as the option --placement has them after "nodes:".
func nodesText(nodes [][]int) string {
	parts := make([]string, len(nodes))
	for i, c := range nodes {
		parts[i] = strings.ReplaceAll(strings.Trim(fmt.Sprint(c), "[]"), " ", ",")
	}
	return strings.Join(parts, "+")
}
