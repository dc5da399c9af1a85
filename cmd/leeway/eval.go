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
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			q, p, err := s.given(cmd.Context(), files)
			if err != nil {
				return err
			}
			e, err := cli.UnlessStopped(cmd.Context(), "the loads were", func() (results.Evaluation, error) {
				return work.Evaluate(cmd.Context(), q, p, s.asJSON, withLoads)
			})
			if err != nil {
				return err
			}
			return a.show(s.asJSON, e, func() { a.printEvaluation(p.Torus(), e) })
		},
	}
	s.flags(cmd, "torus", "placement", "routing", "traffic", "json")
	cmd.Flags().BoolVar(&withLoads, "loads", false, "also list every link with a load above 0")
	return cmd
}

func (a *app) printEvaluation(t *core.Torus, e results.Evaluation) {
	decimal := results.WithDecimal
	a.Printf("%-12s %s, %d nodes, %d directed links\n", kindOf(e.Grid), t, t.N(), e.Links)
	a.Printf("routing      %s\n", e.Routing)
	if e.Traffic != "" {
		a.Printf("traffic      %s\n", describeTraffic(e.Demand))
	}
	a.Printf("processors   %d\n", e.Size)
	a.Printf("E_max        %s on %d links\n", decimal(e.MaxLoad), e.LinksAtMax)
	switch each, err := results.ParseFraction(e.Throughput); {
	case err == nil && e.Traffic != "":
		a.Printf("throughput   %s exchanges per unit time: requests of each node to each processor, with their replies\n",
			decimal(e.Throughput))
	case err == nil:
		each.Mul(each, big.NewRat(int64(e.Size-1), 1))
		a.Printf("throughput   %s exchanges per unit time, %s messages per processor\n", decimal(e.Throughput),
			decimal(results.FormatFraction(each)))
	}
	a.Printf("mean load    %s\n", decimal(e.MeanLoad))
	if e.MeanDistance != "" {
		a.Printf("distance     %s links on average\n", decimal(e.MeanDistance))
	}
	if e.CoveringRadius != nil {
		a.Printf("radius       %d: the greatest distance from a node to its nearest processor\n", *e.CoveringRadius)
	}
	if e.PackingDistance > 0 {
		a.Printf("packing      %d: the least distance between two processors\n", e.PackingDistance)
	}
	a.Printf("uniform      %s\n", uniformIn(e.Uniform))
	for _, l := range e.Loads {
		a.Printf("load         %s dimension %d %s  %s\n", core.JoinInts(l.From, ","), l.Dim, l.Dir, decimal(l.Load))
	}
}

// describeTraffic returns a traffic for a person, with the routing of the replies where they have one of their own.
func describeTraffic(d results.Demand) string {
	if d.ReplyRouting == "" {
		return d.Traffic
	}
	return d.Traffic + ", replies by " + d.ReplyRouting
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
