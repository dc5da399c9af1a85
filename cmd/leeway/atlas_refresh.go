package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/results/atlas"
	"leeway/results/layout"
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
				sum, failed, err := s.Refresh(ctx, file, strings.Join(words, " "), each, a.tellRefreshed)
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

// tellRefreshed prints a line about a cell that was worked on: what is known now, and what was known if that was less.
func (a *app) tellRefreshed(place, of int, before, after atlas.Cell) {
	value, bound := after.Improves(before)
	changed := func(is bool, old, now string) string {
		if is && old != "" {
			return layout.WithDecimal(old) + " -> " + layout.WithDecimal(now)
		}
		return layout.WithDecimal(now)
	}
	text := fmt.Sprintf("%d/%d  %s  E_max %s  bound %s  %s", place, of, after.Key(),
		changed(value, before.MaxLoad, after.MaxLoad), changed(bound, before.LowerBound, after.LowerBound), after.Status)
	if after.Proof != nil {
		text += ", " + layout.Proof(after.Proof)
	}
	a.Printf("%s\n", text)
}
