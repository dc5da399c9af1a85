package main

import (
	"context"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/picture"
	"leeway/results/schedules"
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
	cmd.Flags().BoolVar(&d.values, "values", false, "SVG and PNG: print the exact load beside every link, as a terminal always does")
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
	return a.put(d.sheet, p)
}

// drawPhase draws one phase of a schedule.
func (a *app) drawPhase(d drawing, cmd *cobra.Command, files []string) error {
	switch {
	case d.schedule == "":
		return usagef("--phase is for a --schedule")
	case len(files) > 0 || d.torusText+d.placementText+d.routingText != "" || d.values:
		return usagef("--schedule says itself what is drawn: leave records, --torus, --placement, --routing and --values away")
	case d.phase < 0:
		return usagef("--phase %d: phases count from 0", d.phase)
	}
	theme, err := d.read()
	if err != nil {
		return err
	}
	p, err := readPhase(cmd.Context(), d.schedule, d.phase)
	if err != nil {
		return err
	}
	p.Title, p.Theme, p.ASCII = d.title, theme, d.ascii
	return a.put(d.sheet, p)
}

// readPhase follows a schedule up to a phase.
func readPhase(ctx context.Context, path string, number int) (picture.PhaseParams, error) {
	r, err := schedules.Open(ctx, path)
	if err != nil {
		return picture.PhaseParams{}, err
	}
	defer r.Close()
	held, err := picture.HeldAtStart(r.Head)
	if err != nil {
		return picture.PhaseParams{}, inFlag("schedule", err)
	}
	phases := 0
	for phase, err := range r.Phases() {
		if err != nil {
			return picture.PhaseParams{}, results.InFile(err, path)
		}
		if phases == number {
			p := picture.PhaseParams{Head: r.Head, Number: number, Phase: phase, Held: append([]int{}, held...)}
			return p, inFlag("schedule", picture.Follow(held, phase))
		}
		if err := picture.Follow(held, phase); err != nil {
			return picture.PhaseParams{}, inFlag("schedule", err)
		}
		phases++
	}
	return picture.PhaseParams{}, usagef("--phase %d: the schedule has %d phases, which count from 0", number, phases)
}
