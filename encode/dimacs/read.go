package dimacs

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"leeway/encode/cnf"
)

// A FormulaError says what cannot be read in a formula in DIMACS CNF.
type FormulaError struct {
	Line    int // counts from 1
	Problem string
}

// Error names the line and the problem.
func (e *FormulaError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// maxVars is the most variables of a formula that is read; a literal and its negation are to fit 32 bits.
const maxVars = 1<<30 - 1

// maxHeader is the most bytes of the header line.
const maxHeader = 200

// A Text is a formula as it stands in a file. It is a Formula that can be written once, and takes no more memory than
// its longest clause.
type Text struct {
	r       *bufio.Reader
	line    int
	fresh   bool // nothing but blanks so far on this line
	vars    int
	clauses int64
	read    int64 // clauses so far
	clause  []int
}

// Read reads DIMACS CNF up to its header "p cnf VARIABLES CLAUSES". What follows is read by Next or Write: clauses,
// lists of literals that end with 0, as many as the header says; lines that start with c are comments. Errors are
// *FormulaError, or that of the reader.
func Read(r io.Reader) (*Text, error) {
	t := &Text{r: bufio.NewReaderSize(r, 1<<16), line: 1}
	for {
		first, err := t.r.Peek(1)
		switch {
		case err == io.EOF:
			return nil, t.fail("the file ends before its header, \"p cnf VARIABLES CLAUSES\"")
		case err != nil:
			return nil, err
		case first[0] == 'c':
			if err := t.skipLine(); err != nil && err != io.EOF {
				return nil, err
			}
		case first[0] == '\n' || first[0] == '\r' || first[0] == ' ' || first[0] == '\t':
			if b, _ := t.r.ReadByte(); b == '\n' {
				t.line++
			}
		case first[0] == 'p':
			return t, t.header()
		case first[0] == 0x1f || first[0] == 0xfd || first[0] == 'B':
			return nil, t.fail("not text: is the file compressed? unpack it first")
		default:
			return nil, t.fail("%q stands before the header, \"p cnf VARIABLES CLAUSES\"", first[0])
		}
	}
}

// Differs returns a *FormulaError at the line that was read last.
func (t *Text) Differs(problem string) error { return t.fail("%s", problem) }

func (t *Text) fail(format string, args ...any) error {
	return &FormulaError{Line: t.line, Problem: fmt.Sprintf(format, args...)}
}

// header reads the header. Its line has few characters.
func (t *Text) header() error {
	line, err := t.r.ReadSlice('\n')
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return err
	}
	long := err == bufio.ErrBufferFull || len(line) > maxHeader // what is cut off might be digits, or clauses
	words := strings.Fields(string(line[:min(len(line), maxHeader)]))
	vars, clauses := int64(-1), int64(-1)
	if len(words) == 4 && words[0] == "p" && words[1] == "cnf" {
		vars, clauses = digits(words[2], maxVars), digits(words[3], math.MaxInt32)
	}
	if vars < 0 || clauses < 0 || long {
		return t.fail("the header is not \"p cnf VARIABLES CLAUSES\", with at most %d and %d", maxVars, math.MaxInt32)
	}
	t.vars, t.clauses = int(vars), clauses
	if err == nil {
		t.line++
	}
	t.fresh = true
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

// Next reads the next clause, valid until the next call; more is false after the last. Errors are *FormulaError and
// that of the reader.
func (t *Text) Next() (clause []int, more bool, err error) {
	t.clause = t.clause[:0]
	for {
		number, more, err := t.number()
		switch {
		case err != nil:
			return nil, false, err
		case !more && len(t.clause) > 0:
			return nil, false, t.fail("the file ends before the 0 that closes a clause")
		case !more && t.read < t.clauses:
			return nil, false, t.fail("the file ends after %d clauses, the header says %d", t.read, t.clauses)
		case !more:
			return nil, false, nil
		case t.read == t.clauses:
			return nil, false, t.fail("there are more clauses than the %d that the header says", t.clauses)
		case number == 0:
			t.read++
			return t.clause, true, nil
		}
		t.clause = append(t.clause, number)
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

// number reads the next number, false at the end of the file.
func (t *Text) number() (number int, more bool, err error) {
	for {
		b, err := t.r.ReadByte()
		switch {
		case err == io.EOF:
			return 0, false, nil
		case err != nil:
			return 0, false, err
		case b == '\n':
			t.line++
			t.fresh = true
		case b == ' ' || b == '\t' || b == '\r':
		case b == 'c' && t.fresh:
			if err := t.skipLine(); err != nil && err != io.EOF {
				return 0, false, err
			}
		case b == '-' || b >= '0' && b <= '9':
			t.fresh = false
			number, err := t.literal(b)
			return number, true, err
		default:
			return 0, false, t.fail("%q is not part of a clause", b)
		}
	}
}

// literal reads a literal, or 0, from its first character on.
func (t *Text) literal(b byte) (int, error) {
	sign, count, value := 1, 0, 0
	if b == '-' {
		sign = -1
	} else {
		count, value = 1, int(b-'0')
	}
	for {
		next, err := t.r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		if next >= '0' && next <= '9' {
			count++
			if value = 10*value + int(next-'0'); value > t.vars {
				return 0, t.fail("variable %d or above is not one of the %d of the header", value, t.vars)
			}
			continue
		}
		if next != ' ' && next != '\t' && next != '\n' && next != '\r' {
			return 0, t.fail("%q where a blank should be", next)
		}
		if err := t.r.UnreadByte(); err != nil {
			return 0, err
		}
		break
	}
	switch {
	case count == 0 || sign < 0 && value == 0:
		return 0, t.fail("a minus sign without a number above 0")
	case value > t.vars:
		return 0, t.fail("variable %d is not one of the %d of the header", value, t.vars)
	}
	return sign * value, nil
}

// skipLine reads up to the end of the line.
func (t *Text) skipLine() error {
	for {
		_, err := t.r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == nil {
			t.line++
		}
		return err
	}
}
