package certificate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/disk"
	"leeway/search/backend"
	"leeway/search/refute"
)

// order returns one for six processors on 4x4 under UDR with E_max below 1: five messages leave each over four links.
func order(t *testing.T) Order {
	t.Helper()
	p := coretest.Must(texts.Key{Torus: "4x4", Routing: "udr:tie=both", Size: 6}.Problem())
	model := coretest.Must(encode.NewModel(t.Context(), p, encode.Options{}))
	formula := coretest.Must(model.Formula(t.Context(), big.NewRat(3, 4)))
	return Order{Folder: filepath.Join(t.TempDir(), "made"), Formula: formula, Refute: refute.Refute,
		Write:    func(w io.Writer) error { return dimacs.Write(w, []string{"a comment"}, formula) },
		Checkers: append([]Checker{Own("test")}, InstalledCheckers()...)}
}

// names returns what stands in a folder, nil if it is not there.
func names(folder string) (list []string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// TestMake writes both files, over older ones, and says who accepted them.
func TestMake(t *testing.T) {
	o := order(t)
	for range 2 {
		files, err := Make(t.Context(), o)
		if err != nil || files.By[0] != "leeway" || len(files.By) != len(o.Checkers) {
			t.Fatalf("%+v, %v", files, err)
		}
		if got := names(o.Folder); !slices.Equal(got, []string{FormulaName, ProofName}) {
			t.Errorf("%v", got)
		}
		text := coretest.Must(os.ReadFile(filepath.Join(o.Folder, FormulaName)))
		if !strings.HasPrefix(string(text), "c a comment\np cnf ") || int64(len(text)) != files.FormulaBytes {
			t.Errorf("%d bytes, %+v", len(text), files)
		}
	}
}

// TestNothingIsLeft: whatever goes wrong, no file is there that was not before, and an older certificate stays.
func TestNothingIsLeft(t *testing.T) {
	var refused *RefusedError
	failing := errors.New("it failed")
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		change func(*Order)
		right  func(error) bool
	}{
		"wrong proof": {func(o *Order) {
			o.Refute = func(_ context.Context, _ dimacs.Formula, w *lrat.Writer) error { w.Add(nil, []int64{1, 2}); return nil }
		}, func(err error) bool { return errors.As(err, &refused) && refused.Checker == "leeway" }},
		"refused by another": {func(o *Order) {
			o.Checkers = append(o.Checkers[:1:1], Checker{atlas.Checker{Name: "other"},
				func(context.Context, Proof) (bool, error) { return false, nil }})
		}, func(err error) bool { return errors.As(err, &refused) && refused.Checker == "other" }},
		"unfinished": {func(o *Order) {
			o.Refute = func(context.Context, dimacs.Formula, *lrat.Writer) error { return nil }
		}, func(err error) bool { return errors.Is(err, lrat.ErrUnfinished) }},
		"model": {func(o *Order) {
			o.Refute = func(context.Context, dimacs.Formula, *lrat.Writer) error { return lrat.ErrSatisfiable }
		}, func(err error) bool {
			return errors.Is(err, lrat.ErrSatisfiable) && !errors.As(err, new(*disk.WriteError))
		}},
		"refuter": {func(o *Order) {
			o.Refute = func(context.Context, dimacs.Formula, *lrat.Writer) error { return failing }
		}, func(err error) bool { return errors.Is(err, failing) }},
		"formula": {func(o *Order) { o.Write = func(io.Writer) error { return failing } },
			func(err error) bool { return errors.As(err, new(*disk.WriteError)) }},
		"stopped": {func(o *Order) {
			o.Refute = func(_ context.Context, f dimacs.Formula, w *lrat.Writer) error { return refute.Refute(stopped, f, w) }
		}, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		o := order(t)
		c.change(&o)
		if _, err := Make(t.Context(), o); !c.right(err) {
			t.Errorf("%s: %v", name, err)
		}
		if got := names(o.Folder); got != nil {
			t.Errorf("%s: %v is left", name, got)
		}
		if _, err := os.Stat(o.Folder); err == nil {
			t.Errorf("%s: the folder is left", name)
		}
		good := order(t)
		good.Folder = o.Folder
		before := coretest.Must(Make(t.Context(), good))
		if _, err := Make(t.Context(), o); !c.right(err) || len(names(o.Folder)) != 2 {
			t.Errorf("%s, over an older one: %v, %v", name, err, names(o.Folder))
		}
		if after := coretest.Must(os.Stat(filepath.Join(o.Folder, ProofName))); after.Size() != before.ProofBytes {
			t.Errorf("%s: the older proof changed", name)
		}
	}
}

// TestChangedMeanwhile: files that change while checkers read them are not written: their hashes would be of others.
func TestChangedMeanwhile(t *testing.T) {
	for i := range 2 {
		o := order(t)
		o.Checkers = append(o.Checkers[:1:1], Checker{atlas.Checker{Name: "other"},
			func(_ context.Context, p Proof) (bool, error) {
				return true, os.WriteFile([]string{p.Formula, p.Steps}[i], []byte("p cnf 0 1\n0\n"), 0o600)
			}})
		if _, err := Make(t.Context(), o); !errors.As(err, new(*disk.WriteError)) || names(o.Folder) != nil {
			t.Errorf("file %d: %v, %v", i, err, names(o.Folder))
		}
	}
}

// TestSilent: a checker that cannot tell is named, and is not among those that accepted.
func TestSilent(t *testing.T) {
	o, told := order(t), ""
	o.Checkers = append(o.Checkers[:1:1], Checker{atlas.Checker{Name: "other"},
		func(context.Context, Proof) (bool, error) { return false, errors.New("no memory") }})
	o.Silent = func(name string, err error) { told = name + ": " + err.Error() }
	if files, err := Make(t.Context(), o); err != nil || !slices.Equal(files.By, []string{"leeway"}) ||
		told != "other: no memory" {
		t.Errorf("%+v, %v, told %q", files, err, told)
	}
}

// TestOutsideWords: a program accepts a proof with its own words only, and one that the system ends has not refused it.
func TestOutsideWords(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	for script, want := range map[string]string{
		"echo 's VERIFIED UNSAT'":                         "true <nil>",
		"echo 's NOT VERIFIED UNSAT'":                     "false <nil>",
		"echo 'c s VERIFIED UNSAT'":                       "false <nil>",
		"exit 1":                                          "false <nil>",
		"echo 's VERIFIED UNSAT'; exit 1":                 "false <nil>",
		"echo 'CakeML heap space exhausted.' >&2; exit 1": "false its memory was not enough",
		"kill -9 $$":                                      "false signal: killed",
		"echo 's VERIFIED UNSAT'; kill -9 $$":             "false signal: killed",
	} {
		dir := t.TempDir()
		t.Setenv("PATH", dir)
		coretest.Try(os.WriteFile(filepath.Join(dir, "cake_lpr"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
		accepts, err := InstalledCheckers()[0].Accepts(t.Context(), Proof{})
		if got := fmt.Sprint(accepts, " ", err); got != want {
			t.Errorf("%s: %s, want %s", script, got, want)
		}
	}
}

// TestFolderThatIsNone: a file where the folder should go.
func TestFolderThatIsNone(t *testing.T) {
	o := order(t)
	coretest.Try(os.WriteFile(o.Folder, nil, 0o600))
	if _, err := Make(t.Context(), o); !errors.As(err, new(*disk.WriteError)) {
		t.Errorf("%v", err)
	}
}

// TestOutside runs whatever checkers there are on a formula with a proof, and with one that proves nothing.
func TestOutside(t *testing.T) {
	o := order(t)
	if len(o.Checkers) == 1 {
		t.Skip("no checker of others is on the path")
	}
	coretest.Must(Make(t.Context(), o))
	proof := Proof{Of: o.Formula, Formula: filepath.Join(o.Folder, FormulaName), Steps: filepath.Join(o.Folder, ProofName)}
	nothing := proof
	nothing.Steps = filepath.Join(o.Folder, "nothing.lrat")
	text := "999999 0 1 2 0\n"
	coretest.Try(os.WriteFile(nothing.Steps, []byte(text), 0o600))
	for _, c := range o.Checkers {
		if ok, err := c.Accepts(t.Context(), proof); !ok || err != nil {
			t.Errorf("%s refuses a proof: %v", c.Name, err)
		}
		if ok, err := c.Accepts(t.Context(), nothing); ok || err != nil {
			t.Errorf("%s accepts nothing: %v", c.Name, err)
		}
	}
}

// TestBySolver refutes with CaDiCaL, if it is there and writes LRAT.
func TestBySolver(t *testing.T) {
	if _, _, err := BySolver("no-such-solver"); !errors.As(err, new(*backend.AbsentError)) {
		t.Errorf("no such solver: %v", err)
	}
	refute, _, err := BySolver(backend.CaDiCaL)
	if err != nil {
		t.Skip(err)
	}
	o := order(t)
	o.Refute = refute
	if _, err := Make(t.Context(), o); err != nil {
		t.Error(err)
	}
}

// TestSums writes a proof in VeriPB's format as it is, whether or not veripb is on PATH, unless that refuses it.
func TestSums(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	o := Order{Folder: t.TempDir(), Write: write("rows"), Sums: write("sums"), Checkers: VeriPB()}
	files, err := Make(t.Context(), o)
	if err != nil || files.By != nil || !slices.Equal(names(o.Folder), []string{RowsName, SumsName}) {
		t.Fatalf("%+v, %v, %v", files, names(o.Folder), err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("scripts")
	}
	program := filepath.Join(os.Getenv("PATH"), "veripb")
	for says, accepts := range map[string]bool{"s VERIFIED UNSATISFIABLE": true, "s VERIFIED NO CONCLUSION": false} {
		coretest.Try(os.WriteFile(program, []byte("#!/bin/sh\necho '"+says+"'\n"), 0o777))
		o.Folder, o.Checkers = filepath.Join(t.TempDir(), "made"), VeriPB()
		files, err := Make(t.Context(), o)
		refused := (*RefusedError)(nil)
		if accepts && (err != nil || !slices.Equal(files.By, []string{"veripb"})) ||
			!accepts && (!errors.As(err, &refused) || names(o.Folder) != nil) {
			t.Errorf("%s: %+v, %v", says, files, err)
		}
	}
}
