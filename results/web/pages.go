package web

import (
	"encoding/json"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/audit"
	"leeway/results/picture"
)

// searchBody is what the page of a search shows.
type searchBody struct {
	Query   string
	Asked   bool
	Missing []string // words that no cell has
	Cells   []atlas.Cell
	Total   int
	Index   *searchIndex // for the script of a static site
	Limit   int          // of cells that are listed
}

// A searchIndex is what the script of a static site searches: the cells in the order of the atlas, by network and
// routing, and their words.
type searchIndex struct {
	Ways  []indexedWay      `json:"ways"`
	Words map[string]string `json:"words"` // positions of cells by word, as rangesText writes them; see atlas.Words
}

// An indexedWay has the cells of a network and a routing.
type indexedWay struct {
	Name   string   `json:"name"`
	At     string   `json:"at"`     // the part of addresses up to the size; "" where the cells have no page
	Sizes  string   `json:"sizes"`  // as rangesText writes them
	Values []string `json:"values"` // E_max, or the bounds of it, by size
}

// maxQuery is the longest query that is looked at.
const maxQuery = 200

// search finds cells by words, see atlas.Words. In a static site its script does, by an index.
func (s *Site) search(query string) (document, error) {
	body := searchBody{Query: query, Asked: strings.TrimSpace(query) != "", Limit: maxRows}
	if s.options.Static {
		body.Index = s.index()
	} else if body.Asked {
		_, body.Missing = s.source.Words().Find(query)
		body.Cells, body.Total = s.source.Cells(atlas.Filter{Text: query, Limit: maxRows})
	}
	return s.fill("search", frame{Address: searchAddress, Title: "Search", Query: query, Body: body})
}

// canonical returns the canonical text of a network with traffic and conditions. Errors are *core.InputError.
func canonical(text string) (string, error) {
	s, err := objective.ParseWhere(text)
	if err != nil {
		return "", err
	}
	// Replies by the routing of the problem are no part of a key: it has to be another.
	p := objective.Problem{Routing: routing.NewUDR(s.Torus, routing.TieBoth)}
	if s.Traffic.ReplyText() == p.Routing.String() {
		p.Routing = routing.NewUDR(s.Torus, routing.TiePlus)
	}
	p, err = s.Of(p)
	return p.Where(), err
}

// index returns what the script of a static site searches.
func (s *Site) index() *searchIndex {
	cells, _ := s.source.Cells(atlas.Filter{})
	index := &searchIndex{Words: map[string]string{}}
	for word, list := range s.source.Words() {
		index.Words[word] = rangesText(list)
	}
	for i := 0; i < len(cells); {
		k, way, sizes := cells[i].Key(), indexedWay{}, []int(nil)
		if len(cells[i].Torus) > 0 {
			way.At = strings.TrimSuffix(cellAddress(atlas.Key{Torus: k.Torus, Routing: k.Routing}, ""), "0")
		}
		way.Name = picture.Shown(k.Torus) + " " + k.Routing
		for ; i < len(cells) && cells[i].Where() == k.Torus && cells[i].Routing == k.Routing; i++ {
			sizes, way.Values = append(sizes, cells[i].Size), append(way.Values, valueText(cells[i]))
		}
		way.Sizes = rangesText(sizes)
		index.Ways = append(index.Ways, way)
	}
	return index
}

// valueText returns E_max of a cell, or what is known of it.
func valueText(c atlas.Cell) string {
	switch {
	case c.Fault != "":
		return "–"
	case c.MaxLoad == "":
		return "at least " + c.LowerBound
	case c.Status != atlas.Optimal:
		return c.LowerBound + " to " + c.MaxLoad
	}
	return c.MaxLoad
}

// rangesText writes ascending numbers as 1-16 20.
func rangesText(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		text := strconv.Itoa(list[i])
		if j > i {
			text += "-" + strconv.Itoa(list[j])
		}
		parts = append(parts, text)
		i = j + 1
	}
	return strings.Join(parts, " ")
}

// maxEditorNodes is how many nodes a network has at most that the editor shows.
const maxEditorNodes = 1024

// editorData is what the script of the editor reads.
type editorData struct {
	Engine   string   `json:"engine"`   // the address of what computes, "" where there is none
	Torus    string   `json:"torus"`    // sides to begin with
	Routings []string `json:"routings"` // to choose from; others can be written. The first is the one to begin with
	Known    []string `json:"known"`    // sides of which the atlas has cells, see known
}

// editorRoutings are those that the editor offers; those with an order belong to two dimensions.
var editorRoutings = []string{"udr:tie=both", "udr:tie=plus", "odr:tie=plus", "odr:tie=both",
	"odr:order=1,0:tie=plus", "odr:order=1,0:tie=both", "minimal:tie=both", "avoid:tie=both"}

// editor is the page on which placements are made by hand.
func (s *Site) editor() (document, error) {
	data := editorData{Torus: first[0], Routings: editorRoutings, Known: s.editable()}
	if s.options.Engine != nil {
		data.Engine = engineAddress
	}
	return s.render("editor", editorAddress, "Editor", nil, data)
}

// editable returns the sides of which the atlas has networks that the editor can show.
func (s *Site) editable() []string {
	var list []string
	for _, t := range s.source.Tori() { // those of the same sides are neighbours
		if drawn(t.Torus) {
			list = append(list, core.JoinInts(t.Torus, "x"))
		}
	}
	return slices.Compact(list)
}

// moved leads from the editor of some sides to that of all.
func (s *Site) moved(sides string) (document, error) {
	if !slices.Contains(s.editable(), sides) {
		return document{}, ErrNotFound
	}
	return s.render("moved", sides+movedEditor, "Editor", nil, editorAddress+"?torus="+sides)
}

// known is a script that tells the editor what the atlas has of the networks of some sides, by network, traffic and
// conditions, and by routing: the address of the routing, then of each cell size, E_max, and the lower bound where that
// is another.
func (s *Site) known(sides string) (document, error) {
	all := map[string]map[string][]any{}
	for _, t := range s.source.Tori() {
		if !drawn(t.Torus) || core.JoinInts(t.Torus, "x") != sides || len(all) == maxCompared {
			continue
		}
		ways := map[string][]any{}
		for _, r := range t.Routings {
			cells, _ := s.source.Cells(atlas.Filter{Torus: t.Where(), Routing: r.Routing, Limit: maxEditorNodes})
			list := []any{strings.TrimSuffix(frontierAddress(t.Where(), r.Routing, 1), pageEnding)}
			for _, c := range cells {
				switch {
				case c.Fault != "" || c.Routing != r.Routing:
				case c.LowerBound == c.MaxLoad:
					list = append(list, []any{c.Size, c.MaxLoad})
				default:
					list = append(list, []any{c.Size, c.MaxLoad, c.LowerBound})
				}
			}
			ways[r.Routing] = list
		}
		all[t.Where()] = ways
	}
	if len(all) == 0 {
		return document{}, ErrNotFound
	}
	text, err := json.Marshal(all)
	return document{kindJS, slices.Concat([]byte("known("), text, []byte(");\n"))}, err
}

// auditBody is what the page about the papers' claims shows.
type auditBody struct {
	Claims, Holds, Fails, Untested int
	MaxK                           int
	Failures                       []failure
	Papers                         []paperItems
}

// paperItems are the claims of a paper that do not fail, and how many do.
type paperItems struct {
	audit.Paper
	Holds, Untested []audit.Item
	Fails           int
}

// A failure is a claim that fails. The smallest case may be a placement that the editor shows, and a cell.
type failure struct {
	audit.Item
	Editor template.URL // "" where the editor does not show it
	Cell   string       // page, "" where there is none
}

// failureOf returns a claim that fails with where its placement is shown, as far as its command names one. Without a
// routing the editor shows the placement under minimal.
func (s *Site) failureOf(it audit.Item) failure {
	f, option := failure{Item: it}, map[string]string{"routing": "minimal"}
	if it.Counterexample == nil {
		return f
	}
	words := strings.Fields(it.Counterexample.Command)
	for i, word := range words[:max(0, len(words)-1)] {
		if name, ok := strings.CutPrefix(word, "--"); ok {
			option[name] = words[i+1]
		}
	}
	t, err := core.ParseNetwork(option["torus"])
	if err != nil {
		return f
	}
	p, err := family.Parse(t, option["placement"])
	r, wrong := routing.Parse(t, option["routing"])
	if err != nil || wrong != nil {
		return f
	}
	f.Editor = editorOf(t, core.JoinNodes(p.Coords()), results.Demand{}, results.Conditions{}, r.String())
	if c, ok := s.source.Cell(atlas.Key{Torus: t.String(), Routing: r.String(), Size: p.Size()}); ok && c.Fault == "" {
		f.Cell = pageOf(c.Key())
	}
	return f
}

// audit is the page about the papers' claims. It shows the findings that are part of the program, which do not depend
// on what the site shows.
func (s *Site) audit() (document, error) {
	items, err := audit.Shipped()
	if err != nil {
		return document{}, err
	}
	body := auditBody{Claims: len(items), Holds: audit.Count(items, audit.Holds), Fails: audit.Count(items, audit.Fails),
		Untested: audit.Count(items, audit.Untested), MaxK: audit.DefaultMaxK}
	for _, paper := range audit.Papers() {
		group := paperItems{Paper: paper}
		for _, it := range items {
			switch {
			case !paper.Has(it.Claim):
			case it.Verdict == audit.Fails:
				body.Failures = append(body.Failures, s.failureOf(it))
				group.Fails++
			case it.Verdict == audit.Holds:
				group.Holds = append(group.Holds, it)
			default:
				group.Untested = append(group.Untested, it)
			}
		}
		body.Papers = append(body.Papers, group)
	}
	return s.render("audit", auditAddress, "What the papers claim", nil, body)
}
