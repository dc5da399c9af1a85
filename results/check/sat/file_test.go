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

	"leeway/core/coretest"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/search/searchtest"
)

// aProof is a folder with the proof of a problem and what a record says of it.
type aProof struct {
	t      *testing.T
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
	a := &aProof{t: t, folder: t.TempDir(), p: p, below: searchtest.Optimum(p)}
	a.proof = results.Proof{Kind: results.ProofUnsat, Format: FormatLRAT, Symmetry: &symmetry}
	a.set("proof.lrat", lratText(proofOf(t, p, a.below, symmetry)))
	return a
}

// set writes the text of the proof to a file and takes over its name and hash.
func (a *aProof) set(name, text string) {
	coretest.Try(os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o644))
	hash := sha256.Sum256([]byte(text))
	a.proof.File, a.proof.SHA256 = name, hex.EncodeToString(hash[:])
}

func (a *aProof) text() string {
	text := coretest.Must(os.ReadFile(filepath.Join(a.folder, a.proof.File)))
	return string(text)
}

func (a *aProof) problem() string {
	return PlacementProblem(meter.Unlimited(a.t.Context()), a.folder, a.p, a.below, &a.proof)
}

func TestUnsatProof(t *testing.T) {
	for _, symmetry := range []bool{false, true} {
		if problem := writeProof(t, symmetry).problem(); problem != "" {
			t.Errorf("symmetry %v: %s", symmetry, problem)
		}
	}
}

// TestUnsatProofNearMisses changes one thing each and expects the reason.
func TestUnsatProofNearMisses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(a *aProof)
		want   string
	}{
		"above": {func(a *aProof) { a.below = new(big.Rat).Add(a.below, big.NewRat(1, 100)) },
			"wrong: step "},
		"size":                {func(a *aProof) { a.p.Size-- }, "wrong: step "},
		"too many processors": {func(a *aProof) { a.p.Size = 10 }, "10"},
		"routing": {func(a *aProof) { a.p.Routing = problemOf(t, "3x3", "udr", 4).Routing },
			"wrong: step "},
		"avoid": {func(a *aProof) { a.p.Routing = problemOf(t, "3x3", "avoid", 4).Routing },
			"no formula"},
		"symmetry":          {func(a *aProof) { *a.proof.Symmetry = false }, "wrong: step "},
		"symmetry not said": {func(a *aProof) { a.proof.Symmetry = nil }, "symmetry"},
		"format":            {func(a *aProof) { a.proof.Format = "drat" }, `format is "drat", not "lrat"`},
		"no format":         {func(a *aProof) { a.proof.Format = "" }, "format"},
		"hash": {func(a *aProof) { a.proof.SHA256 = strings.ToUpper(a.proof.SHA256) },
			"SHA-256"},
		"byte changed": {func(a *aProof) {
			old := a.proof.SHA256
			a.set("proof.lrat", a.text()+" ")
			a.proof.SHA256 = old
		}, "SHA-256"},
		"truncated": {func(a *aProof) {
			whole := strings.TrimSuffix(a.text(), "\n")
			a.set("proof.lrat", whole[:strings.LastIndex(whole, "\n")+1])
		}, "without the empty clause"},
		"cut in a step": {func(a *aProof) { a.set("proof.lrat", "99999 1 -2") }, "unreadable: line 1"},
		"another variable": {func(a *aProof) { a.set("proof.lrat", "99999 99999 0 0\n"+a.text()) },
			"wrong: step 1: variable 99999"},
		"empty clause only": {func(a *aProof) { a.set("proof.lrat", "99999 0 0\n") }, "wrong: step 1: "},
		"empty":             {func(a *aProof) { a.set("proof.lrat", "") }, "without the empty clause"},
	} {
		a := writeProof(t, true)
		c.change(a)
		if problem := a.problem(); !strings.Contains(problem, c.want) {
			t.Errorf("%s: %q, want %q", name, problem, c.want)
		}
	}
}

// TestUnsatProofFiles: only a regular file of the folder itself is opened.
func TestUnsatProofFiles(t *testing.T) {
	a := writeProof(t, true)
	coretest.Try(os.Mkdir(filepath.Join(a.folder, "sub"), 0o755))
	coretest.Try(os.Symlink(filepath.Join(a.folder, "proof.lrat"), filepath.Join(a.folder, "link")))
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
		if problem := a.problem(); !strings.Contains(problem, want) {
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
