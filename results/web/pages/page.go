// Package pages says what each page of an atlas shows: its name, its title and its content, which come from a Source.
// Where it is served from, and how requests reach it, is the matter of the package around this one.
package pages

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"

	"leeway/core"
	"leeway/core/words"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/picture"
)

// A Source is what a site shows; *atlas.Atlas is one.
type Source interface {
	Tori() []atlas.Summary
	Cells(atlas.Filter) (cells []atlas.Cell, total int)
	Words() atlas.Words
	Cell(texts.Key) (atlas.Cell, bool)
	Detail(texts.Key) (atlas.Detail, bool, error)
}

// A Page is what an address shows, wherever it is served.
type Page struct {
	Template string // of this package, which has the words
	Address  string // relative to the root
	Root     string // way to the root: "", "../" and so on
	Title    string
	Query    string // in the search box
	Trail    []crumb
	Body     any
}

// A crumb is a step on the way from the start page.
type crumb struct{ Name, Address string }

// newPage returns a page with its way to the root.
func newPage(template, address, title string, trail []crumb, body any) Page {
	return Page{Template: template, Address: address, Root: root(address), Title: title, Trail: trail, Body: body}
}

// AboutPage is the page that explains the others.
func AboutPage() Page {
	return newPage("about", AboutAddress, "How to read and check", nil, programBibTeX)
}

// programBibTeX cites the program as CITATION.cff does.
const programBibTeX = `@software{leeway,
  title = {Leeway: optimal placements of processors on tori},
  author = {{The Leeway authors}},
  version = {0.1.0},
  year = {2026},
  license = {BSD-3-Clause}
}`

// Fault is the page that says what is wrong. It may be asked for at any address, and so leads to the others from the
// root.
func Fault(title, text string) Page {
	return Page{Template: "error", Root: "/", Title: title, Body: text}
}

// Runs is the page of a list of running searches.
func Runs(list any) Page { return newPage("runs", RunsAddress, "Running searches", nil, list) }

// A Frame is what stands around all pages of a site.
type Frame struct {
	Static  bool   // no server answers: what one would compute on demand is left to scripts, or away
	Name    string // of what is shown, "the shipped atlas" or the name of a store
	Version string // of the program
	Runs    bool   // there is a page about running searches
}

// Templates make pages HTML. They may be used by many at once.
type Templates struct {
	frame  Frame
	byName map[string]*template.Template
}

//go:embed *.html
var files embed.FS

// NewTemplates returns the templates of all pages in a frame.
func NewTemplates(f Frame) (*Templates, error) {
	t := &Templates{f, map[string]*template.Template{}}
	parts, err := template.New("parts.html").Funcs(functions).ParseFS(files, "parts.html")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"start", "torus", "frontier", "cell", "editor", "search", "about",
		"networks", "gallery", "document", "wrong", "runs", "error", "unfilled"} {
		list, whole := []string{name + ".html"}, name+".html"
		if name != "unfilled" { // which has no layout
			list, whole = []string{"layout.html", name + ".html"}, "layout.html"
		}
		page, err := parts.Clone()
		if err == nil {
			page, err = page.ParseFS(files, list...)
		}
		if err != nil {
			return nil, err
		}
		t.byName[name] = page.Lookup(whole)
	}
	return t, nil
}

// HTML fills in a page.
func (t *Templates) HTML(p Page) ([]byte, error) { return t.part("", p) }

// part fills in a part of a page, "" for all of it.
func (t *Templates) part(name string, p Page) ([]byte, error) {
	var b bytes.Buffer
	page := t.byName[p.Template]
	err := page.ExecuteTemplate(&b, cmp.Or(name, page.Name()), struct {
		Page
		Frame
	}{p, t.frame})
	return b.Bytes(), err
}

// CellWords is what the script of cells begins with: the sentences about bounds and, in a static site, what stands
// above and below every page.
func (t *Templates) CellWords() ([]byte, error) {
	words := struct {
		Bounds      map[string]string
		Top, Bottom string `json:",omitempty"`
	}{Bounds: arguments}
	if t.frame.Static {
		cell := newPage("unfilled", CellAddress(texts.Key{}), "", nil, nil)
		top, err := t.part("top", cell)
		if err != nil {
			return nil, err
		}
		bottom, err := t.part("bottom", cell)
		if err != nil {
			return nil, err
		}
		words.Top, words.Bottom = string(top), string(bottom)
	}
	text, err := json.Marshal(words)
	return fmt.Appendf(nil, "const Words = %s;\n", text), err
}

// ErrNotFound is returned for what has no page.
var ErrNotFound = errors.New("there is no such page")

// functions are what templates may call.
var functions = template.FuncMap{
	"cell":      CellAddress,
	"frontier":  func(torus, routing string) string { return FrontierAddress(torus, routing, 1) },
	"torus":     TorusAddress,
	"galleryOf": GalleryOf,
	"network":   networkName,
	"shown":     picture.Shown,
	"words":     routed,
	"nodes":     core.JoinNodes,
	"plural":    plural,
	"counted":   counted,
	"decimal":   decimal,
	"inShort":   inShort,
}

// routed returns the routing of a cell as captions name it.
func routed(k texts.Key) (string, error) {
	p, err := k.Problem()
	if err != nil {
		return "", err
	}
	return words.Routing(p.Torus(), k.Routing), nil
}

// plural returns a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
