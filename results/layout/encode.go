// Package layout lays documents out as text: indented JSON with numbers beside fractions, and fractions in sentences.
package layout

import (
	"bytes"
	"encoding/json"
)

// Encode returns any document of the program as indented JSON with lists of numbers and of directions on one line,
// ending in a line break. It fails on values that JSON cannot hold, such as infinite seconds.
func Encode(document any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return nil, err
	}
	return AddDecimals(joinShortLists(out.Bytes())), nil
}

// joinShortLists brings lists of numbers and of directions that the indenter has spread over several lines to one
// line, in place. Inside a JSON string there are no line breaks, so nothing is changed there.
func joinShortLists(text []byte) []byte {
	to := 0
	for from := 0; from < len(text); {
		text[to] = text[from]
		to, from = to+1, from+1
		if text[to-1] != '[' {
			continue
		}
		if items, end := shortList(text[from:]); end > 0 {
			for _, c := range text[from : from+items] {
				if c != '\n' && c != ' ' {
					text[to] = c
					to++
				}
			}
			from += end
			text[to] = ']'
			to++
		}
	}
	return text[:to]
}

// shortList returns where the items of such a list end and where what follows the list begins, given what stands
// behind its bracket; 0 and 0 if it is not a list.
func shortList(text []byte) (items, end int) {
	at := 0
	for {
		space := blanks(text[at:])
		if space < 2 || text[at] != '\n' {
			return 0, 0
		}
		at += space
		item := shortItem(text[at:])
		if at += item; item == 0 || at == len(text) {
			return 0, 0
		}
		if text[at] == ',' {
			at++
			continue
		}
		items = at
		if at += blanks(text[at:]); at == items || at == len(text) || text[items] != '\n' || text[at] != ']' {
			return 0, 0
		}
		return items, at + 1
	}
}

// blanks returns how many line breaks and spaces a text begins with.
func blanks(text []byte) int {
	n := 0
	for n < len(text) && (text[n] == '\n' || text[n] == ' ') {
		n++
	}
	return n
}

// shortItem returns the length of the number or direction that a text begins with, 0 if it begins with neither.
func shortItem(text []byte) int {
	if bytes.HasPrefix(text, []byte(`"-"`)) || bytes.HasPrefix(text, []byte(`"+"`)) {
		return 3
	}
	n := 0
	for n < len(text) && (text[n] == '-' || text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return n
}
