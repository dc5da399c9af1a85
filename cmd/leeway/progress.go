package main

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"sync"
	"time"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/search"
)

// Improvements are told at once, but no more often than this.
const improvementInterval = time.Second

// A shownLine says how a search goes, in a line of the terminal, or plain lines now and then elsewhere.
type shownLine struct {
	view    *cli.Progress
	place   string // of the problem in a plan: "2/5", or ""
	problem string
	budget  work.Budget
	started time.Time

	mu    sync.Mutex
	bound *big.Rat
	claim *big.Rat // a larger bound that the checker still repeats, nil if there is none
	last  search.Event
	best  *big.Rat          // of all events
	parts map[string]*parts // by method and note: how far its parts are
	// Evaluations in a second of late, and when they were counted last: a proof takes few steps where
	// a search before it had many evaluations.
	rate    float64
	counted time.Time
	count   int64
	told    time.Time // when an improvement was told
}

// parts is how far a walk in parts has come since it began.
type parts struct {
	began time.Time
	first int // done when it began
}

// newLine returns a line about the search for a problem whose lower bound is known, shown from the start of its view
// on; the place is that of the problem in a plan, as "2/5", or "".
func newLine(out io.Writer, place, problem string, bound *big.Rat, b work.Budget) *shownLine {
	now := time.Now()
	p := &shownLine{place: place, problem: problem, bound: bound, budget: b, started: now, counted: now,
		parts: map[string]*parts{}}
	total := int64(-1) // not known
	switch {
	case b.Time > 0:
		total = b.Time.Milliseconds()
	case b.Evaluations > 0:
		total = b.Evaluations
	}
	p.view = cli.NewProgress(out, "leeway", total, p.fields)
	return p
}

// setBound takes in the bound that is proved, and a larger one that is being checked, nil if there is none.
func (p *shownLine) setBound(bound, checking *big.Rat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bound, p.claim = bound, checking
}

// observe takes in an event, and shows an improvement at once where there are plain lines; methods may call it from any
// goroutine.
func (p *shownLine) observe(e search.Event) {
	if p.take(e) && p.view.Lines() {
		p.view.Show(time.Now())
	}
}

// take takes in an event, and reports whether there is an improvement to tell, at most once in a second.
func (p *shownLine) take(e search.Event) (news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = e
	if e.Value != nil && (p.best == nil || e.Value.Cmp(p.best) < 0) {
		p.best = e.Value
	}
	now := time.Now()
	key := e.Method + e.Note
	if e.Total > 0 && p.parts[key] == nil {
		p.parts[key] = &parts{began: now, first: e.Done}
	}
	if news = e.Improved && now.Sub(p.told) > improvementInterval; news {
		p.told = now
	}
	return news
}

// fields returns what is known: problem, best, bound, gap, what runs, how far it is, and how much time is left, and how
// much of the budget is spent, in the units of the total. Short fields have fractions without decimals.
func (p *shownLine) fields(now time.Time, short bool) (fields []cli.Field, done int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := func(v *big.Rat) string { return decimal(v.RatString()) }
	if short {
		text = (*big.Rat).RatString
	}
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
		rate = metric(p.rate) + " evaluations/s"
	}
	walked := e.Note
	if e.Total > 0 {
		walked = strings.TrimSpace(fmt.Sprintf("%s %d of %d parts", e.Note, e.Done, e.Total))
	}
	switch {
	case p.budget.Time > 0:
		done = now.Sub(p.started).Milliseconds()
	case p.budget.Evaluations > 0:
		done = e.Evaluations
	}
	return []cli.Field{{Text: p.place, Rank: 7}, {Text: p.problem, Rank: 4}, {Text: best, Rank: 9},
		{Text: bound, Rank: 8}, {Text: gap, Rank: 6}, {Text: e.Method, Rank: 3}, {Text: walked, Rank: 2},
		{Text: rate, Rank: 1}, {Text: p.left(now), Rank: 5}}, done
}

// left says how much time is left, and for a proof, whose end is the end of all, how long it
// takes if its other slices are like those done, once a twentieth of them is. The first are often
// the largest, so that is rather too long than too short.
func (p *shownLine) left(now time.Time) string {
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

// metric writes a count with a metric suffix.
func metric(v float64) string {
	switch {
	case v >= 1e9:
		return fmt.Sprintf("%.1fG", v/1e9)
	case v >= 1e6:
		return fmt.Sprintf("%.1fM", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.0fk", v/1e3)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}
