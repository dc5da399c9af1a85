package web

import (
	"bytes"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/audit"
	"leeway/results/frontier"
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

// startBody is what the start page shows.
type startBody struct {
	Total    atlas.Summary // counts of all
	Beaten   int           // cells of plain tori that beat the papers, which are about these
	Verified int           // of the proved, values that checkers have accepted
	Claims   int           // of the papers
	Fails    int           // those that fail
	Example  *example      // nil without its cell
	Clients  bool          // there is a page of controllers
	Networks []string      // some to begin with
	Papers   []reading
}

// An example is a cell beside the papers' placement.
type example struct {
	Cell          atlas.Cell
	Theirs        atlas.Family
	Papers, Known drawing
	Percent       int // of the papers' load
}

// A reading is a document that has a page.
type reading struct{ Address, Name, About string }

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

func (s *Site) start() (document, error) {
	claims, err := audit.Shipped()
	if err != nil {
		return document{}, err
	}
	table, err := atlas.ShippedVerified()
	if err != nil {
		return document{}, err
	}
	body := startBody{Claims: len(claims), Fails: audit.Count(claims, audit.Fails), Clients: s.hasControllers()}
	held := map[string]bool{}
	for _, t := range s.source.Tori() {
		addCounts(&body.Total, t)
		where := t.Where()
		held[where] = true
		if where == core.JoinInts(t.Torus, "x") {
			body.Beaten += t.Beaten
		}
		if len(t.Torus) == 0 {
			continue // what it is about cannot be read: see the page of wrong cells
		}
		if len(body.Networks) < maxFirst && slices.Contains(first, where) {
			body.Networks = append(body.Networks, where)
		}
	}
	for _, v := range table.All() {
		if !held[v.Torus] {
			continue
		}
		if c, ok := s.source.Cell(v.Key); ok {
			if _, holds := table.Of(c); holds {
				body.Verified++
			}
		}
	}
	if body.Example, err = s.example(atlas.Key{Torus: "8x8", Routing: "udr:tie=both", Size: 16}); err != nil {
		return document{}, err
	}
	for _, d := range documents[:4] {
		body.Papers = append(body.Papers, reading{documentAddress(d.Name), d.Name, d.About})
	}
	return s.render("start", startAddress, "", nil, body)
}

// first are the networks to begin with; the editor begins with the first.
var first = []string{"8x8", "4x4", "5x5", "6x6", "7x7", "4x4x4", "8x8:open=0,1", "6x6:open=0,1"}

const maxFirst = 8

// example returns a cell beside the papers' placement, nil where it has none or does not beat it.
func (s *Site) example(k atlas.Key) (*example, error) {
	d, ok, err := s.source.Detail(k)
	if err != nil || !ok || d.Record == nil || !d.Beats() {
		return nil, err
	}
	problem, p, err := placementOf(d)
	if err != nil {
		return nil, err
	}
	e := &example{Cell: d.Cell, Known: drawingOf(problem, p, fast.Evaluate(problem, p))}
	e.Theirs, _ = d.Papers()
	e.Percent = percent(d.MaxLoad, e.Theirs.MaxLoad)
	theirs, err := family.Parse(p.Torus(), e.Theirs.Placement)
	e.Papers = drawingOf(problem, theirs, fast.Evaluate(problem, theirs))
	e.Known.Most = e.Theirs.MaxLoad // the same colours for the same loads
	return e, err
}

// networks is the page of all networks.
func (s *Site) networks() (document, error) {
	body := networksBody{Columns: columns}
	for _, t := range s.source.Tori() {
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
	return s.render("networks", networksAddress, "Networks", nil, body)
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
	Gallery  bool // there are pictures of optimal placements
}

// A sizeRow compares routings, or networks, at one size.
type sizeRow struct {
	Size  int
	Cells []*line // nil where there is none
}

// maxRows is how many rows a table has on one page.
const maxRows = 200

func (s *Site) torusPage(t atlas.Summary) (document, error) {
	on, err := t.ReadGrid()
	if err != nil {
		return document{}, ErrNotFound
	}
	where := t.Where()
	title := picture.NetworkName(on)
	body := torusBody{Where: where, Title: strings.ToUpper(title[:1]) + title[1:], Sum: t,
		Routings: t.Routings[:min(len(t.Routings), 12)], Nodes: on.N(), Links: on.Links(),
		Editor: editorOf(on, "", t.Demand, t.Conditions, "")}
	if setting, err := objective.ParseWhere(where); err == nil && setting.Traffic.Clients() {
		body.Clients = clientsOf(setting.Traffic)
	}
	for _, other := range s.sameSides(t.Torus) {
		if other != where {
			body.Others = append(body.Others, other)
		}
	}
	body.Gallery = len(s.countedOptima(where)) > 0
	at := map[int]int{}
	for i, r := range body.Routings {
		cells, _ := s.source.Cells(atlas.Filter{Torus: where, Routing: r.Routing, Limit: maxRows})
		// the twin of it
		cells = slices.DeleteFunc(slices.Clone(cells), func(c atlas.Cell) bool { return c.Routing != r.Routing })
		for j := range cells {
			row, ok := at[cells[j].Size]
			if !ok {
				row = len(body.Rows)
				at[cells[j].Size] = row
				body.Rows = append(body.Rows, sizeRow{Size: cells[j].Size, Cells: make([]*line, len(body.Routings))})
			}
			body.Rows[row].Cells[i] = s.value(cells[j])
		}
	}
	slices.SortFunc(body.Rows, func(a, b sizeRow) int { return a.Size - b.Size })
	if len(body.Rows) > maxRows {
		body.Hidden, body.Rows = len(body.Rows)-maxRows, body.Rows[:maxRows]
	}
	return s.render("torus", torusAddress(where), picture.Shown(where), nil, body)
}

// drawn reports whether the editor can show a torus.
func drawn(sides []int) bool {
	nodes := 1
	for _, k := range sides {
		nodes *= min(k, maxEditorNodes+1)
	}
	return len(sides) > 0 && len(sides) <= 4 && nodes <= maxEditorNodes
}

// maxCompared is how many networks of the same sides are set side by side.
const maxCompared = 50

// sameSides returns the networks of some sides, with their traffic and conditions, in the order of the atlas.
func (s *Site) sameSides(sides []int) []string {
	var list []string
	for _, t := range s.source.Tori() {
		if slices.Equal(t.Torus, sides) && len(list) < maxCompared {
			list = append(list, t.Where())
		}
	}
	return list
}

// sameTraffic returns the networks of some sides with the traffic of one of them. The routings of the replies count as
// one where only their tie rules differ and nothing ties on one of the networks.
func (s *Site) sameTraffic(sides []int, where string) []string {
	own, err := objective.ParseWhere(where)
	if err != nil {
		return nil
	}
	var list []string
	for _, t := range s.source.Tori() {
		if !slices.Equal(t.Torus, sides) {
			continue
		}
		other, err := objective.ParseWhere(t.Where())
		if err != nil || own.Traffic.String() != other.Traffic.String() {
			continue
		}
		mine, theirs := own.Traffic.ReplyText(), other.Traffic.ReplyText()
		tied := own.Torus.HasTies() && other.Torus.HasTies()
		if len(list) < maxCompared && (mine == theirs || !tied && untied(mine) == untied(theirs)) {
			list = append(list, t.Where())
		}
	}
	return list
}

// editorOf returns the address of the editor with a network, its traffic and conditions, a routing and some nodes, ""
// where the editor cannot show them. With a routing and no nodes it ends where they are to stand; without a routing the
// editor shows a placement of its own.
func editorOf(t *core.Torus, nodes string, d results.Demand, c results.Conditions, routing string) template.URL {
	if !drawn(t.Dims()) {
		return ""
	}
	var parts []string
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+"="+text)
		}
	}
	var open []int
	for j := range t.D() {
		if t.Open(j) {
			open = append(open, j)
		}
	}
	add("torus", core.JoinInts(t.Dims(), "x"))
	add("routing", routing)
	add("traffic", d.Traffic)
	add("reply-routing", d.ReplyRouting)
	add("open", core.JoinInts(open, ","))
	if t.CommonBandwidth() > 1 {
		var bandwidths []int
		for j := range t.D() {
			bandwidths = append(bandwidths, t.Bandwidth(j))
		}
		add("bandwidth", core.JoinInts(bandwidths, ","))
	}
	_, twist, _ := strings.Cut(t.String(), ":twist=")
	add("twist", twist)
	add("fixed", core.JoinNodes(c.Fixed))
	add("forbidden", core.JoinNodes(c.Forbidden))
	if routing != "" {
		parts = append(parts, "nodes="+nodes)
	}
	return template.URL(editorAddress + "#" + strings.Join(parts, "&")) // : in what follows # is no scheme
}

// wrongBody is what the page of wrong cells shows.
type wrongBody struct {
	Cells []atlas.Cell
	Total int
}

func (s *Site) wrong() (document, error) {
	cells, total := s.source.Cells(atlas.Filter{Text: atlas.Wrong, Limit: maxRows})
	return s.render("wrong", wrongAddress, "Wrong records", nil, wrongBody{cells, total})
}

// maxPlotted is how many cells a frontier plot shows.
const maxPlotted = 1000

// sizes are what a page of sizes shows.
type sizes struct {
	Name    string // of the network
	Routing string
	Noun    string // what a processor is called
	Traffic bool   // not all to all
	Count   int    // cells, and how many of them are
	Proved  int
	Open    int
	Beaten  int
	Faults  int
	Editor  template.URL
	Picture string    // address of the plot as a file, "" where there is none
	Pages   []crumb   // where there are several, this one without its address
	Lines   []line    // the cells
	Beside  []crumb   // networks of the same sides to compare with, this one first
	Rows    []sizeRow // by Beside
}

func (s *Site) frontierPage(r atlas.Summary, page int) (document, error) {
	where := r.Where()
	cells, total := s.source.Cells(atlas.Filter{Torus: where, Routing: r.Routing, Offset: (page - 1) * maxRows,
		Limit: maxRows})
	if len(cells) == 0 {
		return document{}, ErrNotFound
	}
	body := sizes{Name: picture.Shown(where), Routing: r.Routing, Noun: "processor", Traffic: r.Traffic != "",
		Count: r.Cells, Proved: r.Proved, Open: r.Open, Beaten: r.Beaten, Faults: r.Faults}
	if body.Traffic {
		body.Noun = "controller"
	}
	if on, err := r.ReadGrid(); err == nil {
		body.Editor = editorOf(on, "", r.Demand, r.Conditions, "")
	}
	s.compare(&body, cells, r)
	for _, c := range cells {
		body.Lines = append(body.Lines, s.line(c))
	}
	if !s.options.Static {
		body.Picture = place(where) + "/" + slug(r.Routing) + ".frontier.svg"
	}
	for i := 1; total > maxRows && (i-1)*maxRows < total; i++ {
		at := crumb{Name: strconv.Itoa(i)}
		if i != page {
			at.Address = frontierAddress(where, r.Routing, i)
		}
		body.Pages = append(body.Pages, at)
	}
	return s.render("frontier", frontierAddress(where, r.Routing, page), body.Name+" under "+r.Routing,
		[]crumb{{body.Name, torusAddress(where)}}, body)
}

// maxBeside is with how many other networks the page of a routing compares.
const maxBeside = 3

// compare fills in the other networks of the same sides under the same routing and traffic, where there are some: as
// many as a plot can tell apart, torus and meshes before those with conditions.
func (s *Site) compare(body *sizes, own []atlas.Cell, r atlas.Summary) {
	first := own[0]
	body.Beside = []crumb{{Name: networkName(r.Where())}}
	lists := [][]atlas.Cell{slices.DeleteFunc(slices.Clone(own), func(c atlas.Cell) bool {
		return c.Routing != first.Routing
	})}
	networks := s.sameTraffic(r.Torus, r.Where())
	slices.SortStableFunc(networks, func(a, b string) int { return conditions(a) - conditions(b) })
	seen := map[atlas.Key]bool{}
	for _, k := range ways(networks, first) {
		cells, total := s.source.Cells(atlas.Filter{Torus: k.Torus, Routing: k.Routing, From: first.Size,
			To: own[len(own)-1].Size})
		if total == 0 || seen[cells[0].Key()] || len(lists) > maxBeside {
			continue // where nothing ties on the other network both tie rules find the same cells
		}
		seen[cells[0].Key()] = true
		routing := cells[0].Routing
		lists = append(lists, slices.DeleteFunc(cells, func(c atlas.Cell) bool { return c.Routing != routing }))
		body.Beside = append(body.Beside, crumb{wayName(k, first), frontierAddress(k.Torus, routing, 1)})
	}
	if len(lists) == 1 {
		body.Beside = nil
		return
	}
	for _, c := range lists[0] {
		row := sizeRow{Size: c.Size, Cells: []*line{s.value(c)}}
		for _, cells := range lists[1:] {
			at, ok := slices.BinarySearchFunc(cells, c.Size, func(c atlas.Cell, n int) int { return c.Size - n })
			if row.Cells = append(row.Cells, nil); ok {
				row.Cells[len(row.Cells)-1] = s.value(cells[at])
			}
		}
		body.Rows = append(body.Rows, row)
	}
}

// conditions returns how many kinds of conditions a network has.
func conditions(where string) int {
	return strings.Count(where, ":fixed=") + strings.Count(where, ":forbidden=")
}

// ways returns, for each of some networks, the keys under the routing of a cell and, where nothing ties in that, under
// the other tie rule, but for the cell itself.
func ways(networks []string, c atlas.Cell) []atlas.Key {
	var list []atlas.Key
	for _, where := range networks {
		for _, routing := range []string{c.Routing, c.Twin} {
			if routing != "" && where != c.Where() {
				list = append(list, atlas.Key{Torus: where, Routing: routing, Size: c.Size})
			}
		}
	}
	return list
}

// traffics is a traffic as part of a key.
var traffics = pattern(`:traffic=clients:request=[0-9]+:reply=[0-9]+` +
	`(:reply-routing=.*?)?(:fixed=|:forbidden=|$)`)

// networkName returns what a network with conditions is called among those of the same traffic.
func networkName(where string) string { return picture.Shown(traffics().ReplaceAllString(where, "$2")) }

// wayName returns the network of a key among those of the traffic of a cell, with its routing where that is not the one
// of the cell, and that of the replies where its tie rule is another than that of the requests.
func wayName(k atlas.Key, c atlas.Cell) string {
	name := networkName(k.Torus)
	if k.Routing != c.Routing {
		name += " under " + k.Routing
	}
	setting, err := objective.ParseWhere(k.Torus)
	if err != nil {
		return name
	}
	replies := setting.Traffic.ReplyText()
	if replies != c.ReplyRouting && strings.HasSuffix(replies, ":tie=both") != strings.HasSuffix(k.Routing, ":tie=both") {
		name += ", replies by " + replies
	}
	return name
}

// frontierPicture returns the plot as a file of its own.
func (s *Site) frontierPicture(r atlas.Summary) (document, error) {
	cells, _ := s.source.Cells(atlas.Filter{Torus: r.Where(), Routing: r.Routing, Limit: maxPlotted})
	chart, err := frontier.Chart(cells, nil)
	if err != nil {
		return document{}, ErrNotFound
	}
	var b bytes.Buffer
	err = picture.SVG(&b, chart)
	return document{kindSVG, b.Bytes()}, err
}
