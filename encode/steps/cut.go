package steps

import (
	"errors"

	"leeway/encode/cut"
)

// A Cut says which part of a proof a Writer writes.
type Cut = cut.Cut

// ErrMost says that a proof takes more steps than it may.
var ErrMost = errors.New("steps: a proof takes more steps than it may")

// cutting is the state of a Writer that writes a part.
type cutting struct {
	cut    Cut
	before bool    // the slice to write has not begun
	name   []int   // of the branch at hand
	within []level // of each branch around what is written: the first is all that is asked
}

// A level is a branch whose proof has begun.
type level struct {
	branches int   // below it, that Branch was called for
	since    int64 // steps before it
}

// Cut has a writer that has written no step yet write a part only.
func (w *Writer) Cut(c Cut) {
	w.cutting = cutting{cut: c, before: len(c.Name) > 0, within: []level{{}}}
}

// Enough returns ErrMost once as many steps are written as may be.
func (w *Writer) Enough() error {
	if w.cut.Most > 0 && *w.work >= w.cut.Most {
		return ErrMost
	}
	return nil
}

// errWritten ends an engine that has written its slice.
var errWritten = errors.New("steps: the slice is written")

// Branch calls prove, which writes the proof of the branch at hand, unless that is not part of what is to be written or
// is left open. Engines call it where they go on to a branch; they must come to the same branches in the same order
// whatever is left out of those before. The error is that of prove, or ends the engine; see Finish.
func (w *Writer) Branch(prove func() error) error {
	if err := w.Enough(); err != nil {
		return err
	}
	if w.within == nil || w.open > 0 {
		return prove()
	}
	depth := len(w.name)
	around := &w.within[depth]
	number := around.branches
	around.branches++
	if w.before && (depth >= len(w.cut.Name) || number != w.cut.Name[depth]) {
		return nil
	}
	w.name = append(w.name, number)
	defer func() { w.name, w.within = w.name[:depth], w.within[:depth+1] }()
	begins := w.before && depth+1 == len(w.cut.Name)
	switch {
	case begins:
		w.before = false
	case !w.before && w.cut.Leave != nil && w.cut.Leave(w.name, w.Steps-around.since):
		w.close(18, append([]int{len(w.name)}, w.name...)...)
		return nil
	}
	w.within = append(w.within, level{since: w.Steps})
	err := prove()
	if begins && err == nil {
		return errWritten
	}
	return err
}

// Choose returns what choose returns, by which an engine decides how to go about a proof, or what it was when the slice
// to write was named: the name has it.
func (w *Writer) Choose(choose func() (int, error)) (int, error) {
	if w.within == nil {
		return choose()
	}
	number, err := 0, error(nil)
	if depth := len(w.name); w.before && depth < len(w.cut.Name) {
		number = w.cut.Name[depth]
	} else {
		number, err = choose()
	}
	w.name, w.within = append(w.name, number), append(w.within, level{since: w.Steps})
	return number, err
}

// Finish writes what is buffered. It returns the error with which an engine ended, nil where that only says that its
// slice is written, or the first of writing.
func (w *Writer) Finish(err error) error {
	if w.cut.Work != nil {
		*w.cut.Work += *w.work
	}
	if err == nil || errors.Is(err, errWritten) {
		return w.Flush()
	}
	return err
}
