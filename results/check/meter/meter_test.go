package meter

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
)

// TestMeterEndsAtItsLimit takes exactly as many steps as it may, from one goroutine and from several.
func TestMeterEndsAtItsLimit(t *testing.T) {
	for _, most := range []int64{1, 100, Grain, 10*Grain + 7} {
		for _, workers := range []int64{1, 3} {
			for _, more := range []int64{0, 1} {
				m := New(t.Context(), 50, most)
				var all sync.WaitGroup
				for i := range workers {
					all.Go(func() {
						own := m.Fork()
						own.Run(func() {
							for range (most + more + i) / workers {
								own.Charge(1)
							}
						})
					})
				}
				all.Wait()
				var tooMany *StepsError
				if err := m.Run(func() {}); errors.As(err, &tooMany) != (more == 1) {
					t.Errorf("%d steps of %d by %d workers: %v", most+more, most, workers, err)
				}
			}
		}
	}
}

// TestMeterGrowsWithTheFile: a step more than what the bytes allow is too many, and what does not fit an int64 is.
func TestMeterGrowsWithTheFile(t *testing.T) {
	for _, bytes := range []int64{0, 600, 1 << 40, math.MaxInt64} {
		m := New(t.Context(), bytes, 0)
		if m.Left() < baseSteps || bytes == 600 && m.Left() != baseSteps+600*(stepsPerByte+headSteps) {
			t.Errorf("%d bytes allow %d steps", bytes, m.Left())
		}
		if err := m.Run(func() { m.Charge(m.Left()) }); err != nil {
			t.Errorf("%d bytes: all steps: %v", bytes, err)
		}
		if err := m.Run(func() { m.Charge(1) }); err == nil {
			t.Errorf("%d bytes: one step more was taken", bytes)
		}
	}
	m := New(t.Context(), 600, 0)
	var tooMany *StepsError
	if err := m.Run(func() { m.ChargeAll(1<<40, 1<<40, 1<<40) }); !errors.As(err, &tooMany) ||
		tooMany.Most != baseSteps+600*(stepsPerByte+headSteps) {
		t.Errorf("a large product: %v", err)
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
