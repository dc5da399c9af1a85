package main

import (
	"context"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/picture"
)

// A drawing holds the flags of draw.
type drawing struct {
	subject
	sheet
	schedule string
	phase    int
	values   bool
}

func (a *app) drawCommand() *cobra.Command {
	var d drawing
	cmd := &cobra.Command{
		Use:   "draw [RECORD]",
		Short: "Draw a placement with the load of every link",
		Long: `Draw a placement and the exact load of every link, in the terminal, as SVG or
PNG. The subject is a record, or --torus, --placement and --routing. Tori of more
than two dimensions are drawn in slices. "draw frontier" plots E_max against the
number of processors, "draw progress" how a search went.`,
		Example: `  leeway draw best.json
  leeway draw --torus 8x8 --placement spaced:t=2 --routing udr:tie=both --out spaced.svg
  leeway draw --schedule mesh.json --phase 3 --out phase3.svg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if d.schedule != "" || cmd.Flags().Changed("phase") {
				return a.drawPhase(d, cmd, files)
			}
			p, err := d.params(cmd.Context(), files)
			if err != nil {
				return err
			}
			return a.draw(d, p)
		},
	}
	d.mostNodes = picture.MaxNodes
	d.torusFlag(cmd)
	d.placementFlag(cmd)
	d.routingFlag(cmd)
	d.sheet.register(cmd)
	cmd.Flags().StringVar(&d.schedule, "schedule", "", "draw a phase of this schedule of complete exchange instead")
	cmd.Flags().IntVar(&d.phase, "phase", 0, "with --schedule: the phase, from 0")
	cmd.Flags().BoolVar(&d.values, "values", false, "print the exact load beside every link")
	cmd.AddCommand(a.drawFrontierCommand(), a.drawProgressCommand())
	return cmd
}

// params reads the subject and the looks of a picture.
func (d *drawing) params(ctx context.Context, files []string) (picture.Params, error) {
	theme, err := d.read()
	if err != nil {
		return picture.Params{}, err
	}
	r, p, err := d.subject.drawn(ctx, files)
	if err != nil {
		return picture.Params{}, err
	}
	loads, err := objective.EvaluateContext(ctx, r, p)
	return picture.Params{Title: d.title, Routing: r.String(), Placement: p, Loads: loads, Theme: theme, Values: d.values, ASCII: d.ascii}, err
}

// drawn reads routing and placement from a record or from the flags.
func (s *subject) drawn(ctx context.Context, files []string) (routing.Routing, core.Placement, error) {
	if len(files) == 1 {
		if s.torusText+s.placementText+s.routingText != "" {
			return nil, core.Placement{}, usagef("a record says torus, placement and routing itself: leave the flags away")
		}
		return readRecord(ctx, files[0])
	}
	return s.instance(ctx)
}

// readRecord returns routing and placement of a record file.
func readRecord(ctx context.Context, name string) (routing.Routing, core.Placement, error) {
	record, err := results.ReadRecordFile(ctx, name)
	if err != nil {
		return nil, core.Placement{}, err
	}
	t, err := core.NewTorus(record.Torus...)
	if err != nil {
		return nil, core.Placement{}, err
	}
	r, err := record.ReadRouting(t)
	if err != nil {
		return nil, core.Placement{}, err
	}
	p, err := core.PlacementFromCoords(t, record.Nodes)
	return r, p, err
}

// draw renders the picture in the format wanted.
func (a *app) draw(d drawing, p picture.Params) error {
	p.Color, p.Width = a.terminal(d.out)
	return put(a, d.sheet, p, picture.SVG, picture.PNG, picture.Terminal)
}
