package check_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/search/refuters"
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
	"torus-side-1":     "outside 2..65535",
	"torus-other":      "no linear or multilinear placement has",
	"bound-above-load": "above max_load",
	"bound-reducible":  "lowest terms", "optimal-unproved": "optimal without a proof",
	"optimal-low-bound": "is below max_load",
	"feasible-proved":   "status is feasible", "status-unknown": "neither optimal nor feasible",

	"unsat-file-missing": "gone.lrat", "unsat-file-outside": "bare",
	"monotone-larger":  "outside 1..10",
	"monotone-routing": "load links differently", "monotone-twice": "a neighbour again",

	"proof-unsat":    "does not say whether the formula breaks symmetry",
	"proof-monotone": "does not say which size", "proof-kind-unknown": "unknown",
	"baseline-load": "recomputed it is 7",
	"baseline-name": "should be", "baseline-gone": "baseline is missing",
	"baseline-made": "no linear or multilinear placement has",
	"upper-alone":   "belong together", "upper-limit-alone": "belong together", "upper-limit-decimal": "not a limit",
	"upper-limit-negative": "not a limit",
	"upper-limit-passed":   "above load_limit",

	"upper-too-small": "outside 5..16",
	"upper-too-large": "outside 5..16",

	"upper-proof-off": "upper proof 1, of size 6", "upper-proof-sizeless": "of no size",

	"started-local":   "RFC 3339",
	"steps-below-off": "below is 3/4", "steps-refuted": "steps of the engine", "steps-none": "has no steps",
	"steps-too-many": "more than 10000000000 steps; --steps", "steps-too-large": "nodes",
	"steps-engine-unknown": "no engine of this name",
	"steps-file-missing":   "gone.steps", "steps-file-outside": "bare", "monotone-smaller": "steps of the engine",
	"bound-proof-short": "bound_proof: the closed form is 3",
	"proof-below-short": "below is 1/2", "proof-two-kinds": "the field steps does not belong",
	"proof-basis-stray": "the field basis does not belong",
	"free-unsat":        "says nothing of a free one", "upper-limit-grows": "6 processors within 3/2",
	"upper-far": "nodes", "upper-proof-between": "upper proof 1, of size 12: the steps of the engine",
	"bound-unjustified": "lower_bound 4/3 is not justified", "bound-between": "lower_bound 699/100 is not justified",
	"bound-next": "lower_bound 7 is not justified", "bound-proof-between": "bound_proof: the steps of the engine",
	"below-between": "the steps of the engine", "below-past-word": "limits so large",
	"bounds-best": "best is 5/2, the largest value is 11/4", "bounds-twice": "degree stands twice",
	"bounds-negative": "no fraction of at least 0", "bounds-too-large": "degree: the steps of the engine",
	"bounds-of-both": "not of one placement", "bounds-degree-free": "gives 0, not 11/4",
	"bounds-links": "4 links leave the set of degree, not 5", "bounds-slab-dim": "names no dimension",
	"bounds-half": "not 12", "bounds-distance": "add up to 216, not 217", "bounds-mean-links": "144 links, not 72",
	"bounds-above": "gives 3, not 4", "bounds-past-load": "the placement has E_max",

	"bounds-degree-node": "6 links leave the set of degree", "bounds-degree-off": "outside",

	"bounds-foreign": "the field refuted",

	"bounds-reason": `the first of the largest value is "degree"`, "bounds-none": "no bounds are listed",

	"upper-proof-negative": "upper proof 2, of size 8: it is about values below -1",
	"below-load":           "belong to the status feasible",
	"below-nodes":          "belong to the status feasible",
	"below-unknown-load":   "belong to the status feasible", "below-negative": "below -1 is below 0",
	"below-solver":  "solver_claim below -6 is below 0",
	"free-orbits":   "for a given routing only",
	"free-labelled": "for a given routing only", "free-optima": "for a given routing only",

	"claim-solver-false": "the placement has E_max 4", "claim-solver-negative": "-1 is below 0",
	"claim-symmetry-order": "order 0 is below 1",
	"claim-symmetry-nodes": "nodes -1 is below 0", "found-evaluations": "-1 evaluations", "found-seconds": "-0.25 seconds",
	"budget-evaluations": "budget evaluations -1", "budget-time": `budget time "a night"`,

	"truncated": "not JSON", "empty": "empty", "no-schema": "schema is missing", "other-schema": "leeway/record/2",
	"field-missing": "claim_sha256 is missing", "field-twice": "max_load is repeated",
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
		for _, item := range itemsOf(t, files) {
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

func itemsOf(t *testing.T, files []string) []documents.Item {
	t.Helper()
	items, err := documents.Files(context.Background(), files, check.Options{Workers: 2, Produce: refuters.Produce})
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func TestProofVerdicts(t *testing.T) {
	for file, want := range map[string]string{
		"valid/4x4-4-steps": check.Verified, "valid/6x6-6-odr": check.Verified, "valid/8x8-16-spaced": check.Absent,
		"wrong/steps-refuted": check.Wrong, "wrong/proof-unsat": check.Wrong, "wrong/optimal-unproved": check.Absent,
		"wrong/hash-one-digit": check.Absent, "wrong/feasible-proved": check.Verified, "unreadable/truncated": check.Absent,
		"limit/steps-too-large": check.Limit,
	} {
		data, err := os.ReadFile("testdata/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if have := produced(t, data).ProofVerdict; have != want {
			t.Errorf("%s: proof verdict %s, want %s", file, have, want)
		}
	}
}

func TestMissingFileIsUnreadable(t *testing.T) {
	item := itemsOf(t, []string{"testdata/valid/there-is-none.json"})[0]
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
	record.Torus, record.Label = []int{2000, 2000}, ""
	for _, want := range []string{check.Wrong, check.Limit} {
		text, err := layout.Encode(record)
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

// TestWordsOfEnginesAreMarked: what stands on the word of an engine is no fault, and is said not to be checked.
func TestWordsOfEnginesAreMarked(t *testing.T) {
	r := source(t, "8x8-16-spaced")
	r.SolverClaim = &results.SolverClaim{Engine: "clasp", Below: "4"}
	r.SymmetryClaim = &results.SymmetryClaim{Engine: "orbit", Symmetry: "t=4,4", Order: 2, Below: "4", Nodes: 12}
	d := results.Below{Schema: results.BelowSchema, Grid: results.Grid{Torus: []int{6, 6}}, Routing: "odr:tie=plus",
		Size: 12, Below: "6",
		Status: results.StatusUnknown, SolverClaim: r.SolverClaim}
	for document, fields := range map[any][]string{&r: {"solver_claim", "symmetry_claim"}, &d: {"solver_claim"}} {
		text, err := layout.Encode(document)
		if err != nil {
			t.Fatal(err)
		}
		v := documents.Document(context.Background(), text, "", check.Options{})
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
	p := coretest.Must(texts.ParseProblem("4x4", "odr", 3))
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
		{[][]int{{1, 1}, {0, 0}}, nil, "not in canonical form"},
		{nil, [][]int{{0, 4}}, "outside 0..3"},
		{[][]int{{0, 0}, {0, 1}, {0, 2}, {0, 3}}, nil, "outside 4..16"},
	} {
		most, _ := objective.Naive(p.Routing, placement).Max()
		r := coretest.Must(compose.New(compose.Values{Routing: p.Routing, Placement: placement, MaxLoad: most,
			Provenance: results.Provenance{Started: "2026-11-22T00:00:00Z"}}))
		r.Setting = results.Setting{Fixed: c.fixed, Forbidden: c.forbidden} // New refuses what is wrong
		r.ClaimSHA256, r.Label = r.Hash(), ""
		v := documents.Document(context.Background(), coretest.Must(layout.Encode(r)), "", check.Options{Workers: 1})
		if wrong := v.Verdict != check.Valid; wrong != (c.reason != "") ||
			!strings.Contains(strings.Join(v.Reasons, ""), c.reason) {
			t.Errorf("fixed %v, forbidden %v: %s %q, want %q", c.fixed, c.forbidden, v.Verdict, v.Reasons, c.reason)
		}
	}
}

// TestNearOfARecord: six processors of 5x5 with radius 1, or with a distance, are optimal by steps; with another
// radius, without it, or with the proof of a smaller size, the same record is wrong.
func TestNearOfARecord(t *testing.T) {
	for _, engine := range []string{"", "orderly"} {
		p := coretest.Must(coretest.Must(texts.ParseProblem("5x5", "odr", 6)).WithNear(objective.Near{Radius: 1}))
		placement := core.MustPlacement(p.Torus(), []int{0, 7, 14, 15, 16, 23})
		most, _ := objective.Naive(p.Routing, placement).Max()
		five := 5
		for _, c := range []struct {
			change func(r *results.Record)
			reason string
		}{
			{func(*results.Record) {}, ""},
			{func(r *results.Record) { r.Distance = 19 }, ""}, // six processors have 19 other nodes
			{func(r *results.Record) { r.Radius, r.Distance = 0, 19 }, ""},
			{func(r *results.Record) { r.Radius = 0 }, "proof"},
			{func(r *results.Record) { r.Radius = 2 }, "proof"},
			{func(r *results.Record) { r.Radius, r.Distance = 0, 40 }, "proof"},
			{func(r *results.Record) { r.Radius = -1 }, "not a whole number"},
			{func(r *results.Record) { r.Distance = 18 }, "more than 18"},
			{func(r *results.Record) { r.Nodes[5] = []int{4, 4} }, "links from the nearest processor, more than 1"},
			{func(r *results.Record) {
				r.Proof.Kind, r.Proof.Basis, r.Proof.Size = results.ProofMonotone, results.ProofSteps, &five
			}, "one processor less may be too far"},
		} {
			r := coretest.Must(compose.New(compose.Values{Routing: p.Routing, Placement: placement, MaxLoad: most,
				LowerBound: most, BoundReason: "steps: none is below", Setting: compose.SettingOf(p),
				Proof:      &results.Proof{Kind: results.ProofSteps, Engine: engine, Below: most.RatString()},
				Provenance: results.Provenance{Started: "2026-11-22T00:00:00Z"}}))
			c.change(&r)
			r.ClaimSHA256, r.Label = r.Hash(), ""
			v := produced(t, coretest.Must(layout.Encode(r)))
			if wrong := v.Verdict != check.Valid; wrong != (c.reason != "") ||
				!strings.Contains(strings.Join(v.Reasons, ""), c.reason) {
				t.Errorf("want %q, have %s %q", c.reason, v.Verdict, v.Reasons)
			}
		}
	}
}

// produced is the verdict about a document whose steps the engines write.
func produced(t testing.TB, data []byte) check.Verdict {
	t.Helper()
	return documents.Document(t.Context(), data, filepath.Join("testdata", "valid"),
		check.Options{Workers: 1, Produce: refuters.Produce})
}

// TestStepsOnNetworks: steps prove an optimum on networks with fixed and forbidden nodes; the same record with less
// conditions is right where brute force has the same least E_max, whatever engine the proof names.
func TestStepsOnNetworks(t *testing.T) {
	coretest.Alone(t)
	lies := 0
	for _, where := range []string{"3x4:open=0,1:bandwidth=2,1", "3x3:open=0,1", "4x3:open=0", "3x4:bandwidth=2,1",
		"3x4:open=1:bandwidth=1,3", "2x6:twist=2"} {
		for _, routed := range []string{"odr", "udr:tie=both", "minimal:tie=both"} {
			p := coretest.Must(texts.ParseProblem(where, routed, 4))
			p = coretest.Must(p.WithNodes([]int{0}, []int{6}))
			best, least := leastOf(p)
			values := compose.Values{Routing: p.Routing, Placement: best, MaxLoad: least, LowerBound: least,
				BoundReason: "steps: none is below", Setting: compose.SettingOf(p),
				Provenance: results.Provenance{Started: "2026-11-22T00:00:00Z"}}
			if text, ok := family.Baseline(p.Torus(), p.Size); ok {
				if s := coretest.Must(family.Parse(p.Torus(), text)); p.Admits(s) {
					load, _ := objective.Naive(p.Routing, s).Max()
					values.Baseline = &results.Baseline{Placement: text, MaxLoad: load.RatString()}
				}
			}
			for _, engine := range []string{"", "counts", "orderly"} {
				values.Proof = &results.Proof{Kind: results.ProofSteps, Engine: engine, Below: least.RatString()}
				r := coretest.Must(compose.New(values))
				if v := produced(t, coretest.Must(layout.Encode(r))); v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
					t.Errorf("%s by %q: %s, proof %s, %q", p, engine, v.Verdict, v.ProofVerdict, v.Reasons)
				}
				for _, c := range []results.Setting{{}, {Fixed: r.Fixed}, {Forbidden: r.Forbidden}} {
					other := r
					other.Setting, other.ClaimSHA256 = c, ""
					other.ClaimSHA256 = other.Hash()
					_, truth := leastOf(coretest.Must(c.Apply(coretest.Must(texts.ParseProblem(where, routed, 4)))))
					v := produced(t, coretest.Must(layout.Encode(other)))
					if truth.Cmp(least) < 0 {
						lies++
					}
					if (v.ProofVerdict == check.Verified) != (truth.Cmp(least) >= 0) {
						t.Errorf("%s by %q with %+v: proof %s, %q", p, engine, c, v.ProofVerdict, v.Reasons)
					}
				}
			}
		}
	}
	if lies < 6 {
		t.Errorf("only %d records became false", lies)
	}
}

// TestLabelOfARecord: the label is that of the cell, or of an orbit in it, and of no other.
func TestLabelOfARecord(t *testing.T) {
	record := bases()["2x3-2-mixed"].record(t)
	cell := record.Label
	for label, want := range map[string]string{"": check.Valid, cell: check.Valid, cell + ".01234567": check.Valid,
		cell + "0": check.Wrong, "2x3": check.Wrong, "3x2" + cell[3:]: check.Wrong} {
		record.Label = label
		if v := check.Record(coretest.Must(layout.Encode(record))); v.Verdict != want {
			t.Errorf("label %q: %s %q, want %s", label, v.Verdict, v.Reasons, want)
		}
	}
}
