package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/search/backend"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" { // a process of a test about several
		main()
	}
	testscript.Main(m, map[string]func(){
		"leeway": func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the scripts in testdata: commands with their stdout, stderr
// and exit status. "status N command" runs a command that must exit with N. Under the race detector only those run that
// have servers, clusters, and searches side by side.
func TestScripts(t *testing.T) {
	folder, files := "testdata", []string(nil)
	if coretest.Raced() {
		folder = ""
		for _, name := range []string{"cluster", "search", "prove", "serve"} {
			files = append(files, "testdata/"+name+".txt")
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:           folder,
		Files:         files,
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error { // the race detector would wait a second at the end of each process
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			examples, err := filepath.Abs("../../examples")
			e.Setenv("EXAMPLES", examples)
			if err != nil {
				return err
			}
			return nil
		},
		Condition: func(cond string) (bool, error) { // lrat: a solver that writes proofs in LRAT is on the path
			if cond != "lrat" {
				return false, errors.New("unknown condition " + cond)
			}
			_, err := backend.Prover(backend.CaDiCaL)
			return err == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":      checkStatus,
			"edit":        edit,
			"same-record": sameRecord,
		},
	})
}

// checkStatus runs a command and compares its exit status.
func checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// edit replaces a pattern, which must occur, in a copy of a file.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: edit FROM TO PATTERN REPLACEMENT")
	}
	text := ts.ReadFile(args[0])
	pattern := regexp.MustCompile(args[2])
	if !pattern.MatchString(text) {
		ts.Fatalf("%s does not match %s", args[0], args[2])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(pattern.ReplaceAllString(text, args[3])), 0o644))
}

// sameRecord compares two records apart from times and command line.
func sameRecord(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same-record ONE TWO")
	}
	var records [2]results.Record
	for i, name := range args {
		r, err := results.ReadRecord([]byte(ts.ReadFile(name)))
		ts.Check(err)
		r.Command, r.Started, r.FoundBy.Seconds = nil, "", 0
		records[i] = r
	}
	if !reflect.DeepEqual(records[0], records[1]) {
		ts.Fatalf("records differ:\n%+v\n%+v", records[0], records[1])
	}
}
