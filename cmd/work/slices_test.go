package work

import (
	"context"
	"errors"
	"io"
	"math/big"
	"slices"
	"sync"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/search/counts"
	"leeway/search/orderly"
	"leeway/search/refuters"
)

// inSlices has a refuter write a proof in slices of few steps, and returns what the kernel makes of them.
func inSlices(t *testing.T, r refuters.Refuter, p objective.Problem, below *big.Rat, few int64, front *check.Front,
	workers int, keep func(check.Accepted)) error {
	t.Helper()
	return front.Work(t.Context(), workers, func(ctx context.Context, s kernel.Slice) (check.Accepted, error) {
		cut := steps.Cut{Name: s.Name, Leave: func(_ []int, written int64) bool { return written >= few }}
		return check.FollowSlice(ctx, p, below, s, free, func(ctx context.Context, to io.Writer) error {
			return r.Write(ctx, p, below, false, cut, to)
		})
	}, keep)
}

// placed returns the nodes of the placement that an error has found, nil without one.
func placed(err error) []int {
	byCounts, byOrderly := (*counts.PlacementError)(nil), (*orderly.PlacementError)(nil)
	switch {
	case errors.As(err, &byCounts):
		return byCounts.Placement.Nodes()
	case errors.As(err, &byOrderly):
		return byOrderly.Placement.Nodes()
	}
	return nil
}

// TestSlicesOfRefuters: in slices of any length an engine proves what it proves in one stream, or finds a placement,
// the same whatever the number of workers, and also where it was stopped on the way.
func TestSlicesOfRefuters(t *testing.T) {
	cut := 0
	for i := range coretest.Cases(1500, 150) {
		r := coretest.Rng(41, i)
		p, _, values := drawQuestion(t, i)
		if len(values) == 0 {
			continue
		}
		least := slices.MinFunc(values, (*big.Rat).Cmp)
		if i%4 == 0 {
			least = new(big.Rat).Add(least, big.NewRat(1, 100))
		}
		list, _ := refuters.Of(p)
		for _, engine := range list {
			few := int64(r.IntN(30))
			_, whole := check.Follow(t.Context(), p, least, false, free, func(ctx context.Context, to io.Writer) error {
				return engine.Write(ctx, p, least, false, steps.Cut{}, to)
			})
			var mu sync.Mutex
			var before []check.Accepted
			front := check.NewFront(nil, nil)
			alone := inSlices(t, engine, p, least, few, check.NewFront(nil, nil), 1, nil)
			err := inSlices(t, engine, p, least, few, front, 3, func(a check.Accepted) {
				mu.Lock()
				defer mu.Unlock()
				before = append(before, a)
			})
			if (whole == nil) != (err == nil) || (placed(whole) == nil) != (placed(err) == nil) {
				t.Fatalf("case %d: %s, %s below %s: %v in one stream, in slices %v", i, engine.Name, p, least, whole, err)
			}
			if !slices.Equal(placed(alone), placed(err)) {
				t.Fatalf("case %d: %s, %s below %s: one worker finds %v, three %v", i, engine.Name, p, least, placed(alone),
					placed(err))
			}
			if err != nil {
				continue
			}
			cut += len(before)
			r.Shuffle(len(before), func(i, j int) { before[i], before[j] = before[j], before[i] })
			again := check.NewFront(before[:r.IntN(len(before)+1)], nil)
			if err := inSlices(t, engine, p, least, few, again, 1, nil); err != nil {
				t.Fatalf("case %d: %s, %s below %s: resumed: %v", i, engine.Name, p, least, err)
			}
			if a, b := front.Stream(), again.Stream(); a.Steps != b.Steps || a.Bytes != b.Bytes || a.SHA256 != b.SHA256 {
				t.Fatalf("case %d: %s, %s below %s: %v, resumed %v", i, engine.Name, p, least, a, b)
			}
		}
	}
	t.Logf("%d slices", cut)
}
