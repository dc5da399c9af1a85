package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leeway/core"
)

// Command lines with a word too many, too few, or misspelt: what is said of them.

// A missingError says which flags are missing.
type missingError struct{ flags []string }

func (e *missingError) Error() string {
	last := len(e.flags) - 1
	if last == 0 {
		return fmt.Sprintf("the flag %s is missing", e.flags[0])
	}
	return fmt.Sprintf("the flags %s and %s are missing", strings.Join(e.flags[:last], ", "), e.flags[last])
}

// missing returns an error about all flags without a value at once, nil if there are none. It takes names and values in
// turn.
func missing(pairs ...string) error {
	e := &missingError{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			e.flags = append(e.flags, "--"+pairs[i])
		}
	}
	if e.flags == nil {
		return nil
	}
	return e
}

// helped adds where to look to an error of a command about flags that are missing or a sub-command that is misspelt.
func helped(cmd *cobra.Command, args []string, err error) error {
	var lack *missingError
	var usage *usageError
	switch {
	case err == nil, errors.As(err, &usage) && usage.hint != "":
		return err
	case errors.As(err, &lack):
		return &usageError{err: err, hint: cmd.CommandPath() + " --help has examples"}
	case len(args) == 1 && cmd.HasAvailableSubCommands():
		_, noFile := os.Stat(args[0])
		if name := nearest(args[0], commandNames(cmd)); name != "" && noFile != nil {
			return &usageError{err: err, hint: fmt.Sprintf("did you mean %s %s?", cmd.CommandPath(), name)}
		}
	}
	return err
}

// strict has every command below one refuse arguments that it does not take, and flags that exclude each other, in
// words of this program.
func strict(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		strict(sub)
	}
	fits := cmd.Args
	if fits == nil {
		fits = cobra.ArbitraryArgs
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		var usage *usageError
		switch err := fits(cmd, args); {
		case errors.As(err, &usage):
			return err
		case err != nil:
			return wrongArguments(cmd, args)
		}
		return clash(cmd)
	}
}

// wrongArguments says what is wrong about arguments that a command does not take.
func wrongArguments(cmd *cobra.Command, args []string) error {
	if cmd.HasAvailableSubCommands() && cmd.RunE != nil && !strings.Contains(cmd.Use, "[") {
		return unknownCommand(cmd, args[0])
	}
	last := args[len(args)-1]
	err := &usageError{err: usagef("%q: %s takes no argument", args[0], cmd.CommandPath()),
		hint: cmd.CommandPath() + " --help lists the flags"}
	if strings.Contains(cmd.Use, "[") {
		err.err = usagef("%q: %s takes one file", last, cmd.CommandPath())
	}
	flag := ""
	if _, isFile := os.Stat(args[0]); isFile == nil && !strings.Contains(cmd.Use, "[") {
		err.hint = "files are read by leeway check, draw, export and atlas merge"
	} else if _, isTorus := core.ParseNetwork(args[0]); isTorus == nil && strings.Contains(args[0], "x") {
		flag = "torus"
	}
	if flag != "" && cmd.Flags().Lookup(flag) != nil {
		err.hint = fmt.Sprintf("did you mean --%s %s?", flag, args[0])
	}
	return err
}

// unknownCommand says that a word is none of the commands below one.
func unknownCommand(cmd *cobra.Command, word string) error {
	if _, err := core.ParseNetwork(word); err == nil {
		return &usageError{err: usagef("%q is a torus and no command", word),
			hint: fmt.Sprintf("name a command first: leeway search --torus %s --size N --routing udr", word)}
	}
	err := &usageError{err: usagef("unknown command %q", word),
		hint: cmd.CommandPath() + " --help lists the commands"}
	if name := nearest(word, commandNames(cmd)); name != "" {
		err.hint = fmt.Sprintf("did you mean %s?", strings.TrimSpace(cmd.CommandPath()+" "+name))
	}
	return err
}

// commandNames returns the names of the commands below one.
func commandNames(cmd *cobra.Command) (names []string) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// wrongFlag says what is wrong about a flag that the library refuses.
func (a *app) wrongFlag(cmd *cobra.Command, err error) error {
	if cmd.HasAvailableSubCommands() { // of what is no command below it, the flags are unknown, too
		depth := len(strings.Fields(cmd.CommandPath())) - 1
		first := slices.IndexFunc(a.args, func(word string) bool { return strings.HasPrefix(word, "-") })
		if words := a.args[:max(first, 0)]; len(words) > depth &&
			(depth == 0 || nearest(words[depth], commandNames(cmd)) != "") {
			return unknownCommand(cmd, words[depth])
		}
	}
	help := cmd.CommandPath() + " --help lists the flags"
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return &usageError{err: usagef("unknown flag -%s", unknown.GetSpecifiedName()), hint: help}
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := nearest(name, names); near != "" {
			help = fmt.Sprintf("did you mean --%s?", near)
		} else if others := withFlag(cmd.Root(), name); others != nil {
			help = fmt.Sprintf("--%s is a flag of %s; %s", name, strings.Join(others, ", "), help)
		}
		return &usageError{err: usagef("%s has no flag --%s", cmd.CommandPath(), name), hint: help}
	case errors.As(err, &empty):
		return &usageError{err: usagef("the flag --%s needs a value", empty.GetFlag().Name), hint: help}
	case errors.As(err, &value):
		kind := map[string]string{"int": "a whole number", "int64": "a whole number", "bool": "true or false"}
		f := value.GetFlag()
		return &usageError{err: usagef("--%s %q: not %s", f.Name, value.GetValue(),
			cmp.Or(kind[f.Value.Type()], "a "+f.Value.Type())), hint: help}
	}
	return &usageError{err: err, hint: help}
}

// withFlag returns the commands that have a flag.
func withFlag(cmd *cobra.Command, flag string) (names []string) {
	if f := cmd.Flags().Lookup(flag); f != nil && !f.Hidden && cmd.IsAvailableCommand() && cmd.HasParent() {
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		names = append(names, name)
	}
	for _, sub := range cmd.Commands() {
		names = append(names, withFlag(sub, flag)...)
	}
	return names
}

// exclusive is the note that cobra makes on flags that exclude each other: groups of names.
const exclusive = "cobra_annotation_mutually_exclusive"

// clash refuses flags that exclude each other.
func clash(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, group := range f.Annotations[exclusive] {
			for _, other := range strings.Fields(group) {
				if other > f.Name && cmd.Flags().Changed(other) && err == nil {
					err = &usageError{err: usagef("--%s and --%s exclude each other", f.Name, other), hint: "give one of them"}
				}
			}
		}
	})
	return err
}

// nearest returns the word of a list that another was probably meant to be, "" if none is near.
func nearest(word string, list []string) string {
	best, least := "", 1+min(2, len(word)/2)
	for _, known := range list {
		d := distance(strings.ToLower(word), known)
		if len(word) > 2 && strings.HasPrefix(known, word) {
			d = min(d, 1)
		}
		if d < least {
			best, least = known, d
		}
	}
	return best
}

// distance returns how many letters must be changed, added, left away, or swapped with the next to make one word of
// another.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
