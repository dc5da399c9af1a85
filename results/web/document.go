package web

import (
	"strings"
	"sync"

	"leeway/docs"
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
	return s.render("document", documentAddress(name), all[name].Title, nil, all[name])
}
