package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"leeway/cmd/work"
	"leeway/results"
	"leeway/search"
)

// How often progress is shown: on a terminal, and as plain lines elsewhere.
const (
	barInterval  = 200 * time.Millisecond
	lineInterval = 10 * time.Second
	// Improvements are told at once, but no more often than this.
	improvementInterval = time.Second
)

// A progress shows how a search goes: a line with a bar on a terminal, a plain line now and
// then elsewhere. It keeps its own counters; the bar is only a view.
type progress struct {
	out      io.Writer
	terminal *os.File                 // nil where out is none
	bar      *progressbar.ProgressBar // on the terminal
	place    string                   // of the problem in a plan: "2/5", or ""
	problem  string
	bound    *big.Rat
	budget   work.Budget
	started  time.Time
	done     chan struct{}
	ended    sync.WaitGroup

	mu    sync.Mutex
	claim *big.Rat // a larger bound that the checker still repeats, nil if there is none
	last  search.Event
	best  *big.Rat          // of all events
	parts map[string]*parts // by method and note: how far its parts are
	// Evaluations in a second of late, and when they were counted last: a census has few nodes where
	// a search before it had many evaluations.
	rate    float64
	counted time.Time
	count   int64
	shown   time.Time // of the last line
}

// parts is how far a walk in parts has come since it began.
type parts struct {
	began time.Time
	first int // done when it began
}

// nowAndThen returns what remarks how far a command is, at most once in a lineInterval; any goroutine may call it.
func (a *app) nowAndThen() func(format string, args ...any) {
	var mu sync.Mutex
	last := time.Now()
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) >= lineInterval {
			last = time.Now()
			a.remark(format, args...)
		}
	}
}

// newProgress starts to show the search for a problem whose lower bound is known.
func (a *app) newProgress(place, problem string, bound *big.Rat, b work.Budget) *progress {
	file, _ := fileOf(a.stderr)
	p := newProgressOn(a.stderr, file, place, problem, bound, b)
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
				p.show(now)
			}
		}
	})
	return p
}

// newProgressOn returns a progress that is shown only when it is told to. The file is what
// out writes to, if it is one.
func newProgressOn(out io.Writer, file *os.File, place, problem string, bound *big.Rat, b work.Budget) *progress {
	p := &progress{out: out, place: place, problem: problem, bound: bound, budget: b, started: time.Now(),
		done: make(chan struct{}), parts: map[string]*parts{}}
	p.counted = p.started
	if file == nil || !term.IsTerminal(int(file.Fd())) {
		return p
	}
	total := int64(-1) // nothing known: a spinner
	switch {
	case b.Time > 0:
		total = b.Time.Milliseconds()
	case b.Evaluations > 0:
		total = b.Evaluations
	}
	p.terminal = file
	p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(file), progressbar.OptionFullWidth(),
		progressbar.OptionUseANSICodes(true), progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false))
	return p
}

// setBound takes in the bound that is proved, and a larger one that is being checked, nil if there is none.
func (p *progress) setBound(bound, checking *big.Rat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bound, p.claim = bound, checking
}

// observe takes in an event; methods may call it from any goroutine.
func (p *progress) observe(e search.Event) {
	p.mu.Lock()
	p.last = e
	if e.Value != nil && (p.best == nil || e.Value.Cmp(p.best) < 0) {
		p.best = e.Value
	}
	now := time.Now()
	key := e.Method + e.Note
	if e.Total > 0 && p.parts[key] == nil {
		p.parts[key] = &parts{began: now, first: e.Done}
	}
	tell := e.Improved && p.bar == nil && now.Sub(p.shown) > improvementInterval
	p.mu.Unlock()
	if tell {
		p.show(now)
	}
}

// show draws the current state.
func (p *progress) show(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = now
	elapsed := now.Sub(p.started)
	if p.bar == nil {
		say(p.out, "leeway: %s  %s\n", elapsed.Round(time.Second), fit(p.fields(now, decimal), math.MaxInt))
		return
	}
	width, _, err := term.GetSize(int(p.terminal.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	room := max(width-barWidth, width/2)
	text := fit(p.fields(now, decimal), math.MaxInt)
	if utf8.RuneCountInString(text) > room {
		text = fit(p.fields(now, (*big.Rat).RatString), room)
	}
	at := int64(0)
	switch {
	case p.budget.Time > 0:
		at = min(elapsed.Milliseconds(), p.budget.Time.Milliseconds()-1)
	case p.budget.Evaluations > 0:
		at = min(p.last.Evaluations, p.budget.Evaluations-1)
	}
	// A bar that cannot be drawn must not stop a search.
	p.bar.Describe(results.Printable(text, ""))
	_ = p.bar.Set64(max(0, at))
}

// barWidth is what is left to the bar and its percentage at least.
const barWidth = 12

// A field is a part of a line of progress. Where a line is too narrow for all, fields of low
// rank are left out first.
type field struct {
	text string
	rank int
}

// fit returns the fields in their order, closer together, then without those of lowest rank if
// they are wider than width; what is too wide even alone is cut.
func fit(fields []field, width int) string {
	for {
		var texts []string
		for _, f := range fields {
			if f.text != "" {
				texts = append(texts, f.text)
			}
		}
		for _, space := range []string{"  ", " "} {
			if line := strings.Join(texts, space); utf8.RuneCountInString(line) <= width {
				return line
			}
		}
		if len(fields) == 1 {
			return string([]rune(fields[0].text)[:width])
		}
		least := slices.MinFunc(fields, func(a, b field) int { return cmp.Compare(a.rank, b.rank) })
		fields = slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return f == least })
	}
}

// fields returns what is known: problem, best, bound, gap, what runs, how far it is, and how
// much time is left. Loads are written by a function.
func (p *progress) fields(now time.Time, text func(*big.Rat) string) []field {
	e := p.last
	best, gap, rate, bound := "best none yet", "", "", "bound "+text(p.bound)
	if p.claim != nil {
		bound += " (" + text(p.claim) + " being checked)"
	}
	if p.best != nil {
		best = "best " + text(p.best)
		gap = "gap " + text(new(big.Rat).Sub(p.best, p.bound))
	}
	if span := now.Sub(p.counted).Seconds(); span >= 1 || p.rate == 0 && span > 0 {
		p.rate = max(0, float64(e.Evaluations-p.count)/span)
		if span >= 1 {
			p.counted, p.count = now, e.Evaluations
		}
	}
	if p.rate > 0 {
		rate = work.Short(p.rate) + " evaluations/s"
	}
	walked := e.Note
	if e.Total > 0 {
		walked = strings.TrimSpace(fmt.Sprintf("%s %d of %d parts", e.Note, e.Done, e.Total))
	}
	return []field{{p.place, 7}, {p.problem, 4}, {best, 9}, {bound, 8}, {gap, 6}, {e.Method, 3}, {walked, 2}, {rate, 1},
		{p.left(now), 5}}
}

// decimal returns a load as people read it, with its decimal beside a fraction.
func decimal(v *big.Rat) string { return results.WithDecimal(v.RatString()) }

// left says how much time is left, and for a census, whose end is the end of all, how long it
// takes if its other slices are like those done, once a twentieth of them is. The first are often
// the largest, so that is rather too long than too short.
func (p *progress) left(now time.Time) string {
	e := p.last
	limit := p.budget.Time - now.Sub(p.started)
	began := p.parts[e.Method+e.Note]
	if began != nil && strings.HasPrefix(e.Note, "below ") && e.Total > 0 && 20*(e.Done-began.first) >= e.Total {
		left := time.Duration(float64(now.Sub(began.began)) / float64(e.Done-began.first) * float64(e.Total-e.Done))
		if p.budget.Time == 0 || left < limit {
			return "about " + left.Round(time.Second).String() + " left"
		}
	}
	if p.budget.Time == 0 {
		return ""
	}
	return max(0, limit).Round(time.Second).String() + " left"
}

// clear takes the line off the terminal, so that something else can be said there.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_, _ = io.WriteString(p.terminal, "\r\x1b[2K") // as in show
	}
}

// stop ends the display and clears the bar.
func (p *progress) stop() {
	close(p.done)
	p.ended.Wait()
	p.clear()
}
