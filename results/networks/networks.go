// Package networks compares the networks Z^d / L of a number of nodes, twisted tori among them, as complete exchange
// between all nodes loads them.
package networks

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bisect"
	"leeway/objective/congestion"
	"leeway/objective/fast"
	"leeway/results"
)

// Schema is the schema version of lists.
const Schema = "leeway/networks/1"

// A List has the networks of one number of nodes and dimensions.
type List struct {
	Schema string `json:"schema"`
	Nodes  int    `json:"nodes"`
	Dims   int    `json:"dims"`
	Sorted string `json:"sorted_by"` // one of Orders
	Items  []Item `json:"items"`
}

// An Item is one network, with a processor on every node.
type Item struct {
	Network      string `json:"network"`           // canonical text
	Degree       int    `json:"degree"`            // links out of a node
	Diameter     int    `json:"diameter"`          // links of the longest shortest path
	MeanDistance string `json:"mean_distance"`     // links of a shortest path, on average over ordered pairs of nodes
	Minimal      string `json:"max_load_minimal"`  // E_max under minimal: all shortest paths alike
	Least        string `json:"max_load_best"`     // the least E_max of any shares on shortest paths
	Optimal      bool   `json:"max_load_best_met"` // whether Least is reached; else it is a lower bound
	Width        int    `json:"bisection_width"`   // directed links between two halves, the narrowest found
	Exact        bool   `json:"bisection_exact"`   // whether no other bisection is narrower
}

// Orders lists what lists can be sorted by: the widest bisection is first, of all others the least. Ties are broken by
// mean distance, then as lattices.List sorts.
var Orders = []string{"text", "diameter", "distance", "minimal", "best", "bisection"}

// Compare compares networks, all with the same number of nodes and of dimensions, at least one, sorted by one of
// Orders. Errors are *core.InputError, and that of the context. Cost: for each network all its shortest paths, a linear
// program over one class of pairs for each distance and one of links for each dimension, and at most some seconds for
// the bisection.
func Compare(ctx context.Context, tori []*core.Torus, order string) (List, error) {
	list := List{Schema: Schema, Nodes: tori[0].N(), Dims: tori[0].D(), Sorted: order}
	if err := Alike(tori); err != nil {
		return list, err
	}
	type valued struct {
		Item
		by [2]*big.Rat
	}
	var items []valued
	for _, t := range tori {
		item, values, err := describe(ctx, t)
		if err != nil {
			return list, err
		}
		by, distance := values[order], values["distance"]
		if by == nil {
			by, distance = new(big.Rat), new(big.Rat)
		}
		items = append(items, valued{item, [2]*big.Rat{by, distance}})
	}
	slices.SortStableFunc(items, func(a, b valued) int { return cmp.Or(a.by[0].Cmp(b.by[0]), a.by[1].Cmp(b.by[1])) })
	for _, i := range items {
		list.Items = append(list.Items, i.Item)
	}
	return list, nil
}

// A Best is the network that carries least of those compared, and the torus without shifts that does.
type Best struct {
	Schema   string `json:"schema"`
	Nodes    int    `json:"nodes"`
	Dims     int    `json:"dims"`
	Networks int    `json:"networks"` // how many are compared
	Best     Item   `json:"best"`
	Plain    *Item  `json:"plain"` // nil where there is none
}

// BestSchema is the schema version of a Best.
const BestSchema = "leeway/best/1"

// BestOf returns the best of some networks, as Of takes them: by Least, then Minimal, then mean distance, then as they
// stand. Only those are described that may carry as little by their distances, which are on the links out of a node.
func BestOf(ctx context.Context, tori []*core.Torus) (Best, error) {
	b := Best{Schema: BestSchema, Nodes: tori[0].N(), Dims: tori[0].D(), Networks: len(tori)}
	if err := Alike(tori); err != nil {
		return b, err
	}
	best, err := leastOf(ctx, tori)
	if err != nil {
		return b, err
	}
	b.Best = *best
	b.Plain, err = leastOf(ctx, slices.DeleteFunc(slices.Clone(tori), (*core.Torus).Twisted))
	return b, err
}

// leastOf returns the first of the best of some networks, nil of none.
func leastOf(ctx context.Context, tori []*core.Torus) (*Item, error) {
	type bounded struct {
		*core.Torus
		mean *big.Rat // load of a link, if all carry the same
	}
	var list []bounded
	for _, t := range tori {
		list = append(list, bounded{t, big.NewRat(fast.Distances(t, 0), int64(t.Degree()))})
	}
	slices.SortStableFunc(list, func(a, b bounded) int { return a.mean.Cmp(b.mean) })
	var least *Item
	var by map[string]*big.Rat
	for _, t := range list {
		if least != nil && t.mean.Cmp(by["best"]) > 0 {
			break
		}
		item, values, err := describe(ctx, t.Torus)
		if err != nil {
			return nil, err
		}
		if least == nil || cmp.Or(values["best"].Cmp(by["best"]), values["minimal"].Cmp(by["minimal"]),
			values["distance"].Cmp(by["distance"])) < 0 {
			least, by = &item, values
		}
	}
	return least, nil
}

// Alike refuses networks that are not of the same number of nodes and dimensions, all closed, without bandwidths, with
// a *core.InputError.
func Alike(tori []*core.Torus) error {
	for _, t := range tori {
		if t.N() != tori[0].N() || t.D() != tori[0].D() || t.CommonBandwidth() > 1 || !t.Closed() {
			return &core.InputError{Text: t.String(), Problem: "networks that are compared have the same number of nodes and " +
				"dimensions, all of them closed, and no bandwidths"}
		}
	}
	return nil
}

// describe returns a network with its values by the orders that they belong to.
func describe(ctx context.Context, t *core.Torus) (Item, map[string]*big.Rat, error) {
	full := core.MustPlacement(t, core.Range(t.N()))
	diameter, total := 0, int64(0)
	for v := range t.N() {
		far := t.LeeDistance(0, v)
		diameter, total = max(diameter, far), total+int64(far)
	}
	distance := big.NewRat(total, int64(t.N()-1))
	loads, err := fast.EvaluateContext(ctx, objective.Problem{Routing: routing.NewMinimal(t, routing.TieBoth)}, full)
	if err != nil {
		return Item{}, nil, err
	}
	minimal, _ := loads.Max()
	best, err := congestion.Solve(ctx, full, congestion.Options{ExactClasses: 1 << 14, Pivots: 10_000})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Item{}, nil, err
	}
	cut := bisect.Quick(ctx, bisect.Half(full))
	if err := ctx.Err(); err != nil {
		return Item{}, nil, err
	}
	return Item{Network: t.String(), Degree: t.Degree(), Diameter: diameter,
			MeanDistance: results.FormatFraction(distance), Minimal: results.FormatFraction(minimal),
			Least: results.FormatFraction(best.Lower), Optimal: best.Optimal, Width: cut.Width(), Exact: cut.Exact},
		map[string]*big.Rat{"diameter": big.NewRat(int64(diameter), 1), "distance": distance, "minimal": minimal,
			"best": best.Lower, "bisection": big.NewRat(-int64(cut.Width()), 1)}, nil
}
