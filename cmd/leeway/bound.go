package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
)

// boundsDocument is what bound prints as JSON.
type boundsDocument struct {
	Torus   []int       `json:"torus"`
	Routing string      `json:"routing"`
	Size    int         `json:"size"`
	Bounds  []boundItem `json:"bounds"`
	Best    string      `json:"best"`
	Reason  string      `json:"reason"`
}

type boundItem struct {
	Name    string            `json:"name"`
	Value   string            `json:"value"`
	Witness objective.Witness `json:"witness"`
}

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
func (s *subject) bounds() ([]boundsDocument, error) {
	if s.placementText == "" && s.sizeText == "" {
		return nil, usagef("one of the flags --placement and --size is needed")
	}
	if s.sizeText != "" {
		problems, err := s.problems()
		if err != nil {
			return nil, err
		}
		var list []boundsDocument
		for _, p := range problems {
			list = append(list, newBoundsDocument(p.Routing, p.Size, bound.ForSize(p.Routing, p.Size)))
		}
		return list, nil
	}
	t, err := s.torus()
	if err != nil {
		return nil, err
	}
	r, err := s.routing(t)
	if err != nil {
		return nil, err
	}
	p, err := s.placement(t)
	if err != nil {
		return nil, err
	}
	return []boundsDocument{newBoundsDocument(r, p.Size(), bound.ForPlacement(r, p))}, nil
}

func newBoundsDocument(r routing.Routing, size int, bounds []objective.Bound) boundsDocument {
	best := bound.Best(bounds)
	d := boundsDocument{Torus: r.Torus().Dims(), Routing: r.String(), Size: size, Best: best.Value.RatString(), Reason: best.Reason()}
	for _, b := range bounds {
		d.Bounds = append(d.Bounds, boundItem{Name: b.Name, Value: b.Value.RatString(), Witness: b.Witness})
	}
	return d
}

func (a *app) printBounds(d boundsDocument) {
	fmt.Fprintf(a.stdout, "%d processors, %s: E_max is at least %s (%s)\n", d.Size, d.Routing, d.Best, d.Reason)
	for _, b := range d.Bounds {
		fmt.Fprintf(a.stdout, "  %-15s %s\n", b.Name, b.Value)
	}
}
