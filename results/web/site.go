// Package web shows an atlas as pages: served by a program, or written out as a site that opens from disk.
//
// What a page says is the matter of package pages. A Site has every page and file at its address, a path relative to
// the root such as 8x8/udr-tie-both/16.html; all links are relative. A Server answers requests from a Site; Export
// writes all of one. Live is the hub of a page that follows work in progress.
//
// Nothing comes from another host, and the Content-Security-Policy says so. All text that comes from records is escaped
// by html/template, or set as text by scripts.
//
//	site, err := web.NewSite(atlas, web.Options{})
//	server := web.NewServer(site, web.Access{Loopback: true})
//	err = http.Serve(listener, server)
package web

import (
	"embed"
	"strings"

	"leeway/results/picture"
	"leeway/results/store"
	"leeway/results/web/pages"
)

//go:embed assets
var files embed.FS

// Options says what a site is like.
type Options struct {
	// Static is for pages that no server answers for: what a server would compute on demand is left to scripts, or away.
	Static bool
	// Name says what is shown, "the shipped atlas" or the name of a store.
	Name string
	// Version of the program.
	Version string
	// Runs is the store whose running searches have a page; nil: there is no such page.
	Runs *store.Store
	// Engine is the script that tools/engine.sh makes, for the editor, which without one only draws.
	Engine []byte
}

// A Site has the pages and files of an atlas at their addresses. It may be used by many at once.
type Site struct {
	source    pages.Source
	runs      *store.Store
	static    bool
	engine    []byte
	templates *pages.Templates
}

// ErrNotFound is returned for addresses without a page.
var ErrNotFound = pages.ErrNotFound

// NewSite returns the site of an atlas.
func NewSite(s pages.Source, o Options) (*Site, error) {
	templates, err := pages.NewTemplates(pages.Frame{Static: o.Static, Name: o.Name, Version: o.Version,
		Runs: o.Runs != nil})
	return &Site{s, o.Runs, o.Static, o.Engine, templates}, err
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

// html returns a page, unless it could not be made.
func (s *Site) html(p pages.Page, err error) (document, error) {
	if err != nil {
		return document{}, err
	}
	body, err := s.templates.HTML(p)
	return document{kindHTML, body}, err
}

// engineAddress is that of Options.Engine.
const engineAddress = "assets/engine.wasm.js"

// engineAt returns the address of the engine, "" without one.
func (s *Site) engineAt() string {
	if s.engine == nil {
		return ""
	}
	return engineAddress
}

// asset returns a file that pages need: the style sheet, with the rules of pictures, or a script.
func (s *Site) asset(address string) (document, error) {
	if address == engineAddress && s.engine != nil {
		return document{kindJS, s.engine}, nil
	}
	data, err := files.ReadFile(address)
	switch {
	case err != nil:
		return document{}, ErrNotFound
	case address == "assets/cell.js":
		words, err := s.templates.CellWords()
		return document{kindJS, append(words, data...)}, err
	case strings.HasSuffix(address, ".css"):
		return document{kindCSS, append(data, picture.StyleSheet()...)}, nil
	case strings.HasSuffix(address, ".js"):
		return document{kindJS, data}, nil
	}
	return document{kindSVG, data}, nil
}
