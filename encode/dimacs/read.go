package dimacs

import (
	"bufio"
	"io"
	"math"
	"strings"

	"leeway/encode/cnf"
)

// maxVars is the most variables of a formula that is read; a literal and its negation are to fit 32 bits.
const maxVars = 1<<30 - 1

// maxHeader is the most bytes of the header line.
const maxHeader = 200

// A Text is a formula as it stands in a file. It is a Formula that can be written once, and takes no more memory than
// its longest clause.
type Text struct {
	in      *Scanner
	vars    int
	clauses int64
	read    int64 // clauses so far
	clause  []int
}

// Read reads DIMACS CNF up to its header "p cnf VARIABLES CLAUSES". What follows is read by Next or Write:
// clauses, lists of literals that end with 0, as many as the header says. Errors are *TextError, or that of the reader.
func Read(r io.Reader) (*Text, error) {
	t := &Text{in: NewScanner(r)}
	switch first, err := t.in.skip(true); {
	case err == io.EOF:
		return nil, t.in.Fail("the file ends before its header, \"p cnf VARIABLES CLAUSES\"")
	case err != nil:
		return nil, err
	case first == 'p':
		return t, t.header()
	case first == 0x1f || first == 0xfd || first == 'B':
		return nil, t.in.Fail("not text: is the file compressed? unpack it first")
	default:
		return nil, t.in.Fail("%q stands before the header, \"p cnf VARIABLES CLAUSES\"", first)
	}
}

// Differs returns a *TextError at the line that was read last.
func (t *Text) Differs(problem string) error { return t.in.Fail("%s", problem) }

// header reads what follows the p of the header. Its line has few characters.
func (t *Text) header() error {
	line, err := t.in.r.ReadSlice('\n')
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return err
	}
	long := err == bufio.ErrBufferFull || len(line) > maxHeader // what is cut off might be digits, or clauses
	words := strings.Fields(string(line[:min(len(line), maxHeader)]))
	vars, clauses := int64(-1), int64(-1)
	if len(words) == 3 && words[0] == "cnf" {
		vars, clauses = digits(words[1], maxVars), digits(words[2], math.MaxInt32)
	}
	if vars < 0 || clauses < 0 || long {
		return t.in.Fail("the header is not \"p cnf VARIABLES CLAUSES\", with at most %d and %d", maxVars, math.MaxInt32)
	}
	t.vars, t.clauses = int(vars), clauses
	if err == nil {
		t.in.Line++
	}
	t.in.fresh = true
	return nil
}

// digits returns a number written in digits only, -1 for any other text and above a limit.
func digits(text string, most int64) int64 {
	value := int64(0)
	for _, b := range []byte(text) {
		if b < '0' || b > '9' || value > most {
			return -1
		}
		value = 10*value + int64(b-'0')
	}
	if text == "" || value > most {
		return -1
	}
	return value
}

// Vars returns the number of variables in the header.
func (t *Text) Vars() int { return t.vars }

// Clauses returns the number of clauses in the header.
func (t *Text) Clauses() int64 { return t.clauses }

// Next reads the next clause, valid until the next call; more is false after the last. Errors are *TextError and
// that of the reader.
func (t *Text) Next() (clause []int, more bool, err error) {
	t.clause = t.clause[:0]
	for {
		next, err := t.in.Next()
		variable, end := max(next.Number, -next.Number), next.Kind == End
		switch {
		case err != nil:
			return nil, false, err
		case end && len(t.clause) > 0:
			return nil, false, t.in.Fail("the file ends before the 0 that closes a clause")
		case end && t.read < t.clauses:
			return nil, false, t.in.Fail("the file ends after %d clauses, the header says %d", t.read, t.clauses)
		case end:
			return nil, false, nil
		case next.Kind == Delete:
			return nil, false, t.in.Fail("'d' is not part of a clause")
		case t.read == t.clauses:
			return nil, false, t.in.Fail("there are more clauses than the %d that the header says", t.clauses)
		case variable > t.vars:
			return nil, false, t.in.Fail("variable %d is not one of the %d of the header", variable, t.vars)
		case next.Number == 0:
			t.read++
			return t.clause, true, nil
		}
		t.clause = append(t.clause, next.Number)
	}
}

// Write reads the clauses and gives them to a sink; it may be called once. Errors are those of Next and of the sink.
func (t *Text) Write(sink cnf.Sink) error {
	for {
		clause, more, err := t.Next()
		if err != nil || !more {
			return err
		}
		if err := sink.Add(clause); err != nil {
			return err
		}
	}
}
