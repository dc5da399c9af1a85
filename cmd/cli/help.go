package cli

import (
	"cmp"
	"fmt"
	"io"
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
}

// A flagGroup is the flags of a command about one topic.
type flagGroup struct {
	Title string
	Flags *pflag.FlagSet
}

// flagGroups returns the flags of a command by topic, or in one piece where they are few, each with the name of its
// value.
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
		if name := valueName(cmd, f, o); name != "" {
			shown.Value = named{f.Value, name}
		}
		if count > manyFlags {
			topic = topicOf(cmd, f, o.Topics)
		}
		groups[topic].Flags.AddFlag(&shown)
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
func valueName(cmd *cobra.Command, f *pflag.Flag, o Options) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "N"
	case "time":
		return "TIME"
	case "bool":
		return ""
	}
	return cmp.Or(o.ValueNames[cmd.Name()+"/"+f.Name], o.ValueNames[f.Name])
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

// Reference writes all help as one page in Markdown: a beginning, then one chapter for each command.
func Reference(w io.Writer, program *cobra.Command, begin string, o Options) error {
	var b strings.Builder
	b.WriteString(begin)
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() && cmd != program || cmd.Name() == "completion" {
			return
		}
		if cmd != program {
			chapter(&b, cmd, o)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(program)
	_, err := io.WriteString(w, b.String())
	return err
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
	return fmt.Sprintf("%s (default %s)", usage, f.DefValue)
}

func indent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = "    " + strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}
