package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"leeway/objective/congestion"
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
			p, err := s.placement(t)
			if err != nil {
				return err
			}
			e, err := unlessStopped(cmd.Context(), grace, "the loads were", func() (explain.Explanation, error) {
				return explain.Of(cmd.Context(), p, congestion.DefaultOptions())
			})
			var stopped *stoppedError
			switch {
			case errors.As(err, &stopped):
				return err
			case err != nil:
				return inFlag("placement", err)
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

func (a *app) printExplanation(e explain.Explanation) {
	fmt.Fprintf(a.stdout, "%d processors; E_max by routing, and what is lost to the routing:\n", e.Size)
	for _, name := range explain.Routings {
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
