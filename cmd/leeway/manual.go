package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if man == "" {
				return reference(a.stdout, cmd.Root())
			}
			if err := os.MkdirAll(man, 0o755); err != nil {
				return err
			}
			ofNoMachine(cmd.Root())
			header := doc.GenManHeader{Title: "LEEWAY", Section: "1", Source: "Leeway " + version, Manual: "Leeway",
				Date: &released}
			if err := doc.GenManTree(cmd.Root(), &header, man); err != nil {
				return err
			}
			a.remark("wrote the man pages into %s", man)
			return nil
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "folder for man pages")
	return cmd
}

// released is the date that man pages carry: that of the version, so that two
// builds write the same.
var released = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// ofNoMachine makes the defaults of all commands the same on every machine.
func ofNoMachine(cmd *cobra.Command) {
	if f := cmd.Flags().Lookup(workersName); f != nil {
		f.DefValue = "all cores"
	}
	for _, sub := range cmd.Commands() {
		ofNoMachine(sub)
	}
}

// reference writes one chapter for each command.
func reference(w io.Writer, program *cobra.Command) error {
	var b strings.Builder
	b.WriteString("# Reference\n\nWritten by `leeway manual`. Formats and exit status: [formats.md](formats.md); the " +
		"texts of placements, routings\nand nodes: [conventions.md](conventions.md).\n")
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() && cmd != program || cmd.Name() == "completion" {
			return
		}
		if cmd != program {
			chapter(&b, cmd)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(program)
	_, err := io.WriteString(w, b.String())
	return err
}

func chapter(b *strings.Builder, cmd *cobra.Command) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n    %s\n", cmd.CommandPath(), strings.TrimSpace(text), cmd.UseLine())
	if cmd.HasExample() {
		b.WriteString("\n" + indent(cmd.Example) + "\n")
	}
	for _, g := range flagGroups(cmd) {
		rows := 0
		g.Flags.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			if rows++; rows == 1 {
				fmt.Fprintf(b, "\n| %s | meaning |\n|---|---|\n", strings.ToLower(strings.TrimSuffix(g.Title, "s")))
			}
			fmt.Fprintf(b, "| `%s` | %s |\n", flagText(f), strings.ReplaceAll(flagUsage(f), "|", "\\|"))
		})
	}
}

// flagText returns a flag as it is typed.
func flagText(f *pflag.Flag) string {
	text := "--" + f.Name
	if f.Shorthand != "" {
		text = "-" + f.Shorthand + ", " + text
	}
	if kind, _ := pflag.UnquoteUsage(f); kind != "" {
		text += " " + kind
	}
	return text
}

// flagUsage returns what a flag means and its default.
func flagUsage(f *pflag.Flag) string {
	_, usage := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "0", "false", "[]":
		return usage
	}
	if f.Name == workersName {
		return usage + " (default: all cores)"
	}
	return fmt.Sprintf("%s (default %s)", usage, f.DefValue)
}

func indent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = "    " + strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}
