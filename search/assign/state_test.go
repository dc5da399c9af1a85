package assign

import (
	"math"
	"testing"

	"leeway/core/coretest"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/searchtest"
)

// TestLoads: after changes that are kept and dropped the loads are those of the table, and the costs those of the
// loads, pair by pair and by trees.
func TestLoads(t *testing.T) {
	tried, byTrees := 0, 0
	for i := range coretest.Cases(400, 100) {
		rng := coretest.Rng(3514, i)
		p, ok := searchtest.Assigned(rng, 12, 8)
		if !ok {
			continue
		}
		table := coretest.Must(fast.NewAssigned(p))
		forest := newTrees(p, table, orders(p.Routing))
		for _, shared := range []*trees{nil, forest} {
			s := newState(p, table, partners(p.Traffic.Matrix), shared, search.Draw(p, rng).Tasks())
			if len(s.free) == 0 {
				continue
			}
			for range 30 {
				task, other, to, ok := s.draw(rng)
				if !ok {
					continue
				}
				before := sum(s.costs)
				grows := s.try(task, other, to)
				if rng.IntN(2) == 0 {
					s.drop()
					continue
				}
				s.keep(task, other, to)
				if math.Abs(sum(s.costs)-before-grows) > 1e-6*(1+math.Abs(grows)) {
					t.Fatalf("case %d, %s: costs grow by %v, not %v", i, p, sum(s.costs)-before, grows)
				}
			}
			for l, units := range table.Units(s.at) {
				if s.loads[l] != float64(units) || s.delta[l] != 0 {
					t.Fatalf("case %d, %s, trees %v: load %d is %v, not %d", i, p, shared != nil, l, s.loads[l], units)
				}
			}
			if tried++; shared != nil {
				byTrees++
			}
		}
	}
	if byTrees < tried/4 || byTrees == tried {
		t.Errorf("%d of %d by trees", byTrees, tried)
	}
}

func sum(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}
