package results

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
)

// ReadTable returns the routing table for torus t that data spells. Errors are
// *ReadError: those of ReadRecord, another torus, or paths that are not allowed.
func ReadTable(data []byte, t *core.Torus) (*routing.Table, error) {
	var d Table
	if err := Decode(data, TableSchema, &d); err != nil {
		return nil, err
	}
	r, err := d.Routing(t)
	if wrong, ok := err.(*core.InputError); ok {
		return nil, &ReadError{Problem: wrong.Error(), Hint: wrong.Hint}
	}
	return r, err
}

// ReadTableFile is ReadTable on a file; errors name it.
func ReadTableFile(ctx context.Context, path string, t *core.Torus) (*routing.Table, error) {
	data, err := ReadFile(ctx, path)
	if err != nil {
		return nil, err
	}
	r, err := ReadTable(data, t)
	return r, InFile(err, path)
}

// ReadRouting returns the routing of the record on torus t: that of its table if
// it says "table", otherwise the one that its text names. Errors are
// *core.InputError, also for a table that the text does not announce or that
// misses a pair of the record's processors.
func (r Record) ReadRouting(t *core.Torus) (routing.Routing, error) {
	switch isTable := r.Routing == TableRouting; {
	case !isTable && r.Table != nil:
		return nil, &core.InputError{Text: Shorten(r.Routing), Problem: fmt.Sprintf("there is a table, but the routing is not %q", TableRouting)}
	case !isTable:
		return routing.Parse(t, r.Routing)
	case r.Table == nil:
		return nil, &core.InputError{Text: r.Routing, Problem: "the field table is missing"}
	}
	table, err := r.Table.Routing(t)
	if err != nil {
		return nil, err
	}
	// Wrong nodes are reported as such elsewhere.
	if p, err := core.PlacementFromCoords(t, r.Nodes); err == nil {
		if err := routing.Covers(table, p); err != nil {
			return nil, err
		}
	}
	return table, nil
}
