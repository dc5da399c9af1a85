package main

import (
	"io"

	"github.com/spf13/cobra"

	"leeway/results/atlas"
	"leeway/results/findings"
)

func (a *app) atlasFindingsCommand() *cobra.Command {
	var store string
	var controllers, verified, radius, lattices bool
	cmd := &cobra.Command{
		Use:   "findings",
		Short: "Write a summary of all cells, the page docs/findings.md",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withAtlas(cmd.Context(), store, func(view *atlas.Atlas) error {
				write := findings.Markdown
				if controllers {
					write = findings.Controllers
				}
				if radius {
					write = findings.Radius
				}
				if lattices {
					write = findings.Lattices
				}
				if verified {
					write = func(view *atlas.Atlas) (string, error) {
						table, err := atlas.ShippedVerified()
						if err != nil {
							return "", err
						}
						return findings.Verified(view, table)
					}
				}
				text, err := write(view)
				if err != nil {
					return err
				}
				_, err = io.WriteString(a.Stdout.Unfolded(), text)
				return err
			})
		},
	}
	storeFlag(cmd, &store)
	cmd.Flags().BoolVar(&controllers, "controllers", false,
		"write about memory controllers instead, the page docs/controllers.md")
	cmd.Flags().BoolVar(&verified, "verified", false,
		"write which values checkers of LRAT accepted instead, the page docs/verified.md")
	cmd.Flags().BoolVar(&radius, "radius", false,
		"write what a processor near every node costs instead, the page docs/radius.md")
	cmd.Flags().BoolVar(&lattices, "lattices", false,
		"write which networks of a number of nodes carry least instead, the page docs/best-lattices.md")
	cmd.MarkFlagsMutuallyExclusive("controllers", "verified", "radius", "lattices")
	return cmd
}
