package lrat

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// A StepError says why a proof cannot be trimmed.
type StepError struct {
	Step    int // counts from 1, deletions left out
	Problem string
}

// Error names the step and the problem.
func (e *StepError) Error() string { return fmt.Sprintf("LRAT proof, step %d: %s", e.Step, e.Problem) }

// Trim reads a proof in LRAT, as a solver writes it, and writes to a new writer those steps that the empty clause
// needs, numbered anew, each deleted after the last step that names it. Deletions, and what follows the empty clause,
// are passed over. What comes out is for a checker to judge. It fails with a *StepError, also about a RAT step, or with
// the error of the reader, the writer or the context. Memory: 4 bytes for every literal and hint, at most 8 GiB.
func Trim(ctx context.Context, proof io.Reader, w *Writer) error {
	t := trimmer{words: bufio.NewScanner(proof), formula: int(w.last)}
	t.words.Split(bufio.ScanWords)
	for end := false; !end; {
		if len(t.steps)%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var err error
		if end, err = t.read(); err == errDeletes {
			err = t.fail("d is in the wrong place")
		}
		if err != nil {
			return err
		}
	}
	return t.write(ctx, w)
}

// A trimmer holds the steps of a proof. Clauses count from 1, first those of the formula, then one for each step.
type trimmer struct {
	words   *bufio.Scanner
	formula int // clauses of the formula
	steps   []step
	store   []int32 // literals and hints, the latter as clauses
}

// A step adds a clause. Its literals are in the store, and its hints after them.
type step struct{ number, from, middle, to int }

func (t *trimmer) fail(format string, args ...any) error {
	return &StepError{len(t.steps) + 1, fmt.Sprintf(format, args...)}
}

// read takes the next step and reports whether it adds the empty clause.
func (t *trimmer) read() (end bool, err error) {
	s := step{from: len(t.store)}
	if s.number, err = t.next(); err != nil {
		return false, err
	}
	n, err := t.next()
	if err == errDeletes {
		for n, err = t.next(); err == nil && n != 0; n, err = t.next() {
		}
		return false, err
	}
	for ; err == nil && n != 0; n, err = t.next() {
		if n != int(int32(n)) {
			return false, t.fail("%d is no literal", n)
		}
		t.store = append(t.store, int32(n))
	}
	s.middle = len(t.store)
	for n = 1; err == nil && n != 0; {
		if n, err = t.next(); err == nil && n != 0 {
			var c int32
			c, err = t.clause(n)
			t.store = append(t.store, c)
		}
	}
	s.to = len(t.store)
	switch {
	case err != nil:
		return false, err
	case s.number <= t.formula || len(t.steps) > 0 && s.number <= t.steps[len(t.steps)-1].number:
		return false, t.fail("its number %d is not above those before", s.number)
	case max(t.formula+len(t.steps), len(t.store)) >= math.MaxInt32:
		return false, t.fail("the proof is too large")
	}
	t.steps = append(t.steps, s)
	return s.from == s.middle, nil
}

var errDeletes = errors.New("d")

// next returns the next number; errDeletes if it is the letter d.
func (t *trimmer) next() (int, error) {
	switch more := t.words.Scan(); {
	case t.words.Err() != nil:
		return 0, t.words.Err()
	case !more:
		return 0, t.fail("the proof ends without the empty clause")
	case string(t.words.Bytes()) == "d":
		return 0, errDeletes
	}
	n, err := strconv.Atoi(string(t.words.Bytes()))
	if err != nil {
		err = t.fail("%q is not a number", t.words.Text())
	}
	return n, err
}

// clause returns the clause of a number.
func (t *trimmer) clause(number int) (int32, error) {
	if 0 < number && number <= t.formula {
		return int32(number), nil
	}
	i, ok := slices.BinarySearchFunc(t.steps, number, func(s step, n int) int { return s.number - n })
	switch {
	case number < 0:
		return 0, t.fail("RAT steps are not accepted")
	case !ok:
		return 0, t.fail("there is no clause %d", number)
	}
	return int32(t.formula + i + 1), nil
}

// write writes the steps that the last one needs.
func (t *trimmer) write(ctx context.Context, w *Writer) error {
	last := make([]int, t.formula+len(t.steps)+1) // by clause: the one that names it last, 0: no clause that is needed
	last[len(last)-1] = len(last)
	for i, s := range slices.Backward(t.steps) {
		if c := t.formula + i + 1; last[c] > 0 {
			for _, hint := range t.store[s.middle:s.to] {
				last[hint] = max(last[hint], c)
			}
		}
	}
	numbers := make([]int64, len(last)) // by clause, in what is written
	var literals []int
	var hints, gone []int64
	for c := range last {
		if numbers[c] = int64(c); c <= t.formula || last[c] == 0 {
			continue
		}
		if c%1024 == 0 && (ctx.Err() != nil || w.err != nil) {
			break
		}
		s := t.steps[c-t.formula-1]
		literals, hints, gone = literals[:0], hints[:0], gone[:0]
		for _, l := range t.store[s.from:s.middle] {
			literals = append(literals, int(l))
		}
		for _, hint := range t.store[s.middle:s.to] {
			hints = append(hints, numbers[hint])
			if int(hint) > t.formula && last[hint] == c {
				gone, last[hint] = append(gone, numbers[hint]), 0
			}
		}
		numbers[c] = w.Add(literals, hints)
		w.Delete(gone...)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return w.err
}
