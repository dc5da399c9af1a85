package engine

import (
	"cmp"
	"context"

	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/atlas"
)

// identify says what a placement is beside the records of the question, under the routing of the question or, without
// one, under those of the records.
func identify(ctx context.Context, on objective.Problem, q Question) (atlas.Identity, error) {
	var records [][]byte
	for _, text := range q.Records {
		records = append(records, []byte(text))
	}
	view, err := atlas.OfRecords(records...)
	if err != nil {
		return atlas.Identity{}, err
	}
	s, err := family.Parse(on.Torus(), q.Placement)
	if err != nil {
		return atlas.Identity{}, err
	}
	p, err := texts.ParseProblem(q.Where, cmp.Or(q.Routing, "minimal"), s.Size())
	if err != nil {
		return atlas.Identity{}, err
	}
	list := []objective.Problem{p}
	if q.Routing == "" {
		list = view.RoutingVariants(p)
	}
	return view.Identify(ctx, list, s)
}
