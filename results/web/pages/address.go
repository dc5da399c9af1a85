package pages

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"leeway/core/labels"
	"leeway/objective/texts"
	"leeway/results/atlas"
)

// Addresses of pages, relative to the root of the site.
const (
	StartAddress  = "index.html"
	SearchAddress = "search.html"
	AboutAddress  = "about.html"
	WrongAddress  = "wrong.html"
	RunsAddress   = "runs.html"

	NetworksAddress = "networks.html"
	GalleryAddress  = "optima.html"
	EditorAddress   = "editor.html"
)

// pattern returns a regular expression, which is compiled at its first use: most runs of the program show no page.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// TorusAddress is the page of a torus or network, with its traffic and conditions.
func TorusAddress(where string) string { return labels.Place(where) + ".html" }

// KnownScript is, after some sides, what the atlas knows of the networks of these, for the editor.
const KnownScript = "/known.js"

// FrontierAddress is a page of the sizes of a network and a routing; pages count from 1.
func FrontierAddress(where, routing string, page int) string {
	if page > 1 {
		return labels.Place(where) + "/" + labels.Slug(routing) + ".p" + strconv.Itoa(page) + ".html"
	}
	return labels.Place(where) + "/" + labels.Slug(routing) + ".html"
}

// DataAddress is the file with the cells of a network and a routing in a static site: JSON, but for a name before it,
// so that a page from disk can read it.
func DataAddress(where, routing string) string {
	return labels.Place(where) + "/" + labels.Slug(routing) + DataEnding
}

// fileAddress is the page of a cell, on a server and in a static site, or with another ending a file about it.
func fileAddress(k texts.Key, ending string) string {
	return labels.Place(k.Torus) + "/" + labels.Slug(k.Routing) + "/" + strconv.Itoa(k.Size) + ending
}

// CellAddress is the page of a cell.
func CellAddress(k texts.Key) string { return fileAddress(k, PageEnding) }

// LabelFolder holds, by the labels of cells and of the optima that they list, what leads to their pages:
// c/8x8.udr-tie-both.16.
const LabelFolder = "c/"

// Labelled is the page that leads from a label to the page of its cell, and to the optimum of that number in it; 0 is
// none.
func Labelled(k texts.Key, label string, optimum int) []byte {
	to := CellAddress(k)
	if optimum > 0 {
		to = optimumAddress(k, optimum)
	}
	return fmt.Appendf(nil, "<!DOCTYPE html>\n<html lang=\"en\"><title>%s</title><main><h1><a href=\"../%s\">Cell</a>"+
		"</h1></main><script src=\"../assets/moved.js\"></script></html>\n", label, to)
}

// optimumAddress is where the page of a cell shows one of its optima, by its number in the record.
func optimumAddress(k texts.Key, number int) string {
	return CellAddress(k) + "#optimum-" + strconv.Itoa(number)
}

// OptimumLabels returns the labels of the optima that a cell lists, in its order.
func OptimumLabels(d atlas.Detail) (list []string) {
	if d.Record == nil || d.Record.Optima == nil {
		return nil
	}
	for _, nodes := range *d.Record.Optima {
		list = append(list, labels.Orbit(d.Label(), nodes))
	}
	return list
}

// The endings of files about a cell, and of the file with those of a routing.
const (
	PageEnding     = ".html"
	RecordEnding   = ".json"
	SVGEnding      = ".svg"
	PNGEnding      = ".png"
	FrontierEnding = ".frontier.svg" // of a plot of a routing
	DataEnding     = ".js"
)

// root returns the way from a page up to the root, "" or "../" or "../../".
func root(address string) string { return strings.Repeat("../", strings.Count(address, "/")) }

// Clean returns an address in the one form that names it, and false for what is none, such as a path out of the site.
func Clean(address string) (string, bool) {
	address = strings.TrimPrefix(address, "/")
	if address == "" {
		return StartAddress, true
	}
	return address, path.Clean(address) == address && !strings.HasPrefix(address, "..") &&
		!strings.ContainsAny(address, "\\\x00")
}

// Written returns the address of a page whose network stands there as on the command line, "8x8:open=0,1.html"; named
// is false for all others. Errors are *core.InputError: it does not name a network, or its conditions make no sense.
func Written(address string) (to string, named bool, err error) {
	name, rest, deep := strings.Cut(address, "/")
	if deep {
		rest = "/" + rest
	} else if base, isPage := strings.CutSuffix(name, PageEnding); isPage {
		name, rest = base, PageEnding
	}
	if !strings.Contains(name, ":") {
		return "", false, nil
	}
	where, err := canonical(name)
	return labels.Place(where) + rest, true, err
}

// canonical returns the canonical text of a network with traffic and conditions. Errors are *core.InputError.
func canonical(text string) (string, error) {
	p, err := texts.ParseWhere(text)
	if err != nil {
		return "", err
	}
	return p.Where(), nil
}
