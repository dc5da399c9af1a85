package pages

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"leeway/core/labels"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/picture"
)

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
	Picture string    // address of the plot as a file
	Pages   []crumb   // where there are several, this one without its address
	Lines   []line    // the cells
	Papered bool      // some have a placement of the papers
	Varied  bool      // some are not proved
	BibTeX  string    // entry by which the table is cited
	Beside  []crumb   // networks of the same sides to compare with, this one first
	Rows    []sizeRow // by Beside
}

// Frontier is a page of the sizes of a routing; pages count from 1.
func Frontier(s Source, r atlas.Summary, page int) (Page, error) {
	where := r.Where()
	cells, total := s.Cells(atlas.Filter{Torus: where, Routing: r.Routing, Offset: (page - 1) * MaxRows,
		Limit: MaxRows})
	if len(cells) == 0 {
		return Page{}, ErrNotFound
	}
	body := sizes{Name: picture.Shown(where), Routing: r.Routing, Noun: "processor", Traffic: r.Traffic != "",
		Count: r.Cells, Proved: r.Proved, Open: r.Open, Beaten: r.Beaten, Faults: r.Faults}
	body.Varied = r.Proved < r.Cells
	if body.Traffic {
		body.Noun = "controller"
	}
	if on, err := r.ReadGrid(); err == nil {
		body.Editor = editorOf(on, "", r.Setting, "")
	}
	compare(s, &body, cells, r)
	for _, c := range cells {
		l := lineOf(c)
		body.Lines, body.Papered = append(body.Lines, l), body.Papered || l.Papers != ""
	}
	body.Picture = labels.Place(where) + "/" + labels.Slug(r.Routing) + FrontierEnding
	body.BibTeX = citation(labels.Place(where)+"."+labels.Slug(r.Routing), fmt.Sprintf(
		"Placements of %ss on %s under %s: {E\\_max} by size", body.Noun, body.Name, r.Routing), cells)
	for i := 1; total > MaxRows && (i-1)*MaxRows < total; i++ {
		at := crumb{Name: strconv.Itoa(i)}
		if i != page {
			at.Address = FrontierAddress(where, r.Routing, i)
		}
		body.Pages = append(body.Pages, at)
	}
	return newPage("frontier", FrontierAddress(where, r.Routing, page), body.Name+" under "+r.Routing,
		[]crumb{{body.Name, TorusAddress(where)}}, body), nil
}

// citation returns the entry in BibTeX by which a table of some cells is cited.
func citation(label, title string, cells []atlas.Cell) string {
	year := ""
	for _, c := range cells {
		year = max(year, c.Found[:min(4, len(c.Found))])
	}
	return fmt.Sprintf("@misc{leeway:%s,\n  title = {%s},\n  author = {{The Leeway authors}},\n"+
		"  howpublished = {table %[1]s of the atlas of Leeway},\n  year = {%[3]s}\n}", label, title, year)
}

// maxBeside is with how many other networks the page of a routing compares.
const maxBeside = 3

// compare fills in the other networks of the same sides under the same routing and traffic, where there are some: as
// many as a plot can tell apart, torus and meshes before those with conditions.
func compare(s Source, body *sizes, own []atlas.Cell, r atlas.Summary) {
	first := own[0]
	body.Beside = []crumb{{Name: networkName(r.Where())}}
	lists := [][]atlas.Cell{slices.DeleteFunc(slices.Clone(own), func(c atlas.Cell) bool {
		return c.Routing != first.Routing
	})}
	networks := sameTraffic(s, r.Torus, r.Where())
	slices.SortStableFunc(networks, func(a, b string) int { return conditions(a) - conditions(b) })
	seen := map[texts.Key]bool{}
	for _, k := range ways(networks, first) {
		cells, total := s.Cells(atlas.Filter{Torus: k.Torus, Routing: k.Routing, From: first.Size,
			To: own[len(own)-1].Size})
		if total == 0 || seen[cells[0].Key()] || len(lists) > maxBeside {
			continue // where nothing ties on the other network both tie rules find the same cells
		}
		seen[cells[0].Key()] = true
		routing := cells[0].Routing
		lists = append(lists, slices.DeleteFunc(cells, func(c atlas.Cell) bool { return c.Routing != routing }))
		body.Beside = append(body.Beside, crumb{wayName(k, first), FrontierAddress(k.Torus, routing, 1)})
	}
	if len(lists) == 1 {
		body.Beside = nil
		return
	}
	for _, c := range lists[0] {
		row := sizeRow{Size: c.Size, Cells: []*line{value(c)}}
		for _, cells := range lists[1:] {
			at, ok := slices.BinarySearchFunc(cells, c.Size, func(c atlas.Cell, n int) int { return c.Size - n })
			if row.Cells = append(row.Cells, nil); ok {
				row.Cells[len(row.Cells)-1] = value(cells[at])
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
func ways(networks []string, c atlas.Cell) []texts.Key {
	var list []texts.Key
	for _, where := range networks {
		for _, routing := range []string{c.Routing, c.Twin} {
			if routing != "" && where != c.Where() {
				list = append(list, texts.Key{Torus: where, Routing: routing, Size: c.Size})
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
func wayName(k texts.Key, c atlas.Cell) string {
	name := networkName(k.Torus)
	if k.Routing != c.Routing {
		name += " under " + k.Routing
	}
	on, err := texts.ParseWhere(k.Torus)
	if err != nil {
		return name
	}
	replies := on.Traffic.ReplyText()
	if replies != c.ReplyRouting && strings.HasSuffix(replies, ":tie=both") != strings.HasSuffix(k.Routing, ":tie=both") {
		name += ", replies by " + replies
	}
	return name
}
