package main

import (
	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/objective"
	"leeway/results"
)

func (a *app) evalCommand() *cobra.Command {
	var s subject
	var asJSON, withLoads bool
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Compute the exact load of a placement under a routing",
		Long: `Compute the exact load that a placement puts on every link under a routing, when
every processor sends one message to every other.`,
		Example: `  leeway eval --torus 8x8 --placement multilinear:t=2 --routing udr:tie=both
  leeway eval --torus 4x4 --placement linear --routing odr --loads --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, p, err := s.instance(cmd.Context())
			if err != nil {
				return err
			}
			t, listed := p.Torus(), 0
			if asJSON {
				listed = p.Size()
			}
			if withLoads {
				listed += t.M()
			}
			if err := work.Enough(t, "evaluating a placement and listing what is asked for", work.EvaluationBytes(r, p.Size())+work.ListBytes(t, listed)); err != nil {
				return err
			}
			e, err := unlessStopped(cmd.Context(), grace, "the loads were", func() (results.Evaluation, error) {
				loads, err := objective.EvaluateContext(cmd.Context(), r, p)
				if err != nil {
					return results.Evaluation{}, err
				}
				return results.NewEvaluation(r, p, loads, withLoads), nil
			})
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(e)
			}
			a.printEvaluation(p.Torus(), e)
			return nil
		},
	}
	s.torusFlag(cmd)
	s.placementFlag(cmd)
	s.routingFlag(cmd)
	cmd.Flags().BoolVar(&withLoads, "loads", false, "also list every link with a load above 0")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) printEvaluation(t *core.Torus, e results.Evaluation) {
	a.printf("torus        %s, %d nodes, %d directed links\n", t, t.N(), e.Links)
	a.printf("routing      %s\n", e.Routing)
	a.printf("processors   %d\n", e.Size)
	a.printf("E_max        %s on %d links\n", e.MaxLoad, e.LinksAtMax)
	a.printf("mean load    %s\n", e.MeanLoad)
	a.printf("uniform      %v by dimension\n", e.Uniform)
	for _, l := range e.Loads {
		a.printf("load         %v dimension %d %s  %s\n", l.From, l.Dim, l.Dir, l.Load)
	}
}
