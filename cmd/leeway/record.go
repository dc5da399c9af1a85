package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"strings"
	"time"

	"leeway/core/family"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/search"
)

// newRecord turns the result of a search into the record that claims it. The
// record is optimal when a placement-free bound equals the value, or when the
// checker can repeat a full count that found nothing better; otherwise the word
// of an engine is noted as its claim.
func (a *app) newRecord(ctx context.Context, p objective.Problem, result search.Result, lower *lowerBound, b budget, started time.Time) (results.Record, error) {
	best, sure := lower.confirmed(ctx)
	claim := results.Claim{
		Routing: p.Routing, Placement: result.Best, MaxLoad: result.Value,
		LowerBound: best.Value, BoundReason: best.Reason(),
		FoundBy: results.FoundBy{Method: result.Method, Seed: b.seed, Evaluations: result.Evaluations,
			Seconds: float64(time.Since(started).Milliseconds()) / 1000},
		Provenance: results.Provenance{Version: version, Command: append([]string{"leeway"}, a.args...),
			Started: results.FormatTime(started), Seed: b.seed, Budget: recordBudget(b)},
	}
	claim.Baseline = baseline(p)
	refutation := result.Refutation
	switch {
	case best.Value.Cmp(result.Value) == 0:
		claim.Proof = &results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: best.Name, Value: best.Value.RatString()}
	case refutation != nil && refutation.Below.Cmp(result.Value) == 0:
		if record, ok := countedRecord(ctx, claim, p, refutation); ok {
			return record, nil
		}
		claim.SolverClaim = &results.SolverClaim{Engine: refutation.Engine, Below: refutation.Below.RatString()}
	case !sure:
		claim.SolverClaim = &results.SolverClaim{Engine: "margin bound", Below: lower.best.Value.RatString()}
	}
	return results.New(claim)
}

// countedRecord returns the record with a full count as its proof, and whether
// the checker confirms it before the context ends: a count that it cannot repeat
// is no proof.
func countedRecord(ctx context.Context, claim results.Claim, p objective.Problem, refutation *search.Refutation) (results.Record, bool) {
	placements := p.Placements()
	if !placements.IsInt64() {
		return results.Record{}, false
	}
	count := placements.Int64()
	claim.LowerBound, claim.BoundReason = claim.MaxLoad, "a full count found none below"
	claim.Proof = &results.Proof{Kind: results.ProofCensus, Engine: refutation.Engine, Count: &count, Below: refutation.Below.RatString()}
	record, err := results.New(claim)
	if err != nil {
		return record, false
	}
	data, err := record.Encode()
	if err != nil {
		return record, false
	}
	return record, confirmed(ctx, data, check.Record)
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
// have none.
func baseline(p objective.Problem) *results.Baseline {
	text, ok := family.Baseline(p.Torus(), p.Size)
	if !ok {
		return nil
	}
	placement, err := family.Parse(p.Torus(), text)
	if err != nil {
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
		fmt.Fprintf(a.stdout, "  proof        %s: no placement is below %s (%s)\n", r.Proof.Kind, r.LowerBound, r.BoundReason)
	default:
		fmt.Fprintf(a.stdout, "  lower bound  %s (%s)\n", r.LowerBound, r.BoundReason)
	}
	if c := r.SolverClaim; c != nil {
		fmt.Fprintf(a.stdout, "  claim        %s says that none is below %s; it left no proof\n", c.Engine, c.Below)
	}
	if r.Orbits != nil {
		fmt.Fprintf(a.stdout, "  optima       %d up to symmetry, %d labelled\n", *r.Orbits, *r.Labelled)
	}
	if b := r.Baseline; b != nil {
		fmt.Fprintf(a.stdout, "  the papers'  %s has %s%s\n", b.Placement, b.MaxLoad, compared(r.MaxLoad, b.MaxLoad))
	}
	fmt.Fprintf(a.stdout, "  nodes        %s\n", joinNodes(r.Nodes))
	fmt.Fprintf(a.stdout, "  found by     %s, seed %d, %d evaluations, %.1f s\n", r.FoundBy.Method, r.FoundBy.Seed, r.FoundBy.Evaluations, r.FoundBy.Seconds)
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
	r := strings.NewReplacer(":", "-", "=", "-", "+", "-", ",", "").Replace(p.Routing.String())
	return fmt.Sprintf("leeway-%s-n%d-%s-seed%d", p.Torus(), p.Size, r, seed)
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
