package main

import (
	"context"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/results"
)

func (a *app) boundCommand() *cobra.Command {
	var s subject
	cmd := &cobra.Command{
		Use:   "bound [FILE]",
		Short: "Bound E_max from below, for a placement or for a size",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			list, several, err := a.bounds(cmd.Context(), &s, files)
			if err != nil {
				return err
			}
			if s.asJSON {
				return printList(a, list, several)
			}
			for _, d := range list {
				a.printBounds(d)
			}
			return nil
		},
	}
	s.flags(cmd, "torus", "placement", "size", "routing", "traffic", "conditions", "json")
	cmd.MarkFlagsMutuallyExclusive("placement", "size")
	return cmd
}

// bounds computes the documents that the flags ask for, and says whether those are several. After Ctrl-C they are those
// of the first sizes, if there is any.
func (a *app) bounds(ctx context.Context, s *subject, files []string) (list []results.Bounds, several bool,
	err error) {
	if len(files) == 0 {
		err = cli.Missing("torus", s.where(), "placement (or --size)", s.placementText+s.sizeText, "routing", s.routingText)
	}
	if err != nil {
		return nil, false, err
	}
	if len(files) > 0 || s.placementText != "" {
		if s.fixedText+s.forbiddenText != "" {
			return nil, false, cli.Errorf("--fixed and --forbidden go with --size: bounds of one placement do not need them")
		}
		q, p, err := s.given(ctx, files)
		if err != nil {
			return nil, false, err
		}
		d, err := untilStopped(ctx, func() (results.Bounds, error) { return work.Bounds(ctx, q, p) })
		return []results.Bounds{d}, false, err
	}
	problems, err := s.problems(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, p := range problems {
		d, err := untilStopped(ctx, func() (results.Bounds, error) { return work.BoundsOf(ctx, p) })
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

// untilStopped returns a document of bounds; the error is a *cli.StoppedError.
func untilStopped(ctx context.Context, bounds func() (results.Bounds, error)) (results.Bounds, error) {
	return cli.UnlessStopped(ctx, "the bounds were", bounds)
}

func (a *app) printBounds(d results.Bounds) {
	a.Printf("%d processors, %s: E_max is at least %s (%s)\n", d.Size, d.Routing, results.WithDecimal(d.Best),
		d.Reason)
	for _, b := range d.Bounds {
		a.Printf("  %-15s %s\n", b.Name, results.WithDecimal(b.Value))
	}
	for _, list := range []struct {
		name  string
		nodes [][]int
	}{{"fixed nodes", d.Fixed}, {"forbidden", d.Forbidden}} {
		if list.nodes != nil {
			a.Printf("  %-15s %s\n", list.name, core.JoinNodes(list.nodes))
		}
	}
}
