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
	"leeway/objective"
	"leeway/results"
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

func boundProof(name, value string) *results.Proof {
	return &results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: name, Value: value}
}

func censusProof(count int64, below string) *results.Proof {
	return &results.Proof{Kind: results.ProofCensus, Engine: "exhaustive", Count: &count, Below: below}
}

func bases() map[string]base {
	return map[string]base{
		"8x8-16-spaced": {"8x8", "spaced:t=2", "udr:tie=both", "4", "15/4", "degree",
			&results.Baseline{Placement: "multilinear:t=2", MaxLoad: "7"}, nil},
		"4x4-4-census": {"4x4", "nodes:1,0+1,2+3,0+3,2", "odr:tie=both", "1", "1", "census", linear("3/2"),
			censusProof(455, "1")},
		"3x3x3-9-linear": {"3x3x3", "linear", "udr:tie=both", "4/3", "4/3", "degree", linear("4/3"),
			boundProof("degree", "4/3")},
		"4x4-4-diagonal": {"4x4", "linear", "udr:tie=both", "3/4", "3/4", "degree", linear("3/4"),
			boundProof("degree", "3/4")},
		"4x4x4-16-avoid": {"4x4x4", "linear", "avoid:tie=both", "5/2", "5/2", "degree", linear("5/2"),
			boundProof("degree", "5/2")},
		"5x5-5-minimal": {"5x5", "linear", "minimal:tie=both", "4/3", "1", "degree", linear("4/3"), nil},
		"6x6-6-odr": {"6x6", "nodes:1,0+1,2+3,2+3,4+5,0+5,4", "odr:tie=plus", "2", "2",
			"degree, rounded up to a multiple of 1/1", linear("3"),
			boundProof("granularity", "2")},
		"2x3-2-mixed": {"2x3", "nodes:0,0+1,0", "udr:tie=plus", "1", "1/3", "degree", nil, nil},
		// No 12 have E_max below 6, so a bound between the multiples 5 and 6 holds too.
		"6x6-12-multilinear": {"6x6", "multilinear:t=2", "odr:tie=plus", "10", "11/2", "margin",
			&results.Baseline{Placement: "multilinear:t=2", MaxLoad: "10"}, nil},
		"6x6-11-odr": {"6x6", "nodes:0,0+0,3+1,2+1,5+2,1+2,4+3,0+3,3+4,2+4,5+5,1", "odr:tie=plus", "6", "0", "degree", nil,
			nil},
		"91x91-3-row": {"91x91", "nodes:0,0+0,1+0,2", "udr:tie=both", "2", "1/2", "degree", nil, nil},
		"4x4-1-alone": {"4x4", "nodes:2,1", "minimal:tie=plus", "0", "0", "degree", nil, boundProof("degree", "0")},
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
	record, err := results.New(results.Values{Routing: r, Placement: p, MaxLoad: load, LowerBound: lower,
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
			r.LowerBound, r.BoundProof = "13/2", boundProof("margin", "13/2")
		}},
		"bound-above-load":  {"8x8-16-spaced", func(r *results.Record) { r.LowerBound = "17/4" }},
		"bound-reducible":   {"8x8-16-spaced", func(r *results.Record) { r.LowerBound = "30/8" }},
		"optimal-unproved":  {"8x8-16-spaced", func(r *results.Record) { r.Status = "optimal"; r.LowerBound = "4" }},
		"optimal-low-bound": {"4x4-4-census", func(r *results.Record) { r.LowerBound = "3/4" }},
		"feasible-proved":   {"4x4-4-census", func(r *results.Record) { r.Status = "feasible" }},
		"status-unknown":    {"8x8-16-spaced", func(r *results.Record) { r.Status = "best" }},
		"census-count-off":  {"4x4-4-census", func(r *results.Record) { r.Proof = censusProof(454, "1") }},
		"census-below-off":  {"4x4-4-census", func(r *results.Record) { r.Proof = censusProof(455, "3/4") }},
		"census-refuted": {"4x4-4-census", func(r *results.Record) {
			r.Nodes = [][]int{{0, 0}, {1, 3}, {2, 2}, {3, 1}} // linear: 3/2
			r.MaxLoad, r.LowerBound, r.Proof = "3/2", "3/2", censusProof(455, "3/2")
			rehash(r)
		}},
		"limit/census-too-large": {"4x4x4-16-avoid", func(r *results.Record) {
			r.Status, r.LowerBound, r.Proof = "optimal", r.MaxLoad, censusProof(122131734269895, r.MaxLoad)
		}},
		"census-nodes-off": {"5x5-9-orderly", func(r *results.Record) { r.Proof.Slices[0].Nodes++; *r.Proof.Nodes++ }},
		"census-total-off": {"5x5-9-orderly", func(r *results.Record) { *r.Proof.Nodes++ }},
		"census-sum-off":   {"5x5-9-orderly", func(r *results.Record) { r.Proof.Slices[0].Sum = r.Proof.Slices[1].Sum }},
		"census-slice-missing": {"5x5-9-orderly", func(r *results.Record) {
			*r.Proof.Nodes -= r.Proof.Slices[1].Nodes
			r.Proof.Slices = slices.Delete(r.Proof.Slices, 1, 2)
		}},
		"census-last-slice-missing": {"5x5-9-margin", func(r *results.Record) {
			last := len(r.Proof.Slices) - 1
			*r.Proof.Nodes -= r.Proof.Slices[last].Nodes
			r.Proof.Slices = r.Proof.Slices[:last]
		}},
		"census-slice-twice": {"5x5-9-orderly", func(r *results.Record) {
			r.Proof.Slices = slices.Insert(r.Proof.Slices, 1, r.Proof.Slices[0])
			*r.Proof.Nodes += r.Proof.Slices[0].Nodes
		}},
		"census-prefixes-off": {"5x5-9-margin", func(r *results.Record) { r.Proof.Slices[0].Prefixes++ }},
		"census-split-off":    {"5x5-9-orderly", func(r *results.Record) { *r.Proof.Split-- }},
		"census-tree-unknown": {"5x5-9-orderly", func(r *results.Record) { r.Proof.Engine = "magic" }},
		"census-other-tree":   {"5x5-9-margin", func(r *results.Record) { r.Proof.Engine = "orderly"; *r.Proof.Split = 2 }},
		"census-other-size": {"5x5-9-orderly", func(r *results.Record) {
			r.Nodes, r.Size = r.Nodes[:8], 8
			r.MaxLoad, r.LowerBound, r.Proof.Below = "5/2", "5/2", "5/2"
			rehash(r)
		}},
		"census-no-slices": {"5x5-9-orderly",
			func(r *results.Record) { r.Proof.Slices, *r.Proof.Nodes = []results.Slice{}, 0 }},
		"census-levels-off": {"5x5x5-25-levels", func(r *results.Record) { r.Proof.Slices[0].Sum = "0123456789abcdef" }},
		"census-levels-routing": {"5x5x5-25-levels", func(r *results.Record) {
			r.Routing, r.MaxLoad, r.LowerBound, r.Proof.Below = "odr:tie=both", "10", "10", "10"
			rehash(r)
		}},
		"unsat-file-missing": {"4x4-8-unsat", func(r *results.Record) { r.Proof.File = "gone.lrat" }},
		"unsat-file-outside": {"4x4-8-unsat", func(r *results.Record) { r.Proof.File = "../valid/4x4-8-unsat.lrat" }},
		"monotone-larger":    {"5x5-10-monotone", func(r *results.Record) { *r.Proof.Size = 11 }},
		"monotone-smaller":   {"5x5-10-monotone", func(r *results.Record) { *r.Proof.Size = 8 }},
		"monotone-routing":   {"5x5-10-monotone", func(r *results.Record) { r.Proof.Routing = "odr:tie=both" }},
		"monotone-twice":     {"5x5-10-monotone", func(r *results.Record) { r.Proof.Basis = results.ProofMonotone }},
		"proof-bound-short": {"8x8-16-spaced", func(r *results.Record) {
			r.Status, r.LowerBound, r.Proof = "optimal", "4", boundProof("degree", "4")
		}},
		"proof-value-short": {"4x4-4-diagonal", func(r *results.Record) { r.Proof = boundProof("degree", "1/2") }},
		"proof-wrong-name":  {"6x6-6-odr", func(r *results.Record) { r.Proof = boundProof("degree", "2") }},
		"proof-bound-unknown": {"4x4-4-diagonal", func(r *results.Record) {
			r.Proof = boundProof("hearsay", "3/4")
		}},
		"proof-unsat": {"4x4-4-census", func(r *results.Record) {
			r.Proof = &results.Proof{Kind: results.ProofUnsat, Engine: "gini", Below: "1"}
		}},
		"proof-monotone": {"4x4-4-census", func(r *results.Record) {
			r.Proof = &results.Proof{Kind: results.ProofMonotone, Engine: "monotone", Below: "1"}
		}},
		"proof-kind-unknown": {"4x4-4-census", func(r *results.Record) {
			r.Proof = &results.Proof{Kind: "authority", Engine: "me", Below: "1"}
		}},
		"baseline-load":        {"8x8-16-spaced", func(r *results.Record) { r.Baseline.MaxLoad = "8" }},
		"baseline-name":        {"8x8-16-spaced", func(r *results.Record) { r.Baseline.Placement = "multilinear:t=3" }},
		"baseline-gone":        {"8x8-16-spaced", func(r *results.Record) { r.Baseline = nil }},
		"baseline-made":        {"2x3-2-mixed", func(r *results.Record) { r.Baseline = linear("1") }},
		"upper-alone":          {"4x4-5-upper", func(r *results.Record) { r.LoadLimit = nil }},
		"upper-limit-alone":    {"4x4-5-upper", func(r *results.Record) { r.UpperBound, r.UpperProofs = nil, nil }},
		"upper-limit-decimal":  {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "1.5" }},
		"upper-limit-negative": {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "-1n" }},
		"upper-limit-passed":   {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "1" }},
		"upper-limit-grows":    {"4x4-5-upper", func(r *results.Record) { *r.LoadLimit = "1/4n" }},
		"upper-too-small":      {"4x4-5-upper", func(r *results.Record) { *r.UpperBound = 4 }},
		"upper-too-large":      {"4x4-5-upper", func(r *results.Record) { *r.UpperBound = 17 }},
		"upper-unproved":       {"4x4-5-upper", func(r *results.Record) { r.UpperProofs = nil }},
		"upper-proof-negative": {"4x4-5-upper", func(r *results.Record) {
			size := 8
			r.UpperProofs = append(r.UpperProofs,
				results.Proof{Kind: results.ProofMonotone, Basis: results.ProofBound, Engine: "bound", Size: &size,
					Below: "-1", Bound: "degree", Value: "1/2"})
		}},
		"upper-proof-larger":   {"4x4-5-upper", func(r *results.Record) { *r.UpperProofs[0].Size = 8 }},
		"upper-proof-off":      {"4x4-5-upper", func(r *results.Record) { r.UpperProofs[0].Below = "7/2" }},
		"upper-proof-sizeless": {"4x4-5-upper", func(r *results.Record) { r.UpperProofs[0].Size = nil }},
		"valid/6x6-11-upper":   {"6x6-11-odr", upperByMargins},
		"upper-one-of-many": {"6x6-11-odr", func(r *results.Record) {
			upperByMargins(r)
			r.UpperProofs = r.UpperProofs[1:]
		}},
		"upper-proof-between": {"6x6-11-odr", func(r *results.Record) {
			limit, upper, size := "6", 11, 12
			p := results.Proof{Kind: results.ProofMonotone, Basis: results.ProofBound, Engine: "bound", Size: &size,
				Below: "13/2", Bound: "margin", Value: "13/2"}
			r.LoadLimit, r.UpperBound, r.UpperProofs = &limit, &upper, []results.Proof{p}
		}},
		"upper-far": {"91x91-3-row", func(r *results.Record) {
			limit, upper := "2", 8 // 9 processors send 8 messages each over four links, 10 send 9
			r.LoadLimit, r.UpperBound = &limit, &upper
		}},
		"valid/91x91-3-upper": {"91x91-3-row", func(r *results.Record) {
			limit, upper := "2", 9
			r.LoadLimit, r.UpperBound = &limit, &upper
		}},
		"free-orbits":       {"4x4-4-free", func(r *results.Record) { one := 1; r.Orbits = &one }},
		"free-labelled":     {"4x4-4-free", func(r *results.Record) { two := int64(2); r.Labelled = &two }},
		"free-optima":       {"4x4-4-free", func(r *results.Record) { r.Optima = &[][][]int{r.Nodes} }},
		"free-census":       {"4x4-4-free", func(r *results.Record) { r.Proof = censusProof(455, "3/4") }},
		"proof-two-kinds":   {"4x4-4-diagonal", func(r *results.Record) { r.Proof.Below = "1" }},
		"proof-nodes-stray": {"4x4-4-census", func(r *results.Record) { many := int64(1e9); r.Proof.Nodes = &many }},
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
// upperByMargins says that no 12 processors on 6x6 or more keep to 6/11 a processor under odr, which takes four margin
// bounds.
func upperByMargins(r *results.Record) {
	limit, upper := "6/11n", 12
	r.LoadLimit, r.UpperBound, r.UpperProofs = &limit, &upper, nil
	for _, at := range []struct {
		size  int
		below string
	}{{13, "8"}, {15, "9"}, {17, "12"}, {22, "18"}} {
		r.UpperProofs = append(r.UpperProofs, results.Proof{Kind: results.ProofMonotone, Basis: results.ProofBound,
			Engine: "bound", Size: &at.size, Below: at.below, Bound: "margin", Value: at.below})
	}
}

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
	// The bounds of 12 processors on 6x6 under udr with ties both, and of the linear placement: 11 messages over four
	// links; 12 in slabs of six are one step from 6 others, both ways.
	one := 0
	size := []results.Bound{
		{Name: "degree", Value: "11/4", Witness: objective.Witness{Set: [][]int{{0, 0}}, Links: 4}},
		{Name: "dimension-mean", Value: "1",
			Witness: objective.Witness{Dim: &one, SlabCounts: []int{6, 6, 0, 0, 0, 0}, Distance: "72", Links: 72}},
		{Name: "band", Value: "8/3", Witness: objective.Witness{Dim: &one, SlabCounts: []int{4, 0, 4, 0, 4, 0}, Links: 12}},
		{Name: "granularity", Value: "11/4", Witness: objective.Witness{From: "degree", Denominator: "4"}},
	}
	bounds := func(change func(*results.Bounds)) results.Bounds {
		d := results.Bounds{Schema: results.BoundsSchema, Grid: results.Grid{Torus: []int{6, 6}}, Routing: "udr:tie=both",
			Size:   12,
			Bounds: slices.Clone(size), Best: "11/4", Reason: "degree"}
		change(&d)
		return d
	}
	return map[string]any{
		"valid/bounds-size":        bounds(func(d *results.Bounds) {}),
		"wrong/bounds-degree-node": bounds(func(d *results.Bounds) { d.Bounds[0].Witness.Set = [][]int{{0, 0}, {0, 1}} }),
		"wrong/bounds-degree-off":  bounds(func(d *results.Bounds) { d.Bounds[0].Witness.Set = [][]int{{6, 0}} }),
		"wrong/bounds-links":       bounds(func(d *results.Bounds) { d.Bounds[0].Witness.Links = 5 }),
		"wrong/bounds-slabs": bounds(
			func(d *results.Bounds) { d.Bounds[1].Witness.SlabCounts = []int{6, 0, 6, 0, 0, 0} }),
		"wrong/bounds-slabs-full": bounds(
			func(d *results.Bounds) { d.Bounds[1].Witness.SlabCounts = []int{12, 0, 0, 0, 0, 0} }),
		"wrong/bounds-slabs-sum": bounds(
			func(d *results.Bounds) { d.Bounds[1].Witness.SlabCounts = []int{6, 5, 0, 0, 0, 0} }),
		"wrong/bounds-distance":    bounds(func(d *results.Bounds) { d.Bounds[1].Witness.Distance = "73" }),
		"wrong/bounds-foreign":     bounds(func(d *results.Bounds) { d.Bounds[0].Witness.Refuted = "5/2" }),
		"wrong/bounds-denominator": bounds(func(d *results.Bounds) { d.Bounds[3].Witness.Denominator = "8" }),
		"wrong/bounds-band": bounds(
			func(d *results.Bounds) { d.Bounds[2].Witness.SlabCounts = []int{4, 0, 4, 0, 3, 0} }),
		"wrong/bounds-band-links": bounds(func(d *results.Bounds) { d.Bounds[2].Witness.Links = 6 }),
		"wrong/bounds-band-counts": bounds(
			func(d *results.Bounds) { d.Bounds[2].Witness.SlabCounts = []int{6, 0, 0, 6, 0, 0} }),
		"wrong/bounds-reason": bounds(func(d *results.Bounds) { d.Reason = "margin" }),
		"wrong/bounds-none":   bounds(func(d *results.Bounds) { d.Bounds, d.Best = []results.Bound{}, "0" }),
		"wrong/bounds-above": bounds(func(d *results.Bounds) {
			d.Bounds[3].Value, d.Best, d.Reason = "3", "3", "degree, rounded up to a multiple of 1/4"
		}),
		"valid/below-between": below("11/2", boundProof("margin", "11/2")),
		"wrong/below-between": below("13/2", boundProof("margin", "13/2")),
		"wrong/below-load": below("11/2", boundProof("margin", "11/2"),
			func(d *results.Below) { load := "x"; d.MaxLoad = &load }),
		"wrong/below-nodes": below("11/2", boundProof("margin", "11/2"),
			func(d *results.Below) { d.Nodes = &[][]int{{0, 0}} }),
		"wrong/below-unknown-load": below("11/2", nil, func(d *results.Below) {
			load := "6"
			d.Status, d.MaxLoad = results.StatusUnknown, &load
		}),
		"wrong/below-negative": below("-1", boundProof("margin", "-1")),
		"wrong/below-solver": below("11/2", boundProof("margin", "11/2"), func(d *results.Below) {
			d.SolverClaim = &results.SolverClaim{Engine: "clasp", Below: "-6"}
		}),
		// times 12 it passes 2^64
		"wrong/below-past-word": below("1537228672809129302", boundProof("margin", "1537228672809129302")),
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
		text, err := results.Encode(document)
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
