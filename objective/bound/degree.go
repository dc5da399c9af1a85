package bound

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
)

// degree is Lemma 2.1 of seed 001: the n-1 messages that a processor sends leave
// by its out-links. The witness is one processor; placement-free any will do.
func degree(t *core.Torus, n int, nodes [][]int) objective.Bound {
	if n < 2 {
		return objective.Bound{Name: objective.BoundDegree, Value: new(big.Rat)}
	}
	return objective.Bound{Name: objective.BoundDegree, Value: big.NewRat(int64(n-1), int64(t.Degree())),
		Witness: objective.Witness{Set: nodes[:1], Links: t.Degree()}}
}
