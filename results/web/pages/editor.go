package pages

import (
	"encoding/json"
	"html/template"
	"slices"
	"strings"
	"sync"

	"leeway/core"
	"leeway/core/words"
	"leeway/results"
	"leeway/results/atlas"
)

// maxEditorNodes is how many nodes a network has at most that the editor shows.
const maxEditorNodes = 1024

// editorData is what the script of the editor reads.
type editorData struct {
	Engine   string      `json:"engine"`   // the address of what computes, "" where there is none
	Torus    string      `json:"torus"`    // sides to begin with
	Routings [][2]string `json:"routings"` // text and words of those to choose from, at first the first
	Known    []string    `json:"known"`    // sides of which the atlas has cells, see known
	Static   bool        `json:"static"`   // for the start page: no server has records
}

// editorRoutings returns those that the editor offers, with words for them.
var editorRoutings = sync.OnceValue(func() (list [][2]string) {
	for _, text := range []string{"udr:tie=both", "udr:tie=plus", "odr:tie=plus", "odr:tie=both",
		"odr:order=1,0:tie=plus", "odr:order=1,0:tie=both", "minimal:tie=both", "avoid:tie=both", "west-first:tie=both",
		"north-last:tie=both", "negative-first:tie=both", "val:tie=both", "romm:tie=both", "rlb:tie=both"} {
		list = append(list, [2]string{text, words.Routing(core.MustTorus(8, 8), text)})
	}
	return list
})

// Editor is the page on which placements are made by hand. Engine is the address of what computes, "" for nothing.
func Editor(s Source, engine string) Page {
	return newPage("editor", EditorAddress, "Editor", nil, editorOfSource(s, engine))
}

func editorOfSource(s Source, engine string) editorData {
	return editorData{Engine: engine, Torus: first[0], Routings: editorRoutings(), Known: Editable(s)}
}

// Editable returns the sides of which the atlas has networks that the editor can show.
func Editable(s Source) []string {
	var list []string
	for _, t := range s.Tori() { // those of the same sides are neighbours
		if drawn(t.Torus) {
			list = append(list, core.JoinInts(t.Torus, "x"))
		}
	}
	return slices.Compact(list)
}

// Known is a script that tells the editor what the atlas has of the networks of some sides, by network, traffic and
// conditions, and by routing: the address of the routing, then of each cell size, E_max, and the lower bound where that
// is another.
func Known(s Source, sides string) ([]byte, error) {
	all := map[string]map[string][]any{}
	for _, t := range s.Tori() {
		if !drawn(t.Torus) || core.JoinInts(t.Torus, "x") != sides || len(all) == maxCompared {
			continue
		}
		ways := map[string][]any{}
		for _, r := range t.Routings {
			cells, _ := s.Cells(atlas.Filter{Torus: t.Where(), Routing: r.Routing, Limit: maxEditorNodes})
			list := []any{strings.TrimSuffix(FrontierAddress(t.Where(), r.Routing, 1), PageEnding)}
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
		return nil, ErrNotFound
	}
	text, err := json.Marshal(all)
	return slices.Concat([]byte("known("), text, []byte(");\n")), err
}

// drawn reports whether the editor can show a torus.
func drawn(sides []int) bool {
	nodes := 1
	for _, k := range sides {
		nodes *= min(k, maxEditorNodes+1)
	}
	return len(sides) > 0 && len(sides) <= 4 && nodes <= maxEditorNodes
}

// editorOf returns the address of the editor with a network, its traffic and conditions, a routing and some nodes, ""
// where the editor cannot show them. With a routing and no nodes it ends where they are to stand; without a routing the
// editor shows a placement of its own.
func editorOf(t *core.Torus, nodes string, s results.Setting, routing string) template.URL {
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
	if s.Matrix == nil { // the script of the page has it from the record
		add("traffic", s.Traffic)
	}
	add("reply-routing", s.ReplyRouting)
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
	add("fixed", core.JoinNodes(s.Fixed))
	add("forbidden", core.JoinNodes(s.Forbidden))
	if routing != "" {
		parts = append(parts, "nodes="+nodes)
	}
	return template.URL(EditorAddress + "#" + strings.Join(parts, "&")) // : in what follows # is not a scheme
}
