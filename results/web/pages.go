package web

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/atlas"
	"leeway/results/audit"
	"leeway/results/picture"
)

// searchBody is what the page of a search shows.
type searchBody struct {
	Query  string
	Cells  []atlas.Cell
	Total  int
	Index  []indexEntry // for the script of a static site
	Asked  bool
	Limit  int
	Filter string // what was understood, in words
}

// An indexEntry names the sizes of a network and a routing: all that the script of a static site needs to find pages.
type indexEntry struct {
	Torus   string `json:"t"`
	Place   string `json:"p,omitempty"` // the part of addresses that names the network, where it is not its text
	Mesh    bool   `json:"m,omitempty"`
	Routing string `json:"r"`
	Slug    string `json:"s"`
	Sizes   string `json:"n"` // of cells, such as 1-16 20
}

// maxQuery is the longest query that is looked at.
const maxQuery = 200

// search finds cells by words: a torus or network, a size such as n=16 or 16, open, beaten, wrong, mesh, clients, 1:4
// for their requests and replies, and anything else that occurs in a cell.
func (s *Site) search(query string) (document, error) {
	body := searchBody{Query: query, Asked: strings.TrimSpace(query) != "", Limit: maxRows}
	if s.options.Static {
		body.Index = s.index()
	} else if body.Asked {
		f := readQuery(query)
		f.Limit = maxRows
		body.Cells, body.Total = s.source.Cells(f)
	}
	return s.fill("search", frame{Address: searchAddress, Title: "Search", Query: query, Body: body})
}

var sizeWord = pattern(`^(?:n=)?([0-9]{1,9})$`)

var messagesWord = pattern(`^([0-9]{1,7}):([0-9]{1,7})$`)

// readQuery turns the words of a query into a filter.
func readQuery(query string) atlas.Filter {
	f := atlas.Filter{}
	var rest []string
	words := strings.Fields(strings.ToLower(query))
	mesh := slices.Contains(words, "mesh")
	var clients, messages string // parts of a key
	if slices.Contains(words, "clients") {
		clients = ":traffic=clients:"
	}
	for _, w := range words {
		if m := sizeWord().FindStringSubmatch(w); m != nil && f.From == 0 {
			f.From, _ = strconv.Atoi(m[1]) // at most nine digits
			f.To = f.From
			continue
		}
		switch w {
		case "open":
			f.Open = true
			continue
		case "beaten":
			f.Beaten = true
			continue
		case "wrong":
			f.Faulty = true
			continue
		case "on", "under", "best", "processors", "controllers", "with", "mesh", "clients":
			continue
		}
		if m := messagesWord().FindStringSubmatch(w); m != nil && messages == "" {
			clients, messages = ":traffic=clients:", "request="+m[1]+":reply="+m[2]
			continue
		}
		if where, ok := network(w, mesh); ok && f.Torus == "" && strings.ContainsAny(w, "x^") {
			f.Torus = where
			continue
		}
		rest = append(rest, w)
	}
	if clients != "" && !strings.Contains(f.Torus, ":traffic=") { // of any routing of replies
		rest = append(rest, f.Torus+clients+messages)
		mesh = mesh && f.Torus == ""
		f.Torus = ""
	}
	if mesh && f.Torus == "" {
		rest = append(rest, ":open=")
	}
	f.Text = strings.Join(rest, " ")
	return f
}

// network returns the canonical text of a network with traffic and conditions; ok is false for what is none. With mesh,
// sides alone are those of a mesh.
func network(text string, mesh bool) (where string, ok bool) {
	if mesh {
		head := beyond().Split(text, 2)[0]
		if t, err := core.ParseMesh(head); err == nil {
			text = t.String() + text[len(head):]
		}
	}
	where, err := canonical(text)
	return where, err == nil
}

// beyond begins what stands after a network in a key.
var beyond = pattern(`:(traffic|reply-routing|fixed|forbidden|radius)=`)

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

// index lists every torus and routing with its sizes.
func (s *Site) index() []indexEntry {
	var list []indexEntry
	for _, t := range s.source.Tori() {
		for _, r := range t.Routings {
			if len(r.Torus) == 0 {
				continue
			}
			cells, _ := s.source.Cells(atlas.Filter{Torus: r.Where(), Routing: r.Routing})
			e := indexEntry{Torus: r.Where(), Routing: r.Routing, Slug: slug(r.Routing), Sizes: ranges(cells)}
			if at := place(e.Torus); at != e.Torus {
				e.Place, e.Mesh = at, strings.HasPrefix(picture.Shown(e.Torus), "mesh ")
			}
			list = append(list, e)
		}
	}
	return list
}

// ranges writes the sizes of cells, which ascend, as 1-16 20.
func ranges(cells []atlas.Cell) string {
	var parts []string
	for i := 0; i < len(cells); {
		j := i
		for j+1 < len(cells) && cells[j+1].Size == cells[j].Size+1 {
			j++
		}
		text := strconv.Itoa(cells[i].Size)
		if j > i {
			text += "-" + strconv.Itoa(cells[j].Size)
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
	Static   bool     `json:"static"`
	Known    []string `json:"known"` // sides of which the atlas has cells, see known
}

// editorRoutings are those that the editor offers; those with an order belong to two dimensions.
var editorRoutings = []string{"udr:tie=both", "udr:tie=plus", "odr:tie=plus", "odr:tie=both",
	"odr:order=1,0:tie=plus", "odr:order=1,0:tie=both", "minimal:tie=both", "avoid:tie=both"}

// editor is the page on which placements are made by hand.
func (s *Site) editor() (document, error) {
	data := editorData{Torus: first[0], Routings: editorRoutings, Static: s.options.Static, Known: s.editable()}
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
	Failures                       []audit.Item
	Papers                         []paperItems
}

// paperItems are the claims of a paper that do not fail.
type paperItems struct {
	audit.Paper
	Holds, Untested []audit.Item
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
				body.Failures = append(body.Failures, it)
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
