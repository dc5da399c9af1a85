package web

import (
	"context"
	"strconv"
	"strings"

	"leeway/results/atlas"
)

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
	}
	if strings.HasPrefix(address, "assets/") {
		return asset(address)
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
	if rest == "editor.html" {
		return s.editor(t)
	}
	if way, file, deeper := strings.Cut(rest, "/"); deeper {
		return s.file(ctx, t, way, file)
	}
	return s.sizes(t, rest)
}

// torus finds the summary of a torus.
func (s *Site) torus(name string) (atlas.Summary, bool) {
	for _, t := range s.source.Tori() {
		if len(t.Torus) > 0 && torusName(t.Torus) == name {
			return t, true
		}
	}
	return atlas.Summary{}, false
}

// torusName returns sides as text, "8x8".
func torusName(sides []int) string { return atlas.Cell{Torus: sides}.Key().Torus }

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
	r, found := way(t, name)
	if !ok || !found {
		return document{}, ErrNotFound
	}
	return s.frontierPage(t, r, number)
}

// file returns a page or file of a cell.
func (s *Site) file(ctx context.Context, t atlas.Summary, slugged, file string) (document, error) {
	r, found := way(t, slugged)
	number, ending, _ := strings.Cut(file, ".")
	size, err := strconv.Atoi(number)
	if !found || err != nil || strconv.Itoa(size) != number {
		return document{}, ErrNotFound
	}
	d, ok, err := s.source.Detail(atlas.Key{Torus: torusName(r.Torus), Routing: r.Routing, Size: size})
	if err != nil {
		return document{}, err
	}
	if !ok {
		return document{}, ErrNotFound
	}
	switch "." + ending {
	case pageEnding:
		return s.cellPage(ctx, d)
	case splitEnding:
		return s.splitPage(ctx, d)
	case recordEnding:
		return recordFile(d)
	case svgEnding, pngEnding:
		return pictureFile(d, "."+ending)
	}
	return document{}, ErrNotFound
}
