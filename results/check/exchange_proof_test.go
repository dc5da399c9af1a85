package check_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"leeway/results"
	"leeway/results/check"
)

// pathProof is the proof in testdata, by CaDiCaL, that a path of 3 nodes needs 4 steps.
func pathProof() results.ScheduleProof {
	return results.ScheduleProof{Kind: results.ProofUnsat, Engine: "cadical", Below: 4, Format: check.FormatDRAT,
		File: "path3.drat", SHA256: "d76196fa695fbebd970d5f148642c7976908cf71e1b9f897e46607af458716aa"}
}

// TestNoFewerSteps takes the right proofs and refuses near misses.
func TestNoFewerSteps(t *testing.T) {
	bound := results.ScheduleProof{Kind: results.ProofBound, Engine: "bound", Below: 4, Bound: "node"}
	weights := results.ScheduleProof{Kind: results.ProofBound, Engine: "bound", Below: 4, Bound: results.BoundWeights, Weights: []int{0, 1, 0}}
	for name, c := range map[string]struct {
		proof  results.ScheduleProof
		change func(head *results.Schedule)
		want   string
	}{
		"refuted":            {pathProof(), func(*results.Schedule) {}, ""},
		"bound":              {bound, func(*results.Schedule) {}, ""},
		"weights":            {weights, func(*results.Schedule) {}, ""},
		"of fewer steps":     {pathProof(), func(h *results.Schedule) { h.Proof.Below = 3 }, "is wrong"},
		"of more steps":      {pathProof(), func(h *results.Schedule) { h.Proof.Below = 5 }, "is wrong"},
		"no steps":           {pathProof(), func(h *results.Schedule) { h.Proof.Below = 0 }, "fewer than 0 steps"},
		"of another network": {pathProof(), func(h *results.Schedule) { h.Axes[0].Kind = results.AxisComplete }, "is wrong"},
		"of other nodes":     {pathProof(), func(h *results.Schedule) { h.Participants = []int{0, 2} }, "is wrong"},
		"of another model":   {pathProof(), func(h *results.Schedule) { h.Model = results.Wormhole }, "by wormhole"},
		"another hash":       {pathProof(), func(h *results.Schedule) { h.Proof.SHA256 = "00" }, "SHA-256"},
		"another folder":     {pathProof(), func(h *results.Schedule) { h.Proof.File = "../steps/path3.drat" }, "no bare name"},
		"no file":            {pathProof(), func(h *results.Schedule) { h.Proof.File = "gone.drat" }, "not there"},
		"no format":          {pathProof(), func(h *results.Schedule) { h.Proof.Format = "" }, "format"},
		"no kind":            {pathProof(), func(h *results.Schedule) { h.Proof.Kind = "" }, "kind"},
		"a bound too high":   {bound, func(h *results.Schedule) { h.Proof.Below = 5 }, "is 4, below 5"},
		"weights too high":   {weights, func(h *results.Schedule) { h.Proof.Below = 5 }, "is 4, below 5"},
		"no weights":         {weights, func(h *results.Schedule) { h.Proof.Weights = nil }, "0 weights for 3 nodes"},
	} {
		head := results.Schedule{Model: results.StoreAndForward, Axes: []results.ScheduleAxis{{Kind: results.AxisPath, Nodes: 3}}, Proof: &c.proof}
		c.change(&head)
		got := check.NoFewerSteps(context.Background(), filepath.Join("testdata", "steps"), head)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
