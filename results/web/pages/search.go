package pages

import (
	"strings"

	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/layout"
	"leeway/results/picture"
)

// searchBody is what the page of a search shows.
type searchBody struct {
	Query   string
	Asked   bool
	Missing []string // words that no cell has
	Cells   []atlas.Cell
	Total   int
	Index   *searchIndex // for the script of a static site
	Limit   int          // of cells that are listed
}

// A searchIndex is what the script of a static site searches: the cells in the order of the atlas, by network and
// routing, and their words.
type searchIndex struct {
	Ways  []indexedWay      `json:"ways"`
	Words map[string]string `json:"words"` // positions of cells by word, as 1-16 20; see atlas.Words
}

// An indexedWay has the cells of a network and a routing.
type indexedWay struct {
	Name   string   `json:"name"`
	At     string   `json:"at"`     // the part of addresses up to the size; "" where the cells have no page
	Sizes  string   `json:"sizes"`  // as 1-16 20
	Values []string `json:"values"` // E_max, or the bounds of it, by size
}

// MaxQuery is the longest query that is looked at.
const MaxQuery = 200

// Search is the page of the cells that have all words of a query, see atlas.Words.
func Search(s Source, query string) Page {
	body := searchBody{Query: query, Asked: strings.TrimSpace(query) != "", Limit: MaxRows}
	if body.Asked {
		_, body.Missing = s.Words().Find(query)
		body.Cells, body.Total = s.Cells(atlas.Filter{Text: query, Limit: MaxRows})
	}
	p := newPage("search", SearchAddress, "Search", nil, body)
	p.Query = query
	return p
}

// Searchable is the page of a search by its script, in a static site.
func Searchable(s Source) Page {
	return newPage("search", SearchAddress, "Search", nil, searchBody{Limit: MaxRows, Index: index(s)})
}

// index returns what the script of a static site searches.
func index(s Source) *searchIndex {
	cells, _ := s.Cells(atlas.Filter{})
	index := &searchIndex{Words: map[string]string{}}
	for word, list := range s.Words() {
		index.Words[word] = layout.Ranges(list, "-", " ")
	}
	for i := 0; i < len(cells); {
		k, way, sizes := cells[i].Key(), indexedWay{}, []int(nil)
		if len(cells[i].Torus) > 0 {
			way.At = strings.TrimSuffix(fileAddress(texts.Key{Torus: k.Torus, Routing: k.Routing}, ""), "0")
		}
		way.Name = picture.Shown(k.Torus) + " " + k.Routing
		for ; i < len(cells) && cells[i].Where() == k.Torus && cells[i].Routing == k.Routing; i++ {
			sizes, way.Values = append(sizes, cells[i].Size), append(way.Values, valueText(cells[i]))
		}
		way.Sizes = layout.Ranges(sizes, "-", " ")
		index.Ways = append(index.Ways, way)
	}
	return index
}

// valueText returns E_max of a cell, or what is known of it.
func valueText(c atlas.Cell) string {
	switch {
	case c.Fault != "":
		return "–"
	case c.MaxLoad == "":
		return "at least " + c.LowerBound
	case c.Status != atlas.Optimal:
		return c.LowerBound + " to " + c.MaxLoad
	}
	return c.MaxLoad
}
