package main

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
	"leeway/search/backend"
	"leeway/search/census"
	"leeway/search/exhaustive"
	"leeway/search/family"
	"leeway/search/levels"
	"leeway/search/local"
	"leeway/search/margin"
	"leeway/search/orderly"
	"leeway/search/sat"
)

// warmUp is how many swaps prove tries to find a good placement before an engine
// that can finish takes over; fewer where a full count takes no time, and
// where only one value is asked about.
const (
	warmUp      = 200_000
	smallWarmUp = 1000
)

// A proving holds the flags of prove.
type proving struct {
	hunt
	engine, backend, symmetry, below, work, partText string
	serve                                            string // address of a live page, "" for none
	known                                            []string
	cluster                                          clusterFlags
	lead                                             *lead // nil: this machine alone

	list  neighbours       // what is known of other sizes
	limit *big.Rat         // read from below; nil without it
	part  func(i int) bool // slices to walk; nil: all
}

func (a *app) proveCommand() *cobra.Command {
	h := &proving{}
	cmd := &cobra.Command{
		Use:   "prove",
		Short: "Prove the smallest E_max of a size on a small torus",
		Long: `Find the smallest E_max of --size processors under --routing and say why no
placement has less. Without a budget it runs to the end.

A record is optimal only with a proof that "leeway check" repeats: a bound that
holds for every placement of the size and equals the value; a full count on up to
20 nodes; a census in slices, walked by the engines orderly (any torus), margin (two
dimensions, by row and column counts) or levels (more dimensions, by slab counts),
which run side by side; or the proof of a smaller size, where the optimum is the
same. What only the engine sat says is noted as a claim.

--backend lets an installed SAT solver prove, with a proof in the form of DRAT next
to the record, which check goes through step by step.

--symmetry asks for the best placement among those that a group of symmetries leaves
as they are: exact among them, and a way to good placements on larger tori. It says
nothing about other placements.

With --work the slices walked are kept in a file, and a stopped proof goes on from
there. --part 2/3 walks the second third only: parts, with the same seed and --engine,
may run on other machines, and their files be joined end to end.

With --cluster listen:PORT other machines may take part with "leeway worker"; with
--work the proof goes on even after a kill. The engines then take their turn: the
first that can do the problem does it.`,
		Example: `  leeway prove --torus 4x4 --size 4 --routing odr:tie=both
  leeway prove --torus 8x8 --size 16 --routing udr:tie=both --all
  leeway prove --torus 6x6 --size 1..36 --routing udr --json
  leeway prove --torus 8x8 --size 17 --routing udr:tie=both --below 4
  leeway prove --torus 10x10 --size 20 --routing odr --symmetry t=5,5
  leeway prove --torus 5x5x5 --size 11 --routing udr:tie=both --work 5x5x5.slices
  leeway prove --torus 8x8 --size 15 --routing odr --engine orderly --work a.slices --cluster listen:4222`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h.none = h.cluster.where != ""
			problems, b, err := h.read(cmd)
			if err != nil {
				return err
			}
			if err := h.cluster.validate(cmd, b.workers); err != nil {
				return err
			}
			if h.below != "" {
				if h.limit, err = results.ParseFraction(h.below); err != nil {
					return usagef("--below %q: %v", h.below, err)
				}
			}
			if h.part, err = readPart(h.partText); err != nil {
				return err
			}
			switch {
			case h.below != "" && h.all:
				return usagef("--all lists the optimal placements, --below asks about a value: give one of them")
			case h.backend != "" && cmd.Flags().Changed("engine"):
				return usagef("--backend names the engine: leave --engine away")
			case h.symmetry != "" && (h.all || h.backend != "" || h.work != "" || cmd.Flags().Changed("engine")):
				return usagef("--symmetry is for the engine orbit: it goes with --below and budgets only")
			case h.cluster.where != "" && (h.part != nil || h.backend != "" || h.symmetry != "" || h.engine == "sat" || h.engine == "bound" || h.engine == "exhaustive"):
				return usagef("--cluster shares a census: it goes with neither --part, --backend, --symmetry nor the engines sat, bound and exhaustive")
			case h.cluster.where != "" && h.all:
				return &usageError{err: usagef("--cluster shares the proof, --all is the work of one machine"), hint: "prove with --work FILE; then the same with --all, without --cluster, goes on from FILE"}
			case h.cluster.where == "" && h.serve != "":
				return &usageError{err: usagef("--serve shows the proof of a cluster"), hint: "add --cluster listen:PORT"}
			case h.part != nil && h.work == "":
				return &usageError{err: usagef("--part %q: the slices walked would be lost", h.partText), hint: "add --work FILE"}
			}
			if h.list, err = a.readNeighbours(cmd.Context(), h.known, b.workers); err != nil {
				return err
			}
			if h.cluster.where != "" {
				return a.proveTogether(cmd.Context(), h, problems, b)
			}
			if h.symmetry != "" {
				return a.proveSymmetric(cmd.Context(), h, problems, b)
			}
			return a.prove(cmd.Context(), h, problems, b)
		},
	}
	h.register(cmd)
	h.cluster.register(cmd)
	cmd.Flags().BoolVar(&h.all, "all", false, "also list all optimal placements, one of each orbit")
	cmd.Flags().StringVar(&h.below, "below", "", "only answer whether some placement has E_max below this fraction")
	cmd.Flags().StringVar(&h.engine, "engine", "auto", "engine: "+strings.Join(engineNames(), ", "))
	cmd.Flags().StringVar(&h.backend, "backend", "", "let an installed solver prove: "+strings.Join(backend.Names(), ", ")+", or a path; its proof stands next to the record")
	cmd.Flags().StringVar(&h.symmetry, "symmetry", "", "look only among the placements with this symmetry: t=4,4 (a translation), -1, p=1,0:s=+-:t=0,1; several joined by ;")
	cmd.Flags().StringVar(&h.work, "work", "", "file that keeps the slices walked; a proof stopped before goes on from it")
	cmd.Flags().StringVar(&h.partText, "part", "", "walk part I of K only, written I/K; needs --work")
	cmd.Flags().StringVar(&h.serve, "serve", "", "cluster: HOST:PORT of a live page of the proof; port 0 takes a free one")
	cmd.Flags().StringSliceVar(&h.known, "known", nil, "records of smaller sizes, or of routings with the same loads, whose proofs may be used")
	return cmd
}

// prove answers about a value, or finds the optima.
func (a *app) prove(ctx context.Context, h *proving, problems []objective.Problem, b budget) error {
	if h.limit != nil {
		return a.proveBelow(ctx, h, problems, b)
	}
	return a.hunt(ctx, &h.hunt, problems, b, func(p objective.Problem) (task, error) { return a.proofTask(h, p, len(problems)) })
}

// readPart reads I/K and returns the slices that belong to it, nil for all.
func readPart(text string) (func(i int) bool, error) {
	if text == "" {
		return nil, nil
	}
	first, second, _ := strings.Cut(text, "/")
	part, errA := strconv.Atoi(first)
	parts, errB := strconv.Atoi(second)
	if errA != nil || errB != nil || part < 1 || part > parts {
		return nil, usagef("--part %q: not a part and how many there are, like 2/3", text)
	}
	return func(i int) bool { return i%parts == part-1 }, nil
}

// proofTask returns what is to be done about one of several problems.
func (a *app) proofTask(h *proving, p objective.Problem, problems int) (task, error) {
	t := task{known: &h.list, lead: h.lead, forced: h.backend != "" || h.engine != "auto" && h.engine != "bound"}
	t.plain = h.engine != "bound" && margin.Engine{}.Supports(p) == nil
	if h.work != "" {
		path := h.work
		if problems > 1 {
			path = fmt.Sprintf("%s.n%d", path, p.Size)
		}
		var err error
		if t.log, err = a.openWorkLog(path, p); err != nil {
			return t, err
		}
	}
	var err error
	t.methods, err = h.engines(p, t.log)
	return t, err
}

// engines returns the methods of a proof: first those that find a good
// placement, then the engine that is named. With auto that is the full count on
// tori of up to 20 nodes, beyond the census engines that support the problem, side
// by side, and sat where there is none; on large tori none does, and a placement
// and the bound are left.
func (h *proving) engines(p objective.Problem, log *workLog) ([]search.Method, error) {
	list := []search.Method{family.Method{}}
	swaps := int64(warmUp)
	if h.limit != nil || exhaustive.New().Supports(p) == nil {
		swaps = smallWarmUp
	}
	if (local.Method{}).Supports(p) == nil {
		list = append(list, search.Limited{Method: local.Method{}, Evaluations: swaps})
	}
	if h.backend != "" {
		m, err := h.outside(p)
		return append(list, m), err
	}
	if h.engine == "bound" {
		return list, nil
	}
	engines := engineList()
	if h.engine == "auto" {
		for _, e := range slices.Concat(engines[:1], []search.Method{census.Method{Engines: censusEngines()}}, engines[1:]) {
			if e.Supports(p) == nil {
				return append(list, h.logged(e, log)), nil
			}
		}
		return list, nil
	}
	for _, e := range engines {
		if e.Name() == h.engine {
			return append(list, h.logged(e, log)), e.Supports(p)
		}
	}
	return nil, &usageError{err: usagef("--engine %q: unknown engine", h.engine), hint: "engines are " + strings.Join(engineNames(), ", ")}
}

// logged gives a census its log and its part.
func (h *proving) logged(m search.Method, log *workLog) search.Method {
	if c, ok := m.(census.Method); ok {
		c.Wanted, c.Below = h.part, h.limit
		if h.lead != nil {
			c.Crew = h.lead
		}
		if log != nil {
			c.Log = log
		}
		return c
	}
	return m
}

// censusEngines lists the engines that walk trees.
func censusEngines() []census.Engine {
	return []census.Engine{margin.Engine{}, levels.Engine{}, orderly.Engine{}}
}

// boundedEngines lists the same, with bounds on what their plans take.
func boundedEngines(kept int, steps int64) []census.Engine {
	return []census.Engine{margin.Engine{Margins: kept, Steps: steps}, levels.Engine{Most: kept, Steps: steps}, orderly.Engine{}}
}

// engineList lists the engines that can finish, the full count first.
func engineList() []search.Method {
	list := []search.Method{exhaustive.New()}
	for _, e := range censusEngines() {
		list = append(list, census.Method{Engines: []census.Engine{e}})
	}
	return append(list, sat.New())
}

// engineNames returns the values of --engine.
func engineNames() []string {
	names := []string{"auto", "bound"}
	for _, engine := range engineList() {
		names = append(names, engine.Name())
	}
	return names
}

// addOptima adds all optimal placements to an optimal record.
func (a *app) addOptima(ctx context.Context, record *results.Record, p objective.Problem, b budget) error {
	value, err := results.ParseFraction(record.MaxLoad)
	if err != nil {
		return err
	}
	if record.Status != results.StatusOptimal {
		a.remark("no optimal placements are listed: %s is not proved", record.MaxLoad)
		return nil
	}
	found, err := orderly.Enumerate(ctx, p, value, orderly.Options{Workers: b.workers})
	if err != nil {
		return err
	}
	if !found.Complete() || !found.Labelled.IsInt64() {
		a.remark("no optimal placements are listed: their enumeration did not end")
		return nil
	}
	var optima []core.Placement
	for _, nodes := range found.Representatives {
		placement, err := core.NewPlacement(p.Torus(), nodes)
		if err != nil {
			return err
		}
		optima = append(optima, placement)
	}
	record.AddOptima(optima, found.Labelled.Int64())
	return nil
}
