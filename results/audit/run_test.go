package audit

import (
	"context"
	"reflect"
	"testing"
)

// TestCancelled: once the context is done what is not finished is untested, also the claim during which it happens.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	claims := []Claim{
		{ID: "before", Check: func(context.Context, Limits) Finding { return Finding{Verdict: Holds} }},
		{ID: "during", Check: func(context.Context, Limits) Finding { cancel(); return Finding{Verdict: Fails} }},
		{ID: "after", Check: func(context.Context, Limits) Finding {
			t.Error("checked after the " +
				"end")
			return Finding{}
		}},
	}
	var verdicts []string
	for _, f := range Run(ctx, claims, Limits{MaxK: 4}, 1) {
		verdicts = append(verdicts, f.Verdict)
	}
	if want := []string{Holds, Untested, Untested}; !reflect.DeepEqual(verdicts, want) {
		t.Errorf("verdicts %v, want %v", verdicts, want)
	}
}

// TestStoppedByTheReader: breaking off the loop ends the workers.
func TestStoppedByTheReader(t *testing.T) {
	begun, done := make(chan struct{}), make(chan struct{})
	claims := []Claim{
		// A claim that was not begun before the loop is broken off is never checked.
		{ID: "first", Check: func(context.Context, Limits) Finding { <-begun; return Finding{Verdict: Holds} }},
		{ID: "second", Check: func(ctx context.Context, _ Limits) Finding {
			close(begun)
			<-ctx.Done()
			close(done)
			return Finding{}
		}},
	}
	for range Run(context.Background(), claims, Limits{MaxK: 4}, 2) {
		break
	}
	<-done
}
