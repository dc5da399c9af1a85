package audit

import (
	"fmt"
	"slices"
	"strings"
)

// Markdown returns the page docs/audit.md: what is wrong first, with counterexamples, then every claim paper by
// paper.
func Markdown(items []Item, l Limits) string {
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, l.MaxK, len(items), Count(items, Holds), Count(items, Fails), Count(items, Untested))
	writeFailures(&b, items)
	for _, paper := range papers {
		own := slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return !paper.Has(it.Claim) })
		heading := fmt.Sprintf("\n## %s\n\n%s %d of its claims hold, %d fail, %d are untested.\n", paper.Prefix, paper.Title,
			Count(own, Holds), Count(own, Fails), Count(own, Untested))
		for _, it := range items {
			if paper.Has(it.Claim) {
				b.WriteString(heading + "\n" + section(it))
				heading = ""
			}
		}
	}
	return b.String()
}

// writeFailures writes the table of the claims that fail, if there are any.
func writeFailures(b *strings.Builder, items []Item) {
	if Count(items, Fails) == 0 {
		return
	}
	b.WriteString("\n## What is wrong\n\n| claim | statement | smallest case | claimed | true |\n|---|---|---|---|---|\n")
	for _, it := range items {
		if c := it.Counterexample; c != nil {
			fmt.Fprintf(b, "| [%s](#%s) | %s | %s | %s | %s |\n", it.Claim, anchor(it.Claim), cell(it.Statement),
				cell(c.Case), cell(c.Claimed), cell(c.True))
		}
	}
}

// pageHead opens the page.
const pageHead = `# Audit of the papers

Written by ` + "`make audit`" + `, that is ` + "`leeway audit --max-k %d --markdown`" + `.
Of %d claims %d hold, %d fail and %d are untested.

Each claim is a small program (` + "`results/audit`" + `) that computes the truth, exactly, for every case in the
stated range, and never from a closed form. *holds* means in every case of that range, not that it is proved; *fails*
comes with the first case that fails, in the order in which the range is stated. A claim about all routings is held
against the best fractional minimal one (a linear program). Closed forms after "Exactly" and "Instead" are ours. Sides
are 3 or more unless a range says otherwise: on sides of 2 the papers' own definition of the torus does not hold. The
seeds are texts made from the printed papers; where a sign could have been lost on the way, the note says so.
`

// section describes one item.
func section(it Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s. %s\n\n**%s**", it.Claim, it.Source, it.Statement, it.Verdict)
	if it.Checked != "" {
		fmt.Fprintf(&b, ": %s", it.Checked)
	}
	b.WriteString(".\n")
	if c := it.Counterexample; c != nil {
		fmt.Fprintf(&b, "\n* Smallest case: %s. Claimed %s, true %s.\n", c.Case, c.Claimed, c.True)
		if c.Command != "" {
			fmt.Fprintf(&b, "* See `%s`\n", c.Command)
		}
	}
	if it.Note != "" {
		fmt.Fprintf(&b, "\n%s\n", sentence(it.Note))
	}
	return b.String()
}

// sentence returns a note, which must not be empty, with a capital and a full stop.
func sentence(note string) string {
	note = strings.ToUpper(note[:1]) + note[1:]
	if !strings.HasSuffix(note, ".") {
		note += "."
	}
	return note
}

// anchor is the name that a heading gets.
func anchor(heading string) string { return strings.ReplaceAll(heading, ".", "") }

// cell returns text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
