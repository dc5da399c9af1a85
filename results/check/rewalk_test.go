package check

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// TestRewalkAddsUp walks trees in random pieces: together these have the nodes and the sum of one walk, a limit ends a
// piece, and trees that there are not are refused.
func TestRewalkAddsUp(t *testing.T) {
	nodes := map[string]int64{}
	for _, c := range []struct {
		dims    []int
		routing string
		size    int
		engine  string
		split   int
	}{{[]int{4, 5}, "udr:tie=both", 6, "orderly", 3}, {[]int{5, 5}, "odr", 5, "margin", 0},
		{[]int{5, 5}, "odr", 9, "margin", 0}, {[]int{5, 5}, "odr", 11, "margin", 0},
		{[]int{3, 3, 3}, "odr", 5, "levels", 0}} {
		r, err := routing.Parse(core.MustTorus(c.dims...), c.routing)
		if err != nil {
			t.Fatal(err)
		}
		p, below := objective.Problem{Routing: r, Size: c.size}, big.NewRat(1, 4)
		for next := below; mustRewalk(t, p, next, c.engine, c.split).Found == nil; next = new(big.Rat).Add(next,
			big.NewRat(1, 4)) {
			below = next // the largest below which there is none
		}
		w, err := NewRewalk(t.Context(), p, below, c.engine, c.split)
		if err != nil {
			t.Fatal(err)
		}
		n := len(w.Prefixes())
		all := w.Walk(t.Context(), 0, n, math.MaxInt64)
		if all.Found != nil || all.Ended {
			t.Fatalf("%s: %+v in %d prefixes", c.engine, all, n)
		}
		nodes[c.engine] += all.Nodes
		random := rand.New(rand.NewPCG(1, 5))
		var sum Count
		for at := 0; at < n; {
			to := min(n, at+1+random.IntN(7))
			part := w.Walk(t.Context(), at, to, math.MaxInt64)
			sum.Nodes, sum.Sum, at = sum.Nodes+part.Nodes, sum.Sum+part.Sum, to
		}
		if sum.Nodes != all.Nodes || sum.Sum != all.Sum {
			t.Errorf("%s: pieces have %+v, all %+v", c.engine, sum, all)
		}
		if all.Nodes > 0 && !w.Walk(t.Context(), 0, n, all.Nodes-1).Ended {
			t.Errorf("%s: a limit of one node less does not end the walk", c.engine)
		}
		if _, err := NewRewalk(context.Background(), p, below, "sat", 0); err == nil {
			t.Error("there is no tree of sat")
		}
	}
	if nodes["orderly"] == 0 || nodes["margin"] == 0 {
		t.Errorf("trees without nodes show nothing: %v", nodes)
	}
}

func mustRewalk(t *testing.T, p objective.Problem, below *big.Rat, engine string, split int) Count {
	t.Helper()
	w, err := NewRewalk(t.Context(), p, below, engine, split)
	if err != nil {
		t.Fatal(err)
	}
	return w.Walk(t.Context(), 0, len(w.Prefixes()), math.MaxInt64)
}
