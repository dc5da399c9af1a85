package work

import (
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/opb"
	"leeway/encode/veripb"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/meter"
	checker "leeway/results/check/veripb"
	"leeway/search/linear"
	"leeway/search/searchtest"
)

// refuted returns the formula and the proof of a question, as text.
func refuted(t *testing.T, p objective.Problem, below *big.Rat) (formula, proof string) {
	t.Helper()
	m, steps, err := linear.Refute(t.Context(), p, below)
	if err != nil {
		t.Fatalf("%s below %s: %v", p, below.RatString(), err)
	}
	var rows, text strings.Builder
	if err := opb.Write(&rows, nil, m); err != nil {
		t.Fatal(err)
	}
	if err := steps.Write(&text, veripb.V2); err != nil {
		t.Fatal(err)
	}
	return rows.String(), text.String()
}

func checked(t *testing.T, formula, proof string) checker.Refutation {
	t.Helper()
	m := meter.Unlimited(t.Context())
	return coretest.Must(checker.Refute(m, strings.NewReader(formula), strings.NewReader(proof)))
}

// TestLinearProofs: on random small networks, with conditions and without, the checker, which shares nothing with what
// makes the proofs, accepts those at the optimum and refuses them for the value above it.
func TestLinearProofs(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(200, 40) {
		rng := coretest.Rng(61, i)
		p := searchtest.ConditionedOn(rng, coretest.AnyNetwork(rng, 12))
		if p.Routing.DependsOnPlacement() || p.Traffic.Clients() {
			continue
		}
		tried++
		best := searchtest.Optimum(p)
		formula, proof := refuted(t, p, best)
		if v := checked(t, formula, proof); v.Verdict != checker.Verified {
			t.Fatalf("%s below %s: %+v", p, best.RatString(), v)
		}
		var above strings.Builder
		m := coretest.Must(opb.New(t.Context(), p, new(big.Rat).Add(best, big.NewRat(1, 1000)), opb.Options{}))
		if err := opb.Write(&above, nil, m); err != nil {
			t.Fatal(err)
		}
		if v := checked(t, above.String(), proof); v.Verdict == checker.Verified {
			t.Fatalf("%s below more than %s is refuted", p, best.RatString())
		}
	}
	if tried < 20 {
		t.Errorf("only %d problems", tried)
	}
}

// provedCells are optima that other engines proved, in two and three dimensions.
var provedCells = []struct {
	torus, routing string
	size           int
	below          string
}{
	{"4x4", "udr:tie=both", 8, "2"}, {"5x5", "odr", 5, "2"}, {"6x6", "udr:tie=both", 12, "3"}, {"3x3x3", "odr", 9, "3"},
	{"3x3x3", "udr", 9, "4/3"}, {"3x3x3", "udr", 6, "5/6"}, {"4x4x4", "odr", 4, "2"},
}

// TestForgedLinearProofs: a proof without one of its lines, or with a number changed, is accepted only where the rest
// still proves it; for a formula without the row of a link that the proof uses it is not.
func TestForgedLinearProofs(t *testing.T) {
	coretest.Alone(t)
	refused := 0
	for i, c := range provedCells[:5] {
		p := coretest.Must(objective.ParseProblem(c.torus, c.routing, c.size))
		below, _ := new(big.Rat).SetString(c.below)
		formula, proof := refuted(t, p, below)
		if v := checked(t, formula, proof); v.Verdict != checker.Verified {
			t.Fatalf("%s below %s: %+v", p, c.below, v)
		}
		rng := coretest.Rng(62, i)
		lines := strings.SplitAfter(proof, "\n")
		for range 20 {
			at := 2 + rng.IntN(len(lines)-6)
			if strings.HasPrefix(lines[at], "del") {
				continue
			}
			forged := slices.Delete(slices.Clone(lines), at, at+1)
			if v := checked(t, formula, strings.Join(forged, "")); v.Verdict != checker.Verified {
				refused++
				if v.Line < at || v.Reason == "" {
					t.Errorf("without line %d: %+v", at+1, v)
				}
			}
		}
		if v := checked(t, formula, strings.Join(lines[:len(lines)-3], "")); v.Verdict != checker.Unreadable {
			t.Errorf("cut: %+v", v)
		}
		rows := strings.SplitAfter(formula, "\n")
		for j, row := range rows {
			if strings.HasPrefix(row, "-") { // no link may be overloaded any more
				rows[j] = row[:strings.LastIndex(row, ">=")] + ">= -1000000000 ;\n"
			}
		}
		if v := checked(t, strings.Join(rows, ""), proof); v.Verdict != checker.Wrong {
			t.Errorf("%s without limits: %+v", p, v)
		}
	}
	if refused < 50 {
		t.Errorf("only %d forged proofs were refused", refused)
	}
}

// TestWriteRefuted: the files are there, and checked by veripb where that is on the path.
func TestWriteRefuted(t *testing.T) {
	coretest.Alone(t)
	_, missing := exec.LookPath("veripb")
	if missing != nil {
		t.Log("veripb is not on the path: its verdict is left out")
	}
	for _, c := range provedCells[:7] {
		p := coretest.Must(objective.ParseProblem(c.torus, c.routing, c.size))
		below, _ := new(big.Rat).SetString(c.below)
		f := Formula{Problem: p, Below: below, Format: "opb"}
		proof, err := f.Refute(t.Context())
		if err != nil {
			t.Fatalf("%s below %s: %v", p, c.below, err)
		}
		rows, steps := filepath.Join(t.TempDir(), "q.opb"), filepath.Join(t.TempDir(), "q.pbp")
		by, err := WriteRefuted(t.Context(), f, proof, rows, steps, "test", func(name string, err error) { t.Log(name, err) })
		if err != nil || by[0] != "leeway" || missing == nil && !slices.Contains(by, "veripb") {
			t.Errorf("%s below %s: %v %v", p, c.below, by, err)
		}
		items := coretest.Must(check.VeriPB(t.Context(), rows, steps, check.Options{}))
		if items[0].ProofVerdict != check.Verified {
			t.Errorf("%s below %s: %+v", p, c.below, items[0])
		}
		if _, err := os.Stat(steps); err != nil {
			t.Error(err)
		}
	}
}

func TestRefuteRefuses(t *testing.T) {
	p := coretest.Must(objective.ParseProblem("3x3", "odr", 3))
	for _, f := range []Formula{{Format: "dimacs"}, {Format: "opb", Strengthen: true},
		{Format: "opb", BreakSymmetry: true}} {
		f.Problem, f.Below = p, big.NewRat(1, 1)
		if _, err := f.Refute(t.Context()); err == nil {
			t.Errorf("%+v is refuted", f)
		}
	}
}
