package family

import (
	"math/rand/v2"

	"leeway/core"
)

// Random returns n distinct nodes drawn uniformly by Floyd's method from the PCG
// generator with the given seed. It panics unless 0 <= n <= N.
func Random(t *core.Torus, n int, seed uint64) core.Placement {
	return Draw(t, n, rand.New(rand.NewPCG(seed, 0)))
}

// Draw is Random from a generator of the caller's.
func Draw(t *core.Torus, n int, rng *rand.Rand) core.Placement {
	if n < 0 || n > t.N() {
		panic("family: size outside the torus")
	}
	set := core.NewSet(t.N())
	for top := t.N() - n; top < t.N(); top++ {
		if v := rng.IntN(top + 1); set.Has(v) {
			set.Add(top)
		} else {
			set.Add(v)
		}
	}
	return core.MustPlacement(t, set.Nodes())
}
