package exchange

import (
	"context"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
	"leeway/results/schedules"
)

// planFor returns the schedule of a plan for a torus.
func planFor(t *testing.T, torus string, make func(*core.Torus, wormhole.Variant) (*wormhole.Plan, error),
	v wormhole.Variant) exchange.Schedule {
	t.Helper()
	tor := coretest.Must(core.ParseTorus(torus))
	p := coretest.Must(make(tor, v))
	return p.Schedule()
}

// TestPlansAreExchanges puts T1, T4, C1 and C64 through the checker. Startups and transmission are those of the
// formulas of seed 004 with T(1..4) = 1, 4, 14, 45. The startups of C64, 8d-15, are 9 to prepare and four rings of
// 2^(d-2) with 2(d-2)-2 each; at d = 3 these are rings of 2, which need 1 and not 0.
func TestPlansAreExchanges(t *testing.T) {
	for _, c := range []struct {
		name, torus            string
		make                   func(*core.Torus, wormhole.Variant) (*wormhole.Plan, error)
		startups, transmission int
	}{
		{"t1", "4x4", wormhole.ByAxes, 2 * 2, 2 * 4 * 4}, {"t1", "8x8", wormhole.ByAxes, 2 * 4, 2 * 8 * 14},
		{"t4", "8x8", wormhole.T4, 4*3 - 6, 64 + 8*4*4}, {"t4", "16x16", wormhole.T4, 4*4 - 6, 256 + 8*8*14},
		{"c1", "4x4x4", wormhole.ByAxes, 3 * 2, 3 * 16 * 4}, {"c64", "8x8x8", wormhole.C64, 9 + 4*1, 9*256 + 256*4*1},
	} {
		if testing.Short() && c.torus == "8x8x8" {
			continue
		}
		v := verdictOn(planFor(t, c.torus, c.make, wormhole.Published))
		if v.Verdict != valid || v.Phases != c.startups || v.Transmission != int64(c.transmission) {
			t.Errorf("%s on %s: %s %s, %d startups, %d blocks; want %d, %d", c.name, c.torus, v.Verdict, v.Reason,
				v.Phases, v.Transmission, c.startups, c.transmission)
		}
		if v := verdictOn(planFor(t, c.torus, c.make, wormhole.Balanced)); v.Verdict != valid || v.Phases > c.startups {
			t.Errorf("%s balanced on %s: %s %s, %d startups", c.name, c.torus, v.Verdict, v.Reason, v.Phases)
		}
	}
}

// asFile returns head and phases as a file has them.
func asFile(s exchange.Schedule) (exchange.Head, []exchange.Phase) {
	var phases []exchange.Phase
	for phase := range schedules.WithContext(context.Background(), s.Phases) {
		phase = slices.Clone(phase)
		for i := range phase {
			phase[i].Blocks = slices.Clone(phase[i].Blocks)
		}
		phases = append(phases, phase)
	}
	return s.Head, phases
}
