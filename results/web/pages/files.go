package pages

import (
	"bytes"
	"io"

	"leeway/objective/fast"
	"leeway/results/atlas"
	"leeway/results/frontier"
	"leeway/results/layout"
	"leeway/results/picture"
)

// Picture returns the picture of a cell as a file of its own, by a writer of package picture.
func Picture(d atlas.Detail, write func(io.Writer, picture.Picture) error) ([]byte, error) {
	if d.Record == nil {
		return nil, ErrNotFound
	}
	problem, p, err := placementOf(d)
	if err != nil {
		return nil, err
	}
	if p.Torus().N() > picture.MaxNodes {
		return nil, ErrNotFound
	}
	var b bytes.Buffer
	err = write(&b, pictureOf(d, problem, p, fast.Evaluate(problem, p)))
	return b.Bytes(), err
}

// Record returns the record of a cell.
func Record(d atlas.Detail) ([]byte, error) {
	if d.Record == nil {
		return nil, ErrNotFound
	}
	return layout.Encode(d.Record)
}

// FrontierPicture returns the plot of a routing as a file of its own.
func FrontierPicture(s Source, r atlas.Summary) ([]byte, error) {
	cells, _ := s.Cells(atlas.Filter{Torus: r.Where(), Routing: r.Routing, Limit: maxPlotted})
	chart, err := frontier.Chart(cells)
	if err != nil {
		return nil, ErrNotFound
	}
	var b bytes.Buffer
	err = picture.SVG(&b, chart)
	return b.Bytes(), err
}
