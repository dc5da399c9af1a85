package assigned_test

import (
	"math/big"
	"testing"

	"leeway/core/coretest"
	"leeway/objective"
	"leeway/results/check/assigned"
	"leeway/results/check/meter"
	"leeway/search/searchtest"
)

// TestAgainstAllAssignments: no bound is above the least E_max of all assignments, by the definition, and some are
// that. No assignment is below it, one is below anything more.
func TestAgainstAllAssignments(t *testing.T) {
	tried, tight := 0, map[string]int{}
	for i := range coretest.Cases(300, 80) {
		p, ok := searchtest.Assigned(coretest.Rng(3510, i), 7, 4)
		if !ok {
			continue
		}
		tried++
		m, least := meter.Unlimited(t.Context()), searchtest.LeastAssigned(p)
		for _, b := range assigned.Bounds(m, p) {
			switch b.Value.Cmp(least) {
			case 1:
				t.Errorf("case %d, %s: bound %s is %s, least %s", i, p, b.Name, b.Value, least)
			case 0:
				tight[b.Name]++
			}
		}
		if a := assigned.PlacementBelow(m, p, least); a != nil {
			t.Errorf("case %d, %s: %v is below %s", i, p, a, least)
		}
		above := new(big.Rat).Add(least, big.NewRat(1, 1000))
		a := assigned.PlacementBelow(m, p, above)
		if placed := coretest.Must(p.Place(a)); a == nil || p.Refusal(placed) != "" {
			t.Fatalf("case %d, %s: %v, least %s", i, p, a, least)
		} else if most, _ := p.Naive(placed).Max(); most.Cmp(least) != 0 {
			t.Errorf("case %d, %s: %v has %s, least %s", i, p, a, most, least)
		}
	}
	if tried < 25 || len(tight) < 3 {
		t.Errorf("%d cases, %v tight", tried, tight)
	}
}

// TestEnds: the meter ends it.
func TestEnds(t *testing.T) {
	p, ok := objective.Problem{}, false
	for i := 0; !ok || p.Traffic.Matrix.Tasks < 4; i++ {
		p, ok = searchtest.Assigned(coretest.Rng(3512, i), 7, 5)
	}
	m := meter.New(t.Context(), meter.Limits{Steps: 100})
	if err := m.Run(func() { assigned.PlacementBelow(m, p, big.NewRat(1, 1000)) }); err == nil {
		t.Error("100 steps are enough")
	}
}
