package check_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/meter"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/resultstest"
)

// crowded is the stream that closes the first branch by the load of link 0, and no step too many.
const crowded = "leeway steps 1\n\x06\x01\x00\x01\x07\x00\x00\x0a\x00\x00\x00"

// crowdedProof is the proof by that, as the engine "pencil" has it: three steps.
func crowdedProof(below string) *results.Proof {
	count, size := int64(3), int64(len(crowded))
	sum := sha256.Sum256([]byte(crowded))
	return &results.Proof{Kind: results.ProofSteps, Engine: "pencil", Below: below, Steps: &count, Bytes: &size,
		SHA256: hex.EncodeToString(sum[:])}
}

// fullRing returns the record of 4 processors on all of a mesh of one dimension, whose first link carries 1*3 messages,
// where the second carries 2*2: so none is below 3 by link 0 alone.
func fullRing(t *testing.T) results.Below {
	t.Helper()
	mesh := coretest.Must(core.ParseNetwork("4:open=0"))
	p := coretest.Must(objective.NewProblem(coretest.Must(routing.NewODR(mesh, nil, routing.TieBoth)), 4))
	d := compose.NewBelow(p, big.NewRat(3, 1))
	d.Infeasible(*crowdedProof("3"))
	return d
}

// TestProducedSteps: the steps of an engine are believed where the kernel accepts them, whatever the engine is.
func TestProducedSteps(t *testing.T) {
	writes := func(text string, err error) check.Producer {
		return func(_ context.Context, _ string, _ objective.Problem, _ *big.Rat, _ bool, _ steps.Cut, to io.Writer) error {
			io.WriteString(to, text)
			return err
		}
	}
	endless := func(ctx context.Context, _ string, _ objective.Problem, _ *big.Rat, _ bool, _ steps.Cut,
		to io.Writer) error {
		for text := "leeway steps 1\n"; ; text = strings.Repeat("\x06\x00", 1000) {
			if _, err := io.WriteString(to, text); err != nil {
				<-ctx.Done() // it ends with the check
				return err
			}
		}
	}
	broken := func(context.Context, string, objective.Problem, *big.Rat, bool, steps.Cut, io.Writer) error {
		panic("a bug")
	}
	for _, c := range []struct {
		changes        string
		produce        check.Producer
		verdict, proof string
		reason         string
	}{
		{"", writes(crowded, nil), check.Valid, check.Verified, ""},
		{"", nil, check.Limit, check.Limit, `the engine "pencil"`},
		{"", writes("", errors.New("no such engine")), check.Wrong, check.Wrong, "no such engine"},
		{"", writes(crowded[:20], errors.New("stuck")), check.Wrong, check.Wrong, "stuck"},
		{"", writes("", nil), check.Wrong, check.Wrong, "does not begin with"},
		{"", writes(crowded[:20], nil), check.Wrong, check.Wrong, "ends early"},
		{"", writes(crowded+"\x10", nil), check.Wrong, check.Wrong, "bytes follow"},
		{"", endless, check.Limit, check.Limit, "more than 1000000 steps"},
		{"", broken, check.Unreadable, check.Absent, "internal error: a bug"},
		{`below="7/2"; proof.below="7/2"`, writes(crowded, nil), check.Wrong, check.Wrong, "step 3 (weigh)"},
		{`proof.below="2"`, writes(crowded, nil), check.Wrong, check.Wrong, `values below "2"`},
		{`below="1"; proof.below="1"`, writes(crowded, nil), check.Valid, check.Verified, ""},
		{"proof.steps=4; proof.bytes=5", writes(crowded, nil), check.Valid, check.Verified,
			"note: the engine pencil wrote 3 steps in 26 bytes now"},
		{`proof.sha256="00"`, writes(crowded, nil), check.Valid, check.Verified, "note: the engine pencil wrote 3 steps"},
		{"proof.steps=2000000", writes(crowded, nil), check.Limit, check.Limit, "more than 1000000 steps"},
		{"proof.steps=0", writes(crowded, nil), check.Wrong, check.Wrong, "has no steps"},
		{"proof.bytes=-1", writes(crowded, nil), check.Wrong, check.Wrong, "has no steps"},
		{"-proof.steps; -proof.bytes; -proof.sha256", writes(crowded, nil), check.Valid, check.Verified, ""},
		{`-proof.steps; proof.file="a.steps"`, nil, check.Wrong, check.Wrong, "how many"},
		{`proof.format="lrat"`, writes(crowded, nil), check.Wrong, check.Wrong, "field format"},
		{`proof.file="gone.steps"`, writes(crowded, nil), check.Wrong, check.Wrong, "gone.steps"},
	} {
		v := documents.Document(t.Context(), resultstest.Forged(fullRing(t), c.changes), t.TempDir(),
			check.Options{Limits: meter.Limits{Steps: 1_000_000}, Produce: c.produce})
		if v.Verdict != c.verdict || v.ProofVerdict != c.proof && c.verdict != check.Limit ||
			(c.reason == "") != (len(v.Reasons) == 0) || !strings.Contains(strings.Join(v.Reasons, "\n"), c.reason) {
			t.Errorf("%q, want %q: %s, proof %s, %q", c.changes, c.reason, v.Verdict, v.ProofVerdict, v.Reasons)
		}
	}
}

// TestStepsInAFile: a stream in a file is the one that the record names.
func TestStepsInAFile(t *testing.T) {
	folder, d := t.TempDir(), fullRing(t)
	d.Proof.File = "a.steps"
	coretest.Try(os.WriteFile(filepath.Join(folder, d.Proof.File), []byte(crowded), 0o600))
	verdict := func() check.Verdict {
		return documents.Document(t.Context(), coretest.Must(layout.Encode(d)), folder, check.Options{})
	}
	if v := verdict(); v.ProofVerdict != check.Verified || len(v.Reasons) > 0 {
		t.Errorf("%+v", v)
	}
	*d.Proof.Steps++
	if v := verdict(); v.ProofVerdict != check.Wrong || !strings.Contains(v.Reasons[0], "3 steps in 26 bytes, not 4") {
		t.Errorf("with another number of steps: %+v", v)
	}
	*d.Proof.Steps--
	d.Proof.SHA256 = strings.Repeat("0", 64)
	if v := verdict(); v.ProofVerdict != check.Wrong || !strings.Contains(v.Reasons[0], "SHA-256") {
		t.Errorf("with another hash: %+v", v)
	}
}

// TestListsInSteps: the steps that place all optima prove that none is below them, and how many they are.
func TestListsInSteps(t *testing.T) {
	mesh := coretest.Must(core.ParseNetwork("4:open=0"))
	odr := coretest.Must(routing.NewODR(mesh, nil, routing.TieBoth))
	full := core.MustPlacement(mesh, []int{0, 1, 2, 3}) // 2*2 messages cross the middle
	for name, c := range map[string]struct {
		stream   string
		labelled int64
		value    int64
		verdict  string
		reason   string
	}{
		"right":         {"\x0e", 1, 4, check.Valid, ""},
		"one too many":  {"\x0e", 2, 4, check.Wrong, "the orbits hold 1 placements, not 2"},
		"nothing else":  {"\x10", 1, 4, check.Wrong, "the bounds do not cross"},
		"twice":         {"\x08\x01\x01\x0e\x10", 1, 4, check.Valid, ""},
		"another value": {"\x0e", 1, 5, check.Wrong, "its steps place 0+1+2+3 with E_max 4"},
	} {
		written, size, placed := int64(1), int64(16), int64(1)
		v := big.NewRat(c.value, 1)
		record := coretest.Must(compose.New(compose.Values{Routing: odr, Placement: full, MaxLoad: v, LowerBound: v,
			BoundReason: "steps: none is below",
			Baseline:    &results.Baseline{Placement: "multilinear:t=4", MaxLoad: "4"},
			Provenance:  results.Provenance{Version: "test", Command: []string{"test"}, Started: "2026-01-01T00:00:00Z"},
			Proof: &results.Proof{Kind: results.ProofSteps, Engine: "pencil", Below: v.RatString(), Steps: &written,
				Bytes: &size, SHA256: strings.Repeat("0", 64), Placed: &placed}}))
		compose.AddOptima(&record, []core.Placement{full}, c.labelled)
		verdict := documents.Document(t.Context(), coretest.Must(layout.Encode(record)), "", check.Options{
			Produce: func(_ context.Context, _ string, _ objective.Problem, _ *big.Rat, listing bool, _ steps.Cut,
				to io.Writer) error {
				if !listing {
					return errors.New("no list is asked for")
				}
				_, err := io.WriteString(to, "leeway steps 1\n"+c.stream)
				return err
			}})
		if all := strings.Join(verdict.Reasons, "\n"); verdict.Verdict != c.verdict || !strings.Contains(all, c.reason) {
			t.Errorf("%s: %s, proof %s, %s", name, verdict.Verdict, verdict.ProofVerdict, all)
		}
	}
}
