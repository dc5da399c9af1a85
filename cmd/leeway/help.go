package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manyFlags is the most flags that help lists in one piece; more are listed by topic.
const manyFlags = 10

// A topic is what some flags are about.
type topic struct {
	title string
	flags string // names with spaces between
}

// topics lists what flags are about, in the order of help. A flag that means something else in one command stands as
// COMMAND/FLAG.
var topics = []topic{
	{"Problem", "torus mesh graph placement routing size max-load fixed forbidden plan single-path min-paths by orders " +
		"below all symmetry known formula strengthen break-symmetry to rate draw/schedule phase orbit algorithm variant " +
		"model startup transmit block direct sync open beaten wrong gap limit"},
	{"Effort", "seed time evaluations workers methods engine backend part recheck"},
	{"Output", "out json format optima schedule ranks theme title values ascii listen"},
	{"Store", "store work"},
	{"Cluster", "cluster token-file creds-file tls-ca tls-cert tls-key confirm unit-time patience replicas metrics " +
		"log-json"},
	{"Other", "help"},
}

// A flagGroup is the flags of a command about one topic.
type flagGroup struct {
	Title string
	Flags *pflag.FlagSet
}

// flagGroups returns the flags of a command by topic, or in one piece where they are few.
func flagGroups(cmd *cobra.Command) []flagGroup {
	all := []flagGroup{{"Flags", cmd.LocalFlags()}}
	count := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			count++
		}
	})
	if count <= manyFlags {
		return all
	}
	sets := make([]*pflag.FlagSet, len(topics))
	for i := range topics {
		sets[i] = pflag.NewFlagSet(topics[i].title, pflag.ContinueOnError)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { sets[topicOf(cmd, f)].AddFlag(f) })
	all = nil
	for i, set := range sets {
		if set.HasAvailableFlags() {
			all = append(all, flagGroup{topics[i].title, set})
		}
	}
	return all
}

// topicOf returns the number of the topic of a flag, the last for one without.
func topicOf(cmd *cobra.Command, f *pflag.Flag) int {
	found := len(topics) - 1
	for i, t := range topics {
		for _, name := range strings.Fields(t.flags) {
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
func usageFlags(cmd *cobra.Command) string {
	var b strings.Builder
	for _, g := range flagGroups(cmd) {
		b.WriteString("\n\n" + g.Title + ":\n" + strings.TrimRight(g.Flags.FlagUsagesWrapped(helpWidth), "\n"))
	}
	return b.String()
}

// setHelp has a command and those below it show help so.
func setHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("usageFlags", usageFlags)
	before, rest, _ := strings.Cut(root.UsageTemplate(), "{{if .HasAvailableLocalFlags}}")
	_, after, _ := strings.Cut(rest, "{{end}}")
	root.SetUsageTemplate(before + "{{if .HasAvailableLocalFlags}}{{usageFlags .}}{{end}}" + after)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), helpText(cmd)) })
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
