package main

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
	"leeway/objective/faults"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/explain"
)

func (a *app) evalCommand() *cobra.Command {
	var s subject
	var withLoads, permutations, deadlocks bool
	var rounds int
	seed := uint64(1)
	cmd := command("eval [FILE]", "Compute the exact load of a placement under a routing", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			q, p, err := s.placedProblem(cmd.Context(), files)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			switch {
			case permutations:
				d, err := work.Worst(q, p)
				return answer(a, d, cli.InFlag("worst-permutation", err), "worst")
			case deadlocks:
				d, err := work.Deadlock(ctx, q, p)
				return answer(a, d, cli.InFlag("deadlock", err), "deadlock")
			case cmd.Flags().Changed("rounds"):
				if rounds < 1 || rounds > mostRounds {
					return cli.Errorf("--rounds %d: a number in 1..%d is needed", rounds, mostRounds)
				}
				d, err := work.Rounds(ctx, q, p, rounds, seed)
				return answer(a, d, cli.InFlag("rounds", err), "rounds")
			}
			e, err := work.Evaluate(ctx, q, p, a.asJSON(), withLoads)
			if err != nil {
				return err
			}
			return a.show(e, func() {
				a.tell("evaluation", struct {
					compose.Evaluation
					BestKnown string
				}{e, bestKnown(q, e.Size)})
			})
		})
	s.flags(cmd, "torus", "network", "placement", "routing", "traffic", "json")
	addFlags(cmd, []flag{
		{&withLoads, "loads", "also list every link with a load above 0"},
		{&permutations, "worst-permutation",
			"instead: the largest load of a link if every processor sends to one and none gets from two, over all permutations"},
		{&rounds, "rounds", "instead: the largest load of a link in N random rounds, in each of which " +
			"every processor sends one message to one drawn from all, or with --traffic clients every node has one " +
			"exchange with one"},
		{&seed, "seed", "with --rounds: seed of the draws"},
		{&deadlocks, "deadlock", "instead: whether messages that hold links while they wait can " +
			"wait for each other in a circle, with an order of the links or a cycle, and virtual channels that prevent it"},
	}...)
	cli.Exclude(cmd, "loads", "worst-permutation rounds deadlock", "")
	cli.Exclude(cmd, "worst-permutation", "rounds deadlock", "")
	cli.Exclude(cmd, "rounds", "deadlock", "")
	return cmd
}

// mostRounds is the most rounds, the largest loads of which are kept.
const mostRounds = 10_000_000

// bestKnown says what the atlas of the program knows of as many processors, "" if that is nothing.
func bestKnown(q objective.Problem, size int) string {
	if q.Routing.String() == results.TableRouting || q.Traffic.Matrix != nil {
		return ""
	}
	view, err := atlas.ShippedOf(q.Torus().N())
	if err != nil {
		return ""
	}
	c, image, ok := view.Find(q.WithSize(size))
	if !ok || c.Fault != "" || c.MaxLoad == "" {
		return ""
	}
	return strings.TrimPrefix(work.Standing(c, image), "E_max ")
}

func (a *app) explainCommand() *cobra.Command {
	var s subject
	limit := 20 * time.Second
	cmd := command("explain [FILE]", "Say what of a load is due to the placement, what to the routing",
		cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			ctx, cancel := work.Budget{Time: limit}.Deadline(cmd.Context())
			defer cancel()
			q, p, err := s.placedProblemUnder(cmd.Context(), files, func(t *core.Torus) routing.Routing {
				return routing.NewMinimal(t, routing.TieBoth)
			})
			if err != nil {
				return err
			}
			e, err := a.explain(cmd.Context(), ctx, q, p, len(files) > 0 || s.routingText != "")
			return answer(a, e, err, "explanation")
		})
	s.flags(cmd, "torus", "network", "placement", "routing", "traffic", "json")
	addFlags(cmd, flag{&limit, "time",
		"time for all of it: loads, best minimal routing, bounds, and the search for a better placement, where the atlas " +
			"of the program has none"})
	return cmd
}

// explain returns what is lost to what, also under the routing of the problem if asked for. Each part has half of the
// time that is left in the limited context; those that are not known in time, or after Ctrl-C, are left out, and the
// best minimal routing is known less well.
func (a *app) explain(ctx, limited context.Context, q objective.Problem, p core.Placement,
	under bool) (explain.Explanation, error) {
	half := func() work.Budget {
		end, _ := limited.Deadline()
		return work.Budget{Seed: 1, Time: max(1, time.Until(end)/2)}
	}
	first, cancel := half().Deadline(limited)
	defer cancel()
	e, err := cli.UnlessStopped(limited, "the loads were", func() (explain.Explanation, error) {
		return work.Explain(first, q, p)
	})
	if err != nil {
		return e, cli.InFlag("placement", err)
	}
	second, cancel := half().Deadline(limited)
	defer cancel()
	if q.Traffic.ToAll() {
		e.Bounds, err = cli.UnlessStopped(limited, "the bounds of the placement were", func() ([]answers.Bound, error) {
			return explain.Bounds(second, p)
		})
	}
	if err != nil {
		a.Remark("stopped before the bounds of the placement were known")
	}
	for _, name := range e.Missing() {
		a.Remark("stopped before E_max under %s was known", name)
	}
	if !under {
		return e, nil
	}
	best, err := a.session(runtime.NumCPU()).BestKnown(ctx, q, p, half())
	if err != nil {
		return e, err
	}
	_, err = cli.UnlessStopped(limited, "the busiest link was", func() (struct{}, error) {
		return struct{}{}, e.SetUnder(limited, q, p, best)
	})
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		a.Remark("%v", err)
		err = nil
	}
	return e, err
}

func (a *app) faultsCommand() *cobra.Command {
	var s subject
	var repair bool
	cmd := command("faults [FILE]", "Compute the effects of single link failures on a placement", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			q, p, err := s.placedProblem(cmd.Context(), files)
			if err != nil {
				return err
			}
			report, err := faults.Analyze(cmd.Context(), q, p)
			if err != nil {
				return cli.InFlag("routing", err)
			}
			if links := p.Torus().Links(); report.Faults < links {
				a.Remark("stopped after the failures of %d of %d links: the worst may be worse", report.Faults, links)
			}
			var repairs []faults.Repair
			if repair {
				effort := congestion.DefaultOptions()
				effort.Flows = false
				repairs, err = faults.Repairs(cmd.Context(), p, q.Traffic, effort)
				switch {
				case cmd.Context().Err() != nil:
					a.Remark("stopped before all failures were repaired")
				case err != nil:
					return cli.InFlag("repair", err)
				}
			}
			return answer(a, work.NewFaults(q, p, report, repairs), nil, "faults")
		})
	s.flags(cmd, "torus", "network", "placement", "routing", "traffic", "json")
	addFlags(cmd, flag{&repair, "repair", "also: if both links of an edge fail and all messages are routed anew, " +
		"the least E_max of any split over the shortest paths that are left, for every edge"})
	return cmd
}
