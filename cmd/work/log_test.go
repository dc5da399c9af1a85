package work

import (
	"errors"
	"math/big"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"leeway/results"
	"leeway/search"
	"leeway/search/searchtest"
)

// TestDroppedSlices keeps two slices in a file, takes one back and keeps it again, as a
// cluster does whose worker lied.
func TestDroppedSlices(t *testing.T) {
	path, p, below := filepath.Join(t.TempDir(), "work"), searchtest.Problem("4x4", "odr", 4), big.NewRat(3, 2)
	first := search.Slice{First: []int{0, 1}, Prefixes: 2, Nodes: 5, Sum: 7}
	second := search.Slice{First: []int{0, 3}, Prefixes: 1, Nodes: 9, Sum: 8}
	right := first
	right.Nodes = 6
	for _, step := range []struct {
		keep, drop []search.Slice
		want       []int64 // nodes of the slices that the next run finds
	}{{keep: []search.Slice{first, second}, want: []int64{5, 9}}, {drop: []search.Slice{first}, want: []int64{9}},
		{keep: []search.Slice{right}, want: []int64{9, 6}}} {
		for round := range 2 {
			file, err := results.OpenSliceLog(t.Context(), path, p)
			if err != nil {
				t.Fatal(err)
			}
			l := &Log{SliceLog: file}
			if round == 0 {
				for _, s := range step.keep {
					err = l.Keep("orderly", below, 2, s)
				}
				for _, s := range step.drop {
					err = l.Drop("orderly", below, 2, s)
				}
			} else {
				var nodes []int64
				for _, s := range l.Walked("orderly", below, 2) {
					nodes = append(nodes, s.Nodes)
				}
				if !slices.Equal(nodes, step.want) {
					t.Errorf("slices of %v nodes, want %v", nodes, step.want)
				}
			}
			if err != nil || l.Close() != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSlicesOnWord keeps one slice on the word of workers: only a run that asks for it takes
// that over, and the record says on whose word its proof rests.
func TestSlicesOnWord(t *testing.T) {
	path, p, below := filepath.Join(t.TempDir(), "work"), searchtest.Problem("4x4", "odr", 4), big.NewRat(3, 2)
	told := search.Slice{First: []int{0, 1}, Prefixes: 2, Nodes: 5, Sum: 7, OnWord: true}
	walked := search.Slice{First: []int{0, 3}, Prefixes: 1, Nodes: 9, Sum: 8}
	open := func(onWord bool) *Log {
		file, err := results.OpenSliceLog(t.Context(), path, p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return &Log{SliceLog: file, OnWord: onWord}
	}
	first := open(false)
	if err := errors.Join(first.Keep("orderly", below, 2, told), first.Keep("orderly", below, 2, walked)); err != nil {
		t.Fatal(err)
	}
	if got := open(true).Walked("orderly", below, 2); !reflect.DeepEqual(got, []search.Slice{told, walked}) {
		t.Errorf("with --confirm sample: %+v", got)
	}
	if l := open(false); l.SliceLog.OnWord() != 1 ||
		!reflect.DeepEqual(l.Walked("orderly", below, 2), []search.Slice{walked}) {
		t.Errorf("%d slices on the word of workers, %+v", l.SliceLog.OnWord(), l.Walked("orderly", below, 2))
	}
	s, _ := session(t)
	for _, slices := range [][]search.Slice{{told, walked}, {walked}} {
		r := &run{Session: s}
		refutation := &search.Refutation{Kind: search.Census, Engine: "orderly", Below: below, Slices: slices}
		if _, err := r.proofOf(p, refutation); err != nil {
			t.Fatal(err)
		}
		if r.onWord != (len(slices) == 2) {
			t.Errorf("%v: %t", slices, r.onWord)
		}
	}
}
