package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver, to damage stores by hand

	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results/disk"
	"leeway/results/store"
)

// leeway runs a command line and returns its exit status and what it printed.
func leeway(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = execute(context.Background(), args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

// spoilt makes a store with a lower bound of 6x6 odr, 6 processors, that nothing reaches.
func spoilt(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "spoilt.store")
	s, err := store.Open(path)
	if err == nil {
		err = s.AddBound(texts.Key{Torus: "6x6", Routing: "odr:tie=plus", Size: 6},
			store.Bound{Value: big.NewRat(1000, 1), Reason: "a lie"})
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

const twoJobs = `schema: leeway/plan/1
problems:
  - {torus: 6x6, size: [6, 7], routing: odr}
defaults: {evaluations: 2000}
`

// TestOneBadCell: a cell of which the store says what is not so ends neither a plan nor a fill: the result is written
// all the same, the later jobs are done, and the exit status is 1. Another store takes what is right.
func TestOneBadCell(t *testing.T) {
	coretest.Alone(t)
	plan := filepath.Join(t.TempDir(), "two.yaml")
	coretest.Try(os.WriteFile(plan, []byte(twoJobs), 0o644))
	for _, command := range [][]string{
		{"search", "--known", "none", "--plan", plan, "-j", "1"},
		{"atlas", "fill", "--plan", plan, "-j", "1"},
	} {
		status, out, errs := leeway(t, append(command, "--store", spoilt(t))...)
		if status != 1 || strings.Count(out, "E_max") < 2 || !strings.Contains(errs, "(a lie)") {
			t.Errorf("%v: status %d\n%s%s", command, status, out, errs)
		}
	}
	record, path := filepath.Join(t.TempDir(), "six.json"), spoilt(t)
	status, out, errs := leeway(t, "search", "--known", "none", "--torus", "6x6", "--size", "6", "--routing", "odr",
		"--evaluations", "2000", "--store", path, "--out", record)
	r, err := disk.ReadRecordFile(t.Context(), record)
	if status != 1 || err != nil || !strings.Contains(out, "E_max "+r.MaxLoad) || !strings.Contains(errs, "(a lie)") {
		t.Errorf("status %d, %v\n%s%s", status, err, out, errs)
	}
	if status, _, errs := leeway(t, "check", record); status != 0 {
		t.Errorf("%s", errs)
	}
	status, out, errs = leeway(t, "atlas", "merge", path, record)
	if status != 1 || !strings.Contains(errs, "(a lie)") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if status, out, _ := leeway(t, "atlas", "verify", "--store", path, "-j", "1"); status != 1 {
		t.Errorf("status %d\n%s", status, out)
	}
	sound := filepath.Join(t.TempDir(), "sound.store")
	leeway(t, "atlas", "merge", sound, path) // which leaves the lie out
	for _, args := range [][]string{{"merge", sound, record}, {"verify", "--store", sound, "-j", "1"}} {
		if status, out, errs := leeway(t, append([]string{"atlas"}, args...)...); status != 0 {
			t.Errorf("%v: status %d\n%s%s", args, status, out, errs)
		}
	}
}

// TestVerifyAcrossSizes: a bound that a placement of more processors refutes is named.
func TestVerifyAcrossSizes(t *testing.T) {
	dir := t.TempDir()
	record := filepath.Join(dir, "seven.json")
	if status, _, errs := leeway(t, "search", "--known", "none", "--torus", "6x6", "--size", "7", "--routing", "odr",
		"--evaluations", "2000", "--out", record); status != 0 {
		t.Fatal(errs)
	}
	r := coretest.Must(disk.ReadRecordFile(t.Context(), record))
	path := spoilt(t)
	s, err := store.Open(path)
	if err == nil {
		_, err = s.AddRecord(r)
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	status, out, _ := leeway(t, "atlas", "verify", "--store", path, "-j", "1")
	want := fmt.Sprintf("refuted by the placement of 7 processors with E_max %s", r.MaxLoad)
	if status != 1 || !strings.Contains(out, want) {
		t.Errorf("status %d\n%s", status, out)
	}
}

// TestResumeDoesTheWholePlan: what a stopped plan had not begun is not forgotten.
func TestResumeDoesTheWholePlan(t *testing.T) {
	dir := t.TempDir()
	plan, path := filepath.Join(dir, "two.yaml"), filepath.Join(dir, "a.store")
	coretest.Try(os.WriteFile(plan, []byte(strings.Replace(twoJobs, "[6, 7]", "[6, 7, 9]", 1)), 0o644))
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	execute(stopped, []string{"search", "--known", "none", "--plan", plan, "--store", path, "-j", "1"},
		strings.NewReader(""), &out, &errs)
	if !strings.Contains(errs.String(), "stopped before 2 of 3 problems had begun") {
		t.Errorf("%s%s", out.String(), errs.String())
	}
	status, resumed, problems := leeway(t, "resume", "--store", path, "-j", "1")
	for _, size := range []string{"6", "7", "9"} {
		if status != 0 || !strings.Contains(resumed, "6x6, "+size+" processors") {
			t.Errorf("status %d, size %s:\n%s%s", status, size, resumed, problems)
		}
	}
	status, again, _ := leeway(t, "resume", "--store", path, "--json")
	if status != 0 || !strings.Contains(again, `"items": []`) {
		t.Errorf("status %d: %s", status, again)
	}
}

// TestDamagedRows: whatever one row of a store says, a plan does all its problems, verify names the cell or finds
// nothing wrong, and so does a plan with another store that took in what is right; there nothing is wrong.
func TestDamagedRows(t *testing.T) {
	coretest.Alone(t)
	dir := t.TempDir()
	plan := filepath.Join(dir, "two.yaml")
	coretest.Try(os.WriteFile(plan, []byte(strings.Replace(twoJobs, "2000", "3000", 1)), 0o644))
	before := filepath.Join(dir, "before.store")
	if status, _, errs := leeway(t, "search", "--known", "none", "--torus", "6x6", "--size", "5..6", "--routing", "odr",
		"--evaluations", "9", "--methods", "local", "--store", before, "--json"); status != 0 {
		t.Fatal(errs)
	}
	whole := coretest.Must(os.ReadFile(before))
	for i, damage := range []string{
		`UPDATE records SET json = '{'`,
		`UPDATE records SET json = '{' WHERE id = (SELECT max(id) FROM records)`,
		`UPDATE records SET numerator = 'x'`,
		`UPDATE records SET numerator = '0'`,
		`UPDATE records SET rank = 2`,
		`UPDATE records SET problem = (SELECT max(id) FROM problems)`,
		`UPDATE bounds SET numerator = 'x'`,
		`UPDATE bounds SET proof = 'x'`,
		`UPDATE bounds SET numerator = '999'`,
		`UPDATE bounds SET denominator = '0'`,
		`UPDATE problems SET best = NULL`,
		`UPDATE problems SET bound = NULL`,
		`UPDATE problems SET best = (SELECT max(id) FROM records)`,
		`UPDATE nulls SET seed = 'x'`,
		`UPDATE nulls SET budget = '['`,
		`UPDATE runs SET state = '[1]', finished = NULL`,
		`UPDATE problems SET torus = '6x5'`,
		`UPDATE problems SET routing = 'none' WHERE size = 5`, `UPDATE problems SET size = 40 WHERE size = 5`,
	} {
		if i%2 == 1 && !coretest.Long() {
			continue
		}
		path := filepath.Join(t.TempDir(), "damaged.store")
		coretest.Try(os.WriteFile(path, whole, 0o644))
		db, err := sql.Open("sqlite", path)
		if err == nil {
			_, err = db.Exec(damage)
		}
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatalf("%s: %v", damage, err)
		}
		if status, out, errs := leeway(t, "atlas", "verify", "--store", path, "-j", "1"); status > 1 {
			t.Errorf("%s: verify %d\n%s%s", damage, status, out, errs)
		}
		if status, out, errs := leeway(t, "resume", "--store", path, "-j", "1"); status > 1 {
			t.Errorf("%s: resume %d\n%s%s", damage, status, out, errs)
		}
		status, out, errs := leeway(t, "search", "--known", "none", "--plan", plan, "--store", path, "-j", "1")
		if status > 2 || !strings.Contains(out, "6x6, 7 processors") {
			t.Errorf("%s: status %d\n%s%s", damage, status, out, errs)
		}
		sound := filepath.Join(t.TempDir(), "sound.store")
		if status, out, errs := leeway(t, "atlas", "merge", sound, path); status > 1 {
			t.Errorf("%s: merge %d\n%s%s", damage, status, out, errs)
		}
		status, out, errs = leeway(t, "search", "--known", "none", "--plan", plan, "--store", sound, "-j", "1")
		if status != 0 {
			t.Errorf("%s: status %d\n%s%s", damage, status, out, errs)
		}
		status, out, errs = leeway(t, "atlas", "verify", "--store", sound, "--torus", "6x6", "--size", "6..7", "-j", "1")
		if status != 0 || !strings.Contains(out, "2 cells verified") {
			t.Errorf("%s: verify after the plan %d\n%s%s", damage, status, out, errs)
		}
	}
}
