package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"leeway/core/parallel"
	"leeway/results"
	"leeway/results/atlas"
)

// Addresses of pages, relative to the root of the site.
const (
	startAddress  = "index.html"
	searchAddress = "search.html"
	aboutAddress  = "about.html"
	auditAddress  = "audit.html"
	wrongAddress  = "wrong.html"
	runsAddress   = "runs.html"

	controllersAddress = "controllers.html"
	networksAddress    = "networks.html"
	latticesAddress    = "lattices.html"
	galleryAddress     = "optima.html"
	editorAddress      = "editor.html"
)

// pattern returns a regular expression, which is compiled at its first use: most runs of the program show no page.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// plain are the routings whose address is their text with other separators.
var plain = pattern(`^[a-z]+(:tie=(plus|both))?$`)

// dashes makes texts parts of addresses.
var dashes = strings.NewReplacer(":", "-", "=", "-", ",", "-", "+", "-")

// slug returns a routing as part of an address: udr-tie-both. Texts that would lose something on the way get their
// hash.
func slug(routing string) string {
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

// place returns a network with traffic and conditions as part of an address: 8x8, 8x8-open-0-1-fixed-0-0-7-7. Long
// texts, and others than objective.Problem.Where writes, get their hash.
func place(where string) string {
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

// torusAddress is the page of a torus or network, with its traffic and conditions.
func torusAddress(where string) string { return place(where) + ".html" }

// The editor of networks of some sides once had a page of its own, which leads to the one of all, and has a script with
// what the atlas knows of them.
const (
	movedEditor = "/editor.html"
	knownScript = "/known.js"
)

// frontierAddress is a page of the sizes of a network and a routing; pages count from 1.
func frontierAddress(where, routing string, page int) string {
	if page > 1 {
		return place(where) + "/" + slug(routing) + ".p" + strconv.Itoa(page) + ".html"
	}
	return place(where) + "/" + slug(routing) + ".html"
}

// dataAddress is the file with the cells of a network and a routing in a static site: JSON, but for a name before it, so
// that a page from disk can read it.
func dataAddress(where, routing string) string {
	return place(where) + "/" + slug(routing) + dataEnding
}

// cellAddress is the page of a cell, on a server and in a static site, or with another ending a file about it.
func cellAddress(k atlas.Key, ending string) string {
	return place(k.Torus) + "/" + slug(k.Routing) + "/" + strconv.Itoa(k.Size) + ending
}

// pageOf is the page of a cell.
func pageOf(k atlas.Key) string { return cellAddress(k, pageEnding) }

// optimumAddress is where the page of a cell shows one of its optima, by its number in the record.
func optimumAddress(k atlas.Key, number int) string {
	return pageOf(k) + "#optimum-" + strconv.Itoa(number)
}

// The endings of files about a cell, and of the file with those of a routing.
const (
	pageEnding   = ".html"
	recordEnding = ".json"
	svgEnding    = ".svg"
	pngEnding    = ".png"
	splitEnding  = ".split.html"
	dataEnding   = ".js"
)

// root returns the way from a page up to the root, "" or "../" or "../../".
func root(address string) string { return strings.Repeat("../", strings.Count(address, "/")) }

// clean returns an address in the one form that names it, and false for what is none, such as a path out of the site.
func clean(address string) (string, bool) {
	address = strings.TrimPrefix(address, "/")
	if address == "" {
		return startAddress, true
	}
	return address, path.Clean(address) == address && !strings.HasPrefix(address, "..") &&
		!strings.ContainsAny(address, "\\\x00")
}

// written returns the address of a page whose network stands there as on the command line, "8x8:open=0,1.html"; named
// is false for all others. Errors are *core.InputError: it is no network, or its conditions make no sense.
func written(address string) (to string, named bool, err error) {
	name, rest, deep := strings.Cut(address, "/")
	if deep {
		rest = "/" + rest
	} else if base, isPage := strings.CutSuffix(name, pageEnding); isPage {
		name, rest = base, pageEnding
	}
	if !strings.Contains(name, ":") {
		return "", false, nil
	}
	where, err := canonical(name)
	return place(where) + rest, true, err
}

// page returns the document at an address, or ErrNotFound.
func (s *Site) page(ctx context.Context, address string) (document, error) {
	switch address {
	case startAddress:
		return s.start()
	case aboutAddress:
		return s.render("about", address, "How to read and check", nil, nil)
	case searchAddress:
		return s.search("")
	case auditAddress:
		return s.audit()
	case wrongAddress:
		return s.wrong()
	case controllersAddress:
		return s.controllers()
	case networksAddress:
		return s.networks()
	case latticesAddress:
		return s.lattices()
	case galleryAddress:
		return s.gallery()
	case editorAddress:
		return s.editor()
	}
	if file, ok := strings.CutPrefix(address, "docs/"); ok {
		return s.document(file)
	}
	if strings.HasPrefix(address, "assets/") {
		return s.asset(address)
	}
	if sides, ok := strings.CutSuffix(address, movedEditor); ok {
		return s.moved(sides)
	}
	if sides, ok := strings.CutSuffix(address, knownScript); ok {
		return s.known(sides)
	}
	name, rest, deep := strings.Cut(address, "/")
	if !deep {
		torus, ok := strings.CutSuffix(name, pageEnding)
		t, found := s.torus(torus)
		if !ok || !found {
			return document{}, ErrNotFound
		}
		return s.torusPage(t)
	}
	t, found := s.torus(name)
	if !found {
		return document{}, ErrNotFound
	}
	if way, file, deeper := strings.Cut(rest, "/"); deeper {
		return s.file(ctx, t, way, file)
	}
	if rest == "optima.html" {
		return s.networkGallery(t)
	}
	return s.sizes(t, rest)
}

// torus finds the summary of a torus or network by the part of an address that names it.
func (s *Site) torus(name string) (atlas.Summary, bool) {
	for _, t := range s.source.Tori() {
		if len(t.Torus) > 0 && place(t.Where()) == name {
			return t, true
		}
	}
	return atlas.Summary{}, false
}

// way finds the routing of a torus that a part of an address names.
func way(t atlas.Summary, slugged string) (atlas.Summary, bool) {
	for _, r := range t.Routings {
		if slug(r.Routing) == slugged {
			return r, true
		}
	}
	return atlas.Summary{}, false
}

// sizes returns a page of the sizes of a routing.
func (s *Site) sizes(t atlas.Summary, file string) (document, error) {
	name, ok := strings.CutSuffix(file, pageEnding)
	if svg, isPicture := strings.CutSuffix(file, ".frontier.svg"); isPicture {
		if r, found := way(t, svg); found {
			return s.frontierPicture(r)
		}
	}
	number := 1
	if base, text, paged := strings.Cut(name, ".p"); paged {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 || strconv.Itoa(n) != text {
			return document{}, ErrNotFound
		}
		name, number = base, n
	}
	if slugged, isData := strings.CutSuffix(file, dataEnding); isData && s.options.Static {
		if r, found := way(t, slugged); found {
			return s.cellData(r)
		}
	}
	r, found := way(t, name)
	if !ok || !found {
		return document{}, ErrNotFound
	}
	return s.frontierPage(r, number)
}

// file returns a page or file of a cell.
func (s *Site) file(ctx context.Context, t atlas.Summary, slugged, file string) (document, error) {
	r, found := way(t, slugged)
	number, ending, _ := strings.Cut(file, ".")
	size, err := strconv.Atoi(number)
	if !found || err != nil || strconv.Itoa(size) != number {
		return document{}, ErrNotFound
	}
	k := atlas.Key{Torus: r.Where(), Routing: r.Routing, Size: size}
	if s.options.Static && "."+ending == pageEnding {
		if c, ok := s.source.Cell(k); ok {
			return s.unfilledPage(c)
		}
		return document{}, ErrNotFound
	}
	d, ok, err := s.source.Detail(k)
	if err != nil {
		return document{}, err
	}
	if !ok {
		return document{}, ErrNotFound
	}
	switch "." + ending {
	case pageEnding:
		return s.cellPage(d)
	case splitEnding:
		return s.splitPage(ctx, d)
	case recordEnding:
		return recordFile(d)
	case svgEnding, pngEnding:
		return pictureFile(d, "."+ending)
	}
	return document{}, ErrNotFound
}

// Export writes every page and file of a static site into a folder, which must exist, and returns how many; a site that
// is not static has no such files. It stops when the context ends, with its error. Observe, if not nil, is called from
// any goroutine with the number of files done, of how many.
func (s *Site) Export(ctx context.Context, folder string, observe func(done, total int)) (count int, err error) {
	list := s.addresses()
	var mu sync.Mutex // of what follows
	var failed error
	done := 0
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	parallel.Each(ctx, runtime.GOMAXPROCS(0), len(list), func(i int) {
		written, err := s.writePage(ctx, folder, list[i])
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = cmp.Or(failed, err)
			stop()
		}
		if done++; written {
			count++
		}
		if observe != nil {
			observe(done, len(list))
		}
	})
	return count, cmp.Or(failed, ctx.Err())
}

// writePage writes a page into a folder; written is false for an address that is only there with some atlases.
func (s *Site) writePage(ctx context.Context, folder, address string) (written bool, err error) {
	d, err := s.page(ctx, address)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	path := filepath.Join(folder, filepath.FromSlash(address))
	if err := os.WriteFile(path, d.body, 0o644); !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // its first file
		return false, err
	}
	return true, os.WriteFile(path, d.body, 0o644)
}

// ExportNew is Export into a folder that must not exist yet. The pages are written beside it and moved when all are
// there, so that the folder holds all or does not exist. An error about the folder is a *results.TargetError.
func (s *Site) ExportNew(ctx context.Context, folder string, observe func(done, total int)) (count int, err error) {
	folder = filepath.Clean(folder)
	if _, err := os.Lstat(folder); err == nil {
		return 0, &results.TargetError{Path: folder, Problem: "it exists already",
			Hint: "name a new folder; nothing is overwritten"}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	part, err := os.MkdirTemp(filepath.Dir(folder), filepath.Base(folder)+".part-")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, &results.TargetError{Path: folder, Problem: "the folder around it does not exist", Hint: "make it first"}
	}
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(part) // gone already if all went well
	if count, err = s.Export(ctx, part, observe); err != nil {
		return count, err
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return count, err
	}
	return count, os.Rename(part, folder)
}

// addresses returns every address of the site.
func (s *Site) addresses() []string {
	list := []string{startAddress, searchAddress, aboutAddress, auditAddress, wrongAddress, controllersAddress,
		networksAddress, latticesAddress, galleryAddress, editorAddress, "docs/pictures/multilinear-8x8.svg",
		"docs/pictures/spaced-8x8.svg"}
	for _, d := range documents {
		list = append(list, documentAddress(d.Name))
	}
	entries, err := files.ReadDir("assets")
	if err != nil {
		panic("web: the assets are part of the program")
	}
	for _, e := range entries {
		list = append(list, "assets/"+e.Name())
	}
	if s.options.Engine != nil {
		list = append(list, engineAddress)
	}
	for _, t := range s.source.Tori() {
		list = append(list, s.torusAddresses(t)...)
	}
	for _, sides := range s.editable() {
		list = append(list, sides+movedEditor, sides+knownScript)
	}
	return list
}

// torusAddresses returns the addresses about a torus.
func (s *Site) torusAddresses(t atlas.Summary) []string {
	if len(t.Torus) == 0 {
		return nil
	}
	name := t.Where()
	list := []string{torusAddress(name), galleryOf(name)}
	for _, r := range t.Routings {
		cells, _ := s.source.Cells(atlas.Filter{Torus: name, Routing: r.Routing})
		list = append(list, dataAddress(name, r.Routing))
		for page := range (len(cells) + maxRows - 1) / maxRows {
			list = append(list, frontierAddress(name, r.Routing, page+1))
		}
		for _, c := range cells {
			if c.Routing == r.Routing {
				list = append(list, pageOf(c.Key()))
			}
		}
	}
	return list
}
