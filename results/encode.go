package results

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// shortList matches a list of numbers or directions that the indenter has spread
// over several lines. Inside a JSON string there are no line breaks, so it matches nothing
// there.
var shortList = regexp.MustCompile(`\[\n\s+((?:[-\d]+|"[-+]")(?:,\n\s+(?:[-\d]+|"[-+]"))*)\n\s+\]`)

var lineBreak = regexp.MustCompile(`,\n\s+`)

// Encode returns the record as indented JSON, one node a line, ending in a line
// break.
func (r Record) Encode() ([]byte, error) { return Encode(r) }

// Encode returns any document of the program as indented JSON with lists of
// numbers and of directions on one line, ending in a line break. It fails on values that JSON
// cannot hold, such as infinite seconds.
func Encode(document any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return nil, err
	}
	return shortList.ReplaceAllFunc(out.Bytes(), func(list []byte) []byte {
		inner := bytes.TrimSpace(list[1 : len(list)-1])
		return append(append([]byte("["), lineBreak.ReplaceAll(inner, []byte(","))...), ']')
	}), nil
}

// compact returns a value as JSON without spaces and without HTML escapes.
func compact(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
