package check

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"leeway/results"
)

// Options say how to check. The zero value checks everything on one worker.
type Options struct {
	Workers int // for the slices of a census; changes the speed only
	// Report lists every slice of a census in the verdict.
	Report bool
	// Wanted picks slices of a census by number, from 0; nil: all. A proof of which
	// slices were left out is not verified.
	Wanted func(i int) bool
	// Observe is called now and then, from any goroutine, with the nodes of the
	// census walked so far and those recorded.
	Observe func(done, all int64)
}

// Files returns a verdict for every file, in order. A file that cannot be opened
// is unreadable. When the context ends it returns the verdicts of the files that
// were finished, and its error.
func Files(ctx context.Context, paths []string, o Options) ([]Item, error) {
	var items []Item
	for _, path := range paths {
		if isSchedule(path) {
			items = append(items, scheduleItem(ctx, path))
			if ctx.Err() != nil {
				return items[:len(items)-1], ctx.Err()
			}
			continue
		}
		data, err := readFile(ctx, path)
		verdict := Verdict{}
		if err != nil {
			verdict = unreadable(err)
		} else {
			verdict = Document(ctx, data, filepath.Dir(path), o)
		}
		if ctx.Err() != nil {
			return items, ctx.Err()
		}
		items = append(items, Item{File: path, Verdict: verdict})
	}
	return items, nil
}

// readFile returns the bytes of a file, which may be a pipe to which nobody ever writes,
// or the error of the context when that ends first.
func readFile(ctx context.Context, path string) ([]byte, error) {
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		data, err := results.ReadFile(path)
		done <- outcome{data, err}
	}()
	select {
	case o := <-done:
		return o.data, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// isSchedule reports whether a file says that it is a schedule. A pipe, which can be
// read once only, is taken for something else.
func isSchedule(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && results.IsScheduleFile(path)
}

// scheduleItem returns the verdict about a file that says it is a schedule.
func scheduleItem(ctx context.Context, path string) Item {
	e, head := exchangeFile(path)
	v := Verdict{Verdict: e.Verdict, ProofVerdict: Absent, Reasons: []string{}}
	if e.Reason != "" {
		v.Reasons = append(v.Reasons, e.Reason)
	}
	if head.Proof != nil && e.Verdict != Unreadable {
		v.ProofVerdict = Verified
		if problem := stepsProblem(ctx, filepath.Dir(path), head, e); problem != "" {
			v.Verdict, v.ProofVerdict = Wrong, Wrong
			v.Reasons = append(v.Reasons, "proof: "+problem)
		}
	}
	return Item{File: path, Verdict: v, Exchange: &e}
}

// Document returns the verdict about a record, a list of bounds or an answer to
// "is E_max below a value possible". The folder is where the files lie that it
// names. When the context ends before the verdict is found, the verdict means
// nothing.
func Document(ctx context.Context, data []byte, folder string, o Options) Verdict {
	v := &verifier{ctx: ctx, folder: folder, options: o}
	switch schema, _ := results.SchemaOf(data); schema {
	case results.BoundsSchema:
		return Bounds(data)
	case results.BelowSchema:
		return below(data, v)
	case results.ScheduleSchema: // without phases, or not in a file of its own
		if _, err := results.ReadSchedule(bytes.NewReader(data)); err != nil {
			return unreadable(err)
		}
	}
	return record(data, v)
}

// Record returns the verdict about a record that names no other file; see
// Document.
func Record(data []byte) Verdict {
	return record(data, &verifier{ctx: context.Background()})
}
