package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyCommand calls a function with every command.
func everyCommand(do func(cmd *cobra.Command)) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		do(cmd)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk((&app{stop: context.Background()}).commands())
}

// TestTopics sees that every flag of a command with many has a topic.
func TestTopics(t *testing.T) {
	everyCommand(func(cmd *cobra.Command) {
		for _, g := range flagGroups(cmd) {
			g.Flags.VisitAll(func(f *pflag.Flag) {
				if g.Title == topics[len(topics)-1].title && f.Name != "help" && !f.Hidden {
					t.Errorf("the flag --%s of %s has no topic: add it to topics in help.go", f.Name, cmd.CommandPath())
				}
			})
		}
	})
	seen := map[string]bool{}
	for _, topic := range topics {
		for _, name := range strings.Fields(topic.flags) {
			if seen[name] {
				t.Errorf("--%s has two topics", name)
			}
			seen[name] = true
		}
	}
}

// TestHelpWidth sees that help fits a terminal of 80 columns, but for examples and long words.
func TestHelpWidth(t *testing.T) {
	everyCommand(func(cmd *cobra.Command) {
		text, _, _ := strings.Cut(helpText(cmd), "\nUsage:")
		text += usageFlags(cmd)
		for _, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > helpWidth && strings.Contains(strings.TrimSpace(line[helpWidth/2:]), " ") {
				t.Errorf("%s: %s", cmd.CommandPath(), line)
			}
		}
	})
}

// TestCompletion sees that values are offered for flags that exist, and files by every command that reads some.
func TestCompletion(t *testing.T) {
	known := map[string]bool{}
	everyCommand(func(cmd *cobra.Command) {
		_, path, _ := strings.Cut(cmd.CommandPath(), " ")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { known[f.Name], known[path+"/"+f.Name] = true, true })
		reads := strings.Contains(cmd.Use, "FILE") && !strings.Contains(cmd.Use, "--") || cmd.Name() == "merge"
		if offers := slices.Contains(readers, cmd.Name()) && path != "atlas export"; reads != offers {
			t.Errorf("leeway %s: %s, but files are offered: %t", path, cmd.Use, offers)
		}
	})
	for name := range flagValues {
		if !known[name] {
			t.Errorf("values are offered for --%s, which is no flag", name)
		}
	}
	for _, name := range fileFlags {
		if !known[name] {
			t.Errorf("files are offered for --%s, which is no flag", name)
		}
	}
}
