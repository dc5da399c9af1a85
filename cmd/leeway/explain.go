package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/congestion"
	"leeway/results"
	"leeway/results/explain"
)

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
			p, err := s.placement(cmd.Context(), t)
			if err != nil {
				return err
			}
			if err := work.Enough(t, "evaluating a placement under every routing", work.EvaluationBytes(routing.NewMinimal(t, routing.TieBoth), p.Size())); err != nil {
				return err
			}
			e, err := a.explain(cmd.Context(), p)
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

// explain returns what is lost to what. After Ctrl-C the bounds of the placement may be
// left out, and the best minimal routing is known less well.
func (a *app) explain(ctx context.Context, p core.Placement) (explain.Explanation, error) {
	e, err := unlessStopped(ctx, grace, "the loads were", func() (explain.Explanation, error) {
		return explain.Parts(ctx, p, congestion.DefaultOptions())
	})
	var stopped *stoppedError
	switch {
	case errors.As(err, &stopped):
		return e, err
	case err != nil:
		return e, inFlag("placement", err)
	}
	e.Bounds, err = unlessStopped(ctx, 0, "the bounds of the placement were", func() ([]results.Bound, error) { return explain.Bounds(p), nil })
	if err != nil {
		a.remark("%v", err)
	}
	return e, nil
}

func (a *app) printExplanation(e explain.Explanation) {
	a.printf("%d processors; E_max by routing, and what is lost to the routing:\n", e.Size)
	for _, name := range explain.Routings {
		a.printf("  %-15s %-10s +%s\n", name, e.MaxLoad[name], e.LostToRouting[name])
	}
	b := e.BestMinimal
	if b.Optimal {
		a.printf("best minimal routing: %s, proved from both sides\n", b.Upper)
	} else {
		a.printf("best minimal routing: at least %s, at most %s\n", b.Lower, b.Upper)
	}
	if e.Bounds != nil {
		fmt.Fprintln(a.stdout, "bounds for this placement under any minimal routing:")
	}
	for _, item := range e.Bounds {
		a.printf("  %-15s %s\n", item.Name, item.Value)
	}
	a.printf("every placement of %d processors: at least %s (%s)\n", e.Size, e.PlacementFree.Value, e.PlacementFree.Name)
	a.printf("lost to the placement: %s\n", e.LostToPlacement)
}
