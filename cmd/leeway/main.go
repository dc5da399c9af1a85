// Command leeway finds, proves and publishes optimal placements of processors on tori. It turns flags into tasks, and
// answers into text and files; what is done in between is in package leeway/cmd/work, what any command line needs, from
// help to output, in leeway/cmd/cli. Run it with --help.
//
// A command is a function of its name in the file of its name, or of one near to it: eval.go has explain and faults,
// bound.go bisect, check.go audit, search.go resume, cluster.go worker, main.go manual and version. Those of atlas are
// in atlas.go, but for those that work on cells: fill and merge, verify and certify. The commands share:
//
//	terminal.go     what package leeway/cmd/cli is told of them: topics of help, values for a shell, hints; JSON
//	flags.go        the flags of several commands
//	session.go      tasks of search, prove and resume, and their answers to files and people
//	answers.tmpl    what people read of answers, with the functions of answers.go
//	progress.go     how a task goes, in a line
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/results/disk"
	"leeway/results/store"
	"leeway/search"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills at once
	os.Exit(execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{cli.New(ctx, "leeway", args, stdin, stdout, stderr)}
	return a.Run(a.commands, options())
}

// The exit statuses; 0 is done.
const (
	statusFailed    = 1 // the work failed, or a claim is wrong
	statusUnusable  = 2 // bad usage or unreadable input
	statusUndecided = 3 // the work was done and decides nothing
)

// worse returns the status of two answers: the first of 1, 2, 3 that one of them has, 0 if both are done.
func worse(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// exit returns what ends a command with a status and says no more.
func exit(status int) error {
	if status == 0 {
		return nil
	}
	return cli.Status(status)
}

// judged returns what ends a command that found a number of things wrong, and a number undecided.
func judged(wrong, undecided int) error {
	switch {
	case wrong > 0:
		return cli.Status(statusFailed)
	case undecided > 0:
		return cli.Status(statusUndecided)
	}
	return nil
}

// diagnose returns the hint that an error carries, "" if it has none, and the exit status that it calls for.
func diagnose(err error) (hint string, status int) {
	var busy *cli.BusyError
	var corrupt *store.CorruptError
	var usage *cli.Error
	var target *disk.TargetError
	var unsupported *search.UnsupportedError
	var older *store.VersionError
	var conflict *store.ConflictError
	of, given := work.HintOf(err)
	switch {
	case errors.As(err, &busy):
		return "port 0 takes a free one", statusFailed
	case errors.As(err, &corrupt):
		return corrupt.Hint, statusUnusable
	case errors.As(err, &conflict):
		return "leeway atlas merge NEW " + conflict.Path + " takes into another store what a check accepts", statusFailed
	case errors.As(err, &usage) && usage.Hint != "":
		return usage.Hint, statusUnusable
	case given:
		return of, statusUnusable
	case errors.As(err, &target):
		return target.Hint, statusUnusable
	case errors.As(err, &usage), errors.As(err, &unsupported), errors.As(err, &older):
		return "", statusUnusable
	}
	return "", statusFailed
}

// commands returns the program with the command of a name, or with all where there is none of that name: each run
// makes only what it needs.
func (a *app) commands(name string) *cobra.Command {
	root := &cobra.Command{
		Use:   "leeway",
		Short: "Find, prove and publish optimal placements of processors on tori",
		Long: `Leeway finds, proves and publishes optimal placements of processors on tori.

If every node of a torus has a processor, its links are overloaded under
all-to-all traffic. Attach processors to some nodes only (a placement), choose
which shortest paths they use (a routing), and ask for the largest load of a
link, E_max. Leeway evaluates it exactly, bounds it from below, searches for
placements that make it small, and proves small cases optimal.`,
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
	root.SetHelpCommandGroupID(groups[len(groups)-1].title)
	root.SetCompletionCommandGroupID(groups[len(groups)-1].title)
	all := map[string]func() *cobra.Command{"atlas": a.atlasCommand, "audit": a.auditCommand, "bisect": a.bisectCommand,
		"bound": a.boundCommand, "check": a.checkCommand, "cluster": a.clusterCommand, "draw": a.drawCommand,
		"eval": a.evalCommand, "exchange": a.exchangeCommand, "explain": a.explainCommand, "export": a.exportCommand,
		"faults": a.faultsCommand, "identify": a.identifyCommand, "law": a.lawCommand,
		"manual": a.manualCommand, "networks": a.networksCommand,
		"prove": a.proveCommand, "restrict": a.restrictCommand, "resume": a.resumeCommand, "search": a.searchCommand,
		"serve": a.serveCommand, "submit": a.submitCommand, "version": a.versionCommand, "worker": a.workerCommand}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, member := range strings.Fields(g.commands) {
			if all[name] == nil || member == name {
				command := all[member]()
				command.GroupID = g.title
				root.AddCommand(command)
			}
		}
	}
	return root
}

// groups lists the commands by what they are for, in the order of help.
var groups = []struct{ title, commands string }{
	{"Ask about a placement or a network", "eval bound explain bisect faults networks law"},
	{"Find and prove", "search resume prove restrict exchange"},
	{"Know and check", "atlas identify check audit"},
	{"Show and publish", "draw serve export submit"},
	{"Many machines", "worker cluster"},
	{"This program", "manual version"},
}

// version is that of this tree.
const version = work.Version

func (a *app) versionCommand() *cobra.Command {
	var s subject
	cmd := command("version", "Print the version", cobra.NoArgs, func(*cobra.Command, []string) error {
		return a.show(versions{"leeway/version/1", runtime.Version(), version}, func() {
			a.printVersion()
		})
	})
	s.flags(cmd, "json")
	return cmd
}

// versions is what "version --json" prints.
type versions struct {
	Schema  string `json:"schema"`
	Go      string `json:"go"`
	Program string `json:"version"`
}

func (a *app) printVersion() {
	a.Printf("leeway %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// manualCommand writes what --help says of every command, all at once.
func (a *app) manualCommand() *cobra.Command {
	var man string
	cmd := command("manual", "Print the reference of all commands; write man pages", cobra.NoArgs,
		func(*cobra.Command, []string) error {
			if man == "" {
				return cli.Reference(a.Stdout.Unfolded(), a.commands(""), options())
			}
			if err := cli.ManPages(man, a.commands(""), released, "Leeway "+version, options()); err != nil {
				return err
			}
			a.Remark("wrote the man pages into %s", man)
			return nil
		})
	addFlags(cmd, flag{&man, "man", "folder for man pages"})
	return cmd
}

// released is the date that man pages carry: that of the version, so that two
// builds write the same.
const released = "2026-11-21"
