package work

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"leeway/cmd/work/certificate"
	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/objective"
	"leeway/results"
	"leeway/search/backend"
	"leeway/search/refute"
	"leeway/search/searchtest"
)

// TestRefuterByName: no solver on the path is asked for where the one of this program is named.
func TestRefuterByName(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, solver := range []string{"", OwnRefuter} {
		if r, name, err := Refuter(solver, "1.2", nil); r == nil || name != "own 1.2" || err != nil {
			t.Errorf("%q: %q, %v", solver, name, err)
		}
	}
	if _, _, err := Refuter("no-such-solver", "1.2", nil); !errors.As(err, new(*backend.AbsentError)) {
		t.Errorf("a solver that is not there: %v", err)
	}
}

// TestOwnRefuterComesFirst: a solver on the path is asked only where the one of this program comes to no answer in its
// time or memory; a model is an answer, and so is the end of the context.
func TestOwnRefuterComesFirst(t *testing.T) {
	failing := errors.New("it failed")
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		share time.Duration
		first error // nil: it waits for its end
		want  string
		err   error
	}{
		"answer":   {t.Context(), time.Hour, errNone, "first", nil},
		"model":    {t.Context(), time.Hour, lrat.ErrSatisfiable, "first", lrat.ErrSatisfiable},
		"failure":  {t.Context(), time.Hour, failing, "first", failing},
		"memory":   {t.Context(), time.Hour, &refute.LimitError{Bytes: 1}, "first second", nil},
		"its time": {t.Context(), 0, nil, "first second", nil},
		"all time": {stopped, time.Hour, nil, "first", context.Canceled},
	} {
		var called []string
		refuter := inTurn(func(ctx context.Context, _ dimacs.Formula, _ *lrat.Writer) error {
			if c.first == nil {
				<-ctx.Done()
				return ctx.Err()
			}
			if c.first == errNone {
				return nil
			}
			return c.first
		}, func(context.Context, dimacs.Formula, *lrat.Writer) error { return nil },
			func(context.Context) time.Duration { return c.share },
			func() { called = append(called, "first") }, func() { called = append(called, "second") })
		if err := refuter(c.ctx, nil, nil); !errors.Is(err, c.err) || strings.Join(called, " ") != c.want {
			t.Errorf("%s: %v, %v", name, called, err)
		}
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(time.Minute))
	defer cancel()
	if ownShare(ctx) > 30*time.Second || ownShare(t.Context()) != 5*time.Minute {
		t.Errorf("%s and %s", ownShare(ctx), ownShare(t.Context()))
	}
}

var errNone = errors.New("no error")

// TestSolverOnPathIsNotAsked: a formula that this program refutes is not shown to a solver on the path.
func TestSolverOnPathIsNotAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the solver is a shell script")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 9.9 && exit\n[ $# = 3 ] && exit 20\n: >" +
		filepath.Join(dir, "asked") + "\nexit 1\n"
	coretest.Try(os.WriteFile(filepath.Join(dir, "cadical"), []byte(script), 0o700))
	c := coretest.Must(NewCertificate(filepath.Join(dir, "made"), "", "test"))
	p := searchtest.Problem("4x4", "odr", 4)
	got, err := c.Make(t.Context(), p, coretest.Must(results.ParseFraction("2")), nil)
	if _, missing := os.Stat(filepath.Join(dir, "asked")); err != nil || got.Engine != OwnRefuter || missing == nil {
		t.Errorf("%+v, %v; asked: %v", got, err, missing == nil)
	}
}

// TestCertificateWithoutPrograms: where neither a solver nor a checker is on the path, this program does both.
func TestCertificateWithoutPrograms(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	c, err := NewCertificate(filepath.Join(t.TempDir(), "made"), "", "test")
	if err != nil || c.Engine != OwnRefuter || len(c.Checkers) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	torus := core.MustTorus(4, 4)
	p := coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(torus, "odr")), 4))
	got, err := c.Make(t.Context(), p, coretest.Must(results.ParseFraction("2")), nil)
	if err != nil || len(got.VerifiedBy) != 1 || got.VerifiedBy[0] != "leeway" || got.Engine != "own" || got.Below != "2" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := NewCertificate(t.TempDir(), "cadical", "test"); err == nil {
		t.Error("a solver that is not there is taken")
	}
	p = coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(torus, "avoid")), 4))
	if err := c.Supports(p); !errors.As(err, new(*encode.UnsupportedError)) {
		t.Errorf("avoid: %v", err)
	}
}

// TestProofWithoutCertificate: a proof whose certificate comes to no end in time, or is stopped, is recorded without
// one; so it is where the formula has a model or a checker refuses the proof, which are errors.
func TestProofWithoutCertificate(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 4)
	for name, refute := range map[string]lrat.Refuter{
		"satisfiable": func(context.Context, dimacs.Formula, *lrat.Writer) error { return lrat.ErrSatisfiable },
		"refused": func(_ context.Context, _ dimacs.Formula, w *lrat.Writer) error {
			w.Add(nil, []int64{1, 2})
			return nil
		},
		"stopped": nil,
	} {
		c := coretest.Must(NewCertificate(filepath.Join(t.TempDir(), "made"), OwnRefuter, "test"))
		ctx, cancel := context.WithCancel(t.Context())
		if c.Refute = refute; refute == nil {
			c.Refute = func(ctx context.Context, _ dimacs.Formula, _ *lrat.Writer) error {
				cancel()
				return ctx.Err()
			}
		}
		s := &Session{Version: "test", Workers: 1}
		var answer Answer
		err := s.All(ctx, []Task{{Problem: p, Proof: &Proof{Engine: EngineAuto, Certificate: c}}},
			func(_ Task, a Answer, err error) error { answer = a; return err })
		cancel()
		switch name {
		case "satisfiable":
			if err == nil || answer.Record == nil || answer.Record.Certificate != nil {
				t.Errorf("%s: %+v, %v", name, answer.Record, err)
			}
		case "refused":
			if !errors.As(err, new(*certificate.RefusedError)) || answer.Record == nil || answer.Record.Certificate != nil {
				t.Errorf("%s: %+v, %v", name, answer.Record, err)
			}
		default:
			if err != nil || answer.Record == nil || answer.Record.Status != results.StatusOptimal ||
				answer.Record.Certificate != nil {
				t.Errorf("%s: %+v, %v", name, answer.Record, err)
			}
		}
	}
}
