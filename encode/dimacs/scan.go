package dimacs

import (
	"bufio"
	"fmt"
	"io"
)

// A TextError says what cannot be read in a formula in DIMACS CNF, or in a proof.
type TextError struct {
	Line    int // counts from 1
	Problem string
}

// Error names the line and the problem.
func (e *TextError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// A Token is a number, the letter d, or the end of a text.
type Token struct {
	Kind   Kind
	Number int
}

// A Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Number Kind = iota
	Delete
	End
)

// A Scanner splits a text of numbers with blanks between, a formula in DIMACS CNF or a proof in LRAT, into tokens.
// Lines that start with c are comments.
type Scanner struct {
	Line  int // of what was read last
	r     *bufio.Reader
	fresh bool // nothing but blanks so far on this line
}

// NewScanner returns a scanner at the start of a text.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{Line: 1, r: bufio.NewReaderSize(r, 1<<16), fresh: true}
}

// Fail returns a *TextError about the line.
func (s *Scanner) Fail(format string, args ...any) error {
	return &TextError{Line: s.Line, Problem: fmt.Sprintf(format, args...)}
}

// Next returns the next token. The error is a *TextError or that of the reader.
func (s *Scanner) Next() (Token, error) {
	switch b, err := s.skip(true); {
	case err == io.EOF:
		return Token{Kind: End}, nil
	case err != nil:
		return Token{}, err
	case b == 'd':
		return Token{Kind: Delete}, s.endWord()
	default:
		return s.number(b)
	}
}

// Rest fails unless nothing but white space follows: what stands behind the empty clause proves nothing, and a file
// that is handed on as a proof must be one from end to end.
func (s *Scanner) Rest() error {
	b, err := s.skip(false)
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return s.Fail("%q stands behind the end of the proof, its empty clause", b)
}

// skip reads up to the first byte that is neither blank nor in a comment, where there may be some, and returns it.
func (s *Scanner) skip(comments bool) (byte, error) {
	for {
		b, err := s.r.ReadByte()
		switch {
		case err != nil:
			return 0, err
		case b == '\n':
			s.Line++
			s.fresh = true
		case b == ' ' || b == '\t' || b == '\r':
		case b == 'c' && s.fresh && comments:
			for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; {
				_, err = s.r.ReadSlice('\n')
			}
			if err != nil {
				return 0, err
			}
			s.Line++
		default:
			s.fresh = false
			return b, nil
		}
	}
}

// endWord fails unless a blank or the end comes next.
func (s *Scanner) endWord() error {
	b, err := s.r.ReadByte()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
		return s.Fail("%q where a blank should be", b)
	}
	return s.r.UnreadByte()
}

// maxNumber bounds the numbers.
const maxNumber = 1 << 48

// number reads a number from its first character on.
func (s *Scanner) number(b byte) (Token, error) {
	sign, digits, value := 1, 0, 0
	if b == '-' {
		sign = -1
	} else if b < '0' || b > '9' {
		return Token{}, s.Fail("%q is not part of a clause or a proof in text; is it a binary one?", b)
	} else {
		digits, value = 1, int(b-'0')
	}
	for {
		b, err := s.r.ReadByte()
		if err != nil && err != io.EOF {
			return Token{}, err
		}
		if err == io.EOF || b < '0' || b > '9' {
			if err == nil {
				if err := s.r.UnreadByte(); err != nil {
					return Token{}, err
				}
			}
			break
		}
		digits++
		if value = 10*value + int(b-'0'); value > maxNumber {
			return Token{}, s.Fail("a number is too large")
		}
	}
	if digits == 0 || sign < 0 && value == 0 {
		return Token{}, s.Fail("a minus sign without a number above 0")
	}
	return Token{Number: sign * value}, s.endWord()
}
