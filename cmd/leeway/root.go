package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
)

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{cli.New(ctx, "leeway", args, stdin, stdout, stderr)}
	return a.Run(a.commands(), options())
}

func (a *app) commands() *cobra.Command {
	root := &cobra.Command{
		Use:   "leeway",
		Short: "Find, prove and publish optimal placements of processors on tori",
		Long: `Leeway finds, proves and publishes optimal placements of processors on tori.

A torus in which every node has a processor chokes under all-to-all traffic.
Attach processors to some nodes only (a placement), choose which shortest paths
they use (a routing), and ask for the largest load of a link, E_max. Leeway
evaluates it exactly, bounds it from below, searches for placements that make it
small, and proves small cases optimal.`,
		Example: `  leeway search --torus 8x8 --size 16 --routing udr:tie=both --time 20s --out best.json
  leeway check best.json
  leeway draw best.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asked, _ := cmd.Flags().GetBool("version"); asked {
				a.printVersion()
				return nil
			}
			return cmd.Help()
		},
	}
	root.Flags().Bool("version", false, "print the version")
	atlas, draw := a.atlasCommand(), a.drawCommand()
	atlas.AddCommand(a.atlasShowCommand(), a.atlasFillCommand(), a.atlasMergeCommand(), a.atlasVerifyCommand(),
		a.atlasExportCommand(), a.atlasFindingsCommand(), a.atlasCertifyCommand())
	draw.AddCommand(a.drawFrontierCommand(), a.drawProgressCommand())
	root.AddCommand(a.evalCommand(), a.boundCommand(), a.bisectCommand(), a.explainCommand(), a.faultsCommand(),
		a.lawCommand(), a.networksCommand(), a.exchangeCommand(), a.restrictCommand(), a.searchCommand(),
		a.resumeCommand(), a.proveCommand(), a.checkCommand(), a.exportCommand(), draw,
		a.serveCommand(), atlas, a.auditCommand(), a.workerCommand(),
		a.clusterCommand(), a.manualCommand(), a.versionCommand())
	return root
}
