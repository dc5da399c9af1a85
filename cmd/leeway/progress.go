package main

import (
	"fmt"
	"io"
	"math/big"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"leeway/cmd/work"
	"leeway/search"
)

// How often progress is shown: on a terminal, and as plain lines elsewhere.
const (
	barInterval  = 200 * time.Millisecond
	lineInterval = 10 * time.Second
	// Improvements are told at once, but no more often than this.
	improvementInterval = time.Second
)

// A progress shows how a search goes: a bar on a terminal, a plain line now and
// then elsewhere. It keeps its own counters; the bar is only a view.
type progress struct {
	out     io.Writer
	bar     *progressbar.ProgressBar // nil where out is no terminal
	bound   *big.Rat
	budget  work.Budget
	started time.Time
	done    chan struct{}
	ended   sync.WaitGroup

	mu    sync.Mutex
	last  search.Event
	parts map[string]*parts // by method and note: how far its parts are
	shown time.Time         // of the last line
}

// parts is how far a walk in parts has come since it began.
type parts struct {
	began time.Time
	first int // done when it began
}

// newProgress starts to show the search for a problem whose lower bound is
// known.
func (a *app) newProgress(bound *big.Rat, b work.Budget) *progress {
	p := &progress{out: a.stderr, bound: bound, budget: b, started: time.Now(), done: make(chan struct{}), parts: map[string]*parts{}}
	interval := lineInterval
	if isTerminal(a.stderr) {
		file, _ := fileOf(a.stderr) // the bar moves about on its line
		p.bar = newBar(file, b)
		interval = barInterval
	}
	p.ended.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-p.done:
				return
			case <-tick.C:
				p.show()
			}
		}
	})
	return p
}

// newBar makes a bar over the time, the evaluations, or nothing known.
func newBar(out io.Writer, b work.Budget) *progressbar.ProgressBar {
	total := int64(-1)
	switch {
	case b.Time > 0:
		total = b.Time.Milliseconds()
	case b.Evaluations > 0:
		total = b.Evaluations
	}
	return progressbar.NewOptions64(total, progressbar.OptionSetWriter(out), progressbar.OptionSetWidth(20),
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(total < 0))
}

// observe takes in an event; methods may call it from any goroutine.
func (p *progress) observe(e search.Event) {
	p.mu.Lock()
	p.last = e
	key := e.Method + e.Note
	if e.Total > 0 && p.parts[key] == nil {
		p.parts[key] = &parts{began: time.Now(), first: e.Done}
	}
	tell := e.Improved && p.bar == nil && time.Since(p.shown) > improvementInterval
	p.mu.Unlock()
	if tell {
		p.show()
	}
}

// show draws the current state.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.last
	p.shown = time.Now()
	elapsed := time.Since(p.started)
	text := p.describe(e, elapsed)
	if p.bar == nil {
		say(p.out, "leeway: %s  %s\n", elapsed.Round(time.Second), text)
		return
	}
	p.bar.Describe(plain(text, ""))
	at := int64(0)
	switch {
	case p.budget.Time > 0:
		at = min(elapsed.Milliseconds(), p.budget.Time.Milliseconds()-1)
	case p.budget.Evaluations > 0:
		at = min(e.Evaluations, p.budget.Evaluations-1)
	}
	_ = p.bar.Set64(at) // a bar that cannot be drawn must not stop a search
}

// describe returns best, bound, gap and speed in one line.
func (p *progress) describe(e search.Event, elapsed time.Duration) string {
	if e.Value == nil {
		return fmt.Sprintf("%s  bound %s  %s", e.Method, p.bound.RatString(), e.Note)
	}
	gap := new(big.Rat).Sub(e.Value, p.bound)
	speed := float64(e.Evaluations) / elapsed.Seconds()
	return fmt.Sprintf("%s  best %s  bound %s  gap %s  %s evaluations, %s/s%s", e.Method, e.Value.RatString(), p.bound.RatString(),
		gap.RatString(), work.Short(float64(e.Evaluations)), work.Short(speed), p.left(e))
}

// left says how far a walk in parts is, and how long the rest takes if its parts
// are like those done. The first parts are often the largest, so that is rather
// too long than too short.
func (p *progress) left(e search.Event) string {
	if e.Total == 0 {
		return ""
	}
	text := fmt.Sprintf("  %s: %d of %d slices", e.Note, e.Done, e.Total)
	began := p.parts[e.Method+e.Note]
	if began == nil || e.Done == began.first {
		return text
	}
	left := time.Since(began.began) / time.Duration(e.Done-began.first) * time.Duration(e.Total-e.Done)
	return text + ", about " + left.Round(time.Second).String() + " left"
}

// stop ends the display and clears the bar.
func (p *progress) stop() {
	close(p.done)
	p.ended.Wait()
	if p.bar != nil {
		_ = p.bar.Clear() // as in show
	}
}
