package web

import (
	"regexp"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/results/atlas"
)

// searchBody is what the page of a search shows.
type searchBody struct {
	Query  string
	Cells  []atlas.Cell
	Total  int
	Index  []indexEntry // for the script of a static site
	Asked  bool
	Limit  int
	Filter string // what was understood, in words
}

// An indexEntry names the sizes of a torus and a routing: all that the script of a
// static site needs to find pages.
type indexEntry struct {
	Torus   string `json:"t"`
	Routing string `json:"r"`
	Slug    string `json:"s"`
	Sizes   string `json:"n"` // of cells, such as 1-16 20
}

// maxQuery is the longest query that is looked at.
const maxQuery = 200

// search finds cells by words: a torus, a size such as n=16 or 16, open, beaten,
// wrong, and anything else that occurs in a cell.
func (s *Site) search(query string) (document, error) {
	body := searchBody{Query: query, Asked: strings.TrimSpace(query) != "", Limit: maxRows}
	if s.options.Static {
		body.Index = s.index()
	} else if body.Asked {
		f := readQuery(query)
		f.Limit = maxRows
		body.Cells, body.Total = s.source.Cells(f)
	}
	return s.renderQuery("search", searchAddress, "Search", query, nil, body)
}

var sizeWord = regexp.MustCompile(`^(?:n=)?([0-9]{1,9})$`)

// readQuery turns the words of a query into a filter.
func readQuery(query string) atlas.Filter {
	f := atlas.Filter{}
	var rest []string
	for _, w := range strings.Fields(strings.ToLower(query)) {
		if m := sizeWord.FindStringSubmatch(w); m != nil && f.From == 0 {
			f.From, _ = strconv.Atoi(m[1]) // at most nine digits
			f.To = f.From
			continue
		}
		switch w {
		case "open":
			f.Open = true
			continue
		case "beaten":
			f.Beaten = true
			continue
		case "wrong":
			f.Faulty = true
			continue
		case "on", "under", "best", "processors", "with":
			continue
		}
		if t, err := core.ParseTorus(w); err == nil && f.Torus == "" && strings.ContainsAny(w, "x^") {
			f.Torus = t.String()
			continue
		}
		rest = append(rest, w)
	}
	f.Text = strings.Join(rest, " ")
	return f
}

// index lists every torus and routing with its sizes.
func (s *Site) index() []indexEntry {
	var list []indexEntry
	for _, t := range s.source.Tori() {
		for _, r := range t.Routings {
			if len(r.Torus) == 0 {
				continue
			}
			cells, _ := s.source.Cells(atlas.Filter{Torus: torusName(r.Torus), Routing: r.Routing})
			list = append(list, indexEntry{Torus: torusName(r.Torus), Routing: r.Routing, Slug: slug(r.Routing), Sizes: ranges(cells)})
		}
	}
	return list
}

// ranges writes the sizes of cells, which ascend, as 1-16 20.
func ranges(cells []atlas.Cell) string {
	var parts []string
	for i := 0; i < len(cells); {
		j := i
		for j+1 < len(cells) && cells[j+1].Size == cells[j].Size+1 {
			j++
		}
		text := strconv.Itoa(cells[i].Size)
		if j > i {
			text += "-" + strconv.Itoa(cells[j].Size)
		}
		parts = append(parts, text)
		i = j + 1
	}
	return strings.Join(parts, " ")
}
