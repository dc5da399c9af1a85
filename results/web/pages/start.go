package pages

import (
	"html/template"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/audit"
)

// startBody is what the start page shows.
type startBody struct {
	Total    atlas.Summary // counts of all
	Beaten   int           // cells of plain tori that beat the papers, which are about these
	Verified int           // of the proved, values that checkers have accepted
	Claims   int           // of the papers
	Fails    int           // those that fail
	Example  *example      // nil without its cell
	Networks []string      // some to begin with
	Papers   []reading
	Identify editorData // for the script that says whether a placement is known
}

// An example is a cell beside the papers' placement.
type example struct {
	Cell          atlas.Cell
	Theirs        atlas.Family
	Papers, Known drawing
	Editor        template.URL // its address, with the placement
}

// A reading is a document that has a page.
type reading struct{ Address, Name, About string }

// Start is the start page. Engine is the address of what computes, "" for nothing.
func Start(s Source, engine string, static bool) (Page, error) {
	claims, err := audit.Shipped()
	if err != nil {
		return Page{}, err
	}
	table, err := atlas.ShippedVerified()
	if err != nil {
		return Page{}, err
	}
	body := startBody{Claims: len(claims), Fails: audit.Count(claims, audit.Fails)}
	body.Identify = editorOfSource(s, engine)
	body.Identify.Static = static
	held := map[string]bool{}
	for _, t := range s.Tori() {
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
		if c, ok := s.Cell(v.Key); ok {
			if _, holds := table.ValueOf(c); holds {
				body.Verified++
			}
		}
	}
	if body.Example, err = exampleOf(s, texts.Key{Torus: "8x8", Routing: "udr:tie=both", Size: 16}); err != nil {
		return Page{}, err
	}
	for _, d := range documents[:9] {
		if !slices.Contains([]string{"findings", "laws", "audit"}, d.Name) { // which the menu has
			name := strings.ReplaceAll(strings.ToUpper(d.Name[:1])+d.Name[1:], "-", " ")
			body.Papers = append(body.Papers, reading{DocumentAddress(d.Name), name, d.About})
		}
	}
	return newPage("start", StartAddress, "", nil, body), nil
}

// first are the networks to begin with; the editor begins with the first.
var first = []string{"8x8", "4x4", "5x5", "6x6", "7x7", "4x4x4", "8x8:open=0,1", "6x6:open=0,1"}

const maxFirst = 8

// exampleOf returns a cell beside the papers' placement, nil where it has none or does not beat it.
func exampleOf(s Source, k texts.Key) (*example, error) {
	d, ok, err := s.Detail(k)
	if err != nil || !ok || d.Record == nil || !d.Beats() {
		return nil, err
	}
	problem, p, err := placementOf(d)
	if err != nil {
		return nil, err
	}
	e := &example{Cell: d.Cell, Known: drawingOf(problem, p, fast.Evaluate(problem, p))}
	e.Editor = editorOf(p.Torus(), core.JoinNodes(d.Record.Nodes), d.Setting, d.Routing)
	e.Theirs, _ = d.Papers()
	theirs, err := family.Parse(p.Torus(), e.Theirs.Placement)
	e.Papers = drawingOf(problem, theirs, fast.Evaluate(problem, theirs))
	e.Known.Most = e.Theirs.MaxLoad // the same colours for the same loads
	return e, err
}
