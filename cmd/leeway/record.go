package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"strings"
	"time"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
)

// newRecord turns the result of a search into the record that claims it. The
// record is optimal when a neighbour, a census or a placement-free bound shows that
// nothing is below the value; the mere word of an engine is noted as its claim.
func (a *app) newRecord(ctx context.Context, p objective.Problem, result search.Result, lower *lowerBound, b budget, started time.Time) (results.Record, error) {
	claim := results.Claim{
		Routing: p.Routing, Placement: result.Best, MaxLoad: result.Value, LowerBound: result.Value,
		FoundBy: results.FoundBy{Method: result.Method, Seed: b.seed, Evaluations: result.Evaluations,
			Seconds: float64(time.Since(started).Milliseconds()) / 1000},
		Provenance: results.Provenance{Version: version, Command: append([]string{"leeway"}, a.args...),
			Started: results.FormatTime(started), Seed: b.seed, Budget: recordBudget(b)},
	}
	claim.Baseline = baseline(p)
	n, refutation := lower.neighbour, result.Refutation
	if refutation != nil && refutation.Below.Cmp(result.Value) != 0 {
		refutation = nil
	}
	switch {
	case n != nil && n.below.Cmp(result.Value) == 0 && (refutation == nil || refutation.Kind == search.SolverClaim):
		claim.Proof, claim.BoundReason = n.proofOf(p), n.reason(p)
		return results.New(claim)
	case refutation != nil:
		var err error
		if claim.Proof, err = proofOf(p, refutation); err != nil {
			return results.Record{}, err
		}
		if claim.Proof != nil {
			claim.BoundReason = claim.Proof.Kind + ": none is below"
			return results.New(claim)
		}
		claim.SolverClaim = &results.SolverClaim{Engine: refutation.Engine, Below: refutation.Below.RatString()}
	}
	lower.bound(ctx, p, &claim)
	return results.New(claim)
}

// proofOf returns the proof that a refutation amounts to, nil if it is but a
// claim.
func proofOf(p objective.Problem, r *search.Refutation) (*results.Proof, error) {
	switch r.Kind {
	case search.Census:
		return censusProof(p, r), nil
	case search.Unsat:
		return unsatProof(r)
	}
	return nil, nil
}

// censusProof returns the proof by a census, nil if that has no slices and too many
// placements to be counted.
func censusProof(p objective.Problem, r *search.Refutation) *results.Proof {
	proof := &results.Proof{Kind: results.ProofCensus, Engine: r.Engine, Below: r.Below.RatString()}
	placements := p.Placements()
	switch {
	case r.Slices != nil:
		proof.Split, proof.Nodes, proof.Slices = &r.Split, &r.Count, []results.Slice{}
		for _, s := range r.Slices {
			proof.Slices = append(proof.Slices, recordSlice(s))
		}
	case !placements.IsInt64():
		return nil
	default:
		count := placements.Int64()
		proof.Count = &count
	}
	return proof
}

func recordBudget(b budget) results.Budget {
	var r results.Budget
	if b.time > 0 {
		text := b.time.String()
		r.Time = &text
	}
	if b.evaluations > 0 {
		r.Evaluations = &b.evaluations
	}
	return r
}

// baseline evaluates the papers' placement of the problem's size, nil if they
// have none, or none that a table covers.
func baseline(p objective.Problem) *results.Baseline {
	text, ok := family.Baseline(p.Torus(), p.Size)
	if !ok {
		return nil
	}
	placement, err := family.Parse(p.Torus(), text)
	if err != nil {
		return nil
	}
	if routing.Covers(p.Routing, placement) != nil {
		return nil
	}
	value, _ := objective.Evaluate(p.Routing, placement).Max()
	return &results.Baseline{Placement: text, MaxLoad: value.RatString()}
}

// printRecord writes a record for a person.
func (a *app) printRecord(r results.Record) {
	fmt.Fprintf(a.stdout, "%s, %d processors, %s: E_max %s, %s\n", joinSides(r.Torus), r.Size, r.Routing, r.MaxLoad, r.Status)
	switch {
	case r.Proof != nil:
		fmt.Fprintf(a.stdout, "  proof        none is below %s: %s\n", r.LowerBound, describeProof(r.Proof))
	default:
		fmt.Fprintf(a.stdout, "  lower bound  %s (%s)\n", r.LowerBound, r.BoundReason)
	}
	if c := r.SolverClaim; c != nil {
		fmt.Fprintf(a.stdout, "  claim        %s says that none is below %s; it left no proof\n", c.Engine, c.Below)
	}
	if r.UpperBound != nil {
		fmt.Fprintf(a.stdout, "  within %-5s no placement of more than %d processors%s\n", *r.LoadLimit, *r.UpperBound, excludedBy(r))
	}
	if c := r.SymmetryClaim; c != nil {
		fmt.Fprintf(a.stdout, "  symmetry     %s\n", describeSymmetry(c))
	}
	if r.Orbits != nil {
		fmt.Fprintf(a.stdout, "  optima       %d up to symmetry, %d labelled\n", *r.Orbits, *r.Labelled)
	}
	if b := r.Baseline; b != nil {
		fmt.Fprintf(a.stdout, "  the papers'  %s has %s%s\n", b.Placement, b.MaxLoad, compared(r.MaxLoad, b.MaxLoad))
	}
	fmt.Fprintf(a.stdout, "  nodes        %s\n", joinNodes(r.Nodes))
	if form := formOf(r); form != "" {
		fmt.Fprintf(a.stdout, "  form         %s\n", form)
	}
	fmt.Fprintf(a.stdout, "  found by     %s, seed %d, %d evaluations, %.1f s\n", r.FoundBy.Method, r.FoundBy.Seed, r.FoundBy.Evaluations, r.FoundBy.Seconds)
}

// maxFormNodes is the largest torus on which placements are recognised.
const maxFormNodes = 4096

// formOf says which pattern a placement follows, "" on large tori.
func formOf(r results.Record) string {
	t, err := core.NewTorus(r.Torus...)
	if err != nil || t.N() > maxFormNodes {
		return ""
	}
	p, err := core.PlacementFromCoords(t, r.Nodes)
	if err != nil {
		return ""
	}
	return family.Recognise(p).String()
}

// describeProof says in short what a proof is.
func describeProof(p *results.Proof) string {
	switch {
	case p.Kind == results.ProofMonotone:
		basis := *p
		basis.Kind = p.Basis
		of := fmt.Sprintf("size %d", *p.Size)
		if p.Routing != "" {
			of += " under " + p.Routing
		}
		return fmt.Sprintf("%s, by %s", of, describeProof(&basis))
	case p.Kind == results.ProofBound:
		return fmt.Sprintf("bound %s is %s", p.Bound, p.Value)
	case p.Kind == results.ProofUnsat:
		return fmt.Sprintf("unsat, %s by %s in %s", p.Format, p.Engine, p.File)
	case p.Slices != nil:
		return fmt.Sprintf("census %s, %d nodes in %d slices", p.Engine, *p.Nodes, len(p.Slices))
	}
	return fmt.Sprintf("census of all %d placements with node 0", *p.Count)
}

// excludedBy says which proofs exclude larger sizes, "" if bounds or the torus do.
func excludedBy(r results.Record) string {
	switch proofs := r.UpperProofs; len(proofs) {
	case 0:
		return ""
	case 1:
		return ": " + describeProof(&proofs[0])
	default:
		return fmt.Sprintf(": %d proofs, the first of %s", len(proofs), describeProof(&proofs[0]))
	}
}

// compared says in how far a load beats the baseline.
func compared(load, baseline string) string {
	a, okA := new(big.Rat).SetString(load)
	b, okB := new(big.Rat).SetString(baseline)
	if !okA || !okB || b.Sign() == 0 || a.Cmp(b) >= 0 {
		return ""
	}
	f, _ := new(big.Rat).Quo(a, b).Float64()
	return fmt.Sprintf(": this placement carries %.0f%% of it", 100*f)
}

func joinSides(dims []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(dims), "[]"), " ", "x")
}

func joinNodes(nodes [][]int) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", ",")
	}
	return strings.Join(parts, "+")
}

// recordBase returns the name of a record file without its ending.
func recordBase(p objective.Problem, seed uint64) string {
	return fileBase(p.Torus(), p.Size, p.Routing.String(), seed)
}

// fileBase is recordBase for a routing in the words of the command line.
func fileBase(t *core.Torus, size int, routing string, seed uint64) string {
	r := strings.NewReplacer(":", "-", "=", "-", "+", "-", ",", "").Replace(routing)
	return fmt.Sprintf("leeway-%s-n%d-%s-seed%d", t, size, r, seed)
}

// writeNewRecord writes a record to a file named base.json or, where that is
// taken, base-2.json and so on, and returns the name.
func writeNewRecord(base string, data []byte) (string, error) {
	name := base + ".json"
	for i := 2; ; i++ {
		if err := results.WriteNewFile(name, data); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
		name = fmt.Sprintf("%s-%d.json", base, i)
	}
}
