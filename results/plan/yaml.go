package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"leeway/core"
	"leeway/results"
)

// A reader gathers searches and faults. It goes on after a fault to find all of them.
type reader struct {
	methods  []string
	files    Files
	defaults map[string]member
	given    Search // what the defaults say
	searches []Search
	faults   Faults
	first    map[string]int // key of a search: line of the first
}

// fault notes what is wrong at a node.
func (r *reader) fault(at *yaml.Node, hint, format string, args ...any) {
	r.faults = append(r.faults, &results.ReadError{Line: at.Line, Column: at.Column,
		Problem: fmt.Sprintf(format, args...), Hint: hint})
}

// wrong notes the error of a reader of texts.
func (r *reader) wrong(at *yaml.Node, what string, err error) {
	hint := ""
	var input *core.InputError
	var read *results.ReadError
	switch {
	case errors.As(err, &input):
		hint = input.Hint
	case errors.As(err, &read):
		hint = read.Hint
	}
	r.fault(at, hint, "%s %v", what, err)
}

// document returns the top of the one document of a text, nil after a fault.
func (r *reader) document(data []byte) *yaml.Node {
	top := &yaml.Node{Line: 1, Column: 1}
	switch {
	case len(data) > MaxBytes:
		r.fault(top, "", "the plan has more than %d bytes, the most that is read", MaxBytes)
		return nil
	case !utf8.Valid(data):
		r.fault(top, "", "the text is not valid UTF-8")
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var root, more yaml.Node
	err := decoder.Decode(&root)
	if errors.Is(err, io.EOF) || err == nil && len(root.Content) == 0 {
		r.fault(top, planHint, "the plan is empty")
		return nil
	}
	if err == nil {
		if err = decoder.Decode(&more); err == nil {
			r.fault(&more, "", "a second document starts here; a plan is one")
			return nil
		}
	}
	if !errors.Is(err, io.EOF) {
		r.syntax(data, err)
		return nil
	}
	return root.Content[0]
}

// syntax notes what the library says about a text that is no YAML. It names lines only, and sometimes the one after.
func (r *reader) syntax(data []byte, err error) {
	text := err.Error()
	line := 1
	if place := regexp.MustCompile(`^yaml: (?:line (\d+): )?`).FindStringSubmatch(text); place != nil {
		text = text[len(place[0]):]
		if n, err := strconv.Atoi(place[1]); err == nil {
			line = min(max(n, 1), 1+bytes.Count(data, []byte("\n")))
		}
	}
	start := strings.Split(string(data), "\n")[line-1]
	r.fault(&yaml.Node{Line: line, Column: 1 + len(start) - len(strings.TrimLeft(start, " "))}, "", "not YAML: %s", text)
}

// A member is a key of a mapping with its value.
type member struct{ key, value *yaml.Node }

// members returns the members of a mapping whose keys are among the names, each at most once; it notes the others.
func (r *reader) members(node *yaml.Node, what string, names []string) map[string]member {
	found := map[string]member{}
	if !r.plain(node, yaml.MappingNode, what, "keys with values, such as torus: 8x8") {
		return found
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if !r.plain(key, yaml.ScalarNode, "a key", "a word") {
			continue
		}
		have, twice := found[key.Value]
		switch {
		case twice:
			r.fault(key, "", "the key %s is repeated; first in line %d", key.Value, have.key.Line)
		case !slices.Contains(names, key.Value):
			r.fault(key, "the keys of "+what+" are "+strings.Join(names, ", "), "unknown key %q in %s",
				results.Shorten(key.Value), what)
		default:
			found[key.Value] = member{key, value}
		}
	}
	return found
}

// list returns the items of a list; a single value is a list of one. It is never empty unless a fault was noted.
func (r *reader) list(m member) []*yaml.Node {
	if m.value.Kind != yaml.SequenceNode {
		return []*yaml.Node{m.value}
	}
	if !r.plain(m.value, yaml.SequenceNode, m.key.Value, "a list") {
		return nil
	}
	if len(m.value.Content) == 0 {
		r.fault(m.value, "", "the list of %s is empty", m.key.Value)
	}
	return m.value.Content
}

// text returns the text of a value; ok is false after a fault.
func (r *reader) text(node *yaml.Node, what string) (string, bool) {
	return node.Value, r.plain(node, yaml.ScalarNode, what, "one value")
}

// plain notes a fault unless the node is of a kind and is what it looks like: no alias, anchor or tag.
func (r *reader) plain(node *yaml.Node, kind yaml.Kind, what, want string) bool {
	switch {
	case node.Kind == yaml.AliasNode || node.Anchor != "" || node.Style&yaml.TaggedStyle != 0:
		r.fault(node, "write the value out", "%s: anchors, aliases and tags are not read", what)
	case node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null":
		r.fault(node, "", "%s: there is no value", what)
	case node.Kind != kind:
		r.fault(node, "", "%s: %s is needed here", what, want)
	default:
		return true
	}
	return false
}
