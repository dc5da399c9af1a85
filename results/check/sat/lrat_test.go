package sat

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/cnf/cnftest"
	"leeway/encode/dimacs"
	"leeway/objective"
	"leeway/results/check/meter"
)

func tried(t *testing.T, f cnftest.Clauses, proof string) Refutation {
	t.Helper()
	return coretest.Must(refuteWithin(t.Context(), f, strings.NewReader(proof)))
}

// TestProofsOfRandomFormulas: a formula without a model, by trying all assignments, has a proof that is
// accepted, also with deletions of what is no longer needed; the empty clause alone proves none with a model.
func TestProofsOfRandomFormulas(t *testing.T) {
	refuted := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(1, seed))
		vars := 1 + rng.IntN(7)
		f := randomClauses(rng, vars, 1+rng.IntN(6*vars), 1)
		steps := prove(f)
		if (steps == nil) != f.Satisfiable() {
			t.Fatalf("seed %d: proof %v, satisfiable %v", seed, steps, f.Satisfiable())
		}
		if steps == nil {
			if v := tried(t, f, fmt.Sprintf("%d 0 0\n", len(f.List)+1)); v.Verdict != Wrong {
				t.Fatalf("seed %d: %v is refuted by the empty clause alone: %+v", seed, f.List, v)
			}
			continue
		}
		refuted++
		for _, proof := range []string{lratText(steps, len(f.List)), numberedText(numberedSteps(rng, steps, len(f.List)))} {
			if v := tried(t, f, proof); v.Verdict != Verified || v.Reason != "" {
				t.Fatalf("seed %d: %v, proof\n%s: %+v", seed, f.List, proof, v)
			}
		}
	}
	if refuted < 300 {
		t.Fatalf("only %d formulas without a model", refuted)
	}
}

func changed(rng *rand.Rand, c []int, vars int) []int {
	c = slices.Clone(c)
	if len(c) > 0 {
		c[rng.IntN(len(c))] = (1 + rng.IntN(vars)) * (1 - 2*rng.IntN(2))
	}
	return c
}

// square has no model: it demands every combination of two variables to fail.
var square = cnftest.Clauses{Of: 3, List: [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}}

func TestLRATVerdicts(t *testing.T) {
	for _, c := range []struct{ name, proof, verdict, reason string }{
		{"valid", "5 1 0 1 2 0\n6 0 5 3 4 0\n", Verified, ""},
		{"valid with a deletion and a gap", "c\n9 1 0 2 1 0\n9 d 1 2 0\n12 0 9 4 3 0", Verified, ""},
		{"a hint missing", "5 1 0 1 0\n6 0 5 3 4 0\n", Wrong, "step 1: the clause [1]: the hints lead to no contradiction"},
		{"a hint that is not unit", "5 1 0 1 2 0\n6 0 3 5 4 0\n", Wrong,
			"step 2: the clause []: clause 3, [-1 2], is not unit"},
		{"a hint of no clause", "5 1 0 1 7 0\n", Wrong, "there is no clause 7"},
		{"a hint of a deleted clause", "5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", Wrong,
			"step 3: the clause []: there is no clause 3"},
		{"a literal changed", "5 -1 0 1 2 0\n6 0 5 3 4 0\n", Wrong, "step 1"},
		{"its own number", "5 1 0 5 0\n", Wrong, "there is no clause 5"},
		{"an old number", "4 1 0 1 2 0\n", Wrong, "number 4 is not above 4"},
		{"RAT", "5 3 0 -1 2 0\n", Wrong, "RAT steps are not accepted"},
		{"empty clause missing", "5 1 0 1 2 0\n", Wrong, "without the empty clause"},
		{"a deletion of nothing", "5 d 8 0\n", Wrong, "no clause 8 to delete"},
		{"a new variable", "5 4 0 1 0\n", Wrong, "variable 4"},
		{"truncated", "5 1 0 1 2", Unreadable, "ends before the 0"},
		{"truncated earlier", "5", Unreadable, "ends before the 0"},
		{"no number", "d 1 0", Unreadable, "should start with its number"},
		{"a proof without numbers", "-1 0\n0\n", Unreadable, "should start with its number"},
		{"a comment, blanks and one line", "c by hand\n 5 1 0\t1 2 0 6 0 5 3 4 0", Verified, ""},
		{"white space behind the empty clause", "5 1 0 1 2 0\n6 0 5 3 4 0\r\n \t\n", Verified, ""},
		{"text behind the empty clause", "5 1 0 1 2 0 6 0 5 3 4 0 %%%", Unreadable,
			"line 1: '%' stands behind the end of the proof"},
		{"a shell line behind the empty clause", "5 1 0 1 2 0\n6 0 5 3 4 0\ncurl example.org | sh\n", Unreadable,
			"line 3: 'c' stands behind"},
		{"a step behind the empty clause", "5 1 0 1 2 0\n6 0 5 3 4 0\n7 2 0 5 0\n", Unreadable,
			"line 3: '7' stands behind"},
		{"nothing", "", Wrong, "step 0: the proof ends without the empty clause"},
		{"deleted twice", "5 1 0 1 2 0\n5 d 1 0\n5 d 1 0\n", Wrong, "step 3: there is no clause 1 to delete"},
		{"binary", "a\x02\x00", Unreadable, "is it a binary one"},
		{"a word", "5 1 0 1 2 0\nqed", Unreadable, "line 2"},
		{"d inside a step", "5 1 d 2 0", Unreadable, "d stands inside"},
		{"a lonely minus", "- 0", Unreadable, "a minus sign"},
		{"minus nothing", "5 -0 0", Unreadable, "a minus sign"},
		{"a huge number", "999999999999999999999999 0", Unreadable, "too large"},
		{"no blank", "5 1-2 0", Unreadable, "where a blank should be"},
	} {
		if v := tried(t, square, c.proof); v.Verdict != c.verdict || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestLRATTwin compares verdict and step of changed proofs, with gaps in the numbers and deletions, with the slow twin,
// also of other formulas: what is accepted has no model.
func TestLRATTwin(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(5, seed))
		vars := 4 + rng.IntN(4)
		f := randomClauses(rng, vars, 5*vars+rng.IntN(20), 2+rng.IntN(2))
		steps := prove(f)
		if len(steps) == 0 {
			continue
		}
		numbered := numberedSteps(rng, steps, len(f.List))
		if rng.IntN(4) == 0 {
			f.List = slices.Clone(f.List)
			c := rng.IntN(len(f.List))
			f.List[c] = changed(rng, f.List[c], vars)
		}
		for range rng.IntN(3) {
			s := &numbered[rng.IntN(len(numbered))]
			switch list := s.hints; rng.IntN(4) {
			case 0:
				s.number += rng.IntN(4) - 2
			case 1:
				s.list = changed(rng, s.list, vars)
			case 2:
				if s.deletes {
					list = s.list
				}
				if len(list) > 0 {
					i := rng.IntN(len(list))
					list[i] = max(1, list[i]+rng.IntN(4)-2)
				}
			default:
				if len(s.hints) > 0 {
					s.hints = slices.Delete(s.hints, 0, 1)
				}
			}
		}
		wrong, refuted := slowLRAT(f, numbered)
		v := tried(t, f, numberedText(numbered))
		if v.Verdict == Unreadable { // a number became 0 or less
			continue
		}
		if v.Verdict == Verified && f.Satisfiable() ||
			refuted != (v.Verdict == Verified) || wrong > 0 && v.Steps != int64(wrong) {
			t.Fatalf("seed %d: formula %v, proof\n%s: %+v, slow twin: step %d, refuted %v",
				seed, f.List, numberedText(numbered), v, wrong, refuted)
		}
		seen[v.Verdict]++
	}
	if seen[Verified] < 300 || seen[Wrong] < 300 {
		t.Fatalf("the changes are no near misses: %v", seen)
	}
}

// TestNumberedClauses adds and deletes clauses at random, so many that they are moved together, and compares with a
// map.
func TestNumberedClauses(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var s numberedClauses
	held, last := map[int][]literal{}, 0
	for range 60_000 {
		last += 1 + rng.IntN(2)*rng.IntN(3)
		c := make([]literal, rng.IntN(100))
		for i := range c {
			c[i] = literal(rng.IntN(1000))
		}
		s.add(last, c)
		held[last] = c
		for range rng.IntN(8) {
			n := last - rng.IntN(min(last, 300))
			if _, ok := held[n]; s.remove(n) != ok {
				t.Fatalf("remove %d: %v", n, !ok)
			}
			delete(held, n)
		}
		n := last - rng.IntN(min(last+2, 400)) + 1
		got, ok := s.find(n)
		if want, there := held[n]; ok != there || !slices.Equal(got, want) {
			t.Fatalf("find %d: %v, %v, want %v", n, got, ok, want)
		}
	}
	if len(s.list) == 60_000 {
		t.Error("clauses were never moved together")
	}
}

// refuteWithin is refute without a limit of steps.
func refuteWithin(ctx context.Context, formula dimacs.Formula, proof io.Reader) (verdict Refutation, err error) {
	m := meter.Unlimited(ctx)
	if ended := m.Run(func() { verdict, err = Refute(m, formula, proof) }); ended != nil {
		return Refutation{}, ended
	}
	return verdict, err
}

// unsatWithin is unsat without a limit of steps.
func unsatWithin(ctx context.Context, p objective.Problem, below *big.Rat, symmetry bool,
	proof io.Reader) (verdict Refutation, err error) {
	m := meter.Unlimited(ctx)
	if ended := m.Run(func() { verdict, err = unsat(m, p, below, symmetry, proof) }); ended != nil {
		return Refutation{}, ended
	}
	return verdict, err
}

// TestLiteralSetRounds empties a set when its rounds are used up.
func TestLiteralSetRounds(t *testing.T) {
	s := newLiteralSet(1)
	s.reset()
	s.add(2)
	s.round = 1<<31 - 1
	s.reset()
	if s.has(2) || s.has(3) {
		t.Error("a literal of an old round is back")
	}
	if s.add(3); !s.has(3) {
		t.Error("a literal is not taken")
	}
}
