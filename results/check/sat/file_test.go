package sat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
)

// aProof is a folder with the proof of a problem and what a record says of it.
type aProof struct {
	folder string
	p      objective.Problem
	below  *big.Rat
	proof  results.Proof
}

// writeProof proves that no four processors on 3x3 under ODR have E_max below their optimum and writes that to
// proof.lrat.
func writeProof(t *testing.T, symmetry bool) *aProof {
	t.Helper()
	p := problemOf(t, "3x3", "odr", 4)
	a := &aProof{folder: t.TempDir(), p: p, below: optimumOf(p)}
	a.proof = results.Proof{Kind: results.ProofUnsat, Format: FormatLRAT, Symmetry: &symmetry}
	a.set(t, "proof.lrat", lratText(proofOf(t, p, a.below, symmetry)))
	return a
}

// set writes the text of the proof to a file and takes over its name and hash.
func (a *aProof) set(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(text))
	a.proof.File, a.proof.SHA256 = name, hex.EncodeToString(hash[:])
}

func (a *aProof) text(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(a.folder, a.proof.File))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (a *aProof) problem(t *testing.T) string {
	return PlacementProblem(meter.Unlimited(t.Context()), a.folder, a.p, a.below, &a.proof)
}

func TestUnsatProof(t *testing.T) {
	for _, symmetry := range []bool{false, true} {
		if problem := writeProof(t, symmetry).problem(t); problem != "" {
			t.Errorf("symmetry %v: %s", symmetry, problem)
		}
	}
}

// TestUnsatProofNearMisses changes one thing each and expects the reason.
func TestUnsatProofNearMisses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, a *aProof)
		want   string
	}{
		"above": {func(t *testing.T, a *aProof) { a.below = new(big.Rat).Add(a.below, big.NewRat(1, 100)) },
			"wrong: step "},
		"size":                {func(t *testing.T, a *aProof) { a.p.Size-- }, "wrong: step "},
		"too many processors": {func(t *testing.T, a *aProof) { a.p.Size = 10 }, "10"},
		"routing": {func(t *testing.T, a *aProof) { a.p.Routing = problemOf(t, "3x3", "udr", 4).Routing },
			"wrong: step "},
		"avoid": {func(t *testing.T, a *aProof) { a.p.Routing = problemOf(t, "3x3", "avoid", 4).Routing },
			"no formula"},
		"symmetry":          {func(t *testing.T, a *aProof) { *a.proof.Symmetry = false }, "wrong: step "},
		"symmetry not said": {func(t *testing.T, a *aProof) { a.proof.Symmetry = nil }, "symmetry"},
		"format":            {func(t *testing.T, a *aProof) { a.proof.Format = "drat" }, `format is "drat", not "lrat"`},
		"no format":         {func(t *testing.T, a *aProof) { a.proof.Format = "" }, "format"},
		"hash": {func(t *testing.T, a *aProof) { a.proof.SHA256 = strings.ToUpper(a.proof.SHA256) },
			"SHA-256"},
		"byte changed": {func(t *testing.T, a *aProof) {
			old := a.proof.SHA256
			a.set(t, "proof.lrat", a.text(t)+" ")
			a.proof.SHA256 = old
		}, "SHA-256"},
		"truncated": {func(t *testing.T, a *aProof) {
			whole := strings.TrimSuffix(a.text(t), "\n")
			a.set(t, "proof.lrat", whole[:strings.LastIndex(whole, "\n")+1])
		}, "without the empty clause"},
		"cut in a step": {func(t *testing.T, a *aProof) { a.set(t, "proof.lrat", "99999 1 -2") }, "unreadable: line 1"},
		"another variable": {func(t *testing.T, a *aProof) { a.set(t, "proof.lrat", "99999 99999 0 0\n"+a.text(t)) },
			"wrong: step 1: variable 99999"},
		"empty clause only": {func(t *testing.T, a *aProof) { a.set(t, "proof.lrat", "99999 0 0\n") }, "wrong: step 1: "},
		"empty":             {func(t *testing.T, a *aProof) { a.set(t, "proof.lrat", "") }, "without the empty clause"},
	} {
		a := writeProof(t, true)
		c.change(t, a)
		if problem := a.problem(t); !strings.Contains(problem, c.want) {
			t.Errorf("%s: %q, want %q", name, problem, c.want)
		}
	}
}

// TestUnsatProofFiles: only a regular file of the folder itself is opened.
func TestUnsatProofFiles(t *testing.T) {
	a := writeProof(t, true)
	if err := os.Mkdir(filepath.Join(a.folder, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(a.folder, "proof.lrat"), filepath.Join(a.folder, "link")); err != nil {
		t.Fatal(err)
	}
	large, err := os.Create(filepath.Join(a.folder, "large"))
	if err == nil {
		err = large.Truncate(meter.MaxFileBytes + 1) // takes no room
	}
	if err != nil {
		t.Fatal(err)
	}
	large.Close()
	for name, want := range map[string]string{
		"": "no bare name", ".": "no bare name", "..": "no bare name", "../proof.lrat": "no bare name",
		"sub/../proof.lrat": "no bare name",
		"./proof.lrat":      "no bare name", filepath.Join(a.folder, "proof.lrat"): "no bare name",
		`a\b`: "no bare name", "a\x00": "no bare name",
		"sub": "no regular file", "link": "no regular file", "absent": "is not there", "large": "more than the 4294967296",
	} {
		a.proof.File = name
		if problem := a.problem(t); !strings.Contains(problem, want) {
			t.Errorf("%q: %q, want %q", name, problem, want)
		}
	}
}

// TestUnsatProofIsStopped ends the context before, and while the formula is written or the proof is read.
func TestUnsatProofIsStopped(t *testing.T) {
	a := writeProof(t, true)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if problem := stopped(ctx, func(m *meter.Meter) string {
		return PlacementProblem(m, a.folder, a.p, a.below, &a.proof)
	}); !strings.Contains(problem, "canceled") {
		t.Errorf("before: %q", problem)
	}
	ctx, cancel = context.WithCancel(context.Background())
	if _, err := refuteWithin(ctx, square, stopping{cancel}); err != context.Canceled {
		t.Errorf("in the proof: %v", err)
	}
	if err := (meterSink{meter.Unlimited(ctx), newLRATChecker(meter.Unlimited(ctx), 3)}).Add(make([]int,
		meter.Grain)); err != context.Canceled {
		t.Errorf("in the formula: %v", err)
	}
}

// stopped returns what f says, or why its meter ended it.
func stopped(ctx context.Context, f func(m *meter.Meter) string) (problem string) {
	m := meter.Unlimited(ctx)
	if err := m.Run(func() { problem = f(m) }); err != nil {
		return err.Error()
	}
	return problem
}

// stopping is a proof without end that ends the context.
type stopping struct{ stop func() }

func (s stopping) Read(p []byte) (int, error) {
	s.stop()
	return copy(p, "4 d 0\n"), nil
}
