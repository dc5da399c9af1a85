package family

import (
	"fmt"

	"leeway/core"
)

// Baseline returns the text form of the papers' placement of n processors on t,
// linear for n = k^(d-1) and multilinear:t=n/k^(d-1) for its multiples, and
// whether there is one: the sides must be equal and n such a multiple.
func Baseline(t *core.Torus, n int) (string, bool) {
	k, ok := t.Common()
	if !ok || n < 1 || n > t.N() || n%(t.N()/k) != 0 {
		return "", false
	}
	if count := n / (t.N() / k); count > 1 {
		return fmt.Sprintf("multilinear:t=%d", count), true
	}
	return "linear", true
}
