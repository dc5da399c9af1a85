package atlas

import (
	"cmp"
	"slices"
	"strings"

	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/store"
)

// A Detail is all that is known of a cell.
type Detail struct {
	Cell
	Record *results.Record // of the best placement; nil where none is known or it is wrong
	Below  *results.Below  // the bound of a cell without a placement, with its proof; else nil
	Bounds []Reason        // the reason chain: lower bounds from the weakest to the one that counts
	// History has the improvements in the order in which they were found, the best the last.
	History []Event
	Nulls   []store.Null // searches that found nothing better
}

// A Reason is a link of the chain that leads to the lower bound of a cell.
type Reason struct {
	Value  string // fraction
	Reason string // degree, "steps: none is below", ...
	Kind   string // results.ProofBound, else the kind of the proof
	Proof  *results.Proof
	// Basis names the cell that a monotone proof is about, nil for others.
	Basis *texts.Key
}

// An Event is an improvement.
type Event struct {
	Time        string // RFC 3339, UTC
	Method      string
	Seed        uint64
	Evaluations int64
	MaxLoad     string
}

// Detail returns all that is known of a cell, as Cell finds it. Errors are those of reading a store.
func (a *Atlas) Detail(k texts.Key) (Detail, bool, error) {
	c, ok := a.Cell(k)
	if !ok {
		return Detail{}, false, nil
	}
	d := Detail{Cell: c}
	if err := a.source.detail(&d); err != nil {
		return d, true, err
	}
	if d.Fault != "" {
		d.Record = nil
		return d, true, nil
	}
	if d.Record != nil {
		d.Record.Label, d.Record.Credit = d.Label(), d.Credit
	}
	d.explain()
	return d, true, nil
}

// BoundProof returns the proof of the lower bound, nil with a fault and where nothing is below 0 anyway.
func (d Detail) BoundProof() *results.Proof {
	lower, ok := fraction(d.LowerBound)
	switch proof := d.Bounds; {
	case d.Fault != "" || !ok || lower.Sign() == 0:
		return nil
	case proof[len(proof)-1].Proof != nil:
		return proof[len(proof)-1].Proof
	}
	return &results.Proof{Kind: results.ProofSteps, Below: d.LowerBound}
}

// explain adds the reason chain.
func (d *Detail) explain() {
	p, err := d.Key().Problem()
	if err != nil {
		return // a cell without a fault is about a problem
	}
	plain := []lowerbound.Bound{bound.QuickBound(p)}
	if p.Free == nil {
		plain = bound.QuickBounds(p)
	}
	for _, b := range plain {
		value := results.FormatFraction(b.Value)
		d.Bounds = append(d.Bounds, Reason{Value: value, Reason: b.Reason(), Kind: results.ProofBound})
	}
	slices.SortStableFunc(d.Bounds, func(a, b Reason) int {
		return mustFraction(a.Value).Cmp(mustFraction(b.Value))
	})
	last := Reason{Value: d.LowerBound, Reason: d.BoundReason, Kind: results.ProofBound, Proof: d.Proof}
	if r := d.Record; r != nil {
		last.Proof = cmp.Or(last.Proof, r.BoundProof)
	}
	if d.Below != nil {
		last.Proof = d.Below.Proof
	}
	if last.Proof != nil {
		last.Kind, last.Basis = last.Proof.Kind, basis(d.Key(), last.Proof)
	}
	d.Bounds = slices.DeleteFunc(d.Bounds, func(r Reason) bool { return r.Value == last.Value && r.Reason == last.Reason })
	d.Bounds = append(d.Bounds, last)
	d.Bounds = slices.DeleteFunc(slices.Clone(d.Bounds), func(r Reason) bool { // rounding that gains nothing
		name, _, rounded := strings.Cut(r.Reason, ", ")
		return rounded && r.Reason != last.Reason && slices.ContainsFunc(d.Bounds, func(o Reason) bool {
			return o.Reason == name && o.Value == r.Value
		})
	})
}

// basis returns the cell that a monotone proof is about, nil for other proofs.
func basis(k texts.Key, p *results.Proof) *texts.Key {
	if at, ok := store.Basis(k, p); ok {
		return &at
	}
	return nil
}

// eventOf returns the improvement that a record is.
func eventOf(r *results.Record) Event {
	by := r.FoundBy
	return Event{Time: r.Started, Method: by.Method, Seed: by.Seed, Evaluations: by.Evaluations, MaxLoad: r.MaxLoad}
}
