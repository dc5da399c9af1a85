package lrat

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// ExampleWriter refutes "1 or 2", "1 or not 2", "not 1 or 2", "not 1 or not 2".
func ExampleWriter() {
	var text strings.Builder
	w := NewWriter(&text, 4)
	unit := w.Add([]int{1}, []int64{1, 2})
	w.Delete(1, 2)
	w.Add(nil, []int64{unit, 3, 4})
	fmt.Print(w.Close(), "\n", text.String())
	// Output:
	// <nil>
	// 5 1 0 1 2 0
	// 5 d 1 2 0
	// 6 0 5 3 4 0
}

// TestEnd: a proof without the empty clause is an error, and nothing follows it.
func TestEnd(t *testing.T) {
	var text strings.Builder
	w := NewWriter(&text, 3)
	w.Delete()
	if w.Add([]int{-7, 2}, nil); !errors.Is(w.Close(), ErrUnfinished) || w.Done() {
		t.Errorf("without the empty clause: %v", w.Close())
	}
	w.Add(nil, []int64{2})
	w.Delete(1)
	if n := w.Add([]int{3}, []int64{1}); n != 0 || w.Close() != nil || !w.Done() {
		t.Errorf("after the empty clause: number %d, %v", n, w.Close())
	}
	if text.String() != "4 -7 2 0 0\n5 0 2 0\n" {
		t.Errorf("%q", text.String())
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFullDisk: the first error stays, also if the proof is finished.
func TestFullDisk(t *testing.T) {
	w := NewWriter(full{}, 0)
	for range 1 << 16 {
		w.Add([]int{1, 2, 3}, []int64{1})
	}
	if w.Err() != errFull {
		t.Errorf("while writing: %v", w.Err())
	}
	if w.Add(nil, nil); w.Close() != errFull {
		t.Errorf("at the end: %v", w.Close())
	}
	small := NewWriter(full{}, 0)
	if small.Add(nil, nil); small.Close() != errFull {
		t.Errorf("a short proof: %v", small.Close())
	}
}
