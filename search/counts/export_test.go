package counts

import (
	"context"
	"math/big"

	"leeway/encode/steps"
	"leeway/objective"
)

// RefuteSlabsFirst is Refute with the counts of slabs before what a line holds, which Refute begins with on small
// networks.
func RefuteSlabsFirst(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	return plan{}.write(ctx, p, below, to)
}
