package pages

import (
	"errors"
	"html/template"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

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

// readDocument reads a document. Links lead to the pages of this site, and so do rows of tables about cells. HTML in a
// document is left out.
func readDocument(s Source, source []byte) (manuscript, error) {
	var m manuscript
	var b strings.Builder
	used := map[string]bool{"main": true, "q": true} // ids of the page
	for _, part := range split(string(source)) {
		if _, below, _ := strings.Cut(part, "\n"); strings.HasPrefix(part, "|") && strings.HasPrefix(below, "|-") {
			if err := writeTable(&b, s, part); err != nil {
				return m, err
			}
			continue
		}
		_, err := render(&b, goldmark.DefaultParser(), part, func(n *ast.Heading, title string) (keep bool) {
			if n.Level == 1 {
				m.Title = title
				return false
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
			return true
		})
		if err != nil {
			return m, err
		}
	}
	m.HTML = template.HTML(b.String()) // goldmark escapes all text
	return m, nil
}

// split returns the parts of a document in their order: tables, whose lines begin with |, the second with |-, and what
// is between them.
func split(source string) (parts []string) {
	code, table := false, false
	lines := strings.SplitAfter(source, "\n")
	for i, line := range lines {
		was := table
		code = code != strings.HasPrefix(line, "```")
		table = !code && strings.HasPrefix(line, "|") && (was || i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|-"))
		if table != was || i == 0 {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += line
	}
	return parts
}

// inline reads one paragraph: what a cell of a table holds.
var inline = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 0)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...))
})

// render writes Markdown without tables as HTML, with what links lead to and without the headings that are not to be
// kept, and returns its text without signs.
func render(to *strings.Builder, by parser.Parser, source string,
	keep func(n *ast.Heading, title string) bool) (plain string, err error) {
	of := []byte(source)
	document := by.Parse(text.NewReader(of))
	plain = textOf(document, of)
	var nodes []ast.Node
	err = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes = append(nodes, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Heading:
			if !keep(n, textOf(n, of)) {
				n.Parent().RemoveChild(n.Parent(), n)
			}
		case *ast.Link:
			n.Destination = []byte(documentLink(string(n.Destination)))
			if len(n.Destination) == 0 { // its text alone
				for n.HasChildren() {
					n.Parent().InsertBefore(n.Parent(), n, n.FirstChild())
				}
				n.Parent().RemoveChild(n.Parent(), n)
			}
		}
	}
	return plain, errors.Join(err, goldmark.DefaultRenderer().Render(to, of, document))
}

// writeTable writes a table in a box of its own, which scrolls on a small screen. If it begins with network, routing
// and size, the sizes lead to the pages of their cells.
func writeTable(to *strings.Builder, s Source, source string) error {
	to.WriteString(`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table class="document">` + "\n")
	var head []string
	for n, line := range strings.Split(strings.TrimSpace(source), "\n") {
		if n == 1 {
			continue // the line below the head
		}
		line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
		var cells, plain []string
		for cell := range strings.SplitSeq(strings.ReplaceAll(line, `\|`, "\x00"), "|") {
			var b strings.Builder
			text, err := render(&b, inline(), strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|")), nil)
			if err != nil {
				return err
			}
			cells = append(cells, strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), "<p>"), "</p>"))
			plain = append(plain, text)
		}
		begin, cell, end := "<tr>\n", "td", "</tr>\n"
		if n == 0 {
			head = plain
			begin, cell, end = "<thead>\n<tr>\n", `th scope="col"`, "</tr>\n</thead>\n<tbody>\n"
		} else if address := cellOf(s, head, plain); address != "" {
			cells[2] = `<a href="../` + template.HTMLEscapeString(address) + `">` + cells[2] + "</a>"
		}
		to.WriteString(begin)
		for _, html := range cells {
			to.WriteString("<" + cell + ">" + html + "</" + cell[:2] + ">\n")
		}
		to.WriteString(end)
	}
	to.WriteString("</tbody>\n</table></div>\n")
	return nil
}

// cellOf returns the address of the cell that a row of a table with a given head is about, "" if it is about none.
func cellOf(s Source, head, row []string) string {
	if len(head) < 3 || len(row) < 3 || head[1] != "routing" || head[2] != "n" {
		return ""
	}
	read := core.ParseNetwork
	switch head[0] {
	case "mesh":
		read = texts.ParseMesh
	case "torus", "network":
	default:
		return ""
	}
	on, errOn := read(row[0])
	size, errSize := strconv.Atoi(row[2])
	if errOn != nil || errSize != nil {
		return ""
	}
	p, err := texts.ParseProblem(on.String(), row[1], size)
	if err != nil {
		return ""
	}
	c, ok := s.Cell(texts.KeyOf(p))
	if !ok {
		return ""
	}
	return CellAddress(c.Key())
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
