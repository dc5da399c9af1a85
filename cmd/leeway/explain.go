package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

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
	var limit string
	cmd := &cobra.Command{
		Use:   "explain [RECORD]",
		Short: "Say how much of a placement's load is due to the placement and how much to the routing",
		Long: `Compare E_max of a placement under every routing family with the best that any
fractional minimal routing can do (a linear program, solved from both sides) and
with bounds that hold for every placement of that size. What the best minimal
routing stays above the bound is lost to the placement; what a routing stays
above the best minimal routing is lost to the routing.

For one routing, that of --routing or of a record, it also says how far E_max is from
the smallest that is known for the number of processors, from the atlas of the program
or by a search of --time, and which pairs load the busiest link.`,
		Example: `  leeway explain --torus 8x8 --placement multilinear:t=2
  leeway explain --torus 8x8 --placement multilinear:t=2 --routing odr
  leeway explain best.json --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			time, err := readTime(limit)
			if err != nil {
				return err
			}
			r, p, err := s.explained(cmd.Context(), files)
			if err != nil {
				return err
			}
			t := p.Torus()
			if err := work.Enough(t, "evaluating a placement under every routing", work.EvaluationBytes(routing.NewMinimal(t, routing.TieBoth), p.Size())); err != nil {
				return err
			}
			e, err := a.explain(cmd.Context(), p)
			if err != nil {
				return err
			}
			if r != nil {
				if err := a.explainUnder(cmd.Context(), &e, r, p, work.Budget{Seed: 1, Time: time}); err != nil {
					return err
				}
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
	s.routingFlag(cmd)
	cmd.Flags().StringVar(&limit, "time", "5s", "time to search for a better placement, where the atlas of the program has none")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// explained reads routing and placement from a record or from the flags; the routing is nil without one.
func (s *subject) explained(ctx context.Context, files []string) (routing.Routing, core.Placement, error) {
	if len(files) == 1 || s.routingText != "" {
		return s.drawn(ctx, files)
	}
	t, err := s.torus()
	if err != nil {
		return nil, core.Placement{}, err
	}
	p, err := s.placement(ctx, t)
	return nil, p, err
}

// explainUnder adds what is lost under one routing.
func (a *app) explainUnder(ctx context.Context, e *explain.Explanation, r routing.Routing, p core.Placement, b work.Budget) error {
	best, err := a.session(runtime.NumCPU(), nil).BestKnown(ctx, r, p, b)
	if err != nil {
		return err
	}
	_, err = unlessStopped(ctx, grace, "the busiest link was", func() (struct{}, error) { return struct{}{}, e.SetUnder(ctx, r, p, best) })
	return err
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
		a.printf("  %-15s %-18s +%s\n", name, decimal(e.MaxLoad[name]), decimal(e.LostToRouting[name]))
	}
	b := e.BestMinimal
	if b.Optimal {
		a.printf("best minimal routing: %s, proved from both sides\n", decimal(b.Upper))
	} else {
		a.printf("best minimal routing: at least %s, at most %s\n", decimal(b.Lower), decimal(b.Upper))
	}
	if e.Bounds != nil {
		fmt.Fprintln(a.stdout, "bounds for this placement under any minimal routing:")
	}
	for _, item := range e.Bounds {
		a.printf("  %-15s %s\n", item.Name, decimal(item.Value))
	}
	a.printf("every placement of %d processors: at least %s (%s)\n", e.Size, decimal(e.PlacementFree.Value), e.PlacementFree.Name)
	a.printf("lost to the placement: %s at most, under the best minimal routing\n", decimal(e.LostToPlacement))
	if e.Under != nil {
		a.printUnder(e.Under)
	}
}

// shownPairs is how many pairs on the busiest link people are shown.
const shownPairs = 12

func (a *app) printUnder(u *explain.Under) {
	a.printf("under %s: E_max %s\n", u.Routing, decimal(u.MaxLoad))
	switch k := u.Best; {
	case k == nil:
	case k.Source == "this placement":
		a.printf("  another placement  no better one is known%s\n", standing(*k))
	default:
		a.printf("  another placement  %s%s (%s): %s lost to the placement\n", decimal(k.MaxLoad), standing(*k), k.Source, decimal(*u.LostToPlacement))
	}
	a.printf("  other paths        the best minimal routing: %s lost to the routing\n", decimal(u.LostToRouting))
	b := u.Busiest
	a.printf("busiest link: from %s dimension %d %s, load %s", core.JoinInts(b.From, ","), b.Dim, b.Dir, decimal(u.MaxLoad))
	if len(b.Pairs) == 0 {
		a.printf("\n")
		return
	}
	a.printf(" from %d pairs:\n", len(b.Pairs))
	for _, pair := range b.Pairs[:min(shownPairs, len(b.Pairs))] {
		a.printf("  %-8s %s -> %s\n", pair.Share, core.JoinInts(pair.From, ","), core.JoinInts(pair.To, ","))
	}
	if more := len(b.Pairs) - shownPairs; more > 0 {
		a.printf("  and %d more; --json lists all\n", more)
	}
}

// standing says what is known of a best placement.
func standing(k explain.Known) string {
	if k.Optimal() {
		return ", proved optimal"
	}
	return ", at least " + decimal(k.LowerBound)
}

// decimal returns a fraction with its decimal beside it, a whole number as it is.
func decimal(fraction string) string {
	v, err := results.ParseFraction(fraction)
	if err != nil || v.IsInt() {
		return fraction
	}
	f, _ := v.Float64()
	return fmt.Sprintf("%s (%.4g)", fraction, f)
}
