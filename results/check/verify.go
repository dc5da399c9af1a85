package check

import (
	"fmt"
	"maps"
	"math/big"

	"leeway/core/routing"
	"leeway/results"
	"leeway/results/check/bounds"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	"leeway/results/check/shares"
)

// A verifier goes through proofs that no placement has E_max below a value.
type verifier struct {
	meter   *meter.Meter
	folder  string // of the files that proofs name
	options Options
	slices  []SliceVerdict // of the last census, if they are to be reported
	partial bool           // slices were left out
}

// problem says why a proof does not show that no placement of n processors has
// E_max below the value, "" if it does. Cost: that of the proof.
func (v *verifier) problem(r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	if problem := foreignField(p); problem != "" {
		return problem
	}
	if below.Sign() < 0 {
		return fmt.Sprintf("it is about values below %s, and no load is below 0", below.RatString())
	}
	return v.kindProblem(r, n, below, p)
}

// kindProblem is problem but for fields that the kind of the proof does not have.
func (v *verifier) kindProblem(r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	if n < 1 || n > r.Torus().N() {
		return "there is no placement of the size"
	}
	if p.Kind != results.ProofBound && p.Below != below.RatString() {
		return fmt.Sprintf("it is about values below %q, not below %s", p.Below, below.RatString())
	}
	switch p.Kind {
	case results.ProofBound:
		value, err := results.ParseFraction(p.Value)
		if err != nil || value.Cmp(below) < 0 {
			return fmt.Sprintf("the bound %q does not reach %s", p.Value, below.RatString())
		}
		return bounds.Problem(v.meter, r, n, p.Bound, value)
	case results.ProofCensus:
		if p.Slices != nil {
			return v.censusProblem(r, n, below, p)
		}
		return countProblem(v.meter, r, n, below, p.Count)
	case results.ProofUnsat:
		return sat.PlacementProblem(v.meter, v.folder, r, n, below, p)
	case results.ProofMonotone:
		return v.neighbourProblem(r, n, below, p)
	}
	return fmt.Sprintf("its kind %q is unknown", p.Kind)
}

// neighbourProblem verifies a proof about a smaller size, or about a routing that
// loads every link as much: dropping a processor raises no load unless the paths
// depend on the processors.
func (v *verifier) neighbourProblem(r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	switch {
	case p.Size == nil:
		return "it does not say which size it is about"
	case *p.Size < 1 || *p.Size > n:
		return fmt.Sprintf("the size %d that it is about lies outside 1..%d", *p.Size, n)
	case *p.Size < n && r.DependsOnPlacement():
		return "under this routing loads can fall when a processor is added"
	case p.Basis == results.ProofMonotone:
		return "its basis is a neighbour again"
	}
	if p.Routing != "" {
		other, err := routing.Parse(r.Torus(), p.Routing)
		if err != nil {
			return err.Error()
		}
		if problem := sameLoads(v.meter, r, other); problem != "" {
			return problem
		}
		r = other
	}
	basis := *p
	basis.Kind = p.Basis
	return v.kindProblem(r, *p.Size, below, &basis)
}

// sameLoads says why two routings do not load every link alike, whatever the
// placement, "" if they do: what node 0 and any other exchange is compared, by
// listed paths.
func sameLoads(m *meter.Meter, r, other routing.Routing) string {
	t := r.Torus()
	switch {
	case r.DependsOnPlacement() || other.DependsOnPlacement():
		return "a proof about another routing is used where paths do not depend on the placement"
	case !routing.Invariant(r) || !routing.Invariant(other):
		return "a proof about another routing is used where translations preserve the loads"
	}
	for d := 1; d < t.N(); d++ {
		if !maps.EqualFunc(shares.Joint(m, r, d), shares.Joint(m, other, d), func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
			return fmt.Sprintf("node 0 and node %v load links differently under %s and %s", t.Coords(d), r, other)
		}
	}
	return ""
}
