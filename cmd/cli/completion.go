package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// complete has a shell offer the values of flags and the files of commands.
func complete(root *cobra.Command, o Options) {
	for _, cmd := range root.Commands() {
		complete(cmd, o)
		_, path, _ := strings.Cut(cmd.CommandPath(), " ")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			values, known := o.Values[path+"/"+f.Name]
			if !known {
				values, known = o.Values[f.Name]
			}
			offer := cobra.NoFileCompletions
			switch name := valueName(f, o); {
			case slices.Contains([]string{"FILE", "FILES", "FOLDER"}, name):
				return // the shell's own completion
			case known && name == "LIST":
				offer = offerList(values)
			case known:
				offer = offerValues(values)
			}
			_ = cmd.RegisterFlagCompletionFunc(f.Name, offer) // fails on a second one only
		})
		switch arguments, _, _ := strings.Cut(cmd.Use, " --"); {
		case strings.Contains(arguments, "FILE"):
			cmd.ValidArgsFunction = cobra.FixedCompletions([]string{"json", "jsonl", "store"},
				cobra.ShellCompDirectiveFilterFileExt)
		case o.Arguments[path] != nil:
			cmd.ValidArgsFunction = offerArguments(o.Arguments[path])
		case cmd.Name() != "help":
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// offerArguments offers the values of one argument after the other.
func offerArguments(values [][]string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(values) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offerValues(values[len(args)])(cmd, args, begun)
	}
}

// offerValues offers values; after one that goes on no space is put. "@" stands for a file.
func offerValues(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		if name, isFile := strings.CutPrefix(begun, "@"); isFile {
			values, _ = filepath.Glob(name + "*")
			for i := range values {
				values[i] = "@" + values[i]
			}
		}
		var list []string
		directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		for _, v := range values {
			if strings.HasPrefix(v, begun) {
				list = append(list, v)
			}
		}
		if len(list) == 1 && strings.ContainsAny(list[0][len(list[0])-1:], "=:@/") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return list, directive
	}
}

// offerList offers the words that may follow in a list with commas.
func offerList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		last := strings.LastIndex(begun, ",") + 1
		given := strings.Split(begun[:last], ",")
		var list []string
		for _, w := range words {
			if strings.HasPrefix(w, begun[last:]) && !slices.Contains(given, w) {
				list = append(list, begun[:last]+w)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
