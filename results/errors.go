package results

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A ReadError says that a file cannot be read as what it should be, where, and what to do. It says nothing about
// claims: a file that can be read may still be wrong.
type ReadError struct {
	File    string // "" when the text came from elsewhere
	Line    int    // counts from 1; 0 when no place is known
	Column  int    // in characters, from 1
	Problem string
	Hint    string // "" if there is none
}

// Error names the file, the place and the problem; the hint is left to the caller.
func (e *ReadError) Error() string {
	var place []string
	if e.File != "" {
		place = append(place, e.File)
	}
	if e.Line > 0 {
		place = append(place, fmt.Sprintf("%d:%d", e.Line, e.Column))
	}
	if len(place) == 0 {
		return e.Problem
	}
	return strings.Join(place, ":") + ": " + e.Problem
}

// InFile returns err with the name of the file it is about, if it is a *ReadError; other errors and nil come back as
// they are.
func InFile(err error, path string) error {
	var e *ReadError
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	named.File = path
	return &named
}

// ErrorAt returns a ReadError at a byte offset of data.
func ErrorAt(data []byte, offset int, problem, hint string) *ReadError {
	before := data[:min(max(offset, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &ReadError{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[start:]),
		Problem: problem, Hint: hint}
}
