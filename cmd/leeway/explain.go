package main

import (
	"context"
	"fmt"
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
		Args:  cobra.MaximumNArgs(1),
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
			return a.show(s.asJSON, e, func() { fmt.Fprint(a.Stdout, e.Text()) })
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
