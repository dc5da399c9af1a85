package pages

import (
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/atlas"
)

// TestDocument: headings have ids that links in the documents name, links lead to pages or nowhere, rows of cells to
// theirs, and HTML in a document stays away.
func TestDocument(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	m := coretest.Must(readDocument(view, []byte(`# The *title* & more

## Both: `+"`tie=both`"+`, E_max

## main

## main

[bounds](bounds.md#band), [audit](audit.md), [steps](steps.md), [out](https://example.org/). <b onclick="x">bold</b>

| torus | routing | n |
|---|---|---|
| 8x8 | `+"`udr:tie=both`"+` | 16 |
| 8x8 | `+"`udr:tie=both`"+` | 65 |
| nowhere | `+"`odr`"+` | 1 |
`)))
	if m.Title != "The title & more" || len(m.Sections) != 3 || m.Sections[0] != (crumb{"Both: tie=both, E_max",
		"#both-tieboth-e_max"}) {
		t.Errorf("title %q, sections %q", m.Title, m.Sections)
	}
	for _, part := range []string{`<h2 id="both-tieboth-e_max">`, `<h2 id="main-1">`, `<h2 id="main-1-1">`,
		`<a href="bounds.html#band">bounds</a>, <a href="audit.html">audit</a>, steps, <a href="https://example.org/">out`,
		`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table class="document">`,
		`<th scope="col">n</th>`,
		`<a href="../8x8/udr-tie-both/16.html">16</a>`, `<td>65</td>`, `<td>1</td>`} {
		if !strings.Contains(string(m.HTML), part) {
			t.Errorf("%s is not in %s", part, m.HTML)
		}
	}
	for _, part := range []string{"onclick", "The <em>title", "<a>"} {
		if strings.Contains(string(m.HTML), part) {
			t.Errorf("%s is in %s", part, m.HTML)
		}
	}
}
