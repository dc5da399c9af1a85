package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/work/schedule"
	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/objective/exchange/wormhole"
	"leeway/results"
	"leeway/search/backend"
)

// exchangeFlags are the flags of exchange.
type exchangeFlags struct {
	subject
	graphText, algorithm, variant, model string
	backend, timeText                    string
	startup, transmit, block             string
	scheduleFile, ranksFile              string
	direct, sync, asJSON                 bool
}

func (a *app) exchangeCommand() *cobra.Command {
	var f exchangeFlags
	cmd := &cobra.Command{
		Use:   "exchange",
		Short: "Schedule complete exchange: who sends which blocks when",
		Long: `Make a schedule of complete exchange, in which every processor has a block for
every other, and check it. For wormhole routing on a torus (one port each way)
the algorithms are t4, t1, c1, c64, ring, or the fastest of them (auto). For store
and forward, on a torus or a product of graphs, they are product (A2), pack, or
the better of the two (auto). With --placement only the processors of a placement
exchange blocks: by wormhole routing with the least transmission or, if --startup,
--transmit or --block are given, with the fastest of packings and plans for the
whole torus. For tiny cases sat finds the fewest steps; with --backend it proves
that no exchange has fewer.

Up to 4096 processors the checker follows every block. Above, one source of each
translation class is followed or, if these are too many as well, the figures are
those of the formulas and nothing is said about delivery. --ranks writes what
each processor sends and receives, for MPI or NCCL code.`,
		Example: `  leeway exchange --torus 16x16 --algorithm t4
  leeway exchange --torus 12x20 --startup 100 --transmit 1/4 --block 8 --json
  leeway exchange --graph path:2,path:3 --algorithm pack --schedule mesh.json
  leeway exchange --torus 8x8 --placement linear --routing udr
  leeway exchange --torus 3x4 --placement nodes:0,0+0,1+0,2+0,3+1,0 --algorithm sat --backend cadical`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, err := f.read(cmd)
			if err != nil {
				return err
			}
			q.Solver.Observe = func(steps int) { a.remark("asking whether %d steps do", steps) }
			d, err := f.answer(cmd.Context(), a, q)
			if err != nil {
				return err
			}
			if f.asJSON {
				return a.printJSON(d)
			}
			a.printExchange(d)
			return nil
		},
	}
	f.register(cmd)
	return cmd
}

// answer has the question answered and the files written.
func (f *exchangeFlags) answer(ctx context.Context, a *app, q schedule.Question) (schedule.Document, error) {
	e, err := unlessStopped(ctx, grace, "the schedule was", func() (*schedule.Answer, error) { return q.Answer(ctx) })
	if err == nil {
		err = a.writing(func() error { return e.Finish(ctx, f.scheduleFile, f.ranksFile) }, f.scheduleFile, f.ranksFile)
	}
	if err != nil {
		return schedule.Document{}, partInFlag(err)
	}
	return e.Document, nil
}

// partInFlag names the flag of the part of the question that an error is about.
func partInFlag(err error) error {
	var part *schedule.PartError
	if errors.As(err, &part) {
		return inFlag(part.Part, part.Err)
	}
	return err
}

func (f *exchangeFlags) register(cmd *cobra.Command) {
	f.mostNodes = manyNodes
	f.torusFlag(cmd)
	f.placementFlag(cmd)
	f.routingFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.graphText, "graph", "",
		"product of graphs instead of a torus: ring:6,path:3,complete:4,circulant:12:1+3,graph:0-1+1-2")
	flags.StringVar(&f.algorithm, "algorithm", schedule.Auto,
		"t4, t1, c1, c64, ring, product, product-a1 (for comparison), pack, sat or auto")
	flags.StringVar(&f.variant, "variant", "",
		"published or balanced: the direction of half-way blocks (default published; with auto both are ranked)")
	flags.StringVar(&f.model, "model", "",
		"store-and-forward or wormhole (default: the model of the algorithm; with --placement wormhole if --routing is given)")
	flags.StringVar(&f.startup, "startup", "1", "time of a startup, a fraction")
	flags.StringVar(&f.transmit, "transmit", "1", "time to send a unit of data, a fraction")
	flags.StringVar(&f.block, "block", "1", "units of data in a block, a fraction")
	flags.StringVar(&f.scheduleFile, "schedule", "", "write the phases to this file, for leeway check")
	flags.StringVar(&f.ranksFile, "ranks", "",
		"write the sends and receives of each processor to this file, as JSON lines")
	flags.StringVar(&f.backend, "backend", "",
		"with --algorithm sat: an installed solver, cadical or kissat, that writes a proof; it is kept next to the file of --schedule")
	flags.StringVar(&f.timeText, "time", "",
		"with --algorithm sat: time limit of the solver, such as 90s or 5m (default: none)")
	flags.BoolVar(&f.direct, "direct", false,
		"for a placement by wormhole routing: sends may turn, so that blocks do not stop on their way")
	flags.BoolVar(&f.sync, "sync", false, "find the barriers or signals that the schedule needs")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	cmd.MarkFlagsMutuallyExclusive("torus", "graph")
	cmd.MarkFlagsMutuallyExclusive("placement", "graph")
	cmd.MarkFlagsMutuallyExclusive("routing", "graph")
}

// read validates the flags.
func (f *exchangeFlags) read(cmd *cobra.Command) (q schedule.Question, err error) {
	q.Algorithm, q.Direct, q.Sync = f.algorithm, f.direct, f.sync
	if q.Machine, err = f.machine(); err != nil {
		return q, err
	}
	if q.Variant, err = f.readVariant(); err != nil {
		return q, err
	}
	model, err := f.readModel()
	if err != nil {
		return q, err
	}
	if q.Solver, err = f.readSolver(); err != nil {
		return q, err
	}
	if f.graphText != "" {
		if q.Network, err = steps.ParseNetwork(f.graphText); err != nil {
			return q, inFlag("graph", err)
		}
		return q, nil
	}
	if q.Torus, err = f.torus(); err != nil {
		return q, err
	}
	if model == exchange.StoreAndForward {
		if q.Network, err = steps.TorusNetwork(q.Torus); err != nil {
			return q, inFlag("torus", err)
		}
	}
	size := q.Torus.N()
	if cmd.Flags().Changed("placement") {
		q.Ranked = f.algorithm == schedule.Auto &&
			slices.ContainsFunc([]string{"startup", "transmit", "block"}, cmd.Flags().Changed)
		if q.Network == nil {
			if f.routingText == "" {
				f.routingText = "udr"
			}
			if q.Routing, err = f.routing(cmd.Context(), q.Torus); err != nil {
				return q, err
			}
		}
		p, err := f.placement(cmd.Context(), q.Torus)
		if err != nil {
			return q, err
		}
		q.Placement, size = &p, p.Size()
	}
	axes := map[string]int{"ring": 1, "c1": 3}[f.algorithm] // 0: any number, or known to the plan
	if have := q.Torus.D(); axes != 0 && have != axes {
		return q, &usageError{err: usagef("--torus %s: %s is for tori with %s, this one has %d", q.Torus, f.algorithm,
			map[int]string{1: "one axis", 3: "three axes"}[axes], have), hint: "t1 takes every torus, one axis after the other"}
	}
	if (f.scheduleFile != "" || f.ranksFile != "") && size > schedule.MaxFollowed {
		return q, usagef("schedules of more than %d processors are not written: this one has %d", schedule.MaxFollowed,
			size)
	}
	return q, nil
}

// readModel returns the model that the flags settle together, after looking for those that do not go together.
func (f *exchangeFlags) readModel() (exchange.Model, error) {
	of := modelOf(f.algorithm)
	if of == "" && f.algorithm != schedule.Auto {
		return "", &usageError{err: usagef("--algorithm %q: unknown", f.algorithm),
			hint: "algorithms are t4, t1, c1, c64, ring, product, product-a1, pack, sat and auto"}
	}
	if f.placementText != "" && f.algorithm == schedule.Pack {
		of = "" // packing is for both
	}
	model := exchange.Model(f.model)
	switch {
	case model != "" && model != exchange.StoreAndForward && model != exchange.Wormhole:
		return "", usagef("--model %q: neither %s nor %s", model, exchange.StoreAndForward, exchange.Wormhole)
	case of != "" && model != "" && of != model:
		return "", usagef("--algorithm %s is for --model %s", f.algorithm, of)
	case of != "":
		model = of
	case model == "" && f.placementText != "" && f.routingText != "":
		model = exchange.Wormhole
	case model == "" && (f.placementText != "" || f.graphText != ""):
		model = exchange.StoreAndForward
	case model == "":
		model = exchange.Wormhole
	}
	return model, f.conflict(model)
}

// conflict names a flag that would do nothing.
func (f *exchangeFlags) conflict(model exchange.Model) error {
	switch {
	case f.placementText != "" && f.algorithm != schedule.Auto && f.algorithm != schedule.Pack &&
		f.algorithm != schedule.SAT:
		return usagef("--algorithm %s is for all nodes of a torus: with --placement the sends are packed", f.algorithm)
	case f.placementText == "" && f.routingText != "":
		return usagef("--routing is for the exchange of a --placement")
	case f.routingText != "" && model == exchange.StoreAndForward:
		return usagef("--routing is for --model %s: by %s blocks take the way that suits the steps", exchange.Wormhole,
			exchange.StoreAndForward)
	case f.direct && (f.placementText == "" || model != exchange.Wormhole):
		return usagef("--direct is for the exchange of a --placement by --model %s", exchange.Wormhole)
	case f.graphText != "" && model == exchange.Wormhole:
		return usagef("--graph %s: %s is for tori only", f.graphText, exchange.Wormhole)
	case f.variant != "" && (model != exchange.Wormhole || f.placementText != ""):
		return usagef("--variant is for t4, t1, c1, c64 and ring")
	}
	return nil
}

func (f *exchangeFlags) readVariant() (*wormhole.Variant, error) {
	if f.variant == "" {
		return nil, nil
	}
	for _, v := range []wormhole.Variant{wormhole.Published, wormhole.Balanced} {
		if f.variant == v.String() {
			return &v, nil
		}
	}
	return nil, usagef("--variant %q: neither %s nor %s", f.variant, wormhole.Published, wormhole.Balanced)
}

// machine reads the costs.
func (f *exchangeFlags) machine() (m wormhole.Machine, err error) {
	var cost [3]*big.Rat
	flags := []struct{ flag, text string }{{"startup", f.startup}, {"transmit", f.transmit}, {"block", f.block}}
	for i, c := range flags {
		if cost[i], err = parseFraction(c.text); err != nil {
			return m, inFlag(c.flag, err)
		}
		if cost[i].Sign() < 0 {
			return m, usagef("--%s %s: below 0", c.flag, c.text)
		}
	}
	return wormhole.Machine{Startup: cost[0], PerBlock: cost[1].Mul(cost[1], cost[2])}, nil
}

// readSolver reads --backend and --time. A proof goes next to the schedule.
func (f *exchangeFlags) readSolver() (s schedule.Solver, err error) {
	if f.algorithm != schedule.SAT {
		switch {
		case f.backend != "":
			return s, usagef("--backend is for --algorithm %s", schedule.SAT)
		case f.timeText != "":
			return s, usagef("--time is for --algorithm %s", schedule.SAT)
		}
		return s, nil
	}
	if f.timeText != "" {
		if s.Time, err = readTime(f.timeText); err != nil {
			return s, err
		}
	}
	if f.backend == "" {
		return s, nil
	}
	if s.Program, err = backend.Find(f.backend); err != nil {
		return s, inFlag("backend", err)
	}
	if filepath.Base(s.Program) == backend.Clasp {
		return s, inFlag("backend", &backend.ProofError{Solver: f.backend})
	}
	if f.scheduleFile == "" {
		return s, nil
	}
	if info, err := os.Stat(f.scheduleFile); err == nil && !info.Mode().IsRegular() {
		return s, usagef("--schedule %s is no regular file: with --backend a proof lies next to the schedule",
			f.scheduleFile)
	}
	s.Proof = strings.TrimSuffix(f.scheduleFile, ".json") + proofEnding
	return s, results.CheckTarget(s.Proof)
}

// modelOf returns the model that an algorithm is for, "" for auto and unknown ones.
func modelOf(algorithm string) exchange.Model {
	switch algorithm {
	case schedule.Product, schedule.A1, schedule.Pack, schedule.SAT:
		return exchange.StoreAndForward
	case "t4", "t1", "c1", "c64", "ring":
		return exchange.Wormhole
	}
	return ""
}

func (a *app) printExchange(d schedule.Document) {
	where := "graph " + d.Graph
	if d.Torus != nil {
		where = "torus " + core.JoinInts(d.Torus, "x")
	}
	if d.Processors != nil {
		where += fmt.Sprintf(", %d processors", *d.Processors)
	}
	a.printf("%s, %s, %s\n", where, d.Model, strings.TrimSpace(d.Algorithm+" "+d.Variant))
	if d.Steps != nil {
		a.printf("steps         %d, at least %d (%s)\n", *d.Steps, d.LowerBound["steps"], d.BoundReason)
	} else {
		a.printf("startups      %d, at least %d\n", *d.Startups, d.LowerBound["startups"])
		a.printf("transmission  %d blocks, at least %d%s\n", *d.Transmission, d.LowerBound["transmission"],
			independently(d))
	}
	if d.DirectPhases != nil {
		a.printf("direct paths  %d phases by %s, at least %d: %s\n", *d.DirectPhases, d.Routing, *d.DirectLowerBound,
			d.DirectReason)
	}
	a.printf("latency       %s\n", d.Latency)
	a.printf("optimal       %s\n", optimality(d))
	a.printf("check         %s\n", exchangeChecks[d.CheckedBy])
	a.printRanking(d)
	if d.Sync != nil {
		a.printf("synchronised  by barriers after the phases %v (from 0), or by %d signals\n", d.Sync.Barriers,
			len(d.Sync.Signals))
	}
}

// optimality says whether the schedule is known to be optimal, and why.
func optimality(d schedule.Document) string {
	switch {
	case d.Proof != nil && d.Proof.Kind == results.ProofUnsat:
		return fmt.Sprintf("yes, %s proved that %d steps are too few; the proof was checked", d.Proof.Engine,
			d.Proof.Below-1)
	case d.Optimal:
		return "yes, it reaches the lower bounds"
	case d.SolverClaim != nil:
		return fmt.Sprintf("not proved: %s says that %d steps are too few, and left no proof; --backend cadical leaves one", d.SolverClaim.Engine, d.SolverClaim.Below-1)
	case d.Transmission != nil && int64(*d.Transmission) == d.LowerBound["transmission"]:
		paths := ""
		if d.Routing != "" && d.Algorithm == schedule.Pack {
			paths = " along paths of " + d.Routing
		}
		return fmt.Sprintf("no schedule%s sends less; whether one has fewer startups is not known", paths)
	}
	return "not known"
}

// exchangeChecks says what each kind of check amounts to.
var exchangeChecks = map[string]string{
	schedule.ByChecker: "all blocks arrive, one port each way, no link twice in a phase",
	schedule.ByClasses: "all blocks arrive, one port each way, no link twice in a phase (by translation classes)",
	schedule.ByFormula: "too large to be simulated: figures are those of the plan",
}

func independently(d schedule.Document) string {
	if d.Independent == nil || *d.Independent == *d.Transmission {
		return ""
	}
	return fmt.Sprintf(" (%d if groups do not wait for each other)", *d.Independent)
}

func (a *app) printRanking(d schedule.Document) {
	for i, s := range d.Ranking {
		a.printf("%-13s %-16s latency %s (startups %s, transmission %s)%s\n", map[bool]string{true: "ranking"}[i == 0],
			strings.TrimSpace(s.Algorithm+" "+s.Variant), s.Latency, s.Startups, s.Transmission, separated(s.Note))
	}
	for _, c := range d.Crossovers {
		a.printf("fastest       %s from t_s/(b t_x) = %s on\n", strings.TrimSpace(c.Algorithm+" "+c.Variant), c.From)
	}
	for _, r := range d.Refused {
		a.printf("refused       %s: %s\n", r.Algorithm, r.Reason)
	}
}
