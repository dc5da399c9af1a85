package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/objective"
	"leeway/objective/bisect"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
)

func (a *app) boundCommand() *cobra.Command {
	var s subject
	cmd := command("bound [FILE]", "Bound E_max from below, for a placement or for a size", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			list, several, err := a.bounds(cmd.Context(), &s, files)
			if err != nil {
				return err
			}
			if a.asJSON() {
				return printList(a, compose.ListSchema, list, several)
			}
			for _, d := range list {
				a.tell("bounds", d)
			}
			return nil
		})
	s.flags(cmd, "torus", "network", "placement", "size", "routing", "traffic", "conditions", "json")
	cli.Exclude(cmd, "placement", "size", "")
	return cmd
}

// bounds computes the documents that the flags ask for, and says whether those are several. After Ctrl-C they are those
// of the first sizes, if there is any.
func (a *app) bounds(ctx context.Context, s *subject, files []string) (list []answers.Bounds, several bool,
	err error) {
	s.matrices = true
	if len(files) == 0 && s.asksMatrix() {
		err = cli.Missing("torus", s.where(), "routing", s.routingText)
	} else if len(files) == 0 {
		err = cli.Missing("torus", s.where(), "placement (or --size)", s.placementText+s.sizeText, "routing", s.routingText)
	}
	if err != nil {
		return nil, false, err
	}
	if len(files) > 0 || s.placementText != "" {
		if s.asks(objective.GroupConditions) {
			return nil, false, cli.Errorf("--fixed and --forbidden go with --size: bounds of one placement do not need them")
		}
		q, p, err := s.placedProblem(ctx, files)
		if err != nil {
			return nil, false, err
		}
		d, err := work.Bounds(ctx, q, p)
		return []answers.Bounds{d}, false, err
	}
	problems, err := s.problems(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, p := range problems {
		d, err := cli.UnlessStopped(ctx, "the bounds were", func() (answers.Bounds, error) { return work.BoundsOf(ctx, p) })
		switch {
		case err != nil && len(list) > 0:
			a.Remark("stopped after %d of %d sizes", len(list), len(problems))
			return list, true, nil
		case err != nil:
			return nil, false, err
		}
		list = append(list, d)
	}
	return list, len(problems) > 1, nil
}

func (a *app) bisectCommand() *cobra.Command {
	var s subject
	alpha, limit := "1/2", 10*time.Minute
	cmd := command("bisect [FILE]", "Find the fewest links that halve the processors of a placement",
		cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			p, err := s.givenPlacement(cmd.Context(), files)
			if err != nil {
				return err
			}
			var q bisect.Question
			share, err := results.ParseFraction(alpha)
			if err == nil {
				q, err = bisect.Share(p, share)
			}
			if err != nil {
				return cli.InFlag("alpha", err)
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), limit)
			defer cancel()
			return answer(a, work.NewBisection(q, share, bisect.Width(ctx, q)), nil, "bisection")
		})
	s.mostNodes, s.mostLinks = bisect.MaxNodes, bisect.MaxLinks
	s.flags(cmd, "torus", "network", "placement", "json")
	addFlags(cmd, []flag{
		{&alpha, "alpha", "least share of the processors on each side, a fraction up to 1/2"},
		{&limit, "time", "time limit: 90s, 5m, 8h"},
	}...)
	return cmd
}
