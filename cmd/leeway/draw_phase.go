package main

import (
	"context"

	"github.com/spf13/cobra"

	"leeway/results"
	"leeway/results/picture"
	"leeway/results/schedules"
)

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
	return put(a, d.sheet, p, picture.PhaseSVG, picture.PhasePNG, picture.PhaseText)
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
