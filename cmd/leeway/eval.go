package main

import (
	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/results"
)

func (a *app) evalCommand() *cobra.Command {
	var s subject
	var withLoads bool
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
			e, err := unlessStopped(cmd.Context(), "the loads were", func() (results.Evaluation, error) {
				return work.Evaluate(cmd.Context(), r, p, s.asJSON, withLoads)
			})
			if err != nil {
				return err
			}
			return a.show(s.asJSON, e, func() { a.printEvaluation(p.Torus(), e) })
		},
	}
	s.flags(cmd, "torus", "placement", "routing", "json")
	cmd.Flags().BoolVar(&withLoads, "loads", false, "also list every link with a load above 0")
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
