package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/congestion"
	"leeway/results"
	"leeway/results/explain"
	"leeway/search/restrict"
)

// restrictionBy lists what --by may say.
var restrictionBy = map[string]restrict.By{"auto": restrict.ByAny, "displacement": restrict.ByDisplacement, "pair": restrict.ByPair}

// A restriction holds the flags of restrict.
type restriction struct {
	subject
	effort
	by       string
	single   bool
	orders   bool
	minPaths int
	out      string
	asJSON   bool
}

// restrictionDocument is what restrict prints as JSON.
type restrictionDocument struct {
	Torus   []int   `json:"torus"`
	Routing string  `json:"routing"` // always "table"
	Size    int     `json:"size"`
	Nodes   [][]int `json:"nodes"`
	MaxLoad string  `json:"max_load"`
	// LowerBound holds for the placement under every restriction asked for.
	LowerBound  string `json:"lower_bound"`
	BoundReason string `json:"bound_reason"`
	// Weights are the reason where paths by dimension alone give the bound.
	Weights []objective.LinkWeight `json:"weights,omitempty"`
	// MinimalBound holds under every minimal routing.
	MinimalBound string `json:"minimal_bound"`
	// MinPaths is the fewest paths that a pair of processors has.
	MinPaths int             `json:"min_paths"`
	Orders   *string         `json:"orders"` // the same as a routing, with --orders; else null
	FoundBy  results.FoundBy `json:"found_by"`
	Table    results.Table   `json:"table"`
}

func (a *app) restrictCommand() *cobra.Command {
	var f restriction
	cmd := &cobra.Command{
		Use:   "restrict",
		Short: "Find the best routing restriction of a placement",
		Long: `Choose for a placement which paths its pairs of processors may use, of those that
correct one dimension after the other, so that the most loaded link carries as
little as possible. The paths are chosen by displacement or for every ordered
pair (--by); --single-path leaves every pair one path, --min-paths at least so
many, --orders chooses dimension orders for all pairs at once.

The search ends when the time or the evaluations (changes tried) are spent (60 s
if neither is given), when a lower bound for the placement is met, or at Ctrl-C, which keeps the best table found.`,
		Example: `  leeway restrict --torus 5x5x5 --placement linear --out table.json
  leeway eval --torus 5x5x5 --placement linear --routing @table.json
  leeway restrict --torus 4^3 --placement linear --single-path --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.restrict(cmd, &f) },
	}
	f.mostNodes = manyNodes
	f.torusFlag(cmd)
	f.placementFlag(cmd)
	f.effort.register(cmd)
	cmd.Flags().StringVar(&f.by, "by", "auto", "what paths are chosen for: displacement, pair, or auto for the better of both")
	cmd.Flags().BoolVar(&f.single, "single-path", false, "exactly one path for every pair")
	cmd.Flags().BoolVar(&f.orders, "orders", false, "choose dimension orders (and the tie rule) for all pairs at once")
	cmd.Flags().IntVar(&f.minPaths, "min-paths", 1, "paths that every pair keeps, or all it has if those are fewer")
	cmd.Flags().StringVar(&f.out, "out", "", "file for the table, which --routing @FILE reads")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document")
	cmd.MarkFlagsMutuallyExclusive("single-path", "min-paths")
	cmd.MarkFlagsMutuallyExclusive("orders", "by")
	return cmd
}

// read validates the flags.
func (f *restriction) read(cmd *cobra.Command) (restrict.Params, work.Budget, error) {
	b, err := f.effort.read(cmd)
	if err != nil {
		return restrict.Params{}, b, err
	}
	by, ok := restrictionBy[f.by]
	switch {
	case !ok:
		return restrict.Params{}, b, &usageError{err: usagef("--by %q: unknown", f.by), hint: "write displacement, pair or auto"}
	case f.minPaths < 1:
		return restrict.Params{}, b, usagef("--min-paths %d: at least 1 is needed", f.minPaths)
	case f.orders:
		by = restrict.ByOrders
	}
	if b.Time == 0 && b.Evaluations == 0 {
		b.Time = defaultTime
	}
	if f.out != "" {
		if err := results.CheckTarget(f.out); err != nil {
			return restrict.Params{}, b, err
		}
	}
	t, err := f.torus()
	if err != nil {
		return restrict.Params{}, b, err
	}
	p, err := f.placement(cmd.Context(), t)
	return restrict.Params{Placement: p, By: by, Single: f.single, MinPaths: f.minPaths,
		Seed: b.Seed, Evaluations: b.Evaluations, Workers: f.workers}, b, err
}

// restrict does what the command is for.
func (a *app) restrict(cmd *cobra.Command, f *restriction) error {
	params, b, err := f.read(cmd)
	if err != nil {
		return err
	}
	started := time.Now()
	ctx, cancel := b.Deadline(cmd.Context())
	defer cancel()
	lower := bound.Whole(params.Single, boundOfAny(ctx, params.Placement))
	show := a.newProgress(lower.Value, b)
	params.Goal, params.Observe = lower.Value, show.observe
	r, err := core.Await(ctx, grace, func() (restrict.Result, error) { return restrict.Run(ctx, params) })
	show.stop()
	switch {
	case err != nil && err == ctx.Err():
		return &stoppedError{"the paths of the placement were"}
	case err != nil:
		return inFlag("placement", err)
	}
	d := newRestrictionDocument(params, r, lower)
	d.FoundBy = results.FoundBy{Method: r.Method, Seed: b.Seed, Evaluations: r.Evaluations, Seconds: time.Since(started).Seconds()}
	return a.publishRestriction(f, d)
}

// boundOfAny returns the best bound of a placement under any minimal routing, that of its
// size if the context ends before the others are there.
func boundOfAny(ctx context.Context, p core.Placement) objective.Bound {
	all := routing.NewMinimal(p.Torus(), routing.TieBoth)
	ctx, cancel := work.BoundTime(ctx)
	defer cancel()
	bounds, err := core.Await(ctx, 0, func() ([]objective.Bound, error) { return bound.ForPlacementContext(ctx, all, p) })
	if err != nil {
		bounds = bound.PlainForSize(all, p.Size())
	}
	return bound.Best(explain.AnyRouting(bounds))
}

// dimensionwise names the bound of weights on the paths that a table may hold:
// those that correct one dimension after the other.
const dimensionwise = "congestion of paths by dimension"

func newRestrictionDocument(params restrict.Params, r restrict.Result, anyMinimal objective.Bound) restrictionDocument {
	t := params.Placement.Torus()
	d := restrictionDocument{Torus: t.Dims(), Routing: r.Table.String(), Size: params.Placement.Size(), Nodes: params.Placement.Coords(),
		MaxLoad: r.Value.RatString(), LowerBound: anyMinimal.Value.RatString(), BoundReason: anyMinimal.Reason(),
		MinimalBound: anyMinimal.Value.RatString(), MinPaths: r.MinPaths, Table: results.NewTable(r.Table)}
	if own := bound.Whole(params.Single, objective.Bound{Name: dimensionwise, Value: r.Lower}); own.Value.Cmp(anyMinimal.Value) > 0 {
		d.LowerBound, d.BoundReason = own.Value.RatString(), own.Reason()
		d.Weights = congestion.Result{Weights: r.Weights}.LinkWeights(t)
	}
	if r.Orders != nil {
		name := r.Orders.String()
		d.Orders = &name
	}
	return d
}

// publishRestriction writes the table to its file and shows the document.
func (a *app) publishRestriction(f *restriction, d restrictionDocument) error {
	var failed error
	if f.out != "" {
		data, err := d.Table.Encode()
		if err == nil {
			err = results.WriteFile(f.out, data)
		}
		if failed = err; err == nil {
			a.remark("wrote %s", f.out)
		}
	}
	if f.asJSON {
		if err := a.printJSON(d); err != nil {
			return err
		}
		return failed // the table still went to stdout: nothing found is lost
	}
	a.printRestriction(d)
	return failed
}

func (a *app) printRestriction(d restrictionDocument) {
	a.printf("torus        %s\n", joinSides(d.Torus))
	a.printf("processors   %d\n", d.Size)
	a.printf("E_max        %s\n", d.MaxLoad)
	a.printf("lower bound  %s (%s)\n", d.LowerBound, d.BoundReason)
	a.printf("table        by %s, %d entries, at least %d paths for a pair\n", d.Table.By, len(d.Table.Entries), d.MinPaths)
	if d.Orders != nil {
		a.printf("orders       %s\n", *d.Orders)
	}
	a.printf("found by     %s, seed %d, %d changes tried\n", d.FoundBy.Method, d.FoundBy.Seed, d.FoundBy.Evaluations)
}
