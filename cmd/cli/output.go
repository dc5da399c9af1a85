package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"leeway/core/parallel"
	"leeway/core/words"
)

// Say formats text for a person. Whatever comes from a file, a store, a worker or a command line cannot
// steer the terminal, or pass for a line of ours: in arguments everything that does not print, line ends
// too, is shown escaped. Only errors may have several lines; all but the first are indented.
func Say(w io.Writer, format string, args ...any) (int, error) {
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
				lines[j] = words.Printable(lines[j], "")
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
	fmt.Fprintf(f, fmt.FormatString(f, verb), words.Printable(string(t), ""))
}

// An Output is stdout or stderr, for text: what does not print is escaped, see words.Printable, and on a terminal lines
// that are too wide for it are folded. It remembers the first write that failed, since results that did not get out are
// failed work.
type Output struct {
	mu     sync.Mutex
	to     io.Writer
	stop   context.Context // after its end nobody is waited for who does not read
	failed error
	closed bool
	view   atomic.Pointer[Progress] // the last that was shown on this terminal
}

// endView takes a line of progress off the terminal for good, that of a command that was left behind, too. It does not
// wait long for a terminal that takes nothing.
func (o *Output) endView() {
	if v := o.view.Load(); v != nil {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_, _ = parallel.Await(ended, patience, func() (struct{}, error) { v.clear(true); return struct{}{}, nil })
	}
}

// errUnread says that Ctrl-C came before somebody read what is written.
var errUnread = errors.New("stopped before it was read")

// shut lets nothing more out. It waits for no write that is under way.
func (o *Output) shut() {
	if o.mu.TryLock() {
		defer o.mu.Unlock()
		o.closed = true
	}
}

// Write writes text.
func (o *Output) Write(p []byte) (int, error) {
	_, width := Terminal(o)
	err := o.WriteRaw([]byte(fold(words.Printable(string(p), "\n\t"), width)))
	return len(p), err
}

// Unfolded returns a writer of text whose lines stay as they are, such as Markdown or a log.
func (o *Output) Unfolded() io.Writer {
	return writer(func(p []byte) error { return o.WriteRaw([]byte(words.Printable(string(p), "\n\t"))) })
}

// A writer writes by a function.
type writer func(p []byte) error

// Write implements io.Writer.
func (w writer) Write(p []byte) (int, error) { return len(p), w(p) }

// WriteRaw writes a document as it is: only text is for a terminal.
func (o *Output) WriteRaw(p []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil
	}
	wait := patience
	if o.stop.Err() != nil {
		wait = time.Second // the last words, which a busy machine may not take at once
	}
	p = bytes.Clone(p) // the writer may be left behind with it
	_, err := parallel.Await(o.stop, wait, func() (int, error) { return o.to.Write(p) })
	if err != nil && err == o.stop.Err() {
		o.closed, err = true, errUnread
	}
	if o.failed == nil {
		o.failed = err
	}
	return err
}

// Table writes rows of texts in columns, as Say does; on a terminal the last column is folded.
func (o *Output) Table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, text := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(words.Printable(text, "")))
		}
	}
	_, columns := Terminal(o)
	var b strings.Builder
	var line []byte
	for _, row := range rows {
		line = line[:0]
		begin := 0
		for i, text := range row {
			text = words.Printable(text, "")
			begin = len(line)
			line = append(line, text...)
			for n := utf8.RuneCountInString(text); i < len(row)-1 && n < widths[i]+2; n++ {
				line = append(line, ' ')
			}
		}
		b.WriteString(strings.TrimRight(foldLine(string(line), begin, begin, columns), " "))
		b.WriteByte('\n')
	}
	io.WriteString(o.Unfolded(), b.String())
}

// Raw returns a writer of documents as they are.
func (o *Output) Raw() io.Writer { return writer(o.WriteRaw) }

// Terminal returns the terminal that w writes to and its number of columns, 80 where that is not known; nil and 0 if
// it writes to none.
func Terminal(w io.Writer) (file *os.File, columns int) {
	if o, ok := w.(*Output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		columns = 80
	}
	return f, columns
}
