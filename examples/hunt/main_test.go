package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/layout"
)

// TestReadme: the page has the bounds of the atlas.
func TestReadme(t *testing.T) {
	page := string(coretest.Must(os.ReadFile("README.md")))
	if rows := table(coretest.Must(atlas.Shipped())); !strings.Contains(page, rows) || rows == "" {
		t.Errorf("README.md does not have the rows that go run ./examples/hunt table prints:\n%s", rows)
	}
}

// TestProblems: every problem is an open cell, with the bounds of the atlas.
func TestProblems(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	list := problems(view)
	for _, p := range list {
		d, ok, err := view.Labelled(t.Context(), p.Label)
		if err != nil || !ok || d.Status == atlas.Optimal || d.MaxLoad != p.BestKnown || d.LowerBound != p.LowerBound {
			t.Errorf("%+v: the atlas has %+v, %v", p, d.Cell, err)
		}
	}
	total := 0
	for _, s := range view.Tori() {
		total += s.Open
	}
	if len(list) != total {
		t.Errorf("%d problems, %d open cells", len(list), total)
	}
}

// TestJudge: answers that are as good as what is known, better, worse, and none.
func TestJudge(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	d, _, err := view.Labelled(t.Context(), "5x7-open-0-1.minimal-tie-both.19")
	if err != nil {
		t.Fatal(err)
	}
	best := d.Record.Nodes
	rows := [][]int{}
	for v := range 19 {
		rows = append(rows, []int{v / 7, v % 7})
	}
	for _, c := range []struct {
		label, want string
		nodes       [][]int
	}{
		{d.Label(), "equal", best},
		{d.Label(), "worse", rows},
		{d.Label(), "unreadable", best[1:]},
		{d.Label(), "unreadable", append([][]int{{9, 9}}, best[1:]...)},
		{"5x7.odr", "unreadable", best},
	} {
		var out bytes.Buffer
		in := coretest.Must(json.Marshal(answer{Label: c.label, Nodes: c.nodes, Finder: "A. Finder"}))
		coretest.Try(run(nil, bytes.NewReader(in), &out))
		var v verdict
		err := json.Unmarshal(out.Bytes(), &v)
		if err != nil || v.Verdict != c.want || (v.Record != nil) != (c.want == "equal") {
			t.Errorf("%s: %s, %v, want %s", c.label, out.String(), err, c.want)
		}
		if v.Record == nil {
			continue
		}
		if said := check.Record(coretest.Must(layout.Encode(v.Record))); said.Verdict != check.Valid ||
			v.Record.MaxLoad != d.MaxLoad || v.Record.Credit.Finder != "A. Finder" {
			t.Errorf("the record is %+v: %+v", said, v.Record)
		}
	}
	// Of a store that knows less the same answer is better.
	weak := *d.Record
	weak.Nodes, weak.Baseline = rows, nil
	p, s, err := placed(d, rows)
	if err != nil {
		t.Fatal(err)
	}
	most, _ := p.Naive(s).Max()
	weak.MaxLoad, weak.LowerBound = results.FormatFraction(most), "0"
	weak.BoundProof, weak.SolverClaim = nil, nil
	weak.ClaimSHA256 = weak.Hash()
	less := coretest.Must(atlas.OfRecords(coretest.Must(layout.Encode(weak))))
	if v := judge(t.Context(), less, answer{Label: d.Label(), Nodes: best}); v.Verdict != "better" {
		t.Errorf("beside a worse record: %+v", v)
	}
}
