package pseudo_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/big"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/pseudo"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search/refuters"
)

// best returns the smallest E_max of all placements of a problem, nil if none keeps its conditions.
func best(p objective.Problem) (least *big.Rat) {
	for set := range uint64(1) << p.Torus().N() {
		if bits.OnesCount64(set) != p.Size {
			continue
		}
		s := core.MustPlacement(p.Torus(), core.Set{set}.Nodes())
		if !p.Admits(s) {
			continue
		}
		if most, _ := p.Naive(s).Max(); least == nil || most.Cmp(least) < 0 {
			least = most
		}
	}
	return least
}

// random returns a small problem, perhaps with clients, conditions or both; false for one without placements.
func random(i int) (p objective.Problem, ok bool) {
	rng := coretest.Rng(90117, i)
	torus := coretest.Network(rng, 9)
	p = coretest.Must(objective.NewProblem(coretest.Routing(rng, torus), 1+rng.IntN(torus.N())))
	var err error
	if rng.IntN(4) == 0 {
		p, err = p.WithTraffic(objective.Traffic{Request: 1 + rng.IntN(2), Reply: 1 + rng.IntN(3)})
	}
	if err == nil && rng.IntN(4) == 0 {
		p, err = p.WithNear(objective.Near{Radius: rng.IntN(3), Distance: rng.IntN(2) * rng.IntN(2*torus.N())})
	}
	if err == nil && rng.IntN(4) == 0 {
		v := rng.IntN(torus.N())
		p, err = p.WithNodes([]int{v}, []int{(v + 1 + rng.IntN(torus.N()-1)) % torus.N()})
	}
	return p, err == nil && pseudo.Supports(p) == nil
}

// written returns the formula and the proof that the steps of an engine become, and false where it writes none.
func written(t *testing.T, r refuters.Refuter, p objective.Problem, below *big.Rat) (formula, proof string, ok bool) {
	t.Helper()
	var stream bytes.Buffer
	if r.Refutes(p) != nil || r.Write(context.Background(), p, below, false, steps.Cut{}, &stream) != nil {
		return "", "", false
	}
	var f, s strings.Builder
	read, err := pseudo.Read(p, below, &stream)
	if err == nil {
		err = read.WriteFormula(&f, []string{p.String()})
	}
	if err == nil {
		err = read.Write(&s)
	}
	if err != nil {
		t.Fatalf("%s, %s below %s: %v", r.Name, p, below.RatString(), err)
	}
	return f.String(), s.String(), true
}

// TestTranslations has every engine refute random small problems: a checker that knows only rules of VeriPB accepts
// what becomes of its steps, and no altered proof about a formula that can be satisfied.
func TestTranslations(t *testing.T) {
	rules, count := map[string]int{}, 0
	veripb, _ := exec.LookPath("veripb")
	for i := range coretest.Cases(1500, 150) {
		p, ok := random(i)
		if !ok {
			continue
		}
		least := best(p)
		if least == nil || least.Sign() == 0 {
			continue
		}
		for _, r := range refuters.All() {
			formula, proof, ok := written(t, r, p, least)
			if !ok {
				continue
			}
			count++
			if err := judged(formula, proof); err != nil {
				t.Fatalf("case %d, %s, %s below %s: %v\n%s\n%s", i, r.Name, p, least.RatString(), err, formula, proof)
			}
			if veripb != "" && count%8 == 0 {
				accepted(t, veripb, formula, proof)
			}
			for _, word := range []string{"pol", "red", "dom"} {
				rules[word] += strings.Count(proof, word+" ")
			}
			refuse(t, i, p, least, proof)
		}
	}
	t.Logf("%d proofs, rules %v", count, rules)
	if rules["dom"] == 0 || rules["red"] == 0 {
		t.Errorf("not all rules had their turn: %v", rules)
	}
}

// accepted asks the program itself.
func accepted(t *testing.T, veripb, formula, proof string) {
	t.Helper()
	rows, sums := filepath.Join(t.TempDir(), "formula.opb"), filepath.Join(t.TempDir(), "proof.pbp")
	for path, text := range map[string]string{rows: formula, sums: proof} {
		coretest.Try(os.WriteFile(path, []byte(text), 0o666))
	}
	if out, err := exec.Command(veripb, rows, sums).CombinedOutput(); err != nil ||
		!strings.Contains(string(out), "s VERIFIED UNSATISFIABLE") {
		t.Fatalf("%v: %s\n%s\n%s", err, out, formula, proof)
	}
}

// refuse makes sure that a proof is refused for the formula that asks for as little as there is, however it is altered.
func refuse(t *testing.T, i int, p objective.Problem, least *big.Rat, proof string) {
	t.Helper()
	rng := coretest.Rng(90118, i)
	loose := loosened(t, p, least)
	if judged(loose, proof) == nil {
		t.Fatalf("case %d, %s: the proof is accepted for a formula that can be satisfied", i, p)
	}
	words := strings.SplitAfter(proof, " ")
	for range 8 {
		altered := append([]string(nil), words...)
		switch k := rng.IntN(len(words)); rng.IntN(3) {
		case 0:
			altered[k] = ""
		case 1:
			altered[k], altered[rng.IntN(len(words))] = altered[rng.IntN(len(words))], altered[k]
		default:
			if number, err := strconv.Atoi(strings.TrimSpace(words[k])); err == nil {
				altered[k] = strconv.Itoa(number+rng.IntN(3)-1) + " "
			}
		}
		if judged(loose, strings.Join(altered, "")) == nil {
			t.Fatalf("case %d, %s: an altered proof is accepted for a formula that can be satisfied", i, p)
		}
	}
}

// loosened returns the formula of the same problem for a value that there is.
func loosened(t *testing.T, p objective.Problem, least *big.Rat) string {
	t.Helper()
	var f strings.Builder
	above := new(big.Rat).Add(least, big.NewRat(1, 1<<20))
	read := coretest.Must(pseudo.Read(p, above, strings.NewReader(steps.Header+"\x10")))
	coretest.Try(read.WriteFormula(&f, nil))
	return f.String()
}

// TestRefusals has what has no translation refused, with its name, and streams that are none.
func TestRefusals(t *testing.T) {
	torus, odr := coretest.Parse("3x3", "odr")
	given := coretest.Must(objective.NewProblem(odr, 3))
	free := objective.FreeProblem(torus, routing.Free{})
	free.Size = 3
	number := func(codes ...byte) string { return steps.Header + string(codes) }
	for _, c := range []struct {
		p           objective.Problem
		below       int64
		stream, why string
	}{
		{given, 1, "leeway steps 2\n", `does not begin with "leeway steps 1`},
		{given, 1, steps.Header, "number 1: the stream ends early"},
		{given, 1, number(14), "number 1: step place"},
		{given, 1, number(18, 0), "number 1: step slice"},
		{given, 1, number(12, 0, 14), "number 2: step place"},
		{given, 1, number(99), "number 1: there is no step 99 here"},
		{given, 1, number(8, 77, 1), "number 77 of 10 things"},
		{given, 1, number(8, 1, 1, 16, 1, 0), "there is no step 1 here"},
		{given, 1, number(13, 0, 0), "number 0 of 0 things"},
		{given, 1, number(16, 16), "bytes follow the end"},
		{given, 1, number(1, 2, 4, 3, 16), "node 3 after node 4"},
		{given, 1, number(2, 0, 1, 0, 0, 16), "counts 0 times"},
		{given, 1, number(4, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 16), "no permutation"},
		{given, 1, number(4, 0, 1, 0, 3, 2, 4, 5, 6, 7, 8, 16), "takes link"},
		{given, 1, steps.Header + "\xff\xff\xff\xff\xff\x01", "above 2^32-1"},
		{given, 0, number(16), "0 is not above 0"},
		{free, 1, number(16), "paths are free or depend"},
		{coretest.Must(objective.NewProblem(coretest.Must(routing.Parse(torus, "avoid")), 3)), 1, number(16),
			"paths are free or depend"},
	} {
		_, err := pseudo.Read(c.p, big.NewRat(c.below, 1), strings.NewReader(c.stream))
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v, want %s", c.stream, err, c.why)
		}
	}
	for _, c := range []struct{ stream, why string }{
		{number(16), "number 1: the bounds do not cross"},
		{number(6, 1, 0, 1, 7, 0, 0, 10, 0, 0, 0), "number 3: the step closes nothing"},
		{number(11, 0), "number 1: the image need not be greater"},
		{number(17), "number 1: the question has no distance"},
		{number(12, 1, 1, 1, 1, 8, 1, 2, 16, 16, 13, 0, 0), "the bounds do not cross"},
		{number(12, 1, 0, 1, 4, 16, 13, 0, 0), "number 3: the branch does not have premise 0"},
	} {
		read, err := pseudo.Read(given, big.NewRat(1, 1), strings.NewReader(c.stream))
		if err == nil {
			err = read.Write(io.Discard)
		}
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v, want %s", c.stream, err, c.why)
		}
	}
	var stream bytes.Buffer
	engine := refuters.Deciding(refuters.All())[0]
	coretest.Try(engine.Write(context.Background(), given, best(given), false, steps.Cut{}, &stream))
	whole := coretest.Must(pseudo.Read(given, best(given), &stream))
	if err := whole.Write(failing{}); !errors.Is(err, errFull) {
		t.Errorf("writing that fails: %v", err)
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
