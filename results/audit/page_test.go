package audit

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestPage sees that docs/audit.md is what the program prints at the default limits:
// the section of every claim that is checked quickly, and a heading for the others.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs most checks at the default limits")
	}
	data, err := os.ReadFile("../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, c := range Claims() {
		want := fmt.Sprintf("### %s\n\n%s. %s\n", c.ID, c.Source, c.Statement)
		if !slow[c.ID] {
			want = section(NewItem(c, c.Check(context.Background(), Limits{MaxK: DefaultMaxK})))
		}
		if !strings.Contains(page, want) {
			t.Errorf("docs/audit.md is not up to date (make audit); it lacks\n%s", want)
		}
	}
	if n := strings.Count(page, "\n### "); n != len(Claims()) {
		t.Errorf("docs/audit.md has %d claims, the program %d", n, len(Claims()))
	}
}

// TestShipped: the findings in the program are those of the page, which TestPage compares
// with the checks.
func TestShipped(t *testing.T) {
	page, err := os.ReadFile("../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	items, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	if Markdown(items, Limits{MaxK: DefaultMaxK}) != string(page) {
		t.Error("results/audit/findings.json and docs/audit.md are not of one audit: make audit writes both")
	}
}

// TestMarkdown: a failing claim stands in the table, with bars kept apart from those
// of the table, and in its section.
func TestMarkdown(t *testing.T) {
	item := NewItem(Claim{ID: "seed001-lemma-2.1", Source: "a paper", Statement: "|P| is 3."},
		Finding{Verdict: Fails, Checked: "one case", Note: "it is 4", Counterexample: &Counterexample{Case: "torus 2", Claimed: "3", True: "4", Command: "leeway version"}})
	page := Markdown([]Item{item}, Limits{MaxK: 5})
	for _, want := range []string{
		"Of 1 claims 0 hold, 1 fail and 0 are untested", `| [seed001-lemma-2.1](#seed001-lemma-21) | \|P\| is 3. | torus 2 | 3 | 4 |`,
		"## seed001\n", "**fails**: one case.\n", "* See `leeway version`\n", "\nIt is 4.\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
