package slabs

import (
	"context"
	"math/big"

	"leeway/encode/steps"
	"leeway/objective"
)

// Ways returns how many ways there are for a problem.
func Ways(p objective.Problem) (int, error) {
	r, err := newRefuter(context.Background(), p, new(big.Rat))
	if err != nil {
		return 0, err
	}
	return len(r.ways()), nil
}

// RefuteBy is Refute in one way, and returns by how many dimensions that goes.
func RefuteBy(i int, p objective.Problem, below *big.Rat, to *steps.Writer) (int, error) {
	r, err := newRefuter(context.Background(), p, below)
	if err != nil {
		return 0, err
	}
	w := r.ways()[i]
	if err := r.write(to, w); err != nil {
		return len(w.dims), err
	}
	return len(w.dims), to.Flush()
}
