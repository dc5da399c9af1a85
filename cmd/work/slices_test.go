package work

import (
	"bytes"
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
	"leeway/search/searchtest"
)

// inSlices has a refuter write a proof in slices of few steps, and returns what the kernel makes of them.
func inSlices(t *testing.T, r refuters.Refuter, p objective.Problem, below *big.Rat, few int64, front *check.Front,
	workers int, keep func(check.Accepted)) error {
	t.Helper()
	question := coretest.Must(check.Prepare(p, below, false, free))
	return front.Work(t.Context(), workers, func(ctx context.Context, s kernel.Slice) (check.Accepted, error) {
		cut := steps.Cut{Name: s.Name, Leave: func(_ []int, written int64) bool { return written >= few }}
		return check.FollowSlice(ctx, question, s, free, func(ctx context.Context, to io.Writer) error {
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
		list, _ := refuters.Supporting(p)
		for _, engine := range list {
			few := int64(r.IntN(30))
			_, whole := check.Follow(t.Context(), p, least, false, free, func(ctx context.Context, to io.Writer) error {
				return engine.Write(ctx, p, least, false, steps.Cut{}, to)
			})
			var mu sync.Mutex
			var before []check.Accepted
			front := check.NewFront(nil)
			alone := inSlices(t, engine, p, least, few, check.NewFront(nil), 1, nil)
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
			again := check.NewFront(before[:r.IntN(len(before)+1)])
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

// TestHostileWorkers has workers write about slices what they like: what is accepted proves what one machine proves,
// and nothing is proved that is not so.
func TestHostileWorkers(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 6)
	best := searchtest.Optimum(p)
	above := new(big.Rat).Add(best, big.NewRat(1, 10))
	of := func(q objective.Problem, below *big.Rat, cut steps.Cut) []byte {
		var out bytes.Buffer
		_ = engine.Write(t.Context(), q, below, false, cut, &out) // what there is
		return out.Bytes()
	}
	leave := func(few int64, name []int) steps.Cut {
		return steps.Cut{Name: name, Leave: func(_ []int, written int64) bool { return written >= few }}
	}
	for what, c := range map[string]struct {
		write func(name []int) []byte
		right bool
	}{
		"right":            {func(name []int) []byte { return of(p, best, leave(30, name)) }, true},
		"other cuts":       {func(name []int) []byte { return of(p, best, leave(int64(10*len(name)), name)) }, true},
		"cut":              {func(name []int) []byte { s := of(p, best, leave(30, name)); return s[:len(s)/2] }, false},
		"more":             {func(name []int) []byte { return append(of(p, best, leave(30, name)), 16) }, false},
		"nothing":          {func([]int) []byte { return []byte{} }, false},
		"another question": {func(name []int) []byte { return of(p, big.NewRat(1, 1), leave(30, name)) }, false},
		"another size":     {func(name []int) []byte { return of(p.WithSize(8), best, leave(30, name)) }, false},
		"another slice":    {func(name []int) []byte { return of(p, best, leave(30, append(slices.Clone(name), 1))) }, false},
		"itself": {func(name []int) []byte {
			return append([]byte("leeway steps 1\n\x12"), nameText(name)...)
		}, false},
		"below itself": {func(name []int) []byte {
			return append([]byte("leeway steps 1\n\x12"), nameText(append(slices.Clone(name), 0))...)
		}, false},
		"another name": {func(name []int) []byte {
			s, left := of(p, best, leave(20, name)), append(slices.Clone(name), 0)
			prefix := append([]byte{18}, nameText(left)...)
			if at := bytes.Index(s, prefix[:len(prefix)-1]); at > 0 {
				s[at+len(prefix)-1] ^= 1
				return s
			}
			return nil
		}, false},
	} {
		s, _ := session(t)
		h := &fakeHead{write: func(_ refuters.Shared, name []int) []byte { return c.write(name) }}
		s.Head = h
		m := s.slicedMethod(Task{Problem: p, Proof: &Proof{Engine: "orderly"}}, engine)
		if _, err := m.Prove(t.Context(), best, 0, nil, func(int64, int, int) {}); err != nil || (h.wrong == 0) != c.right {
			t.Errorf("%s: %d streams refused, %v", what, h.wrong, err)
		}
		if _, err := m.Prove(t.Context(), above, 0, nil, func(int64, int, int) {}); placed(err) == nil {
			t.Errorf("%s: none is below %s: %v", what, above, err)
		}
	}
}

// nameText is how a stream has a name of small numbers.
func nameText(name []int) []byte {
	text := []byte{byte(len(name))}
	for _, n := range name {
		text = append(text, byte(n))
	}
	return text
}
