package opb_test

import (
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/opb"
	"leeway/objective"
	"leeway/search/searchtest"
)

// TestConditionsAgainstAllSets: on random tori and networks with fixed and forbidden nodes the rows hold for exactly
// those sets of nodes that are placements of the problem with E_max below the value.
func TestConditionsAgainstAllSets(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(240, 60) {
		rng := coretest.Rng(88, i)
		p := searchtest.ConditionedOn(rng, coretest.AnyNetwork(rng, 8))
		below := searchtest.Optimum(p)
		if i%2 == 0 {
			below.Add(below, big.NewRat(1, 1000))
		}
		if p.Routing.DependsOnPlacement() {
			continue
		}
		m := coretest.Must(opb.New(t.Context(), p, below, opb.Options{Strengthen: i%3 == 0}))
		if p.Conditioned() && !p.Torus().Plain() {
			tried++
		}
		n := p.Torus().N()
		for mask := uint64(0); mask < 1<<n; mask++ {
			value := make([]int64, m.Vars()+1)
			for q := range n {
				value[q+1] = int64(mask >> q & 1)
				for v := range q {
					value[n+q*(q-1)/2+v+1] = int64(mask >> q & 1 & (mask >> v))
				}
			}
			holds := true
			m.Rows(func(r opb.Row) bool {
				sum := int64(0)
				for _, term := range r.Terms {
					sum += term.Coef * value[term.Var]
				}
				holds = sum == r.Bound || !r.Equal && sum > r.Bound
				return holds
			})
			s := core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())
			want := s.Size() == p.Size && p.Admits(s)
			if want {
				most, _ := objective.Naive(p.Routing, s).Max()
				want = most.Cmp(below) < 0
			}
			if holds != want {
				t.Fatalf("%s below %s: %v holds %v", p, below.RatString(), s.Nodes(), holds)
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d problems", tried)
	}
}
