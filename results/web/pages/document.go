package pages

import (
	"bytes"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"leeway/core"
	"leeway/docs"
	"leeway/objective/texts"
)

// documents are those that have a page, with what they are about, in the order in which they are listed.
var documents = []struct{ Name, About string }{
	{"findings", "what the atlas shows: where the papers are beaten, what is proved, what is open"},
	{"audit", "what the five papers claim, and what of it is wrong"},
	{"completeness", "which networks and sizes are complete, and how each value was checked"},
	{"laws", "formulas of E_max for all sides, and their proofs"},
	{"radius", "what a processor near every node costs in load"},
	{"verified", "which values checkers written elsewhere have accepted"},
	{"tools", "where programs and tables of others differ from the exact values"},
	{"best-lattices", "which torus or twisted torus carries least, for each number of nodes"},
	{"controllers", "where to put memory controllers on 8x8"},
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

// DocumentAddress is the page of a document.
func DocumentAddress(name string) string { return "docs/" + name + PageEnding }

// isDocument reports whether a document has a page.
func isDocument(name string) bool {
	for _, d := range documents {
		if d.Name == name {
			return true
		}
	}
	return false
}

// A manuscript is a document as part of a page: its title, its sections of the second level, and all but the title as
// HTML.
type manuscript struct {
	Title    string
	Sections []crumb // their addresses are #...
	HTML     template.HTML
}

// reader reads Markdown with tables. HTML in a document is left out.
var reader = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))))
})

// scrolled puts every table into a box of its own, which scrolls on a small screen.
var scrolled = strings.NewReplacer("<th>", `<th scope="col">`,
	"<table", `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table`,
	"</table>", "</table></div>")

// readDocument reads a document. Links lead to the pages of this site, and so do rows of tables about cells.
func readDocument(s Source, source []byte) (manuscript, error) {
	var m manuscript
	document := reader().Parser().Parse(text.NewReader(source))
	var nodes []ast.Node
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes = append(nodes, n)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return m, err
	}
	used := map[string]bool{"main": true, "q": true} // ids of the page
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Heading:
			title := textOf(n, source)
			if n.Level == 1 {
				m.Title = title
				n.Parent().RemoveChild(n.Parent(), n)
				continue
			}
			id := anchor(title)
			for used[id] {
				id += "-1"
			}
			used[id] = true
			n.SetAttributeString("id", []byte(id))
			if n.Level == 2 {
				m.Sections = append(m.Sections, crumb{title, "#" + id})
			}
		case *ast.Link:
			n.Destination = []byte(documentLink(string(n.Destination)))
			if len(n.Destination) == 0 { // its text alone
				for n.HasChildren() {
					n.Parent().InsertBefore(n.Parent(), n, n.FirstChild())
				}
				n.Parent().RemoveChild(n.Parent(), n)
			}
		case *tables.Table:
			n.SetAttributeString("class", []byte("document"))
			linkRows(s, n, source)
		}
	}
	var b bytes.Buffer
	err = reader().Renderer().Render(&b, source, document)
	m.HTML = template.HTML(scrolled.Replace(b.String())) // goldmark escapes all text
	return m, err
}

// textOf returns the text of a node without its signs.
func textOf(n ast.Node, source []byte) string {
	if t, ok := n.(*ast.Text); ok {
		return string(t.Value(source))
	}
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(textOf(c, source))
	}
	return b.String()
}

// anchor returns the id of a section, as links in the documents have it: letters, digits and _ of its title, small, and
// - for blanks.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			return r
		}
		return -1
	}, strings.ToLower(title))
}

// linkRows links the rows of a table to the pages of their cells, if it begins with network, routing and size.
func linkRows(s Source, table *tables.Table, source []byte) {
	read := core.ParseNetwork
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, textOf(c, source))
		}
		if row == table.FirstChild() {
			if len(cells) < 3 || !slices.Contains([]string{"torus", "network", "mesh"}, cells[0]) ||
				cells[1] != "routing" || cells[2] != "n" {
				return
			}
			if cells[0] == "mesh" {
				read = texts.ParseMesh
			}
			continue
		}
		on, errOn := read(cells[0])
		size, errSize := strconv.Atoi(cells[2])
		if errOn != nil || errSize != nil {
			continue
		}
		p, err := texts.ParseProblem(on.String(), cells[1], size)
		if err != nil {
			continue
		}
		if c, ok := s.Cell(texts.KeyOf(p)); ok {
			third := row.FirstChild().NextSibling().NextSibling()
			link := ast.NewLink()
			link.Destination = []byte("../" + CellAddress(c.Key()))
			for third.HasChildren() {
				link.AppendChild(link, third.FirstChild())
			}
			third.AppendChild(third, link)
		}
	}
}

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
	case isFile && isDocument(name):
		return name + PageEnding + part
	}
	return ""
}

// Document is the page of a document.
func Document(s Source, name string) (Page, error) {
	if !isDocument(name) {
		return Page{}, ErrNotFound
	}
	source, err := docs.Files.ReadFile(name + ".md")
	if err != nil {
		return Page{}, err
	}
	text, err := readDocument(s, source)
	return newPage("document", DocumentAddress(name), text.Title, nil, text), err
}

// Documents returns the names of the documents that have pages.
func Documents() []string {
	var list []string
	for _, d := range documents {
		list = append(list, d.Name)
	}
	return list
}
