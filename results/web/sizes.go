package web

import (
	"bytes"
	"html/template"
	"strconv"

	"leeway/results/atlas"
	"leeway/results/frontier"
	"leeway/results/picture"
)

// maxPlotted is how many cells a frontier plot shows.
const maxPlotted = 1000

// frontierBody is what a page of sizes shows.
type frontierBody struct {
	Torus, Routing string
	Sum            atlas.Summary
	Plot           template.HTML
	Picture        string // address of the plot
	Cells          []atlas.Cell
	Page, Pages    int
	PageAddresses  []crumb
	Planar         bool
}

func (s *Site) frontierPage(t, r atlas.Summary, page int) (document, error) {
	torus := torusName(r.Torus)
	cells, total := s.source.Cells(atlas.Filter{Torus: torus, Routing: r.Routing, Offset: (page - 1) * maxRows, Limit: maxRows})
	if len(cells) == 0 {
		return document{}, ErrNotFound
	}
	address := frontierAddress(torus, r.Routing, page)
	body := frontierBody{Torus: torus, Routing: r.Routing, Sum: r, Cells: cells, Page: page, Pages: (total + maxRows - 1) / maxRows,
		Picture: torus + "/" + slug(r.Routing) + ".frontier.svg", Planar: planar(r.Torus)}
	for i := 1; i <= body.Pages; i++ {
		body.PageAddresses = append(body.PageAddresses, crumb{strconv.Itoa(i), frontierAddress(torus, r.Routing, i)})
	}
	if page == 1 {
		chart, err := s.chart(r, func(c atlas.Cell) string { return root(address) + cellAddress(c.Key(), pageEnding) })
		if err == nil {
			chart.Embedded = true
			var b bytes.Buffer
			if err := picture.ChartSVG(&b, chart); err != nil {
				return document{}, err
			}
			body.Plot = inline(b.Bytes())
		}
	}
	trail := []crumb{{torus, torusAddress(torus)}}
	return s.render("frontier", address, torus+" under "+r.Routing, trail, body)
}

// chart returns the frontier of a torus and a routing.
func (s *Site) chart(r atlas.Summary, link func(atlas.Cell) string) (picture.Chart, error) {
	cells, _ := s.source.Cells(atlas.Filter{Torus: torusName(r.Torus), Routing: r.Routing, Limit: maxPlotted})
	return frontier.Chart(cells, link)
}

// frontierPicture returns the plot as a file of its own.
func (s *Site) frontierPicture(r atlas.Summary) (document, error) {
	chart, err := s.chart(r, nil)
	if err != nil {
		return document{}, ErrNotFound
	}
	var b bytes.Buffer
	if err := picture.ChartSVG(&b, chart); err != nil {
		return document{}, err
	}
	return document{kindSVG, b.Bytes()}, nil
}
