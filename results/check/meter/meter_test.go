package meter

import (
	"context"
	"errors"
	"testing"
)

// TestMeterEndsAtItsLimit takes exactly as many steps as it may, and one more.
func TestMeterEndsAtItsLimit(t *testing.T) {
	for _, most := range []int64{1, 100, Grain, 10*Grain + 7} {
		for _, more := range []int64{0, 1} {
			m := New(t.Context(), Limits{Steps: most})
			err := m.Run(func() {
				for range most + more {
					m.Charge(1)
				}
			})
			var tooMany *LimitError
			if errors.As(err, &tooMany) != (more == 1) || m.Steps() > most {
				t.Errorf("%d steps of %d: %v", most+more, most, err)
			}
		}
	}
}

// TestDefaultLimits: without limits there are the default ones; a step more than these is too many, and so is what does
// not fit an int64.
func TestDefaultLimits(t *testing.T) {
	m := New(t.Context(), Limits{})
	if err := m.Run(func() { m.Charge(m.Left()) }); err != nil || m.Steps() != 10_000_000_000 {
		t.Errorf("%d steps: %v", m.Steps(), err)
	}
	if err := m.Run(func() { m.Charge(1); m.Must() }); err == nil {
		t.Error("one step more was taken")
	}
	m = New(t.Context(), Limits{})
	var tooMany *LimitError
	if err := m.Run(func() { m.ChargeAll(1<<40, 1<<40, 1<<40) }); !errors.As(err, &tooMany) ||
		tooMany.Error() != "not checked: it takes more than 10000000000 steps; --steps allows more" {
		t.Errorf("a large product: %v", err)
	}
}

// TestNeed: what needs more steps than are left ends the check at once, what does not takes none.
func TestNeed(t *testing.T) {
	m := New(t.Context(), Limits{Steps: 100})
	err := m.Run(func() { m.Charge(40); m.Need(60); m.Must() })
	if err != nil || m.Steps() != 40 {
		t.Errorf("%d steps, %v", m.Steps(), err)
	}
	went := false
	if err := m.Run(func() { m.Need(61); went = true }); err == nil || went {
		t.Errorf("more than are left: %v", err)
	}
	if err := Unlimited(t.Context()).Run(func() { Unlimited(t.Context()).Need(None) }); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

// TestMemoryEndsACheck: what holds more memory than it may ends within some steps, and garbage does not count.
func TestMemoryEndsACheck(t *testing.T) {
	const most = 1 << 28
	for _, keep := range []bool{false, true} {
		var held [][]byte
		m := New(t.Context(), Limits{Memory: most})
		err := m.Run(func() {
			for range 24 {
				m.Charge(lookEvery)
				piece := make([]byte, lookEvery)
				if keep {
					held = append(held, piece)
				}
			}
		})
		var limit *LimitError
		if errors.As(err, &limit) != keep || keep && limit.Flag != "--memory" {
			t.Errorf("%d pieces are kept: %v", len(held), err)
		}
	}
}

// TestForeignWorkIsLeft: what another package does in one piece holds nobody up.
func TestForeignWorkIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m, release := Unlimited(ctx), make(chan struct{})
	defer close(release)
	err := m.Run(func() { m.Foreign(1, func() { cancel(); <-release }) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// TestOnceChargesTheSame: what is kept is not found again, and charged as if it were.
func TestOnceChargesTheSame(t *testing.T) {
	kept, calls := new(Kept), 0
	for _, name := range []string{"a", "a", "b", "a"} {
		m := Unlimited(t.Context())
		m.Keep(kept)
		m.Charge(7)
		if found := Once(m, name, func() string { m.Charge(100); calls++; return name }); found != name {
			t.Errorf("%s was found for %s", found, name)
		}
		if m.Must(); m.Steps() != 107 {
			t.Errorf("%s takes %d steps, not 107", name, m.Steps())
		}
	}
	if calls != 2 {
		t.Errorf("found %d times, not twice", calls)
	}
}
