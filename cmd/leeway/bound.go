package main

import (
	"fmt"

	"github.com/spf13/cobra"

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
		RunE: func(*cobra.Command, []string) error {
			documents, err := s.bounds()
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
			return a.printItems(list, false)
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

// bounds computes the documents that the flags ask for.
func (s *subject) bounds() ([]results.Bounds, error) {
	if s.placementText == "" && s.sizeText == "" {
		return nil, usagef("one of the flags --placement and --size is needed")
	}
	if s.sizeText != "" {
		problems, err := s.problems()
		if err != nil {
			return nil, err
		}
		var list []results.Bounds
		for _, p := range problems {
			bounds := bound.ForSize(p.Routing, p.Size)
			list = append(list, results.NewBounds(p.Routing, p.Size, nil, bounds, bound.Best(bounds)))
		}
		return list, nil
	}
	r, p, err := s.instance()
	if err != nil {
		return nil, err
	}
	bounds := bound.ForPlacement(r, p)
	return []results.Bounds{results.NewBounds(r, p.Size(), &p, bounds, bound.Best(bounds))}, nil
}

func (a *app) printBounds(d results.Bounds) {
	fmt.Fprintf(a.stdout, "%d processors, %s: E_max is at least %s (%s)\n", d.Size, d.Routing, d.Best, d.Reason)
	for _, b := range d.Bounds {
		fmt.Fprintf(a.stdout, "  %-15s %s\n", b.Name, b.Value)
	}
}
