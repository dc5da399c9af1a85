package pages

import (
	"html/template"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/audit"
)

// auditBody is what the page about the papers' claims shows.
type auditBody struct {
	Claims, Holds, Fails, Untested int
	MaxK                           int
	Failures                       []failure
	Papers                         []paperItems
}

// paperItems are the claims of a paper that do not fail, and how many do.
type paperItems struct {
	audit.Paper
	Holds, Untested []audit.Item
	Fails           int
}

// A failure is a claim that fails. The smallest case may be a placement that the editor shows, and a cell.
type failure struct {
	audit.Item
	Editor template.URL // "" where the editor does not show it
	Cell   string       // page, "" where there is none
}

// failureOf returns a claim that fails with where its placement is shown, as far as its command names one. Without a
// routing the editor shows the placement under minimal.
func failureOf(s Source, it audit.Item) failure {
	f, option := failure{Item: it}, map[string]string{"routing": "minimal"}
	if it.Counterexample == nil {
		return f
	}
	words := strings.Fields(it.Counterexample.Command)
	for i, word := range words[:max(0, len(words)-1)] {
		if name, ok := strings.CutPrefix(word, "--"); ok {
			option[name] = words[i+1]
		}
	}
	t, err := core.ParseNetwork(option["torus"])
	if err != nil {
		return f
	}
	p, err := family.Parse(t, option["placement"])
	r, wrong := routing.Parse(t, option["routing"])
	if err != nil || wrong != nil {
		return f
	}
	f.Editor = editorOf(t, core.JoinNodes(p.Coords()), results.Setting{}, r.String())
	if c, ok := s.Cell(texts.Key{Torus: t.String(), Routing: r.String(), Size: p.Size()}); ok && c.Fault == "" {
		f.Cell = CellAddress(c.Key())
	}
	return f
}

// Audit is the page about the papers' claims. It shows the findings that are part of the program, which do not depend
// on what the site shows.
func Audit(s Source) (Page, error) {
	items, err := audit.Shipped()
	if err != nil {
		return Page{}, err
	}
	body := auditBody{Claims: len(items), Holds: audit.Count(items, audit.Holds), Fails: audit.Count(items, audit.Fails),
		Untested: audit.Count(items, audit.Untested), MaxK: audit.DefaultMaxK}
	for _, paper := range audit.Papers() {
		group := paperItems{Paper: paper}
		for _, it := range items {
			switch {
			case !paper.Has(it.Claim):
			case it.Verdict == audit.Fails:
				body.Failures = append(body.Failures, failureOf(s, it))
				group.Fails++
			case it.Verdict == audit.Holds:
				group.Holds = append(group.Holds, it)
			default:
				group.Untested = append(group.Untested, it)
			}
		}
		body.Papers = append(body.Papers, group)
	}
	return newPage("audit", AuditAddress, "What the papers claim", nil, body), nil
}
