package main

import (
	"context"
	"errors"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"leeway/results/atlas"
	"leeway/results/store"
)

func (a *app) atlasMergeCommand() *cobra.Command {
	var asJSON bool
	workers := runtime.NumCPU()
	cmd := &cobra.Command{
		Use:   "merge INTO FROM...",
		Short: "Merge stores, exports, atlas files and records into a store",
		Long: `Take into the store INTO, made if it is not there, what the files FROM hold: stores from
other machines, exports, atlas files, single records. Better placements win, proofs and null
results are never lost. Every record is checked before it goes in, its proof too, and so is a
bound of which no placement is known. Files that proofs name are copied
beside the store. Ctrl-C keeps what has gone in; the same command goes on.

A record that is wrong is reported and left out, but the bound that its proof shows is not; the
others go in, and the exit status is 1. Where a record contradicts the store, the placement is
evaluated again: if its load is below a bound in the store, the bound is taken back, with all that
rested on it, which is reported.`,
		Example: `  leeway atlas merge all.store one.store two.store
  leeway atlas merge mine.store results/atlas/atlas.jsonl best.json`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) < 2 {
				return &usageError{err: usagef("a store and at least one file to merge into it are needed"), hint: "leeway atlas merge INTO FROM..."}
			}
			if workers < 1 {
				return usagef("-j %d: at least 1 worker is needed", workers)
			}
			for _, from := range files[1:] {
				if sameFile(files[0], from) {
					return usagef("%q cannot be merged into itself", from)
				}
			}
			return a.merge(cmd.Context(), files[0], files[1:], workers, asJSON)
		},
	}
	cmd.Flags().IntVarP(&workers, "workers", "j", workers, "workers; changes the speed only")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the cells that are new or better, and the faults, as one JSON document")
	return cmd
}

// sameFile reports whether two names lead to one file.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	two, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, two)
}

func (a *app) merge(ctx context.Context, into string, files []string, workers int, asJSON bool) error {
	s, err := store.Open(into)
	if err != nil {
		return err
	}
	taken, healed, faults, err := a.mergeFiles(ctx, s, files, workers, asJSON)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if asJSON {
		if err := a.printMerged(context.WithoutCancel(ctx), into, taken, healed, faults); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return quietError(1)
	}
	return nil
}

// mergeFiles merges the files in turn and says what came of each.
func (a *app) mergeFiles(ctx context.Context, s *store.Store, files []string, workers int, asJSON bool) (taken []atlas.Key, healed, faults []string, err error) {
	for _, file := range files {
		m, err := atlas.Merge(ctx, s, file, workers)
		for _, h := range m.Healed {
			a.remark("%s: %s", file, h)
		}
		for _, f := range m.Faults {
			a.remark("%s: %s", file, f)
			faults = append(faults, f)
		}
		taken, healed = append(taken, m.Taken...), append(healed, m.Healed...)
		stopped := errors.Is(err, context.Canceled)
		if err != nil && !stopped {
			return taken, healed, faults, err
		}
		if !asJSON {
			a.printf("%s: %d new or better, %d known, %d left out\n", file, len(m.Taken), m.Known, len(m.Faults))
		}
		if stopped {
			a.remark("%s: stopped before %d records were checked; the same command goes on", file, m.Left)
			break
		}
	}
	return taken, healed, faults, nil
}

// printMerged prints the cells that are new or better, as the store has them now.
func (a *app) printMerged(ctx context.Context, into string, taken []atlas.Key, healed, faults []string) error {
	return withAtlas(ctx, into, func(view *atlas.Atlas) error {
		document := struct {
			Items  []atlas.Cell `json:"items"`
			Faults []string     `json:"faults"`
			Healed []string     `json:"healed"`
		}{[]atlas.Cell{}, append([]string{}, faults...), append([]string{}, healed...)}
		seen := map[atlas.Key]bool{}
		for _, k := range taken {
			if c, ok := view.Cell(k); ok && !seen[k] {
				seen[k] = true
				document.Items = append(document.Items, c)
			}
		}
		return a.printJSON(document)
	})
}
