package web_test

import (
	"fmt"
	"testing"

	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/web"
)

// many is an atlas of many cells that counts the work that it is asked for.
type many struct {
	tori, sizes     int
	listed, details int
}

func (m *many) Tori() []atlas.Summary {
	list := make([]atlas.Summary, m.tori)
	for i := range list {
		on := results.Grid{Torus: []int{2 + i%200, 2 + i/200, 3}}
		list[i] = atlas.Summary{Grid: on, Cells: m.sizes, Open: m.sizes,
			Routings: []atlas.Summary{{Grid: on, Routing: "odr:tie=plus", Cells: m.sizes, Open: m.sizes}}}
	}
	return list
}

func (m *many) Cells(f atlas.Filter) ([]atlas.Cell, int) {
	var list []atlas.Cell
	for n := f.Offset; n < m.sizes && (f.Limit == 0 || len(list) < f.Limit); n++ {
		c, _ := m.Cell(texts.Key{Torus: f.Torus, Routing: f.Routing, Size: n + 1})
		list = append(list, c)
	}
	m.listed += len(list)
	return list, m.sizes
}

func (m *many) Words() atlas.Words { return atlas.Words{"2x2x3": {0}} }

func (m *many) Cell(k texts.Key) (atlas.Cell, bool) {
	var sides [3]int
	fmt.Sscanf(k.Torus, "%dx%dx%d", &sides[0], &sides[1], &sides[2])
	return atlas.Cell{Grid: results.Grid{Torus: sides[:]}, Routing: "odr:tie=plus", Size: k.Size,
		LowerBound: "1", BoundReason: "degree", Status: atlas.Bounded}, k.Size >= 1 && k.Size <= m.sizes
}

func (m *many) Detail(k texts.Key) (atlas.Detail, bool, error) {
	m.details++
	c, ok := m.Cell(k)
	return atlas.Detail{Cell: c}, ok, nil
}

// TestManyCells: with 100 000 cells a page looks at a bounded number of them and stays small.
func TestManyCells(t *testing.T) {
	for _, shape := range []many{{tori: 2000, sizes: 50}, {tori: 1, sizes: 100_000}} {
		source := &shape
		site := coretest.Must(web.NewSite(source, web.Options{}))
		server := web.NewServer(site, web.Access{})
		for _, address := range []string{"/", "/2x2x3.html", "/2x2x3/odr-tie-plus.html",
			"/2x2x3/odr-tie-plus/50.html", "/search.html?q=2x2x3", "/wrong.html", "/networks.html", "/optima.html",
			"/docs/findings.html", "/nothing.html"} {
			source.listed, source.details = 0, 0
			a := ask(server, "GET", address, "")
			if a.code != 200 && address != "/nothing.html" || source.listed > 1300 || source.details > 1 ||
				len(a.body) > 600_000 {
				t.Errorf("%d tori, %s: status %d, %d cells, %d details, %d bytes", shape.tori, address, a.code,
					source.listed, source.details, len(a.body))
			}
		}
	}
}

// BenchmarkPages renders the pages of an atlas of 100 000 cells.
func BenchmarkPages(b *testing.B) {
	for _, shape := range []many{{tori: 2000, sizes: 50}, {tori: 1, sizes: 100_000}} {
		site := coretest.Must(web.NewSite(&shape, web.Options{}))
		server := web.NewServer(site, web.Access{})
		for _, address := range []string{"/", "/networks.html", "/optima.html", "/2x2x3.html",
			"/2x2x3/odr-tie-plus.html", "/2x2x3/odr-tie-plus/50.html", "/search.html?q=2x2x3", "/docs/findings.html"} {
			b.Run(fmt.Sprintf("%d tori%s", shape.tori, address), func(b *testing.B) {
				for b.Loop() {
					if a := ask(server, "GET", address, ""); a.code != 200 {
						b.Fatal(a.code)
					}
				}
			})
		}
	}
}
