package cli

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

// helped adds where to look to an error of a command about flags that are missing or a sub-command that is misspelt.
func helped(cmd *cobra.Command, args []string, err error) error {
	var lack *missingError
	var usage *Error
	switch {
	case err == nil, errors.As(err, &usage) && usage.Hint != "":
		return err
	case errors.As(err, &lack):
		return &Error{Err: err, Hint: cmd.CommandPath() + " --help has examples"}
	case len(args) == 1 && cmd.HasAvailableSubCommands():
		_, noFile := os.Stat(args[0])
		if name := NearCommand(cmd, args[0]); name != "" && noFile != nil {
			return &Error{Err: err, Hint: fmt.Sprintf("did you mean %s?", name)}
		}
	}
	return err
}

// meant returns how a hint begins where the value of a flag, up to its first option, is not among the words that a
// shell would offer, but near one; else "".
func meant(cmd *cobra.Command, err error, o Options) string {
	var value *valueError
	if cmd == nil || !errors.As(err, &value) {
		return ""
	}
	f := cmd.Flags().Lookup(value.flag)
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	if f == nil {
		return ""
	}
	name := func(text string) string { return text[:len(text)-len(strings.TrimLeft(text, letters))] }
	var words []string
	offers, known := o.Values[path+"/"+f.Name]
	if !known {
		offers = o.Values[f.Name]
	}
	for _, offer := range offers {
		words = append(words, name(offer))
	}
	word := name(f.Value.String())
	if word == "" || slices.Contains(words, word) {
		return ""
	}
	return DidYouMean(word, slices.DeleteFunc(words, func(w string) bool { return w == "" }))
}

// letters are those of words.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

// strict has every command below one refuse arguments that it does not take, and numbers that are not in plain digits,
// in words of this program.
func strict(cmd *cobra.Command, o Options) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains([]string{"int", "int64", "uint", "uint64"}, f.Value.Type()) {
			f.Value = plain{f.Value}
		}
	})
	for _, sub := range cmd.Commands() {
		strict(sub, o)
	}
	fits := cmd.Args
	if fits == nil {
		fits = cobra.ArbitraryArgs
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		var usage *Error
		switch err := fits(cmd, args); {
		case errors.As(err, &usage):
			return err
		case err != nil:
			return wrongArguments(cmd, args, o)
		}
		if flag, sides := split(cmd, args, o); flag != "" {
			return Errorf("%q: there is no such file", args[0]).
				Hinted(fmt.Sprintf("did you mean --%s %s?", flag, sides))
		}
		return nil
	}
}

// strictHelp makes bad usage of what cobra's own commands, help and completion, take for a request for help.
func strictHelp(root *cobra.Command, o Options) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if found, rest, _ := root.Find(args); len(rest) > 0 {
					return unknownCommand(found, rest[0], o)
				}
				return nil
			}
		}
	}
}

// wrongArguments says what is wrong about arguments that a command does not take.
func wrongArguments(cmd *cobra.Command, args []string, o Options) error {
	takesFile := strings.Contains(cmd.Use, "[")
	if cmd.HasAvailableSubCommands() && cmd.RunE != nil && !takesFile {
		return unknownCommand(cmd, args[0], o)
	}
	err := Errorf("%q: %s takes no argument", args[0], cmd.CommandPath()).
		Hinted(cmd.CommandPath() + " --help lists the flags")
	if takesFile {
		err.Err = Errorf("%q: %s takes one file", args[len(args)-1], cmd.CommandPath())
		if len(args) == 1 {
			err.Err = Errorf("%q: no such file", args[0])
		}
	}
	if _, isFile := os.Stat(args[0]); isFile == nil && !takesFile {
		err.Hint = o.ForFiles
	} else if flag, sides := split(cmd, args, o); flag != "" {
		err.Hint = fmt.Sprintf("did you mean --%s %s?", flag, sides)
	} else if flags := o.Guess(args[0]).Flags; len(flags) > 0 && cmd.Flags().Lookup(flags[0]) != nil {
		err.Hint = fmt.Sprintf("did you mean --%s %s?", flags[0], args[0])
	}
	return err
}

// split returns the flag whose value goes on in arguments, and that value: the sides of 8 8; "" where the first
// argument is a file.
func split(cmd *cobra.Command, args []string, o Options) (flag, value string) {
	if len(args) == 0 {
		return "", ""
	}
	if _, err := os.Stat(args[0]); err == nil {
		return "", ""
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		joined := strings.Join(append([]string{f.Value.String()}, args...), "x")
		if slices.Contains(o.Guess(joined).Flags, f.Name) && core.Plain(f.Value.String()) {
			flag, value = f.Name, joined
		}
	})
	return flag, value
}

// unknownCommand says that a word is not a command below one.
func unknownCommand(cmd *cobra.Command, word string, o Options) error {
	if g := o.Guess(word); g.Kind != "" {
		return Errorf("%q is %s, not a command", word, g.Kind).Hinted("name a command first: " + g.Example)
	}
	err := Errorf("unknown command %q", word).Hinted(cmd.CommandPath() + " --help lists the commands")
	if name := NearCommand(cmd, word); name != "" {
		err.Hint = fmt.Sprintf("did you mean %s?", name)
	}
	return err
}

// NearCommand returns the command below one, with its path, that a word was probably meant to be, "" if none is near.
func NearCommand(cmd *cobra.Command, word string) string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if name := nearest(word, names); name != "" {
		return cmd.CommandPath() + " " + name
	}
	return ""
}

// Without begins the name of an annotation of a command: before a flag that it does not have, what there is instead.
const Without = "without --"

// wrongFlag says what is wrong about a flag that the library refuses.
func wrongFlag(cmd *cobra.Command, err error, args []string, tree func(name string) *cobra.Command, o Options) error {
	if cmd.HasAvailableSubCommands() { // where no such command is below it its flags are unknown, too
		depth := len(strings.Fields(cmd.CommandPath())) - 1
		first := slices.IndexFunc(args, func(word string) bool { return strings.HasPrefix(word, "-") })
		if words := args[:max(first, 0)]; len(words) > depth && (depth == 0 || NearCommand(cmd, words[depth]) != "") {
			return unknownCommand(cmd, words[depth], o)
		}
	}
	help := cmd.CommandPath() + " --help lists the flags"
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return Errorf("unknown flag -%s", unknown.GetSpecifiedName()).Hinted(help)
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if instead := cmd.Annotations[Without+name]; instead != "" {
			help = instead
		} else if near := nearest(name, names); near != "" {
			help = fmt.Sprintf("did you mean --%s?", near)
		} else if others := withFlag(tree(""), name); others != nil {
			help = fmt.Sprintf("--%s is a flag of %s; %s", name, strings.Join(others, ", "), help)
		}
		return Errorf("%s has no flag --%s", cmd.CommandPath(), name).Hinted(help)
	case errors.As(err, &empty):
		return Errorf("the flag --%s needs a value", empty.GetFlag().Name).Hinted(help)
	case errors.As(err, &value):
		f, what := value.GetFlag(), "not a whole number"
		if f.Value.Type() == "bool" {
			what = "not true or false"
		}
		if own := (*Error)(nil); errors.As(err, &own) {
			what, help = own.Error(), cmp.Or(own.Hint, help)
		}
		return Errorf("--%s %q: %s", f.Name, value.GetValue(), what).Hinted(help)
	}
	return &Error{Err: err, Hint: help}
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

// What flags say of others, in their annotations, three texts each: a value, "" for any, names, and a hint; and the
// flags that a command requires.
const (
	excludes = "excludes"
	needs    = "needs"
	requires = "requires"
)

// Require refuses a command without some flags, whose names are separated by spaces; its use, as a hint, shows them.
func Require(cmd *cobra.Command, flags string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[requires] = flags
}

// Exclude lets a flag of a command, or a value of it, FLAG=VALUE, exclude others, whose names are separated by spaces;
// the hint says what to do, "" to give one of them. Flags that the command does not have change nothing.
func Exclude(cmd *cobra.Command, flag, others, hint string) {
	flag, value, _ := strings.Cut(flag, "=")
	note(cmd, flag, excludes, value, others, cmp.Or(hint, "give one of them"))
}

// Need refuses flags of a command, whose names are separated by spaces, without another one, or without a value of
// another one, FLAG=VALUE; the hint says what to do.
func Need(cmd *cobra.Command, flags, other, hint string) {
	other, value, _ := strings.Cut(other, "=")
	for flag := range strings.FieldsSeq(flags) {
		note(cmd, flag, needs, value, other, hint)
	}
}

func note(cmd *cobra.Command, flag, kind string, rule ...string) {
	f := cmd.Flags().Lookup(flag)
	_ = cmd.Flags().SetAnnotation(flag, kind, append(f.Annotations[kind], rule...)) // fails for unknown flags only
}

// clash refuses flags that exclude each other, that lack the one that they need, and that are missing.
func clash(cmd *cobra.Command) (err error) {
	given := cmd.Flags().Changed
	var pairs []string
	for flag := range strings.FieldsSeq(cmd.Annotations[requires]) {
		pairs = append(pairs, flag, cmd.Flags().Lookup(flag).Value.String())
	}
	if err = Missing(pairs...); err != nil {
		return &Error{Err: err, Hint: strings.TrimSuffix(cmd.UseLine(), " [flags]")}
	}
	has := func(flag, value string) bool {
		return given(flag) && (value == "" || cmd.Flags().Lookup(flag).Value.String() == value)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for rule := range slices.Chunk(f.Annotations[excludes], 3) {
			for other := range strings.FieldsSeq(rule[1]) {
				if has(f.Name, rule[0]) && given(other) && err == nil {
					err = Errorf("--%s and --%s exclude each other", strings.TrimSpace(f.Name+" "+rule[0]), other).Hinted(rule[2])
				}
			}
		}
		for rule := range slices.Chunk(f.Annotations[needs], 3) {
			if !has(rule[1], rule[0]) && err == nil {
				err = Errorf("--%s goes with --%s only", f.Name, strings.TrimSpace(rule[1]+" "+rule[0])).Hinted(rule[2])
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
