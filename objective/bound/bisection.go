package bound

import (
	"context"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bisect"
)

// Bisection returns the separator bound for a set S with half of the processors,
// 2 floor(n/2) ceil(n/2) / width (seed 000, (8), where the printed (n/2)^2 is
// wrong for odd n). The bound holds for any such S; it is best for the narrowest,
// which is found for sure where that is quick (bisect.Quick). The value is in
// messages; it is 0 without a witness for fewer than two processors, and on tori
// of more than bisect.MaxNodes nodes. Cost: below a second up to 4096 nodes, then
// O(d M).
func Bisection(p core.Placement) objective.Bound { return bisectionBound(context.Background(), p) }

// bisectionBound is Bisection by the best cut so far when the context ends.
func bisectionBound(ctx context.Context, p core.Placement) objective.Bound {
	if p.Size() < 2 || p.Torus().N() > bisect.MaxNodes {
		return noCut(objective.BoundBisection)
	}
	r := bisect.Quick(ctx, bisect.Half(p))
	return cutBound(objective.BoundBisection, p, r.Side, r.Out)
}
