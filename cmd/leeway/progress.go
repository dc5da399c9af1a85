package main

import (
	"io"
	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/progress"
	"leeway/results"
	"leeway/search"
	"math/big"
	"time"
)

// A shownLine is a line about a search in the terminal, or plain lines now and then elsewhere.
type shownLine struct {
	*progress.Line
	view *cli.Progress
}

// newLine returns a line that is shown from the start of its view on.
func newLine(out io.Writer, place, problem string, bound *big.Rat, b work.Budget) *shownLine {
	l := &shownLine{Line: progress.NewLine(place, problem, bound, b)}
	l.view = cli.NewProgress(out, "leeway", l.Total(), func(now time.Time, short bool) (fields []cli.Field, done int64) {
		list, done := l.Fields(now, short)
		for _, f := range list {
			fields = append(fields, cli.Field(f))
		}
		return fields, done
	})
	return l
}

// observe takes in an event, and shows an improvement at once where there are plain lines.
func (l *shownLine) observe(e search.Event) {
	if l.Observe(e) && l.view.Lines() {
		l.view.Show(time.Now())
	}
}

// decimal returns a load as people read it, with its decimal beside a fraction.
func decimal(v *big.Rat) string { return results.WithDecimal(v.RatString()) }
