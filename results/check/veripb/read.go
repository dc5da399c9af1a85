package veripb

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"leeway/results/check/meter"
)

// A lineError says where a file cannot be read or what is wrong there, and why.
type lineError struct {
	formula bool // in the formula, else in the proof
	line    int
	problem string
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.problem) }

// maxLine is the most bytes of a line, maxVariable the largest variable.
const (
	maxLine     = 1 << 26
	maxVariable = 1 << 24
)

// lines reads a file line by line, as words.
type lines struct {
	meter   *meter.Meter
	formula bool
	r       *bufio.Reader
	line    int
	words   []string
}

func newLines(m *meter.Meter, formula bool, r io.Reader) *lines {
	return &lines{meter: m, formula: formula, r: bufio.NewReaderSize(m.Reader(r), 1<<16)}
}

func (l *lines) fail(format string, args ...any) error {
	return &lineError{l.formula, l.line, fmt.Sprintf(format, args...)}
}

// next reads the next line that has words and is no comment; false at the end. A file that ends within a line was cut.
func (l *lines) next() (bool, error) {
	for {
		text, err := l.text()
		if err != nil || text == "" {
			return false, err
		}
		if text[0] == '*' {
			continue
		}
		if l.words = strings.Fields(text); len(l.words) > 0 {
			return true, nil
		}
	}
}

// text reads a line with its end; "" at the end of the file.
func (l *lines) text() (string, error) {
	var whole []byte
	l.line++
	for {
		piece, err := l.r.ReadSlice('\n')
		whole = append(whole, piece...)
		l.meter.Charge(4 * int64(1+len(piece)))
		switch {
		case err == nil:
			for _, b := range whole[:len(whole)-1] {
				if (b < ' ' || b > '~') && b != '\t' && b != '\r' {
					return "", l.fail("a byte %#x is no text", b)
				}
			}
			return string(whole), nil
		case len(whole) > maxLine:
			return "", l.fail("it has more than %d bytes", maxLine)
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && len(whole) == 0:
			return "", nil
		case err == io.EOF:
			return "", l.fail("the file ends within it")
		default:
			return "", err
		}
	}
}

// number reads a whole number. A sign + is allowed in the coefficients of formulas only.
func number(word string, low int64) (int64, bool) {
	v, err := strconv.ParseInt(word, 10, 64)
	if err != nil || v < low || v >= most || strings.HasPrefix(word, "+") {
		return 0, false
	}
	return v, true
}

// literalOf reads x7 or ~x7.
func literalOf(word string) (literal, bool) {
	name, negated := strings.CutPrefix(word, "~")
	digits, ok := strings.CutPrefix(name, "x")
	v, fine := number(digits, 1)
	if !ok || !fine || v > maxVariable || digits[0] == '0' || digits[0] == '-' {
		return 0, false
	}
	l := literal(2 * v)
	if negated {
		l++
	}
	return l, true
}

// A relation is a constraint as it is written: terms, >= or =, a bound. It ends with a word ";".
type relation struct {
	terms []term
	equal bool
	bound int64
}

// relation reads the words up to ";" and returns those behind it.
func (l *lines) relation(words []string) (r relation, rest []string, err error) {
	for len(words) >= 2 && words[0] != ">=" && words[0] != "=" {
		coef, ok := number(strings.TrimPrefix(words[0], "+"), -most+1)
		if !ok || strings.HasPrefix(words[0], "+-") || strings.HasPrefix(words[0], "++") {
			return r, nil, l.fail("%q is no coefficient below 2^61", words[0])
		}
		lit, ok := literalOf(words[1])
		if !ok {
			return r, nil, l.fail("%q is no literal x1 or ~x1, up to %d", words[1], maxVariable)
		}
		r.terms = append(r.terms, term{lit, coef})
		words = words[2:]
	}
	if len(words) < 3 || words[2] != ";" {
		return r, nil, l.fail("a constraint should end with >=, a number and ;")
	}
	bound, ok := number(words[1], -most+1)
	if !ok {
		return r, nil, l.fail("%q is no bound below 2^61", words[1])
	}
	r.equal, r.bound = words[0] == "=", bound
	return r, words[3:], nil
}

// readFormula reads a formula in the OPB format, without an objective: a first line that says how many variables and
// rows there are, comments, and a row a line. An equation is two constraints, at least and at most. It calls take with
// each, in sequence, and returns the number of variables.
func readFormula(m *meter.Meter, r io.Reader, take func(constraint)) (vars int, err error) {
	l := newLines(m, true, r)
	head, err := l.text()
	if err != nil {
		return 0, err
	}
	f := strings.Fields(head)
	if len(f) != 5 || f[0] != "*" || f[1] != "#variable=" || f[3] != "#constraint=" {
		return 0, l.fail("a formula starts with * #variable= V #constraint= C")
	}
	v, ok1 := number(f[2], 0)
	announced, ok2 := number(f[4], 0)
	if !ok1 || !ok2 || v > maxVariable {
		return 0, l.fail("%s variables and %s rows: more than can be read", f[2], f[4])
	}
	rows := int64(0)
	for {
		more, err := l.next()
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
		rel, rest, err := l.relation(l.words)
		if err != nil {
			return 0, err
		}
		if len(rest) > 0 {
			return 0, l.fail("%q stands behind the row", rest[0])
		}
		for _, t := range rel.terms {
			if t.literal.variable() > int(v) {
				return 0, l.fail("%s is not one of the %d variables", t.literal, v)
			}
		}
		c, problem := normal(rel.terms, rel.bound)
		if problem != "" {
			return 0, l.fail("%s", problem)
		}
		take(c)
		if rel.equal {
			for i := range rel.terms {
				rel.terms[i].coef = -rel.terms[i].coef
			}
			if c, problem = normal(rel.terms, -rel.bound); problem != "" {
				return 0, l.fail("%s", problem)
			}
			take(c)
		}
		rows++
	}
	if rows != announced {
		return 0, l.fail("the formula has %d rows, not the %d of its first line", rows, announced)
	}
	return int(v), nil
}
