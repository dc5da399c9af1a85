// Package explain says how much of a placement's load is due to the placement and how much to the routing.
//
// What the best minimal routing of a placement stays above a bound that holds for every placement of the size is lost
// to the placement; what a routing stays above the best minimal routing is lost to the routing.
package explain

import (
	"context"
	"math/big"

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
	Torus   []int             `json:"torus"`
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
}

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
	e := Explanation{Torus: p.Torus().Dims(), Size: p.Size(), Nodes: p.Coords(),
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
