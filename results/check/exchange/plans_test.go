package exchange

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/objective/exchange/wormhole"
	"leeway/results/schedules"
)

// planFor returns the schedule of a plan for a torus.
func planFor(t *testing.T, torus string, make func(*core.Torus, wormhole.Variant) (*wormhole.Plan, error),
	v wormhole.Variant) exchange.Schedule {
	t.Helper()
	tor, err := core.ParseTorus(torus)
	if err != nil {
		t.Fatal(err)
	}
	p, err := make(tor, v)
	if err != nil {
		t.Fatal(err)
	}
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

// TestChangedSchedulesNamePhaseAndLink moves, doubles and drops a send of schedules of both models: what the twin finds
// wrong must be wrong in the same phase, with a link that leaves the node of the send, or the node where an undelivered
// block stands.
func TestChangedSchedulesNamePhaseAndLink(t *testing.T) {
	a2, err := steps.ProductA2(parsed(t, "ring:4,ring:3"))
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := steps.Pack(parsed(t, "path:2,path:4"), nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 0))
	for _, s := range []exchange.Schedule{a2.Schedule, mesh.Schedule, planFor(t, "4x4", wormhole.T4, wormhole.Balanced),
		planFor(t, "3x5", wormhole.ByAxes, wormhole.Published), planFor(t, "2x2x4", wormhole.ByAxes,
			wormhole.Published)} {
		head, base := asFile(s)
		if twin(head, base) != -1 {
			t.Fatalf("%s is wrong", s.Name)
		}
		changed := map[string]int{}
		for range rounds(400) {
			phases := cloned(base)
			i, k := rng.IntN(len(phases)), rng.IntN(len(phases))
			j := rng.IntN(len(phases[i]))
			send := phases[i][j]
			change := []string{"moved", "doubled", "dropped"}[rng.IntN(3)]
			if change != "doubled" {
				phases[i] = slices.Delete(phases[i], j, j+1)
			}
			if change != "dropped" {
				phases[k] = append(phases[k], send)
			}
			want, v := twin(head, phases), follow(head, listed(phases))
			if want == -1 {
				if v.Verdict != valid {
					t.Fatalf("%s, %s: %s", s.Name, change, v.Reason)
				}
				continue
			}
			if v.Fault == nil || v.Fault.Phase != min(want, len(phases)-1) || v.Fault.Link == nil {
				t.Fatalf("%s, %s: want phase %d, have %+v: %s", s.Name, change, want, v.Fault, v.Reason)
			}
			if f := v.Fault; f.Send >= 0 && f.Rule != ruleLink && f.Link.From != int(phases[f.Phase][f.Send].From) {
				t.Fatalf("%s, %s: the link %v is not that of send %d", s.Name, change, f.Link, f.Send)
			}
			changed[change]++
		}
		for _, change := range []string{"moved", "doubled", "dropped"} {
			if changed[change] < rounds(400)/8 {
				t.Errorf("%s: %d are wrong after a send was %s", s.Name, changed[change], change)
			}
		}
	}
}
