package schedules_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/schedules"
)

func planOf(t *testing.T, sides ...int) exchange.Schedule {
	t.Helper()
	p, err := exchange.ByAxes(core.MustTorus(sides...), exchange.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	return p.Schedule()
}

// TestPhasesSayTheSame compares every send with that of the schedule.
func TestPhasesSayTheSame(t *testing.T) {
	s := planOf(t, 4, 4)
	next, stop := iter.Pull(s.Phases)
	defer stop()
	phases := 0
	for have, err := range schedules.Phases(context.Background(), s) {
		want, ok := next()
		if err != nil || !ok || len(have) != len(want) {
			t.Fatalf("phase %d: %v, %d sends, want %d", phases, err, len(have), len(want))
		}
		for i, w := range want {
			h := have[i]
			same := slices.EqualFunc(h.Blocks, w.Blocks, func(a results.ScheduleBlock, b exchange.Block) bool { return a.From == b.From && a.To == b.To })
			if h.From != w.From || h.To != w.To || h.Axis != w.Axis || h.Dir != w.Dir || h.Path != nil || !same {
				t.Fatalf("phase %d: %+v, want %+v", phases, h, w)
			}
		}
		phases++
	}
	if _, more := next(); more || phases == 0 {
		t.Errorf("%d phases, more: %v", phases, more)
	}
}

// TestPhasesEndWithTheContext expects the error of the context and nothing else.
func TestPhasesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	phases := 0
	for _, err := range schedules.Phases(ctx, planOf(t, 4, 4)) {
		if cancel(); err != nil {
			if !errors.Is(err, context.Canceled) || phases != 1 {
				t.Errorf("%v after %d phases", err, phases)
			}
			return
		}
		phases++
	}
	t.Errorf("%d phases, no error", phases)
}

// TestDirectIsValid puts sends that turn through the checker, which follows their paths.
func TestDirectIsValid(t *testing.T) {
	for _, text := range []string{"odr", "odr:order=1,0:tie=both", "udr:tie=both"} {
		r, err := routing.Parse(core.MustTorus(4, 5), text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := family.Parse(r.Torus(), "nodes:0,0+1,3+2,1+3,4")
		if err != nil {
			t.Fatal(err)
		}
		k, err := exchange.PackWormhole(r, p)
		if err != nil {
			t.Fatal(err)
		}
		head := results.Schedule{Name: "direct", Model: results.Wormhole, Participants: k.Processors,
			Axes: []results.ScheduleAxis{{Kind: results.AxisRing, Nodes: 4}, {Kind: results.AxisRing, Nodes: 5}}}
		if v := check.Exchange(head, schedules.Direct(k)); v.Verdict != check.Valid || v.Phases != len(k.Phases) {
			t.Errorf("%s: %s %v, %d phases", text, v.Verdict, v, v.Phases)
		}
	}
}
