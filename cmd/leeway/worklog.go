package main

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

// A workLog keeps the slices of a proof in a file. When that cannot be written the
// proof goes on without it, so that what it finds is not lost.
type workLog struct {
	*results.SliceLog
	app *app
	// onWord says that slices which a cluster took on the word of workers are taken over.
	onWord bool
	once   sync.Once
	err    error // why the file could not be written, nil if it could
}

// openWorkLog opens the log of a problem, and says what it holds.
func (a *app) openWorkLog(ctx context.Context, path string, p objective.Problem, onWord bool) (*workLog, error) {
	file, err := results.OpenSliceLog(ctx, path, p)
	if err != nil {
		return nil, inFlag("work", err)
	}
	if n := file.Damaged(); n > 0 {
		a.remark("%s: %d damaged lines are left out", path, n)
	}
	l := &workLog{SliceLog: file, app: a, onWord: onWord}
	if n := len(file.Entries()); n > 0 {
		a.remark("%s holds %d slices and placements: the proof goes on from them", path, n)
	}
	if n := file.OnWord(); n > 0 && !onWord {
		a.remark("%s: %d slices rest on the word of workers (--confirm sample) and are walked again", path, n)
	}
	return l, nil
}

// Walked implements census.Log.
func (l *workLog) Walked(engine string, below *big.Rat, split int) []search.Slice {
	var list []search.Slice
	for _, e := range l.Entries() {
		if e.Slice == nil || e.Engine != engine || e.Below != below.RatString() || e.Split != split || e.OnWord && !e.Void && !l.onWord {
			continue
		}
		if e.Void {
			list = slices.DeleteFunc(list, func(s search.Slice) bool {
				return slices.Equal(s.First, e.Slice.First) && s.Prefixes == e.Slice.Prefixes
			})
			continue
		}
		if sum, err := strconv.ParseUint(e.Slice.Sum, 16, 64); err == nil {
			list = append(list, search.Slice{First: e.Slice.First, Prefixes: e.Slice.Prefixes, Nodes: e.Slice.Nodes, Sum: sum, OnWord: e.OnWord})
		}
	}
	return list
}

// Keep implements census.Log.
func (l *workLog) Keep(engine string, below *big.Rat, split int, s search.Slice) error {
	slice := recordSlice(s)
	l.add(results.SliceEntry{Engine: engine, Below: below.RatString(), Split: split, Slice: &slice, OnWord: s.OnWord})
	return nil
}

// Drop implements census.Log.
func (l *workLog) Drop(engine string, below *big.Rat, split int, s search.Slice) error {
	slice := recordSlice(s)
	l.add(results.SliceEntry{Engine: engine, Below: below.RatString(), Split: split, Slice: &slice, Void: true})
	return nil
}

// add writes an entry, or remarks once that this failed.
func (l *workLog) add(e results.SliceEntry) {
	if err := l.Add(e); err != nil {
		l.once.Do(func() {
			l.err = err
			l.app.remark("%v: the proof goes on, but cannot be resumed from here", err)
		})
	}
}

// starts returns the placements that the log holds for a problem.
func (l *workLog) starts(p objective.Problem) []core.Placement {
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
func (l *workLog) end(p core.Placement, value *big.Rat) {
	if p.Size() > 0 {
		l.add(results.SliceEntry{Nodes: p.Coords(), MaxLoad: value.RatString()})
	}
	if err := l.Close(); err != nil && l.err == nil {
		l.err = err
	}
}

// recordSlice spells a slice as records do.
func recordSlice(s search.Slice) results.Slice {
	return results.Slice{First: s.First, Prefixes: s.Prefixes, Nodes: s.Nodes, Sum: fmt.Sprintf("%016x", s.Sum)}
}
