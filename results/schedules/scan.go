package schedules

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"leeway/results"
)

// maxText is the longest string in the phases of a schedule.
const maxText = 1 << 16

// A scanner reads JSON byte by byte, so that memory does not grow with the file, and knows its position.
type scanner struct {
	in           *bufio.Reader
	line, column int // of the byte read last
	broken       bool
	keep         []byte // what was read, while keeping
	keeping      bool
}

func newScanner(r io.Reader) *scanner {
	return &scanner{in: bufio.NewReaderSize(r, 1<<16), line: 1}
}

// fail returns a ReadError at the byte read last.
func (s *scanner) fail(format string, args ...any) error {
	return &results.ReadError{Line: s.line, Column: max(s.column, 1), Problem: fmt.Sprintf(format, args...)}
}

// next returns the next byte. The end of the file is an error, since a document cannot end here.
func (s *scanner) next() (byte, error) {
	b, err := s.in.ReadByte()
	switch {
	case err == io.EOF:
		return 0, s.fail("not JSON: the file ends too early")
	case err != nil:
		return 0, unread(err)
	}
	if s.broken {
		s.line, s.column = s.line+1, 0
	}
	s.broken = b == '\n'
	if b&0xC0 != 0x80 { // not inside a character
		s.column++
	}
	if s.keeping {
		s.keep = append(s.keep, b)
	}
	return b, nil
}

// token returns the next byte that is no space.
func (s *scanner) token() (byte, error) {
	for {
		b, err := s.next()
		if err != nil || b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			return b, err
		}
	}
}

// expect reads the next token, which must be b.
func (s *scanner) expect(b byte) error {
	have, err := s.token()
	if err == nil && have != b {
		err = s.fail("%q where %q is needed", have, b)
	}
	return err
}

// list reads a list, calling item at the first byte of each.
func (s *scanner) list(item func(first byte) error) error {
	if err := s.expect('['); err != nil {
		return err
	}
	return s.items(']', item)
}

// items reads what is left of a list or an object up to its end.
func (s *scanner) items(end byte, item func(first byte) error) error {
	b, err := s.token()
	for first := true; err == nil; first = false {
		if b == end && first {
			return nil
		}
		if err = item(b); err != nil {
			return err
		}
		if b, err = s.token(); err != nil || b == end {
			return err
		}
		if b != ',' {
			return s.fail("%q where ',' or %q is needed", b, end)
		}
		b, err = s.token()
	}
	return err
}

// object reads the rest of an object whose brace has been read, calling member before each value.
func (s *scanner) object(member func(key string) error) error {
	return s.items('}', func(first byte) error {
		key, err := s.text(first)
		if err == nil {
			err = s.expect(':')
		}
		if err == nil {
			err = member(key)
		}
		return err
	})
}

// number reads a whole number whose first byte is given.
func (s *scanner) number(b byte) (int32, error) {
	const what = "a whole number in 32 bits is needed"
	negative := b == '-'
	if negative {
		var err error
		if b, err = s.next(); err != nil {
			return 0, err
		}
	}
	if b < '0' || b > '9' {
		return 0, s.fail(what)
	}
	value, zero := int64(b-'0'), b == '0'
	for {
		peek, err := s.in.Peek(1)
		if err != nil || peek[0] < '0' || peek[0] > '9' {
			break // what follows is judged by the reader of the list
		}
		if b, err = s.next(); err != nil {
			return 0, err
		}
		if value = 10*value + int64(b-'0'); zero || value > math.MaxInt32 {
			return 0, s.fail(what)
		}
	}
	if negative {
		value = -value
	}
	return int32(value), nil
}

// text reads a string whose first byte is given.
func (s *scanner) text(b byte) (string, error) {
	if b != '"' {
		return "", s.fail("%q where a text is needed", b)
	}
	raw := []byte{'"'}
	for escaped := false; ; {
		b, err := s.next()
		if err != nil {
			return "", err
		}
		if raw = append(raw, b); len(raw) > maxText {
			return "", s.fail("a text has more than %d bytes", maxText)
		}
		if b == '"' && !escaped {
			break
		}
		escaped = b == '\\' && !escaped
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || !utf8.Valid(raw) {
		return "", s.fail("not JSON: a text is malformed")
	}
	return text, nil
}

// skip reads a value of an unknown field.
func (s *scanner) skip(b byte, depth int) error {
	inner := func(b byte) error { return s.skip(b, depth+1) }
	switch {
	case depth > results.MaxNesting:
		return s.fail("the document is nested more than %d deep", results.MaxNesting)
	case b == '[':
		return s.items(']', inner)
	case b == '{':
		return s.object(func(string) error {
			first, err := s.token()
			if err == nil {
				err = inner(first)
			}
			return err
		})
	case b == '"':
		_, err := s.text(b)
		return err
	}
	return s.skipWord(b)
}

// skipWord reads a number, true, false or null.
func (s *scanner) skipWord(b byte) error {
	raw := []byte{b}
	for len(raw) <= maxText {
		peek, err := s.in.Peek(1)
		if err != nil || !wordByte(peek[0]) {
			break
		}
		if b, err = s.next(); err != nil {
			return err
		}
		raw = append(raw, b)
	}
	if !json.Valid(raw) {
		return s.fail("not JSON: %s", results.Shorten(fmt.Sprintf("%q", raw)))
	}
	return nil
}

func wordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '+' || b == '-' || b == '.'
}
