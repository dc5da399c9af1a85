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
	"leeway/objective"
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
or by a search of --time, and which pairs load the busiest link.

With --traffic clients requests and replies both go by each routing (not avoid, whose
paths depend on the placement), and the best minimal routing lies between the bounds
and the best of them. The busiest link is split by processor and client, requests and
replies apart.`,
		Example: `  leeway explain --torus 8x8 --placement multilinear:t=2
  leeway explain --torus 8x8 --placement multilinear:t=2 --routing odr
  leeway explain --mesh 8x8 --placement diamond --routing xy --reply-routing yx --traffic clients
  leeway explain best.json --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			limit, err := cli.ReadTime(timeText, 0)
			if err != nil {
				return err
			}
			q, p, under, err := s.explained(cmd.Context(), files)
			if err != nil {
				return err
			}
			e, err := a.explain(cmd.Context(), q, p, under, limit)
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

// explained reads problem and placement from a record or from the flags, and whether they name a routing; without one
// that of the problem stands for all.
func (s *subject) explained(ctx context.Context, files []string) (q objective.Problem, p core.Placement, under bool,
	err error) {
	if len(files) == 1 || s.routingText != "" {
		q, p, err = s.given(ctx, files)
		return q, p, true, err
	}
	if p, err = s.givenPlacement(ctx, nil); err != nil {
		return q, p, false, err
	}
	if s.repliesText != "" {
		return q, p, false, &cli.Error{Err: cli.Errorf("--reply-routing %q: --routing is missing", s.repliesText),
			Hint: "without both, requests and replies go by the same routing"}
	}
	q, err = s.withTraffic(objective.Problem{Routing: routing.NewMinimal(p.Torus(), routing.TieBoth), Size: p.Size()})
	return q, p, false, err
}

// explain returns what is lost to what, also under the routing of the problem if asked for. After Ctrl-C the bounds of
// the placement may be left out, and the best minimal routing is known less well.
func (a *app) explain(ctx context.Context, q objective.Problem, p core.Placement, under bool,
	limit time.Duration) (explain.Explanation, error) {
	e, err := cli.UnlessStopped(ctx, "the loads were", func() (explain.Explanation, error) {
		return work.Explain(ctx, q, p)
	})
	if err != nil {
		return e, cli.InFlag("placement", err)
	}
	if !q.Traffic.Clients() {
		e.Bounds, err = cli.UnlessStopped(ctx, "the bounds of the placement were", func() ([]results.Bound, error) {
			return explain.Bounds(p), nil
		})
	}
	if err != nil {
		a.Remark("%v", err)
	}
	if !under {
		return e, nil
	}
	best, err := a.session(runtime.NumCPU(), nil).BestKnown(ctx, q, p, work.Budget{Seed: 1, Time: limit})
	if err != nil {
		return e, err
	}
	_, err = cli.UnlessStopped(ctx, "the busiest link was", func() (struct{}, error) {
		return struct{}{}, e.SetUnder(ctx, q, p, best)
	})
	return e, err
}

func (a *app) printExplanation(e explain.Explanation) {
	decimal := results.WithDecimal
	a.Printf("%d processors; E_max by routing, and what is lost to the routing:\n", e.Size)
	if e.Traffic != "" {
		a.Printf("  (%s; requests and replies by the same routing)\n", e.Traffic)
	}
	for _, name := range explain.Routings {
		if e.MaxLoad[name] == "" {
			continue
		}
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
	if e.Traffic == "" || b.Optimal {
		a.Printf("lost to the placement: %s at most, under the best minimal routing\n", decimal(e.LostToPlacement))
	}
	if e.Under != nil {
		a.printUnder(e)
	}
}

// shownPairs is how many pairs on the busiest link people are shown.
const shownPairs = 12

// shownMessages is how many of them under client traffic.
const shownMessages = 4

func (a *app) printUnder(e explain.Explanation) {
	u, decimal := e.Under, results.WithDecimal
	replies := ""
	if e.ReplyRouting != "" {
		replies = ", replies by " + e.ReplyRouting
	}
	a.Printf("under %s%s: E_max %s\n", u.Routing, replies, decimal(u.MaxLoad))
	switch k := u.Best; {
	case k == nil:
	case k.Source == "this placement":
		a.Printf("  another placement  no better one is known%s\n", standing(*k))
	default:
		a.Printf("  another placement  %s%s (%s): %s lost to the placement\n", decimal(k.MaxLoad), standing(*k), k.Source,
			decimal(*u.LostToPlacement))
	}
	atLeast := ""
	if e.Traffic != "" && !e.BestMinimal.Optimal {
		atLeast = " at least"
	}
	a.Printf("  other paths        the best minimal routing: %s%s lost to the routing\n", decimal(u.LostToRouting),
		atLeast)
	b := u.Busiest
	a.Printf("busiest link: from %s dimension %d %s, load %s", core.JoinInts(b.From, ","), b.Dim, b.Dir,
		decimal(u.MaxLoad))
	if len(b.Pairs) == 0 {
		a.Printf("\n")
		return
	}
	if len(b.Processors) > 0 {
		a.printCauses(b)
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

// printCauses prints which processors load the busiest link, and which pairs most.
func (a *app) printCauses(b explain.Busiest) {
	a.Printf(" by %d processors and their clients:\n", len(b.Processors))
	for _, c := range b.Processors[:min(shownPairs, len(b.Processors))] {
		a.Printf("  %-8s processor %s: requests %s, replies %s, %d clients\n", c.Share, core.JoinInts(c.Node, ","),
			c.Requests, c.Replies, c.Clients)
	}
	if more := len(b.Processors) - shownPairs; more > 0 {
		a.Printf("  and %d more processors; --json lists all\n", more)
	}
	a.Printf("of %d requests and replies, each of one pair, the largest:\n", len(b.Pairs))
	for _, pair := range b.Pairs[:min(shownMessages, len(b.Pairs))] {
		a.Printf("  %-8s %-7s %s -> %s\n", pair.Share, pair.Kind, core.JoinInts(pair.From, ","), core.JoinInts(pair.To, ","))
	}
	if more := len(b.Pairs) - shownMessages; more > 0 {
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
