package main

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results"
)

// questionFlag adds --question, which reads the values of other flags before the command runs.
func (s *subject) questionFlag(cmd *cobra.Command) {
	text := cmd.Flags().String("question", "",
		"read the flags from standard input as one JSON object, {\"torus\": \"8x8\", \"size\": 16}, and answer in JSON")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if !cmd.Flags().Changed("question") {
			return nil
		}
		if *text != "-" {
			return cli.Errorf("--question %q: the question is read from standard input", *text).
				Hinted("write --question -")
		}
		data, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), results.MaxFileBytes+1))
		if err != nil {
			return err
		}
		return s.readQuestion(cmd, data)
	}
}

// readQuestion sets the flags that a question names. Its traffic may be a matrix as an object.
func (s *subject) readQuestion(cmd *cobra.Command, data []byte) error {
	if err := results.CheckSyntax(data); err != nil {
		return cli.InFlag("question -:", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return cli.Errorf("--question -: a JSON object is needed, with the names of flags as its keys")
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		flag := cmd.Flags().Lookup(name)
		switch {
		case flag == nil || name == "question":
			return cli.Errorf("--question -: leeway %s has no flag %q", cmd.Name(), results.Shorten(name)).
				Hinted("keys are the names of its flags, see leeway " + cmd.Name() + " --help")
		case flag.Changed:
			return cli.Errorf("--question -: %s is given by --%s, too", name, name)
		}
		value := strings.TrimSpace(string(fields[name]))
		switch value[0] {
		case '"':
			if err := json.Unmarshal(fields[name], &value); err != nil {
				return cli.Errorf("--question -: %s: %v", name, err)
			}
		case '{':
			if name != "traffic" {
				return cli.Errorf("--question -: %s is an object, where a text, a number or true is needed", name)
			}
			s.matrixText, value = fields[name], "@-"
		case '[', 'n':
			return cli.Errorf("--question -: %s is %s, where a text, a number or true is needed", name, results.Shorten(value))
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return cli.Errorf("--question -: %s %s: %v", name, strconv.Quote(results.Shorten(value)), err)
		}
	}
	return cmd.Flags().Set("json", "true")
}
