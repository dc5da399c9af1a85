package web

import (
	"bytes"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"leeway/results/atlas"
	"leeway/results/audit"
	"leeway/results/frontier"
	"leeway/results/picture"
)

// maxTori is how many tori the start page lists; the search finds the others.
const maxTori = 400

// columns are the routings with a column on the start page, in this order.
var columns = []column{
	{"odr", "odr:tie=plus"}, {"odr ±", "odr:tie=both"}, {"udr", "udr:tie=plus"}, {"udr ±", "udr:tie=both"},
	{"minimal ±", "minimal:tie=both"}, {"avoid ±", "avoid:tie=both"},
}

// A column is a routing under a short name: ± says that ties use both ways.
type column struct{ Name, Routing string }

// startBody is what the start page shows.
type startBody struct {
	Columns []column
	Groups  []torusGroup
	Tori    int
	Total   atlas.Summary // counts of all
	Missing int           // tori that are not listed
	Example *atlas.Cell   // a cell to look at first, nil if there is none
	Claims  int           // of the papers
	Fails   int           // those that fail
}

// A torusGroup is the tori of a number of dimensions.
type torusGroup struct {
	Dimensions int
	Rows       []torusRow
}

// A torusRow is a torus with its routings in the order of the columns.
type torusRow struct {
	Name   string
	Sum    atlas.Summary
	Cells  []*atlas.Summary // nil where there is nothing
	Others int              // routings without a column
}

func (s *Site) start() (document, error) {
	claims, err := audit.Shipped()
	if err != nil {
		return document{}, err
	}
	body := startBody{Columns: columns, Claims: len(claims), Fails: audit.Count(claims, audit.Fails)}
	for _, t := range s.source.Tori() {
		addCounts(&body.Total, t)
		if len(t.Torus) == 0 {
			continue // what it is about cannot be read: see the page of wrong cells
		}
		if body.Tori++; body.Tori > maxTori {
			body.Missing++
			continue
		}
		if n := len(body.Groups); n == 0 || body.Groups[n-1].Dimensions != len(t.Torus) {
			body.Groups = append(body.Groups, torusGroup{Dimensions: len(t.Torus)})
		}
		g := &body.Groups[len(body.Groups)-1]
		g.Rows = append(g.Rows, rowOf(t))
	}
	if c, ok := s.source.Cell(atlas.Key{Torus: "8x8", Routing: "udr:tie=both", Size: 16}); ok && c.Fault == "" {
		body.Example = &c
	}
	return s.render("start", startAddress, "", nil, body)
}

func addCounts(sum *atlas.Summary, t atlas.Summary) {
	sum.Cells += t.Cells
	sum.Proved += t.Proved
	sum.Open += t.Open
	sum.Beaten += t.Beaten
	sum.Faults += t.Faults
}

// rowOf orders the routings of a torus by column. Where nothing ties both tie rules are one routing, which stands in
// both columns.
func rowOf(t atlas.Summary) torusRow {
	row := torusRow{Name: t.Where(), Sum: t, Cells: make([]*atlas.Summary, len(columns)), Others: len(t.Routings)}
	ties := slices.ContainsFunc(t.Torus, func(k int) bool { return k > 2 && k%2 == 0 })
	for i, c := range columns {
		for j := range t.Routings {
			have := t.Routings[j].Routing
			if have == c.Routing {
				row.Cells[i] = &t.Routings[j]
				row.Others--
			} else if !ties && row.Cells[i] == nil && untied(have) == untied(c.Routing) {
				row.Cells[i] = &t.Routings[j]
			}
		}
	}
	return row
}

// untied returns a routing without its tie rule.
func untied(routing string) string {
	name, _, _ := strings.Cut(routing, ":tie=")
	return name
}

// torusBody is what the page of a torus shows.
type torusBody struct {
	Name     string
	Sum      atlas.Summary
	Sizes    []int
	Rows     []sizeRow
	Planar   bool // there is an editor
	Nodes    int
	Hidden   int // sizes that are not listed
	Routings []atlas.Summary
	Plots    []torusPlot
}

// A torusPlot is the frontier of one routing.
type torusPlot struct {
	Routing string
	Plot    template.HTML
}

// A sizeRow compares the routings at one size.
type sizeRow struct {
	Size  int
	Cells []*atlas.Cell
}

// maxRows is how many rows a table has on one page.
const maxRows = 200

func (s *Site) torusPage(t atlas.Summary) (document, error) {
	name := t.Where()
	body := torusBody{Name: name, Sum: t, Planar: planar(t.Torus), Routings: t.Routings[:min(len(t.Routings), 12)],
		Nodes: 1}
	for _, k := range t.Torus {
		body.Nodes *= k
	}
	at := map[int]int{}
	for i, r := range body.Routings {
		cells, _ := s.source.Cells(atlas.Filter{Torus: name, Routing: r.Routing, Limit: maxRows})
		// the twin of it
		cells = slices.DeleteFunc(slices.Clone(cells), func(c atlas.Cell) bool { return c.Routing != r.Routing })
		if err := body.plot(r.Routing, cells); err != nil {
			return document{}, err
		}
		for j := range cells {
			row, ok := at[cells[j].Size]
			if !ok {
				row = len(body.Rows)
				at[cells[j].Size] = row
				body.Rows = append(body.Rows, sizeRow{Size: cells[j].Size, Cells: make([]*atlas.Cell, len(body.Routings))})
			}
			body.Rows[row].Cells[i] = &cells[j]
		}
	}
	slices.SortFunc(body.Rows, func(a, b sizeRow) int { return a.Size - b.Size })
	if len(body.Rows) > maxRows {
		body.Hidden, body.Rows = len(body.Rows)-maxRows, body.Rows[:maxRows]
	}
	return s.render("torus", torusAddress(name), name, nil, body)
}

// plot adds the frontier of a routing, if its cells have one. Its marks lead nowhere: the table beside it has the
// same links.
func (b *torusBody) plot(routing string, cells []atlas.Cell) error {
	if len(cells) < 2 {
		return nil
	}
	chart, err := frontier.Chart(cells, nil)
	if err != nil {
		return nil // no cell has a value
	}
	plot, err := inlineChart(chart)
	b.Plots = append(b.Plots, torusPlot{routing, plot})
	return err
}

// planar reports whether the editor can show a torus.
func planar(sides []int) bool {
	return len(sides) == 2 && sides[0] <= maxEditorSide && sides[1] <= maxEditorSide
}

// wrongBody is what the page of wrong cells shows.
type wrongBody struct {
	Cells []atlas.Cell
	Total int
}

func (s *Site) wrong() (document, error) {
	cells, total := s.source.Cells(atlas.Filter{Faulty: true, Limit: maxRows})
	return s.render("wrong", wrongAddress, "Wrong records", nil, wrongBody{cells, total})
}

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
	torus := r.Where()
	cells, total := s.source.Cells(atlas.Filter{Torus: torus, Routing: r.Routing, Offset: (page - 1) * maxRows,
		Limit: maxRows})
	if len(cells) == 0 {
		return document{}, ErrNotFound
	}
	address := frontierAddress(torus, r.Routing, page)
	body := frontierBody{Torus: torus, Routing: r.Routing, Sum: r, Cells: cells, Page: page,
		Pages:   (total + maxRows - 1) / maxRows,
		Picture: torus + "/" + slug(r.Routing) + ".frontier.svg", Planar: planar(r.Torus)}
	for i := 1; i <= body.Pages; i++ {
		body.PageAddresses = append(body.PageAddresses, crumb{strconv.Itoa(i), frontierAddress(torus, r.Routing, i)})
	}
	if page == 1 {
		chart, err := s.chart(r, func(c atlas.Cell) string { return root(address) + cellAddress(c.Key(), pageEnding) })
		if err == nil {
			if body.Plot, err = inlineChart(chart); err != nil {
				return document{}, err
			}
		}
	}
	trail := []crumb{{torus, torusAddress(torus)}}
	return s.render("frontier", address, torus+" under "+r.Routing, trail, body)
}

// chart returns the frontier of a torus and a routing.
func (s *Site) chart(r atlas.Summary, link func(atlas.Cell) string) (picture.Chart, error) {
	cells, _ := s.source.Cells(atlas.Filter{Torus: r.Where(), Routing: r.Routing, Limit: maxPlotted})
	return frontier.Chart(cells, link)
}

// frontierPicture returns the plot as a file of its own.
func (s *Site) frontierPicture(r atlas.Summary) (document, error) {
	chart, err := s.chart(r, nil)
	if err != nil {
		return document{}, ErrNotFound
	}
	var b bytes.Buffer
	err = picture.SVG(&b, chart)
	return document{kindSVG, b.Bytes()}, err
}
