// Package dimacs writes the question as clauses in the DIMACS format and reads the answers of solvers.
package dimacs

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Status is what a solver says about a formula.
type Status int

// The answers of a solver.
const (
	Unknown Status = iota
	Satisfiable
	Unsatisfiable
)

// String returns the word of the competitions, "UNSATISFIABLE" for instance.
func (s Status) String() string {
	switch s {
	case Satisfiable:
		return "SATISFIABLE"
	case Unsatisfiable:
		return "UNSATISFIABLE"
	default:
		return "UNKNOWN"
	}
}

// An Answer is the status with, if satisfiable, the variables that hold. It is
// what the solver says; nothing in it is checked against the formula.
type Answer struct {
	Status Status
	holds  []bool // by variable
}

// Value returns whether a variable holds; a variable that the solver left out
// does not.
func (a Answer) Value(variable int) bool { return variable < len(a.holds) && a.holds[variable] }

// An AnswerError says what cannot be read in the output of a solver.
type AnswerError struct {
	Line    int // counts from 1
	Problem string
}

// Error names the line and the problem.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("output of the solver, line %d: %s", e.Line, e.Problem)
}

// ReadAnswer reads the output of a solver: one line "s STATUS", for SATISFIABLE
// lines "v LITERAL ...", and comments "c ...". Literals are numbers within the
// given variables, with a 0 after the last; behind a prefix, as in "-x7" of
// pseudo-Boolean solvers, there is no 0. "OPTIMUM FOUND" counts as satisfiable.
// Fails with an *AnswerError, or the error of the reader.
func ReadAnswer(r io.Reader, vars int, prefix string) (Answer, error) {
	a := &answerReader{prefix: prefix, value: make([]int8, vars+1)}
	input := bufio.NewReader(r)
	for {
		text, err := input.ReadString('\n')
		if err != nil && err != io.EOF {
			return Answer{}, err
		}
		a.line++
		if problem := a.read(strings.Fields(text)); problem != "" {
			return Answer{}, &AnswerError{Line: a.line, Problem: problem}
		}
		if err == io.EOF {
			return a.answer()
		}
	}
}

type answerReader struct {
	prefix   string
	line     int
	stated   bool
	status   Status
	valued   bool
	finished bool   // the 0 has come
	value    []int8 // by variable: 1, -1, 0 while open
}

// read takes one line and returns what is wrong with it, "" if nothing.
func (a *answerReader) read(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	switch fields[0] {
	case "c", "o":
		return ""
	case "s":
		return a.readStatus(strings.Join(fields[1:], " "))
	case "v":
		return a.readValues(fields[1:])
	default:
		return fmt.Sprintf("%q: lines start with c, s or v", fields[0])
	}
}

func (a *answerReader) readStatus(text string) string {
	if a.stated {
		return "a second status"
	}
	a.stated = true
	switch text {
	case "SATISFIABLE", "OPTIMUM FOUND":
		a.status = Satisfiable
	case "UNSATISFIABLE":
		a.status = Unsatisfiable
	case "UNKNOWN":
	default:
		return fmt.Sprintf("%q is no status", text)
	}
	return ""
}

func (a *answerReader) readValues(fields []string) string {
	a.valued = true
	for _, f := range fields {
		if a.finished {
			return "a value after the closing 0"
		}
		if f == "0" && a.prefix == "" {
			a.finished = true
			continue
		}
		name, negative := strings.CutPrefix(f, "-")
		number, named := strings.CutPrefix(name, a.prefix)
		v, err := strconv.Atoi(number)
		if err != nil || !named || v < 1 || v >= len(a.value) {
			return fmt.Sprintf("%q is not a literal of the %d variables", f, len(a.value)-1)
		}
		value := int8(1)
		if negative {
			value = -1
		}
		if a.value[v] == -value {
			return fmt.Sprintf("variable %d holds and does not", v)
		}
		a.value[v] = value
	}
	return ""
}

// answer returns what was read when the lines fit together.
func (a *answerReader) answer() (Answer, error) {
	problem := ""
	switch {
	case !a.stated:
		problem = "there is no status"
	case a.status != Satisfiable && a.valued:
		problem = "values, but the status is " + a.status.String()
	case a.status == Satisfiable && a.prefix == "" && !a.finished:
		problem = "the values do not end with 0"
	}
	if problem != "" {
		return Answer{}, &AnswerError{Line: a.line, Problem: problem}
	}
	holds := make([]bool, len(a.value))
	for v, x := range a.value {
		holds[v] = x > 0
	}
	return Answer{Status: a.status, holds: holds}, nil
}
