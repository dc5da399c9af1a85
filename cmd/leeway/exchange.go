package main

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work/schedule"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/objective/exchange/wormhole"
	"leeway/results"
	"leeway/results/disk"
	"leeway/search/backend"
)

// exchangeFlags are the flags of exchange.
type exchangeFlags struct {
	subject
	graphText, algorithm, variant, model string
	backend                              string
	time                                 time.Duration // of the solver, 0: any
	startup, transmit, block             string
	scheduleFile, ranksFile              string
	direct, sync                         bool
}

func (a *app) exchangeCommand() *cobra.Command {
	f := exchangeFlags{algorithm: schedule.Auto, startup: "1", transmit: "1", block: "1"}
	cmd := command("exchange", "Schedule complete exchange: who sends which blocks when", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			q, err := f.read(cmd)
			if err != nil {
				return err
			}
			q.Solver.Observe = func(steps int) { a.Remark("asking whether %d steps suffice", steps) }
			answer, err := q.Answer(cmd.Context())
			if err == nil {
				err = a.Writing(func() error {
					return answer.Finish(cmd.Context(), f.scheduleFile, f.ranksFile)
				}, f.scheduleFile, f.ranksFile)
			}
			var part *schedule.PartError
			switch {
			case errors.As(err, &part):
				return cli.InFlag(part.Part, part.Err)
			case err != nil:
				return err
			}
			return a.show(answer.Document, func() { a.tell("exchange", answer.Document) })
		})
	f.mostNodes = manyNodes
	f.flags(cmd, "torus", "network", "placement", "routing", "json")
	for _, axis := range objective.Axes {
		if slices.Contains([]string{"traffic", "per-node", "fixed"}, axis.Name) {
			f.axisFlag(cmd, axis)
		}
	}
	cmd.Flags().Lookup("fixed").Usage = "the nodes of the tasks of a matrix, where --placement does not say them: " +
		"0=0,0+1=7,7"
	addFlags(cmd, []flag{
		{&f.graphText, "graph",
			"product of graphs instead of a torus: ring:6,path:3,complete:4,circulant:12:1+3,graph:0-1+1-2"},
		{&f.algorithm, "algorithm", "t4, t1, c1, c64, ring, product, pack, sat or auto"},
		{&f.variant, "variant",
			"published or balanced: the direction of half-way blocks (default published; with auto both are ranked)"},
		{&f.model, "model",
			"store-and-forward, wormhole, or all-port: every link carries a block in a step, or as many as its bandwidth says " +
				"(default: the model of the algorithm; with --placement wormhole if --routing is given)"},
		{&f.startup, "startup", "time of a startup, a fraction"},
		{&f.transmit, "transmit", "time to send a unit of data, a fraction"},
		{&f.block, "block", "units of data in a block, a fraction"},
		{&f.scheduleFile, "out", "write the phases to this file, for leeway check"},
		{&f.scheduleFile, "schedule", "another name of --out"},
		{&f.ranksFile, "ranks", "write the sends and receives of each processor to this file, as JSON lines"},
		{&f.backend, "backend",
			"with --algorithm sat: an installed solver, cadical or a path, that writes a proof in LRAT, which is kept next to " +
				"the file of --out"},
		{&f.time, "time", "with --algorithm sat: time limit of the solver, such as 90s or 5m (default: none)"},
		{&f.direct, "direct", "for a placement by wormhole routing: sends may turn, so that blocks do not stop on their way"},
		{&f.sync, "sync", "find the barriers or signals that the schedule needs"},
	}...)
	cli.Need(cmd, "backend time", "algorithm="+schedule.SAT, "add --algorithm "+schedule.SAT)
	cli.Exclude(cmd, "out", "schedule", "")
	cli.Exclude(cmd, "graph", "torus mesh network placement routing", "")
	return cmd
}

// read validates the flags.
func (f *exchangeFlags) read(cmd *cobra.Command) (q schedule.Question, err error) {
	q.Algorithm, q.Direct, q.Sync = f.algorithm, f.direct, f.sync
	var model exchange.Model
	if q.Machine, err = f.machine(); err == nil {
		q.Variant, err = f.readVariant()
	}
	if err == nil {
		model, err = f.readModel()
	}
	if err == nil {
		q.Solver, err = f.readSolver()
	}
	switch {
	case err != nil:
		return q, err
	case f.graphText != "":
		q.Network, err = steps.ParseNetwork(f.graphText)
		return q, cli.InFlag("graph", err)
	case f.where() == "":
		return q, cli.Missing("torus (or --graph)", "")
	}
	names, placed := []string{"torus"}, cmd.Flags().Changed("placement")
	sends := f.asks(objective.GroupTraffic, objective.GroupConditions)
	switch {
	case sends && model != exchange.AllPort:
		return q, cli.Errorf("--traffic, --per-node and --fixed are for --model %s", exchange.AllPort)
	case sends && !placed && *f.axes["fixed"] == "":
		return q, cli.Missing("placement", "")
	}
	if placed {
		names = append(names, "placement")
		q.Ranked = f.algorithm == schedule.Auto &&
			slices.ContainsFunc([]string{"startup", "transmit", "block"}, cmd.Flags().Changed)
		if model == exchange.Wormhole {
			f.routingText = cmp.Or(f.routingText, "udr")
		}
	}
	if f.routingText != "" {
		names = append(names, "routing")
	}
	f.onlyPlain = model == exchange.Wormhole
	if err = f.subject.read(cmd.Context(), names...); err != nil {
		return q, err
	}
	q.Torus = f.network
	if model.InSteps() {
		if q.Network, err = steps.NewNetwork(q.Torus, model); err != nil {
			return q, cli.InFlag("torus", err)
		}
	}
	if sends {
		if q.Traffic, err = f.readTraffic(cmd.Context()); err != nil {
			return q, err
		}
		placed = true
	}
	size := q.Torus.N()
	if placed {
		q.Routing, q.Placement, size = f.chosen, &f.placed, f.placed.Size()
	}
	if (f.scheduleFile != "" || f.ranksFile != "") && size > schedule.MaxFollowed {
		return q, cli.Errorf("schedules of more than %d processors are not written: this one has %d", schedule.MaxFollowed,
			size)
	}
	return q, nil
}

// readTraffic reads --traffic, --per-node and --fixed, which says where all tasks of a matrix are if --placement does
// not.
func (f *exchangeFlags) readTraffic(ctx context.Context) (objective.Traffic, error) {
	r := f.chosen
	if r == nil {
		r = routing.NewMinimal(f.network, routing.TieBoth)
	}
	f.matrices = true
	p, err := f.readAxes(ctx, objective.Problem{Routing: r, Size: f.placed.Size()}, objective.GroupTraffic,
		objective.GroupConditions)
	switch m := p.Traffic.Matrix; {
	case err != nil:
		return p.Traffic, err
	case m == nil && *f.axes["fixed"] != "":
		return p.Traffic, cli.Errorf("--fixed is for the tasks of a matrix: --placement says where processors are")
	case m == nil:
		return p.Traffic, nil
	case f.placementText == "" && len(p.Pinned) < m.Tasks:
		return p.Traffic, cli.Errorf("--fixed %s: it says where %d of %s are", *f.axes["fixed"], len(p.Pinned),
			core.Count(m.Tasks, "task")).Hinted("give the nodes of all with --placement; leeway search finds good ones")
	case f.placementText == "":
		var at []int
		for _, pin := range p.Pinned {
			at = append(at, pin.Node)
		}
		if f.placed, err = core.PlaceTasks(f.network, at); err != nil {
			return p.Traffic, err
		}
	}
	if problem := p.Refusal(f.placed); problem != "" {
		return p.Traffic, cli.InFlag("placement", &core.InputError{Text: f.placementText, Problem: problem, Hint: tasksHint})
	}
	return p.Traffic, nil
}

var exchangeModels = []string{string(exchange.StoreAndForward), string(exchange.Wormhole), string(exchange.AllPort)}

// readModel returns the model that the flags settle together, after looking for those that do not go together.
func (f *exchangeFlags) readModel() (exchange.Model, error) {
	if err := cli.OneOf("algorithm", f.algorithm, schedule.Algorithms); err != nil {
		return "", err
	}
	of := schedule.ModelOf(f.algorithm)
	if f.placementText != "" && f.algorithm == schedule.Pack {
		of = "" // packing is for both
	}
	model := exchange.Model(f.model)
	if model != "" {
		if err := cli.OneOf("model", f.model, exchangeModels); err != nil {
			return "", err
		}
	}
	switch {
	case model == exchange.AllPort && f.algorithm != schedule.Auto:
		return "", cli.Errorf("--algorithm %s is not for --model %s, which chooses its own", f.algorithm, model)
	case of != "" && model != "" && of != model:
		return "", cli.Errorf("--algorithm %s is for --model %s", f.algorithm, of)
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
		return cli.Errorf("--algorithm %s is for all nodes of a torus: with --placement the sends are packed", f.algorithm)
	case f.placementText == "" && f.routingText != "" && *f.axes["fixed"] == "":
		return cli.Errorf("--routing is for the exchange of a --placement")
	case f.routingText != "" && model == exchange.StoreAndForward:
		return cli.Errorf("--routing is for --model %s and %s: by %s blocks take the way that suits the steps",
			exchange.Wormhole, exchange.AllPort, model)
	case f.sync && model == exchange.AllPort:
		return cli.Errorf("--sync is for nodes that send and receive once in a phase, not for --model %s", model)
	case f.direct && (f.placementText == "" || model != exchange.Wormhole):
		return cli.Errorf("--direct is for the exchange of a --placement by --model %s", exchange.Wormhole)
	case f.graphText != "" && model != exchange.StoreAndForward:
		return cli.Errorf("--graph %s: %s is for tori only", f.graphText, model)
	case f.variant != "" && (model != exchange.Wormhole || f.placementText != ""):
		return cli.Errorf("--variant is for t4, t1, c1, c64 and ring")
	}
	return nil
}

func (f *exchangeFlags) readVariant() (*wormhole.Variant, error) {
	if f.variant == "" {
		return nil, nil
	}
	v := wormhole.Published
	if f.variant == wormhole.Balanced.String() {
		v = wormhole.Balanced
	}
	return &v, cli.OneOf("variant", f.variant, []string{wormhole.Published.String(), wormhole.Balanced.String()})
}

// machine reads the costs.
func (f *exchangeFlags) machine() (m wormhole.Machine, err error) {
	var cost [3]*big.Rat
	flags := []struct{ flag, text string }{{"startup", f.startup}, {"transmit", f.transmit}, {"block", f.block}}
	for i, c := range flags {
		if cost[i], err = results.ParseFraction(c.text); err != nil {
			return m, cli.InFlag(c.flag, err)
		}
		if cost[i].Sign() < 0 {
			return m, cli.Errorf("--%s %s: below 0", c.flag, c.text)
		}
	}
	return wormhole.Machine{Startup: cost[0], PerBlock: cost[1].Mul(cost[1], cost[2])}, nil
}

// readSolver reads --backend and --time. A proof goes next to the schedule.
func (f *exchangeFlags) readSolver() (s schedule.Solver, err error) {
	if s.Time = f.time; f.backend == "" {
		return s, nil
	}
	if s.Program, err = backend.Prover(f.backend); err != nil {
		return s, cli.InFlag("backend:", err)
	}
	if f.scheduleFile == "" {
		return s, nil
	}
	if info, err := os.Stat(f.scheduleFile); err == nil && !info.Mode().IsRegular() {
		return s, cli.Errorf("--out %s is not a regular file: with --backend a proof lies next to the schedule",
			f.scheduleFile)
	}
	s.Proof = strings.TrimSuffix(f.scheduleFile, ".json") + proofEnding
	return s, disk.CheckTarget(s.Proof)
}
