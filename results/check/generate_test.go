package check_test

import (
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
	"leeway/results/layout"
)

var generate = flag.Bool("generate", false, "write the cases in testdata again")

// base describes a right record. Loads and optima are those of docs/formats.md and of the papers, written here by hand.
type base struct {
	torus, placement, routing string
	load, lower, reason       string
	baseline                  *results.Baseline
	proof                     *results.Proof
}

func linear(load string) *results.Baseline {
	return &results.Baseline{Placement: "linear", MaxLoad: load}
}

func boundProof(below string) *results.Proof {
	return &results.Proof{Kind: results.ProofBound, Below: below}
}

// stepsProof is that of the first engine that can.
func stepsProof(below string) *results.Proof {
	return &results.Proof{Kind: results.ProofSteps, Below: below}
}

func bases() map[string]base {
	return map[string]base{
		"8x8-16-spaced": {"8x8", "spaced:t=2", "udr:tie=both", "4", "15/4", "degree",
			&results.Baseline{Placement: "multilinear:t=2", MaxLoad: "7"}, nil},
		"4x4-4-steps": {"4x4", "nodes:1,0+1,2+3,0+3,2", "odr:tie=both", "1", "1", "steps", linear("3/2"),
			stepsProof("1")},
		"3x3x3-9-linear": {"3x3x3", "linear", "udr:tie=both", "4/3", "4/3", "degree", linear("4/3"),
			boundProof("4/3")},
		"4x4-4-diagonal": {"4x4", "linear", "udr:tie=both", "3/4", "3/4", "degree", linear("3/4"),
			boundProof("3/4")},
		"4x4x4-16-avoid": {"4x4x4", "linear", "avoid:tie=both", "5/2", "5/2", "degree", linear("5/2"),
			boundProof("5/2")},
		"5x5-5-minimal": {"5x5", "linear", "minimal:tie=both", "4/3", "1", "degree", linear("4/3"), nil},
		"6x6-6-odr": {"6x6", "nodes:1,0+1,2+3,2+3,4+5,0+5,4", "odr:tie=plus", "2", "2",
			"degree, rounded up to a multiple of 1/1", linear("3"),
			boundProof("2")},
		"2x3-2-mixed": {"2x3", "nodes:0,0+1,0", "udr:tie=plus", "1", "1/3", "degree", nil, nil},
		// No 12 have E_max below 6, so a bound between the multiples 5 and 6 holds too.
		"6x6-12-multilinear": {"6x6", "multilinear:t=2", "odr:tie=plus", "10", "11/2", "margin",
			&results.Baseline{Placement: "multilinear:t=2", MaxLoad: "10"}, nil},
		"6x6-11-odr": {"6x6", "nodes:0,0+0,3+1,2+1,5+2,1+2,4+3,0+3,3+4,2+4,5+5,1", "odr:tie=plus", "6", "0", "degree", nil,
			nil},
		"91x91-3-row": {"91x91", "nodes:0,0+0,1+0,2", "udr:tie=both", "2", "1/2", "degree", nil, nil},
		"4x4-1-alone": {"4x4", "nodes:2,1", "minimal:tie=plus", "0", "0", "degree", nil, boundProof("0")},
	}
}

func (b base) record(t *testing.T) results.Record {
	t.Helper()
	torus, err := core.ParseTorus(b.torus)
	if err != nil {
		t.Fatal(err)
	}
	r, err := routing.Parse(torus, b.routing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := family.Parse(torus, b.placement)
	if err != nil {
		t.Fatal(err)
	}
	load, lower := rat(t, b.load), rat(t, b.lower)
	limit := "90s"
	record, err := compose.New(compose.Values{Routing: r, Placement: p, MaxLoad: load, LowerBound: lower,
		BoundReason: b.reason, Baseline: b.baseline, Proof: b.proof,
		FoundBy: results.FoundBy{Method: "genetic", Seed: 1, Evaluations: 1200, Seconds: 0.25},
		Provenance: results.Provenance{Version: "0.1.0", Command: []string{"leeway", "search", "--torus", b.torus},
			Started: "2026-01-02T03:04:05Z", Seed: 1, Budget: results.Budget{Time: &limit}}})
	if err != nil {
		t.Fatal(err)
	}
	return record
}

func rat(t *testing.T, s string) *big.Rat {
	v, err := results.ParseFraction(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// rehash repairs claim_sha256, so that a case is wrong for one reason only.
func rehash(r *results.Record) {
	r.ClaimSHA256 = r.Hash()
}

// nearMisses lists, by name, the record each comes from and what is changed.
func nearMisses() map[string]struct {
	from   string
	change func(*results.Record)
} {
	type miss = struct {
		from   string
		change func(*results.Record)
	}
	return map[string]miss{
		"node-moved":            {"8x8-16-spaced", func(r *results.Record) { r.Nodes[3] = []int{1, 4}; rehash(r) }},
		"node-moved-stale-hash": {"8x8-16-spaced", func(r *results.Record) { r.Nodes[0] = []int{0, 1} }},
		"node-twice":            {"8x8-16-spaced", func(r *results.Record) { r.Nodes[1] = []int{0, 0}; rehash(r) }},
		"node-outside":          {"4x4-4-diagonal", func(r *results.Record) { r.Nodes[3] = []int{3, 4}; rehash(r) }},
		"node-short":            {"4x4-4-diagonal", func(r *results.Record) { r.Nodes[3] = []int{3}; rehash(r) }},
		"nodes-unsorted": {"8x8-16-spaced", func(r *results.Record) {
			r.Nodes[0], r.Nodes[1] = r.Nodes[1], r.Nodes[0]
			rehash(r)
		}},
		"node-dropped":       {"8x8-16-spaced", func(r *results.Record) { r.Nodes = r.Nodes[1:]; rehash(r) }},
		"size-off-by-one":    {"8x8-16-spaced", func(r *results.Record) { r.Size = 17 }},
		"load-lower":         {"8x8-16-spaced", func(r *results.Record) { r.MaxLoad = "15/4"; rehash(r) }},
		"load-higher":        {"8x8-16-spaced", func(r *results.Record) { r.MaxLoad = "17/4"; rehash(r) }},
		"load-stale-hash":    {"5x5-5-minimal", func(r *results.Record) { r.MaxLoad = "5/4" }},
		"load-reducible":     {"3x3x3-9-linear", func(r *results.Record) { r.MaxLoad = "8/6"; rehash(r) }},
		"load-decimal":       {"8x8-16-spaced", func(r *results.Record) { r.MaxLoad = "4.0"; rehash(r) }},
		"hash-one-digit":     {"8x8-16-spaced", func(r *results.Record) { r.ClaimSHA256 = "0" + r.ClaimSHA256[1:] }},
		"routing-tie":        {"8x8-16-spaced", func(r *results.Record) { r.Routing = "udr:tie=plus"; rehash(r) }},
		"routing-short-form": {"6x6-6-odr", func(r *results.Record) { r.Routing = "odr"; rehash(r) }},
		"routing-unknown":    {"8x8-16-spaced", func(r *results.Record) { r.Routing = "xyz:tie=both"; rehash(r) }},
		"torus-side-1":       {"2x3-2-mixed", func(r *results.Record) { r.Torus = []int{1, 3}; rehash(r) }},
		"torus-other":        {"8x8-16-spaced", func(r *results.Record) { r.Torus = []int{8, 9}; rehash(r) }},
		"bound-unjustified":  {"5x5-5-minimal", func(r *results.Record) { r.LowerBound = r.MaxLoad }},
		"bound-between":      {"6x6-12-multilinear", func(r *results.Record) { r.LowerBound = "699/100" }},
		"bound-next":         {"6x6-12-multilinear", func(r *results.Record) { r.LowerBound = "7" }},
		"bound-proof-between": {"6x6-12-multilinear", func(r *results.Record) {
			r.LowerBound, r.BoundProof = "13/2", stepsProof("13/2")
		}},
		"bound-proof-short":  {"6x6-12-multilinear", func(r *results.Record) { r.BoundProof = boundProof("11/2") }},
		"valid/6x6-12-bound": {"6x6-12-multilinear", func(r *results.Record) { r.BoundProof = stepsProof("11/2") }},
		"bound-above-load":   {"8x8-16-spaced", func(r *results.Record) { r.LowerBound = "17/4" }},
		"bound-reducible":    {"8x8-16-spaced", func(r *results.Record) { r.LowerBound = "30/8" }},
		"optimal-unproved":   {"8x8-16-spaced", func(r *results.Record) { r.Status = "optimal"; r.LowerBound = "4" }},
		"optimal-low-bound":  {"4x4-4-steps", func(r *results.Record) { r.LowerBound = "3/4" }},
		"feasible-proved":    {"4x4-4-steps", func(r *results.Record) { r.Status = "feasible" }},
		"status-unknown":     {"8x8-16-spaced", func(r *results.Record) { r.Status = "best" }},
		"steps-below-off":    {"4x4-4-steps", func(r *results.Record) { r.Proof = stepsProof("3/4") }},
		"steps-refuted": {"4x4-4-steps", func(r *results.Record) {
			r.Nodes = [][]int{{0, 0}, {1, 3}, {2, 2}, {3, 1}} // linear: 3/2
			r.MaxLoad, r.LowerBound, r.Proof = "3/2", "3/2", stepsProof("3/2")
			rehash(r)
		}},
		"limit/steps-too-many": {"4x4-4-steps", func(r *results.Record) { r.Proof.Steps = new(int64(1e15)) }},
		"limit/steps-too-large": {"91x91-3-row", func(r *results.Record) {
			r.Status, r.LowerBound, r.Proof = "optimal", r.MaxLoad, stepsProof(r.MaxLoad)
		}},
		"steps-none":           {"4x4-4-steps", func(r *results.Record) { r.Proof.Steps = new(int64(0)) }},
		"steps-engine-unknown": {"5x5-9-orderly", func(r *results.Record) { r.Proof.Engine = "magic" }},
		"valid/5x5-8-orderly": {"5x5-9-orderly", func(r *results.Record) {
			r.Nodes, r.Size = r.Nodes[:8], 8
			r.MaxLoad, r.LowerBound, r.Proof.Below = "5/2", "5/2", "5/2"
			rehash(r)
		}},
		"steps-file-missing": {"4x4-5-steps", func(r *results.Record) { r.Proof.File = "gone.steps" }},
		"steps-file-outside": {"4x4-5-steps", func(r *results.Record) { r.Proof.File = "../valid/4x4-5-steps.steps" }},
		"unsat-file-missing": {"4x4-8-unsat", func(r *results.Record) { r.Proof.File = "gone.lrat" }},
		"unsat-file-outside": {"4x4-8-unsat", func(r *results.Record) { r.Proof.File = "../valid/4x4-8-unsat.lrat" }},
		"monotone-larger":    {"5x5-10-monotone", func(r *results.Record) { *r.Proof.Size = 11 }},
		"monotone-smaller":   {"5x5-10-monotone", func(r *results.Record) { *r.Proof.Size = 8 }},
		"monotone-routing":   {"5x5-10-monotone", func(r *results.Record) { r.Proof.Routing = "odr:tie=both" }},
		"monotone-twice":     {"5x5-10-monotone", func(r *results.Record) { r.Proof.Basis = results.ProofMonotone }},
		"proof-below-short":  {"4x4-4-diagonal", func(r *results.Record) { r.Proof = boundProof("1/2") }},
		"proof-unsat": {"4x4-4-steps", func(r *results.Record) {
			r.Proof = &results.Proof{Kind: results.ProofUnsat, Engine: "gini", Below: "1"}
		}},
		"proof-monotone": {"4x4-4-steps", func(r *results.Record) {
			r.Proof = &results.Proof{Kind: results.ProofMonotone, Engine: "monotone", Below: "1"}
		}},
		"proof-kind-unknown": {"4x4-4-steps", func(r *results.Record) {
			r.Proof = &results.Proof{Kind: "authority", Engine: "me", Below: "1"}
		}},
		"baseline-load":             {"8x8-16-spaced", func(r *results.Record) { r.Baseline.MaxLoad = "8" }},
		"baseline-name":             {"8x8-16-spaced", func(r *results.Record) { r.Baseline.Placement = "multilinear:t=3" }},
		"baseline-gone":             {"8x8-16-spaced", func(r *results.Record) { r.Baseline = nil }},
		"baseline-made":             {"2x3-2-mixed", func(r *results.Record) { r.Baseline = linear("1") }},
		"upper-alone":               {"4x4-5-upper", func(r *results.Record) { r.LoadLimit = nil }},
		"upper-limit-alone":         {"4x4-5-upper", func(r *results.Record) { r.UpperBound, r.UpperProofs = nil, nil }},
		"upper-limit-decimal":       {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "1.5" }},
		"upper-limit-negative":      {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "-1n" }},
		"upper-limit-passed":        {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "1" }},
		"upper-limit-grows":         {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "1/4n" }},
		"upper-too-small":           {"4x4-5-upper", func(r *results.Record) { *r.UpperBound = 4 }},
		"upper-too-large":           {"4x4-5-upper", func(r *results.Record) { *r.UpperBound = 17 }},
		"valid/4x4-5-upper-unshown": {"4x4-5-upper", func(r *results.Record) { r.UpperProofs = nil }},
		"upper-proof-negative": {"4x4-5-upper", func(r *results.Record) {
			size := 8
			r.UpperProofs = append(r.UpperProofs,
				results.Proof{Kind: results.ProofMonotone, Basis: results.ProofBound, Size: &size, Below: "-1"})
		}},
		"upper-proof-off":      {"4x4-5-upper", func(r *results.Record) { r.UpperProofs[0].Below = "7/2" }},
		"upper-proof-sizeless": {"4x4-5-upper", func(r *results.Record) { r.UpperProofs[0].Size = nil }},
		"upper-proof-between": {"6x6-11-odr", func(r *results.Record) {
			limit, upper, size := "6", 11, 12
			p := results.Proof{Kind: results.ProofMonotone, Basis: results.ProofSteps, Size: &size, Below: "13/2"}
			r.LoadLimit, r.UpperBound, r.UpperProofs = &limit, &upper, []results.Proof{p}
		}},
		"limit/upper-far": {"91x91-3-row", func(r *results.Record) {
			limit, upper := "2", 8 // 9 processors send 8 messages each over four links, 10 send 9
			r.LoadLimit, r.UpperBound = &limit, &upper
		}},
		"valid/91x91-3-upper": {"91x91-3-row", func(r *results.Record) {
			limit, upper := "2", 9
			r.LoadLimit, r.UpperBound = &limit, &upper
		}},
		"free-orbits":            {"4x4-4-free", func(r *results.Record) { one := 1; r.Orbits = &one }},
		"free-labelled":          {"4x4-4-free", func(r *results.Record) { two := int64(2); r.Labelled = &two }},
		"free-optima":            {"4x4-4-free", func(r *results.Record) { r.Optima = &[][][]int{r.Nodes} }},
		"valid/3x3x3-9-steps":    {"3x3x3-9-linear", func(r *results.Record) { r.Proof = stepsProof("4/3") }},
		"valid/4x4-4-free-steps": {"4x4-4-free", func(r *results.Record) { r.Proof = stepsProof("3/4") }},
		"free-unsat":             {"4x4-4-free", func(r *results.Record) { r.Proof.Kind = results.ProofUnsat }},
		"proof-two-kinds":        {"4x4-4-diagonal", func(r *results.Record) { r.Proof.Steps = new(int64(1)) }},
		"proof-basis-stray":      {"4x4-4-steps", func(r *results.Record) { r.Proof.Basis = results.ProofBound }},
		"claim-solver-false": {"8x8-16-spaced", func(r *results.Record) {
			r.SolverClaim = &results.SolverClaim{Engine: "clasp", Below: "9/2"}
		}},
		"claim-solver-negative": {"8x8-16-spaced", func(r *results.Record) {
			r.SolverClaim = &results.SolverClaim{Engine: "clasp", Below: "-1"}
		}},
		"claim-symmetry-order": {"8x8-16-spaced", func(r *results.Record) {
			r.SymmetryClaim = &results.SymmetryClaim{Engine: "orbit", Symmetry: "-1", Below: "4", Nodes: 1}
		}},
		"claim-symmetry-nodes": {"8x8-16-spaced", func(r *results.Record) {
			r.SymmetryClaim = &results.SymmetryClaim{Engine: "orbit", Symmetry: "-1", Order: 2, Below: "4", Nodes: -1}
		}},
		"found-evaluations":  {"8x8-16-spaced", func(r *results.Record) { r.FoundBy.Evaluations = -1 }},
		"found-seconds":      {"8x8-16-spaced", func(r *results.Record) { r.FoundBy.Seconds = -0.25 }},
		"budget-evaluations": {"8x8-16-spaced", func(r *results.Record) { less := int64(-1); r.Budget.Evaluations = &less }},
		"budget-time":        {"8x8-16-spaced", func(r *results.Record) { long := "a night"; r.Budget.Time = &long }},
		"started-local":      {"8x8-16-spaced", func(r *results.Record) { r.Started = "2026-01-02T03:04:05+01:00" }},
	}
}

// others lists, by folder and name, documents that are no records. 12 processors on 6x6 under odr have E_max 6 at best.
func others() map[string]any {
	below := func(value string, proof *results.Proof, changes ...func(*results.Below)) results.Below {
		d := results.Below{Schema: results.BelowSchema, Grid: results.Grid{Torus: []int{6, 6}}, Routing: "odr:tie=plus",
			Size:  12,
			Below: value, Status: results.StatusInfeasible, Proof: proof}
		for _, change := range changes {
			change(&d)
		}
		return d
	}
	// Two full rows of 6x6, three apart, under udr with ties both. A processor sends 11 messages over four links. Half of
	// the slabs across dimension 0 hold 6 processors and are left by 12 links. Along dimension 0 the 72 ordered pairs in
	// different rows are 3 links apart and share 72 links; along dimension 1 those of two columns are 9 links from one of
	// them altogether, 4 pairs each: 6 times 9 times 4.
	zero := 0
	rows, half := make([][]int, 0, 12), make([][]int, 0, 18)
	for i := range 36 {
		if i/6%3 == 0 {
			rows = append(rows, []int{i / 6, i % 6})
		}
		if i < 18 {
			half = append(half, []int{i / 6, i % 6})
		}
	}
	placed := []answers.Bound{
		{Name: "degree", Value: "11/4", Witness: lowerbound.Witness{Set: [][]int{{0, 0}}, Links: 4}},
		{Name: "slab", Value: "3", Witness: lowerbound.Witness{Dim: &zero, Set: half, Links: 12}},
		{Name: "bisection", Value: "3", Witness: lowerbound.Witness{Set: half, Links: 12}},
		{Name: "dimension-mean", Value: "3", Witness: lowerbound.Witness{Dim: &zero, Distance: "216", Links: 72}},
		{Name: "mean", Value: "3", Witness: lowerbound.Witness{Distance: "432", Links: 144}},
		{Name: "granularity", Value: "3", Witness: lowerbound.Witness{From: "degree", Denominator: "4"}},
	}
	bounds := func(bounds []answers.Bound, change func(*answers.Bounds)) answers.Bounds {
		d := answers.Bounds{Schema: answers.BoundsSchema, Grid: results.Grid{Torus: []int{6, 6}}, Routing: "udr:tie=both",
			Size: 12, Bounds: slices.Clone(bounds), Best: "3", Reason: "slab"}
		change(&d)
		return d
	}
	ofRows := func(change func(b []answers.Bound)) answers.Bounds {
		return bounds(placed, func(d *answers.Bounds) { d.Nodes = &rows; change(d.Bounds) })
	}
	// Without a placement only the value is verified, which is least: see docs/formats.md.
	size := []answers.Bound{{Name: "degree", Value: "11/4"}, {Name: "mean", Value: "2"}}
	ofSize := func(change func(*answers.Bounds)) answers.Bounds {
		return bounds(size, func(d *answers.Bounds) { d.Best, d.Reason = "11/4", "degree"; change(d) })
	}
	return map[string]any{
		"valid/bounds-size":      ofSize(func(*answers.Bounds) {}),
		"wrong/bounds-reason":    ofSize(func(d *answers.Bounds) { d.Reason = "margin" }),
		"wrong/bounds-best":      ofSize(func(d *answers.Bounds) { d.Best = "5/2" }),
		"wrong/bounds-none":      ofSize(func(d *answers.Bounds) { d.Bounds, d.Best = []answers.Bound{}, "0" }),
		"wrong/bounds-twice":     ofSize(func(d *answers.Bounds) { d.Bounds[1].Name = "degree" }),
		"wrong/bounds-negative":  ofSize(func(d *answers.Bounds) { d.Bounds[1].Value = "-1" }),
		"wrong/bounds-too-large": ofSize(func(d *answers.Bounds) { d.Bounds[0].Value, d.Best = "99", "99" }),
		"wrong/bounds-of-both": ofSize(func(d *answers.Bounds) {
			d.Nodes, d.Fixed = &rows, [][]int{{0, 0}}
		}),
		"valid/bounds-placement":   ofRows(func([]answers.Bound) {}),
		"wrong/bounds-degree-node": ofRows(func(b []answers.Bound) { b[0].Witness.Set = [][]int{{0, 0}, {0, 1}} }),
		"wrong/bounds-degree-off":  ofRows(func(b []answers.Bound) { b[0].Witness.Set = [][]int{{6, 0}} }),
		"wrong/bounds-degree-free": ofRows(func(b []answers.Bound) { b[0].Witness.Set = [][]int{{1, 0}} }),
		"wrong/bounds-links":       ofRows(func(b []answers.Bound) { b[0].Witness.Links = 5 }),
		"wrong/bounds-slab-dim":    ofRows(func(b []answers.Bound) { b[1].Witness.Dim = nil }),
		"wrong/bounds-half":        ofRows(func(b []answers.Bound) { b[2].Witness.Set = half[:17] }),
		"wrong/bounds-distance":    ofRows(func(b []answers.Bound) { b[3].Witness.Distance = "217" }),
		"wrong/bounds-mean-links":  ofRows(func(b []answers.Bound) { b[4].Witness.Links = 72 }),
		"wrong/bounds-foreign":     ofRows(func(b []answers.Bound) { b[0].Witness.Refuted = "5/2" }),
		"wrong/bounds-above":       ofRows(func(b []answers.Bound) { b[1].Value = "4" }),
		"wrong/bounds-past-load": bounds(placed[:1], func(d *answers.Bounds) {
			d.Nodes, d.Best, d.Reason = &rows, "99", "margin"
			d.Bounds = append(d.Bounds, answers.Bound{Name: "margin", Value: "99"})
		}),
		"valid/below-between": below("11/2", stepsProof("11/2")),
		"wrong/below-between": below("13/2", stepsProof("13/2")),
		"wrong/below-load": below("11/2", stepsProof("11/2"),
			func(d *results.Below) { load := "x"; d.MaxLoad = &load }),
		"wrong/below-nodes": below("11/2", stepsProof("11/2"),
			func(d *results.Below) { d.Nodes = &[][]int{{0, 0}} }),
		"wrong/below-unknown-load": below("11/2", nil, func(d *results.Below) {
			load := "6"
			d.Status, d.MaxLoad = results.StatusUnknown, &load
		}),
		"wrong/below-negative": below("-1", stepsProof("-1")),
		"wrong/below-solver": below("11/2", stepsProof("11/2"), func(d *results.Below) {
			d.SolverClaim = &results.SolverClaim{Engine: "clasp", Below: "-6"}
		}),
		// times 12 it passes 2^64
		"limit/below-past-word": below("1537228672809129302", stepsProof("1537228672809129302")),
	}
}

// source returns the right record of a name: one of the bases, or one that the program wrote, which stands in testdata
// only.
func source(t *testing.T, name string) results.Record {
	t.Helper()
	if b, ok := bases()[name]; ok {
		return b.record(t)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "valid", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := results.ReadRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGenerate writes testdata; run it with -generate after a change of the format. Without the flag it only makes sure
// that the right records can be built.
func TestGenerate(t *testing.T) {
	write := func(folder, name string, document any) {
		text, err := layout.Encode(document)
		if err != nil {
			t.Fatal(err)
		}
		if !*generate {
			return
		}
		dir := filepath.Join("testdata", folder)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".json"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range bases() {
		write("valid", name, b.record(t))
	}
	for name, miss := range nearMisses() {
		r := source(t, miss.from)
		miss.change(&r)
		if folder, name, good := strings.Cut(name, "/"); good {
			write(folder, name, r)
		} else {
			write("wrong", folder, r)
		}
	}
	for place, document := range others() {
		write(filepath.Dir(place), filepath.Base(place), document)
	}
}
