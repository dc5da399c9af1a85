package main

import (
	"strings"

	"github.com/spf13/cobra"

	"leeway/objective"
	"leeway/search"
	"leeway/search/exhaustive"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/sat"
)

// warmUp is how many evaluations prove spends on finding a good placement before
// an engine that can finish takes over.
const warmUp = 40_000

func (a *app) proveCommand() *cobra.Command {
	var h hunt
	var engine string
	cmd := &cobra.Command{
		Use:   "prove",
		Short: "Prove the smallest E_max of a size on a small torus",
		Long: `Find the smallest E_max of --size processors under --routing and say why no
placement has less. Without a budget it runs to the end.

A record is optimal only with a proof that "leeway check" repeats: a bound that
holds for every placement of the size and equals the value, or, for up to 20
nodes, a full count. On larger tori the SAT engine lowers the limit until the
solver finds no placement; the solver leaves no proof, so the record stays
feasible and notes the refutation as the solver's claim.`,
		Example: `  leeway prove --torus 4x4 --size 4 --routing odr:tie=both
  leeway prove --torus 5x5 --size 5 --routing odr --engine sat --time 60s`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			problems, b, err := h.read(cmd)
			if err != nil {
				return err
			}
			return a.hunt(cmd.Context(), &h, problems, b, func(p objective.Problem) ([]search.Method, error) {
				return engines(engine, p)
			})
		},
	}
	h.register(cmd)
	cmd.Flags().StringVar(&engine, "engine", "auto", "engine: "+strings.Join(engineNames, ", "))
	return cmd
}

// engineNames are the values of --engine.
var engineNames = []string{"auto", "bound", "exhaustive", "sat"}

// engines returns the methods of a proof: first those that find a good
// placement, then the engine that can finish. With auto that is the full count
// where it applies, the SAT engine where it does not, and neither on large tori.
func engines(name string, p objective.Problem) ([]search.Method, error) {
	list := []search.Method{family.Method{}}
	if (genetic.Method{}).Supports(p) == nil {
		list = append(list, search.Limited{Method: genetic.Method{}, Evaluations: warmUp})
	}
	switch name {
	case "bound":
		return list, nil
	case "exhaustive":
		return append(list, exhaustive.New()), exhaustive.New().Supports(p)
	case "sat":
		return append(list, sat.New()), sat.New().Supports(p)
	case "auto":
		for _, engine := range []search.Method{exhaustive.New(), sat.New()} {
			if engine.Supports(p) == nil {
				return append(list, engine), nil
			}
		}
		return list, nil // too large for both: a placement and the bound are left
	default:
		return nil, &usageError{err: usagef("--engine %q: unknown engine", name), hint: "engines are " + strings.Join(engineNames, ", ")}
	}
}
