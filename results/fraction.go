package results

import (
	"fmt"
	"math/big"
	"strings"

	"leeway/core"
)

// maxFractionText is the longest text read as a fraction: exact loads of large tori have long denominators, but not
// this long.
const maxFractionText = 1 << 16

// FormatFraction returns the fraction in lowest terms, "5/2" or "4".
func FormatFraction(v *big.Rat) string { return v.RatString() }

// ParseFraction returns the fraction that a text spells. Only the one canonical text of each value is read: digits
// without leading zeros, lowest terms, no denominator 1, a minus sign only before a value below 0. Errors are
// *core.InputError.
func ParseFraction(text string) (*big.Rat, error) {
	fail := func(problem string) error {
		return &core.InputError{Text: Shorten(text), Problem: problem,
			Hint: `write fractions in lowest terms, as "5/2" or "4"`}
	}
	if len(text) > maxFractionText {
		return nil, fail("the fraction is too long")
	}
	num, den, hasDen := strings.Cut(text, "/")
	if !digits(strings.TrimPrefix(num, "-")) || hasDen && !digits(den) {
		return nil, fail("not a fraction")
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fail("not a fraction")
	}
	if v.RatString() != text {
		return nil, fail("the fraction is not in lowest terms; its value is " + Shorten(v.RatString()))
	}
	return v, nil
}

// WithDecimal returns a fraction with its decimal value beside it, "5/2 (2.5)"; a whole number, and text that is no
// fraction, as it is.
func WithDecimal(fraction string) string {
	v, err := ParseFraction(fraction)
	if err != nil || v.IsInt() {
		return fraction
	}
	f, _ := v.Float64()
	return fmt.Sprintf("%s (%.4g)", fraction, f)
}

// WithDecimals returns a sentence in which fractions have their decimal values beside them.
func WithDecimals(sentence string) string {
	words := strings.Split(sentence, " ")
	for i, word := range words {
		bare := strings.TrimRight(word, ",;:.")
		if i+1 == len(words) || !strings.HasPrefix(words[i+1], "(") {
			words[i] = WithDecimal(bare) + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

// digits reports whether s consists of decimal digits, at least one.
func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Shorten cuts a text that is to be quoted in a message.
func Shorten(s string) string {
	if len(s) <= 60 {
		return s
	}
	return s[:57] + "..."
}
