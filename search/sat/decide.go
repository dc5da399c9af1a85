package sat

import (
	"context"

	"leeway/encode/dimacs"
)

// Decide asks gini about any formula: Found with the value of every variable,
// Refuted, or Open if the context ended first. It leaves no proof.
func Decide(ctx context.Context, f dimacs.Formula) (Answer, func(variable int) bool) {
	answer, value, _ := solve(ctx, f, 0)
	return answer, value
}
