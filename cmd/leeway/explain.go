package main

import (
	"context"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/explain"
)

func (a *app) explainCommand() *cobra.Command {
	var s subject
	var timeText string
	cmd := &cobra.Command{
		Use:   "explain [FILE]",
		Short: "Say what of a load is due to the placement, what to the routing",
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
			limit, err := cli.ReadTime(timeText, 0)
			if err != nil {
				return err
			}
			r, p, err := s.explained(cmd.Context(), files)
			if err != nil {
				return err
			}
			e, err := a.explain(cmd.Context(), r, p, limit)
			if err != nil {
				return err
			}
			return a.show(s.asJSON, e, func() { a.printExplanation(e) })
		},
	}
	s.flags(cmd, "torus", "placement", "routing", "traffic", "json")
	cmd.Flags().StringVar(&timeText, "time", "5s",
		"time to search for a better placement, where the atlas of the program has none")
	return cmd
}

// explained reads routing and placement from a record or from the flags; the routing is nil without one.
func (s *subject) explained(ctx context.Context, files []string) (routing.Routing, core.Placement, error) {
	if len(files) == 1 || s.routingText != "" || s.asksTraffic() {
		q, p, err := s.given(ctx, files)
		return q.Routing, p, err
	}
	p, err := s.givenPlacement(ctx, nil)
	return nil, p, err
}

// explain returns what is lost to what, under one routing too unless that is nil. After Ctrl-C the bounds of the
// placement may be left out, and the best minimal routing is known less well.
func (a *app) explain(ctx context.Context, r routing.Routing, p core.Placement,
	limit time.Duration) (explain.Explanation, error) {
	e, err := cli.UnlessStopped(ctx, "the loads were", func() (explain.Explanation, error) { return work.Explain(ctx, p) })
	if err != nil {
		return e, cli.InFlag("placement", err)
	}
	e.Bounds, err = cli.UnlessStopped(ctx, "the bounds of the placement were", func() ([]results.Bound, error) {
		return explain.Bounds(p), nil
	})
	if err != nil {
		a.Remark("%v", err)
	}
	if r == nil {
		return e, nil
	}
	best, err := a.session(runtime.NumCPU(), nil).BestKnown(ctx, r, p, work.Budget{Seed: 1, Time: limit})
	if err != nil {
		return e, err
	}
	_, err = cli.UnlessStopped(ctx, "the busiest link was", func() (struct{}, error) {
		return struct{}{}, e.SetUnder(ctx, r, p, best)
	})
	return e, err
}

func (a *app) printExplanation(e explain.Explanation) {
	decimal := results.WithDecimal
	a.Printf("%d processors; E_max by routing, and what is lost to the routing:\n", e.Size)
	for _, name := range explain.Routings {
		a.Printf("  %-15s %-18s +%s\n", name, decimal(e.MaxLoad[name]), decimal(e.LostToRouting[name]))
	}
	b := e.BestMinimal
	if b.Optimal {
		a.Printf("best minimal routing: %s, proved from both sides\n", decimal(b.Upper))
	} else {
		a.Printf("best minimal routing: at least %s, at most %s\n", decimal(b.Lower), decimal(b.Upper))
	}
	if e.Bounds != nil {
		a.Printf("bounds for this placement under any minimal routing:\n")
	}
	for _, item := range e.Bounds {
		a.Printf("  %-15s %s\n", item.Name, decimal(item.Value))
	}
	a.Printf("every placement of %d processors: at least %s (%s)\n", e.Size, decimal(e.PlacementFree.Value),
		e.PlacementFree.Name)
	a.Printf("lost to the placement: %s at most, under the best minimal routing\n", decimal(e.LostToPlacement))
	if e.Under != nil {
		a.printUnder(e.Under)
	}
}

// shownPairs is how many pairs on the busiest link people are shown.
const shownPairs = 12

func (a *app) printUnder(u *explain.Under) {
	decimal := results.WithDecimal
	a.Printf("under %s: E_max %s\n", u.Routing, decimal(u.MaxLoad))
	switch k := u.Best; {
	case k == nil:
	case k.Source == "this placement":
		a.Printf("  another placement  no better one is known%s\n", standing(*k))
	default:
		a.Printf("  another placement  %s%s (%s): %s lost to the placement\n", decimal(k.MaxLoad), standing(*k), k.Source,
			decimal(*u.LostToPlacement))
	}
	a.Printf("  other paths        the best minimal routing: %s lost to the routing\n", decimal(u.LostToRouting))
	b := u.Busiest
	a.Printf("busiest link: from %s dimension %d %s, load %s", core.JoinInts(b.From, ","), b.Dim, b.Dir,
		decimal(u.MaxLoad))
	if len(b.Pairs) == 0 {
		a.Printf("\n")
		return
	}
	a.Printf(" from %d pairs:\n", len(b.Pairs))
	for _, pair := range b.Pairs[:min(shownPairs, len(b.Pairs))] {
		a.Printf("  %-8s %s -> %s\n", pair.Share, core.JoinInts(pair.From, ","), core.JoinInts(pair.To, ","))
	}
	if more := len(b.Pairs) - shownPairs; more > 0 {
		a.Printf("  and %d more; --json lists all\n", more)
	}
}

// standing says what is known of a best placement.
func standing(k explain.Known) string {
	if k.Optimal() {
		return ", proved optimal"
	}
	return ", at least " + results.WithDecimal(k.LowerBound)
}
