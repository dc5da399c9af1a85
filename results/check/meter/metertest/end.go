// Package metertest ends checks early. Only tests import it.
package metertest

import (
	"testing"

	"leeway/core/coretest"
	"leeway/results/check/meter"
)

// EndEverywhere runs a check whole and then again, ending its context when it has looked at it once, twice and so on,
// at first each time, then in longer and longer jumps. The check must end within the next looks of its workers,
// and at its end. Its budget is as small as can be, so that it looks every few steps.
func EndEverywhere(t testing.TB, name string, f func(m *meter.Meter) error) {
	t.Helper()
	most := int64(1 << 17)
	run := func(end int) (int, error) {
		ctx := coretest.EndsAfter(end)
		err := f(meter.New(ctx, meter.Limits{Steps: most}))
		return int(ctx.Looks()), err
	}
	all, err := run(1 << 30)
	for ; err != nil && most < 1<<30; all, err = run(1 << 30) {
		most *= 4
	}
	if err != nil || all < 3 {
		t.Fatalf("%s: %d looks: %v", name, all, err)
	}
	for k := 0; k < all; k += 1 + k/8 {
		if looks, err := run(k); err == nil || looks > k+64 {
			t.Errorf("%s: ended after %d of %d looks it came to %d: %v", name, k, all, looks, err)
		}
	}
}
