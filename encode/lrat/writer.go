// Package lrat writes proofs that a formula cannot be satisfied, in the text form of LRAT (L. Cruz-Filipe and others,
// Efficient certified RAT verification, CADE 2017), which verified checkers accept.
//
// The clauses of the formula have the numbers 1, 2, ... in their sequence. A step adds a clause, whose number is above
// all before, with hints: the numbers of the clauses that become unit one after the other when every literal of the new
// clause fails, and last the number of the clause that fails. Or it deletes clauses that no later step names. The proof
// ends with the empty clause. There are no RAT steps, so every clause follows from the formula.
//
// What refutes a formula is a Refuter and writes its steps to a Writer; a checker shares no code with either. Trim
// takes them from the proof of a solver.
//
//	w := lrat.NewWriter(file, formula.Clauses())
//	unit := w.Add([]int{-1}, []int{3, 5, 4})
//	w.Add(nil, []int{unit, 7})
//	err := w.Close()
package lrat

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"

	"leeway/encode/dimacs"
)

// A Refuter shows that a formula cannot be satisfied. It writes steps up to the empty clause; the caller closes the
// writer.
//
// It returns ErrSatisfiable where the formula has a model, the error of the context when that ends first, and other
// errors where it cannot tell or not write. After an error what was written proves nothing.
type Refuter func(ctx context.Context, formula dimacs.Formula, w *Writer) error

// ErrSatisfiable says that a formula has a model and thus no refutation.
var ErrSatisfiable = errors.New("the formula can be satisfied")

// ErrUnfinished says that a proof was closed before its empty clause.
var ErrUnfinished = errors.New("the proof does not end with the empty clause")

// A Writer writes the steps of a proof. After the first error, and after the empty clause, it writes nothing more. It
// does not check that steps follow: a checker does.
type Writer struct {
	w    *bufio.Writer
	line []byte
	last int64 // highest number so far
	done bool  // the empty clause is there
	err  error
}

// NewWriter returns a writer of a proof for a formula with a given number of clauses.
func NewWriter(w io.Writer, clauses int64) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 1<<16), last: clauses}
}

// Add adds a clause with its hints and returns its number, the next one. It keeps neither slice. No literals are the
// empty clause, which ends the proof: later steps are left out, and Add returns 0 for them.
func (w *Writer) Add(literals []int, hints []int64) (number int64) {
	if w.done {
		return 0
	}
	w.last++
	w.line = append(strconv.AppendInt(w.line[:0], w.last, 10), ' ')
	for _, l := range literals {
		w.line = append(strconv.AppendInt(w.line, int64(l), 10), ' ')
	}
	w.line = append(w.line, '0', ' ')
	w.end(hints)
	w.done = len(literals) == 0
	return w.last
}

// Delete deletes clauses by their numbers, which no later step may name. Each may be deleted once. Checkers take less
// memory and time for it.
func (w *Writer) Delete(numbers ...int64) {
	if w.done || len(numbers) == 0 {
		return
	}
	w.line = append(strconv.AppendInt(w.line[:0], w.last, 10), " d "...)
	w.end(numbers)
}

// end writes the line with these numbers behind it.
func (w *Writer) end(numbers []int64) {
	for _, n := range numbers {
		w.line = append(strconv.AppendInt(w.line, n, 10), ' ')
	}
	w.line = append(w.line, '0', '\n')
	if w.err == nil {
		_, w.err = w.w.Write(w.line)
	}
}

// Done reports whether the empty clause was written.
func (w *Writer) Done() bool { return w.done }

// Err returns the first error of what is written to, so that a long refutation need not go on after it.
func (w *Writer) Err() error { return w.err }

// Close writes what is left, not closing what is written to. It returns the first error of that, or ErrUnfinished.
func (w *Writer) Close() error {
	if w.err == nil {
		w.err = w.w.Flush()
	}
	if w.err == nil && !w.done {
		return ErrUnfinished
	}
	return w.err
}
