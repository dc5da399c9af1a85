package claims

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"leeway/results/audit"
)

// TestClaimsAreNamed: names are unique, begin with the name of a paper, and every claim says where it stands and what
// it is.
func TestClaimsAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Select("") {
		if seen[c.ID] {
			t.Errorf("%s stands twice", c.ID)
		}
		seen[c.ID] = true
		if c.Source == "" || c.Statement == "" || c.Check == nil {
			t.Errorf("%s lacks its source, statement or check", c.ID)
		}
		known := false
		for _, paper := range audit.Papers() {
			known = known || strings.HasPrefix(c.ID, paper.Prefix+"-")
		}
		if !known || strings.ToLower(c.ID) != c.ID || strings.Contains(c.ID, " ") {
			t.Errorf("%q is no name of a claim", c.ID)
		}
	}
}

func TestSelect(t *testing.T) {
	if n := len(Select("")); n != len(Select("")) {
		t.Errorf("the empty prefix selects %d of %d claims", n, len(Select("")))
	}
	if n := len(Select("seed009")); n != 0 {
		t.Errorf("an unknown prefix selects %d claims", n)
	}
	for _, c := range Select("seed000-theorem-2") {
		if !strings.HasPrefix(c.ID, "seed000-theorem-2") {
			t.Errorf("%s was selected by seed000-theorem-2", c.ID)
		}
	}
}

// TestWorkersDoNotMatter: one and three workers give the same findings in the same order.
func TestWorkersDoNotMatter(t *testing.T) {
	claims := append(Select("seed000-section"), Select("seed001-figure")...)
	collect := func(workers int) []audit.Item {
		var items []audit.Item
		for c, f := range audit.Run(context.Background(), claims, audit.Limits{MaxK: 4}, workers) {
			items = append(items, audit.NewItem(c, f))
		}
		return items
	}
	one, three := collect(1), collect(3)
	if !reflect.DeepEqual(one, three) {
		t.Errorf("one worker found\n%v\nthree\n%v", one, three)
	}
	for i, c := range claims {
		if one[i].Claim != c.ID {
			t.Errorf("item %d is %s, want %s", i, one[i].Claim, c.ID)
		}
	}
}

// TestChecksEndWithTheContext: no check goes on for long once it was told to stop.
func TestChecksEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range Select("") {
		c.Check(ctx, audit.Limits{MaxK: audit.DefaultMaxK})
	}
}
