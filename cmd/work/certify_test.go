package work

import (
	"context"
	"errors"
	"math/big"
	"path/filepath"
	"reflect"
	"testing"

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
)

// TestRefuterByName: no solver on the path is asked for where the one of this program is named.
func TestRefuterByName(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, solver := range []string{"", OwnRefuter} {
		if r, name, err := Refuter(solver, "1.2"); r == nil || name != "own 1.2" || err != nil {
			t.Errorf("%q: %q, %v", solver, name, err)
		}
	}
	if _, _, err := Refuter("no-such-solver", "1.2"); !errors.As(err, new(*backend.AbsentError)) {
		t.Errorf("a solver that is not there: %v", err)
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

// TestLinearCertificate: rows and a proof, of three dimensions too; what has no rows, or a placement below, has none.
func TestLinearCertificate(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	problem := func(torus, routing string, size int) objective.Problem {
		return coretest.Must(objective.ParseProblem(torus, routing, size))
	}
	c := NewLinearCertificate(filepath.Join(t.TempDir(), "made"), "test")
	got, err := c.Make(t.Context(), problem("3x3x3", "odr", 9), big.NewRat(3, 1), nil)
	want := results.Certificate{Formula: certificate.RowsName, Proof: certificate.StepsName, Format: "veripb", Below: "3",
		Engine: "linear", VerifiedBy: []string{"leeway"}}
	if err != nil {
		t.Fatal(err)
	}
	want.FormulaSHA256, want.ProofSHA256 = got.FormulaSHA256, got.ProofSHA256
	if !reflect.DeepEqual(*got, want) || len(got.ProofSHA256) != 64 {
		t.Errorf("%+v", *got)
	}
	_, err = c.Make(t.Context(), problem("3x3x3", "odr", 9), big.NewRat(4, 1), nil)
	if !errors.Is(err, lrat.ErrSatisfiable) {
		t.Errorf("a value that is not the smallest: %v", err)
	}
	if _, err := c.MakeList(t.Context(), problem("3x3", "odr", 2), big.NewRat(1, 1), nil, nil); !errors.As(err,
		new(*core.InputError)) {
		t.Errorf("a list: %v", err)
	}
	for _, p := range []objective.Problem{problem("4x4", "avoid", 4), problem("17x17", "odr", 4)} {
		if err := c.Supports(p); !errors.As(err, new(*encode.UnsupportedError)) {
			t.Errorf("%s: %v", p, err)
		}
		if _, err := c.Make(t.Context(), p, big.NewRat(1, 1), nil); !errors.As(err, new(*encode.UnsupportedError)) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// TestProofWithoutCertificate: a proof whose certificate comes to no end in time, or is stopped, is recorded without
// one; so it is where the formula has a model or a checker refuses the proof, which are errors.
func TestProofWithoutCertificate(t *testing.T) {
	p := coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(core.MustTorus(4, 4), "odr")), 4))
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
