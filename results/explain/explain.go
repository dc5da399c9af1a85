// Package explain says how much of a placement's load is due to the placement and how much to the routing.
//
// What the best minimal routing of a placement stays above a bound that holds for every placement of the size is lost
// to the placement; what a routing stays above the best minimal routing is lost to the routing.
package explain

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/congestion"
	"leeway/results"
)

// Routings are compared, in this order.
var Routings = []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "avoid"}

// An Explanation is what the command explain prints as JSON.
type Explanation struct {
	results.Grid
	Size    int               `json:"size"`
	Nodes   [][]int           `json:"nodes"`
	MaxLoad map[string]string `json:"max_load"`
	// BestMinimal bounds the smallest E_max of any fractional minimal routing.
	BestMinimal BestMinimal `json:"best_minimal"`
	// Bounds of the placement, null where they are not known.
	Bounds []results.Bound `json:"bounds"`
	// PlacementFree is the best bound that holds for every placement of the size and every minimal routing.
	PlacementFree results.Bound `json:"placement_free"`
	// LostToPlacement is best_minimal.lower minus placement_free.
	LostToPlacement string `json:"lost_to_placement"`
	// LostToRouting is, by routing, max_load minus best_minimal.upper.
	LostToRouting map[string]string `json:"lost_to_routing"`
	// Under is about one routing, where one is asked about.
	Under *Under `json:"under,omitempty"`
}

// Under says what a placement loses under one routing: how much E_max would fall if the placement alone were
// changed, how much if the paths alone were, and what meets on the busiest link.
type Under struct {
	Routing         string  `json:"routing"` // canonical
	MaxLoad         string  `json:"max_load"`
	Best            *Known  `json:"best_known"`        // null where none is
	LostToPlacement *string `json:"lost_to_placement"` // max_load minus best_known.max_load; null without that
	LostToRouting   string  `json:"lost_to_routing"`   // max_load minus best_minimal.upper
	Busiest         Busiest `json:"busiest_link"`
}

// Known is the smallest E_max that is known of any placement of a size under a routing, with a lower bound.
type Known struct {
	MaxLoad    string `json:"max_load"`
	LowerBound string `json:"lower_bound"`
	Source     string `json:"source"` // "atlas", "search" or "this placement"
}

// Optimal reports whether no placement is better.
func (k Known) Optimal() bool { return k.MaxLoad == k.LowerBound }

// Busiest is a link of load E_max, the first by number, with the pairs that load it, the largest shares first. There
// are no pairs where they are more than MaxPairs to look at.
type Busiest struct {
	From  []int  `json:"from"`
	Dim   int    `json:"dim"`
	Dir   string `json:"dir"`
	Pairs []Pair `json:"pairs"`
}

// Pair is what an ordered pair of processors puts on a link, divided by the link's bandwidth: shares add up to its
// load.
type Pair struct {
	From  []int  `json:"from"`
	To    []int  `json:"to"`
	Share string `json:"share"`
}

// MaxPairs is the largest number of ordered pairs whose paths are looked at.
const MaxPairs = 1 << 22

// BestMinimal is what is known of the smallest E_max of any fractional minimal routing.
type BestMinimal struct {
	Lower   string `json:"lower"`
	Upper   string `json:"upper"`
	Optimal bool   `json:"optimal"`
}

// Bounds returns the bounds of a placement that hold under every minimal routing.
func Bounds(p core.Placement) []results.Bound {
	return items(AnyRouting(bound.ForPlacement(routing.NewMinimal(p.Torus(), routing.TieBoth), p)))
}

// Parts returns the loads and the best minimal routing of a placement, all but Bounds, which take about as long. The
// options bound the effort for the best minimal routing; with less of it, or when the context ends, the two sides may
// be further apart. Errors are those of congestion.Solve.
func Parts(ctx context.Context, p core.Placement, o congestion.Options) (Explanation, error) {
	best, err := congestion.Solve(ctx, p, o)
	if err != nil {
		return Explanation{}, err
	}
	loads, upper, err := loadsByRouting(p, best.Upper)
	if err != nil {
		return Explanation{}, err
	}
	e := Explanation{Grid: results.GridOf(p.Torus()), Size: p.Size(), Nodes: p.Coords(),
		MaxLoad: map[string]string{}, LostToRouting: map[string]string{},
		BestMinimal: BestMinimal{Lower: best.Lower.RatString(), Upper: upper.RatString(),
			Optimal: best.Lower.Cmp(upper) == 0}}
	for name, load := range loads {
		e.MaxLoad[name] = load.RatString()
		e.LostToRouting[name] = new(big.Rat).Sub(load, upper).RatString()
	}
	all := routing.NewMinimal(p.Torus(), routing.TieBoth)
	free := bound.Best(AnyRouting(bound.ForSize(all, p.Size())))
	e.PlacementFree = results.NewBound(free)
	e.LostToPlacement = new(big.Rat).Sub(best.Lower, free.Value).RatString()
	return e, nil
}

// SetUnder sets what is lost under a routing, given the best that is known of its placements, nil if nothing is. The
// cost is one evaluation, and the paths of all pairs. Errors are those of objective.EvaluateContext.
func (e *Explanation) SetUnder(ctx context.Context, r routing.Routing, p core.Placement, best *Known) error {
	loads, err := objective.EvaluateContext(ctx, r, p)
	if err != nil {
		return err
	}
	most, _ := loads.Max()
	paths, err := results.ParseFraction(e.BestMinimal.Upper)
	if err != nil {
		return err
	}
	u := &Under{Routing: r.String(), MaxLoad: most.RatString(), LostToRouting: new(big.Rat).Sub(most, paths).RatString()}
	if best != nil {
		known, err := results.ParseFraction(best.MaxLoad)
		if err != nil {
			return err
		}
		u.Best = &Known{best.MaxLoad, best.LowerBound, best.Source}
		if most.Cmp(known) <= 0 {
			known, u.Best.MaxLoad, u.Best.Source = most, most.RatString(), "this placement"
		}
		lost := new(big.Rat).Sub(most, known).RatString()
		u.LostToPlacement = &lost
	}
	e.Under = u
	u.Busiest, err = busiest(ctx, r, p, loads)
	return err
}

// busiest returns the first link of the largest load, with the pairs that load it.
func busiest(ctx context.Context, r routing.Routing, p core.Placement, loads *objective.Loads) (Busiest, error) {
	t := p.Torus()
	most, _ := loads.Max()
	link := core.Link(0)
	for loads.At(link).Cmp(most) != 0 {
		link++
	}
	from, port := t.LinkFrom(link)
	b := Busiest{From: t.Coords(from), Dim: port.Dim, Dir: port.Dir.String(), Pairs: []Pair{}}
	if p.Size()*(p.Size()-1) > MaxPairs {
		return b, nil
	}
	type loading struct {
		share *big.Rat
		pair  Pair
	}
	var list []loading
	for _, from := range p.Nodes() {
		if ctx.Err() != nil {
			return b, ctx.Err()
		}
		for _, to := range p.Nodes() {
			if from == to {
				continue
			}
			flow := r.Flow(from, to, p.Set())
			if i := slices.IndexFunc(flow.Shares, func(s routing.Share) bool { return s.Link == link }); i >= 0 {
				share := new(big.Rat).SetFrac(flow.Shares[i].Num, flow.Den)
				share.Quo(share, new(big.Rat).SetInt64(int64(t.Bandwidth(port.Dim))))
				list = append(list, loading{share, Pair{t.Coords(from), t.Coords(to), share.RatString()}})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b loading) int { return b.share.Cmp(a.share) })
	for _, l := range list {
		b.Pairs = append(b.Pairs, l.pair)
	}
	return b, nil
}

// loadsByRouting returns E_max by routing, and the least of them and upper: each is the congestion of a minimal
// routing.
func loadsByRouting(p core.Placement, upper *big.Rat) (map[string]*big.Rat, *big.Rat, error) {
	loads := map[string]*big.Rat{}
	for _, name := range Routings {
		r, err := routing.Parse(p.Torus(), name)
		if err != nil {
			return nil, nil, err
		}
		loads[name], _ = objective.Evaluate(r, p).Max()
		if loads[name].Cmp(upper) < 0 {
			upper = loads[name]
		}
	}
	return loads, upper, nil
}

// AnyRouting leaves out the bounds that hold for the given routing only.
func AnyRouting(bounds []objective.Bound) []objective.Bound {
	var list []objective.Bound
	for _, b := range bounds {
		if b.Name != objective.BoundGranularity && b.Name != objective.BoundMargin {
			list = append(list, b)
		}
	}
	return list
}

func items(bounds []objective.Bound) []results.Bound {
	list := make([]results.Bound, len(bounds))
	for i, b := range bounds {
		list[i] = results.NewBound(b)
	}
	return list
}
