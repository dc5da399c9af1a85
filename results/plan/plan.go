package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/disk"
)

// Schema is the version of plans, which a plan may name.
const Schema = "leeway/plan/1"

// Limits of a plan. They keep a slip such as 4..40000 from becoming a long list.
const (
	MaxBytes    = 1 << 20
	MaxSearches = 10000
)

// A Search is one of the searches of a plan.
type Search struct {
	objective.Problem
	Seed        uint64        // 1 unless the plan says otherwise
	Time        time.Duration // 0: no limit; Time or Evaluations is above 0
	Evaluations int64         // 0: no limit
	Methods     []string      // nil: those that search runs by default
	Then        string        // results.ThenDistance or ""
	Line        int           // where the problem stands in the file, from 1
	Column      int
}

// key returns a text that searches share exactly if they are the same search.
func (s Search) key() string {
	return fmt.Sprintf("%s %d %s %d %q", s, s.Seed, s.Time, s.Evaluations, s.Methods) + s.Then +
		compose.KeyOf(s.Problem).Table
}

// Faults is all that is wrong with a plan, in the order of the file. As an error
// it is also its first fault, a *results.ReadError.
type Faults []*results.ReadError

// Error returns a line for every fault; the hints are left to the caller.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults.
func (f Faults) Unwrap() []error {
	list := make([]error, len(f))
	for i, fault := range f {
		list[i] = fault
	}
	return list
}

// sorted returns the faults in the order of the file, each once: a wrong default is found with every problem.
func (f Faults) sorted() Faults {
	slices.SortStableFunc(f, func(a, b *results.ReadError) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Problem, b.Problem))
	})
	return slices.CompactFunc(f, func(a, b *results.ReadError) bool { return *a == *b })
}

// Files reads the routing table, network or traffic matrix that a plan names as @name.
type Files func(name string) ([]byte, error)

// Read returns the searches of the plan in a file, in order. Files that it names are looked
// for in its folder. Methods lists the names that methods may have. The error is Faults,
// or a *results.ReadError for a file that cannot be read at all, or the context's.
func Read(ctx context.Context, path string, methods []string) ([]Search, error) {
	data, err := disk.ReadFile(ctx, path)
	if err != nil {
		return nil, err
	}
	searches, err := Parse(data, methods, func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return disk.ReadFile(ctx, name)
	})
	var faults Faults
	if errors.As(err, &faults) {
		for _, f := range faults {
			f.File = path
		}
	}
	return searches, err
}

// Parse is Read on the text of a plan; its faults name no file.
func Parse(data []byte, methods []string, files Files) ([]Search, error) {
	r := &reader{methods: methods, files: files, first: map[string]int{}}
	if root := r.document(data); root != nil {
		r.plan(root)
	}
	if len(r.faults) > 0 {
		return nil, r.faults.sorted()
	}
	return r.searches, nil
}
