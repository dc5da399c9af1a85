package main

import (
	"context"
	"math/big"
	"time"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/restrict"
)

// freeRouting is the value of --routing that leaves the routing to the search.
const freeRouting = "free"

// searchFree looks for a placement and a routing restriction together: first for
// good placements under all dimension orders, ties both, then for the best table of
// each of them. Half of the budget goes to either.
func (a *app) searchFree(cmd *cobra.Command, n *night, methods []string) error {
	n.routingText = "udr:tie=both"
	problems, b, err := n.read(cmd)
	if err != nil {
		return err
	}
	if n.single && n.minPaths > 1 {
		return usagef("--single-path and --min-paths %d exclude each other", n.minPaths)
	}
	if b.time == 0 && b.evaluations == 0 {
		b.time = defaultTime
	}
	var list []any
	for _, p := range problems {
		record, err := a.free(cmd.Context(), n, p, b, methods)
		if err != nil {
			return err
		}
		list = append(list, record)
		if err := a.publish(&n.hunt, p, b, record); err != nil {
			return err
		}
		if cmd.Context().Err() != nil {
			break
		}
	}
	if n.asJSON {
		return a.printItems(list, len(problems) > 1)
	}
	return nil
}

// free does one problem of searchFree.
func (a *app) free(ctx context.Context, n *night, p objective.Problem, b budget, names []string) (results.Record, error) {
	started := time.Now()
	lower := bound.Best(bound.PlainForSize(routing.NewMinimal(p.Torus(), routing.TieBoth), p.Size)[:3]) // those that hold for every minimal routing
	limited, cancel := b.limit(ctx)
	defer cancel()
	show := a.newProgress(lower.Value, b)
	defer show.stop()
	first, stop := b.half().limit(limited)
	defer stop()
	methods, err := pickMethods(names, p)
	if err != nil {
		return results.Record{}, err
	}
	found, err := portfolio.Run(first, methods, search.Params{Problem: p, Goal: lower.Value, Seed: b.seed, Evaluations: b.half().evaluations,
		Workers: b.workers, Observe: show.observe}, portfolio.Options{Parts: sharesOf, Recheck: n.recheck})
	if err != nil {
		return results.Record{}, err
	}
	best, spent, err := n.restrictAll(limited, p, found.State.Archive, restrict.Params{Single: n.single, MinPaths: n.minPaths, Goal: lower.Value,
		Seed: b.seed, Evaluations: b.half().evaluations, Workers: b.workers, Observe: show.observe})
	if err != nil {
		return results.Record{}, err
	}
	if best.Table == nil {
		return results.Record{}, usagef("%s: no placement was found before the end", p)
	}
	claim := results.Claim{Routing: best.Table, Placement: best.placement, MaxLoad: best.Value, LowerBound: lower.Value, BoundReason: lower.Reason(),
		Baseline: baseline(objective.Problem{Routing: best.Table, Size: p.Size}), FoundBy: results.FoundBy{Method: best.method + ", " + best.Method, Seed: b.seed, Evaluations: found.Evaluations + spent,
			Seconds: float64(time.Since(started).Milliseconds()) / 1000},
		Provenance: results.Provenance{Version: version, Command: append([]string{"leeway"}, a.args...),
			Started: results.FormatTime(started), Seed: b.seed, Budget: recordBudget(b)}}
	if lower.Value.Cmp(best.Value) == 0 {
		claim.Proof = &results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: lower.Name, Value: lower.Value.RatString()}
	}
	return results.New(claim)
}

// A restricted is a placement with its best restriction.
type restricted struct {
	restrict.Result
	placement core.Placement
	method    string // that found the placement
}

// restrictAll looks for the best restriction of every placement of an archive, best
// first, each with an equal share of the budget, and returns the best of all with
// the changes tried.
func (n *night) restrictAll(ctx context.Context, p objective.Problem, archive []portfolio.Entry, params restrict.Params) (restricted, int64, error) {
	var best restricted
	spent, all := int64(0), params.Evaluations
	for i, entry := range archive {
		left := int64(len(archive) - i)
		if all > 0 {
			if params.Evaluations = (all - spent) / left; params.Evaluations < 1 {
				break
			}
		}
		share, cancel := shareOf(ctx, left)
		params.Placement = core.MustPlacement(p.Torus(), entry.Nodes)
		r, err := restrict.Run(share, params)
		cancel()
		if err != nil {
			return best, spent, err
		}
		spent += r.Evaluations
		if best.Table == nil || r.Value.Cmp(best.Value) < 0 {
			best = restricted{Result: r, placement: params.Placement, method: entry.Method}
		}
		if closed(best.Value, params.Goal) || ctx.Err() != nil {
			break
		}
	}
	return best, spent, nil
}

// shareOf returns a context with an equal share of the time that is left.
func shareOf(ctx context.Context, shares int64) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(shares))
}

// closed reports whether a value meets a bound.
func closed(value, lower *big.Rat) bool { return lower != nil && value.Cmp(lower) <= 0 }

// half returns half of a budget.
func (b budget) half() budget {
	b.time /= 2
	if b.evaluations > 0 {
		b.evaluations = max(1, b.evaluations/2)
	}
	return b
}
