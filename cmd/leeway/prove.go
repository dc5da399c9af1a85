package main

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"leeway/objective"
	"leeway/results"
	"leeway/search/backend"
	"leeway/search/slabs"
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
			problems, b, err := h.read(cmd)
			if err != nil {
				return err
			}
			if h.list, err = a.readNeighbours(cmd.Context(), h.known, b.workers); err != nil {
				return err
			}
			switch {
			case h.cluster.where != "":
				return a.proveTogether(cmd.Context(), h, problems, b)
			case h.symmetry != "":
				return a.proveSymmetric(cmd.Context(), h, problems, b)
			}
			return a.prove(cmd.Context(), h, problems, b)
		},
	}
	h.register(cmd)
	return cmd
}

func (h *proving) register(cmd *cobra.Command) {
	h.hunt.register(cmd)
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
}

// read validates the flags before any work starts.
func (h *proving) read(cmd *cobra.Command) ([]objective.Problem, budget, error) {
	h.none = h.cluster.where != ""
	problems, b, err := h.hunt.read(cmd)
	if err != nil {
		return nil, b, err
	}
	if err := h.cluster.validate(cmd, b.workers); err != nil {
		return nil, b, err
	}
	if h.below != "" {
		if h.limit, err = results.ParseFraction(h.below); err != nil {
			return nil, b, usagef("--below %q: %v", h.below, err)
		}
	}
	if h.part, err = readPart(h.partText); err != nil {
		return nil, b, err
	}
	return problems, b, h.clashes(cmd.Flags().Changed("engine"))
}

// clashes refuses flags that do not go together.
func (h *proving) clashes(engineNamed bool) error {
	switch {
	case h.below != "" && h.all:
		return usagef("--all lists the optimal placements, --below asks about a value: give one of them")
	case h.backend != "" && engineNamed:
		return usagef("--backend names the engine: leave --engine away")
	case h.symmetry != "" && (h.all || h.backend != "" || h.work != "" || engineNamed):
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
	return nil
}

// prove answers about a value, or finds the optima.
func (a *app) prove(ctx context.Context, h *proving, problems []objective.Problem, b budget) error {
	if h.limit != nil {
		return a.proveBelow(ctx, h, problems, b)
	}
	return a.hunt(ctx, &h.hunt, problems, b, func(p objective.Problem) (task, error) { return a.proofTask(ctx, h, p, len(problems)) })
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
func (a *app) proofTask(ctx context.Context, h *proving, p objective.Problem, problems int) (task, error) {
	t := task{known: &h.list, lead: h.lead, forced: h.backend != "" || h.engine != "auto" && h.engine != "bound"}
	t.plain = h.engine != "bound" && slabs.Margin{}.Supports(p) == nil
	if h.work != "" {
		path := h.work
		if problems > 1 {
			path = fmt.Sprintf("%s.n%d", path, p.Size)
		}
		var err error
		if t.log, err = a.openWorkLog(ctx, path, p, h.cluster.where != "" && h.cluster.confirm == confirmSample); err != nil {
			return t, err
		}
	}
	var err error
	t.methods, err = h.engines(p, t.log)
	return t, err
}
