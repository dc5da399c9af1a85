package web

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"leeway/results/atlas"
)

// Export writes every page and file of a static site into a folder, which must exist,
// and returns how many. It stops when the context ends, with its error. Pictures stand in
// the pages only: files of their own are left to the program.
func (s *Site) Export(ctx context.Context, folder string) (count int, err error) {
	for address := range s.addresses {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		d, err := s.page(ctx, address)
		if errors.Is(err, ErrNotFound) {
			continue // a cell without a placement has no record
		}
		if err != nil {
			return count, err
		}
		path := filepath.Join(folder, filepath.FromSlash(address))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return count, err
		}
		if err := os.WriteFile(path, d.body, 0o644); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

// addresses yields every address of the site.
func (s *Site) addresses(yield func(string) bool) {
	list := []string{startAddress, searchAddress, aboutAddress, auditAddress, wrongAddress}
	entries, err := files.ReadDir("assets")
	if err != nil {
		panic("web: the assets are part of the program")
	}
	for _, e := range entries {
		list = append(list, "assets/"+e.Name())
	}
	for _, address := range list {
		if !yield(address) {
			return
		}
	}
	for _, t := range s.source.Tori() {
		if len(t.Torus) > 0 && !s.torusAddresses(t, yield) {
			return
		}
	}
}

// torusAddresses yields the addresses about a torus and reports whether more are
// wanted.
func (s *Site) torusAddresses(t atlas.Summary, yield func(string) bool) bool {
	name := torusName(t.Torus)
	if !yield(torusAddress(name)) || planar(t.Torus) && !yield(editorAddress(name)) {
		return false
	}
	for _, r := range t.Routings {
		for page := 1; (page-1)*maxRows < r.Cells; page++ {
			if !yield(frontierAddress(name, r.Routing, page)) {
				return false
			}
		}
		cells, _ := s.source.Cells(atlas.Filter{Torus: name, Routing: r.Routing})
		for _, c := range cells {
			for _, ending := range []string{pageEnding, recordEnding} {
				if c.Routing == r.Routing && !yield(cellAddress(c.Key(), ending)) {
					return false
				}
			}
		}
	}
	return true
}
