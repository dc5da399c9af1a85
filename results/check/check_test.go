package check_test

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
)

// reasons says what must stand among the reasons of a wrong or unreadable case.
var reasons = map[string]string{
	"node-moved": "max_load is 4, recomputed", "node-moved-stale-hash": "claim_sha256", "node-twice": "stands twice",
	"node-outside": "outside 0..3", "node-short": "coordinates", "nodes-unsorted": "not sorted",
	"node-dropped":    "there are 15 nodes",
	"size-off-by-one": "size is 17", "load-lower": "recomputed it is 4", "load-higher": "recomputed it is 4",
	"load-stale-hash": "claim_sha256",
	"load-reducible":  "lowest terms", "load-decimal": "not a fraction", "hash-one-digit": "claim_sha256",
	"routing-tie":        "recomputed",
	"routing-short-form": `canonical form, which is "odr:tie=plus"`, "routing-unknown": "unknown routing",
	"torus-side-1": "outside 2..65535",
	"torus-other":  "no linear or multilinear placement has", "bound-unjustified": "best bound derived here is 1",
	"bound-above-load": "above max_load",
	"bound-reducible":  "lowest terms", "optimal-unproved": "optimal without a proof",
	"optimal-low-bound": "is below max_load",
	"feasible-proved":   "status is feasible", "status-unknown": "neither optimal nor feasible",
	"census-count-off": "count should be 455",
	"census-below-off": "below is 3/4", "census-refuted": "has E_max below 3/2",
	"census-too-large": "more than 10000000000 steps; --steps",
	"census-nodes-off": "nodes, not the", "census-total-off": "the slices have", "census-sum-off": "checksum is",
	"census-slice-missing": "a slice is missing", "census-last-slice-missing": "do not hold all",
	"census-slice-twice":  "a slice is missing or does not belong",
	"census-prefixes-off": "slice 2 does not start", "census-split-off": "slice",
	"census-tree-unknown": `no tree "magic"`, "census-other-tree": "slice",
	"census-other-size": "slice", "census-no-slices": "do not hold all", "census-levels-off": "checksum is",
	"census-levels-routing": "slice", "unsat-file-missing": "gone.lrat", "unsat-file-outside": "bare",
	"monotone-larger": "outside 1..10", "monotone-smaller": "slice",
	"monotone-routing": "load links differently", "monotone-twice": "a neighbour again",
	"proof-bound-short": "the bound degree is 15/4", "proof-value-short": "value is 1/2",
	"proof-wrong-name":    "the bound degree is 5/4",
	"proof-bound-unknown": `no checker for the bound "hearsay"`,
	"proof-unsat":         "does not say whether the formula breaks symmetry",
	"proof-monotone":      "does not say which size", "proof-kind-unknown": "unknown",
	"baseline-load": "recomputed it is 7",
	"baseline-name": "should be", "baseline-gone": "baseline is missing",
	"baseline-made": "no linear or multilinear placement has",
	"upper-alone":   "belong together", "upper-limit-alone": "belong together", "upper-limit-decimal": "not a fraction",
	"upper-limit-negative": "below 0",
	"upper-limit-passed":   "above load_limit",
	"upper-limit-grows":    "6 processors need 3/2 by bounds and proofs, the limit is 3/2",
	"upper-too-small":      "outside 5..16",
	"upper-too-large":      "outside 5..16", "upper-unproved": "6 processors need 5/4",
	"upper-proof-larger": "6 processors need 5/4",
	"upper-proof-off":    "upper proof 1, of size 6", "upper-proof-sizeless": "of no size",
	"upper-one-of-many": "upper_bound 12 is not justified",
	"started-local":     "RFC 3339",
	"bound-between":     "best bound derived here is 3", "bound-next": "best bound derived here is 3",
	"bound-proof-between": "bound_proof: the bound margin: there are margins",
	"upper-proof-between": "upper proof 1, of size 12: the bound margin",
	"below-between":       "the bound margin: there are margins",
	"bounds-degree-node":  "not one processor", "bounds-degree-off": "outside",
	"bounds-links": "4 links leave a processor, not 5",
	"bounds-slabs": "smaller distance", "bounds-slabs-full": "do not fit a slab of 6",
	"bounds-slabs-sum": "not those of 12 processors",
	"bounds-band":      "not those of 12 processors", "bounds-band-links": "12 links are cut, not 6",
	"bounds-band-counts": "with other slab counts fewer are enough",
	"bounds-distance":    "add up to 72, not 73", "bounds-foreign": "the field refuted",
	"bounds-denominator": "multiples of 1/4, not 1/8",
	"bounds-reason":      `the first of the largest value is "degree"`, "bounds-none": "no bounds are listed",
	"bounds-above":         "rounds up to 11/4, not 3",
	"upper-proof-negative": "upper proof 2, of size 8: it is about values below -1",
	"below-past-word":      "the bound margin: there are margins", "below-load": "belong to the status feasible",
	"below-nodes":        "belong to the status feasible",
	"below-unknown-load": "belong to the status feasible", "below-negative": "below -1 is below 0",
	"below-solver": "solver_claim below -6 is below 0",
	"upper-far":    "9 processors need 2 by bounds and proofs, the limit is 2", "free-orbits": "for a given routing only",
	"free-labelled": "for a given routing only", "free-optima": "for a given routing only",
	"free-census":     "says nothing of a free one",
	"proof-two-kinds": "the field below does not belong", "proof-nodes-stray": "the field nodes does not belong",
	"claim-solver-false": "the placement has E_max 4", "claim-solver-negative": "-1 is below 0",
	"claim-symmetry-order": "order 0 is below 1",
	"claim-symmetry-nodes": "nodes -1 is below 0", "found-evaluations": "-1 evaluations", "found-seconds": "-0.25 seconds",
	"budget-evaluations": "budget evaluations -1", "budget-time": `budget time "a night"`,

	"truncated": "not JSON", "empty": "empty", "no-schema": "schema is missing", "other-schema": "leeway/record/2",
	"field-missing": "claim_sha256 is missing", "field-twice": "max_load stands twice",
	"field-case":      "must be written max_load",
	"null-coordinate": "is null", "trailing": "not JSON", "not-utf8": "UTF-8", "nested": "nested more than",
	"float-node": "nodes",
	"list":       "not a JSON object",
}

func TestFolders(t *testing.T) {
	seen := map[string]bool{}
	for _, verdict := range []string{check.Valid, check.Wrong, check.Unreadable, check.Limit} {
		folder := map[string]string{check.Limit: "limit"}[verdict]
		files, err := filepath.Glob(filepath.Join("testdata", cmp.Or(folder, verdict), "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s: %v", verdict, err)
		}
		for _, item := range judged(t, files) {
			name := strings.TrimSuffix(filepath.Base(item.File), ".json")
			seen[name] = true
			all := strings.Join(item.Reasons, "\n")
			switch {
			case item.Verdict.Verdict != verdict:
				t.Errorf("%s/%s is %s: %s", verdict, name, item.Verdict.Verdict, all)
			case verdict == check.Valid && all != "":
				t.Errorf("%s is valid with reasons %s", name, all)
			case verdict != check.Valid && (reasons[name] == "" || !strings.Contains(all, reasons[name])):
				t.Errorf("%s/%s: want a reason with %q, have %s", verdict, name, reasons[name], all)
			}
		}
	}
	for name := range reasons {
		if !seen[name] {
			t.Errorf("case %s has no file", name)
		}
	}
}

func judged(t *testing.T, files []string) []check.Item {
	t.Helper()
	items, err := check.Files(context.Background(), files, check.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func TestProofVerdicts(t *testing.T) {
	for file, want := range map[string]string{
		"valid/4x4-4-census": check.Verified, "valid/6x6-6-odr": check.Verified, "valid/8x8-16-spaced": check.Absent,
		"wrong/census-count-off": check.Wrong, "wrong/proof-unsat": check.Wrong, "wrong/optimal-unproved": check.Absent,
		"wrong/hash-one-digit": check.Absent, "wrong/feasible-proved": check.Verified, "unreadable/truncated": check.Absent,
		"limit/census-too-large": check.Limit,
	} {
		data, err := os.ReadFile("testdata/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if have := check.Record(data).ProofVerdict; have != want {
			t.Errorf("%s: proof verdict %s, want %s", file, have, want)
		}
	}
}

func TestMissingFileIsUnreadable(t *testing.T) {
	item := judged(t, []string{"testdata/valid/there-is-none.json"})[0]
	if item.Verdict.Verdict != check.Unreadable || !strings.Contains(item.Reasons[0], "there-is-none") {
		t.Errorf("got %+v", item)
	}
}

// TestEveryTruncationIsUnreadable cuts a right record at every byte.
func TestEveryTruncationIsUnreadable(t *testing.T) {
	data, err := os.ReadFile("testdata/valid/2x3-2-mixed.json")
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(strings.TrimRight(string(data), "\n")) {
		if v := check.Record(data[:n]); v.Verdict != check.Unreadable {
			t.Fatalf("the first %d bytes are %s", n, v.Verdict)
		}
	}
}

// TestTooLargeToRecompute has a right hash and then a wrong one.
func TestTooLargeToRecompute(t *testing.T) {
	record := bases()["2x3-2-mixed"].record(t)
	record.Torus = []int{2000, 2000}
	for _, want := range []string{check.Wrong, check.Limit} {
		text, err := record.Encode()
		if err != nil {
			t.Fatal(err)
		}
		v := check.Record(text)
		if v.Verdict != want || !strings.Contains(strings.Join(v.Reasons, "\n"), "more than 2097152 links") {
			t.Errorf("got %+v, want %s", v, want)
		}
		rehash(&record)
	}
}

// TestPartsLeaveClaimsOpen walks one slice of several: what rests on the others is said not to be checked, also where a
// slice that is left out is damaged.
func TestPartsLeaveClaimsOpen(t *testing.T) {
	torus := core.MustTorus(5, 5)
	bounded := source(t, "5x5-9-orderly") // the same proof, of the bound of a worse placement
	p := core.MustPlacement(torus, []int{0, 1, 2, 3, 4, 5, 6, 7, 8})
	r, err := bounded.ReadRouting(torus)
	if err != nil {
		t.Fatal(err)
	}
	load, _ := objective.Naive(r, p).Max()
	bounded.Nodes, bounded.MaxLoad, bounded.Status = p.Coords(), load.RatString(), results.StatusFeasible
	bounded.Proof, bounded.BoundProof = nil, bounded.Proof
	rehash(&bounded)
	damaged := source(t, "5x5-9-orderly")
	damaged.Proof, damaged.BoundProof = nil, damaged.Proof
	damaged.Nodes, damaged.MaxLoad, damaged.Status = bounded.Nodes, bounded.MaxLoad, bounded.Status
	damaged.BoundProof.Slices[1].Sum = "0123456789abcdef"
	rehash(&damaged)
	first := func(i int) bool { return i == 0 }
	for _, c := range []struct {
		record  results.Record
		wanted  func(int) bool
		verdict string
		reason  string
	}{
		{bounded, nil, check.Valid, ""},
		{bounded, first, check.Valid, "note: lower_bound is not checked"},
		{damaged, nil, check.Wrong, "bound_proof: slice 2"},
		{damaged, first, check.Valid, "note: lower_bound is not checked"},
	} {
		text, err := c.record.Encode()
		if err != nil {
			t.Fatal(err)
		}
		v := check.Document(context.Background(), text, "", check.Options{Report: true, Wanted: c.wanted})
		all := strings.Join(v.Reasons, "\n")
		if v.Verdict != c.verdict || !strings.Contains(all, c.reason) || c.reason == "" && all != "" ||
			len(v.Slices) != len(c.record.BoundProof.Slices) {
			t.Errorf("want %s with %q, have %s with %d slices: %s", c.verdict, c.reason, v.Verdict, len(v.Slices), all)
		}
	}
}

// TestWordsOfEnginesAreMarked: what stands on the word of an engine is no fault, and is said not to be checked.
func TestWordsOfEnginesAreMarked(t *testing.T) {
	r := source(t, "8x8-16-spaced")
	r.SolverClaim = &results.SolverClaim{Engine: "clasp", Below: "4"}
	r.SymmetryClaim = &results.SymmetryClaim{Engine: "orbit", Symmetry: "t=4,4", Order: 2, Below: "4", Nodes: 12}
	d := results.Below{Schema: results.BelowSchema, Grid: results.Grid{Torus: []int{6, 6}}, Routing: "odr:tie=plus",
		Size: 12, Below: "6",
		Status: results.StatusUnknown, SolverClaim: r.SolverClaim}
	for document, fields := range map[any][]string{&r: {"solver_claim", "symmetry_claim"}, &d: {"solver_claim"}} {
		text, err := results.Encode(document)
		if err != nil {
			t.Fatal(err)
		}
		v := check.Document(context.Background(), text, "", check.Options{})
		all := strings.Join(v.Reasons, "\n")
		if v.Verdict != check.Valid || len(v.Reasons) != len(fields) {
			t.Errorf("%s: %s", v.Verdict, all)
		}
		for _, field := range fields {
			if !strings.Contains(all, "note: "+field+" is not checked") {
				t.Errorf("no note about %s: %s", field, all)
			}
		}
	}
}

// TestConditionsOfARecord: a placement must have processors on all fixed nodes and on no forbidden one, in a list that
// is right itself; the papers' placement that breaks a condition is no baseline.
func TestConditionsOfARecord(t *testing.T) {
	p := coretest.Must(objective.ParseProblem("4x4", "odr", 3))
	placement := core.MustPlacement(p.Torus(), []int{0, 5, 11})
	for _, c := range []struct {
		fixed, forbidden [][]int
		reason           string
	}{
		{nil, nil, ""},
		{[][]int{{0, 0}, {1, 1}}, [][]int{{3, 3}}, ""},
		{[][]int{{0, 0}, {1, 2}}, nil, "the fixed node 1,2 has no processor"},
		{nil, [][]int{{2, 3}}, "the forbidden node 2,3 has a processor"},
		{[][]int{{0, 0}}, [][]int{{0, 0}}, "both fixed and forbidden"},
		{[][]int{{1, 1}, {0, 0}}, nil, "not sorted"},
		{nil, [][]int{{0, 4}}, "outside 0..3"},
		{[][]int{{0, 0}, {0, 1}, {0, 2}, {0, 3}}, nil, "outside 4..16"},
	} {
		most, _ := objective.Naive(p.Routing, placement).Max()
		r := coretest.Must(results.New(results.Values{Routing: p.Routing, Placement: placement, MaxLoad: most,
			Provenance: results.Provenance{Started: "2026-11-22T00:00:00Z"}}))
		r.Conditions = results.Conditions{Fixed: c.fixed, Forbidden: c.forbidden} // New refuses what is wrong
		r.ClaimSHA256 = r.Hash()
		v := check.Document(context.Background(), coretest.Must(results.Encode(r)), "", check.Options{Workers: 1})
		if wrong := v.Verdict != check.Valid; wrong != (c.reason != "") ||
			!strings.Contains(strings.Join(v.Reasons, ""), c.reason) {
			t.Errorf("fixed %v, forbidden %v: %s %q, want %q", c.fixed, c.forbidden, v.Verdict, v.Reasons, c.reason)
		}
	}
}

// TestRadiusOfARecord: six processors of 5x5 with radius 1 are optimal by a tree; with another radius, without it, or
// with the proof of a smaller size, the same record is wrong.
func TestRadiusOfARecord(t *testing.T) {
	p := coretest.Must(coretest.Must(objective.ParseProblem("5x5", "odr", 6)).WithNear(objective.Near{Radius: 1}))
	placement := core.MustPlacement(p.Torus(), []int{0, 7, 14, 15, 16, 23})
	most, _ := objective.Naive(p.Routing, placement).Max()
	walk := coretest.Must(check.NewRewalk(t.Context(), p, most, "orderly", 1))
	walked, split, five := walk.Walk(t.Context(), 0, len(walk.Prefixes()), 1<<20), 1, 5
	proof := results.Proof{Kind: results.ProofCensus, Engine: "orderly", Below: most.RatString(), Split: &split,
		Nodes: &walked.Nodes, Slices: []results.Slice{{First: []int{0}, Prefixes: 1, Nodes: walked.Nodes,
			Sum: fmt.Sprintf("%016x", walked.Sum)}}}
	for _, c := range []struct {
		change func(r *results.Record)
		reason string
	}{
		{func(*results.Record) {}, ""},
		{func(r *results.Record) { r.Radius = 0 }, "proof"},
		{func(r *results.Record) { r.Radius = 2 }, "proof"},
		{func(r *results.Record) { r.Radius = -1 }, "below 0"},
		{func(r *results.Record) { r.Nodes[5] = []int{4, 4} }, "links from the nearest processor, more than 1"},
		{func(r *results.Record) {
			r.Proof.Kind, r.Proof.Basis, r.Proof.Size = results.ProofMonotone, results.ProofCensus, &five
		}, "one processor less may be too far"},
	} {
		own := proof
		r := coretest.Must(results.New(results.Values{Routing: p.Routing, Placement: placement, MaxLoad: most,
			LowerBound: most, BoundReason: "census: none is below", Conditions: results.ConditionsOf(p), Proof: &own,
			Provenance: results.Provenance{Started: "2026-11-22T00:00:00Z"}}))
		c.change(&r)
		r.ClaimSHA256 = r.Hash()
		v := check.Document(t.Context(), coretest.Must(results.Encode(r)), "", check.Options{Workers: 1})
		if wrong := v.Verdict != check.Valid; wrong != (c.reason != "") ||
			!strings.Contains(strings.Join(v.Reasons, ""), c.reason) {
			t.Errorf("want %q, have %s %q", c.reason, v.Verdict, v.Reasons)
		}
	}
}

// TestCensusOnNetworks: a full count and a walk of slices prove an optimum on a mesh with a fixed node; the same counts
// without the condition, or with another, are wrong.
func TestCensusOnNetworks(t *testing.T) {
	torus := coretest.Must(core.ParseNetwork("3x4:open=0,1:bandwidth=2,1"))
	p := coretest.Must(objective.NewProblem(routing.NewUDR(torus, routing.TieBoth), 4))
	p = coretest.Must(p.WithNodes([]int{0}, []int{6}))
	var best core.Placement
	var least *big.Rat
	count := int64(0)
	for mask := uint64(0); mask < 1<<torus.N(); mask++ {
		s := core.MustPlacement(torus, core.Set{mask}.Nodes())
		if s.Size() != p.Size || !p.Admits(s) {
			continue
		}
		count++
		if most, _ := objective.Naive(p.Routing, s).Max(); least == nil || most.Cmp(least) < 0 {
			best, least = s, most
		}
	}
	for _, c := range []struct {
		count      int64
		conditions results.Conditions
		valid      bool
	}{
		{count, results.ConditionsOf(p), true}, {count - 1, results.ConditionsOf(p), false},
		{count, results.Conditions{}, false}, {count, results.Conditions{Fixed: results.ConditionsOf(p).Fixed}, false},
	} {
		r := coretest.Must(results.New(results.Values{Routing: p.Routing, Placement: best, MaxLoad: least,
			LowerBound: least, BoundReason: "census: none is below", Conditions: c.conditions,
			Proof: &results.Proof{Kind: results.ProofCensus, Engine: "exhaustive", Below: least.RatString(),
				Count: &c.count}, Provenance: results.Provenance{Started: "2026-11-22T00:00:00Z"}}))
		v := check.Document(t.Context(), coretest.Must(results.Encode(r)), "", check.Options{Workers: 1})
		if (v.Verdict == check.Valid) != c.valid || c.valid && v.ProofVerdict != check.Verified {
			t.Errorf("count %d, %+v: %s, proof %s, %q", c.count, c.conditions, v.Verdict, v.ProofVerdict, v.Reasons)
		}
	}
}
