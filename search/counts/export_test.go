package counts

import (
	"context"
	"math/big"

	"leeway/encode/steps"
	"leeway/objective"
)

// Plans is how many ways there are to go by cases.
const Plans = 4

// RefuteBy is Refute in one of these: with the counts of slabs, or what a line holds, first, and with lemmas about the
// counts of some slabs or not.
func RefuteBy(ctx context.Context, i int, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	about, err := learn(ctx, p)
	if err != nil {
		return err
	}
	return plan{lineFirst: i&1 == 1, deep: i&2 == 2}.write(ctx, about, below, to)
}
