package bound

import (
	"context"
	"slices"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/margin"
)

// marginEffort keeps the margin bound of a command that prints bounds within
// about a second. It is fixed so that the same command always prints the same.
const marginEffort = 12_000_000

// Limits of the torus for the margin bound: what is claimed beyond them could
// not be checked again in reasonable time.
const (
	maxMarginDims = 6
	maxMarginSide = 64
)

// marginBound returns the margin bound on E_max that holds for every placement of n
// processors under r, with the limit that is refuted as its witness, within a
// fixed effort. It applies to every routing by shortest paths and is 0, without
// a witness, where margins refute nothing. See docs/margin-bound.md. When the context
// ends first it returns the error of that: what margins refute then would depend on
// the time.
func marginBound(ctx context.Context, r routing.Routing, n int) (objective.Bound, error) {
	b := nothing(objective.BoundMargin)
	if t := r.Torus(); t.D() > maxMarginDims || slices.Max(t.Dims()) > maxMarginSide {
		return b, nil
	}
	result, err := margin.LowerBound(ctx, r, n, marginEffort)
	if ctx.Err() != nil {
		return b, ctx.Err()
	}
	if err != nil || result.Refuted == nil { // a size that no placement has
		return b, nil
	}
	b.Value = result.Value
	b.Witness = objective.Witness{Refuted: result.Refuted.RatString(), Denominator: result.Denominator.String()}
	return b, nil
}
