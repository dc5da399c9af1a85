package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
	"leeway/search/exhaustive"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/margin"
	"leeway/search/orderly"
	"leeway/search/sat"
)

// warmUp is how many evaluations prove spends on finding a good placement before
// an engine that can finish takes over.
const warmUp = 40_000

func (a *app) proveCommand() *cobra.Command {
	var h hunt
	var engine, below string
	cmd := &cobra.Command{
		Use:   "prove",
		Short: "Prove the smallest E_max of a size on a small torus",
		Long: `Find the smallest E_max of --size processors under --routing and say why no
placement has less. Without a budget it runs to the end.

A record is optimal only with a proof that "leeway check" repeats: a bound that
holds for every placement of the size and equals the value, or a full count, up
to symmetry where that is needed. Beyond 20 nodes an engine says first that there
is nothing better: margin (two dimensions, by row and column counts) or sat. Then
the checker counts for itself. Where that takes too long the record stays feasible
and notes the refutation as the engine's claim.`,
		Example: `  leeway prove --torus 4x4 --size 4 --routing odr:tie=both
  leeway prove --torus 8x8 --size 16 --routing udr:tie=both --all
  leeway prove --torus 8x8 --size 17 --routing udr:tie=both --below 13/2`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			problems, b, err := h.read(cmd)
			if err != nil {
				return err
			}
			if below != "" && h.all {
				return usagef("--all lists the optimal placements, --below asks about a value: give one of them")
			}
			if below != "" {
				return a.proveBelow(cmd.Context(), &h, problems, b, engine, below)
			}
			return a.hunt(cmd.Context(), &h, problems, b, func(p objective.Problem) ([]search.Method, error) {
				return engines(engine, p)
			})
		},
	}
	h.register(cmd)
	cmd.Flags().BoolVar(&h.all, "all", false, "also list all optimal placements, one of each orbit")
	cmd.Flags().StringVar(&below, "below", "", "only answer whether some placement has E_max below this fraction")
	cmd.Flags().StringVar(&engine, "engine", "auto", "engine: "+strings.Join(engineNames(), ", "))
	return cmd
}

// engines returns the methods of a proof: first those that find a good
// placement, then the engines that can finish. With auto these are all of
// engineList that support the problem, in turn, but sat only where there is no
// other; on large tori none does, and a placement and the bound are left.
func engines(name string, p objective.Problem) ([]search.Method, error) {
	list := []search.Method{family.Method{}}
	if (genetic.Method{}).Supports(p) == nil {
		list = append(list, search.Limited{Method: genetic.Method{}, Evaluations: warmUp})
	}
	first := len(list)
	for _, engine := range engineList() {
		err := engine.Supports(p)
		switch {
		case name == engine.Name():
			return append(list, engine), err
		case name == "auto" && err == nil && (engine.Name() != sat.New().Name() || len(list) == first):
			list = append(list, engine)
		}
	}
	if name == "auto" || name == "bound" {
		return list, nil
	}
	return nil, &usageError{err: usagef("--engine %q: unknown engine", name), hint: "engines are " + strings.Join(engineNames(), ", ")}
}

// engineList lists the engines that can finish, in the order in which auto tries
// them.
func engineList() []search.Method {
	return []search.Method{exhaustive.New(), margin.New(), orderly.New(), sat.New()}
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
