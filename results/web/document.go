package web

import (
	"html/template"
	"strconv"
	"strings"
	"sync"

	"leeway/core"
	"leeway/docs"
	"leeway/objective"
	"leeway/results/atlas"
)

// documents are those that have a page, with what they are about, in the order in which they are listed.
var documents = []struct{ Name, About string }{
	{"findings", "what the atlas shows: where the papers are beaten, what is proved, what is open"},
	{"laws", "formulas of E_max for all sides, and their proofs"},
	{"radius", "what a processor near every node costs in load"},
	{"verified", "which values checkers written elsewhere have accepted"},
	{"controllers", "placements of memory controllers on 8x8"},
	{"minimal-routing", "the best that any routing along shortest paths can do"},
	{"bisection", "bisection widths with respect to placements"},
	{"concepts", "torus, placement, routing, load: the terms in order"},
	{"guide", "ten minutes with the program"},
	{"bounds", "lower bounds for every placement of a size"},
	{"margin-bound", "the bound from the numbers of processors in slabs"},
	{"proofs", "what a proof of optimality is, and how it is repeated"},
	{"conventions", "how networks, placements and routings are written"},
	{"limits", "what is not modelled"},
}

// documentAddress is the page of a document.
func documentAddress(name string) string { return "docs/" + name + pageEnding }

// isDocument reports whether a document has a page.
func isDocument(name string) bool {
	for _, d := range documents {
		if d.Name == name {
			return true
		}
	}
	return false
}

// manuscripts are the documents as pages have them, each read once.
var manuscripts = sync.OnceValues(func() (map[string]manuscript, error) {
	all := map[string]manuscript{}
	for _, d := range documents {
		text, err := docs.Files.ReadFile(d.Name + ".md")
		if err != nil {
			return nil, err
		}
		all[d.Name] = readMarkdown(string(text), documentLink)
	}
	return all, nil
})

// documentLink returns where a link in a document leads to on its page: to another such page, or nowhere.
func documentLink(to string) string {
	file, part, inside := strings.Cut(to, "#")
	if inside {
		part = "#" + part
	}
	name, isFile := strings.CutSuffix(file, ".md")
	switch {
	case file == "" || strings.HasPrefix(file, "https://"):
		return to
	case name == "audit":
		return "../" + auditAddress
	case isFile && isDocument(name):
		return name + pageEnding + part
	}
	return ""
}

// Tables about cells begin with network, routing and size.
var (
	tableOfCells = pattern(`<th scope="col">(torus|network|mesh)</th><th scope="col">routing</th><th scope="col">n</th>`)
	rowOfCell    = pattern(`<tr><td>([^<]*)</td><td><code>([^<]*)</code></td><td>([0-9]{1,9})</td>`)
)

// linked returns the text of a document with links from the rows of tables about cells to their pages.
func (s *Site) linked(text template.HTML) template.HTML {
	tables := strings.SplitAfter(string(text), "</table>")
	for i, table := range tables {
		if head := tableOfCells().FindStringSubmatch(table); head != nil {
			tables[i] = s.linkedRows(table, head[1] == "mesh")
		}
	}
	return template.HTML(strings.Join(tables, ""))
}

func (s *Site) linkedRows(table string, meshes bool) string {
	read := core.ParseNetwork
	if meshes {
		read = core.ParseMesh
	}
	return rowOfCell().ReplaceAllStringFunc(table, func(row string) string {
		part := rowOfCell().FindStringSubmatch(row)
		on, err := read(part[1])
		if err != nil {
			return row
		}
		size, _ := strconv.Atoi(part[3]) // at most nine digits
		p, err := objective.ParseProblem(on.String(), part[2], size)
		if err != nil {
			return row
		}
		c, ok := s.source.Cell(atlas.KeyOf(p))
		if !ok {
			return row
		}
		return strings.TrimSuffix(row, part[3]+"</td>") + `<a href="../` + pageOf(c.Key()) + `">` + part[3] + "</a></td>"
	})
}

// document is the page of a document.
func (s *Site) document(file string) (document, error) {
	if picture, err := docs.Files.ReadFile(file); err == nil && strings.HasSuffix(file, ".svg") {
		return document{kindSVG, picture}, nil
	}
	name, ok := strings.CutSuffix(file, pageEnding)
	if !ok || !isDocument(name) {
		return document{}, ErrNotFound
	}
	all, err := manuscripts()
	if err != nil {
		return document{}, err
	}
	text := all[name]
	text.HTML = s.linked(text.HTML)
	return s.render("document", documentAddress(name), text.Title, nil, text)
}
