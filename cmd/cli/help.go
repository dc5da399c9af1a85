package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manyFlags is the most flags that help lists in one piece; more are listed by topic.
const manyFlags = 10

// A Topic is what some flags are about.
type Topic struct {
	Title string
	Flags string // names with spaces between; a flag that means something else in one command stands as COMMAND/FLAG
	In    string // the command whose help alone describes the flags where many have them; "" for every command
}

// A flagGroup is the flags of a command about one topic.
type flagGroup struct {
	Title string
	Flags *pflag.FlagSet
}

// flagGroups returns the flags of a command by topic, without those that another command describes, or all in one piece
// where they are few, each with the name of its value.
func flagGroups(cmd *cobra.Command, o Options) []flagGroup {
	count := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			count++
		}
	})
	groups := []flagGroup{{"Flags", pflag.NewFlagSet("", pflag.ContinueOnError)}}
	if count > manyFlags {
		groups = nil
		for _, t := range o.Topics {
			groups = append(groups, flagGroup{t.Title, pflag.NewFlagSet("", pflag.ContinueOnError)})
		}
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		shown, topic := *f, 0
		if name := valueName(f, o); name != "" {
			shown.Value = named{f.Value, name}
		}
		if count > manyFlags {
			topic = topicOf(cmd, f, o.Topics)
		}
		if count <= manyFlags || o.Topics[topic].In == "" {
			groups[topic].Flags.AddFlag(&shown)
		}
	})
	return slices.DeleteFunc(groups, func(g flagGroup) bool { return !g.Flags.HasAvailableFlags() })
}

// A named value is shown by a name instead of its type.
type named struct {
	pflag.Value
	name string
}

// Type implements pflag.Value.
func (n named) Type() string { return n.name }

// valueName returns what stands for the value of a flag, "" for the name of its type.
func valueName(f *pflag.Flag, o Options) string {
	switch f.Value.Type() {
	case "int", "int64", "uint64":
		return "N"
	case "time":
		return "TIME"
	}
	for name, flags := range o.ValueNames {
		if slices.Contains(strings.Fields(flags), f.Name) {
			return name
		}
	}
	return ""
}

// topicOf returns the number of the topic of a flag, the last for one without.
func topicOf(cmd *cobra.Command, f *pflag.Flag, topics []Topic) int {
	found := len(topics) - 1
	for i, t := range topics {
		for _, name := range strings.Fields(t.Flags) {
			switch name {
			case cmd.Name() + "/" + f.Name:
				return i
			case f.Name:
				found = i
			}
		}
	}
	return found
}

// helpWidth is how wide help is.
const helpWidth = 80

// helpText returns help for a command: its description filled to the width, its examples, and its flags by topic.
func helpText(cmd *cobra.Command) string {
	text := filled(strings.TrimSpace(cmd.Long))
	if text == "" {
		text = cmd.Short
	}
	return text + "\n\n" + cmd.UsageString()
}

// usageFlags returns the flags of a command as help shows them.
func usageFlags(cmd *cobra.Command, o Options) string {
	var b strings.Builder
	for _, g := range flagGroups(cmd, o) {
		b.WriteString("\n\n" + g.Title + ":\n" + strings.TrimRight(g.Flags.FlagUsagesWrapped(helpWidth), "\n"))
	}
	return b.String()
}

// setHelp has a command and those below it show help so.
func setHelp(root *cobra.Command, o Options) {
	cobra.AddTemplateFunc("usageFlags", func(cmd *cobra.Command) string { return usageFlags(cmd, o) })
	before, rest, _ := strings.Cut(root.UsageTemplate(), "{{if .HasAvailableLocalFlags}}")
	_, after, _ := strings.Cut(rest, "{{end}}")
	root.SetUsageTemplate(before + "{{if .HasAvailableLocalFlags}}{{usageFlags .}}{{end}}" + after)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		fmt.Fprint(cmd.OutOrStdout(), fold(helpText(cmd), helpWidth))
	})
}

// filled fills the paragraphs of a text to the width of help. Lines that begin with a space stay as they are.
func filled(text string) string {
	var out []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(paragraph, " ") {
			out = append(out, paragraph)
			continue
		}
		var lines []string
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len(line)+1+len(word) > helpWidth {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimLeft(line+" "+word, " ")
		}
		out = append(out, strings.Join(append(lines, line), "\n"))
	}
	return strings.Join(out, "\n\n")
}

// describe gives the commands below a program the descriptions and the examples of their chapters in the reference.
func describe(program *cobra.Command, o Options) {
	for _, cmd := range commandsBelow(program) {
		_, text, _ := strings.Cut(o.Reference, "\n## "+cmd.CommandPath()+"\n\n")
		text, usage, _ := strings.Cut(text, "\n\n    "+cmd.CommandPath())
		if text != cmd.Short+"." {
			cmd.Long = text
		}
		_, rest, _ := strings.Cut(usage, "\n")
		if examples, ok := strings.CutPrefix(rest, "\n    "); ok {
			examples, _, _ = strings.Cut(examples, "\n\n")
			cmd.Example = "  " + strings.ReplaceAll(examples, "\n    ", "\n  ")
		}
	}
}

// Reference writes the reference anew, a page in Markdown: its beginning, then a chapter for each command, with the
// description and the examples that it has there, how it is called, and its flags.
func Reference(w io.Writer, program *cobra.Command, o Options) error {
	describe(program, o)
	var b strings.Builder
	begin, _, _ := strings.Cut(o.Reference, "\n## ")
	b.WriteString(begin)
	for _, cmd := range commandsBelow(program) {
		chapter(&b, cmd, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// commandsBelow returns the commands below one that help describes, each before those below it.
func commandsBelow(cmd *cobra.Command) (list []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" {
			list = append(append(list, sub), commandsBelow(sub)...)
		}
	}
	return list
}

func chapter(b *strings.Builder, cmd *cobra.Command, o Options) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n    %s\n", cmd.CommandPath(), strings.TrimSpace(text), cmd.UseLine())
	if cmd.HasExample() {
		b.WriteString("\n" + indent(cmd.Example) + "\n")
	}
	for _, g := range flagGroups(cmd, o) {
		for i, f := range described(g) {
			if i == 0 {
				fmt.Fprintf(b, "\n| %s | meaning |\n|---|---|\n", strings.ToLower(strings.TrimSuffix(g.Title, "s")))
			}
			fmt.Fprintf(b, "| `%s` | %s |\n", flagText(f), strings.ReplaceAll(flagUsage(f), "|", "\\|"))
		}
	}
}

// described returns the flags of a group that a reference describes.
func described(g flagGroup) (list []*pflag.Flag) {
	g.Flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			list = append(list, f)
		}
	})
	return list
}

// ManPages writes a man page for a program and one for each command into a folder. Each names a date, and the program
// with its version.
func ManPages(folder string, program *cobra.Command, date, version string, o Options) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	describe(program, o)
	for _, cmd := range append(commandsBelow(program), program) {
		file := filepath.Join(folder, manName(cmd)+".1")
		if err := os.WriteFile(file, []byte(manPage(cmd, date, version, o)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func manPage(cmd *cobra.Command, date, version string, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".nh\n.TH %q 1 %q %q\n", strings.ToUpper(manName(cmd)), date, version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n\\fB%s\\fP\n.SH DESCRIPTION\n%s\n",
		manName(cmd), roff(cmd.Short), roff(cmd.UseLine()), roff(cmp.Or(cmd.Long, cmd.Short)))
	for _, g := range flagGroups(cmd, o) {
		for i, f := range described(g) {
			if i == 0 {
				fmt.Fprintf(&b, ".SH %s\n", strings.ToUpper(g.Title))
			}
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fP\n%s\n", roff(flagText(f)), roff(flagUsage(f)))
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.EX\n%s\n.EE\n", roff(indent(cmd.Example)))
	}
	var others []string
	for _, other := range append(commandsBelow(cmd.Root()), cmd.Root()) {
		if other.Parent() == cmd || other == cmd.Parent() {
			others = append(others, "\\fB"+manName(other)+"\\fP(1)")
		}
	}
	return b.String() + ".SH SEE ALSO\n" + strings.Join(others, ",\n") + "\n"
}

// roff returns a text as it stands in man pages.
func roff(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(text, "\n"), `\`, `\e`), "-", `\-`)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		} else if line == "" {
			lines[i] = ".PP"
		}
	}
	return strings.Join(lines, "\n")
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
	return fmt.Sprintf("%s (default %s)", usage, f.DefValue)
}

func indent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = "    " + strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}
