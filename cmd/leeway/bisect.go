package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/objective/bisect"
)

// bisectTime ends bisect when no --time is given.
const bisectTime = 10 * time.Minute

func (a *app) bisectCommand() *cobra.Command {
	var s subject
	var alpha, timeText string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bisect",
		Short: "Find the fewest links whose removal halves the processors of a placement",
		Long: `Find the bisection width with respect to a placement: the fewest directed links
that join two sides of the torus whose processors differ by at most one; nodes
without a processor may be on either side. With --alpha both sides hold at least
that share of the processors.

The width is exact on small tori. Elsewhere, and when the time is up, it is that
of the best cut found, and a lower bound says how far off it can be.`,
		Example: `  leeway bisect --torus 8x8 --placement linear
  leeway bisect --torus 4x4x4 --placement random:n=20:seed=1 --alpha 1/3 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, share, err := s.cut(cmd.Context(), alpha)
			if err != nil {
				return err
			}
			limit, err := effort{timeText: timeText, seedText: "1", workers: 1}.limit(cmd, bisectTime)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), limit)
			defer cancel()
			d := work.NewBisection(q, share, bisect.Width(ctx, q))
			if asJSON {
				return a.printJSON(d)
			}
			a.printBisection(d)
			return nil
		},
	}
	s.mostNodes = bisect.MaxNodes
	s.torusFlag(cmd)
	s.placementFlag(cmd)
	cmd.Flags().StringVar(&alpha, "alpha", "1/2", "least share of the processors on each side, a fraction up to 1/2")
	cmd.Flags().StringVar(&timeText, "time", "", "time to spend: 90s, 5m, 8h (default 10m)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// limit reads the time alone, with a default.
func (e effort) limit(cmd *cobra.Command, standard time.Duration) (time.Duration, error) {
	b, err := e.read(cmd)
	if err == nil && b.Time == 0 {
		b.Time = standard
	}
	return b.Time, err
}

// cut reads --torus, --placement and --alpha and returns the question with the
// share.
func (s *subject) cut(ctx context.Context, alpha string) (bisect.Question, *big.Rat, error) {
	t, err := s.torus()
	if err != nil {
		return bisect.Question{}, nil, err
	}
	if t.M() > bisect.MaxLinks {
		return bisect.Question{}, nil, usagef("--torus %s: %d links, more than the %d that this command treats", t, t.M(), bisect.MaxLinks)
	}
	p, err := s.placement(ctx, t)
	if err != nil {
		return bisect.Question{}, nil, err
	}
	share, err := parseFraction(alpha)
	if err != nil {
		return bisect.Question{}, nil, inFlag("alpha", err)
	}
	q, err := bisect.Share(p, share)
	return q, share, inFlag("alpha", err)
}

// parseFraction reads a/b or a whole number.
func parseFraction(text string) (*big.Rat, error) {
	numerator, denominator, isFraction := strings.Cut(text, "/")
	if !isFraction {
		denominator = "1"
	}
	a, errA := strconv.ParseInt(numerator, 10, 32)
	b, errB := strconv.ParseInt(denominator, 10, 32)
	if err := errors.Join(errA, errB); err != nil || b == 0 {
		return nil, &core.InputError{Text: text, Problem: "not a fraction of whole numbers", Hint: "write a fraction such as 1/3"}
	}
	return big.NewRat(a, b), nil
}

func (a *app) printBisection(d work.Bisection) {
	a.printf("torus        %s, %d processors\n", core.JoinInts(d.Torus, "x"), d.Size)
	a.printf("processors   %d on one side, %d on the other\n", d.Processors[0], d.Processors[1])
	a.printf("width        %d directed links cut, %s\n", d.Width, exactness(d))
	side := d.Sides[0]
	if len(d.Sides[1]) < len(side) {
		side = d.Sides[1]
	}
	a.printf("smaller side %s\n", core.JoinNodes(side))
}

// exactness says how sure the width is.
func exactness(d work.Bisection) string {
	if d.Exact {
		return "exact"
	}
	return fmt.Sprintf("at least %d", d.LowerBound)
}
