package pseudo_test

import (
	"bytes"
	"context"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
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

// TestTranslations has every engine refute random small problems: a checker that knows only rules of VeriPB accepts what
// becomes of its steps, and no altered proof about a formula that can be satisfied.
func TestTranslations(t *testing.T) {
	rules, count := map[string]int{}, 0
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

// refuse makes sure that a proof is refused for the formula that asks for as little as there is, however it is altered.
func refuse(t *testing.T, i int, p objective.Problem, least *big.Rat, proof string) {
	t.Helper()
	rng := coretest.Rng(90118, i)
	loose := loosened(t, p, least)
	if judged(loose, proof) == nil {
		t.Fatalf("case %d, %s: the proof is accepted for a formula that can be satisfied", i, p)
	}
	words := strings.SplitAfter(proof, " ")
	for range 20 {
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
	if err := read.WriteFormula(&f, nil); err != nil {
		t.Fatal(err)
	}
	return f.String()
}
