package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/search/backend"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" || filepath.Base(os.Args[0]) == "leeway" { // a process of a test about several
		main()
	}
	os.Exit(m.Run())
}

// linked returns a folder with the program: a link to the binary of this test, which is the program by that name.
func linked(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	coretest.Try(os.Symlink(coretest.Must(os.Executable()), filepath.Join(dir, "leeway")))
	return dir
}

// Scripts run one after the other, since they share a working directory.
type inTurn struct{ *testing.T }

func (inTurn) Parallel()     {}
func (inTurn) Verbose() bool { return testing.Verbose() }

func (t inTurn) Run(name string, script func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { script(inTurn{t}) })
}

// TestScripts runs the scripts in testdata: commands with their stdout, stderr and exit status. The command leeway runs
// in the process of the test, where the atlas is read once. Under the race detector only those scripts run that have
// servers, clusters, and searches side by side.
func TestScripts(t *testing.T) {
	folder, files := coretest.Must(filepath.Abs("testdata")), []string(nil)
	if coretest.Raced() {
		for _, name := range []string{"cluster", "search", "prove", "serve"} {
			files = append(files, filepath.Join(folder, name+".txt"))
		}
		folder = ""
	}
	t.Chdir(".")
	t.Setenv("HOME", "/no-home")
	s := scripts{program: linked(t), examples: coretest.Must(filepath.Abs("../../examples"))}
	testscript.RunT(inTurn{t}, testscript.Params{
		Dir:           folder,
		Files:         files,
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", s.program+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("EXAMPLES", s.examples)
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
			"leeway": func(ts *testscript.TestScript, neg bool, args []string) {
				if status := s.leeway(ts, args); (status != 0) != neg {
					ts.Fatalf("exit status %d", status)
				}
			},
			"status":      s.checkStatus,
			"feed":        func(ts *testscript.TestScript, _ bool, args []string) { s.input = ts.ReadFile(args[0]) },
			"edit":        edit,
			"same-record": sameRecord,
		},
	})
}

// scripts are what scripts share: where the program and the examples are, and the input of the next command.
type scripts struct{ program, examples, input string }

// leeway runs a command line in the folder of a script and returns the exit status.
func (s *scripts) leeway(ts *testscript.TestScript, args []string) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	ts.Check(os.Chdir(ts.MkAbs(".")))
	input := strings.NewReader(s.input)
	s.input = ""
	return execute(context.Background(), args, input, ts.Stdout(), ts.Stderr())
}

// checkStatus runs a command line and compares its exit status.
func (s *scripts) checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "leeway" {
		ts.Fatalf("usage: status N leeway [args...]")
	}
	if got := s.leeway(ts, args[2:]); args[0] != strconv.Itoa(got) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
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
