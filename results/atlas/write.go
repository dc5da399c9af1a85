package atlas

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"leeway/core"
	"leeway/results"
)

// Limits of what a file of an atlas keeps.
const (
	maxSlices = 2  // of a census, joined
	maxOptima = 64 // orbits that are listed; of more only the numbers stay
)

// Encode returns the cells that a filter picks as a file of Schema: one line a cell, in the order of Cells,
// so that two versions can be compared line by line. Cells with a fault or without a
// placement, tables, and proofs that stand in a file of their own, have no place in it: they
// are left out and counted. Errors are those of Detail.
func (a *Atlas) Encode(f Filter) (data []byte, left int, err error) {
	var lines []line
	h := header{Schema: Schema, Runs: []run{}}
	cells, _ := a.Cells(f)
	for _, c := range cells {
		d, ok, err := a.Detail(c.Key())
		if err != nil {
			return nil, 0, err
		}
		if !ok || d.Record == nil || d.Record.Table != nil || d.Record.Proof.NamesFile() || d.Record.BoundProof.NamesFile() {
			left++
			continue
		}
		l, err := lineOf(d, &h)
		if err != nil {
			return nil, 0, err
		}
		lines = append(lines, l)
	}
	foldAll(lines)
	h.Cells = len(lines)
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, left, err
	}
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return nil, left, err
		}
	}
	return out.Bytes(), left, nil
}

// foldAll shortens the proofs that stand elsewhere.
func foldAll(lines []line) {
	own := map[Key]*results.Proof{}
	for _, l := range lines {
		switch {
		case l.Proof != nil && l.Proof.Kind != results.ProofMonotone:
			own[l.key()] = l.Proof
		case l.Proof == nil && l.BoundProof != nil && l.BoundProof.Kind != results.ProofMonotone:
			own[l.key()] = l.BoundProof
		}
	}
	for i := range lines {
		l := &lines[i]
		l.Proof, l.BoundProof = fold(l.key(), l.Proof, own), fold(l.key(), l.BoundProof, own)
	}
}

// sameProof reports whether two proofs say the same.
func sameProof(a, b *results.Proof) bool { return reflect.DeepEqual(a, b) }

// lineOf returns the line of a cell, and adds its run to the header.
func lineOf(d Detail, h *header) (line, error) {
	r := d.Record
	t, err := core.NewTorus(r.Torus...)
	if err != nil {
		return line{}, err
	}
	l := line{Torus: t.String(), Routing: r.Routing, Size: r.Size, MaxLoad: r.MaxLoad, BoundReason: r.BoundReason, FoundBy: r.FoundBy, Started: r.Started,
		Proof: r.Proof.Joined(maxSlices), BoundProof: r.BoundProof.Joined(maxSlices), SolverClaim: r.SolverClaim, SymmetryClaim: r.SymmetryClaim}
	if r.LowerBound != r.MaxLoad {
		l.LowerBound = r.LowerBound
	}
	if l.Nodes, err = packNodes(t, r.Nodes); err != nil {
		return l, err
	}
	if err := l.packOptima(t, r); err != nil {
		return l, err
	}
	from := run{Version: r.Version, Command: r.Command, Budget: r.Budget}
	if l.Run = slices.IndexFunc(h.Runs, func(o run) bool { return reflect.DeepEqual(o, from) }); l.Run < 0 {
		l.Run = len(h.Runs)
		h.Runs = append(h.Runs, from)
	}
	if d.Status != Optimal {
		for _, n := range d.Nulls {
			l.Nulls = append(l.Nulls, nullOf(n, from))
		}
	}
	return l, nil
}

// packOptima puts down the optimal placements of a record, or how many there are.
func (l *line) packOptima(t *core.Torus, r *results.Record) error {
	l.Labelled = r.Labelled
	if r.Optima == nil || len(*r.Optima) > maxOptima {
		l.Orbits = r.Orbits
		return nil
	}
	for _, o := range *r.Optima {
		text, err := packNodes(t, o)
		if err != nil {
			return err
		}
		l.Optima = append(l.Optima, text)
	}
	return nil
}
