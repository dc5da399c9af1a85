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
		Long: `Print the reference of all commands in Markdown: what each does, its flags and
examples. With --man write a man page for each command into a folder instead.`,
		Example: `  leeway manual > reference.md
  leeway manual --man man1`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if man == "" {
				return cli.Reference(a.Stdout.Unfolded(), a.commands(""), referenceBegin, options())
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

// referenceBegin is how the reference begins.
const referenceBegin = "# Reference\n\nWritten by `leeway manual`. Formats and exit status: " +
	"[formats.md](formats.md); the texts of placements, routings\nand nodes: [conventions.md](conventions.md).\n"

// released is the date that man pages carry: that of the version, so that two
// builds write the same.
const released = "2026-11-21"
