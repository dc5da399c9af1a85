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
	opDistance
	opSlice
)

// rules are the definitions and steps by their codes. Those that are to close the branch say why they do not, or "".
var rules = [...]struct {
	name  string
	read  func(*checker)
	close func(*checker) string
}{
	opSet:       {name: "set", read: (*checker).readSet},
	opSum:       {name: "sum", read: (*checker).readSum},
	opKeys:      {name: "keys", read: (*checker).readKeys},
	opElement:   {name: "element", read: (*checker).readElement},
	opProduct:   {name: "product", read: (*checker).readProduct},
	opWeighting: {name: "weighting", read: (*checker).readWeighting},
	opView:      {name: "view", read: (*checker).readView},
	opSplit:     {name: "split", read: (*checker).split},
	opSplitLow:  {name: "split, low first", read: (*checker).split},
	opWeigh:     {name: "weigh", close: (*checker).weigh},
	opTurn:      {name: "turn", close: (*checker).turn},
	opLemma:     {name: "lemma", read: (*checker).beginLemma},
	opUse:       {name: "use", close: (*checker).use},
	opPlace:     {name: "place", close: (*checker).place},
	opFilter:    {name: "filter", read: (*checker).filter},
	opCrossed:   {name: "crossed", close: func(*checker) string { return "the bounds do not cross" }},
	opDistance:  {name: "distance", close: (*checker).far},
	opSlice:     {name: "slice", close: (*checker).leave},
}

// mostNumber is the largest number in a stream, mostListed the most numbers in one definition.
const (
	mostNumber = 1<<32 - 1
	mostListed = 1 << 20
)

// A WrongError says that a stream is not a proof: at which step, counted from 1, of which rule, and why.
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

// A reader reads the numbers of a stream: seven bits a byte, the lowest first, the high bit set on all but the last. It
// keeps the first error of all that happens; after that it reads zeros.
type reader struct {
	bytes *bufio.Reader
	read  int64
	spend Spender
	err   error
}

// fail keeps an error if it is the first.
func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// wrong keeps a WrongError, to which its step and rule are added in the end.
func (r *reader) wrong(format string, args ...any) {
	r.fail(&WrongError{Problem: fmt.Sprintf(format, args...)})
}

// pay tells the caller of steps that are taken, or of memory.
func (r *reader) pay(steps int64) {
	if r.err == nil {
		r.err = r.spend(steps)
	}
}

// byte reads one byte; atEnd is what is wrong if there is none.
func (r *reader) byte(atEnd string) byte {
	if r.err != nil {
		return 0
	}
	b, err := r.bytes.ReadByte()
	switch {
	case errors.Is(err, io.EOF):
		r.wrong("%s", atEnd)
	case err != nil:
		r.fail(err)
	default:
		r.read++
	}
	return b
}

const notHeader = "the stream does not begin with its header"

// header reads what every stream begins with.
func (r *reader) header() {
	for i := range len(Header) {
		if r.byte(notHeader) != Header[i] {
			r.wrong(notHeader)
		}
	}
}

// number reads a number of at most most.
func (r *reader) number(most int64) int64 {
	value, b := int64(0), byte(128)
	for shift := 0; b >= 128; shift += 7 {
		b = r.byte("the stream ends early")
		if value |= int64(b&127) << shift; value > mostNumber || shift > 28 {
			r.wrong("a number above 2^32-1 at byte %d", r.read)
		}
	}
	if value > most {
		r.wrong("%d where at most %d can be, at byte %d", value, most, r.read)
	}
	if r.err != nil {
		return 0
	}
	return value
}

// index reads the number of one of several things.
func (r *reader) index(count int) int { return int(r.number(int64(count) - 1)) }

// list reads how many entries follow and then each of them.
func (r *reader) list(entry func()) {
	for count := r.number(mostListed); count > 0 && r.err == nil; count-- {
		entry()
	}
}

// end makes sure that nothing follows.
func (r *reader) end() {
	if r.err != nil {
		return
	}
	switch _, err := r.bytes.Peek(1); {
	case err == nil:
		r.wrong("bytes follow the end of the proof, from byte %d", r.read)
	case !errors.Is(err, io.EOF):
		r.fail(err)
	}
}
