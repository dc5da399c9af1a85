package web

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"leeway/core"
	"leeway/core/labels"
	"leeway/docs"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/picture"
	"leeway/results/web/pages"
)

// top are the pages at the root of every site. Those of networks come after them.
var top = []struct {
	address string
	page    func(*Site) (pages.Page, error)
}{
	{pages.StartAddress, func(s *Site) (pages.Page, error) { return pages.Start(s.source, s.engineAt(), s.static) }},
	{pages.SearchAddress, func(s *Site) (pages.Page, error) {
		if s.static {
			return pages.Searchable(s.source), nil
		}
		return pages.Search(s.source, ""), nil
	}},
	{pages.AboutAddress, func(*Site) (pages.Page, error) { return pages.AboutPage(), nil }},
	{pages.WrongAddress, func(s *Site) (pages.Page, error) { return pages.Wrong(s.source), nil }},
	{pages.NetworksAddress, func(s *Site) (pages.Page, error) { return pages.Networks(s.source), nil }},
	{pages.GalleryAddress, func(s *Site) (pages.Page, error) { return pages.Gallery(s.source) }},
	{pages.EditorAddress, func(s *Site) (pages.Page, error) { return pages.Editor(s.source, s.engineAt()), nil }},
}

// page returns the document at an address, or ErrNotFound.
func (s *Site) page(address string) (document, error) {
	for _, t := range top {
		if t.address == address {
			return s.html(t.page(s))
		}
	}
	if address == pages.RunsAddress && s.runs != nil {
		return s.html(s.running(time.Now()))
	}
	if strings.HasPrefix(address, "assets/") {
		return s.asset(address)
	}
	if sides, ok := strings.CutSuffix(address, pages.KnownScript); ok {
		data, err := pages.Known(s.source, sides)
		return document{kindJS, data}, err
	}
	if label, ok := strings.CutPrefix(address, pages.LabelFolder); ok {
		return s.labelled(strings.TrimSuffix(label, pages.PageEnding))
	}
	name, rest, deep := strings.Cut(address, "/")
	if deep && name == "docs" {
		return s.document(rest)
	}
	base, isPage := strings.CutSuffix(name, pages.PageEnding)
	if !deep {
		name = base
	}
	t, found := s.torus(name)
	switch way, file, deeper := strings.Cut(rest, "/"); {
	case !found || !deep && !isPage:
		return document{}, ErrNotFound
	case !deep:
		return s.html(pages.Torus(s.source, t))
	case deeper:
		return s.file(t, way, file)
	case rest == pages.GalleryAddress:
		return s.html(pages.NetworkGallery(s.source, t))
	}
	return s.sizes(t, rest)
}

// labelled returns the page that leads to that of the cell of a label, or of the label of an orbit in it.
func (s *Site) labelled(label string) (document, error) {
	cell, orbit, ok := labels.Split(label)
	if !ok {
		return document{}, ErrNotFound
	}
	parts := strings.Split(cell, ".")
	size, err := strconv.Atoi(parts[2])
	t, _ := s.torus(parts[0])
	r, found := way(t, parts[1])
	k := texts.Key{Torus: r.Where(), Routing: r.Routing, Size: size}
	if _, known := s.source.Cell(k); err != nil || !found || !known {
		return document{}, ErrNotFound
	}
	optimum := 0
	if orbit != "" {
		d, _, err := s.source.Detail(k)
		if err != nil {
			return document{}, err
		}
		optimum = slices.Index(pages.OptimumLabels(d), label) + 1
	}
	return document{kindHTML, pages.Labelled(k, label, optimum)}, nil
}

// document returns a document, or a picture in one.
func (s *Site) document(file string) (document, error) {
	if name, ok := strings.CutSuffix(file, pages.PageEnding); ok {
		return s.html(pages.Document(s.source, name))
	}
	if picture, err := docs.Files.ReadFile(file); err == nil && strings.HasSuffix(file, pages.SVGEnding) {
		return document{kindSVG, picture}, nil
	}
	return document{}, ErrNotFound
}

// sizes returns a page of the sizes of a routing, or a file about them.
func (s *Site) sizes(t atlas.Summary, file string) (document, error) {
	name, ending, _ := strings.Cut(file, ".")
	r, found := way(t, name)
	number, paged := 1, strings.TrimSuffix(ending, "html")
	if text, ok := strings.CutPrefix(paged, "p"); ok {
		n, err := strconv.Atoi(strings.TrimSuffix(text, "."))
		if err != nil || n < 2 || paged != fmt.Sprintf("p%d.", n) {
			return document{}, ErrNotFound
		}
		number, ending = n, "html"
	}
	switch "." + ending {
	case pages.PageEnding:
		if found {
			return s.html(pages.Frontier(s.source, r, number))
		}
	case pages.FrontierEnding:
		if found {
			data, err := pages.FrontierPicture(s.source, r)
			return document{kindSVG, data}, err
		}
	case pages.DataEnding:
		if found && s.static {
			data, err := pages.Cells(s.source, r)
			return document{kindJS, data}, err
		}
	}
	return document{}, ErrNotFound
}

// file returns a page or file of a cell.
func (s *Site) file(t atlas.Summary, slugged, file string) (document, error) {
	r, found := way(t, slugged)
	number, ending, _ := strings.Cut(file, ".")
	size, err := strconv.Atoi(number)
	if !found || err != nil || strconv.Itoa(size) != number {
		return document{}, ErrNotFound
	}
	k := texts.Key{Torus: r.Where(), Routing: r.Routing, Size: size}
	if s.static && "."+ending == pages.PageEnding {
		if c, ok := s.source.Cell(k); ok {
			return s.html(pages.Unfilled(c), nil)
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
	var data []byte
	kind := kindJSON
	switch "." + ending {
	case pages.PageEnding:
		return s.html(pages.Cell(s.source, d))
	case pages.RecordEnding:
		data, err = pages.Record(d)
	case pages.SVGEnding:
		kind = kindSVG
		data, err = pages.Picture(d, picture.SVG)
	case pages.PNGEnding:
		kind = kindPNG
		data, err = pages.Picture(d, picture.PNG)
	default:
		err = ErrNotFound
	}
	return document{kind, data}, err
}

// torus finds the summary of a torus or network by the part of an address that names it.
func (s *Site) torus(name string) (atlas.Summary, bool) {
	sides, _, _ := strings.Cut(name, "-")
	for _, t := range s.source.Tori() {
		if len(t.Torus) > 0 && core.JoinInts(t.Torus, "x") == sides && labels.Place(t.Where()) == name {
			return t, true
		}
	}
	return atlas.Summary{}, false
}

// way finds the routing of a torus that a part of an address names.
func way(t atlas.Summary, slugged string) (atlas.Summary, bool) {
	for _, r := range t.Routings {
		if labels.Slug(r.Routing) == slugged {
			return r, true
		}
	}
	return atlas.Summary{}, false
}

// addresses returns every address of the site.
func (s *Site) addresses() []string {
	var list []string
	for _, t := range top {
		list = append(list, t.address)
	}
	for _, name := range pages.Documents() {
		list = append(list, pages.DocumentAddress(name))
	}
	for _, in := range []struct {
		embed.FS
		above, folder string
	}{{docs.Files, "docs/", "pictures"}, {files, "", "assets"}} {
		entries, err := in.ReadDir(in.folder)
		if err != nil {
			panic("web: documents and assets are part of the program")
		}
		for _, e := range entries {
			list = append(list, in.above+in.folder+"/"+e.Name())
		}
	}
	if s.engine != nil {
		list = append(list, engineAddress)
	}
	for _, t := range s.source.Tori() {
		list = append(list, s.torusAddresses(t)...)
	}
	for _, sides := range pages.Editable(s.source) {
		list = append(list, sides+pages.KnownScript)
	}
	return list
}

// torusAddresses returns the addresses about a torus.
func (s *Site) torusAddresses(t atlas.Summary) []string {
	if len(t.Torus) == 0 {
		return nil
	}
	name := t.Where()
	list := []string{pages.TorusAddress(name), pages.GalleryOf(name)}
	for _, r := range t.Routings {
		cells, _ := s.source.Cells(atlas.Filter{Torus: name, Routing: r.Routing})
		list = append(list, pages.DataAddress(name, r.Routing))
		for page := range (len(cells) + pages.MaxRows - 1) / pages.MaxRows {
			list = append(list, pages.FrontierAddress(name, r.Routing, page+1))
		}
		for _, c := range cells {
			if c.Routing == r.Routing {
				list = append(list, pages.CellAddress(c.Key()), pages.LabelFolder+c.Label()+pages.PageEnding)
				d := atlas.Detail{}
				if c.Optima > 0 { // else there is no list
					d, _, _ = s.source.Detail(c.Key()) // what cannot be read has no labels
				}
				for _, label := range pages.OptimumLabels(d) {
					list = append(list, pages.LabelFolder+label+pages.PageEnding)
				}
			}
		}
	}
	return list
}
