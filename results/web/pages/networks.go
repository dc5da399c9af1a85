package pages

import (
	"html/template"
	"slices"
	"strings"

	"leeway/core/labels"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/picture"
)

// maxTori is how many tori the page of networks lists; the search finds the others.
const maxTori = 400

// columns are the routings with a column on the page of networks, in this order.
var columns = []column{
	{"odr", "odr:tie=plus"}, {"odr ±", "odr:tie=both"}, {"udr", "udr:tie=plus"}, {"udr ±", "udr:tie=both"},
	{"minimal ±", "minimal:tie=both"}, {"avoid ±", "avoid:tie=both"},
}

// A column is a routing under a short name: ± says that ties use both ways.
type column struct{ Name, Routing string }

// networksBody is what the page of all networks shows.
type networksBody struct {
	Columns []column
	Groups  []torusGroup
	Tori    int
	Missing int // tori that are not listed
}

// A torusGroup is the tori of a number of dimensions.
type torusGroup struct {
	Dimensions int
	Rows       []torusRow
}

// A torusRow is a torus or network with its routings in the order of the columns.
type torusRow struct {
	Where  string
	Sum    atlas.Summary
	Cells  []*atlas.Summary // nil where there is nothing
	Others int              // routings without a column
}

// Networks is the page of all networks.
func Networks(s Source) Page {
	body := networksBody{Columns: columns}
	for _, t := range s.Tori() {
		if len(t.Torus) == 0 {
			continue
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
	return newPage("networks", NetworksAddress, "Networks", nil, body)
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
	row := torusRow{Where: t.Where(), Sum: t, Cells: make([]*atlas.Summary, len(columns)), Others: len(t.Routings)}
	on, err := t.ReadGrid()
	ties := err != nil || on.HasTies()
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

// torusBody is what the page of a torus or network shows.
type torusBody struct {
	Where    string
	Title    string
	Sum      atlas.Summary
	Others   []string // networks with other options, traffic or conditions and the same sides
	Clients  *clients
	Editor   template.URL // its address, "" where there is none
	Sizes    []int
	Rows     []sizeRow
	Nodes    int
	Links    int
	Hidden   int // sizes that are not listed
	Routings []atlas.Summary
	Gallery  bool   // there are pictures of optimal placements
	BibTeX   string // entry by which the table is cited
}

// A sizeRow compares routings, or networks, at one size.
type sizeRow struct {
	Size  int
	Cells []*line // nil where there is none
}

// MaxRows is how many rows a table has on one page.
const MaxRows = 200

// Torus is the page of a torus or network, with its traffic and conditions; ErrNotFound where it cannot be read.
func Torus(s Source, t atlas.Summary) (Page, error) {
	on, err := t.ReadGrid()
	if err != nil {
		return Page{}, ErrNotFound
	}
	where := t.Where()
	title := picture.NetworkName(on)
	if t.Near != (objective.Near{}) {
		title = picture.Shown(where)
	}
	body := torusBody{Where: where, Title: strings.ToUpper(title[:1]) + title[1:], Sum: t,
		Routings: t.Routings[:min(len(t.Routings), 12)], Nodes: on.N(), Links: on.Links(),
		Editor: editorOf(on, "", t.Setting, "")}
	if asked, err := texts.ParseWhere(where); err == nil && asked.Traffic.Clients() {
		body.Clients = clientsOf(asked.Traffic)
	}
	for _, other := range sameSides(s, t.Torus) {
		if other != where {
			body.Others = append(body.Others, other)
		}
	}
	body.Gallery = len(countedOptima(s, where)) > 0
	at := map[int]int{}
	var all []atlas.Cell
	for i, r := range body.Routings {
		cells, _ := s.Cells(atlas.Filter{Torus: where, Routing: r.Routing, Limit: MaxRows})
		// the twin of it
		cells = slices.DeleteFunc(slices.Clone(cells), func(c atlas.Cell) bool { return c.Routing != r.Routing })
		all = append(all, cells...)
		for j := range cells {
			row, ok := at[cells[j].Size]
			if !ok {
				row = len(body.Rows)
				at[cells[j].Size] = row
				body.Rows = append(body.Rows, sizeRow{Size: cells[j].Size, Cells: make([]*line, len(body.Routings))})
			}
			body.Rows[row].Cells[i] = value(cells[j])
		}
	}
	slices.SortFunc(body.Rows, func(a, b sizeRow) int { return a.Size - b.Size })
	if len(body.Rows) > MaxRows {
		body.Hidden, body.Rows = len(body.Rows)-MaxRows, body.Rows[:MaxRows]
	}
	body.BibTeX = citation(labels.Place(where), "Placements on "+picture.Shown(where)+
		": {E\\_max} by routing and size", all)
	return newPage("torus", TorusAddress(where), picture.Shown(where), nil, body), nil
}

// maxCompared is how many networks of the same sides are set side by side.
const maxCompared = 50

// sameSides returns the networks of some sides, with their traffic and conditions, in the order of the atlas.
func sameSides(s Source, sides []int) []string {
	var list []string
	for _, t := range s.Tori() {
		if slices.Equal(t.Torus, sides) && len(list) < maxCompared {
			list = append(list, t.Where())
		}
	}
	return list
}

// sameTraffic returns the networks of some sides with the traffic of one of them. The routings of the replies count as
// one where only their tie rules differ and nothing ties on one of the networks.
func sameTraffic(s Source, sides []int, where string) []string {
	own, err := texts.ParseWhere(where)
	if err != nil {
		return nil
	}
	var list []string
	for _, t := range s.Tori() {
		if !slices.Equal(t.Torus, sides) {
			continue
		}
		other, err := texts.ParseWhere(t.Where())
		if err != nil || own.Traffic.String() != other.Traffic.String() {
			continue
		}
		mine, theirs := own.Traffic.ReplyText(), other.Traffic.ReplyText()
		tied := own.Torus().HasTies() && other.Torus().HasTies()
		if len(list) < maxCompared && (mine == theirs || !tied && untied(mine) == untied(theirs)) {
			list = append(list, t.Where())
		}
	}
	return list
}

// wrongBody is what the page of wrong cells shows.
type wrongBody struct {
	Cells []atlas.Cell
	Total int
}

// Wrong is the page of the cells whose records are wrong.
func Wrong(s Source) Page {
	cells, total := s.Cells(atlas.Filter{Text: atlas.Wrong, Limit: MaxRows})
	return newPage("wrong", WrongAddress, "Wrong records", nil, wrongBody{cells, total})
}
