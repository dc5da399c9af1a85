// Package web shows an atlas as pages: served by a program, or written out as a site that opens from disk.
//
// A Site renders. Every page has one address, a path relative to the root such as 8x8/udr-tie-both/16.html, and all
// links are relative, so that a served page and a written one are the same bytes. A Server answers requests from a
// Site; Export writes every page of one. Live is the hub of a page that follows work in progress.
//
// Pages are HTML of the server and work without scripts; a script adds what needs one: loads under the pointer, the
// editor, the live page. Nothing comes from another host, and the Content-Security-Policy says so. All text that
// comes from records is escaped by html/template.
//
//	site, err := web.NewSite(atlas, web.Options{})
//	server := web.NewServer(site, web.Access{Loopback: true})
//	err = http.Serve(listener, server)
package web

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/congestion"
	"leeway/results/atlas"
	"leeway/results/audit"
	"leeway/results/picture"
)

//go:embed pages assets
var files embed.FS

// A Source is what a site shows; *atlas.Atlas is one.
type Source interface {
	Tori() []atlas.Summary
	Cells(atlas.Filter) (cells []atlas.Cell, total int)
	Words() atlas.Words
	Cell(atlas.Key) (atlas.Cell, bool)
	Detail(atlas.Key) (atlas.Detail, bool, error)
}

// Options says what a site is like.
type Options struct {
	// Static is for pages that no server answers for: what a server would compute on demand stands in them or is left
	// to scripts.
	Static bool
	// Name says what is shown, "the shipped atlas" or the name of a store.
	Name string
	// Version of the program.
	Version string
	// Bare is for a site of a live page alone, without an atlas to search.
	Bare bool
	// Runs says that there is a page about running searches.
	Runs bool
	// Engine is the script that tools/engine.sh makes, for the editor, which without one only draws.
	Engine []byte
	// Split bounds the effort for saying what is lost to placement and routing; the zero value is a second or so on
	// small tori, and less in a static site, which has the answers for all cells.
	Split congestion.Options
	// SplitTime bounds how long a request waits for that; 0: ten seconds. What is known then is shown: an answer that
	// must not depend on the machine takes a longer time.
	SplitTime time.Duration
}

// A Site renders the pages of an atlas. It may be used by many at once.
type Site struct {
	source  Source
	options Options
	pages   map[string]*template.Template
	splits  splitCache
}

// ErrNotFound is returned for addresses without a page.
var ErrNotFound = errors.New("there is no such page")

// NewSite returns the site of an atlas.
func NewSite(s Source, o Options) (*Site, error) {
	o.SplitTime = cmp.Or(o.SplitTime, splitTime)
	if o.Split == (congestion.Options{}) {
		o.Split = congestion.Options{ExactClasses: 64, GuessClasses: 300, Pivots: 2000, Rounds: 200, Work: 1 << 24}
		if o.Static {
			o.Split = congestion.Options{ExactClasses: 32, GuessClasses: 100, Pivots: 400, Rounds: 50, Work: 1 << 22}
		}
	}
	site := &Site{source: s, options: o, pages: map[string]*template.Template{}}
	layout, err := template.New("layout.html").Funcs(functions).ParseFS(files, "pages/layout.html", "pages/parts.html")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"start", "torus", "frontier", "cell", "split", "editor", "search", "about",
		"audit", "controllers", "networks", "lattices", "gallery", "document", "wrong", "live", "error"} {
		page, err := layout.Clone()
		if err == nil {
			page, err = page.ParseFS(files, "pages/"+name+".html")
		}
		if err != nil {
			return nil, err
		}
		site.pages[name] = page
	}
	for _, name := range []string{"moved.html", "unfilled.html"} { // which have no layout
		page, err := template.New(name).Funcs(functions).ParseFS(files, "pages/parts.html", "pages/"+name)
		if err != nil {
			return nil, err
		}
		site.pages[strings.TrimSuffix(name, ".html")] = page
	}
	return site, nil
}

// functions are what templates may call.
var functions = template.FuncMap{
	"cell":      pageOf,
	"frontier":  func(torus, routing string) string { return frontierAddress(torus, routing, 1) },
	"torus":     torusAddress,
	"galleryOf": galleryOf,
	"network":   networkName,
	"shown":     picture.Shown,
	"words":     words,
	"nodes":     core.JoinNodes,
	"plural":    plural,
	"counted":   counted,
	"sentence":  audit.Sentence,
	"decimal":   decimal,
	"inShort":   inShort,
}

// words returns the routing of a cell as captions name it.
func words(k atlas.Key) (string, error) {
	p, err := k.Problem()
	if err != nil {
		return "", err
	}
	return routing.Words(p.Torus(), k.Routing), nil
}

// plural returns a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// A document is the answer to a request for an address.
type document struct {
	kind string // MIME type
	body []byte
}

// Kinds of documents.
const (
	kindHTML = "text/html; charset=utf-8"
	kindSVG  = "image/svg+xml"
	kindPNG  = "image/png"
	kindJSON = "application/json"
	kindCSS  = "text/css; charset=utf-8"
	kindJS   = "text/javascript; charset=utf-8"
)

// A frame is what the layout of every page needs.
type frame struct {
	Address string
	Root    string // way to the root: "", "../" and so on
	Title   string
	Options
	Query string // in the search box
	Trail []crumb
	Body  any
}

// A crumb is a step on the way from the start page.
type crumb struct{ Name, Address string }

// render fills in a page.
func (s *Site) render(page, address, title string, trail []crumb, body any) (document, error) {
	return s.fill(page, frame{Address: address, Root: root(address), Title: title, Trail: trail, Body: body})
}

// fault renders the page that says what is wrong. It may be asked for at any address, and so leads to the others from
// the root.
func (s *Site) fault(title, text string) (document, error) {
	return s.fill("error", frame{Root: "/", Title: title, Body: text})
}

func (s *Site) fill(page string, f frame) (document, error) {
	f.Options = s.options
	var b bytes.Buffer
	if err := s.pages[page].Execute(&b, f); err != nil {
		return document{}, err
	}
	return document{kindHTML, b.Bytes()}, nil
}

// engineAddress is that of Options.Engine.
const engineAddress = "assets/engine.wasm.js"

// asset returns a file that pages need: the style sheet, with the rules of pictures, or a script.
func (s *Site) asset(address string) (document, error) {
	if address == engineAddress && s.options.Engine != nil {
		return document{kindJS, s.options.Engine}, nil
	}
	data, err := files.ReadFile(address)
	switch {
	case err != nil:
		return document{}, ErrNotFound
	case address == "assets/cell.js":
		head, err := s.cellScript()
		return document{kindJS, append(head, data...)}, err
	case strings.HasSuffix(address, ".css"):
		return document{kindCSS, append(data, picture.StyleSheet(picture.Auto)...)}, nil
	case strings.HasSuffix(address, ".js"):
		return document{kindJS, data}, nil
	}
	return document{kindSVG, data}, nil
}

// cellScript is what the script of cells begins with: the sentences about bounds and, in a static site, what stands above
// and below every page.
func (s *Site) cellScript() ([]byte, error) {
	words := struct {
		Bounds      map[string]string
		Top, Bottom string `json:",omitempty"`
	}{Bounds: arguments}
	if s.options.Static {
		var top, bottom bytes.Buffer
		f := frame{Root: root(pageOf(atlas.Key{})), Options: s.options}
		if err := cmp.Or(s.pages["unfilled"].ExecuteTemplate(&top, "top", f),
			s.pages["unfilled"].ExecuteTemplate(&bottom, "bottom", f)); err != nil {
			return nil, err
		}
		words.Top, words.Bottom = top.String(), bottom.String()
	}
	text, err := json.Marshal(words)
	return fmt.Appendf(nil, "const Words = %s;\n", text), err
}
