package main

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/objective/bisect"
	"leeway/results"
)

// bisectTime ends bisect when no --time is given.
const bisectTime = 10 * time.Minute

func (a *app) bisectCommand() *cobra.Command {
	var s subject
	var alpha, timeText string
	cmd := &cobra.Command{
		Use:   "bisect [FILE]",
		Short: "Find the fewest links that halve the processors of a placement",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			q, share, err := s.cut(cmd.Context(), files, alpha)
			if err != nil {
				return err
			}
			limit, err := cli.ReadTime(timeText, bisectTime)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), limit)
			defer cancel()
			d := work.NewBisection(q, share, bisect.Width(ctx, q))
			return a.show(s.asJSON, d, func() { a.printBisection(d) })
		},
	}
	s.mostNodes, s.mostLinks = bisect.MaxNodes, bisect.MaxLinks
	s.flags(cmd, "torus", "placement", "json")
	cmd.Flags().StringVar(&alpha, "alpha", "1/2", "least share of the processors on each side, a fraction up to 1/2")
	cmd.Flags().StringVar(&timeText, "time", "", "time limit: 90s, 5m, 8h (default 10m)")
	return cmd
}

// cut reads the placement and --alpha and returns the question with the share.
func (s *subject) cut(ctx context.Context, files []string, alpha string) (q bisect.Question, share *big.Rat,
	err error) {
	p, err := s.givenPlacement(ctx, files)
	if err != nil {
		return q, nil, err
	}
	if share, err = results.ParseFraction(alpha); err == nil {
		q, err = bisect.Share(p, share)
	}
	return q, share, cli.InFlag("alpha", err)
}

func (a *app) printBisection(d work.Bisection) {
	a.Printf("torus        %s, %d processors\n", d.Grid.Text(), d.Size)
	a.Printf("processors   %d on one side, %d on the other\n", d.Processors[0], d.Processors[1])
	exact := "exact"
	if !d.Exact {
		exact = fmt.Sprintf("at least %d", d.LowerBound)
	}
	cut := "directed links cut"
	if strings.Contains(d.Network, ":bandwidth=") {
		cut = "in bandwidth of the directed links cut"
	}
	a.Printf("width        %d %s, %s\n", d.Width, cut, exact)
	side := d.Sides[0]
	if len(d.Sides[1]) < len(side) {
		side = d.Sides[1]
	}
	a.Printf("smaller side %s\n", core.JoinNodes(side))
}
