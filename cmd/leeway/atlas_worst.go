package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/disk"
)

func (a *app) atlasWorstCommand() *cobra.Command {
	b := &browsing{}
	var out string
	looks := int64(20000)
	var again bool
	cmd := command("worst [WORD...] --out FILE",
		"Compute the worst permutation of the proved cells in two dimensions, with sides up to 8",
		nil,
		func(cmd *cobra.Command, words []string) error {
			have, err := readWorst(cmd.Context(), out)
			if err != nil {
				return cli.InFlag("out", err)
			}
			return b.browse(cmd, words, func(view *atlas.Atlas, filter atlas.Filter) error {
				cells, _ := view.Cells(filter)
				done, err := a.fillWorst(cmd.Context(), view, cells, have, int(looks), again)
				all, _ := view.Cells(atlas.Filter{})
				if wrong := disk.WriteFile(out, have.Encode(all)); wrong != nil || err != nil && cmd.Context().Err() == nil {
					return errors.Join(err, wrong)
				}
				a.Printf("%d cells worked on; %s has %d\n", done, out, len(have))
				return nil
			})
		})
	b.register(cmd)
	addFlags(cmd, []flag{
		{&out, "out", "file for the worst cases, created if it does not exist"},
		{&looks, "evaluations", "placements to look at for the least worst case of up to 8 processors"},
		{&again, "again", "also cells that the file has"},
	}...)
	cli.Require(cmd, "out")
	return cmd
}

// readWorst reads a file of worst cases, none if there is no such file.
func readWorst(ctx context.Context, path string) (atlas.WorstCases, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return atlas.WorstCases{}, disk.CheckTarget(path)
	}
	data, err := disk.ReadFile(ctx, path)
	if err != nil {
		return nil, err
	}
	have, err := atlas.ReadWorst(data)
	return have, results.InFile(err, path)
}

// fillWorst adds the worst cases of some cells, and returns of how many.
func (a *app) fillWorst(ctx context.Context, view *atlas.Atlas, cells []atlas.Cell, have atlas.WorstCases, looks int,
	again bool) (done int, err error) {
	var table work.WorstTable
	for _, c := range cells {
		if _, known := have.Get(c); known && !again || !work.HasWorst(c) {
			continue
		}
		w, ok, err := table.Case(ctx, view, c, looks)
		if err != nil {
			return done, err
		}
		if ok {
			have.Put(c, w)
			done++
			a.Remark("%s: worst load %s", c.Key(), w.Load)
		}
	}
	return done, nil
}
