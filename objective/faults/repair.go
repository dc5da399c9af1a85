package faults

import (
	"context"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/core/union"
	"leeway/objective"
	"leeway/objective/congestion"
)

// A Repair is what routing anew can do about the failure of an edge, of both its links: the least E_max of any split of
// messages over the shortest paths that are left.
type Repair struct {
	Link  core.Link // one of the two, the lower number
	Alike int       // edges that automorphisms which keep the placement take to this one, with itself
	// Left is the network without the edge, with the nodes by their numbers; nil if it falls apart.
	Left *core.Network
	congestion.Solution
}

// maxPointWork bounds the points that are tried as symmetries times the processors that each is tried on. Past it
// fewer edges are alike.
const maxPointWork = 1 << 22

// Repairs returns the repair of one edge of each orbit, until the context ends. Replies take any way, as
// requests do. Errors are those of congestion.SolveTraffic and core.NewGiven, whose networks are smaller.
//
// The damaged network is a network from a list of links like any other, with its own automorphisms and shortest paths.
func Repairs(ctx context.Context, p core.Placement, traffic objective.Traffic, o congestion.Options) ([]Repair, error) {
	t := p.Torus()
	translations, turns := elements.Stabiliser(p, symmetry.Points(t, maxPointWork/max(p.Size(), 1)))
	alike := union.New(t.M())
	for l := range t.EachLink() {
		alike.Join(int(l), int(t.Reverse(l)))
		for _, g := range append(translations, turns...) {
			alike.Join(int(l), int(g.Link(t, l)))
		}
	}
	var list []Repair
	at := map[int]int{} // by class
	for l := range t.EachLink() {
		if t.Reverse(l) < l {
			continue
		}
		class := alike.Find(int(l))
		if i, seen := at[class]; seen {
			list[i].Alike++
			continue
		}
		at[class] = len(list)
		list = append(list, Repair{Link: l, Alike: 1})
	}
	for i := range list {
		if ctx.Err() != nil {
			return list[:i], nil
		}
		if err := list[i].solve(ctx, p, traffic, o); err != nil {
			return list[:i], err
		}
	}
	return list, nil
}

// solve finds what is left, and the best routing there.
func (r *Repair) solve(ctx context.Context, p core.Placement, traffic objective.Traffic, o congestion.Options) error {
	t := p.Torus()
	var edges []core.Edge
	for l := range t.EachLink() {
		if t.Reverse(l) >= l && l != r.Link {
			from, to := t.LinkEnds(l)
			edges = append(edges, core.Edge{A: from, B: to, Bandwidth: t.LinkBandwidth(l)})
		}
	}
	if !connected(t.N(), edges) {
		return nil
	}
	var err error
	if r.Left, err = core.NewGiven(t.N(), t.Names(), edges); err != nil {
		return err
	}
	r.Solution, err = congestion.SolveTraffic(ctx, core.MustPlacement(r.Left, p.Nodes()), traffic, o)
	return err
}

// connected reports whether edges join all nodes.
func connected(nodes int, edges []core.Edge) bool {
	u, classes := union.New(nodes), nodes
	for _, e := range edges {
		if u.Find(e.A) != u.Find(e.B) {
			u.Join(e.A, e.B)
			classes--
		}
	}
	return classes == 1
}
