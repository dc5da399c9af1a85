package results

import (
	"math/big"
	"strings"

	"leeway/core"
	"leeway/objective"
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
		return core.Invalid(Shorten(text), "%s", problem).Hinted(`write fractions in lowest terms, as "5/2" or "4"`)
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

// ParseLimit reads "5/2", or "1/8n" for an eighth of the number of processors. Errors are *core.InputError.
func ParseLimit(text string) (*objective.Limit, error) {
	number, linear := strings.CutSuffix(text, "n")
	if number == "" && linear {
		number = "1"
	}
	v, err := ParseFraction(number)
	if err != nil || v.Sign() < 0 {
		return nil, &core.InputError{Text: text, Problem: "not a limit of loads",
			Hint: `write a fraction in lowest terms, "5/2" or "4", or one of the size, "1/8n"`}
	}
	return &objective.Limit{Value: v, PerProcessor: linear}, nil
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
