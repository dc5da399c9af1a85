package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Error is bad usage: a flag, its value, or a file that cannot be used.
type Error struct {
	Err  error
	Hint string // what to do, "" if that is not known
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Hinted returns the error with a hint.
func (e *Error) Hinted(hint string) *Error { return &Error{e.Err, hint} }

// Errorf returns an *Error without a hint.
func Errorf(format string, args ...any) *Error { return &Error{Err: fmt.Errorf(format, args...)} }

// A missingError says which flags are missing.
type missingError struct{ flags []string }

func (e *missingError) Error() string {
	last := len(e.flags) - 1
	if last == 0 {
		return fmt.Sprintf("the flag %s is missing", e.flags[0])
	}
	return fmt.Sprintf("the flags %s and %s are missing", strings.Join(e.flags[:last], ", "), e.flags[last])
}

// Missing returns an *Error about all flags without a value at once, nil if there are none. It takes names and values
// in turn.
func Missing(pairs ...string) error {
	e := &missingError{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			e.flags = append(e.flags, "--"+pairs[i])
		}
	}
	if e.flags == nil {
		return nil
	}
	return &Error{Err: e}
}

// OneOf refuses, with an *Error, a value of a flag that is not in a list.
func OneOf(flag, value string, list []string) error {
	if slices.Contains(list, value) {
		return nil
	}
	last := len(list) - 1
	return Errorf("--%s %q: unknown %s", flag, value, flag).
		Hinted(fmt.Sprintf("%s%ss are %s and %s", DidYouMean(value, list), flag, strings.Join(list[:last], ", "), list[last]))
}

// InFlag names the flag whose value an error is about, unless the command was stopped or the error has a method Flag,
// and so names one itself.
func InFlag(flag string, err error) error {
	var stopped *StoppedError
	var named interface{ Flag() string }
	if err == nil || errors.Is(err, context.Canceled) || errors.As(err, &stopped) || errors.As(err, &named) {
		return err
	}
	return &valueError{flag, err}
}

// A valueError is about the value of a flag.
type valueError struct {
	flag string
	err  error
}

func (e *valueError) Error() string { return fmt.Sprintf("--%s %v", e.flag, e.err) }

// Unwrap returns what is wrong.
func (e *valueError) Unwrap() error { return e.err }

// DidYouMean begins a hint with the word of a list that another was probably meant to be; it is "" if none is near.
func DidYouMean(word string, list []string) string {
	if near := nearest(word, list); near != "" && len(word) > 2 {
		return fmt.Sprintf("did you mean %s? ", near)
	}
	return ""
}

// A StoppedError says that a command was ended before it had a result.
type StoppedError struct{ What string } // as in "the loads were"

func (e *StoppedError) Error() string { return fmt.Sprintf("stopped before %s known", e.What) }

// A Status ends the program with an exit status after everything has been said.
type Status int

func (e Status) Error() string { return fmt.Sprintf("exit status %d", int(e)) }
