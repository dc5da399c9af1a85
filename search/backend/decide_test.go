package backend

import (
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/search/searchtest"
)

// TestDecide asks a script that knows the answers: two processors on a ring of
// four, at nodes 0 and 1, have E_max 1, and no two less.
func TestDecide(t *testing.T) {
	folder := t.TempDir()
	p := searchtest.Problem("4", "odr", 2)
	proof := filepath.Join(folder, "proof")
	none := program(t, folder, "none", "test -z \"$5\" || echo 999999 0 1 0 > $5\necho 's UNSATISFIABLE'\nexit 20\n")
	for _, path := range []string{proof, ""} {
		d, err := Decide(context.Background(), none, p, big.NewRat(1, 1), path)
		if err != nil || d.Status != dimacs.Unsatisfiable || d.Proved != (path != "") || d.Value != nil ||
			exists(proof) != (path != "") {
			t.Errorf("none, proof %q: %+v, %v", path, d, err)
		}
		os.Remove(proof)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if d, err := Decide(stopped, none, p, big.NewRat(1, 1), proof); err != nil || d.Status != dimacs.Unknown ||
		d.Proved || exists(proof) {
		t.Errorf("stopped: %+v, %v, proof left: %v", d, err, exists(proof))
	}
	// clasp is told apart by its name; its nodes are x1 to x4, its pairs x5 to x10.
	answers := "case $2 in *.opb) ;; *) exit 7;; esac\ngrep -q '^+1 x1 +1 x2 +1 x3 +1 x4 = 2 ;$' $2 || exit 7\n"
	some := program(t, folder, Clasp, answers+"echo 's SATISFIABLE'\necho 'v x1 x2 -x3 -x4 x5'\nexit 10\n")
	d, err := Decide(context.Background(), some, p, big.NewRat(2, 1), "")
	if err != nil || d.Status != dimacs.Satisfiable || d.Value.Cmp(big.NewRat(1, 1)) != 0 || d.Placement.Size() != 2 ||
		d.Proved {
		t.Errorf("some: %+v, %v", d, err)
	}
	var wrong *encode.ModelError
	if _, err := Decide(context.Background(), some, p, big.NewRat(1, 1), ""); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "E_max 1, not below 1") {
		t.Errorf("a placement that is none below 1: %v", err)
	}
	three := program(t, t.TempDir(), Clasp, "echo 's SATISFIABLE'\necho 'v x1 x2 x3'\nexit 30\n")
	if _, err := Decide(context.Background(), three, p, big.NewRat(2, 1), ""); !errors.As(err, &wrong) {
		t.Errorf("three processors: %v", err)
	}
}

func TestDecideRefuses(t *testing.T) {
	below := big.NewRat(1, 1)
	var impossible *ProofError
	if _, err := Decide(context.Background(), "/bin/"+Clasp, searchtest.Problem("4", "odr", 2), below,
		"proof"); !errors.As(err, &impossible) {
		t.Errorf("a proof of clasp: %v", err)
	}
	var unsupported *encode.UnsupportedError
	for _, solver := range []string{"cadical", Clasp} {
		if _, err := Decide(context.Background(), solver, searchtest.Problem("3x3", "avoid", 2), below,
			""); !errors.As(err, &unsupported) {
			t.Errorf("%s, avoid: %v", solver, err)
		}
	}
	var failed *SolverError
	for _, name := range []string{"none", Clasp} {
		if _, err := Decide(context.Background(), filepath.Join(t.TempDir(), name), searchtest.Problem("4", "odr", 2),
			below, ""); !errors.As(err, &failed) {
			t.Errorf("no such program: %v", err)
		}
	}
}

// TestInstalledSolvers asks real solvers about small problems, whose optima brute force finds.
func TestInstalledSolvers(t *testing.T) {
	found := 0
	for _, name := range Names() {
		find := Prover
		if name == Clasp {
			find = Find
		}
		path, err := find(name)
		if err != nil {
			continue
		}
		found++
		for _, p := range []objective.Problem{searchtest.Problem("3x3", "udr", 4),
			searchtest.Problem("2x4", "odr:tie=both", 3), searchtest.Problem("2x2x2", "minimal", 4)} {
			proof := ""
			if name != Clasp {
				proof = filepath.Join(t.TempDir(), "proof")
			}
			compare(t, path, p, proof)
		}
	}
	if found == 0 {
		t.Skip("no solver is installed")
	}
}

func compare(t *testing.T, path string, p objective.Problem, proof string) {
	t.Helper()
	optimum := searchtest.Optimum(p)
	d, err := Decide(context.Background(), path, p, optimum, proof)
	if err != nil || d.Status != dimacs.Unsatisfiable || d.Proved != (proof != "") {
		t.Errorf("%s: %s below the optimum: %+v, %v", path, p, d, err)
	}
	above := new(big.Rat).Add(optimum, big.NewRat(1, 1000))
	d, err = Decide(context.Background(), path, p, above, proof)
	if err != nil || d.Status != dimacs.Satisfiable || d.Value.Cmp(optimum) != 0 {
		t.Fatalf("%s: %s above the optimum: %+v, %v", path, p, d, err)
	}
	if v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), d.Placement.Nodes())).Max(); v.Cmp(optimum) != 0 {
		t.Errorf("%v has E_max %s, the optimum is %s", d.Placement.Nodes(), v.RatString(), optimum.RatString())
	}
}
