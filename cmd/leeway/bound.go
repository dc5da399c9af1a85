package main

import (
	"context"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
)

func (a *app) boundCommand() *cobra.Command {
	var s subject
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bound",
		Short: "Bound E_max from below, for a placement or for every placement of a size",
		Long: `Print lower bounds on E_max, each with a witness. With --placement they hold for
that placement; with --size they are placement-free and hold for every placement
of that size.`,
		Example: `  leeway bound --torus 8x8 --size 16 --routing udr:tie=both
  leeway bound --torus 8x8 --placement spaced:t=2 --routing udr:tie=both --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			documents, several, err := a.bounds(cmd.Context(), &s)
			if err != nil {
				return err
			}
			if !asJSON {
				for _, d := range documents {
					a.printBounds(d)
				}
				return nil
			}
			list := make([]any, len(documents))
			for i, d := range documents {
				list[i] = d
			}
			return a.printItems(list, several)
		},
	}
	s.torusFlag(cmd)
	s.placementFlag(cmd)
	s.sizeFlag(cmd)
	s.routingFlag(cmd)
	cmd.MarkFlagsMutuallyExclusive("placement", "size")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// bounds computes the documents that the flags ask for, and says whether that were
// several. After Ctrl-C they are those of the first sizes, if there is any.
func (a *app) bounds(ctx context.Context, s *subject) (list []results.Bounds, several bool, err error) {
	if s.placementText == "" && s.sizeText == "" {
		return nil, false, usagef("one of the flags --placement and --size is needed")
	}
	if s.sizeText != "" {
		problems, err := s.problems(ctx)
		if err != nil {
			return nil, false, err
		}
		for _, p := range problems {
			d, err := boundsOf(ctx, p.Routing, p.Size, nil, func() ([]objective.Bound, error) { return bound.ForSizeContext(ctx, p.Routing, p.Size) })
			if err != nil && len(list) > 0 {
				a.remark("stopped after %d of %d sizes", len(list), len(problems))
				return list, true, nil
			}
			if err != nil {
				return nil, false, err
			}
			list = append(list, d)
		}
		return list, len(problems) > 1, nil
	}
	r, p, err := s.instance(ctx)
	if err != nil {
		return nil, false, err
	}
	d, err := boundsOf(ctx, r, p.Size(), &p, func() ([]objective.Bound, error) { return bound.ForPlacementContext(ctx, r, p) })
	return []results.Bounds{d}, false, err
}

// boundsOf returns the document of the bounds that compute returns; the error is a
// *stoppedError.
func boundsOf(ctx context.Context, r routing.Routing, n int, p *core.Placement, compute func() ([]objective.Bound, error)) (results.Bounds, error) {
	if ctx.Err() != nil {
		return results.Bounds{}, &stoppedError{"the bounds were"}
	}
	return unlessStopped(ctx, grace, "the bounds were", func() (results.Bounds, error) {
		bounds, err := compute()
		if err != nil {
			return results.Bounds{}, err
		}
		return results.NewBounds(r, n, p, bounds, bound.Best(bounds)), nil
	})
}

func (a *app) printBounds(d results.Bounds) {
	a.printf("%d processors, %s: E_max is at least %s (%s)\n", d.Size, d.Routing, d.Best, d.Reason)
	for _, b := range d.Bounds {
		a.printf("  %-15s %s\n", b.Name, b.Value)
	}
}
