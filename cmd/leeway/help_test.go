package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leeway/cmd/work"
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
	walk((&app{}).commands(""))
}

// helpOf returns what a command prints with --help.
func helpOf(t *testing.T, cmd *cobra.Command) string {
	t.Helper()
	var out, messages bytes.Buffer
	args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
	if status := execute(t.Context(), args, strings.NewReader(""), &out, &messages); status != 0 {
		t.Fatalf("%v: status %d: %s", args, status, messages.String())
	}
	return out.String()
}

// TestCommands sees that each command is found by the name that it has.
func TestCommands(t *testing.T) {
	for _, cmd := range (&app{}).commands("").Commands() {
		if alone := (&app{}).commands(cmd.Name()).Commands(); len(alone) != 1 || alone[0].Name() != cmd.Name() {
			t.Errorf("%q alone is not the only command made", cmd.Name())
		}
	}
}

// TestMethodsInHelp sees that the description of search, a text, names the methods that run without --methods.
func TestMethodsInHelp(t *testing.T) {
	var out bytes.Buffer
	if status := execute(t.Context(), []string{"search", "--help"}, strings.NewReader(""), &out, &out); status != 0 {
		t.Fatal(out.String())
	}
	help := strings.Join(strings.Fields(out.String()), " ")
	for _, list := range [][]string{work.DefaultMethods} {
		if names := strings.Join(list, ", ") + "."; !strings.Contains(help, names) {
			t.Errorf("docs/reference.md does not say of search that these methods run: %s", names)
		}
	}
}

// TestTopics sees that every flag of a command with many has a topic.
func TestTopics(t *testing.T) {
	other := "\n" + topics[len(topics)-1].Title + ":\n"
	everyCommand(func(cmd *cobra.Command) {
		_, list, _ := strings.Cut(helpOf(t, cmd), other)
		for line := range strings.Lines(list) {
			if strings.TrimSpace(line) == "" {
				break
			}
			if !strings.HasPrefix(line, "  -h, --help ") {
				t.Errorf("a flag of %s has no topic: add it to topics in terminal.go\n%s", cmd.CommandPath(), line)
			}
		}
	})
	seen := map[string]bool{}
	for _, topic := range topics {
		for _, name := range strings.Fields(topic.Flags) {
			if seen[name] {
				t.Errorf("--%s has two topics", name)
			}
			seen[name] = true
		}
	}
}

// TestValueNames sees that help says of every value what it is.
func TestValueNames(t *testing.T) {
	known := map[string]bool{}
	everyCommand(func(cmd *cobra.Command) {
		for line := range strings.Lines(helpOf(t, cmd)) {
			if words := strings.Fields(line); len(words) > 1 && strings.HasPrefix(words[0], "--") &&
				strings.HasPrefix(words[1], "string") {
				t.Errorf("--%s of %s has no name for its value: add it to valueNames in terminal.go", words[0], cmd.CommandPath())
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	})
	for _, flags := range valueNames {
		for name := range strings.FieldsSeq(flags) {
			if !known[name] {
				t.Errorf("a value is named of --%s, which is no flag", name)
			}
		}
	}
}

// TestHelpWidth sees that help fits a terminal of 80 columns, but for long words.
func TestHelpWidth(t *testing.T) {
	everyCommand(func(cmd *cobra.Command) {
		for line := range strings.Lines(helpOf(t, cmd)) {
			line = strings.TrimSuffix(line, "\n")
			if r := []rune(line); len(r) > 80 && strings.Contains(strings.TrimSpace(string(r[40:])), " ") {
				t.Errorf("%s: %s", cmd.CommandPath(), line)
			}
		}
	})
}

// TestCompletion sees that values are offered for flags that exist.
func TestCompletion(t *testing.T) {
	known := map[string]bool{}
	everyCommand(func(cmd *cobra.Command) {
		_, path, _ := strings.Cut(cmd.CommandPath(), " ")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { known[f.Name], known[path+"/"+f.Name] = true, true })
	})
	for name := range flagValues {
		if !known[name] {
			t.Errorf("values are offered for --%s, which is no flag", name)
		}
	}
}
