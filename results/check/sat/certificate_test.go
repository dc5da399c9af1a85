package sat

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/dimacs"
	"leeway/encode/opb"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
)

// aCertificate is a folder with the certificate of a problem.
type aCertificate struct {
	folder string
	p      objective.Problem
	below  *big.Rat
	c      results.Certificate
}

// writeCertificate shows that no four processors on 3x3 under ODR have E_max below their optimum.
func writeCertificate(t *testing.T) *aCertificate {
	t.Helper()
	p := problemOf(t, "3x3", "odr", 4)
	a := &aCertificate{folder: t.TempDir(), p: p, below: optimumOf(p), c: results.Certificate{Format: FormatLRAT}}
	formula := coretest.Must(placementFormula(meter.Unlimited(t.Context()), p, a.below, false))
	var text strings.Builder
	if err := dimacs.Write(&text, []string{"a comment"}, formula); err != nil {
		t.Fatal(err)
	}
	a.c.Formula, a.c.FormulaSHA256 = a.set(t, "formula.cnf", text.String())
	a.c.Proof, a.c.ProofSHA256 = a.set(t, "proof.lrat", lratText(proofOf(t, p, a.below, false)))
	return a
}

// set writes a file and returns its name and hash.
func (a *aCertificate) set(t *testing.T, name, text string) (string, string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(text))
	return name, hex.EncodeToString(hash[:])
}

// edit changes a file, and its hash in the certificate.
func (a *aCertificate) edit(t *testing.T, change func(string) string) {
	text := string(coretest.Must(os.ReadFile(filepath.Join(a.folder, a.c.Formula))))
	a.c.Formula, a.c.FormulaSHA256 = a.set(t, a.c.Formula, change(text))
}

func (a *aCertificate) problem(t *testing.T) string {
	return stopped(t.Context(), func(m *meter.Meter) string {
		return CertificateProblem(m, a.folder, a.p, a.below, nil, &a.c)
	})
}

// TestCertificate: it is right where it was written, and in a folder inside; other comments change nothing.
func TestCertificate(t *testing.T) {
	a := writeCertificate(t)
	if problem := a.problem(t); problem != "" {
		t.Fatal(problem)
	}
	a.edit(t, func(s string) string { return "c another\n" + s })
	if problem := a.problem(t); problem != "" {
		t.Error(problem)
	}
	inside := filepath.Join(a.folder, "deep")
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(a.folder, a.c.Proof), filepath.Join(inside, a.c.Proof)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(a.folder, a.c.Formula), filepath.Join(inside, a.c.Formula)); err != nil {
		t.Fatal(err)
	}
	if problem := a.problem(t); !strings.Contains(problem, "is not there") {
		t.Errorf("moved: %q", problem)
	}
	a.c.Folder = "deep"
	if problem := a.problem(t); problem != "" {
		t.Error(problem)
	}
	if err := os.Symlink(inside, filepath.Join(a.folder, "link")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"link", "..", "deep/..", "/", "deep/", "./deep", "deep/../deep", "deep/x/.."} {
		a.c.Folder = folder
		if problem := a.problem(t); !strings.Contains(problem, "is no folder inside") {
			t.Errorf("folder %q: %q", folder, problem)
		}
	}
}

// TestCertificateNearMisses changes one thing each, with the hash where it is not the hash, and expects the reason.
func TestCertificateNearMisses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, a *aCertificate)
		want   string
	}{
		"value":   {func(t *testing.T, a *aCertificate) { a.below = new(big.Rat).Add(a.below, big.NewRat(2, 1)) }, "clauses"},
		"size":    {func(t *testing.T, a *aCertificate) { a.p.Size = 3 }, "formula of the problem"},
		"routing": {func(t *testing.T, a *aCertificate) { a.p = problemOf(t, "3x3", "udr", 4) }, "formula of the problem"},
		"avoid":   {func(t *testing.T, a *aCertificate) { a.p = problemOf(t, "3x3", "avoid", 4) }, "no formula"},
		"symmetry": {func(t *testing.T, a *aCertificate) { a.c.Symmetry = true },
			"formula of the problem"},
		"format":  {func(t *testing.T, a *aCertificate) { a.c.Format = "drat" }, "its format"},
		"formula": {func(t *testing.T, a *aCertificate) { a.c.FormulaSHA256 = a.c.ProofSHA256 }, "has the SHA-256"},
		"proof":   {func(t *testing.T, a *aCertificate) { a.c.ProofSHA256 = a.c.FormulaSHA256 }, "has the SHA-256"},
		"path":    {func(t *testing.T, a *aCertificate) { a.c.Formula = "../formula.cnf" }, "no bare name"},
		"a literal": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return strings.Replace(s, "-", "", 1) })
		}, "this is not the clause that stands there"},
		"a clause less": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return s[:strings.LastIndex(s[:len(s)-1], "\n")+1] })
		}, "the file ends after"},
		"a clause more": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return s + "1 0\n" })
		}, "more clauses than"},
		"the empty clause": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(string) string { return "p cnf 1 1\n0\n" })
			a.c.Proof, a.c.ProofSHA256 = a.set(t, a.c.Proof, "2 0 1 0\n")
		}, "has 1 variables and 1 clauses"},
		"no formula": {func(t *testing.T, a *aCertificate) { a.edit(t, func(string) string { return "" }) },
			"before its header"},
		"an empty proof": {func(t *testing.T, a *aCertificate) {
			a.c.Proof, a.c.ProofSHA256 = a.set(t, a.c.Proof, "")
		}, "without the empty clause"},
		"a proof of nothing": {func(t *testing.T, a *aCertificate) {
			a.c.Proof, a.c.ProofSHA256 = a.set(t, a.c.Proof, "999999 0 1 2 0\n")
		}, "wrong: step 1"},
	} {
		a := writeCertificate(t)
		c.change(t, a)
		if problem := a.problem(t); !strings.Contains(problem, c.want) {
			t.Errorf("%s: %q, want %q", name, problem, c.want)
		}
	}
}

// writeRows is writeCertificate with linear rows: four fixed nodes have no E_max below their own, which propagation
// through all rows shows.
func writeRows(t *testing.T) *aCertificate {
	t.Helper()
	p := coretest.Must(problemOf(t, "3x3", "odr", 4).WithNodes([]int{0, 1, 2, 4}, nil))
	below, _ := p.Evaluate(coretest.Must(core.NewPlacement(p.Torus(), p.Fixed.Nodes()))).Max()
	a := &aCertificate{folder: t.TempDir(), p: p, below: below, c: results.Certificate{Format: FormatVeriPB}}
	model := coretest.Must(opb.New(t.Context(), p, below, opb.Options{}))
	n := 0
	for row := range model.Rows {
		if n++; row.Equal {
			n++
		}
	}
	var rows strings.Builder
	if err := opb.Write(&rows, []string{"a comment"}, model); err != nil {
		t.Fatal(err)
	}
	steps := fmt.Sprintf("pseudo-Boolean proof version 2.0\nf %d\nrup >= 1 ;", n)
	for id := range n {
		steps += fmt.Sprintf(" %d", id+1)
	}
	steps += fmt.Sprintf("\noutput NONE\nconclusion UNSAT : %d\nend pseudo-Boolean proof\n", n+1)
	a.c.Formula, a.c.FormulaSHA256 = a.set(t, "formula.opb", rows.String())
	a.c.Proof, a.c.ProofSHA256 = a.set(t, "proof.pbp", steps)
	return a
}

// editProof changes the file of the proof, and its hash in the certificate.
func (a *aCertificate) editProof(t *testing.T, change func(string) string) {
	text := string(coretest.Must(os.ReadFile(filepath.Join(a.folder, a.c.Proof))))
	a.c.Proof, a.c.ProofSHA256 = a.set(t, a.c.Proof, change(text))
}

// TestRows: other comments change nothing, long ones neither.
func TestRows(t *testing.T) {
	a := writeRows(t)
	if problem := a.problem(t); problem != "" {
		t.Fatal(problem)
	}
	for _, more := range []string{"* another\n", "* " + strings.Repeat("long ", 50000) + "\n"} {
		a.edit(t, func(s string) string { return strings.Replace(s, ";\n", ";\n"+more, 2) + more })
		if problem := a.problem(t); problem != "" {
			t.Error(problem)
		}
	}
	a.edit(t, func(s string) string { // none at all
		var plain strings.Builder
		for i, line := range strings.SplitAfter(s, "\n") {
			if i == 0 || !strings.HasPrefix(line, "*") {
				plain.WriteString(line)
			}
		}
		return plain.String()
	})
	if problem := a.problem(t); problem != "" {
		t.Error(problem)
	}
}

// TestRowsNearMisses is TestCertificateNearMisses with linear rows.
func TestRowsNearMisses(t *testing.T) {
	lastRow := func(s string) int { return strings.LastIndex(s[:len(s)-1], "\n") + 1 }
	const row, more = "this is not what stands there", "there are more rows"
	for name, c := range map[string]struct {
		change func(t *testing.T, a *aCertificate)
		want   string
	}{
		"value":    {func(t *testing.T, a *aCertificate) { a.below = new(big.Rat).Add(a.below, big.NewRat(2, 1)) }, row},
		"size":     {func(t *testing.T, a *aCertificate) { a.p.Size = 3 }, row},
		"routing":  {func(t *testing.T, a *aCertificate) { a.p = problemOf(t, "3x3", "udr", 4) }, row},
		"torus":    {func(t *testing.T, a *aCertificate) { a.p = problemOf(t, "3x4", "odr", 4) }, "line 1: " + row},
		"avoid":    {func(t *testing.T, a *aCertificate) { a.p = problemOf(t, "3x3", "avoid", 4) }, "the paths of a pair"},
		"large":    {func(t *testing.T, a *aCertificate) { a.p = problemOf(t, "40x40", "odr", 4) }, "at most 256 nodes"},
		"symmetry": {func(t *testing.T, a *aCertificate) { a.c.Symmetry = true }, "break no symmetry"},
		"list":     {func(t *testing.T, a *aCertificate) { a.c.Kind = results.CertificateList }, "in clauses"},
		"format":   {func(t *testing.T, a *aCertificate) { a.c.Format = FormatLRAT }, "formula.opb"},
		"formula":  {func(t *testing.T, a *aCertificate) { a.c.FormulaSHA256 = a.c.ProofSHA256 }, "has the SHA-256"},
		"proof":    {func(t *testing.T, a *aCertificate) { a.c.ProofSHA256 = a.c.FormulaSHA256 }, "has the SHA-256"},
		"path":     {func(t *testing.T, a *aCertificate) { a.c.Formula = "../formula.opb" }, "no bare name"},
		"a bound": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return s[:strings.LastIndex(s, "-")] + "-99 ;\n" })
		}, row},
		"a row less": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return s[:lastRow(s)] })
		}, "the file ends before"},
		"a row more": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return s + "+1 x1 >= 2 ;\n" })
		}, more},
		"an empty line": {func(t *testing.T, a *aCertificate) { a.edit(t, func(s string) string { return s + "\n" }) }, more},
		"cut rows": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return s[:len(s)-2] })
		}, "the file ends before"},
		"rows of one line": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(s string) string { return s[:lastRow(s)] + strings.Repeat("+1 x1 ", 1<<20) })
		}, row},
		"no rows": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(string) string { return "" })
		}, "line 1: the file ends"},
		"other rows": {func(t *testing.T, a *aCertificate) {
			a.edit(t, func(string) string { return "* #variable= 1 #constraint= 1\n+1 x1 >= 2 ;\n" })
			a.editProof(t, func(string) string {
				return "pseudo-Boolean proof version 2.0\nf 1\noutput NONE\nconclusion UNSAT : 1\nend pseudo-Boolean proof\n"
			})
		}, "line 1: " + row},
		"a cut proof": {func(t *testing.T, a *aCertificate) {
			a.editProof(t, func(s string) string { return s[:lastRow(s)] })
		}, `"proof.pbp" is unreadable: line`},
		"an empty proof": {func(t *testing.T, a *aCertificate) {
			a.editProof(t, func(string) string { return "" })
		}, "unreadable: line 1"},
		"a proof of others": {func(t *testing.T, a *aCertificate) {
			a.editProof(t, func(s string) string { return strings.Replace(s, "\nf ", "\nf 1", 1) })
		}, "the proof is of another"},
		"a proof of nothing": {func(t *testing.T, a *aCertificate) {
			a.editProof(t, func(s string) string {
				head := strings.SplitAfterN(s, "\n", 3)
				return head[0] + head[1] + "output NONE\nconclusion UNSAT : 1\nend pseudo-Boolean proof\n"
			})
		}, "wrong: line 4: constraint 1 can hold"},
	} {
		a := writeRows(t)
		c.change(t, a)
		if problem := a.problem(t); !strings.Contains(problem, c.want) {
			t.Errorf("%s: %q, want %q", name, problem, c.want)
		}
	}
}
