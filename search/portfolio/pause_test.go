package portfolio_test

import (
	"slices"
	"testing"

	"leeway/search"
	"leeway/search/portfolio"
)

// TestPause: a method that says that it takes nine turns as long rests until quotas have grown to a quarter of that:
// 9/4 is 1.5^2, so it passes over two epochs. That is after the second, before which it had met no start: 21250 are
// spent when its time has come, and 18750 are less than two epochs. One that takes four turns goes on.
func TestPause(t *testing.T) {
	for _, c := range []struct {
		turns  int64
		quotas []int64 // of the method that pauses
	}{{0, []int64{2000, 3000, 4500, 10_500}}, {4, []int64{2000, 3000, 4500, 10_500}}, {9, []int64{2000, 3000, 9375}}} {
		a := plays("a", act{nodes: row, reason: search.Spent})
		b := plays("b", act{reason: search.Spent, turns: c.turns})
		got := run(t, square(), portfolio.Options{}, a, b)
		var quotas []int64
		for _, p := range b.turns {
			quotas = append(quotas, p.Evaluations)
		}
		if !slices.Equal(quotas, c.quotas) || got.Evaluations != 40_000 {
			t.Errorf("%d turns: quotas %v, want %v", c.turns, quotas, c.quotas)
		}
	}
}

// TestPauseEnds when all others rest, and by a better placement.
func TestPauseEnds(t *testing.T) {
	a := plays("a", act{nodes: row, reason: search.Complete})
	b := plays("b", act{nodes: diagonal, reason: search.Spent, turns: 1000}, act{reason: search.Complete})
	got := run(t, square(), portfolio.Options{}, a, b)
	if len(b.turns) != 2 || got.Reason != search.Complete || got.State.Methods[1].Until != 0 {
		t.Errorf("all rest: %d turns, %s", len(b.turns), got.Reason)
	}
	c := plays("c", act{nodes: row, reason: search.Spent}, act{nodes: diagonal, reason: search.Spent},
		act{reason: search.Spent})
	d := plays("d", act{reason: search.Spent, turns: 1 << 62})
	got = run(t, square(), portfolio.Options{}, c, d)
	if len(d.turns) != 3 || got.State.Methods[1].Until <= got.State.Epoch {
		t.Errorf("better placements: %d turns, until %d", len(d.turns), got.State.Methods[1].Until)
	}
}
