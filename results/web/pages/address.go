package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"leeway/objective/texts"
)

// Addresses of pages, relative to the root of the site.
const (
	StartAddress  = "index.html"
	SearchAddress = "search.html"
	AboutAddress  = "about.html"
	AuditAddress  = "audit.html"
	WrongAddress  = "wrong.html"
	RunsAddress   = "runs.html"

	ControllersAddress = "controllers.html"
	NetworksAddress    = "networks.html"
	LatticesAddress    = "lattices.html"
	GalleryAddress     = "optima.html"
	EditorAddress      = "editor.html"
)

// pattern returns a regular expression, which is compiled at its first use: most runs of the program show no page.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// plain are the routings whose address is their text with other separators.
var plain = pattern(`^[a-z]+(:tie=(plus|both))?$`)

// dashes makes texts parts of addresses.
var dashes = strings.NewReplacer(":", "-", "=", "-", ",", "-", "+", "-")

// Slug returns a routing as part of an address: udr-tie-both. Texts that would lose something on the way get their
// hash.
func Slug(routing string) string {
	if plain().MatchString(routing) {
		return dashes.Replace(routing)
	}
	name, _, _ := strings.Cut(routing, ":")
	if !plain().MatchString(name) {
		name = "routing"
	}
	sum := sha256.Sum256([]byte(routing))
	return name[:min(len(name), 20)] + "-" + hex.EncodeToString(sum[:8])
}

// placed are the networks with traffic and conditions whose address is their text with other separators. The words say
// how many numbers follow in a row, so that no two texts have the same address.
var placed = pattern(`^[0-9x]+(:open=[0-9,]+)?(:bandwidth=[0-9,]+)?(:twist=[0-9,+]+)?` +
	`(:traffic=clients:request=[0-9]+:reply=[0-9]+)?(:reply-routing=[a-z]+(:order=[0-9,]+)?(:tie=(plus|both))?)?` +
	`(:fixed=[0-9,+]+)?(:forbidden=[0-9,+]+)?(:radius=[0-9]+)?(:distance=[0-9]+)?$`)

// maxPlace is the longest part of an address that names a network in words.
const maxPlace = 100

// Place returns a network with traffic and conditions as part of an address: 8x8, 8x8-open-0-1-fixed-0-0-7-7. Long
// texts, and others than objective.Problem.Where writes, get their hash.
func Place(where string) string {
	sides, _, more := strings.Cut(where, ":")
	switch {
	case !more:
		return where
	case placed().MatchString(where) && len(where) <= maxPlace:
		return dashes.Replace(where)
	}
	sum := sha256.Sum256([]byte(where))
	return sides + "-" + hex.EncodeToString(sum[:8])
}

// TorusAddress is the page of a torus or network, with its traffic and conditions.
func TorusAddress(where string) string { return Place(where) + ".html" }

// The editor of networks of some sides once had a page of its own, which leads to the one of all, and has a script with
// what the atlas knows of them.
const (
	MovedEditor = "/editor.html"
	KnownScript = "/known.js"
)

// FrontierAddress is a page of the sizes of a network and a routing; pages count from 1.
func FrontierAddress(where, routing string, page int) string {
	if page > 1 {
		return Place(where) + "/" + Slug(routing) + ".p" + strconv.Itoa(page) + ".html"
	}
	return Place(where) + "/" + Slug(routing) + ".html"
}

// DataAddress is the file with the cells of a network and a routing in a static site: JSON, but for a name before it,
// so that a page from disk can read it.
func DataAddress(where, routing string) string {
	return Place(where) + "/" + Slug(routing) + DataEnding
}

// fileAddress is the page of a cell, on a server and in a static site, or with another ending a file about it.
func fileAddress(k texts.Key, ending string) string {
	return Place(k.Torus) + "/" + Slug(k.Routing) + "/" + strconv.Itoa(k.Size) + ending
}

// CellAddress is the page of a cell.
func CellAddress(k texts.Key) string { return fileAddress(k, PageEnding) }

// optimumAddress is where the page of a cell shows one of its optima, by its number in the record.
func optimumAddress(k texts.Key, number int) string {
	return CellAddress(k) + "#optimum-" + strconv.Itoa(number)
}

// The endings of files about a cell, and of the file with those of a routing.
const (
	PageEnding     = ".html"
	RecordEnding   = ".json"
	SVGEnding      = ".svg"
	PNGEnding      = ".png"
	SplitEnding    = ".split.html"
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
// is false for all others. Errors are *core.InputError: it is no network, or its conditions make no sense.
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
	return Place(where) + rest, true, err
}

// canonical returns the canonical text of a network with traffic and conditions. Errors are *core.InputError.
func canonical(text string) (string, error) {
	p, err := texts.ParseWhere(text)
	if err != nil {
		return "", err
	}
	return p.Where(), nil
}
