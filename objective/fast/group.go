package fast

import (
	"context"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
)

// Group returns the verified group that preserves E_max under routing and traffic of a problem, reduced to the elements
// that map the fixed nodes and the forbidden nodes to themselves: they take placements of the problem to such. Errors
// are those of symmetry.OfContext, and of NewNodeLoads for client traffic.
func Group(ctx context.Context, p objective.Problem) (*symmetry.Group, error) {
	g, err := trafficGroup(ctx, p)
	if err != nil || !p.Conditioned() {
		return g, err
	}
	var sets []core.Set
	for _, set := range []core.Set{p.Fixed, p.Forbidden} {
		if set != nil {
			sets = append(sets, set)
		}
	}
	return g.StabiliserOf(sets...), nil
}

// trafficGroup is Group without conditions.
func trafficGroup(ctx context.Context, p objective.Problem) (*symmetry.Group, error) {
	if !p.Traffic.Clients() || routing.ByPair(p.Routing) {
		return symmetry.GroupOfContext(ctx, p.Routing)
	}
	nodes, err := NewNodeLoads(p, core.NewWatch(ctx))
	if err != nil {
		return nil, err
	}
	return elements.OfLoads(ctx, p.Torus(), nodes.Row)
}
