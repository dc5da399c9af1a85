package core

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Text is a parsed argument of the form name:key=value:positional. Readers
// take its options one by one and end with Unused, so that nothing a user wrote
// is ignored.
type Text struct {
	Whole   string
	Name    string
	Hint    string // added to every error
	options []option
}

type option struct {
	key   string // "" for the positional option
	value Part
}

// A Part is a piece of an argument with its place.
type Part struct {
	Text   string
	Offset int
}

// ParseText splits an argument at its colons. Errors are *InputError: an empty
// option, or one that is repeated.
func ParseText(whole, hint string) (*Text, error) {
	name, rest, more := strings.Cut(whole, ":")
	t := &Text{Whole: whole, Name: name, Hint: hint}
	offset := len(name) + 1
	for more {
		var s string
		s, rest, more = strings.Cut(rest, ":")
		key, value, named := strings.Cut(s, "=")
		o := option{key: key, value: Part{Text: value, Offset: offset + len(key) + 1}}
		if !named {
			o = option{value: Part{Text: s, Offset: offset}}
		}
		switch {
		case s == "" || named && (key == "" || value == ""):
			return nil, t.Fail(Part{Text: s, Offset: offset}, "an option is empty")
		case slices.ContainsFunc(t.options, func(p option) bool { return p.key == o.key }):
			return nil, t.Fail(Part{Text: s, Offset: offset}, "the option is repeated")
		}
		t.options = append(t.options, o)
		offset += len(s) + 1
	}
	return t, nil
}

// Fail returns an *InputError about a part of the argument.
func (t *Text) Fail(p Part, problem string) error {
	return &InputError{Text: t.Whole, Part: p.Text, Offset: p.Offset, Problem: problem, Hint: t.Hint}
}

// FailWhole returns an *InputError about the argument as a whole.
func (t *Text) FailWhole(problem string) error {
	return Invalid(t.Whole, "%s", problem).Hinted(t.Hint)
}

// Take removes the option with the given key ("" for the positional one) and
// returns its value and whether it was there.
func (t *Text) Take(key string) (Part, bool) {
	i := slices.IndexFunc(t.options, func(o option) bool { return o.key == key })
	if i < 0 {
		return Part{}, false
	}
	value := t.options[i].value
	t.options = slices.Delete(t.options, i, i+1)
	return value, true
}

// Unused returns an *InputError for the first option that nobody took, nil if
// there is none.
func (t *Text) Unused() error {
	if len(t.options) == 0 {
		return nil
	}
	o := t.options[0]
	if o.key == "" {
		return t.Fail(o.value, t.Name+" does not take this option")
	}
	return t.Fail(Part{Text: o.key, Offset: o.value.Offset - len(o.key) - 1}, t.Name+" does not take this option")
}

// Split cuts a part at sep and keeps the places of the pieces.
func (p Part) Split(sep string) []Part {
	var parts []Part
	offset := p.Offset
	for _, s := range strings.Split(p.Text, sep) {
		parts = append(parts, Part{Text: s, Offset: offset})
		offset += len(s) + len(sep)
	}
	return parts
}

// Int reads a part as a whole number without sign tricks: what it prints is what
// was written.
func (t *Text) Int(p Part) (int, error) {
	v, err := strconv.Atoi(p.Text)
	if err != nil || strconv.Itoa(v) != p.Text {
		return 0, t.Fail(p, "not a whole number")
	}
	return v, nil
}

// Count returns a number with its noun: 1 processor, 2 processors.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Plain reports whether a text is a whole number in plain digits, without a sign and a leading zero.
func Plain(text string) bool {
	return text == "0" || text != "" && text[0] != '0' && strings.Trim(text, "0123456789") == ""
}

// Ints reads a part as whole numbers separated by sep, or ranges of them, "0..3".
func (t *Text) Ints(p Part, sep string) ([]int, error) {
	var list []int
	for _, q := range p.Split(sep) {
		if low, high, ranged := strings.Cut(q.Text, ".."); ranged {
			from, errFrom := t.Int(Part{low, q.Offset})
			to, errTo := t.Int(Part{high, q.Offset + len(low) + 2})
			if errFrom != nil || errTo != nil || from > to || to-from > MaxSide {
				return nil, t.Fail(q, "not a range from low to high")
			}
			for v := from; v <= to; v++ {
				list = append(list, v)
			}
			continue
		}
		v, err := t.Int(q)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// JoinInts returns whole numbers with a separator between them: "0,3", "8x8".
func JoinInts(list []int, separator string) string {
	var text []byte
	for i, v := range list {
		if i > 0 {
			text = append(text, separator...)
		}
		text = strconv.AppendInt(text, int64(v), 10)
	}
	return string(text)
}

// JoinNodes returns coordinate lists as placements spell them: "0,0+1,3".
func JoinNodes(nodes [][]int) string {
	parts := make([]string, len(nodes))
	for i, c := range nodes {
		parts[i] = JoinInts(c, ",")
	}
	return strings.Join(parts, "+")
}

// ParseNodes reads nodes as JoinNodes writes them, "0,0+1,3", each once. Errors are *InputError and name the node.
func ParseNodes(t *Torus, text string) ([]int, error) { return parseNodes(t, text, t.nodeAt) }

// ParseNamed is ParseNodes for people: where nodes have names, it reads these, as NodeText writes them.
func ParseNamed(t *Torus, text string) ([]int, error) { return parseNodes(t, text, t.nodeNamed) }

// parseNodes reads nodes, each by a function.
func parseNodes(t *Torus, text string, read func(whole *Text, p Part) (int, error)) ([]int, error) {
	whole := &Text{Whole: text, Hint: "write nodes by their coordinates, with + between them: 0,0+1,3"}
	if !t.HasDimensions() {
		whole.Hint = "write nodes by their numbers, or names where they have some, with + between them: 0+3"
	}
	var nodes []int
	seen := NewSet(t.N())
	for _, p := range (Part{Text: text}).Split("+") {
		v, err := read(whole, p)
		if err != nil {
			return nil, err
		}
		if seen.Has(v) {
			return nil, whole.Fail(p, "the node is listed twice")
		}
		seen.Add(v)
		nodes = append(nodes, v)
	}
	return nodes, nil
}

// nodeNamed reads a node as NodeText writes it.
func (t *Network) nodeNamed(whole *Text, p Part) (int, error) {
	if names := t.Names(); names != nil {
		if v := slices.Index(names, p.Text); v >= 0 {
			return v, nil
		}
		return 0, whole.Fail(p, "no node of the network has this name")
	}
	return t.nodeAt(whole, p)
}

// nodeAt reads the coordinates of a node.
func (t *Network) nodeAt(whole *Text, p Part) (int, error) {
	coords, err := whole.Ints(p, ",")
	if err != nil {
		return 0, err
	}
	v, err := t.Node(coords...)
	if err != nil {
		return 0, whole.Fail(p, err.(*InputError).Problem)
	}
	return v, nil
}

// An InputError says which part of a text or value that a user wrote is wrong,
// why, and what to write instead.
type InputError struct {
	Text    string // the whole input
	Part    string // the offending part, "" if it is the whole
	Offset  int    // where Part starts in Text, in bytes; only meaningful with Part
	Problem string
	Hint    string // "" if there is none
}

// Invalid returns an error about a whole text, without a hint. The problem is put together as by fmt.Sprintf.
func Invalid(text, problem string, args ...any) *InputError {
	return &InputError{Text: text, Problem: fmt.Sprintf(problem, args...)}
}

// Hinted returns the error with a hint.
func (e *InputError) Hinted(hint string) *InputError {
	hinted := *e
	hinted.Hint = hint
	return &hinted
}

// Error names the input, the place and the problem; the hint is left to the
// caller, who may show it on a line of its own.
func (e *InputError) Error() string {
	if e.Part == "" || e.Part == e.Text {
		return fmt.Sprintf("%q: %s", shown(e.Text), e.Problem)
	}
	return fmt.Sprintf("%q, at %q (character %d): %s", shown(e.Text), shown(e.Part), e.Offset+1, e.Problem)
}

// InText returns an error about a part of a text as one about the text: it points at the same place in it, or at the
// whole part where it is about something else. Other errors than *InputError stay as they are.
func InText(err error, part Part, text string) error {
	e, ok := err.(*InputError)
	if !ok {
		return err
	}
	in := *e
	in.Text = text
	switch {
	case e.Text != part.Text:
		in.Part, in.Offset, in.Problem = part.Text, part.Offset, fmt.Sprintf("%q: %s", e.Text, e.Problem)
	case e.Part == "":
		in.Part, in.Offset = part.Text, part.Offset
	default:
		in.Offset += part.Offset
	}
	return &in
}

// shown returns what is shown of a text, as of a network with many links: all of it, or its beginning.
func shown(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}
