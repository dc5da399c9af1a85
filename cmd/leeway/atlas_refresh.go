package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/results/atlas"
)

func (a *app) atlasRefreshCommand() *cobra.Command {
	file, each := "atlas.store", 20*time.Second
	var workers int
	cmd := command("refresh [WORD...]", "Work on every open cell of a store: bounds, what other cells imply, a proof",
		nil,
		func(cmd *cobra.Command, words []string) error {
			ctx := cmd.Context()
			if err := work.NewStore(ctx, file); err != nil {
				return storeHint(err)
			}
			s := a.session(workers)
			return storeHint(s.WithStore(file, func() error {
				err := withAtlas(ctx, file, func(view *atlas.Atlas) error { return checkWords(cmd, view, words) })
				if err != nil {
					return err
				}
				sum, failed, err := s.Refresh(ctx, file, strings.Join(words, " "), each,
					func(place, of int, before, after atlas.Cell) {
						value, bound := after.Improves(before)
						a.tell("refreshed", refreshed{place, of, before, after, value, bound})
					})
				if err != nil {
					return err
				}
				if ctx.Err() != nil {
					a.Remark("stopped; the same command continues")
				}
				a.Printf("%s: %s\n", file, sum)
				if failed > 0 {
					return cli.Status(1) // each was reported
				}
				return nil
			}))
		})
	addFlags(cmd, []flag{
		{&file, "store", "file that keeps what is found; one that is not there begins with the atlas of the program"},
		{&each, "time", "time for each cell"},
	}...)
	cli.WorkersFlag(cmd, &workers, ": cells worked on side by side")
	return cmd
}

// A refreshed is a cell that was worked on: what was known, and what is known now.
type refreshed struct {
	Place, Of     int
	Before, After atlas.Cell
	Value, Bound  bool // better than before
}
