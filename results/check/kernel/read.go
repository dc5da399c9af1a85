package kernel

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Header is what every stream begins with.
const Header = "leeway steps 1\n"

// The codes of definitions and steps, as docs/steps.md lists them.
const (
	opSet = iota + 1
	opSum
	opKeys
	opElement
	opProduct
	opWeighting
	opView
	opSplit
	opSplitLow
	opWeigh
	opTurn
	opLemma
	opUse
	opPlace
	opFilter
	opCrossed
)

// names of the codes, for messages.
var names = [...]string{"", "set", "sum", "keys", "element", "product", "weighting", "view", "split",
	"split, low first", "weigh", "turn", "lemma", "use", "place", "filter", "crossed"}

// mostNumber is the largest number in a stream, mostListed the most numbers in one definition.
const (
	mostNumber = 1<<32 - 1
	mostListed = 1 << 20
)

// A WrongError says that a stream is no proof: at which step, counted from 1, of which rule, and why.
type WrongError struct {
	Step    int
	Rule    string // "" for what is before or after all steps
	Problem string
}

func (e *WrongError) Error() string {
	if e.Rule == "" {
		return e.Problem
	}
	return fmt.Sprintf("step %d (%s): %s", e.Step, e.Rule, e.Problem)
}

// wrong makes a WrongError; the step and the rule are added where it is returned to.
func wrong(format string, args ...any) error {
	return &WrongError{Problem: fmt.Sprintf(format, args...)}
}

// A source reads the numbers of a stream: seven bits a byte, the lowest first, the high bit set on all but the last.
type source struct {
	bytes *bufio.Reader
	read  int64
}

// begin reads the header.
func (s *source) begin() error {
	for i := range len(Header) {
		if b, err := s.bytes.ReadByte(); err == io.EOF || err == nil && b != Header[i] {
			return wrong("the stream does not begin with %q", Header)
		} else if err != nil {
			return err
		}
	}
	s.read = int64(len(Header))
	return nil
}

// number reads a number of at most most.
func (s *source) number(most int64) (int64, error) {
	var value int64
	for shift := 0; ; shift += 7 {
		b, err := s.bytes.ReadByte()
		if errors.Is(err, io.EOF) {
			return 0, wrong("the stream ends early, after %d bytes", s.read)
		}
		if err != nil {
			return 0, err
		}
		s.read++
		if value |= int64(b&127) << shift; value > mostNumber || shift > 28 {
			return 0, wrong("a number above 2^32-1 at byte %d", s.read)
		}
		if b < 128 {
			break
		}
	}
	if value > most {
		return 0, wrong("%d where at most %d can be, at byte %d", value, most, s.read)
	}
	return value, nil
}

// below reads a number of a thing of which there are so many.
func (s *source) below(count int) (int, error) {
	v, err := s.number(mostNumber)
	if err == nil && v >= int64(count) {
		return 0, wrong("number %d of %d things, at byte %d", v, count, s.read)
	}
	return int(v), err
}

// list reads how many entries follow and then each of them.
func (s *source) list(entry func() error) error {
	count, err := s.number(mostListed)
	for i := int64(0); i < count && err == nil; i++ {
		err = entry()
	}
	return err
}

// atEnd reports whether nothing follows.
func (s *source) atEnd() (bool, error) {
	_, err := s.bytes.Peek(1)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}
