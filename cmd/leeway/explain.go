package main

import (
	"context"
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/congestion"
	"leeway/results"
)

// explainedRoutings are compared by explain, in this order.
var explainedRoutings = []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "avoid"}

// explanation is what explain prints as JSON.
type explanation struct {
	Torus   []int             `json:"torus"`
	Size    int               `json:"size"`
	Nodes   [][]int           `json:"nodes"`
	MaxLoad map[string]string `json:"max_load"`
	// BestMinimal bounds the smallest E_max of any fractional minimal routing.
	BestMinimal bestMinimal     `json:"best_minimal"`
	Bounds      []results.Bound `json:"bounds"`
	// PlacementFree is the best bound that holds for every placement of the size
	// and every minimal routing.
	PlacementFree results.Bound `json:"placement_free"`
	// LostToPlacement is best_minimal.lower minus placement_free.
	LostToPlacement string `json:"lost_to_placement"`
	// LostToRouting is, by routing, max_load minus best_minimal.upper.
	LostToRouting map[string]string `json:"lost_to_routing"`
}

type bestMinimal struct {
	Lower   string `json:"lower"`
	Upper   string `json:"upper"`
	Optimal bool   `json:"optimal"`
}

func (a *app) explainCommand() *cobra.Command {
	var s subject
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Say how much of a placement's load is due to the placement and how much to the routing",
		Long: `Compare E_max of a placement under every routing family with the best that any
fractional minimal routing can do (a linear program, solved from both sides) and
with bounds that hold for every placement of that size. What the best minimal
routing stays above the bound is lost to the placement; what a routing stays
above the best minimal routing is lost to the routing.`,
		Example: `  leeway explain --torus 8x8 --placement multilinear:t=2
  leeway explain --torus 5^3 --placement linear --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := s.torus()
			if err != nil {
				return err
			}
			p, err := s.placement(t)
			if err != nil {
				return err
			}
			e, err := explain(cmd.Context(), p)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(e)
			}
			a.printExplanation(e)
			return nil
		},
	}
	s.torusFlag(cmd)
	s.placementFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// explain gathers the loads, the best minimal routing and the bounds.
func explain(ctx context.Context, p core.Placement) (explanation, error) {
	best, err := congestion.Solve(ctx, p, congestion.DefaultOptions())
	if err != nil {
		return explanation{}, inFlag("placement", err)
	}
	loads, upper, err := loadsByRouting(p, best.Upper)
	if err != nil {
		return explanation{}, err
	}
	e := explanation{Torus: p.Torus().Dims(), Size: p.Size(), Nodes: p.Coords(),
		MaxLoad: map[string]string{}, LostToRouting: map[string]string{},
		BestMinimal: bestMinimal{Lower: best.Lower.RatString(), Upper: upper.RatString(), Optimal: best.Lower.Cmp(upper) == 0}}
	for name, load := range loads {
		e.MaxLoad[name] = load.RatString()
		e.LostToRouting[name] = new(big.Rat).Sub(load, upper).RatString()
	}
	all := routing.NewMinimal(p.Torus(), routing.TieBoth)
	e.Bounds = boundItems(anyRouting(bound.ForPlacement(all, p)))
	free := bound.Best(anyRouting(bound.ForSize(all, p.Size())))
	e.PlacementFree = boundItems([]objective.Bound{free})[0]
	e.LostToPlacement = new(big.Rat).Sub(best.Lower, free.Value).RatString()
	return e, nil
}

// loadsByRouting returns E_max by routing, and the least of them and upper: each
// is the congestion of a minimal routing.
func loadsByRouting(p core.Placement, upper *big.Rat) (map[string]*big.Rat, *big.Rat, error) {
	loads := map[string]*big.Rat{}
	for _, name := range explainedRoutings {
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

// anyRouting leaves out the bounds that hold for the given routing only.
func anyRouting(bounds []objective.Bound) []objective.Bound {
	var list []objective.Bound
	for _, b := range bounds {
		if b.Name != objective.BoundGranularity && b.Name != objective.BoundMargin {
			list = append(list, b)
		}
	}
	return list
}

func boundItems(bounds []objective.Bound) []results.Bound {
	list := make([]results.Bound, len(bounds))
	for i, b := range bounds {
		list[i] = results.Bound{Name: b.Name, Value: b.Value.RatString(), Witness: b.Witness}
	}
	return list
}

func (a *app) printExplanation(e explanation) {
	fmt.Fprintf(a.stdout, "%d processors; E_max by routing, and what is lost to the routing:\n", e.Size)
	for _, name := range explainedRoutings {
		fmt.Fprintf(a.stdout, "  %-15s %-10s +%s\n", name, e.MaxLoad[name], e.LostToRouting[name])
	}
	b := e.BestMinimal
	if b.Optimal {
		fmt.Fprintf(a.stdout, "best minimal routing: %s, proved from both sides\n", b.Upper)
	} else {
		fmt.Fprintf(a.stdout, "best minimal routing: at least %s, at most %s\n", b.Lower, b.Upper)
	}
	fmt.Fprintln(a.stdout, "bounds for this placement under any minimal routing:")
	for _, item := range e.Bounds {
		fmt.Fprintf(a.stdout, "  %-15s %s\n", item.Name, item.Value)
	}
	fmt.Fprintf(a.stdout, "every placement of %d processors: at least %s (%s)\n", e.Size, e.PlacementFree.Value, e.PlacementFree.Name)
	fmt.Fprintf(a.stdout, "lost to the placement: %s\n", e.LostToPlacement)
}
