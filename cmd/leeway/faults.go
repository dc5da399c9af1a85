package main

import (
	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/objective/faults"
	"leeway/results"
)

func (a *app) faultsCommand() *cobra.Command {
	var s subject
	cmd := &cobra.Command{
		Use:   "faults [FILE]",
		Short: "Compute the effects of single link failures on a placement",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			q, p, err := s.given(cmd.Context(), files)
			if err != nil {
				return err
			}
			report, err := cli.UnlessStopped(cmd.Context(), "any fault was", func() (faults.Report, error) {
				return faults.Analyze(cmd.Context(), q, p)
			})
			if err != nil {
				return cli.InFlag("routing", err)
			}
			if links := p.Torus().Links(); report.Faults < links {
				a.Remark("stopped after the failures of %d of %d links: the worst may be worse", report.Faults, links)
			}
			d := work.NewFaults(q, p, report)
			return a.show(s.asJSON, d, func() { a.printFaults(d) })
		},
	}
	s.flags(cmd, "torus", "placement", "routing", "traffic", "json")
	return cmd
}

func (a *app) printFaults(d work.Faults) {
	decimal := results.WithDecimal
	pairs, each := "ordered pairs", "pair"
	if d.Traffic != "" {
		pairs, each = "pairs of a client and a processor, "+describeTraffic(d.Demand), "message"
	}
	a.Printf("%d processors on %s, %s: %d %s\n", d.Size, d.Grid.Text(), d.Routing, d.Pairs, pairs)
	a.Printf("pairs lost   %d by the worst failure of one link%s\n", d.DisconnectedPairs, naming(d.DisconnectingLink))
	a.Printf("critical     %d links whose failure loses a pair\n", d.CriticalLinks)
	a.Printf("E_max        %s, after the worst failure %s%s\n", decimal(d.MaxLoad),
		decimal(d.MaxLoadAfterFault), naming(d.LoadingLink))
	a.Printf("paths        at least %d for a %s, %s on average\n", d.MinPaths, each, decimal(d.MeanPaths))
	note := ""
	if !d.DisjointExact {
		note = " (lower bounds)"
	}
	a.Printf("disjoint     at least %d for a %s, %s on average%s\n", d.MinDisjointPaths, each,
		decimal(d.MeanDisjointPaths), note)
}

// naming returns ", LINK" for a link and nothing for none.
func naming(l *work.FaultLink) string {
	if l == nil {
		return ""
	}
	return ", " + l.String()
}
