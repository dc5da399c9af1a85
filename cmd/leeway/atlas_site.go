package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/web"
)

// exportSite writes the pages of an atlas into a folder, which must be new. They are
// written beside it and moved when all are there, so that the folder holds all or is
// not there.
func (a *app) exportSite(cmd *cobra.Command, view *atlas.Atlas, storeFile, out string) error {
	for _, flag := range []string{"torus", "routing", "size"} {
		if cmd.Flags().Changed(flag) {
			return usagef("--format site shows the whole atlas: leave --%s away", flag)
		}
	}
	if out == "" {
		return usagef("--format site needs --out, a folder to make")
	}
	out = filepath.Clean(out)
	if _, err := os.Lstat(out); err == nil {
		return &results.TargetError{Path: out, Problem: "it exists already", Hint: "name a new folder; nothing is overwritten"}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	options := web.Options{Static: true, Version: version, Name: "The atlas of the program"}
	if storeFile != "" {
		options.Name = "Store " + filepath.Base(storeFile)
	}
	site, err := web.NewSite(view, options)
	if err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(out), filepath.Base(out)+".part-")
	if errors.Is(err, fs.ErrNotExist) {
		return &results.TargetError{Path: out, Problem: "the folder around it does not exist", Hint: "make it first"}
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(part) // gone already if all went well
	count, err := site.Export(cmd.Context(), part)
	if err != nil {
		return err
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	if err := os.Rename(part, out); err != nil {
		return err
	}
	a.remark("wrote %d files; open %s", count, filepath.Join(out, "index.html"))
	return nil
}
