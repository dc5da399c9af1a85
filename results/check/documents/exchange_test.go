package documents_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	words "leeway/objective/exchange"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/sat"
)

// pathProof is the proof in testdata, by CaDiCaL, that a path of 3 nodes needs 4 steps.
func pathProof() words.Proof {
	return words.Proof{Kind: results.ProofUnsat, Engine: "cadical", Below: 4, Format: sat.FormatLRAT,
		File: "path3.lrat", SHA256: "c35ebb14bf105b118cdf87762c6b32f5dbef67bfadbec493bd9b837231449089"}
}

// TestNoFewerSteps takes the right proofs and refuses near misses.
func TestNoFewerSteps(t *testing.T) {
	bound := words.Proof{Kind: results.ProofBound, Engine: "bound", Below: 4, Bound: "node"}
	weights := words.Proof{Kind: results.ProofBound, Engine: "bound", Below: 4, Bound: words.WeightBound,
		Weights: []int{0, 1, 0}}
	for name, c := range map[string]struct {
		proof  words.Proof
		change func(head *words.Head)
		want   string
	}{
		"refuted":            {pathProof(), func(*words.Head) {}, ""},
		"bound":              {bound, func(*words.Head) {}, ""},
		"weights":            {weights, func(*words.Head) {}, ""},
		"of fewer steps":     {pathProof(), func(h *words.Head) { h.Proof.Below = 3 }, "is wrong"},
		"of more steps":      {pathProof(), func(h *words.Head) { h.Proof.Below = 5 }, "is wrong"},
		"no steps":           {pathProof(), func(h *words.Head) { h.Proof.Below = 0 }, "fewer than 0 steps"},
		"of another network": {pathProof(), func(h *words.Head) { h.Axes[0].Kind = words.Complete }, "is wrong"},
		"of other nodes":     {pathProof(), func(h *words.Head) { h.Participants = []int{0, 2} }, "is wrong"},
		"of another model":   {pathProof(), func(h *words.Head) { h.Model = words.Wormhole }, "by wormhole"},
		"another hash":       {pathProof(), func(h *words.Head) { h.Proof.SHA256 = "00" }, "SHA-256"},
		"another folder": {pathProof(), func(h *words.Head) { h.Proof.File = "../steps/path3.lrat" },
			"no bare name"},
		"no file":            {pathProof(), func(h *words.Head) { h.Proof.File = "gone.lrat" }, "not there"},
		"no format":          {pathProof(), func(h *words.Head) { h.Proof.Format = "" }, "format"},
		"no kind":            {pathProof(), func(h *words.Head) { h.Proof.Kind = "" }, "kind"},
		"a bound too high":   {bound, func(h *words.Head) { h.Proof.Below = 5 }, "is 4, below 5"},
		"another bound":      {bound, func(h *words.Head) { h.Proof.Bound = "degree" }, "the bound degree is 2, below 4"},
		"no such bound":      {bound, func(h *words.Head) { h.Proof.Bound = "nod" }, `store-and-forward is named "nod"`},
		"no bound":           {bound, func(h *words.Head) { h.Proof.Bound = "" }, `is named ""`},
		"weights too high":   {weights, func(h *words.Head) { h.Proof.Below = 5 }, "is 4, below 5"},
		"below none":         {bound, func(h *words.Head) { h.Proof.Below = -1 }, "fewer than -1 steps"},
		"bound with file":    {bound, func(h *words.Head) { h.Proof.File = "path3.lrat" }, "of kind unsat"},
		"bound with weights": {bound, func(h *words.Head) { h.Proof.Weights = []int{9, 9, 9} }, "to the bound weights"},
		"file with bound":    {pathProof(), func(h *words.Head) { h.Proof.Bound = "node" }, "of kind bound"},
		"no weights":         {weights, func(h *words.Head) { h.Proof.Weights = nil }, "0 weights for 3 nodes"},
	} {
		head := words.Head{Model: words.StoreAndForward, Axes: []words.Axis{{Kind: words.Path, Nodes: 3}},
			Proof: &c.proof}
		c.change(&head)
		got := documents.NoFewerSteps(context.Background(), filepath.Join("testdata", "steps"), head)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// exchangeReasons says what must stand in the reason of a wrong or unreadable file.
var exchangeReasons = map[string]string{
	"dropped": "after the last phase (8) the block from 3 for 4 is at 3: it lacks the link from node 3 to node 4",
	"doubled": "phase 0, send 6: node 2 sends twice (the link from node 2 to node 3", "moved": "phase 1, send",
	"link-twice": "is used twice", "too-early": "is at", "early": "not JSON: the file ends too early",
	"block-one-end": "fewer than two ends", "field-twice": "field to is repeated",
	"no-phases": "field phases is missing",
	"axis-kind": "is not ring, path", "not-last": "phases must stand last",
	"other-schema":        "unknown schema",
	"participant-outside": "participant 9 lies outside", "apart": "not connected",
}

func TestExchangeFolders(t *testing.T) {
	seen := 0
	for _, verdict := range []string{check.Valid, check.Wrong, check.Unreadable} {
		files, err := filepath.Glob(filepath.Join("testdata", "exchange", verdict, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s: %v", verdict, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			items := coretest.Must(documents.Files(t.Context(), []string{file}, check.Options{}))
			v := items[0].Verdict
			reasons := strings.Join(v.Reasons, "; ")
			if v.Verdict != verdict || verdict != check.Valid &&
				(exchangeReasons[name] == "" || !strings.Contains(reasons, exchangeReasons[name])) {
				t.Errorf("%s is %s: %s", file, v.Verdict, reasons)
			}
			if verdict != check.Valid {
				seen++
			}
		}
	}
	if seen != len(exchangeReasons) {
		t.Errorf("%d cases with a reason, %d files", len(exchangeReasons), seen)
	}
}
