package core

import (
	"fmt"
	"strconv"
	"strings"
)

const torusHint = "write the sides as 8x8, 4x6x3, 30, or 8^3 for 8x8x8"

// ParseTorus reads "8x8", "4x6x3", "30" or "8^3". Errors are *InputError and
// name the offending part.
func ParseTorus(text string) (*Torus, error) {
	var dims []int
	offset := 0
	for _, part := range strings.Split(text, "x") {
		side, count, problem := parseSide(part)
		if problem == "" {
			problem = sideProblem(len(dims), side)
		}
		if problem != "" {
			return nil, &InputError{Text: text, Part: part, Offset: offset, Problem: problem, Hint: torusHint}
		}
		for range count {
			dims = append(dims, side)
		}
		offset += len(part) + 1
	}
	t, err := NewTorus(dims...)
	if e, ok := err.(*InputError); ok {
		e.Text = text // sides are checked above, so the error is about the whole
	}
	return t, err
}

// sideProblem says what is wrong with side j being k, "" if nothing is.
func sideProblem(j, k int) string {
	if k < 2 || k > MaxSide {
		return fmt.Sprintf("side %d is %d, outside 2..%d", j, k, MaxSide)
	}
	return ""
}

// parseSide reads one factor "8" or "8^3" and returns the side, how often it
// stands, and what is wrong with it ("" if nothing).
func parseSide(part string) (side, count int, problem string) {
	base, exponent, hasExponent := strings.Cut(part, "^")
	if base == "" {
		return 0, 0, "a side is missing"
	}
	side, ok := parseNatural(base)
	if !ok {
		return 0, 0, fmt.Sprintf("side %q is not a whole number of at most %d", base, MaxSide)
	}
	if !hasExponent {
		return side, 1, ""
	}
	count, ok = parseNatural(exponent)
	if !ok || count < 1 || count > 26 {
		return 0, 0, fmt.Sprintf("exponent %q is not a whole number in 1..26", exponent)
	}
	return side, count, ""
}

// parseNatural reads plain decimal digits, at most seven of them, without
// leading zeros: what prints is what was written.
func parseNatural(s string) (int, bool) {
	if s == "" || len(s) > 7 || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	v, err := strconv.Atoi(s)
	return v, err == nil
}

func formatSides(dims []int) string {
	parts := make([]string, len(dims))
	for j, k := range dims {
		parts[j] = strconv.Itoa(k)
	}
	return strings.Join(parts, "x")
}

// String returns the sides joined by x, the form that ParseTorus reads.
func (t *Torus) String() string { return formatSides(t.dims) }
