package sat

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/search/searchtest"
)

// aCertificate is a folder with the certificate of a problem.
type aCertificate struct {
	t      *testing.T
	folder string
	p      objective.Problem
	below  *big.Rat
	c      results.Certificate
}

// writeCertificate shows that no four processors on 3x3 under ODR have E_max below their optimum.
func writeCertificate(t *testing.T) *aCertificate {
	t.Helper()
	p := problemOf(t, "3x3", "odr", 4)
	a := &aCertificate{t: t, folder: t.TempDir(), p: p, below: searchtest.Optimum(p),
		c: results.Certificate{Format: FormatLRAT}}
	formula := coretest.Must(placementFormula(meter.Unlimited(t.Context()), p, a.below, false))
	var text strings.Builder
	coretest.Try(dimacs.Write(&text, []string{"a comment"}, formula))
	a.c.Formula, a.c.FormulaSHA256 = a.set("formula.cnf", text.String())
	a.c.Proof, a.c.ProofSHA256 = a.set("proof.lrat", lratText(proofOf(t, p, a.below, false)))
	return a
}

// set writes a file and returns its name and hash.
func (a *aCertificate) set(name, text string) (string, string) {
	coretest.Try(os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o644))
	hash := sha256.Sum256([]byte(text))
	return name, hex.EncodeToString(hash[:])
}

// edit changes a file, and its hash in the certificate.
func (a *aCertificate) edit(change func(string) string) {
	text := string(coretest.Must(os.ReadFile(filepath.Join(a.folder, a.c.Formula))))
	a.c.Formula, a.c.FormulaSHA256 = a.set(a.c.Formula, change(text))
}

func (a *aCertificate) problem() string {
	return stopped(a.t.Context(), func(m *meter.Meter) string {
		return CertificateProblem(m, a.folder, a.p, a.below, nil, &a.c)
	})
}

// TestCertificate: it is right where it was written, and in a folder inside; other comments change nothing.
func TestCertificate(t *testing.T) {
	a := writeCertificate(t)
	if problem := a.problem(); problem != "" {
		t.Fatal(problem)
	}
	a.edit(func(s string) string { return "c another\n" + s })
	if problem := a.problem(); problem != "" {
		t.Error(problem)
	}
	inside := filepath.Join(a.folder, "deep")
	coretest.Try(os.Mkdir(inside, 0o755))
	coretest.Try(os.Rename(filepath.Join(a.folder, a.c.Proof), filepath.Join(inside, a.c.Proof)))
	coretest.Try(os.Rename(filepath.Join(a.folder, a.c.Formula), filepath.Join(inside, a.c.Formula)))
	if problem := a.problem(); !strings.Contains(problem, "is not there") {
		t.Errorf("moved: %q", problem)
	}
	a.c.Folder = "deep"
	if problem := a.problem(); problem != "" {
		t.Error(problem)
	}
	coretest.Try(os.Symlink(inside, filepath.Join(a.folder, "link")))
	for _, folder := range []string{"link", "..", "deep/..", "/", "deep/", "./deep", "deep/../deep", "deep/x/.."} {
		a.c.Folder = folder
		if problem := a.problem(); !strings.Contains(problem, "is no folder inside") {
			t.Errorf("folder %q: %q", folder, problem)
		}
	}
}

// TestCertificateNearMisses changes one thing each, with the hash where it is not the hash, and expects the reason.
func TestCertificateNearMisses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(a *aCertificate)
		want   string
	}{
		"value":   {func(a *aCertificate) { a.below = new(big.Rat).Add(a.below, big.NewRat(2, 1)) }, "clauses"},
		"size":    {func(a *aCertificate) { a.p.Size = 3 }, "formula of the problem"},
		"routing": {func(a *aCertificate) { a.p = problemOf(t, "3x3", "udr", 4) }, "formula of the problem"},
		"avoid":   {func(a *aCertificate) { a.p = problemOf(t, "3x3", "avoid", 4) }, "no formula"},
		"symmetry": {func(a *aCertificate) { a.c.Symmetry = true },
			"formula of the problem"},
		"format":  {func(a *aCertificate) { a.c.Format = "drat" }, "its format"},
		"formula": {func(a *aCertificate) { a.c.FormulaSHA256 = a.c.ProofSHA256 }, "has the SHA-256"},
		"proof":   {func(a *aCertificate) { a.c.ProofSHA256 = a.c.FormulaSHA256 }, "has the SHA-256"},
		"path":    {func(a *aCertificate) { a.c.Formula = "../formula.cnf" }, "no bare name"},
		"a literal": {func(a *aCertificate) {
			a.edit(func(s string) string { return strings.Replace(s, "-", "", 1) })
		}, "this is not the clause that stands there"},
		"a clause less": {func(a *aCertificate) {
			a.edit(func(s string) string { return s[:strings.LastIndex(s[:len(s)-1], "\n")+1] })
		}, "the file ends after"},
		"a clause more": {func(a *aCertificate) {
			a.edit(func(s string) string { return s + "1 0\n" })
		}, "more clauses than"},
		"the empty clause": {func(a *aCertificate) {
			a.edit(func(string) string { return "p cnf 1 1\n0\n" })
			a.c.Proof, a.c.ProofSHA256 = a.set(a.c.Proof, "2 0 1 0\n")
		}, "has 1 variables and 1 clauses"},
		"no formula": {func(a *aCertificate) { a.edit(func(string) string { return "" }) },
			"before its header"},
		"an empty proof": {func(a *aCertificate) {
			a.c.Proof, a.c.ProofSHA256 = a.set(a.c.Proof, "")
		}, "without the empty clause"},
		"a proof of nothing": {func(a *aCertificate) {
			a.c.Proof, a.c.ProofSHA256 = a.set(a.c.Proof, "999999 0 1 2 0\n")
		}, "wrong: step 1"},
	} {
		a := writeCertificate(t)
		c.change(a)
		if problem := a.problem(); !strings.Contains(problem, c.want) {
			t.Errorf("%s: %q, want %q", name, problem, c.want)
		}
	}
}
