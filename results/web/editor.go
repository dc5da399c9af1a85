package web

import (
	"leeway/core"
	"leeway/core/routing"
	"leeway/results/atlas"
)

// maxEditorSide is the largest side of a torus that the editor shows.
const maxEditorSide = 16

// editorBody is what the editor starts from. Its script computes loads and bounds
// itself, exactly, by listing paths; a test holds it against the naive evaluator.
type editorBody struct {
	Torus string
	Data  editorData
}

// editorData is what the script reads.
type editorData struct {
	Sides    []int                  `json:"sides"`
	Routings []string               `json:"routings"`
	Known    map[string][]knownCell `json:"known"` // by routing: what the atlas knows of every size
	Start    [][]int                `json:"start"` // processors to begin with
	Way      string                 `json:"way"`   // routing to begin with
}

// A knownCell is what the editor compares a placement with.
type knownCell struct {
	Size  int    `json:"n"`
	Best  string `json:"best"`
	Bound string `json:"bound"`
	Page  string `json:"page"`
}

// editorRoutings are those that the script of the editor knows.
var editorRoutings = []string{"udr:tie=both", "udr:tie=plus", "odr:tie=plus", "odr:tie=both", "odr:order=1,0:tie=plus", "minimal:tie=both", "avoid:tie=both"}

func (s *Site) editor(t atlas.Summary) (document, error) {
	if !planar(t.Torus) {
		return document{}, ErrNotFound
	}
	name := torusName(t.Torus)
	address := editorAddress(name)
	data := editorData{Sides: t.Torus, Routings: editorRoutings, Known: map[string][]knownCell{}, Start: [][]int{}, Way: editorRoutings[0]}
	for _, r := range editorRoutings {
		cells, _ := s.source.Cells(atlas.Filter{Torus: name, Routing: r, Limit: maxEditorSide * maxEditorSide})
		list := []knownCell{}
		for _, c := range cells {
			if c.Fault == "" {
				list = append(list, knownCell{c.Size, c.MaxLoad, c.LowerBound, root(address) + cellAddress(c.Key(), pageEnding)})
			}
		}
		data.Known[r] = list
	}
	trail := []crumb{{name, torusAddress(name)}}
	return s.render("editor", address, "Editor for "+name, trail, editorBody{Torus: name, Data: data})
}

// canonical returns the one form of a routing's text, "" for what is none.
func canonical(t *core.Torus, text string) string {
	r, err := routing.Parse(t, text)
	if err != nil {
		return ""
	}
	return r.String()
}
