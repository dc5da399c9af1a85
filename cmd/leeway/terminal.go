package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/schedule"
	"leeway/core"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/audit"
	"leeway/results/check"
	"leeway/results/explain"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/cluster/message"
)

// An app is one run of this program. Exit status 0 is done, 1 failed work or a wrong claim, 2 bad usage or unreadable
// input.
type app struct{ *cli.Program }

// diagnose returns the hint that an error carries, "" if it has none, and the exit status: 2 for bad usage and
// unreadable input, 1 for failed work.
func diagnose(err error) (hint string, status int) {
	var busy *cli.BusyError
	var corrupt *store.CorruptError
	var memory *work.MemoryError
	var usage *cli.Error
	var input *core.InputError
	var read *results.ReadError
	var target *results.TargetError
	var unsupported *search.UnsupportedError
	var older *store.VersionError
	switch {
	case errors.As(err, &busy):
		return "port 0 takes a free one", 1
	case errors.As(err, &corrupt):
		return corrupt.Hint, 2
	case errors.As(err, &memory):
		return memory.Hint(), 2
	case errors.As(err, &usage) && usage.Hint != "":
		return usage.Hint, 2
	case errors.As(err, &input):
		return input.Hint, 2
	case errors.As(err, &read):
		return read.Hint, 2
	case errors.As(err, &target):
		return target.Hint, 2
	case errors.As(err, &usage), errors.As(err, &unsupported), errors.As(err, &older):
		return "", 2
	}
	return "", 1
}

// schemaOf returns the schema of a document, or of a list of documents, that does not name it itself, else "".
func schemaOf(document any) string {
	switch document.(type) {
	case explain.Explanation:
		return "leeway/explanation/1"
	case work.Bisection:
		return "leeway/bisection/1"
	case work.Faults:
		return "leeway/faults/1"
	case work.Restriction:
		return "leeway/restriction/1"
	case schedule.Document:
		return "leeway/exchange/1"
	case message.Status:
		return "leeway/status/1"
	case versions:
		return "leeway/version/1"
	case []atlas.Cell:
		return "leeway/cells/1"
	case []atlas.Finding, []check.Item:
		return "leeway/verdicts/1"
	case []audit.Item:
		return "leeway/audit/1"
	}
	return ""
}

// printJSON writes one JSON document to stdout. The first field of each is its schema.
func (a *app) printJSON(v any) error {
	data, err := results.Encode(v)
	if err != nil {
		return err
	}
	if name := schemaOf(v); name != "" {
		data = append(fmt.Appendf(nil, "{\n  \"schema\": %q,", name), bytes.TrimPrefix(data, []byte("{"))...)
	}
	return a.Stdout.WriteRaw(data)
}

// show prints a document as JSON, or as text by a function.
func (a *app) show(asJSON bool, document any, text func()) error {
	if asJSON {
		return a.printJSON(document)
	}
	text()
	return nil
}

// printList writes a single document as itself, and several as {"schema": ..., "items": [...]}.
func printList[T any](a *app, list []T, several bool) error {
	if len(list) == 1 && !several {
		return a.printJSON(list[0])
	}
	return a.printJSON(struct {
		Schema string `json:"schema"`
		Items  []T    `json:"items"`
	}{cmp.Or(schemaOf(list), results.ListSchema), append([]T{}, list...)})
}

// deliver writes data to a file, as writing does, or to stdout where no file is named.
func (a *app) deliver(path string, data []byte) error {
	if path == "" {
		return a.Stdout.WriteRaw(data)
	}
	return a.Writing(func() error { return results.WriteFile(path, data) }, path)
}
