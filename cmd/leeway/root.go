package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"
)

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{to: stdout, stop: ctx}
	a := &app{args: args, stdin: stdin, stdout: out, stderr: &output{to: stderr, stop: ctx}, stop: ctx,
		files: &sync.Mutex{}}
	root := a.commands()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !a.running {
		var usage *usageError
		if !errors.As(err, &usage) {
			err = &usageError{err: err, hint: "leeway --help lists the commands, leeway COMMAND --help the flags"}
		}
	}
	if err == nil {
		err = out.failed
	}
	return a.status(err)
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
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asked, _ := cmd.Flags().GetBool("version"); asked {
				a.printVersion()
				return nil
			}
			return cmd.Help()
		},
	}
	root.Flags().Bool("version", false, "print the version")
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(a.wrongFlag)
	atlas, draw := a.atlasCommand(), a.drawCommand()
	atlas.AddCommand(a.atlasShowCommand(), a.atlasFillCommand(), a.atlasMergeCommand(), a.atlasVerifyCommand(),
		a.atlasExportCommand(), a.atlasFindingsCommand())
	draw.AddCommand(a.drawFrontierCommand(), a.drawProgressCommand())
	root.AddCommand(a.evalCommand(), a.boundCommand(), a.bisectCommand(), a.explainCommand(), a.faultsCommand(),
		a.exchangeCommand(), a.restrictCommand(), a.searchCommand(), a.resumeCommand(), a.proveCommand(), a.checkCommand(),
		a.exportCommand(), draw, a.serveCommand(), atlas, a.auditCommand(), a.workerCommand(), a.clusterCommand(),
		a.manualCommand(), a.versionCommand())
	a.watch(root.Commands())
	setHelp(root)
	complete(root)
	strictHelp(root)
	strict(root)
	return root
}

// strictHelp makes bad usage of what cobra's own commands, help and completion, take for a request for help.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if found, rest, _ := root.Find(args); len(rest) > 0 {
					return unknownCommand(found, rest[0])
				}
				return nil
			}
		}
	}
}

// watch notes when one of the commands, or one below them, begins.
func (a *app) watch(commands []*cobra.Command) {
	for _, cmd := range commands {
		a.watch(cmd.Commands())
		work := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			a.running = true
			if err := checkWorkers(cmd); err != nil {
				return err
			}
			if slices.Contains(keepers, cmd.Name()) {
				return helped(cmd, args, work(cmd, args))
			}
			return helped(cmd, args, a.leave(cmd.Context(), cmd, func() error { return work(cmd, args) }))
		}
	}
}
