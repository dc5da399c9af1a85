package plan

import (
	"math/big"
	"strings"

	"leeway/core"
	"leeway/results"
)

// A Limit is a bound on E_max: the same for all sizes, or so much for every
// processor.
type Limit struct {
	Value        *big.Rat
	PerProcessor bool
}

// ParseLimit reads "5/2", or "1/8n" for an eighth of the number of processors.
// Errors are *core.InputError.
func ParseLimit(text string) (*Limit, error) {
	number, linear := strings.CutSuffix(text, "n")
	if number == "" && linear {
		number = "1"
	}
	v, err := results.ParseFraction(number)
	if err != nil || v.Sign() < 0 {
		return nil, &core.InputError{Text: text, Problem: "this is no limit of loads", Hint: `write a fraction in lowest terms, "5/2" or "4", or one of the size, "1/8n"`}
	}
	return &Limit{Value: v, PerProcessor: linear}, nil
}

// At returns the limit for n processors.
func (l Limit) At(n int) *big.Rat {
	if !l.PerProcessor {
		return new(big.Rat).Set(l.Value)
	}
	return new(big.Rat).Mul(l.Value, new(big.Rat).SetInt64(int64(n)))
}

// String returns the text that ParseLimit reads.
func (l Limit) String() string {
	text := results.FormatFraction(l.Value)
	if l.PerProcessor {
		text += "n"
	}
	return text
}
