package check_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/check"
)

// pathProof is the proof in testdata, by CaDiCaL, that a path of 3 nodes needs 4 steps.
func pathProof() exchange.Proof {
	return exchange.Proof{Kind: results.ProofUnsat, Engine: "cadical", Below: 4, Format: check.FormatDRAT,
		File: "path3.drat", SHA256: "d76196fa695fbebd970d5f148642c7976908cf71e1b9f897e46607af458716aa"}
}

// TestNoFewerSteps takes the right proofs and refuses near misses.
func TestNoFewerSteps(t *testing.T) {
	bound := exchange.Proof{Kind: results.ProofBound, Engine: "bound", Below: 4, Bound: "node"}
	weights := exchange.Proof{Kind: results.ProofBound, Engine: "bound", Below: 4, Bound: exchange.WeightBound, Weights: []int{0, 1, 0}}
	for name, c := range map[string]struct {
		proof  exchange.Proof
		change func(head *exchange.Head)
		want   string
	}{
		"refuted":            {pathProof(), func(*exchange.Head) {}, ""},
		"bound":              {bound, func(*exchange.Head) {}, ""},
		"weights":            {weights, func(*exchange.Head) {}, ""},
		"of fewer steps":     {pathProof(), func(h *exchange.Head) { h.Proof.Below = 3 }, "is wrong"},
		"of more steps":      {pathProof(), func(h *exchange.Head) { h.Proof.Below = 5 }, "is wrong"},
		"no steps":           {pathProof(), func(h *exchange.Head) { h.Proof.Below = 0 }, "fewer than 0 steps"},
		"of another network": {pathProof(), func(h *exchange.Head) { h.Axes[0].Kind = exchange.Complete }, "is wrong"},
		"of other nodes":     {pathProof(), func(h *exchange.Head) { h.Participants = []int{0, 2} }, "is wrong"},
		"of another model":   {pathProof(), func(h *exchange.Head) { h.Model = exchange.Wormhole }, "by wormhole"},
		"another hash":       {pathProof(), func(h *exchange.Head) { h.Proof.SHA256 = "00" }, "SHA-256"},
		"another folder":     {pathProof(), func(h *exchange.Head) { h.Proof.File = "../steps/path3.drat" }, "no bare name"},
		"no file":            {pathProof(), func(h *exchange.Head) { h.Proof.File = "gone.drat" }, "not there"},
		"no format":          {pathProof(), func(h *exchange.Head) { h.Proof.Format = "" }, "format"},
		"no kind":            {pathProof(), func(h *exchange.Head) { h.Proof.Kind = "" }, "kind"},
		"a bound too high":   {bound, func(h *exchange.Head) { h.Proof.Below = 5 }, "is 4, below 5"},
		"weights too high":   {weights, func(h *exchange.Head) { h.Proof.Below = 5 }, "is 4, below 5"},
		"below none":         {bound, func(h *exchange.Head) { h.Proof.Below = -1 }, "fewer than -1 steps"},
		"bound with file":    {bound, func(h *exchange.Head) { h.Proof.File = "path3.drat" }, "of kind unsat"},
		"bound with weights": {bound, func(h *exchange.Head) { h.Proof.Weights = []int{9, 9, 9} }, "to the bound weights"},
		"file with bound":    {pathProof(), func(h *exchange.Head) { h.Proof.Bound = "node" }, "of kind bound"},
		"no weights":         {weights, func(h *exchange.Head) { h.Proof.Weights = nil }, "0 weights for 3 nodes"},
	} {
		head := exchange.Head{Model: exchange.StoreAndForward, Axes: []exchange.Axis{{Kind: exchange.Path, Nodes: 3}}, Proof: &c.proof}
		c.change(&head)
		got := check.NoFewerSteps(context.Background(), filepath.Join("testdata", "steps"), head)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
