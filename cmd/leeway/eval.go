package main

import (
	"math/big"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/results"
)

func (a *app) evalCommand() *cobra.Command {
	var s subject
	var withLoads bool
	cmd := &cobra.Command{
		Use:   "eval [FILE]",
		Short: "Compute the exact load of a placement under a routing",
		Long: `Compute the exact load that a placement puts on every link under a routing, when
every processor sends one message to every other. The subject is a record, or --torus
or --mesh, --placement and --routing. Where links have different bandwidths, the load
of a link is what goes over it divided by its bandwidth.`,
		Example: `  leeway eval --torus 8x8 --placement multilinear:t=2 --routing udr:tie=both
  leeway eval --torus 4x4 --placement linear --routing odr --loads --json
  leeway eval --mesh 8x8 --placement spaced:t=2 --routing odr
  leeway eval best.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			r, p, err := s.given(cmd.Context(), files)
			if err != nil {
				return err
			}
			e, err := cli.UnlessStopped(cmd.Context(), "the loads were", func() (results.Evaluation, error) {
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
	decimal := results.WithDecimal
	a.Printf("%-12s %s, %d nodes, %d directed links\n", kindOf(e.Grid), t, t.N(), e.Links)
	a.Printf("routing      %s\n", e.Routing)
	a.Printf("processors   %d\n", e.Size)
	a.Printf("E_max        %s on %d links\n", decimal(e.MaxLoad), e.LinksAtMax)
	if each, err := results.ParseFraction(e.Throughput); err == nil {
		each.Mul(each, big.NewRat(int64(e.Size-1), 1))
		a.Printf("throughput   %s exchanges per unit time, %s messages per processor\n", decimal(e.Throughput),
			decimal(results.FormatFraction(each)))
	}
	a.Printf("mean load    %s\n", decimal(e.MeanLoad))
	a.Printf("uniform      %s\n", uniformIn(e.Uniform))
	for _, l := range e.Loads {
		a.Printf("load         %s dimension %d %s  %s\n", core.JoinInts(l.From, ","), l.Dim, l.Dir, decimal(l.Load))
	}
}

// kindOf names what something is on.
func kindOf(g results.Grid) string {
	if g.Network == "" {
		return "torus"
	}
	return "network"
}

// uniformIn says in words in which dimensions every slab has as many processors as the others.
func uniformIn(dims []bool) string {
	var yes []int
	for j, uniform := range dims {
		if uniform {
			yes = append(yes, j)
		}
	}
	switch list := core.JoinInts(yes, ", "); len(yes) {
	case 0:
		return "in no dimension"
	case 1:
		return "in dimension " + list
	default:
		return "in dimensions " + list
	}
}
