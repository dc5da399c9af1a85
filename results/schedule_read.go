package results

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"leeway/core"
)

// Limits of one phase, which is held in memory as a whole.
const (
	maxPhaseSends  = 1 << 22
	maxPhaseBlocks = 1 << 26
	maxLegs        = 1 << 10 // of a send
)

// A ScheduleReader reads a schedule phase by phase: a file may be larger than the
// memory, a phase may not.
type ScheduleReader struct {
	Head  Schedule
	scan  *scanner
	phase SchedulePhase
	kept  [][]ScheduleBlock // storage of the blocks of a send, used again
	close func() error
}

// ReadSchedule reads the head of a schedule. Errors are *ReadError: no JSON, an
// unknown schema version, a field that is missing, stands twice or has the wrong
// type. Field phases must stand last: what comes before says what they mean.
func ReadSchedule(r io.Reader) (*ScheduleReader, error) {
	s := newScanner(r)
	head, err := readHead(s)
	if err != nil {
		return nil, err
	}
	var h scheduleHead
	if err := decode(head, ScheduleSchema, &h); err != nil {
		return nil, err
	}
	if problem := h.problem(); problem != "" {
		return nil, &ReadError{Problem: problem}
	}
	return &ScheduleReader{Head: h.Schedule, scan: s, close: func() error { return nil }}, nil
}

// OpenSchedule is ReadSchedule on a file, which stays open until Close; errors
// name it, also those of the phases.
func OpenSchedule(path string) (*ScheduleReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	r, err := ReadSchedule(f)
	if err != nil {
		f.Close()
		return nil, InFile(err, path)
	}
	r.close = f.Close
	return r, nil
}

// Close closes the file of OpenSchedule.
func (r *ScheduleReader) Close() error { return r.close() }

// IsScheduleFile reports whether a file says that it is a schedule. It reads no
// phase.
func IsScheduleFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := readHead(newScanner(f))
	if err != nil {
		return false
	}
	schema, err := schemaOf(head)
	return err == nil && schema == ScheduleSchema
}

// readHead reads up to the value of the member phases and returns what stood
// before that member as a document of its own, every byte at its place.
func readHead(s *scanner) ([]byte, error) {
	s.keeping = true
	defer func() { s.keeping, s.keep = false, nil }()
	if err := s.expect('{'); err != nil {
		return nil, err
	}
	var head []byte
	err := s.object(func(key string) error {
		if key == "phases" {
			head = cutMember(s.keep)
			return errPhases
		}
		first, err := s.token()
		if err == nil {
			err = s.skip(first, 1)
		}
		if err == nil && len(s.keep) > MaxFileBytes {
			err = s.fail("what comes before the phases has more than %d bytes, the most that is read", MaxFileBytes)
		}
		return err
	})
	switch {
	case head != nil:
		return head, nil
	case err == nil:
		err = s.fail("field phases is missing")
	}
	return nil, err
}

// errPhases ends the reading of a head at its phases, and that of phases early.
var errPhases = errors.New("phases")

// cutMember returns a document that ends with a key and a colon without that
// member.
func cutMember(document []byte) []byte {
	key := bytes.LastIndexByte(document[:bytes.LastIndexByte(document, '"')], '"')
	before := bytes.TrimRight(document[:key], " \n\t\r")
	return append(bytes.Clone(bytes.TrimSuffix(before, []byte(","))), '}')
}

// Phases returns the phases; they can be read once. Errors are *ReadError.
func (r *ScheduleReader) Phases() Phases {
	return func(yield func(SchedulePhase, error) bool) {
		err := r.scan.list(func(first byte) error {
			if err := r.readPhase(first); err != nil {
				return err
			}
			if !yield(r.phase, nil) {
				return errPhases
			}
			return nil
		})
		if err == nil {
			err = r.end()
		}
		if err != nil && err != errPhases {
			yield(nil, err)
		}
	}
}

// end reads what follows the phases: the brace, and nothing else.
func (r *ScheduleReader) end() error {
	b, err := r.scan.token()
	switch {
	case err != nil:
		return err
	case b == ',':
		return r.scan.fail("field phases must stand last")
	case b != '}':
		return r.scan.fail("%q where '}' is needed", b)
	}
	for {
		if _, err := r.scan.in.Peek(1); err == io.EOF {
			return nil
		}
		if b, err := r.scan.next(); err != nil || !strings.ContainsRune(" \n\t\r", rune(b)) {
			return r.scan.fail("not JSON: the file goes on after its end")
		}
	}
}

func (r *ScheduleReader) readPhase(first byte) error {
	if first != '[' {
		return r.scan.fail("%q where a phase, a list of sends, is needed", first)
	}
	r.phase = r.phase[:0]
	blocks := 0
	return r.scan.items(']', func(first byte) error {
		err := r.readSend(first)
		if err == nil {
			blocks += len(r.phase[len(r.phase)-1].Blocks)
		}
		if err == nil && (blocks > maxPhaseBlocks || len(r.phase) > maxPhaseSends) {
			err = r.scan.fail("a phase has more than %d sends or %d blocks, the most that is read", maxPhaseSends, maxPhaseBlocks)
		}
		return err
	})
}

// sendFields are the fields of a send; axis and dir may be absent.
var sendFields = []string{"from", "to", "blocks", "axis", "dir", "path"}

const requiredSendFields = 3

// readSend appends a send to the phase.
func (r *ScheduleReader) readSend(first byte) error {
	if first != '{' {
		return r.scan.fail("%q where a send, an object, is needed", first)
	}
	i := len(r.phase)
	if i == len(r.kept) {
		r.kept = append(r.kept, nil)
	}
	send := ScheduleSend{Axis: -1, Blocks: r.kept[i][:0]}
	var seen []string
	err := r.scan.object(func(key string) error {
		if slices.Contains(seen, key) {
			return r.scan.fail("field %s stands twice", key)
		}
		seen = append(seen, key)
		for _, name := range sendFields {
			if name != key && strings.EqualFold(name, key) {
				return r.scan.fail("field %s must be written %s", key, name)
			}
		}
		return r.readMember(&send, key)
	})
	if err != nil {
		return err
	}
	for _, name := range sendFields[:requiredSendFields] {
		if !slices.Contains(seen, name) {
			return r.scan.fail("field %s is missing", name)
		}
	}
	r.kept[i] = send.Blocks
	r.phase = append(r.phase, send)
	return nil
}

func (r *ScheduleReader) readMember(send *ScheduleSend, key string) (err error) {
	switch key {
	case "blocks":
		return r.readBlocks(send)
	case "path":
		return r.readPath(send)
	}
	first, err := r.scan.token()
	if err != nil {
		return err
	}
	switch key {
	case "from":
		send.From, err = r.scan.number(first)
	case "to":
		send.To, err = r.scan.number(first)
	case "axis":
		var axis int32
		axis, err = r.scan.number(first)
		send.Axis = int(axis)
	case "dir":
		var text string
		text, err = r.scan.text(first)
		switch {
		case err != nil:
		case text == core.Plus.String():
			send.Dir = core.Plus
		case text == core.Minus.String():
			send.Dir = core.Minus
		default:
			err = r.scan.fail(`field dir is %q, not "+" or "-"`, shorten(text))
		}
	default:
		err = r.scan.skip(first, 1)
	}
	return err
}
