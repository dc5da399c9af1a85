package work

import (
	"context"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/atlas"
)

// TestFromAtlas: a proof or a search that has no time at all says of a cell no less than the atlas does: no larger
// E_max and no smaller bound, and what it calls optimal the checker repeats. Without the atlas it does not.
func TestFromAtlas(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	stopped, stop := context.WithCancel(t.Context())
	stop()
	solve := func(s Session, c atlas.Cell, proof *Proof) *results.Record {
		p := coretest.Must(c.Key().Problem())
		answer, err := s.Solve(stopped, Task{Problem: p, Budget: Budget{Seed: 1}, Proof: proof})
		if err != nil && s.Atlas != nil {
			t.Fatalf("%s: %v", c.Key(), err)
		}
		return answer.Record
	}
	knows := Session{Version: "test", Command: []string{}, Workers: 1,
		Atlas: func(int) (*atlas.Atlas, error) { return view, nil }}
	worse, checked := 0, 0
	cells, _ := view.Cells(atlas.Filter{})
	for i, c := range cells {
		if c.Fault != "" || c.Status == atlas.Optimal && i%200 != 0 || c.Status != atlas.Optimal && i%5 != 0 {
			continue
		}
		for _, proof := range []*Proof{nil, {Engine: EngineAuto}} {
			r := solve(knows, c, proof)
			have := atlas.Cell{MaxLoad: r.MaxLoad, LowerBound: r.LowerBound}
			if value, bound := c.Improves(have); value || bound || c.Status == atlas.Optimal && r.Proof == nil {
				t.Errorf("%s: E_max %s, bound %s, where the atlas has %s, %s", c.Key(), r.MaxLoad, r.LowerBound, c.MaxLoad,
					c.LowerBound)
			}
			if c.Status == atlas.Optimal && r.Size <= 8 {
				verify(t, *r)
				checked++
			}
		}
		without := solve(Session{Version: "test", Command: []string{}, Workers: 1}, c, &Proof{Engine: EngineAuto})
		if without == nil || without.MaxLoad != c.MaxLoad {
			worse++
		}
	}
	if worse == 0 || checked == 0 {
		t.Errorf("%d cells are worse without the atlas, %d proofs were repeated", worse, checked)
	}
}
