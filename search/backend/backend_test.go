package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"leeway/encode/cnf/cnftest"
	"leeway/encode/dimacs"
)

// formula returns one over three variables.
func formula(clauses ...[]int) cnftest.Clauses { return cnftest.Clauses{Of: 3, List: clauses} }

// program makes a shell script that stands in for a solver, which is called with -q --no-binary FORMULA PROOF.
func program(t *testing.T, folder, name, script string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
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
	if _, err := Find(); !errors.As(err, &absent) || !strings.Contains(err.Error(), "cadical, kissat, clasp") {
		t.Errorf("nothing installed: %v", err)
	}
	want := program(t, folder, "kissat", "exit 0\n")
	if path, err := Find(); err != nil || path != want {
		t.Errorf("%q, %v", path, err)
	}
	if _, err := Find("cadical"); !errors.As(err, &absent) {
		t.Errorf("another is installed: %v", err)
	}
}

func TestAnswers(t *testing.T) {
	folder := t.TempDir()
	proof := filepath.Join(folder, "proof")
	sat := program(t, folder, "sat", "echo d 0 > $4\nhead -1 $3 | grep -q '^p cnf 3 2$' || exit 7\n"+
		"echo 's SATISFIABLE'\necho 'v 1 -2 3 0'\nexit 10\n")
	answer, err := Solve(context.Background(), sat, formula([]int{1, 2}, []int{-2, 3}), proof)
	if err != nil || answer.Status != dimacs.Satisfiable || !answer.Value(1) || answer.Value(2) || exists(proof) {
		t.Errorf("satisfiable: %+v, %v, proof left: %v", answer, err, exists(proof))
	}
	unsat := program(t, folder, "unsat", "echo 0 > $4\necho 's UNSATISFIABLE'\nexit 20\n")
	answer, err = Solve(context.Background(), unsat, formula([]int{}), proof)
	if text, _ := os.ReadFile(proof); err != nil || answer.Status != dimacs.Unsatisfiable || string(text) != "0\n" {
		t.Errorf("unsatisfiable: %+v, %v, proof %q", answer, err, text)
	}
	unknown := program(t, folder, "unknown", "echo 's UNKNOWN'\nexit 0\n")
	if answer, err := Solve(context.Background(), unknown, formula([]int{1}), ""); err != nil ||
		answer.Status != dimacs.Unknown {
		t.Errorf("unknown: %+v, %v", answer, err)
	}
}

func TestWrongAnswers(t *testing.T) {
	for name, script := range map[string]string{
		"model violates":  "echo 's SATISFIABLE'\necho 'v -1 0'\nexit 10\n",
		"exit status":     "echo 's UNSATISFIABLE'\nexit 10\n",
		"cannot be read":  "echo 'Segmentation fault'\nexit 20\n",
		"out of memory":   "echo 'out of memory' >&2\nexit 3\n",
		"left no proof":   "echo 's UNSATISFIABLE'\nexit 20\n",
		"signal: killed":  "kill -9 $$\n",
		"no literal":      "echo 's SATISFIABLE'\necho 'v 4 0'\nexit 10\n",
		"there is no sta": "echo 1 > $4\nexit 20\n",
	} {
		folder := t.TempDir()
		proof := filepath.Join(folder, "proof")
		_, err := Solve(context.Background(), program(t, folder, "solver", script), formula([]int{1}), proof)
		var wrong *SolverError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), name) || exists(proof) {
			t.Errorf("%s: %v, proof left: %v", name, err, exists(proof))
		}
	}
	var wrong *SolverError
	if _, err := Solve(context.Background(), filepath.Join(t.TempDir(), "none"), formula([]int{1}),
		""); !errors.As(err, &wrong) {
		t.Errorf("no such program: %v", err)
	}
}

// TestProofEndsWithTheEmptyClause: what a solver writes after it is no part of the proof.
func TestProofEndsWithTheEmptyClause(t *testing.T) {
	folder := t.TempDir()
	long := strings.Repeat("1 ", 1<<16)
	for _, c := range []struct{ written, want string }{
		{"0\n", "0\n"}, {"1 0\n0\nd 1 0\nd 2 0\n", "1 0\n0\n"}, {"d 1 0\n-2 0\n0\n0\n", "d 1 0\n-2 0\n0\n"},
		{"1 0\n", "1 0\n"}, {"1 0\n0", "1 0\n0"}, {"", ""}, {long + "0\n10 0\n0\nd 10 0\n", long + "0\n10 0\n0\n"},
	} {
		text := filepath.Join(folder, "text")
		if err := os.WriteFile(text, []byte(c.written), 0o600); err != nil {
			t.Fatal(err)
		}
		solver := program(t, folder, "solver", "cp "+text+" $4\necho 's UNSATISFIABLE'\nexit 20\n")
		proof := filepath.Join(folder, "proof")
		if a, err := Solve(context.Background(), solver, formula([]int{1}, []int{-1}), proof); err != nil ||
			a.Status != dimacs.Unsatisfiable {
			t.Fatalf("%v, %v", a.Status, err)
		}
		if got, err := os.ReadFile(proof); err != nil || string(got) != c.want {
			t.Errorf("of %.40q %.40q is left, want %.40q, %v", c.written, got, c.want, err)
		}
	}
}

// TestContextKills ends a solver that would run for ever.
func TestContextKills(t *testing.T) {
	folder := t.TempDir()
	proof := filepath.Join(folder, "proof")
	path := program(t, folder, "slow", "echo 1 > $4\nexec tail -f /dev/null\n")
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	answer, err := Solve(ctx, path, formula([]int{1}), proof)
	if err != nil || answer.Status != dimacs.Unknown || exists(proof) {
		t.Errorf("%+v, %v, proof left: %v", answer, err, exists(proof))
	}
}
