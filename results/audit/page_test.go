package audit_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/audit"
	"leeway/results/audit/claims"
)

// TestPage: the findings in the program are what its checks find at the default limits, every fifth of them, and all in
// the long form; TestShipped holds the page against them.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs checks at the default limits")
	}
	list, shipped := claims.Select(""), coretest.Must(audit.Shipped())
	if len(shipped) != len(list) {
		t.Fatalf("%d findings of %d claims (make audit)", len(shipped), len(list))
	}
	var some []audit.Claim
	want := map[string]audit.Item{}
	for i, c := range list {
		want[c.ID] = shipped[i]
		if got := audit.NewItem(c, shipped[i].Finding); !reflect.DeepEqual(got, shipped[i]) {
			t.Errorf("%s is in the place of %s, or has other words (make audit)", shipped[i].Claim, c.ID)
		}
		if coretest.Long() || i%5 == 0 {
			some = append(some, c)
		}
	}
	for c, f := range audit.Run(t.Context(), some, audit.Limits{MaxK: audit.DefaultMaxK}, 2) {
		if got := audit.NewItem(c, f); !reflect.DeepEqual(got, want[c.ID]) {
			t.Errorf("%+v, not %+v (make audit)", got, want[c.ID])
		}
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
