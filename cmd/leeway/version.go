package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
)

// version is that of this tree.
const version = work.Version

func (a *app) versionCommand() *cobra.Command {
	var s subject
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.show(s.asJSON, versions{runtime.Version(), version}, func() {
				a.printVersion()
			})
		},
	}
	s.flags(cmd, "json")
	return cmd
}

// versions is what "version --json" prints.
type versions struct {
	Go      string `json:"go"`
	Program string `json:"version"`
}

func (a *app) printVersion() {
	a.Printf("leeway %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
