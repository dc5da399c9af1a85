package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/web"
)

func (a *app) atlasExportCommand() *cobra.Command {
	b := &browsing{}
	var format, out, history string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the records of cells as JSON, CSV or web pages",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter, err := b.filter(cmd.Context(), nil)
			if err != nil {
				return err
			}
			if err := cli.OneOf("format", format, append(slices.Clone(results.ExportFormats), "atlas", "site")); err != nil {
				return err
			}
			if history != "" && format != "atlas" {
				return cli.Errorf("--history goes with --format atlas")
			}
			if out != "" && format != "site" {
				if err := results.CheckTarget(out); err != nil {
					return err
				}
			}
			return withAtlas(cmd.Context(), b.store, func(view *atlas.Atlas) error {
				if format == "site" {
					return a.exportSite(cmd, view, b.store, out)
				}
				data, left, err := view.Export(format, filter)
				if err != nil {
					return err
				}
				if left > 0 {
					a.Remark("%d cells are left out: they are wrong, without a placement, or their proof is in a file of its own",
						left)
				}
				if history != "" {
					if err := remember(view, history); err != nil {
						return err
					}
				}
				return a.deliver(out, data)
			})
		},
	}
	b.register(cmd)
	cmd.Flags().StringVar(&format, "format", "jsonl",
		"format: jsonl, csv, json, atlas, or site for web pages in a new folder")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: standard output)")
	cmd.Flags().StringVar(&history, "history", "",
		"with --format atlas: file to add to what the atlas of the program says of cells that are better known now")
	return cmd
}

// remember adds to a file what the atlas of the program says of cells of which another knows better.
func remember(view *atlas.Atlas, file string) error {
	var known []atlas.Past
	switch data, err := os.ReadFile(file); {
	case err == nil:
		if known, err = atlas.ReadHistory(data); err != nil {
			return cli.InFlag("history", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return cli.InFlag("history", err)
	}
	before, err := atlas.Shipped()
	if err != nil {
		return err
	}
	superseded := view.Superseded(before, time.Now().UTC().Format(time.DateOnly))
	data, err := atlas.EncodeHistory(atlas.Remember(known, superseded))
	if err != nil {
		return err
	}
	return results.WriteFile(file, data)
}

// exportSite writes the pages of an atlas into a folder, which must be new.
func (a *app) exportSite(cmd *cobra.Command, view *atlas.Atlas, storeFile, out string) error {
	for _, flag := range []string{"torus", "mesh", "routing", "size", "fixed", "forbidden"} {
		if cmd.Flags().Changed(flag) {
			return cli.Errorf("--format site shows the whole atlas: leave --%s away", flag)
		}
	}
	if out == "" {
		return cli.Errorf("--format site needs --out, a folder to make")
	}
	options := web.Options{Static: true, Version: version, Name: "The atlas of the program"}
	if storeFile != "" {
		options.Name = "Store " + filepath.Base(storeFile)
	}
	site, err := web.NewSite(view, options)
	if err != nil {
		return err
	}
	var done, total atomic.Int64
	shown := cli.NewProgress(cmd.ErrOrStderr(), "leeway", 100, func(time.Time, bool) ([]cli.Field, int64) {
		return []cli.Field{{Text: fmt.Sprintf("%d of %d files", done.Load(), total.Load())}},
			100 * done.Load() / max(1, total.Load())
	})
	shown.Start()
	count, err := site.ExportNew(cmd.Context(), out, func(written, of int) {
		done.Store(int64(written))
		total.Store(int64(of))
	})
	shown.Stop()
	if err != nil {
		return err
	}
	a.Remark("wrote %d files; open %s", count, filepath.Join(out, "index.html"))
	return nil
}
