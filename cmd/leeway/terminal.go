package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

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

// app carries what every sub-command needs from the outside.
type app struct {
	args   []string // the command line without the program's name
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	stop   context.Context // ends at Ctrl-C
	files  *sync.Mutex     // held while a file is written; nil: none is ever in the way
	// running says that a command has begun: errors before that are about the
	// command line itself.
	running bool
}

// The rules of this program's output: stdout carries results only; everything
// else goes to stderr as "leeway: what is wrong" and "hint: what to do". Exit
// status 0 is done, 1 failed work or a wrong claim, 2 bad usage or unreadable
// input.

// usageError is bad usage: a flag, its value, or a file that cannot be used.
type usageError struct {
	err  error
	hint string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef returns a usageError without a hint.
func usagef(format string, args ...any) error { return &usageError{err: fmt.Errorf(format, args...)} }

// oneOf refuses a value of a flag that is not in a list.
func oneOf(flag, value string, list []string) error {
	if slices.Contains(list, value) {
		return nil
	}
	last := len(list) - 1
	return &usageError{err: usagef("--%s %q: unknown %s", flag, value, flag),
		hint: fmt.Sprintf("%ss are %s and %s", flag, strings.Join(list[:last], ", "), list[last])}
}

// inFlag names the flag whose value an error is about, unless it names one or the command was stopped.
func inFlag(flag string, err error) error {
	var stopped *stoppedError
	var memory *work.MemoryError // names the flag
	if err == nil || errors.As(err, &stopped) || errors.As(err, &memory) {
		return err
	}
	return fmt.Errorf("--%s %w", flag, err)
}

// A stoppedError says that a command was ended before it had a result.
type stoppedError struct{ what string }

func (e *stoppedError) Error() string { return fmt.Sprintf("stopped before %s known", e.what) }

// quietError ends the program with a status after everything has been said.
type quietError int

func (e quietError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// A busyError says that an address is in use.
type busyError struct{ flag, address string }

func (e *busyError) Error() string {
	return fmt.Sprintf("--%s %s: the address is in use by another program", e.flag, e.address)
}

// status reports an error on stderr and returns the exit status.
func (a *app) status(err error) int {
	var quiet quietError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &quiet):
		return int(quiet)
	}
	say(a.stderr, "leeway: %v\n", err)
	hint, status := diagnose(err)
	if hint != "" {
		say(a.stderr, "hint: %s\n", hint)
	}
	return status
}

// diagnose returns the hint that an error carries, "" if it has none, and the exit status: 2 for bad usage and
// unreadable input, 1 for failed work.
func diagnose(err error) (hint string, status int) {
	var busy *busyError
	var corrupt *store.CorruptError
	var memory *work.MemoryError
	var usage *usageError
	var input *core.InputError
	var read *results.ReadError
	var target *results.TargetError
	var unsupported *search.UnsupportedError
	var older *store.VersionError
	var lack *missingError
	switch {
	case errors.As(err, &busy):
		return "port 0 takes a free one", 1
	case errors.As(err, &corrupt):
		return corrupt.Hint, 2
	case errors.As(err, &memory):
		return memory.Hint(), 2
	case errors.As(err, &usage) && usage.hint != "":
		return usage.hint, 2
	case errors.As(err, &input):
		return input.Hint, 2
	case errors.As(err, &read):
		return read.Hint, 2
	case errors.As(err, &target):
		return target.Hint, 2
	case errors.As(err, &usage), errors.As(err, &lack), errors.As(err, &unsupported), errors.As(err, &older):
		return "", 2
	}
	return "", 1
}

// remark writes a line for the person at the terminal.
func (a *app) remark(format string, args ...any) {
	say(a.stderr, "leeway: "+format+"\n", args...)
}

// printf writes a result for a person.
func (a *app) printf(format string, args ...any) (int, error) { return say(a.stdout, format, args...) }

// say formats text for a person. Whatever comes from a file, a store, a worker or a command line cannot
// steer the terminal, or pass for a line of ours: in arguments everything that does not print, line ends
// too, is shown escaped. Only errors may have several lines; all but the first are indented.
func say(w io.Writer, format string, args ...any) (int, error) {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			safe[i] = shownText(v)
		case []string:
			list := make([]shownText, len(v))
			for j := range v {
				list[j] = shownText(v[j])
			}
			safe[i] = list
		case error:
			lines := strings.Split(v.Error(), "\n")
			for j := range lines {
				lines[j] = results.Printable(lines[j], "")
			}
			safe[i] = strings.Join(lines, "\n  ")
		case fmt.Stringer:
			safe[i] = shownText(v.String())
		default:
			safe[i] = arg
		}
	}
	return fmt.Fprintf(w, format, safe...)
}

// A shownText is text that is printed without what does not print.
type shownText string

// Format implements fmt.Formatter: %q escapes by itself.
func (t shownText) Format(f fmt.State, verb rune) {
	if verb == 'q' {
		fmt.Fprintf(f, fmt.FormatString(f, verb), string(t))
		return
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), results.Printable(string(t), ""))
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
	return a.write(data)
}

// write writes a document to stdout as it is: only text is for a terminal.
func (a *app) write(data []byte) error {
	if o, ok := a.stdout.(*output); ok {
		_, err := o.raw(data)
		return err
	}
	_, err := a.stdout.Write(data)
	return err
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

// An output is stdout or stderr, for text: what does not print is escaped, see results.Printable. It remembers the
// first write that failed, since results that did not get out are failed work.
type output struct {
	mu     sync.Mutex
	to     io.Writer
	stop   context.Context // after its end nobody is waited for who does not read
	failed error
	closed bool
}

// How long what has no place to look at its context may take to come to its own end after Ctrl-C: a part of a command,
// and a command that has nothing to keep.
const (
	grace    = 50 * time.Millisecond
	patience = 150 * time.Millisecond
)

// errUnread says that Ctrl-C came before somebody read what is written.
var errUnread = errors.New("stopped before it was read")

// shut lets nothing more out. It waits for no write that is under way.
func (o *output) shut() {
	if o.mu.TryLock() {
		defer o.mu.Unlock()
		o.closed = true
	}
}

// Write writes text.
func (o *output) Write(p []byte) (int, error) {
	_, err := o.raw([]byte(results.Printable(string(p), "\n\t")))
	return len(p), err
}

// raw writes what is no text for a terminal.
func (o *output) raw(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return len(p), nil
	}
	wait := patience
	if o.stop.Err() != nil {
		wait = time.Second // the last words, which a busy machine may not take at once
	}
	p = bytes.Clone(p) // the writer may be left behind with it
	n, err := core.Await(o.stop, wait, func() (int, error) { return o.to.Write(p) })
	if err != nil && err == o.stop.Err() {
		o.closed, err = true, errUnread
	}
	if o.failed == nil {
		o.failed = err
	}
	return n, err
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := fileOf(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// fileOf returns the file that w writes to, if it does.
func fileOf(w io.Writer) (*os.File, bool) {
	if o, ok := w.(*output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	return f, ok
}
