package sat

import (
	"bufio"
	"fmt"
	"io"
)

// A token is a number, a letter d, or the end of a proof.
type token struct {
	kind   tokenKind
	number int
}

type tokenKind uint8

const (
	numberToken tokenKind = iota
	deleteToken
	endToken
)

// A proofTextError says where a proof cannot be read, and why.
type proofTextError struct {
	line    int
	problem string
}

func (e *proofTextError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.problem) }

// proofScanner splits the text of a proof into tokens. Lines that start with c are comments.
type proofScanner struct {
	r     *bufio.Reader
	line  int
	fresh bool // nothing but blanks so far on this line
}

func newProofScanner(r io.Reader) *proofScanner {
	return &proofScanner{r: bufio.NewReaderSize(r, 1<<16), line: 1, fresh: true}
}

func (s *proofScanner) fail(format string, args ...any) error {
	return &proofTextError{line: s.line, problem: fmt.Sprintf(format, args...)}
}

// next returns the next token. The error is a *proofTextError or that of the reader.
func (s *proofScanner) next() (token, error) {
	for {
		b, err := s.r.ReadByte()
		switch {
		case err == io.EOF:
			return token{kind: endToken}, nil
		case err != nil:
			return token{}, err
		case b == '\n':
			s.line++
			s.fresh = true
		case b == ' ' || b == '\t' || b == '\r':
		case b == 'c' && s.fresh:
			if err := s.skipLine(); err != nil {
				return token{}, err
			}
		case b == 'd':
			s.fresh = false
			return token{kind: deleteToken}, s.endWord()
		default:
			s.fresh = false
			return s.number(b)
		}
	}
}

// rest fails unless nothing but white space follows: what stands behind the empty clause proves nothing, and a file
// that is handed on as a proof must be one from end to end.
func (s *proofScanner) rest() error {
	for {
		b, err := s.r.ReadByte()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case b == '\n':
			s.line++
		case b != ' ' && b != '\t' && b != '\r':
			return s.fail("%q stands behind the end of the proof, its empty clause", b)
		}
	}
}

func (s *proofScanner) skipLine() error {
	for {
		b, err := s.r.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil || b == '\n' {
			s.line++
			return err
		}
	}
}

// endWord fails unless a blank or the end of the proof comes next.
func (s *proofScanner) endWord() error {
	b, err := s.r.ReadByte()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
		return s.fail("%q where a blank should be", b)
	}
	return s.r.UnreadByte()
}

// maxNumber bounds the numbers of a proof.
const maxNumber = 1 << 48

// number reads a number from its first character on.
func (s *proofScanner) number(b byte) (token, error) {
	sign, digits, value := 1, 0, 0
	if b == '-' {
		sign = -1
	} else if b < '0' || b > '9' {
		return token{}, s.fail("%q is no part of a proof in text; is it a binary one?", b)
	} else {
		digits, value = 1, int(b-'0')
	}
	for {
		b, err := s.r.ReadByte()
		if err != nil && err != io.EOF {
			return token{}, err
		}
		if err == io.EOF || b < '0' || b > '9' {
			if err == nil {
				if err := s.r.UnreadByte(); err != nil {
					return token{}, err
				}
			}
			break
		}
		digits++
		if value = 10*value + int(b-'0'); value > maxNumber {
			return token{}, s.fail("a number is too large")
		}
	}
	if digits == 0 || sign < 0 && value == 0 {
		return token{}, s.fail("a minus sign without a number above 0")
	}
	return token{kind: numberToken, number: sign * value}, s.endWord()
}

// list appends the numbers up to the next 0.
func (s *proofScanner) list(numbers []int) ([]int, error) {
	for {
		t, err := s.next()
		switch {
		case err != nil:
			return numbers, err
		case t.kind == endToken:
			return numbers, s.fail("the proof ends before the 0 that closes a step")
		case t.kind == deleteToken:
			return numbers, s.fail("d stands inside a step")
		case t.number == 0:
			return numbers, nil
		}
		numbers = append(numbers, t.number)
	}
}

// A literal is 2v for variable v and 2v+1 for its negation.
type literal int32

func toLiteral(l int) literal {
	if l < 0 {
		return literal(-2*l + 1)
	}
	return literal(2 * l)
}

func (l literal) not() literal { return l ^ 1 }

func (l literal) variable() int { return int(l >> 1) }

// String returns the literal as DIMACS has it.
func (l literal) String() string {
	if l&1 != 0 {
		return fmt.Sprint(-l.variable())
	}
	return fmt.Sprint(l.variable())
}

// spelt returns the literals of a clause for a message, of a long one the first.
func spelt(clause []literal) string {
	if most := 20; len(clause) > most {
		return fmt.Sprintf("%v of %d literals", clause[:most], len(clause))
	}
	return fmt.Sprint(clause)
}

// literalSet is a set of literals that is emptied in one step.
type literalSet struct {
	mark  []int32 // by literal: the round in which it was added last
	round int32
}

func newLiteralSet(vars int) *literalSet {
	return &literalSet{mark: make([]int32, 2*vars+2)}
}

// reset empties the set.
func (s *literalSet) reset() {
	s.round++
	if s.round < 0 { // all rounds are used up
		clear(s.mark)
		s.round = 1
	}
}

func (s *literalSet) add(l literal)      { s.mark[l] = s.round }
func (s *literalSet) has(l literal) bool { return s.mark[l] == s.round }

// distinct turns the clause into literals without repeats, appended to list. It returns the first variable past the
// last one that the set has room for, 0 if there is none.
func (s *literalSet) distinct(list []literal, clause []int) ([]literal, int) {
	s.reset()
	for _, l := range clause {
		if v := max(l, -l); 2*v+1 >= len(s.mark) {
			return list, v
		}
		if x := toLiteral(l); !s.has(x) {
			s.add(x)
			list = append(list, x)
		}
	}
	return list, 0
}
