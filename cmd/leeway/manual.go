package main

import (
	"github.com/spf13/cobra"

	"leeway/cmd/cli"
)

// manualCommand writes what --help says of every command, all at once.
func (a *app) manualCommand() *cobra.Command {
	var man string
	cmd := &cobra.Command{
		Use:   "manual",
		Short: "Print the reference of all commands; write man pages",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if man == "" {
				return cli.Reference(a.Stdout.Unfolded(), a.commands(""), options())
			}
			if err := cli.ManPages(man, a.commands(""), released, "Leeway "+version, options()); err != nil {
				return err
			}
			a.Remark("wrote the man pages into %s", man)
			return nil
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "folder for man pages")
	return cmd
}

// released is the date that man pages carry: that of the version, so that two
// builds write the same.
const released = "2026-11-21"
