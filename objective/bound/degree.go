package bound

import (
	"math/big"

	"leeway/core"
)

// degree is Lemma 2.1 of seed 001: the n-1 messages that a processor sends leave
// by its out-links. The witness is one processor; placement-free any will do.
func degree(t *core.Torus, n int, nodes [][]int) Bound {
	if n < 2 {
		return Bound{Name: NameDegree, Value: new(big.Rat)}
	}
	return Bound{Name: NameDegree, Value: big.NewRat(int64(n-1), int64(t.Degree())),
		Witness: Witness{Set: nodes[:1], Links: t.Degree()}}
}
