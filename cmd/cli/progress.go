package cli

import (
	"cmp"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"

	"leeway/core/words"
)

// How often progress is shown: on a terminal, and as plain lines elsewhere.
const (
	barInterval  = 200 * time.Millisecond
	lineInterval = 10 * time.Second
)

// A Progress shows how far work is: a line with a bar on a terminal, a plain line now and then elsewhere.
type Progress struct {
	out      io.Writer
	name     string
	terminal *os.File                 // nil where out is not a terminal
	bar      *progressbar.ProgressBar // on the terminal
	total    int64
	started  time.Time
	state    func(now time.Time, short bool) (fields []Field, done int64)
	done     chan struct{}
	ended    sync.WaitGroup
	mu       sync.Mutex // held while something is shown
	over     bool       // nothing is shown any more
}

// A Field is a part of a line of progress. Where a line is too narrow for all, fields of low rank are left out first.
type Field struct {
	Text string
	Rank int
}

// NewProgress returns a display of the work of a program, which is total long, or -1 if that is not known. The state is
// what is shown and how much is done; short asks for fields as short as can be. Any goroutine may ask for it.
func NewProgress(out io.Writer, name string, total int64,
	state func(now time.Time, short bool) (fields []Field, done int64)) *Progress {
	p := &Progress{out: out, name: name, total: total, started: time.Now(), state: state, done: make(chan struct{})}
	if p.terminal, _ = Terminal(out); p.terminal == nil {
		return p
	}
	if o, ok := out.(*Output); ok {
		o.view.Store(p)
	}
	p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.terminal), progressbar.OptionFullWidth(),
		progressbar.OptionUseANSICodes(true), progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false))
	return p
}

// Start shows the state now and then, until Stop.
func (p *Progress) Start() {
	interval := lineInterval
	if p.bar != nil {
		interval = barInterval
	}
	p.ended.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-p.done:
				return
			case now := <-tick.C:
				p.Show(now)
			}
		}
	})
}

// Lines reports whether the work is shown in plain lines, so that news is worth a line of its own.
func (p *Progress) Lines() bool { return p.bar == nil }

// Show draws the current state.
func (p *Progress) Show(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	fields, done := p.state(now, false)
	line := fit(fields, math.MaxInt)
	if p.bar == nil {
		Say(p.out, "%s: %s  %s\n", p.name, now.Sub(p.started).Round(time.Second), line)
		return
	}
	_, width := Terminal(p.terminal)
	if room := max(width-barWidth, width/2); utf8.RuneCountInString(line) > room {
		fields, _ = p.state(now, true)
		line = fit(fields, room)
	}
	// A bar that cannot be drawn must not stop the work.
	p.bar.Describe(words.Printable(line, ""))
	_ = p.bar.Set64(max(0, min(done, p.total-1)))
}

// barWidth is what is left to the bar and its percentage at least.
const barWidth = 12

// fit returns the fields in their order, closer together, then without those of lowest rank if
// they are wider than width; what is too wide even alone is cut.
func fit(fields []Field, width int) string {
	for {
		var texts []string
		for _, f := range fields {
			if f.Text != "" {
				texts = append(texts, f.Text)
			}
		}
		for _, space := range []string{"  ", " "} {
			if line := strings.Join(texts, space); utf8.RuneCountInString(line) <= width {
				return line
			}
		}
		if len(fields) == 1 {
			return string([]rune(fields[0].Text)[:width])
		}
		least := slices.MinFunc(fields, func(a, b Field) int { return cmp.Compare(a.Rank, b.Rank) })
		fields = slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return f == least })
	}
}

// Clear takes the line off the terminal, so that something else can be said there.
func (p *Progress) Clear() { p.clear(false) }

// clear is Clear; over says that the line does not come back.
func (p *Progress) clear(over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = p.over || over
	if p.bar != nil {
		_, _ = io.WriteString(p.terminal, "\r\x1b[2K") // as in Show
	}
}

// Stop ends the display and clears the line.
func (p *Progress) Stop() {
	close(p.done)
	p.ended.Wait()
	p.clear(true)
}
