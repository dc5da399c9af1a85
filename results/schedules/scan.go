package schedules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"leeway/results"
	"leeway/results/disk"
)

// A scanner reads a stream of JSON of any length token by token, of which it holds a window only, and says where it
// stands. As results.Decode it refuses fields that stand twice or in another case, missing fields, and deep nesting.
//
// Methods that take a first byte go on from a token whose first byte has been read. Errors are *ReadError.
type scanner struct {
	in     io.Reader
	data   []byte
	at     int // after the byte read last
	err    error
	keep   bool // keep all that was read, not only the window
	lines  int  // line breaks before data
	column int  // characters of the first line of data that stand before it
}

// Limits of what is read from streams.
const (
	maxText = 1 << 16 // bytes of a text or a number
	window  = 1 << 16
)

// newScanner returns a scanner of a stream.
func newScanner(in io.Reader) *scanner { return &scanner{in: in, data: make([]byte, 0, window)} }

// Keep makes the scanner keep what it reads, up to results.MaxFileBytes, until Kept, which returns it.
func (s *scanner) Keep() { s.keep = true }

// Kept returns what was read since the start. The scanner may overwrite it as it goes on.
func (s *scanner) Kept() []byte {
	s.keep = false
	return s.data[:s.at]
}

// Fail returns a *ReadError at the byte read last.
func (s *scanner) Fail(format string, args ...any) error {
	e := results.ErrorAt(s.data, s.at-1, fmt.Sprintf(format, args...), "")
	if e.Line == 1 {
		e.Column += s.column
	}
	e.Line += s.lines
	return e
}

// fill reads on and reports whether there was more. It gives up what stands before the byte read last.
func (s *scanner) fill() bool {
	if s.keep && len(s.data) > results.MaxFileBytes {
		s.err = s.Fail("what comes before the phases has more than %d bytes, the most that is read", results.MaxFileBytes)
	}
	if s.err != nil {
		return false
	}
	if gone := s.data[:max(s.at-1, 0)]; !s.keep {
		s.lines += bytes.Count(gone, []byte("\n"))
		if i := bytes.LastIndexByte(gone, '\n'); i >= 0 {
			s.column, gone = 0, gone[i+1:]
		}
		s.column += utf8.RuneCount(gone)
		s.data = append(s.data[:0], s.data[max(s.at-1, 0):]...)
		s.at = min(s.at, 1)
	}
	s.data = slices.Grow(s.data, window/2)
	for {
		n, err := s.in.Read(s.data[len(s.data):cap(s.data)])
		s.data = s.data[:len(s.data)+n]
		if s.err = err; err != nil && err != io.EOF {
			s.err = disk.FileError("", err)
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
}

// peek returns the byte that stands a distance after the next, 0 behind the end.
func (s *scanner) peek(distance int) byte {
	for s.at+distance >= len(s.data) {
		if !s.fill() {
			return 0
		}
	}
	return s.data[s.at+distance]
}

// next reads a byte. The end of the document is an error: it comes nowhere inside one.
func (s *scanner) next() (byte, error) {
	switch {
	case s.at < len(s.data) || s.fill():
		s.at++
		return s.data[s.at-1], nil
	case s.err == nil || s.err == io.EOF:
		return 0, s.Fail("not JSON: the file ends too early")
	}
	return 0, s.err
}

// Token reads the first byte of the next token.
func (s *scanner) Token() (byte, error) {
	for {
		b, err := s.next()
		if err != nil || b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			return b, err
		}
	}
}

// Expect reads the next token, which must be b.
func (s *scanner) Expect(b byte) error {
	have, err := s.Token()
	if err == nil && have != b {
		err = s.Fail("%q where %q is needed", have, b)
	}
	return err
}

// End reads the end of the document, after which only blanks may stand.
func (s *scanner) End() error {
	for s.peek(0) != 0 || s.at < len(s.data) {
		if b, err := s.next(); err != nil || !strings.ContainsRune(" \n\t\r", rune(b)) {
			return s.Fail("not JSON: the file goes on after its end")
		}
	}
	return nil
}

// List reads a list, calling item at the first byte of each item.
func (s *scanner) List(item func(first byte) error) error {
	if err := s.Expect('['); err != nil {
		return err
	}
	return s.Items(item)
}

// Items reads what is left of a list whose bracket has been read.
func (s *scanner) Items(item func(first byte) error) error { return s.items(']', item) }

func (s *scanner) items(end byte, item func(first byte) error) error {
	b, err := s.Token()
	if err == nil && b == end {
		return nil
	}
	for err == nil {
		if err = item(b); err != nil {
			break
		}
		if b, err = s.Token(); err != nil || b == end {
			break
		}
		if b != ',' {
			return s.Fail("%q where ',' or %q is needed", b, end)
		}
		b, err = s.Token()
	}
	return err
}

// A field is what a document says about one key of an object.
type field struct {
	name     string
	required bool
}

// Object reads the rest of an object whose brace has been read, calling member before each value. The path of the
// object, "" for the document, goes before keys in messages. A key that differs from a field in case only is an error:
// some readers would take it for the field.
func (s *scanner) Object(path string, fields []field, member func(key string) error) error {
	have := make([]bool, len(fields))
	var others map[string]bool
	err := s.items('}', func(first byte) error {
		key, err := s.Text(first)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key || strings.EqualFold(f.name, key) })
		switch {
		case i >= 0 && fields[i].name != key:
			return s.Fail("field %s must be written %s", join(path, key), fields[i].name)
		case i >= 0 && have[i] || others[key]:
			return s.Fail("field %s is repeated", join(path, key))
		case i >= 0:
			have[i] = true
		case others == nil:
			others = map[string]bool{key: true}
		default:
			others[key] = true
		}
		if err := s.Expect(':'); err != nil {
			return err
		}
		return member(key)
	})
	if err != nil {
		return err
	}
	for i, f := range fields {
		if f.required && !have[i] {
			return s.Fail("field %s is missing", join(path, f.name))
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Skip reads the rest of a value that this program does not know.
func (s *scanner) Skip(first byte, path string) error { return s.skip(first, path, 1) }

func (s *scanner) skip(first byte, path string, depth int) error {
	switch {
	case depth > results.MaxNesting:
		return s.Fail("the document is nested more than %d deep", results.MaxNesting)
	case first == '{':
		return s.Object(path, nil, func(key string) error {
			first, err := s.Token()
			if err == nil {
				err = s.skip(first, join(path, key), depth+1)
			}
			return err
		})
	case first == '[':
		return s.Items(func(first byte) error { return s.skip(first, path+"[]", depth+1) })
	}
	return s.scalar(first)
}

// scalar reads the rest of a text, a number, true, false or null.
func (s *scanner) scalar(first byte) error {
	if first == '"' {
		_, _, err := s.quoted()
		return err
	}
	n := 0
	for n <= maxText && wordByte(s.peek(n)) {
		n++
	}
	word := s.data[s.at-1 : s.at+n]
	s.at += n
	if !json.Valid(word) {
		return s.Fail("not JSON: %s", results.Shorten(fmt.Sprintf("%q", word)))
	}
	return nil
}

func wordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '+' || b == '-' || b == '.'
}

// Text reads the rest of a text.
func (s *scanner) Text(first byte) (string, error) {
	if first != '"' {
		return "", s.Fail("%q where a text is needed", first)
	}
	raw, plain, err := s.quoted()
	if err != nil || plain {
		return string(raw[min(1, len(raw)):max(len(raw)-1, 0)]), err
	}
	var text string
	err = json.Unmarshal(raw, &text)
	return text, err
}

// quoted reads the rest of a text and returns it with its quotes, and whether it stands for itself, without escapes.
func (s *scanner) quoted() (raw []byte, plain bool, err error) {
	plain = true
	n := 0
	for escaped := false; ; n++ {
		b := s.peek(n)
		switch {
		case b == 0 && s.at+n == len(s.data):
			s.at += n
			_, err := s.next()
			return nil, false, err
		case n > maxText:
			s.at += n
			return nil, false, s.Fail("a text has more than %d bytes", maxText)
		}
		if b == '"' && !escaped {
			break
		}
		plain = plain && b >= ' ' && b < utf8.RuneSelf && b != '\\'
		escaped = b == '\\' && !escaped
	}
	raw = s.data[s.at-1 : s.at+n+1]
	s.at += n + 1
	if !plain && (!json.Valid(raw) || !utf8.Valid(raw)) {
		return nil, false, s.Fail("not JSON: a text is malformed")
	}
	return raw, plain, nil
}

// Number reads the rest of a whole number in 32 bits.
func (s *scanner) Number(first byte) (int32, error) {
	b, err := first, error(nil)
	if first == '-' {
		if b, err = s.next(); err != nil {
			return 0, err
		}
	}
	value, zero, wrong := int64(b)-'0', b == '0', b < '0' || b > '9'
	for !wrong {
		if b = s.peek(0); b < '0' || b > '9' { // what follows is judged by the reader of the list
			if first == '-' {
				value = -value
			}
			return int32(value), nil
		}
		s.at++
		value = 10*value + int64(b-'0')
		wrong = zero || value > math.MaxInt32
	}
	return 0, s.Fail("a whole number in 32 bits is needed")
}
