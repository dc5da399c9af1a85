package main

import (
	"context"

	"github.com/spf13/cobra"

	"leeway/results"
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
every other, and check it. On a torus (wormhole routing, one port each way):
t4, t1, c1, c64, ring, or the fastest of them (auto). By store and forward, on a
torus or a product of graphs: product (A2), pack, or the better of them (auto).
With --placement only the processors of a placement exchange: by wormhole routing
in the least transmission, or, if --startup, --transmit or --block are given, by
the fastest of packings and plans for the whole torus. For tiny cases sat
finds the fewest steps; with --backend it proves that there are no fewer.

Up to 4096 nodes the checker follows every block; above, blocks are followed by
translation classes, or, where these are too many too, figures are those of the
formulas and nothing is said about delivery. --ranks writes what each processor
sends and receives, for MPI or NCCL code.`,
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
			q.solver.observe = func(steps int) { a.remark("asking whether %d steps do", steps) }
			e, err := f.answer(cmd.Context(), q)
			if err != nil {
				return err
			}
			if f.asJSON {
				return a.printJSON(e.document)
			}
			a.printExchange(e.document)
			return nil
		},
	}
	f.register(cmd)
	return cmd
}

// answer makes the schedule, checks it, and writes the files that are asked for.
func (f *exchangeFlags) answer(ctx context.Context, q exchangeQuestion) (*solvedExchange, error) {
	e, err := unlessStopped(ctx, grace, "the schedule was", func() (*solvedExchange, error) {
		e, err := q.solve(ctx)
		if err == nil {
			err = e.writable(f.scheduleFile, f.ranksFile)
		}
		if err == nil && f.sync {
			err = e.synchronise()
		}
		if err == nil {
			err = e.check(ctx)
		}
		return e, err
	})
	if err == nil {
		err = e.settle(ctx)
	}
	if err == nil {
		err = e.write(ctx, f.scheduleFile, f.ranksFile)
	}
	return e, err
}

func (f *exchangeFlags) register(cmd *cobra.Command) {
	f.mostNodes = manyNodes
	f.torusFlag(cmd)
	f.placementFlag(cmd)
	f.routingFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.graphText, "graph", "", "product of graphs instead of a torus: ring:6,path:3,complete:4,circulant:12:1+3,graph:0-1+1-2")
	flags.StringVar(&f.algorithm, "algorithm", algorithmAuto, "t4, t1, c1, c64, ring, product, product-a1 (for comparison), pack, sat or auto")
	flags.StringVar(&f.variant, "variant", "", "published or balanced: which way half-way blocks go (default published; with auto both are ranked)")
	flags.StringVar(&f.model, "model", "", "store-and-forward or wormhole (default: what the algorithm is for; with --placement wormhole if there is a --routing)")
	flags.StringVar(&f.startup, "startup", "1", "time of a startup, a fraction")
	flags.StringVar(&f.transmit, "transmit", "1", "time to send a unit of data, a fraction")
	flags.StringVar(&f.block, "block", "1", "units of data in a block, a fraction")
	flags.StringVar(&f.scheduleFile, "schedule", "", "file to write the phases to, for leeway check")
	flags.StringVar(&f.ranksFile, "ranks", "", "file to write the sends and receives of each processor to, as JSON lines")
	flags.StringVar(&f.backend, "backend", "", "with --algorithm sat: an installed solver, cadical or kissat, that proves what it says; the proof lies next to --schedule")
	flags.StringVar(&f.timeText, "time", "", "with --algorithm sat: time for the solver, as 90s or 5m (default: until it ends)")
	flags.BoolVar(&f.direct, "direct", false, "with --placement by wormhole routing: sends may turn, and blocks do not stop on their way")
	flags.BoolVar(&f.sync, "sync", false, "find the barriers or signals that the schedule needs")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	cmd.MarkFlagsMutuallyExclusive("torus", "graph")
	cmd.MarkFlagsMutuallyExclusive("placement", "graph")
	cmd.MarkFlagsMutuallyExclusive("routing", "graph")
}

// defaultExchangeRouting is taken for a placement by wormhole routing if no routing is
// given.
const defaultExchangeRouting = "udr"

// The algorithms that are no plan of a torus.
const (
	algorithmAuto    = "auto"
	algorithmProduct = "product"
	algorithmA1      = "product-a1" // for comparison
	algorithmPack    = "pack"
	algorithmSAT     = "sat"
)

// modelOf returns the model that an algorithm is for, "" for auto and unknown ones.
func modelOf(algorithm string) string {
	switch algorithm {
	case algorithmProduct, algorithmA1, algorithmPack, algorithmSAT:
		return results.StoreAndForward
	case "t4", "t1", "c1", "c64", "ring":
		return results.Wormhole
	}
	return ""
}
