package plan

import (
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
)

// ParseLimit reads "5/2", or "1/8n" for an eighth of the number of processors. Errors are *core.InputError.
func ParseLimit(text string) (*objective.Limit, error) {
	number, linear := strings.CutSuffix(text, "n")
	if number == "" && linear {
		number = "1"
	}
	v, err := results.ParseFraction(number)
	if err != nil || v.Sign() < 0 {
		return nil, &core.InputError{Text: text, Problem: "this is no limit of loads",
			Hint: `write a fraction in lowest terms, "5/2" or "4", or one of the size, "1/8n"`}
	}
	return &objective.Limit{Value: v, PerProcessor: linear}, nil
}
