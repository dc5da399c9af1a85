package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core/coretest"
	"leeway/search"
)

// A screen shows what a terminal of a width would: text goes on in the next line where one is
// full, and only the line of the cursor can be written again or erased.
type screen struct {
	width  int
	lines  [][]rune
	column int
}

func (s *screen) write(text string) {
	for len(text) > 0 {
		last := len(s.lines) - 1
		switch r := []rune(text)[0]; {
		case strings.HasPrefix(text, "\x1b[2K"):
			s.lines[last], text = nil, text[4:]
		case strings.HasPrefix(text, "\x1b[K"), strings.HasPrefix(text, "\x1b[0K"):
			s.lines[last] = s.lines[last][:min(s.column, len(s.lines[last]))]
			text = text[strings.Index(text, "K")+1:]
		case r == '\r':
			s.column, text = 0, text[1:]
		case r == '\n':
			s.lines, text = append(s.lines, nil), text[1:]
		default:
			if s.column == s.width {
				s.lines, s.column = append(s.lines, nil), 0
				last++
			}
			for len(s.lines[last]) <= s.column {
				s.lines[last] = append(s.lines[last], ' ')
			}
			s.lines[last][s.column] = r
			s.column++
			text = text[len(string(r)):]
		}
	}
}

// Progress keeps to one line of a terminal, however narrow, has there what matters most, and
// leaves nothing behind.
func TestProgressTerminal(t *testing.T) {
	for _, width := range []int{40, 60, 80, 100, 140} {
		for _, budget := range []work.Budget{{Time: time.Minute}, {Evaluations: 100000}, {}} {
			t.Run(fmt.Sprintf("%d columns, %v", width, budget), func(t *testing.T) { progressOn(t, width, budget) })
		}
	}
}

func progressOn(t *testing.T, width int, budget work.Budget) {
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal:", err)
	}
	coretest.Try(pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: uint16(width)}))
	var written bytes.Buffer
	var read = make(chan struct{})
	go func() {
		_, _ = io.Copy(&written, master) // ends with an error when the other side is closed
		close(read)
	}()
	p := newLine(terminal, "2/5", "12x12x12 n=144 udr:tie=both", big.NewRat(21, 2), budget)
	started := time.Now()
	notes := []string{"", "below 43/4", "rotation of 4 by 4, one orbit of each length, below 43/4"}
	for i := range 60 {
		e := search.Event{Method: []string{"local", "lattice", "margin"}[i%3], Evaluations: int64(i) * 1000, Note: notes[i%3]}
		if i > 5 {
			e.Value = big.NewRat(int64(100-i/3), 4)
			e.Improved = i%3 == 0
		}
		if i%2 == 0 {
			e.Done, e.Total = 4*i, 240
		}
		p.observe(e)
		p.view.Show(started.Add(time.Duration(i) * time.Second))
	}
	p.observe(search.Event{Method: "genetic", Value: big.NewRat(30, 1)}) // worse than what is known
	p.view.Show(started.Add(59 * time.Second))
	_, _ = io.WriteString(terminal, "\x00") // what is after it is written once all is looked at
	p.view.Clear()
	terminal.Close()
	<-read
	master.Close()

	before, after, _ := strings.Cut(written.String(), "\x00")
	s := screen{width: width, lines: [][]rune{nil}}
	s.write(before)
	if len(s.lines) != 1 {
		var lines []string
		for _, line := range s.lines {
			lines = append(lines, string(line))
		}
		t.Fatalf("%d lines:\n%s", len(s.lines), strings.Join(lines, "\n"))
	}
	line := string(s.lines[0])
	for _, want := range []string{"best 81/4", "bound 21/2"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
	if width >= 80 && !strings.Contains(line, "2/5") {
		t.Errorf("the place in the plan is not in %q", line)
	}
	if width >= 60 && budget.Time > 0 && !strings.Contains(line, "1s left") {
		t.Errorf("the time left is not in %q", line)
	}
	if s.write(after); strings.TrimSpace(string(s.lines[0])) != "" || len(s.lines) != 1 {
		t.Errorf("left behind: %q", s.lines)
	}
}

// TestNoLineIsLeftBehind: a command that does not end after Ctrl-C, and one that ends without a word, leave no line of
// progress on the terminal, and draw none later.
func TestNoLineIsLeftBehind(t *testing.T) {
	for _, stuck := range []bool{true, false} {
		master, terminal, err := pty.Open()
		if err != nil {
			t.Skip("no pseudo-terminal:", err)
		}
		var written bytes.Buffer
		read := make(chan struct{})
		go func() {
			_, _ = io.Copy(&written, master) // ends with an error when the other side is closed
			close(read)
		}()
		ctx, cancel := context.WithCancel(t.Context())
		program := cli.New(ctx, "leeway", []string{"work"}, nil, io.Discard, terminal)
		released := make(chan struct{})
		var view *cli.Progress
		tree := func(string) *cobra.Command {
			root := &cobra.Command{Use: "leeway"}
			root.AddCommand(&cobra.Command{Use: "work", RunE: func(*cobra.Command, []string) error {
				view = cli.NewProgress(program.Stderr, "leeway", 100, func(time.Time, bool) ([]cli.Field, int64) {
					return []cli.Field{{Text: "half of it is done"}}, 50
				})
				view.Show(time.Now())
				if stuck {
					cancel()
					<-released
				}
				return nil
			}})
			return root
		}
		program.Run(tree, options())
		view.Show(time.Now())
		close(released)
		cancel()
		terminal.Close()
		<-read
		master.Close()
		s := screen{width: 80, lines: [][]rune{nil}}
		s.write(written.String())
		text := ""
		for _, line := range s.lines {
			text += string(line) + "\n"
		}
		if !strings.Contains(written.String(), "half of it") || strings.Contains(text, "half of it") {
			t.Errorf("stuck %v: on the terminal is left:\n%s", stuck, text)
		}
	}
}

// The rate is that of late: what a search did before says nothing about a census that runs now.
func TestLineRate(t *testing.T) {
	p := newLine(io.Discard, "", "8x8 n=16 odr", big.NewRat(4, 1), work.Budget{})
	for _, c := range []struct {
		seconds, evaluations int64
		want                 string
	}{{1, 3_000_000, "3.0M evaluations/s"}, {11, 3_000_050, "5 evaluations/s"}, {21, 3_000_050, ""}, {31, 10, ""},
		{41, 510, "50 evaluations/s"}} {
		p.take(search.Event{Method: "census", Evaluations: c.evaluations})
		fields, _ := p.fields(p.started.Add(time.Duration(c.seconds)*time.Second), false)
		line := fmt.Sprint(fields)
		if c.want == "" && strings.Contains(line, "evaluations/s") || !strings.Contains(line, c.want) {
			t.Errorf("after %d s: %q, want %q", c.seconds, line, c.want)
		}
	}
}
