package audit

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"leeway/results/forms"
)

// The pages that Markdown and ToolsMarkdown write.
//
//go:embed pages.tmpl
var pagesText string

// page returns one of them, by its name.
func page(name string, data any) string {
	var b strings.Builder
	t := forms.Parse(pagesText, template.FuncMap{"count": Count, "papers": Papers, "sentence": sentence,
		"of": func(paper Paper, items []Item) []Item {
			return slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return !paper.Has(it.Claim) })
		},
		"anchor": func(heading string) string { return strings.ReplaceAll(heading, ".", "") },
		"cell":   func(text string) string { return strings.ReplaceAll(text, "|", `\|`) },
		"indented": func(code string) string {
			text := strings.ReplaceAll("    "+strings.TrimSpace(code), "\n", "\n    ")
			return strings.ReplaceAll(text, "\n    \n", "\n\n")
		}})
	forms.Write(&b, t, name, data)
	return b.String()
}

// Markdown returns the page docs/audit.md: what is wrong first, with counterexamples, then every claim paper by
// paper.
func Markdown(items []Item, l Limits) string {
	return page("audit", struct {
		MaxK  int
		Items []Item
	}{l.MaxK, items})
}

// ToolsMarkdown returns the page docs/tools.md.
func ToolsMarkdown(list []Difference) string { return page("tools", list) }

// sentence returns a note, which must not be empty, with a capital and a full stop.
func sentence(note string) string {
	note = strings.ToUpper(note[:1]) + note[1:]
	if !strings.HasSuffix(note, ".") {
		note += "."
	}
	return note
}
