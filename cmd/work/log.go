package work

import (
	"context"
	"encoding/json"
	"math/big"
	"sync"

	"leeway/core"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/disk"
)

// A Log keeps the slices of a proof: in a file, its zero value in memory. When the file fails the proof goes on without
// it, so that what it finds is not lost. Its methods may be called from any goroutine.
type Log struct {
	file   *disk.SliceLog
	remark func(format string, args ...any)

	mu   sync.Mutex
	kept []disk.SliceEntry // beside those that the file had
	err  error
}

// OpenLog opens the file of a log for a problem, and remarks what it holds. Errors are those of disk.OpenSliceLog.
func OpenLog(ctx context.Context, path string, p objective.Problem,
	remark func(format string, args ...any)) (*Log, error) {
	file, err := disk.OpenSliceLog(ctx, path, p)
	if err != nil {
		return nil, err
	}
	if n := file.Damaged(); n > 0 {
		remark("%s: %d damaged lines are left out", path, n)
	}
	if n := len(file.Entries()); n > 0 {
		remark("%s holds %d finished parts and placements: the proof goes on from them", path, n)
	}
	return &Log{file: file, remark: remark}, nil
}

// Err returns why the log could not be written, nil if it could.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *Log) entries() []disk.SliceEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return l.kept
	}
	return append(l.file.Entries(), l.kept...)
}

// accepted returns the slices kept of the proof of an engine below a value.
func (l *Log) accepted(engine string, below *big.Rat) (list []check.Accepted) {
	if l == nil {
		return nil
	}
	for _, e := range l.entries() {
		var a check.Accepted
		if e.Slice != nil && e.Engine == engine && e.Below == below.RatString() && json.Unmarshal(e.Slice, &a) == nil {
			list = append(list, a)
		}
	}
	return list
}

// keep adds a slice that was accepted.
func (l *Log) keep(engine string, below *big.Rat, a check.Accepted) {
	if l == nil {
		return
	}
	text, err := json.Marshal(a)
	if err != nil {
		panic("work: " + err.Error()) // its type has a text
	}
	l.add(disk.SliceEntry{Engine: engine, Below: below.RatString(), Slice: text})
}

// add adds an entry, and remarks once that it could not be written.
func (l *Log) add(e disk.SliceEntry) {
	var err error
	if l.file != nil {
		err = l.file.Add(e)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, e)
	if err != nil && l.err == nil {
		l.err = err
		l.remark("%v: the proof goes on, but cannot be resumed from here", err)
	}
}

// starts returns the placements that the log holds for a problem.
func (l *Log) starts(p objective.Problem) []core.Placement {
	var list []core.Placement
	for _, e := range l.entries() {
		if s, err := core.PlacementFromCoords(p.Torus(), e.Nodes); err == nil && s.Size() == p.Size {
			list = append(list, s)
		}
	}
	return list
}

// end adds the best placement of a run, for the next one to start from, and closes the file.
func (l *Log) end(p core.Placement, value *big.Rat) {
	if p.Size() > 0 {
		l.add(disk.SliceEntry{Nodes: p.Coords(), MaxLoad: value.RatString()})
	}
	if err := l.file.Close(); err != nil && l.Err() == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.err = err
	}
}
