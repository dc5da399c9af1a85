package transfer

import (
	"context"

	"leeway/objective"
	"leeway/objective/texts"
	"leeway/search"
)

// Name is the name of the method, also in records of what Table.Implied finds.
const Name = "transfer"

// A Method looks for a placement among those that the cells of a table imply for the problem.
type Method struct{ Table *Table }

// Name returns "transfer".
func (Method) Name() string { return Name }

// Supports refuses free routings, and conditions on the distance from processors.
func (Method) Supports(p objective.Problem) error {
	if p.Free != nil {
		return search.Unsupported(Name, p, "placements of a free routing have tables of their own")
	}
	return search.Anywhere(Name, p)
}

// Run returns the best placement that is implied and better than that of the table, if there is one. Reason is Complete
// when all was tried.
func (m Method) Run(ctx context.Context, p search.Params) (out search.Outcome, err error) {
	cell := Cell{Key: texts.KeyOf(p.Problem)}
	for _, c := range m.Table.cells {
		if c.Key == cell.Key {
			cell = c
		}
	}
	n, stopped := m.Table.newNeighbourhood(p.Problem), false
	n.over = func() bool {
		if i, ok := n.news(p.Problem.Size); ok && (out.Value == nil || i.Value.Cmp(out.Value) < 0) {
			out.Best, out.Value = i.Placement, i.Value
			p.Report(search.Event{Method: Name, Value: out.Value, Evaluations: n.spent, Improved: true, Best: out.Best,
				Note: i.Source})
		}
		out.Evaluations = n.spent
		stopped = stopped || p.Ended(ctx, &out, false)
		return stopped
	}
	if err = n.explore(ctx, []Cell{cell}); ctx.Err() != nil {
		err = nil
	}
	if !n.over() {
		p.Ended(ctx, &out, true)
	}
	return out, err
}
