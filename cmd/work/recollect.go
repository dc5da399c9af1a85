package work

import (
	"context"
	"errors"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/layout"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/transfer"
)

// recalledMethod is the method that records name for a placement that an atlas had.
const recalledMethod = "atlas"

// recollect has a task start from what the atlas of the session knows of its problem: the placement, and the bound
// with its proof, which is believed; or of its neighbours. It does so for the smallest E_max of a size, not where an
// engine is named, nor with a log, nor on many machines.
func (r *run) recollect(ctx context.Context) error {
	if r.Atlas == nil || r.Limit != nil || r.Free != nil || r.Traffic.Matrix != nil || r.Head != nil || r.needsEngine() ||
		r.Proof != nil && (r.Proof.Below != nil || r.Proof.Log != nil) ||
		r.Routing.String() == results.TableRouting {
		return nil
	}
	view, err := r.Atlas(r.Torus().N())
	if err != nil {
		return err
	}
	c, image, ok := view.Find(r.Problem)
	switch {
	case !ok:
		return r.transfer(ctx, view)
	case c.Fault != "" || c.MaxLoad == "":
		return nil
	}
	d, _, err := view.Detail(c.Key())
	if corrupt := (*store.CorruptError)(nil); errors.As(err, &corrupt) || err == nil && d.Record == nil {
		return nil // the task can do without
	} else if err != nil {
		return err
	}
	start, err := placedOn(r.Torus(), *d.Record, image)
	if err != nil || !r.Admits(start) {
		return err
	}
	value, err := results.ParseFraction(c.MaxLoad)
	if err != nil {
		return err
	}
	r.Starts = append([]core.Placement{start}, r.Starts...)
	r.recalled = &search.Outcome{Method: recalledMethod, Best: start, Value: value}
	r.remark("the atlas has %s", Standing(c, image))
	if r.Known == nil {
		r.Known = &Known{}
	}
	record := *d.Record
	record.BoundProof = d.BoundProof()
	t, err := record.ReadGrid()
	if err != nil {
		return err
	}
	own, err := routing.Parse(t, record.Routing)
	if err != nil {
		return err
	}
	return r.Known.Learn(own, record, true)
}

// transferPart is the part of a budget, one by this, within which other cells are tried.
const transferPart = 8

// transfer has a task start from the best placement that the cells of an atlas imply.
func (r *run) transfer(ctx context.Context, view *atlas.Atlas) error {
	m := transfer.Method{Table: tableOf(view)}
	if m.Supports(r.Problem) != nil {
		return nil
	}
	part := Budget{Time: r.Time / transferPart, Evaluations: (r.Evaluations + transferPart - 1) / transferPart}
	limited, cancel := part.Deadline(ctx)
	defer cancel()
	out, err := m.Run(limited, search.Params{Problem: r.Problem, Evaluations: part.Evaluations})
	if err == nil && out.Value != nil {
		out.Method = m.Name()
		r.Starts, r.recalled = append([]core.Placement{out.Best}, r.Starts...), &out
	}
	return err
}

// Standing says in words what a cell of an atlas says of a problem, whose own name it is where image is nil: "E_max 6,
// optimal (steps orderly)", "E_max 6, lower bound 11/2".
func Standing(c atlas.Cell, image []int) string {
	text := "E_max " + layout.WithDecimal(c.MaxLoad)
	if c.Status == atlas.Optimal {
		text += ", optimal (" + layout.Short(c.Proof) + ")"
	} else {
		text += ", lower bound " + layout.WithDecimal(c.LowerBound)
	}
	if image != nil {
		text += ", as " + c.Key().String()
	}
	return text
}

// placedOn returns the placement of a record on a torus that has, unless image is nil, for each node of the record's
// network the node image names.
func placedOn(t *core.Torus, r results.Record, image []int) (core.Placement, error) {
	if image == nil {
		return core.PlacementFromCoords(t, r.Nodes)
	}
	p, err := PlacementOf(r)
	if err != nil {
		return p, err
	}
	var nodes []int
	for _, v := range p.Nodes() {
		nodes = append(nodes, image[v])
	}
	return core.NewPlacement(t, nodes)
}

// closes reports whether a proof shows that the start from the atlas is optimal: other bounds are not needed then.
func (r *run) closes(n *known) bool {
	return r.recalled != nil && r.recalled.Value.Cmp(n.below) == 0
}
