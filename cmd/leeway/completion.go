package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leeway/cmd/work"
	"leeway/cmd/work/schedule"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
	"leeway/results"
	"leeway/search/backend"
	"leeway/search/joint"
)

// flagValues lists the values that a shell offers for flags; those of one command stand under COMMAND/FLAG.
var flagValues = map[string][]string{
	"routing": {"odr", "odr:tie=both", "udr", "udr:tie=both", "orders:", "avoid", "avoid:tie=plus", "minimal",
		"minimal:tie=plus", "@"},
	"search/routing": {"odr", "odr:tie=both", "udr", "udr:tie=both", "orders:", "avoid", "avoid:tie=plus", "minimal",
		"minimal:tie=plus", "free", "@"},
	"placement":           {"full", "linear", "multilinear:t=", "spaced:t=", "residues:c=", "random:n=", "nodes:", "@"},
	"torus":               {"8x8", "8^3"},
	"mesh":                {"8x8", "8^3"},
	"engine":              work.EngineNames(),
	"backend":             backend.Names(),
	"exchange/backend":    backend.Names()[:2], // those that write proofs
	"algorithm":           schedule.Algorithms,
	"variant":             {wormhole.Published.String(), wormhole.Balanced.String()},
	"model":               {string(exchange.StoreAndForward), string(exchange.Wormhole)},
	"by":                  {"auto", "displacement", "pair"},
	"confirm":             {confirmAll, confirmSample},
	"theme":               themes,
	"format":              pictureFormats,
	"export/format":       results.ExportFormats,
	"atlas export/format": append(slices.Clone(results.ExportFormats), "atlas", "site"),
	"formula":             work.FormulaFormats,
	"to":                  results.Tools,
	"time":                {"10s", "90s", "5m", "8h"},
	"cluster":             {"listen:4222", "nats://"},
	"join":                {"nats://127.0.0.1:4222", "tls://"},
	"listen":              {defaultListen},
	"alpha":               {"1/2", "1/3", "1/4"},
	"replicas":            {"1", "3", "5"},
}

// fileFlags lists the flags whose values are names of files or folders.
var fileFlags = strings.Fields(
	"out store plan work known schedule ranks man token-file creds-file tls-ca tls-cert tls-key")

// readers lists the commands that take files as arguments.
var readers = strings.Fields("check draw export eval bound bisect explain faults restrict merge")

// complete has a shell offer the values of flags and the files of commands.
func complete(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		complete(cmd)
		_, path, _ := strings.Cut(cmd.CommandPath(), " ")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			values, known := flagValues[path+"/"+f.Name]
			if !known {
				values, known = flagValues[f.Name]
			}
			offer := cobra.NoFileCompletions
			switch {
			case f.Name == "methods":
				offer = offerList(append(work.MethodNames(), joint.Name))
			case slices.Contains(fileFlags, f.Name):
				return // the shell's own completion
			case known:
				offer = offerValues(values)
			}
			_ = cmd.RegisterFlagCompletionFunc(f.Name, offer) // fails on a second one only
		})
		if slices.Contains(readers, cmd.Name()) && cmd.CommandPath() != "leeway atlas export" {
			cmd.ValidArgsFunction = offerFiles
		} else if cmd.Name() != "help" {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// offerValues offers values; after one that goes on no space is put. "@" stands for a file.
func offerValues(values []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if name, isFile := strings.CutPrefix(begun, "@"); isFile {
			files, directive := offerFiles(cmd, args, name)
			for i := range files {
				files[i] = "@" + files[i]
			}
			return files, directive
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

// offerFiles offers files of JSON, and folders.
func offerFiles(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	folder, start := filepath.Split(begun)
	entries, err := os.ReadDir(filepath.Clean(folder))
	if folder == "" {
		entries, err = os.ReadDir(".")
	}
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(start, ".")
		switch ending := filepath.Ext(name); {
		case !strings.HasPrefix(name, start) || hidden:
		case e.IsDir():
			list = append(list, folder+name+"/")
			directive |= cobra.ShellCompDirectiveNoSpace
		case slices.Contains([]string{".json", ".jsonl", ".store"}, ending):
			list = append(list, folder+name)
		}
	}
	return list, directive
}
