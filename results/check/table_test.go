package check_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/layout"
)

// tableRecord returns a record of the linear placement on 4x4 under the table that spells udr with ties both, whose
// E_max 3/4 is worked out by hand in docs/formats.md.
func tableRecord(t *testing.T) results.Record {
	t.Helper()
	torus := core.MustTorus(4, 4)
	p, err := family.Parse(torus, "linear")
	if err != nil {
		t.Fatal(err)
	}
	r, err := compose.New(compose.Values{Routing: coretest.TableOf(routing.NewUDR(torus, routing.TieBoth)), Placement: p,
		MaxLoad: big.NewRat(3, 4), LowerBound: big.NewRat(3, 4), BoundReason: "degree", Baseline: linear("3/4"),
		Proof: boundProof("3/4")})
	if err != nil {
		t.Fatal(err)
	}
	r.Started = "2026-01-02T03:04:05Z"
	return r
}

func judge(t *testing.T, r results.Record) check.Verdict {
	t.Helper()
	r.ClaimSHA256 = r.Hash()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return check.Record(text)
}

func TestRecordWithTable(t *testing.T) {
	if v := judge(t, tableRecord(t)); v.Verdict != check.Valid || v.ProofVerdict != check.Verified || len(v.Reasons) > 0 {
		t.Errorf("%+v", v)
	}
}

// TestRecordWithTableByPair keeps the pairs of the placement only. Then the papers' placement is covered as well, being
// the same.
func TestRecordWithTableByPair(t *testing.T) {
	torus := core.MustTorus(4, 4)
	r := tableRecord(t)
	table, err := r.Table.Routing(torus)
	if err != nil {
		t.Fatal(err)
	}
	r.Table.By, r.Table.Entries = results.ByPair, nil
	p, _ := core.PlacementFromCoords(torus, r.Nodes)
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from != to {
				r.Table.Entries = append(r.Table.Entries, entryOf(torus, from, to, table.(*routing.Table).Choices(from, to)))
			}
		}
	}
	if v := judge(t, r); v.Verdict != check.Valid || v.ProofVerdict != check.Verified || len(v.Reasons) > 0 {
		t.Errorf("%+v", v)
	}
	moved := r
	moved.Nodes = [][]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}}
	if v := judge(t, moved); v.Verdict != check.Wrong ||
		!strings.Contains(strings.Join(v.Reasons, "\n"), "there is no entry from") {
		t.Errorf("other nodes: %+v", v)
	}
}

func entryOf(t *core.Torus, from, to int, paths []routing.TablePath) results.TableEntry {
	e := results.TableEntry{From: t.Coords(from), To: t.Coords(to)}
	for _, p := range paths {
		path := results.TablePath{Order: p.Order}
		for _, steps := range p.Steps {
			path.Dirs = append(path.Dirs, map[bool]string{true: "+", false: "-"}[steps > 0])
		}
		e.Paths = append(e.Paths, path)
	}
	return e
}

// TestWrongRecordsWithTable changes one thing at a time.
func TestWrongRecordsWithTable(t *testing.T) {
	for want, spoil := range map[string]func(r *results.Record){
		"recomputed it is":           func(r *results.Record) { r.Table.Entries[9].Paths = r.Table.Entries[9].Paths[1:] },
		"the field table is missing": func(r *results.Record) { r.Table = nil },
		"there is a table":           func(r *results.Record) { r.Routing = "udr:tie=both" },
		"so it is not a":             func(r *results.Record) { r.Table.Entries[0].Paths[0].Dirs[0] = "-" },
		"no entry for displacement":  func(r *results.Record) { r.Table.Entries = r.Table.Entries[1:] },
		"for torus 4x5, not for 4x4": func(r *results.Record) { r.Table.Torus = []int{4, 5} },
		"unknown schema":             func(r *results.Record) { r.Table.Schema = "leeway/table/3" },
		"recomputed it is 3/4":       func(r *results.Record) { r.MaxLoad = "1/2" },
	} {
		r := tableRecord(t)
		spoil(&r)
		v := judge(t, r)
		if all := strings.Join(v.Reasons, "\n"); v.Verdict != check.Wrong || !strings.Contains(all, want) {
			t.Errorf("want a fault with %q, have %s: %s", want, v.Verdict, all)
		}
	}
}

// TestStepsOfATable: steps prove an optimum under a table by displacement, and not under one with which brute force has
// less. (No engine takes tables by pair.)
func TestStepsOfATable(t *testing.T) {
	torus := core.MustTorus(3, 3)
	lies := 0
	for i := range coretest.Cases(60, 20) {
		rng := coretest.Rng(81, i)
		p := objective.Problem{Routing: coretest.Table(rng, torus, false), Size: 2 + rng.IntN(4)}
		s, least := leastOf(p)
		r := coretest.Must(compose.New(compose.Values{Routing: p.Routing, Placement: s, MaxLoad: least, LowerBound: least,
			Proof: stepsProof(least.RatString()), Provenance: results.Provenance{Started: "2026-01-02T03:04:05Z"}}))
		if text, ok := family.Baseline(torus, p.Size); ok {
			load, _ := p.Naive(coretest.Must(family.Parse(torus, text))).Max()
			r.Baseline = &results.Baseline{Placement: text, MaxLoad: load.RatString()}
		}
		v := produced(t, coretest.Must(layout.Encode(r)))
		if v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
			t.Errorf("case %d: %s, proof %s %v", i, v.Verdict, v.ProofVerdict, v.Reasons)
		}
		other := objective.Problem{Routing: coretest.Table(rng, torus, false), Size: p.Size}
		d := compose.NewBelow(other, least)
		d.Infeasible(*stepsProof(least.RatString()))
		_, truth := leastOf(other)
		if truth.Cmp(least) < 0 {
			lies++
		}
		if v := produced(t, coretest.Must(layout.Encode(d))); (v.Verdict == check.Valid) != (truth.Cmp(least) >= 0) {
			t.Errorf("case %d, another table below %s with %s: %s %v", i, least.RatString(), truth.RatString(), v.Verdict,
				v.Reasons)
		}
	}
	if lies < 2 {
		t.Errorf("only %d answers are false", lies)
	}
}

// TestGranularityOfTable: with entries of one and of two paths, loads are multiples of 1/2, which lifts (n-1)/4 = 1/4
// for two processors.
func TestGranularityOfTable(t *testing.T) {
	torus := core.MustTorus(4, 4)
	r, err := compose.New(compose.Values{Routing: coretest.TableOf(routing.NewUDR(torus, routing.TiePlus)),
		Placement: core.MustPlacement(torus, []int{0, 5}),
		MaxLoad:   big.NewRat(1, 2), LowerBound: big.NewRat(1, 2), BoundReason: "degree, rounded up to a multiple of 1/2",
		Proof: boundProof("1/2")})
	if err != nil {
		t.Fatal(err)
	}
	r.Started = "2026-01-02T03:04:05Z"
	if v := judge(t, r); v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
		t.Errorf("%+v", v)
	}
}
