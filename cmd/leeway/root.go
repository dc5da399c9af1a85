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
	return a.Run(a.commands, options())
}

// commands returns the program with the command of a name, or with all where there is none of that name: each run
// makes only what it needs.
func (a *app) commands(name string) *cobra.Command {
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
	all := map[string]func() *cobra.Command{"atlas": a.atlasCommand, "audit": a.auditCommand, "bisect": a.bisectCommand,
		"bound": a.boundCommand, "check": a.checkCommand, "cluster": a.clusterCommand, "draw": a.drawCommand,
		"eval": a.evalCommand, "exchange": a.exchangeCommand, "explain": a.explainCommand, "export": a.exportCommand,
		"faults": a.faultsCommand, "law": a.lawCommand, "manual": a.manualCommand, "networks": a.networksCommand,
		"prove": a.proveCommand, "restrict": a.restrictCommand, "resume": a.resumeCommand, "search": a.searchCommand,
		"serve": a.serveCommand, "version": a.versionCommand, "worker": a.workerCommand}
	if one, known := all[name]; known {
		root.AddCommand(one())
		return root
	}
	for _, command := range all {
		root.AddCommand(command())
	}
	return root
}
