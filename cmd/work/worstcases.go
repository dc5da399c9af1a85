package work

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/worst"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	search "leeway/search/worst"
)

// maxExhausted is the most processors of which all placements are looked at for the least worst case.
const maxExhausted = 8

// HasWorst reports whether the atlas of the program has a column of worst cases for a cell: proved, all to all, in two
// dimensions with sides of at most 8, without conditions, under a routing whose paths do not depend on the placement.
func HasWorst(c atlas.Cell) bool {
	return c.Status == atlas.Optimal && len(c.Torus) == 2 && slices.Max(c.Torus) <= 8 && c.Size > 1 &&
		c.Where() == c.Grid.Text()
}

// A WorstTable computes worst cases of cells. It keeps the evaluators of one network and routing.
type WorstTable struct {
	torus, routing string
	own, valiant   *worst.Evaluator // nil where there is no such evaluator
}

// best returns the nodes of a placement with a worst case: those that were found, or one of the optima.
func best(p objective.Problem, nodes []int, optima []core.Placement, e *worst.Evaluator, least int64) string {
	for _, o := range optima {
		if nodes == nil && e.Load(o.Nodes(), 0) == least {
			nodes = o.Nodes()
		}
	}
	return objective.NodesText(p.Torus(), nodes)
}

// Case returns the worst case of a cell for which HasWorst holds; ok is false where its routing has none. The least
// worst cases are those of the optima that the cell lists, and of placements of up to 8 processors, if a number of
// looks at placements is enough. Errors are those of reading the atlas and of fast.Group.
func (t *WorstTable) Case(ctx context.Context, view *atlas.Atlas, c atlas.Cell, looks int) (w atlas.WorstCase, ok bool,
	err error) {
	p, err := c.Key().Problem()
	if err != nil {
		return w, false, err
	}
	if t.torus != c.Where() || t.routing != c.Routing {
		*t = WorstTable{torus: c.Where(), routing: c.Routing}
		t.own, _ = worst.New(p.Routing)
		if valiant, err := routing.Parse(p.Torus(), "val"); err == nil {
			t.valiant, _ = worst.New(valiant)
		}
	}
	d, _, err := view.Detail(c.Key())
	if err != nil || t.own == nil || d.Record == nil {
		return w, false, err
	}
	s, err := core.PlacementFromCoords(p.Torus(), d.Record.Nodes)
	if err != nil {
		return w, false, err
	}
	text := func(load int64, e *worst.Evaluator) string {
		return results.FormatFraction(big.NewRat(load, e.Den()))
	}
	load := t.own.Load(s.Nodes(), 0)
	w.Load = text(load, t.own)
	if t.valiant != nil {
		w.Valiant = text(t.valiant.Load(s.Nodes(), 0), t.valiant)
	}
	_, optima, err := compose.ListedOptima(*d.Record)
	if err != nil {
		return w, false, err
	}
	lightest, known := load, len(optima) > 0
	for _, o := range optima {
		lightest = min(lightest, t.own.Load(o.Nodes(), 0))
	}
	if c.Size <= maxExhausted {
		least, nodes, all, err := search.Least(ctx, p, t.own, lightest, nil, looks)
		if err != nil {
			return w, false, err
		}
		if all {
			w.Least = text(least, t.own)
			if least < load {
				w.Best = best(p, nodes, optima, t.own, least)
			}
		}
		if known = known || all && nodes == nil; !known { // some placement has less: has one of the optimal ones?
			most, _ := results.ParseFraction(c.MaxLoad)
			if lightest, _, known, err = search.Least(ctx, p, t.own, lightest, most, looks); err != nil {
				return w, false, err
			}
		}
	}
	if known {
		w.Lightest = text(lightest, t.own)
	}
	return w, true, ctx.Err()
}
