package core_test

import (
	"context"
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestWatch looks once in a given number of steps, and keeps the error that it saw.
func TestWatch(t *testing.T) {
	ctx := coretest.EndsAfter(2)
	w := core.NewWatch(ctx)
	steps := 0
	for w.Err(1) == nil {
		steps++
	}
	if !errors.Is(w.Err(1), context.Canceled) || ctx.Looks() != 3 || steps < 1000 {
		t.Errorf("ended after %d steps and %d looks with %v", steps, ctx.Looks(), w.Err(1))
	}
	if w := core.NewWatch(coretest.EndsAfter(0)); w.Err(1) != nil || w.Err(1<<30) == nil {
		t.Error("many steps at once are not counted")
	}
	if err := (*core.Watch)(nil).Err(1 << 30); err != nil {
		t.Errorf("no watch ends with %v", err)
	}
}
