package work

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"sync"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/search"
)

// A Log keeps the slices of a proof. When that fails the proof goes on without it, so that what
// it finds is not lost.
type Log struct {
	*results.SliceLog
	// OnWord says that slices which a cluster took on the word of workers are taken over.
	OnWord bool
	Remark func(format string, args ...any)
	once   sync.Once
	err    error
}

// OpenLog opens the file of a log for a problem, and remarks what it holds. Errors are those of results.OpenSliceLog.
func OpenLog(ctx context.Context, path string, p objective.Problem, onWord bool,
	remark func(format string, args ...any)) (*Log, error) {
	file, err := results.OpenSliceLog(ctx, path, p)
	if err != nil {
		return nil, err
	}
	if n := file.Damaged(); n > 0 {
		remark("%s: %d damaged lines are left out", path, n)
	}
	if n := len(file.Entries()); n > 0 {
		remark("%s holds %d finished parts and placements: the proof goes on from them", path, n)
	}
	if n := file.OnWord(); n > 0 && !onWord {
		remark("%s: %d parts rest on the word of workers (--confirm sample) and are done again", path, n)
	}
	return &Log{SliceLog: file, OnWord: onWord, Remark: remark}, nil
}

// Err returns why the log could not be written, nil if it could.
func (l *Log) Err() error { return l.err }

// Walked implements census.Log.
func (l *Log) Walked(engine string, below *big.Rat, split int) []search.Slice {
	var list []search.Slice
	for _, e := range l.Entries() {
		if e.Slice == nil || e.Engine != engine || e.Below != below.RatString() || e.Split != split ||
			e.OnWord && !e.Void && !l.OnWord {
			continue
		}
		if e.Void {
			list = slices.DeleteFunc(list, func(s search.Slice) bool {
				return slices.Equal(s.First, e.Slice.First) && s.Prefixes == e.Slice.Prefixes
			})
			continue
		}
		if sum, err := strconv.ParseUint(e.Slice.Sum, 16, 64); err == nil {
			list = append(list, search.Slice{First: e.Slice.First, Prefixes: e.Slice.Prefixes, Nodes: e.Slice.Nodes,
				Sum: sum, OnWord: e.OnWord})
		}
	}
	return list
}

// Keep implements census.Log.
func (l *Log) Keep(engine string, below *big.Rat, split int, s search.Slice) error {
	slice := recordSlice(s)
	l.add(results.SliceEntry{Engine: engine, Below: below.RatString(), Split: split, Slice: &slice, OnWord: s.OnWord})
	return nil
}

// Drop implements census.Log.
func (l *Log) Drop(engine string, below *big.Rat, split int, s search.Slice) error {
	slice := recordSlice(s)
	l.add(results.SliceEntry{Engine: engine, Below: below.RatString(), Split: split, Slice: &slice, Void: true})
	return nil
}

// add writes an entry, or remarks once that this failed.
func (l *Log) add(e results.SliceEntry) {
	if err := l.Add(e); err != nil {
		l.once.Do(func() {
			l.err = err
			l.Remark("%v: the proof goes on, but cannot be resumed from here", err)
		})
	}
}

// starts returns the placements that the log holds for a problem.
func (l *Log) starts(p objective.Problem) []core.Placement {
	var list []core.Placement
	for _, e := range l.Entries() {
		if s, err := core.PlacementFromCoords(p.Torus(), e.Nodes); err == nil && s.Size() == p.Size {
			list = append(list, s)
		}
	}
	return list
}

// end adds the best placement of a run, for the next one to start from, and closes
// the file.
func (l *Log) end(p core.Placement, value *big.Rat) {
	if p.Size() > 0 {
		l.add(results.SliceEntry{Nodes: p.Coords(), MaxLoad: value.RatString()})
	}
	if err := l.Close(); err != nil && l.err == nil {
		l.err = err
	}
}

// A recall is a log in memory, for a proof with more than one attempt.
type recall struct {
	mu   sync.Mutex
	list map[string][]search.Slice
}

func question(engine string, below *big.Rat, split int) string {
	return fmt.Sprint(engine, " ", below.RatString(), " ", split)
}

// Walked implements census.Log.
func (l *recall) Walked(engine string, below *big.Rat, split int) []search.Slice {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list[question(engine, below, split)])
}

// Keep implements census.Log.
func (l *recall) Keep(engine string, below *big.Rat, split int, s search.Slice) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.list == nil {
		l.list = map[string][]search.Slice{}
	}
	key := question(engine, below, split)
	l.list[key] = append(l.list[key], s)
	return nil
}

// Drop implements census.Log: only a cluster drops, and it has a log in a file or none.
func (l *recall) Drop(string, *big.Rat, int, search.Slice) error { return nil }
