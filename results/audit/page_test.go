package audit_test

import (
	"os"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/audit"
	"leeway/results/audit/claims"
)

// TestPage sees that docs/audit.md is what the program finds and prints at the default limits.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all checks at the default limits")
	}
	page := coretest.Must(os.ReadFile("../../docs/audit.md"))
	limits := audit.Limits{MaxK: audit.DefaultMaxK}
	var items []audit.Item
	for c, f := range audit.Run(t.Context(), claims.Select(""), limits, 2) {
		items = append(items, audit.NewItem(c, f))
	}
	for section := range strings.SplitSeq(audit.Markdown(items, limits), "\n#") {
		if !strings.Contains(string(page), section) {
			t.Errorf("docs/audit.md is not up to date (make audit); it lacks\n#%s", section)
		}
	}
	if audit.Markdown(items, limits) != string(page) {
		t.Error("docs/audit.md is not up to date (make audit)")
	}
}

// TestShipped: the findings in the program are those of the page, which TestPage compares with the checks.
func TestShipped(t *testing.T) {
	page := coretest.Must(os.ReadFile("../../docs/audit.md"))
	items := coretest.Must(audit.Shipped())
	if audit.Markdown(items, audit.Limits{MaxK: audit.DefaultMaxK}) != string(page) {
		t.Error("results/audit/findings.json and docs/audit.md are not of one audit: make audit writes both")
	}
}

// TestMarkdown: a failing claim stands in the table, with bars kept apart from those of the table, and in its
// section.
func TestMarkdown(t *testing.T) {
	item := audit.NewItem(audit.Claim{ID: "seed001-lemma-2.1", Source: "a paper", Statement: "|P| is 3."},
		audit.Finding{Verdict: audit.Fails, Checked: "one case", Note: "it is 4",
			Counterexample: &audit.Counterexample{Case: "torus 2", Claimed: "3", True: "4", Command: "leeway version"}})
	page := audit.Markdown([]audit.Item{item}, audit.Limits{MaxK: 5})
	for _, want := range []string{
		"Of 1 claims 0 hold, 1 fail and 0 are untested",
		`| [seed001-lemma-2.1](#seed001-lemma-21) | \|P\| is 3. | torus 2 | 3 | 4 |`,
		"## seed001\n", "**fails**: one case.\n", "* See `leeway version`\n", "\nIt is 4.\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
