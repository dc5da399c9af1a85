package disk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
)

// SliceLogSchema is the schema version of the logs of stopped proofs.
const SliceLogSchema = "leeway/slices/2"

// maxLogBytes is the largest log that is read.
const maxLogBytes = 1 << 30

// A SliceLog is a file of JSON lines that keeps what a proof did, line by line on disk as it comes, so that a stopped
// proof can go on: a line that names the problem, then slices that were accepted and placements. Logs of one problem
// may be joined end to end. Several processes may write to one log; each line is written at once. Its methods may be
// called from any goroutine.
type SliceLog struct {
	mu      sync.Mutex
	file    *os.File
	torn    bool // the file does not end with a whole line
	entries []SliceEntry
	damaged int
}

// A SliceEntry is a line of a log: a slice that was accepted, or a placement.
type SliceEntry struct {
	Engine string          `json:"engine,omitempty"`
	Below  string          `json:"below,omitempty"`
	Slice  json.RawMessage `json:"slice,omitempty"` // as the package check has it

	Nodes   [][]int `json:"nodes,omitempty"` // a placement, with its E_max
	MaxLoad string  `json:"max_load,omitempty"`
}

// sliceHeader is the line that names the problem.
type sliceHeader struct {
	Schema string `json:"schema"`
	results.Grid
	Routing string `json:"routing"`
	Size    int    `json:"size"`
	results.Setting
	Table *results.Table `json:"table,omitempty"`
}

// OpenSliceLog opens the log of a problem, or starts one. It fails with a *ReadError when the file is not a log or is
// that of another problem, and with the error of the file system.
func OpenSliceLog(ctx context.Context, path string, p objective.Problem) (*SliceLog, error) {
	header, err := json.Marshal(sliceHeader{Schema: SliceLogSchema, Grid: compose.GridOf(p.Torus()),
		Routing: p.Routing.String(), Size: p.Size, Setting: compose.SettingOf(p), Table: compose.TableOf(p.Routing)})
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &results.ReadError{File: path, Problem: "not a regular file", Hint: "a log is a file of its own"}
	}
	var data []byte
	if !errors.Is(err, fs.ErrNotExist) {
		if data, err = ReadFileUpTo(ctx, path, maxLogBytes); err != nil {
			return nil, err
		}
	}
	if bytes.HasPrefix(header, data) { // the first write was cut off
		data = nil
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			return nil, err
		}
	}
	l := &SliceLog{torn: len(data) > 0 && data[len(data)-1] != '\n'}
	if err := l.read(path, data, header); err != nil {
		return nil, err
	}
	if l.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		if err := l.write(header); err != nil {
			return nil, errors.Join(err, l.file.Close())
		}
	}
	return l, nil
}

// read takes in the lines. One that is damaged, as by a full disk, is left out: the slice is proved again.
func (l *SliceLog) read(path string, data, header []byte) error {
	for i, line := range bytes.Split(data, []byte("\n")) {
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case bytes.HasPrefix(line, []byte(`{"schema":`)) || i == 0:
			if !bytes.Equal(bytes.TrimSpace(line), header) {
				return &results.ReadError{File: path, Line: i + 1,
					Problem: "not a log of the problem, which starts with " + string(header),
					Hint:    "give each problem a log of its own"}
			}
		default:
			var e SliceEntry
			if json.Unmarshal(line, &e) != nil || e.Slice == nil && e.Nodes == nil {
				l.damaged++
				continue
			}
			l.entries = append(l.entries, e)
		}
	}
	return nil
}

// Entries returns what the log held when it was opened.
func (l *SliceLog) Entries() []SliceEntry { return l.entries }

// Damaged returns how many lines could not be read.
func (l *SliceLog) Damaged() int { return l.damaged }

// Add writes an entry and waits until it is on disk.
func (l *SliceLog) Add(e SliceEntry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return l.write(line)
}

func (l *SliceLog) write(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := append(bytes.Clone(line), '\n')
	if l.torn {
		text = append([]byte{'\n'}, text...)
	}
	if n, err := l.file.Write(text); err != nil {
		l.torn = l.torn || n > 0
		return fmt.Errorf("the log %s cannot be written: %w", l.file.Name(), err)
	}
	l.torn = false
	return l.file.Sync()
}

// Close closes the file.
func (l *SliceLog) Close() error { return l.file.Close() }
