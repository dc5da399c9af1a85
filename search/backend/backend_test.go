package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"leeway/core/coretest"
	"leeway/encode/cnf/cnftest"
	"leeway/encode/dimacs"
)

// formula returns one over three variables.
func formula(clauses ...[]int) cnftest.Clauses { return cnftest.Clauses{Of: 3, List: clauses} }

// program makes a shell script that stands in for a solver, which is called with -q --no-binary --lrat FORMULA PROOF.
func program(t *testing.T, folder, name, script string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	coretest.Try(os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	var absent *AbsentError
	if _, err := Find("kissat"); !errors.As(err, &absent) || !strings.Contains(err.Error(), "kissat is not on the path") {
		t.Errorf("not installed: %v", err)
	}
	want := program(t, folder, "kissat", "exit 0\n")
	if path, err := Find("kissat"); err != nil || path != want {
		t.Errorf("%q, %v", path, err)
	}
}

// TestProver: a solver must take the option for LRAT and refute the empty clause.
func TestProver(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	if _, err := Prover("absent"); !errors.As(err, new(*AbsentError)) {
		t.Errorf("not installed: %v", err)
	}
	for script, proves := range map[string]bool{
		"test \"$*\" = '-q --no-binary --lrat' && read a && read b && test \"$b\" = 0 && exit 20\n": true,
		"echo invalid option >&2\nexit 1\n": false, // kissat, CaDiCaL before 1.7.0
		"exit 10\n":                         false,
		"kill -9 $$":                        false,
	} {
		want := program(t, folder, "solver", script)
		path, err := Prover("solver")
		if proves != (path == want && err == nil) {
			t.Errorf("%q: %q, %v", script, path, err)
		}
		if !proves && (!errors.As(err, new(*ProofError)) || !strings.Contains(err.Error(), "CaDiCaL does, from")) {
			t.Errorf("%q: %v", script, err)
		}
	}
}

func TestAnswers(t *testing.T) {
	folder := t.TempDir()
	proof := filepath.Join(folder, "proof")
	sat := program(t, folder, "sat", "echo d 0 > $5\nhead -1 $4 | grep -q '^p cnf 3 2$' || exit 7\n"+
		"echo 's SATISFIABLE'\necho 'v 1 -2 3 0'\nexit 10\n")
	answer, err := SolveTo(context.Background(), sat, formula([]int{1, 2}, []int{-2, 3}), proof)
	if err != nil || answer.Status != dimacs.Satisfiable || !answer.Value(1) || answer.Value(2) || exists(proof) {
		t.Errorf("satisfiable: %+v, %v, proof left: %v", answer, err, exists(proof))
	}
	unsat := program(t, folder, "unsat", "echo '7 2 0 1 2 0 7 d 1 0 9 0 1 2 0 9 d 7 0' > $5\n"+
		"echo 's UNSATISFIABLE'\nexit 20\n")
	for want, f := range map[string]cnftest.Clauses{"3 0 1 2 0\n": formula([]int{1}, []int{-1}),
		"4 0 3 0\n": formula([]int{1}, []int{2}, nil)} { // the latter without the solver
		answer, err = SolveTo(context.Background(), unsat, f, proof)
		if text, _ := os.ReadFile(proof); err != nil || answer.Status != dimacs.Unsatisfiable || string(text) != want {
			t.Errorf("unsatisfiable: %+v, %v, proof %q", answer, err, text)
		}
	}
	unknown := program(t, folder, "unknown", "echo 's UNKNOWN'\nexit 0\n")
	if answer, err := SolveTo(context.Background(), unknown, formula([]int{1}), ""); err != nil ||
		answer.Status != dimacs.Unknown {
		t.Errorf("unknown: %+v, %v", answer, err)
	}
}

func TestWrongAnswers(t *testing.T) {
	for name, script := range map[string]string{
		"model violates":   "echo 's SATISFIABLE'\necho 'v -1 0'\nexit 10\n",
		"exit status":      "echo 's UNSATISFIABLE'\nexit 10\n",
		"cannot be read":   "echo 'Segmentation fault'\nexit 20\n",
		"out of memory":    "echo 'out of memory' >&2\nexit 3\n",
		"left no proof":    "echo 's UNSATISFIABLE'\nexit 20\n",
		"cannot be read: ": "echo 1 0 > $5\necho 's UNSATISFIABLE'\nexit 20\n",
		"signal: killed":   "kill -9 $$\n",
		"not a literal":    "echo 's SATISFIABLE'\necho 'v 4 0'\nexit 10\n",
		"there is no sta":  "echo 1 > $5\nexit 20\n",
	} {
		folder := t.TempDir()
		proof := filepath.Join(folder, "proof")
		_, err := SolveTo(context.Background(), program(t, folder, "solver", script), formula([]int{1}), proof)
		var wrong *SolverError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), name) || exists(proof) {
			t.Errorf("%s: %v, proof left: %v", name, err, exists(proof))
		}
	}
	var wrong *SolverError
	if _, err := SolveTo(context.Background(), filepath.Join(t.TempDir(), "none"), formula([]int{1}),
		""); !errors.As(err, &wrong) {
		t.Errorf("no such program: %v", err)
	}
}

// TestContextKills ends a solver that would run for ever.
func TestContextKills(t *testing.T) {
	folder := t.TempDir()
	proof := filepath.Join(folder, "proof")
	path := program(t, folder, "slow", "echo 1 > $5\nexec tail -f /dev/null\n")
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	answer, err := SolveTo(ctx, path, formula([]int{1}), proof)
	if err != nil || answer.Status != dimacs.Unknown || exists(proof) {
		t.Errorf("%+v, %v, proof left: %v", answer, err, exists(proof))
	}
}
