package atlas

import (
	"context"
	"encoding/json"

	"leeway/core"
	"leeway/results"
	"leeway/results/store"
)

// columns are those of the table cells, each with its value of a cell.
var columns = []struct {
	name, kind string
	of         func(d *Detail) any
}{
	{"label", "text primary key", func(d *Detail) any { return d.Label() }},
	{"network", "text", func(d *Detail) any { return d.Grid.Text() }},
	{"dimensions", "integer", func(d *Detail) any { return len(d.Torus) }},
	{"nodes", "integer", func(d *Detail) any { return nodesOf(d.Torus) }},
	{"traffic", "text", func(d *Detail) any { return orNil(d.Traffic) }},
	{"asked", "text", func(d *Detail) any { return d.Where() }},
	{"routing", "text", func(d *Detail) any { return d.Routing }},
	{"size", "integer", func(d *Detail) any { return d.Size }},
	{"max_load", "text", func(d *Detail) any { return orNil(d.MaxLoad) }},
	{"max_load_decimal", "real", func(d *Detail) any { return decimal(d.MaxLoad) }},
	{"lower_bound", "text", func(d *Detail) any { return orNil(d.LowerBound) }},
	{"lower_bound_decimal", "real", func(d *Detail) any { return decimal(d.LowerBound) }},
	{"bound_reason", "text", func(d *Detail) any { return orNil(d.BoundReason) }},
	{"status", "text", func(d *Detail) any { return d.Status }},
	{"papers_max_load", "text", func(d *Detail) any {
		papers, _ := d.Papers()
		return orNil(papers.MaxLoad)
	}},
	{"finder", "text", func(d *Detail) any { return credit(d).Finder }},
	{"paper", "text", func(d *Detail) any { return orNil(credit(d).Paper) }},
	{"year", "integer", func(d *Detail) any { return orNil(credit(d).Year) }},
	{"method", "text", func(d *Detail) any { return orNil(d.Method) }},
	{"seed", "text", func(d *Detail) any { return d.Seed }},
	{"found", "text", func(d *Detail) any { return orNil(d.Found) }},
	{"optima", "integer", func(d *Detail) any { return orNil(d.Optima) }},
	{"labelled_optima", "text", func(d *Detail) any { return orNil(d.Labelled) }},
	{"stabiliser_order", "integer", invariant(func(i *Invariants) any { return orNil(i.Stabiliser) })},
	{"processor_orbits", "integer", invariant(func(i *Invariants) any { return orNil(i.Orbits) })},
	{"lattice", "integer", invariant(func(i *Invariants) any { return i.Lattice })},
	{"covering_radius", "integer", invariant(func(i *Invariants) any { return i.Covering })},
	{"packing_distance", "integer", invariant(func(i *Invariants) any { return orNil(i.Packing) })},
	{"worst_load", "text", func(d *Detail) any { return orNil(permuted(d).Load) }},
	{"worst_load_val", "text", func(d *Detail) any { return orNil(permuted(d).Valiant) }},
	{"worst_load_least", "text", func(d *Detail) any { return orNil(permuted(d).Least) }},
	{"worst_load_of_optima", "text", func(d *Detail) any { return orNil(permuted(d).Lightest) }},
	{"worst_load_placement", "text", func(d *Detail) any { return orNil(permuted(d).Best) }},
	{"placement", "text", func(d *Detail) any {
		if d.Record == nil {
			return nil
		}
		return core.JoinNodes(d.Record.Nodes)
	}},
	{"record", "text", func(d *Detail) any {
		text, err := json.Marshal(d.Record)
		if err != nil || d.Record == nil {
			return nil
		}
		return string(text)
	}},
}

// orNil returns nil for what is not known.
func orNil[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// decimal returns a fraction as a number, nil for a text that is not a fraction.
func decimal(text string) any {
	v, ok := fraction(text)
	if !ok {
		return nil
	}
	number, _ := v.Float64()
	return number
}

// credit returns whom a cell is credited to: without another, the program.
func credit(d *Detail) results.Credit {
	if d.Credit == nil {
		return results.Credit{Finder: "Leeway"}
	}
	return *d.Credit
}

// permuted returns the worst case of a cell, without values where none is known.
func permuted(d *Detail) WorstCase {
	known, _ := ShippedWorst() // an error is that of a file of the program, which tests read
	w, ok := known.Get(d.Cell)
	if !ok {
		return WorstCase{}
	}
	return w
}

// invariant returns the value of one of the invariants of a cell, nil without a placement.
func invariant(of func(*Invariants) any) func(*Detail) any {
	return func(d *Detail) any {
		if d.Invariants == nil {
			return nil
		}
		return of(d.Invariants)
	}
}

// WriteTable writes the cells that a filter picks, those with a fault left out, as the table cells of a new SQLite
// file, for other programs. Errors are those of Detail, of store.WriteTable, and that of the context.
func (a *Atlas) WriteTable(ctx context.Context, path string, f Filter) error {
	var heads []store.Column
	for _, c := range columns {
		heads = append(heads, store.Column{Name: c.name, Type: c.kind})
	}
	cells, _ := a.Cells(f)
	var measure surveyor
	return store.WriteTable(path, "cells", heads, func(yield func([]any, error) bool) {
		for _, c := range cells {
			d, _, err := a.Detail(c.Key())
			if err == nil && d.Fault != "" {
				continue
			}
			if err == nil {
				err = ctx.Err()
			}
			d.Invariants = measure.invariants(&d.Cell)
			row := make([]any, len(columns))
			for i, column := range columns {
				if err == nil {
					row[i] = column.of(&d)
				}
			}
			if !yield(row, err) {
				return
			}
		}
	})
}
