package atlas

import (
	"encoding/json"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/store"
)

// A looseBound is a lower bound of a problem of which no placement is known.
type looseBound struct {
	problem store.Problem
	bound   store.Bound
}

// document returns the bound as the document that the package check reads: no
// placement has E_max below it.
func (b looseBound) document() (results.Below, error) {
	t, err := core.ParseTorus(b.problem.Torus)
	if err != nil {
		return results.Below{}, err
	}
	d := results.Below{Schema: results.BelowSchema, Torus: t.Dims(), Routing: b.problem.Routing, Size: b.problem.Size, Below: results.FormatFraction(b.bound.Value)}
	if b.problem.Table != "" {
		if err := json.Unmarshal([]byte(b.problem.Table), &d.Table); err != nil {
			return d, err
		}
	}
	proof := b.bound.Proof
	if proof == nil {
		proof = &results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: boundName(b.bound.Reason), Value: d.Below}
	}
	d.Infeasible(*proof)
	return d, nil
}

// boundName returns the name of the bound that gives a reason, see objective.Bound.
func boundName(reason string) string {
	name, _, rounded := strings.Cut(reason, ",")
	if rounded {
		return objective.BoundGranularity
	}
	return name
}

// key returns the cell that the bound is about.
func (b looseBound) key() Key { return Key{b.problem.Torus, b.problem.Routing, b.problem.Size} }

// offer returns the offer that the bound is.
func (b looseBound) offer(c courier) (offer, error) {
	document, err := b.document()
	return offer{key: b.key(), document: document, add: func(into *store.Store) (bool, error) {
		bound := b.bound
		var err error
		if bound.Proof, err = c.bring(bound.Proof); err != nil {
			return false, err
		}
		return true, into.AddBound(b.problem, bound)
	}}, err
}

// proofBounds returns the lower bounds that the proofs of a record claim to show, but for
// those that can be derived again at once: they cannot get lost.
func proofBounds(r results.Record) []looseBound {
	p, err := store.OfRecord(r)
	if err != nil {
		return nil
	}
	var list []looseBound
	for _, proof := range []*results.Proof{r.Proof, r.BoundProof} {
		if proof == nil || proof.Kind == results.ProofBound {
			continue
		}
		if v, ok := fraction(proofValue(proof)); ok {
			list = append(list, looseBound{p, store.Bound{Value: v, Reason: proof.Kind + ": none is below", Proof: proof}})
		}
	}
	return list
}

// saysMore reports whether a bound says what a store does not know.
func (b looseBound) saysMore(into *store.Store) (bool, error) {
	have, ok, err := into.Bound(b.problem)
	if err != nil || !ok {
		return true, err
	}
	return have.Value.Cmp(b.bound.Value) < 0 || have.Proof == nil && b.bound.Proof != nil, nil
}
