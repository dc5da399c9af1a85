// Package schedules reads and writes files of schedules of complete exchange: the head as JSON, then the phases one
// by one, since a file may be larger than the memory. It also writes the lists of what each rank sends and receives.
// The format is described in docs/exchange.md.
package schedules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/disk"
)

// Schema is the schema version of schedules.
const Schema = "leeway/schedule/1"

// Phases are the phases of a schedule in order. An error ends them. A phase may be overwritten when the next one is
// asked for.
type Phases = iter.Seq2[exchange.Phase, error]

// WithContext returns phases that end with the error of the context when that ends.
func WithContext(ctx context.Context, phases iter.Seq[exchange.Phase]) Phases {
	return func(yield func(exchange.Phase, error) bool) {
		for phase := range phases {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if !yield(phase, nil) {
				return
			}
		}
	}
}

// document is the head as it stands in a file.
type document struct {
	Schema string `json:"schema"`
	exchange.Head
}

// headError returns a *results.ReadError about the values of a head, nil if they are valid.
func headError(h exchange.Head) error {
	fail := func(format string, args ...any) error {
		return &results.ReadError{Problem: fmt.Sprintf(format, args...)}
	}
	if !h.Model.InSteps() && h.Model != exchange.Wormhole {
		return fail("model %q is not %s, %s or %s", results.Shorten(string(h.Model)), exchange.StoreAndForward,
			exchange.Wormhole, exchange.AllPort)
	}
	if len(h.Axes) == 0 {
		return fail("there are no axes")
	}
	for i, a := range h.Axes {
		switch {
		case !slices.Contains([]exchange.Kind{exchange.Ring, exchange.Path, exchange.Complete, exchange.Graph}, a.Kind):
			return fail("axis %d: kind %q is not ring, path, complete or graph", i,
				results.Shorten(string(a.Kind)))
		case a.Kind != exchange.Graph && a.Edges != nil:
			return fail("axis %d: a %s has no list of edges", i, a.Kind)
		case a.Kind == exchange.Graph && a.Edges == nil:
			return fail("axis %d: a graph needs its edges", i)
		}
		for j, e := range a.Edges {
			if len(e) < 2 || len(e) > 3 {
				return fail("axis %d: edge %d has %d numbers", i, j, len(e))
			}
		}
	}
	return nil
}

// Limits of one phase, which is held in memory as a whole.
const (
	maxSends  = 1 << 22
	maxBlocks = 1 << 26
	maxLegs   = 1 << 10 // of a send
)

// A Reader reads a schedule phase by phase.
type Reader struct {
	Head  exchange.Head
	scan  *scanner
	phase exchange.Phase
	kept  [][]exchange.Block // storage of the blocks of a send, used again
	close func() error
}

// Read reads the head of a schedule. Errors are *results.ReadError: no JSON, an unknown schema version, a field that is
// missing, repeated or of the wrong type. Field phases must be the last one, since the others say what the phases mean.
func Read(r io.Reader) (*Reader, error) {
	s := newScanner(r)
	head, err := readHead(s)
	if err != nil {
		return nil, err
	}
	var d document
	if err := results.Decode(head, Schema, &d); err != nil {
		return nil, err
	}
	return &Reader{Head: d.Head, scan: s, close: func() error { return nil }}, headError(d.Head)
}

// Open is Read on a file, which stays open until Close; errors name the file.
func Open(ctx context.Context, path string) (*Reader, error) {
	f, err := disk.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	r, err := Read(f)
	if err != nil {
		f.Close()
		return nil, results.InFile(err, path)
	}
	r.close = f.Close
	return r, nil
}

// Close closes the file of Open.
func (r *Reader) Close() error { return r.close() }

// IsFile reports whether a file says that it is a schedule. It reads no phase.
func IsFile(ctx context.Context, path string) bool {
	f, err := disk.Open(ctx, path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := readHead(newScanner(f))
	if err != nil {
		return false
	}
	schema, err := results.SchemaOf(head)
	return err == nil && schema == Schema
}

// readHead reads up to the value of the member phases and returns what stood before that member as a document of its
// own, every byte at its place.
func readHead(s *scanner) ([]byte, error) {
	s.Keep()
	if err := s.Expect('{'); err != nil {
		return nil, err
	}
	var head []byte
	err := s.Object("", nil, func(key string) error {
		if key == "phases" {
			head = cutMember(s.Kept())
			return errPhases
		}
		first, err := s.Token()
		if err == nil {
			err = s.Skip(first, key)
		}
		return err
	})
	switch {
	case head != nil:
		return head, nil
	case err == nil:
		err = s.Fail("field phases is missing")
	}
	return nil, err
}

// errPhases ends the reading of the head when its phases begin, and that of the phases when no more are wanted.
var errPhases = errors.New("phases")

// cutMember returns a document that ends with a key and a colon, without that member.
func cutMember(document []byte) []byte {
	key := bytes.LastIndexByte(document[:bytes.LastIndexByte(document, '"')], '"')
	before := bytes.TrimRight(document[:key], " \n\t\r")
	return append(bytes.Clone(bytes.TrimSuffix(before, []byte(","))), '}')
}

// Phases returns the phases; they can be read once. Errors are *ReadError.
func (r *Reader) Phases() Phases {
	return func(yield func(exchange.Phase, error) bool) {
		err := r.scan.List(func(first byte) error {
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

// end reads what follows the phases: the closing brace and nothing else.
func (r *Reader) end() error {
	b, err := r.scan.Token()
	switch {
	case err != nil:
		return err
	case b == ',':
		return r.scan.Fail("field phases must stand last")
	case b != '}':
		return r.scan.Fail("%q where '}' is needed", b)
	}
	return r.scan.End()
}

func (r *Reader) readPhase(first byte) error {
	if first != '[' {
		return r.scan.Fail("%q where a phase, a list of sends, is needed", first)
	}
	r.phase = r.phase[:0]
	blocks := 0
	return r.scan.Items(func(first byte) error {
		err := r.readSend(first)
		if err == nil {
			blocks += len(r.phase[len(r.phase)-1].Blocks)
		}
		if err == nil && (blocks > maxBlocks || len(r.phase) > maxSends) {
			err = r.scan.Fail("a phase has more than %d sends or %d blocks, the most that is read", maxSends, maxBlocks)
		}
		return err
	})
}

var sendFields = []field{{name: "from", required: true}, {name: "to", required: true},
	{name: "blocks", required: true}, {name: "axis"}, {name: "dir"}, {name: "path"}}

// readSend appends a send to the phase.
func (r *Reader) readSend(first byte) error {
	if first != '{' {
		return r.scan.Fail("%q where a send, an object, is needed", first)
	}
	i := len(r.phase)
	if i == len(r.kept) {
		r.kept = append(r.kept, nil)
	}
	send := exchange.Send{Axis: -1, Blocks: r.kept[i][:0]}
	err := r.scan.Object("", sendFields, func(key string) error { return r.readMember(&send, key) })
	if err != nil {
		return err
	}
	r.kept[i] = send.Blocks
	r.phase = append(r.phase, send)
	return nil
}

func (r *Reader) readMember(send *exchange.Send, key string) (err error) {
	switch key {
	case "blocks":
		return r.readBlocks(send)
	case "path":
		return r.readPath(send)
	}
	first, err := r.scan.Token()
	if err != nil {
		return err
	}
	switch key {
	case "from":
		send.From, err = r.scan.Number(first)
	case "to":
		send.To, err = r.scan.Number(first)
	case "axis":
		var axis int32
		axis, err = r.scan.Number(first)
		send.Axis = int(axis)
	case "dir":
		var text string
		text, err = r.scan.Text(first)
		switch {
		case err != nil:
		case text == core.Plus.String():
			send.Dir = core.Plus
		case text == core.Minus.String():
			send.Dir = core.Minus
		default:
			err = r.scan.Fail(`field dir is %q, not "+" or "-"`, results.Shorten(text))
		}
	default:
		err = r.scan.Skip(first, key)
	}
	return err
}

// readBlocks reads pairs [from,to].
func (r *Reader) readBlocks(send *exchange.Send) error {
	return r.readPairs("block", "[from,to]", "ends", func(from, to int32) error {
		if len(send.Blocks) > maxBlocks {
			return r.scan.Fail("a send has more than %d blocks, the most that is read", maxBlocks)
		}
		send.Blocks = append(send.Blocks, exchange.Block{From: from, To: to})
		return nil
	})
}

// readPath reads pairs [axis,links].
func (r *Reader) readPath(send *exchange.Send) error {
	send.Path = []exchange.Leg{}
	return r.readPairs("leg", "[axis,links]", "numbers", func(axis, links int32) error {
		if len(send.Path) == maxLegs {
			return r.scan.Fail("a path has more than %d legs, the most that is read", maxLegs)
		}
		send.Path = append(send.Path, exchange.Leg{Axis: axis, Links: links})
		return nil
	})
}

// readPairs reads a list of pairs of numbers. Messages use the name of a pair, its form, and the name of its parts.
func (r *Reader) readPairs(name, form, parts string, add func(a, b int32) error) error {
	return r.scan.List(func(first byte) error {
		if first != '[' {
			return r.scan.Fail("%q where a %s, %s, is needed", first, name, form)
		}
		var ends [2]int32
		n := 0
		err := r.scan.Items(func(first byte) (err error) {
			if n == len(ends) {
				return r.scan.Fail("a %s has more than two %s", name, parts)
			}
			ends[n], err = r.scan.Number(first)
			n++
			return err
		})
		if err == nil && n < len(ends) {
			err = r.scan.Fail("a %s has fewer than two %s", name, parts)
		}
		if err != nil {
			return err
		}
		return add(ends[0], ends[1])
	})
}
