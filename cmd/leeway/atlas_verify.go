package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
)

func (a *app) atlasVerifyCommand() *cobra.Command {
	b := &browsing{}
	var sample, workers int
	var seedText string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Repeat all that the cells claim: loads, proofs, lists of optima",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter, err := b.filter(cmd.Context(), nil)
			if err != nil {
				return err
			}
			seed, err := cli.ReadSeed(seedText)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("sample") && sample < 1 {
				return cli.Errorf("--sample %d: at least 1 cell is needed", sample)
			}
			tell := a.NowAndThen()
			err = withAtlas(cmd.Context(), b.store, func(view *atlas.Atlas) error {
				cells, _ := view.Cells(filter)
				if len(cells) == 0 {
					return &cli.Error{Err: cli.Errorf("there is no cell to verify"), Hint: "leeway atlas lists the cells"}
				}
				if sample > 0 {
					cells = atlas.Sample(cells, sample, seed)
				}
				found, err := view.Verify(cmd.Context(), cells, workers, func(done int) {
					tell("%d of %d cells verified", done, len(cells))
				})
				return a.reportFindings(found, len(cells), err, b.asJSON)
			})
			if early := (*cli.StoppedError)(nil); errors.As(err, &early) {
				return a.reportFindings(nil, 0, context.Canceled, b.asJSON)
			}
			return err
		},
	}
	b.register(cmd)
	b.flags(cmd, "json")
	cmd.Flags().IntVar(&sample, "sample", 0, "verify only this many cells, chosen at random")
	cmd.Flags().StringVar(&seedText, "seed", "1", "seed of the choice")
	cli.WorkersFlag(cmd, &workers, "")
	return cmd
}

// reportFindings prints verdicts and returns the exit status that they call for.
func (a *app) reportFindings(found []atlas.Finding, all int, err error, asJSON bool) error {
	if asJSON {
		if err := printList(a, found, true); err != nil {
			return err
		}
	}
	wrong, proofs, better := 0, 0, 0
	for _, f := range found {
		for _, text := range f.Implied {
			if better++; !asJSON {
				a.Printf("better: %s\n", text)
			}
		}
		if f.ProofVerdict == check.Verified {
			proofs++
		}
		if f.Verdict.Verdict != check.Wrong && f.Verdict.Verdict != check.Unreadable {
			continue
		}
		wrong++
		if !asJSON {
			a.Printf("wrong: %s\n", f.Key())
			for _, reason := range f.Reasons {
				a.Printf("  %s\n", results.WithDecimals(reason))
			}
		}
	}
	if !asJSON {
		a.Printf("%d cells verified, %d proofs repeated, %d wrong\n", len(found)-wrong, proofs, wrong)
		if better > 0 {
			a.Remark("%d values follow from other cells and are better: leeway atlas fill --store takes them, all but bounds "+
				"from other tori", better)
		}
	}
	switch {
	case errors.Is(err, context.Canceled) && all == 0:
		a.Remark("stopped before the atlas was known: no cell was verified")
	case errors.Is(err, context.Canceled):
		a.Remark("stopped after %d of %d cells: the others were not verified", len(found), all)
	case err != nil:
		return err
	}
	if wrong > 0 {
		return cli.Status(1)
	}
	return nil
}
