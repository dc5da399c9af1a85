package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results/atlas"
	"leeway/results/store"
)

func (a *app) atlasMergeCommand() *cobra.Command {
	var asJSON bool
	var workers int
	cmd := &cobra.Command{
		Use:   "merge INTO FROM...",
		Short: "Merge stores, exports, atlas files and records into a store",
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) < 2 {
				return &cli.Error{Err: cli.Errorf("a store and at least one file to merge into it are needed"),
					Hint: "leeway atlas merge INTO FROM..."}
			}
			for _, from := range files[1:] {
				if sameFile(files[0], from) {
					return cli.Errorf("%q cannot be merged into itself", from)
				}
			}
			return a.merge(cmd.Context(), files[0], files[1:], workers, asJSON)
		},
	}
	cli.WorkersFlag(cmd, &workers, "")
	cmd.Flags().BoolVar(&asJSON, "json", false,
		"print the cells that are new or better, and the faults, as one JSON document")
	return cmd
}

// sameFile reports whether two names lead to one file.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	two, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, two)
}

// merge merges files in turn, says what came of each, and prints the cells that are new or better as the store has them
// in the end.
func (a *app) merge(ctx context.Context, into string, files []string, workers int, asJSON bool) error {
	s, err := store.Open(into)
	if err != nil {
		return err
	}
	var all atlas.Merged
	for _, file := range files {
		var m atlas.Merged
		m, err = atlas.Merge(ctx, s, file, workers)
		all.Taken, all.Healed = append(all.Taken, m.Taken...), append(all.Healed, m.Healed...)
		all.Faults = append(all.Faults, m.Faults...)
		for _, text := range slices.Concat(m.Healed, m.Faults) {
			a.Remark("%s: %s", file, text)
		}
		stopped := errors.Is(err, context.Canceled)
		if err != nil && !stopped {
			break
		}
		if !asJSON {
			a.Printf("%s: %d new or better, %d known, %d left out\n", file, len(m.Taken), m.Known, len(m.Faults))
		}
		if err = nil; stopped {
			a.Remark("%s: stopped before %d records were checked; the same command goes on", file, m.Left)
			break
		}
	}
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if asJSON {
		err = withAtlas(context.WithoutCancel(ctx), into, func(view *atlas.Atlas) error {
			return a.printJSON(struct {
				Schema string       `json:"schema"`
				Items  []atlas.Cell `json:"items"`
				Faults []string     `json:"faults"`
				Healed []string     `json:"healed"`
			}{"leeway/merge/1", view.Known(all.Taken), append([]string{}, all.Faults...), append([]string{}, all.Healed...)})
		})
	}
	if err == nil && len(all.Faults) > 0 {
		return cli.Status(1)
	}
	return err
}
