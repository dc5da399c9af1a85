//go:build !js

package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"leeway/core/parallel"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/store"
)

// refreshGoal begins the goal of a run of Refresh in a store; the version of the program follows.
const refreshGoal = "refresh "

// A Refreshed says what Refresh came to.
type Refreshed struct {
	Open, Left     int // cells whose optimum was not proved, before and after
	Values, Bounds int // cells with a smaller E_max, and with a larger lower bound, than before
	Tried, Passed  int // cells that were worked on, and those that an earlier run had tried as long
}

// NewStore makes a store of the atlas that is part of the program, unless the file is there. It has the whole atlas or
// is not made. Errors are those of store.Open and of writing it, and the context's.
func NewStore(ctx context.Context, file string) error {
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return nil // what is wrong with it is said when it is opened
	}
	shipped, err := atlas.Shipped()
	if err != nil {
		return err
	}
	unfinished := file + ".new"
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s, err := store.Open(unfinished)
	if err != nil {
		return &OpenError{err}
	}
	cells, _ := shipped.Cells(atlas.Filter{})
	if err := errors.Join(shipped.Pour(ctx, s, cells), s.Close()); err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	return os.Rename(unfinished, file)
}

// Refresh works on the open cells of the session's store, in the file that is open, those with few nodes first and so
// many side by side as the session has workers. First its cells take what the atlas of the program knows of them, and
// what they imply for each other; then each is tried to be proved, from its best placement and bound on, for a time,
// unless that was done before by the same version of the program for as long; then what follows from that is taken
// in. Only cells that have some words, see atlas.Words, are worked on; with "" all. Each cell that was worked on is
// shown to tell, one at a time, with its place in their list. All goes into the store at once: when the context ends,
// or the program is killed, the next call goes on. What goes wrong with one cell is remarked and counted in failed;
// errors are those of the store.
func (s *Session) Refresh(ctx context.Context, file, words string, time time.Duration,
	tell func(place, of int, before, after atlas.Cell)) (sum Refreshed, failed int, err error) {
	view, err := openView(ctx, file)
	if view == nil {
		return sum, 0, err
	}
	s.Known = &Known{Folder: s.Store.Folder()}
	before, _ := view.Cells(atlas.Filter{})
	failed, err = s.refresh(ctx, view, words, time, &sum, tell)
	err = cmp.Or(err, view.Refresh())
	for _, c := range before {
		after, ok := view.Cell(c.Key())
		if !ok || c.Fault != "" || after.Fault != "" {
			continue
		}
		if c.Status != atlas.Optimal {
			sum.Open++
		}
		if after.Status != atlas.Optimal {
			sum.Left++
		}
		value, bound := after.Improves(c)
		if value {
			sum.Values++
		}
		if bound {
			sum.Bounds++
		}
	}
	return sum, failed, cmp.Or(err, view.Close())
}

// refresh does the work of Refresh and counts the cells that were worked on.
func (s *Session) refresh(ctx context.Context, view *atlas.Atlas, words string, time time.Duration, sum *Refreshed,
	tell func(place, of int, before, after atlas.Cell)) (failed int, err error) {
	if err := s.pourShipped(ctx, view); err != nil {
		return 0, untilEnd(ctx, err)
	}
	tasks, err := openTasks(view, words, time)
	if err != nil {
		return 0, err
	}
	if err := s.imply(ctx, view, tasks, true, func(results.Record) {}); err != nil || ctx.Err() != nil {
		return 0, err
	}
	tried, err := s.triedBefore(time)
	if err != nil {
		return 0, err
	}
	var left []Task
	for _, t := range tasks {
		switch c, _ := view.Cell(texts.KeyOf(t.Problem)); {
		case c.Status == atlas.Optimal: // by what is implied
		case tried[compose.KeyOf(t.Problem)]:
			sum.Passed++
		default:
			left = append(left, t)
		}
	}
	var mu sync.Mutex
	var fatal error
	working, stop := context.WithCancel(ctx)
	defer stop()
	quiet := s.Quiet()
	quiet.Workers = 1
	parallel.Each(working, s.Workers, len(left), func(i int) {
		before, _ := view.Cell(texts.KeyOf(left[i].Problem))
		wrong := quiet.refreshCell(working, left[i])
		mu.Lock()
		defer mu.Unlock()
		sum.Tried++
		var full *disk.WriteError
		switch {
		case errors.As(wrong, &full):
			fatal = cmp.Or(fatal, wrong)
			stop()
			return
		case wrong != nil:
			failed++
			s.remark("%s: %v", left[i].Problem, wrong)
		}
		if err := view.Refresh(); err != nil {
			fatal = cmp.Or(fatal, err)
			stop()
			return
		}
		after, _ := view.Cell(texts.KeyOf(left[i].Problem))
		tell(sum.Tried, len(left), before, after)
	})
	if fatal != nil || ctx.Err() != nil {
		return failed, fatal
	}
	return failed, s.imply(ctx, view, tasks, true, func(results.Record) {})
}

// pourShipped puts into the store what the atlas of the program has of its cells.
func (s *Session) pourShipped(ctx context.Context, view *atlas.Atlas) error {
	shipped, err := atlas.Shipped()
	if err != nil {
		return err
	}
	cells, _ := view.Cells(atlas.Filter{})
	var differ []atlas.Cell
	for _, c := range cells {
		if known, ok := shipped.Cell(c.Key()); ok && known.SHA256 != c.SHA256 && c.Fault == "" {
			differ = append(differ, known)
		}
	}
	if err := shipped.Pour(ctx, s.Store, differ); err != nil {
		return err
	}
	return view.Refresh()
}

// openTasks returns the proofs that the open cells of an atlas with some words ask for, small networks first.
func openTasks(view *atlas.Atlas, words string, time time.Duration) ([]Task, error) {
	cells, _ := view.Cells(atlas.Filter{Text: words})
	var tasks []Task
	for _, c := range cells {
		if c.Status == atlas.Wrong || c.Status == atlas.Optimal {
			continue
		}
		p, err := c.Key().Problem()
		if err != nil {
			return nil, err
		}
		if p.Free == nil {
			tasks = append(tasks, Task{Problem: p, Budget: Budget{Seed: 1, Time: time}, Proof: &Proof{Engine: EngineAuto}})
		}
	}
	slices.SortStableFunc(tasks, func(a, b Task) int { return cmp.Compare(a.Torus().N(), b.Torus().N()) })
	return tasks, nil
}

// triedBefore returns the problems that this version of the program tried for at least a time.
func (s *Session) triedBefore(least time.Duration) (map[texts.Key]bool, error) {
	runs, err := s.Store.Ended()
	tried := map[texts.Key]bool{}
	for _, r := range runs {
		if r.Goal != refreshGoal+s.Version || r.Budget.Time == nil {
			continue
		}
		if spent, err := time.ParseDuration(*r.Budget.Time); err == nil && spent >= least {
			tried[r.Problem] = true
		}
	}
	return tried, err
}

// refreshCell tries to prove a cell from what is known of it.
func (s *Session) refreshCell(ctx context.Context, t Task) error {
	best, ok, err := s.Store.Best(compose.KeyOf(t.Problem))
	if err != nil {
		return err
	}
	if ok {
		if t.Starts, err = startOf(t, best); err != nil {
			return err
		}
	}
	if _, err = s.Solve(ctx, t); err != nil && !errors.Is(err, ErrNoPlacement) {
		return err
	}
	if ctx.Err() != nil {
		return nil // it is tried again
	}
	run := t.storeKey()
	run.Goal = refreshGoal + s.Version
	return s.Store.Finish(run)
}

// String says what was reached, in a line.
func (r Refreshed) String() string {
	text := fmt.Sprintf("%d cells open before, %d after; %d improved values, %d improved bounds; %d tried", r.Open, r.Left,
		r.Values, r.Bounds, r.Tried)
	if r.Passed > 0 {
		text += fmt.Sprintf(", %d skipped that were tried before with the same time", r.Passed)
	}
	return text
}
