package veripb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/check/meter"
)

// pigeons: of three, at least two hold, and no two hold together.
const pigeons = `* #variable= 3 #constraint= 4
* a comment
+1 x1 +1 x2 +1 x3 >= 2 ;
-1 x1 -1 x2 >= -1 ;
+1 ~x1 +1 ~x3 >= 1 ;
-2 x2 -2 x3 >= -2 ;
`

// refutation has every rule: x4 says that x1 and x2 together are at least 1.
const refutation = `pseudo-Boolean proof version 2.0
f 4
* half of the sum
pol 2 3 + 4 2 d + 2 d
red 1 x1 1 x2 1 ~x4 >= 1 ; x4 -> 0
red 1 ~x1 1 ~x2 2 x4 >= 2 ; x4 -> 1
rup 1 x4 >= 1 ; ~ 7 1 5
pol 5 s x4 w 1 + x2 3 * +
rup >= 1 ; 9 2 4 1
del id 6 7
output NONE
conclusion UNSAT : 10
end pseudo-Boolean proof
`

func verdict(t *testing.T, formula, proof string) Refutation {
	t.Helper()
	return coretest.Must(Refute(meter.New(context.Background(), meter.Limits{}),
		strings.NewReader(formula), strings.NewReader(proof)))
}

// said returns the reason of a verdict with its place.
func said(v Refutation) string {
	return fmt.Sprintf("%s, line %d: %s", map[bool]string{true: "formula", false: "proof"}[v.InFormula], v.Line, v.Reason)
}

func TestRules(t *testing.T) {
	if v := verdict(t, pigeons, refutation); v.Verdict != Verified || v.Steps != 6 || v.Reason != "" {
		t.Errorf("%+v", v)
	}
}

// TestRefused: what is altered, cut, of another formula or not of the format is refused with its line.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ from, to, verdict, reason string }{
		{"version 2.0", "version 3.0", Unreadable, "proof, line 1"},
		{"f 4\n", "f 5\n", Wrong, "proof, line 2: the formula has 4 constraints, not 5: the proof is of another"},
		{"f 4\n", "", Unreadable, "proof, line 3"},
		{"2 3 + 4", "2 3 + 40", Wrong, "line 4: there is no constraint 40"},
		{"2 3 + 4", "2 3 + + 4", Unreadable, "line 4: \"+\" has not enough before it"},
		{"2 3 + 4 2 d + 2 d", "2 3 + 4 0 d +", Unreadable, "line 4"},
		{"2 3 + 4 2 d + 2 d", "2 3 + 4 1 3 + d +", Unreadable, "line 4: \"d\" needs a number"},
		{"2 3 + 4 2 d + 2 d", "2 3 + 4 2 d", Unreadable, "line 4: it leaves 2 constraints"},
		{"2 3 + 4 2 d + 2 d", "2 3000000000000000000 *", Unreadable, "line 4: \"3000000000000000000\" is no number"},
		{"2 3 + 4 2 d + 2 d", "2 2000000000000000000 *", Unreadable, "line 4: its coefficients pass 61 bits"},
		{"2 3 + 4 2 d + 2 d", "2 3 + 4 2 d + 3 d", Wrong, "line 9: the named constraints lead to no contradiction"},
		{"x4 -> 0", "x3 -> 0", Unreadable, "line 5: x3 is one of the 3 variables of the formula"},
		{"x4 -> 0", "x4 -> 1", Wrong, "line 5: x4 -> 1 alone does not make it hold"},
		{"x4 -> 0", "x4 -> x1", Unreadable, "line 5"},
		{"1 ~x1 1 ~x2 2 x4 >= 2", "1 ~x1 1 ~x2 3 x4 >= 3", Wrong, "line 6: x4 -> 1 may break constraint 6"},
		{"1 ~x1 1 ~x2 2 x4 >= 2", "1 ~x1 1 ~x2 1 x4 >= 2", Wrong, "line 6: x4 -> 1 alone"},
		{"1 ~x1 1 ~x2 2 x4 >= 2", "1 ~x1 1 ~x1 2 x4 >= 2", Unreadable, "line 6: x1 stands in it twice"},
		{"; ~ 7 1 5", ";", Unreadable, "line 7: rup names no constraints"},
		{"; ~ 7 1 5", "; 7 1 5", Wrong, "line 7: the named constraints lead to no contradiction"},
		{"; ~ 7 1 5", "; ~ x 7 1 5", Unreadable, "line 7"},
		{"rup 1 x4 >= 1", "rup 1 x4 = 1", Unreadable, "line 7: a step adds no equation"},
		{"rup 1 x4 >= 1", "rup 1 x99999999 >= 1", Unreadable, "line 7"},
		{"x4 w 1 + x", "~x4 w 1 + x", Unreadable, "line 8: w needs a variable"},
		{"del id 6 7", "del id 6 6", Wrong, "line 10: there is no constraint 6"},
		{"del id 6 7", "del id 3", Unreadable, "line 10: constraint 3 is of the formula"},
		{"del id 6 7", "del id 10", Wrong, "line 12: there is no constraint 10"},
		{"del id 6 7", "a 1 x1 >= 5 ;", Unreadable, "line 10: \"a\" is none of"},
		{"UNSAT : 10", "UNSAT : 9", Wrong, "line 12: constraint 9 can hold"},
		{"UNSAT : 10", "UNSAT : 5", Wrong, "line 12: constraint 5 can hold"},
		{"UNSAT : 10", "UNSAT", Unreadable, "line 12"},
		{"UNSAT : 10", "SAT : 10", Unreadable, "line 12"},
		{"end pseudo-Boolean proof\n", "", Unreadable, "line 13: the proof ends before its conclusion"},
		{"proof\n", "proof", Unreadable, "line 13: the file ends within it"},
		{"end pseudo-Boolean proof\n", "end pseudo-Boolean proof\nf 4\n", Unreadable, "line 14: \"f\" stands behind"},
		{"x4 w 1", "x\xc34 w 1", Unreadable, "line 8: a byte 0xc3 is no text"},
	} {
		i := strings.LastIndex(refutation, c.from)
		text := refutation[:i] + c.to + refutation[i+len(c.from):]
		if v := verdict(t, pigeons, text); v.Verdict != c.verdict || !strings.Contains(said(v), c.reason) {
			t.Errorf("%q for %q: %+v, want %s: %s", c.to, c.from, v, c.verdict, c.reason)
		}
	}
}

// TestFormulas: a formula that is not one is refused with its line.
func TestFormulas(t *testing.T) {
	for _, c := range []struct{ from, to, reason string }{
		{"* #variable= 3 #constraint= 4\n", "", "formula, line 1"},
		{"#variable= 3", "#variable= 2", "formula, line 3: x3 is not one of the 2 variables"},
		{"#constraint= 4", "#constraint= 5", "formula, line 7: the formula has 4 rows, not the 5"},
		{"#variable= 3", "#variable= 99999999999", "formula, line 1"},
		{">= -1 ;", ">= -1", "formula, line 4"},
		{">= -1 ;", ">= -1 ; 7", "formula, line 4: \"7\" stands behind the row"},
		{">= -1 ;", "<= -1 ;", "formula, line 4"},
		{"-1 x1", "--1 x1", "formula, line 4"},
		{"-1 x1", "-1 y1", "formula, line 4: \"y1\" is no literal"},
		{"-1 x1", "-1 x01", "formula, line 4"},
		{"-1 x1", "-1 x2", "formula, line 4: x2 stands in it twice"},
		{"-1 x1", "-2000000000000000000 x1 -2000000000000000000 x3", "formula, line 4: its coefficients pass 61 bits"},
	} {
		text := strings.Replace(pigeons, c.from, c.to, 1)
		if v := verdict(t, text, refutation); v.Verdict != Unreadable || !strings.Contains(said(v), c.reason) {
			t.Errorf("%q for %q: %+v, want %s", c.to, c.from, v, c.reason)
		}
	}
}

// TestEquations: an equation is two constraints.
// TestWeakenedDegree: what is taken out of a sum lowers its degree by up to 2^61 each time, and must not carry it past
// the numbers of 64 bits to a degree above 0.
func TestWeakenedDegree(t *testing.T) {
	const formula = "* #variable= 32 #constraint= 1\n1 x1 >= 0 ;\n"
	for _, power := range []int{60, 59, 58} {
		for _, terms := range []int{2, 8, 9, 15, 16, 17, 31, 32} {
			var sum, weak strings.Builder
			for i := 1; i <= terms; i++ {
				fmt.Fprintf(&sum, " x%d %d *%s", i, int64(1)<<power, map[bool]string{true: " +"}[i > 1])
				fmt.Fprintf(&weak, " x%d w", i)
			}
			v := verdict(t, formula, fmt.Sprintf("pseudo-Boolean proof version 2.0\nf 1\npol%s%s\noutput NONE\n"+
				"conclusion UNSAT : 2\nend pseudo-Boolean proof\n", &sum, &weak))
			if v.Verdict == Verified || v.Line == 0 {
				t.Errorf("%d terms of 2^%d: %+v", terms, power, v)
			}
		}
	}
}

// TestHintsCostWhatTheyName: a long clause is not negated again for each of the constraints that a step names.
func TestHintsCostWhatTheyName(t *testing.T) {
	var clause strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&clause, "1 x%d ", i+1)
	}
	allocations := func(hints int) float64 {
		proof := "pseudo-Boolean proof version 2.0\nf 1\nrup " + clause.String() + ">= 1 ; " + strings.Repeat("1 ", hints) +
			"\n"
		return testing.AllocsPerRun(3, func() { verdict(t, "* #variable= 1000 #constraint= 1\n1 x1 >= 0 ;\n", proof) })
	}
	if few, many := allocations(1), allocations(2001); many > few+1000 {
		t.Errorf("2000 more hints take %.0f more allocations", many-few)
	}
}

// TestSumsAreCharged: sums with a term of a high variable take memory for those below it, and few steps do not allow
// many of them.
func TestSumsAreCharged(t *testing.T) {
	proof := "pseudo-Boolean proof version 2.0\nf 0\npol " + strings.Repeat("x1000000 s ", 64) + "\n"
	m := meter.New(t.Context(), meter.Limits{Steps: 1 << 30})
	_, err := Refute(m, strings.NewReader("* #variable= 1 #constraint= 0\n"),
		strings.NewReader(proof))
	var spent *meter.LimitError
	if !errors.As(err, &spent) {
		t.Errorf("64 sums of a million variables in 2^30 steps: %v", err)
	}
}

func TestEquations(t *testing.T) {
	formula := "* #variable= 2 #constraint= 2\n+1 x1 +1 x2 = 1 ;\n+2 x1 +1 x2 = 3 ;\n"
	proof := "pseudo-Boolean proof version 2.0\nf 4\nrup >= 1 ; 3 2\noutput NONE\nconclusion UNSAT : 5\n" +
		"end pseudo-Boolean proof\n"
	if v := verdict(t, formula, proof); v.Verdict != Verified {
		t.Errorf("%+v", v)
	}
}

// TestNothingWithASolutionIsRefuted: random lines, among them those of the proof, for random formulas; whatever is
// verified has no solution, as trying all assignments shows.
func TestNothingWithASolutionIsRefuted(t *testing.T) {
	verified := 0
	for i := range coretest.Cases(20000, 3000) {
		rng := coretest.Rng(11, i)
		lines := strings.SplitAfter(refutation, "\n")
		for range 1 + rng.IntN(3) {
			at := 3 + rng.IntN(len(lines)-7)
			switch rng.IntN(4) {
			case 0:
				lines[at] = randomStep(rng)
			case 1:
				words := strings.Fields(lines[at])
				words[rng.IntN(len(words))] = randomWord(rng)
				lines[at] = strings.Join(words, " ") + "\n"
			case 2:
				lines = slices.Delete(lines, at, at+1)
			default:
				lines[at], lines[at+1] = lines[at+1], lines[at]
			}
			if len(lines) < 9 {
				break
			}
		}
		formula := strings.SplitAfter(pigeons, "\n")
		solvable := false
		if rng.IntN(3) > 0 {
			formula[2+rng.IntN(4)] = "+1 x1 >= 0 ;\n"
			solvable = true
		}
		if v := verdict(t, strings.Join(formula, ""), strings.Join(lines, "")); v.Verdict == Verified {
			if verified++; solvable {
				t.Fatalf("verified: %s%s", formula, lines)
			}
		}
	}
	if verified < 30 {
		t.Errorf("only %d proofs verified", verified)
	}
}

func randomWord(rng *rand.Rand) string {
	words := strings.Fields("+ s d w * 1 2 3 4 5 6 7 8 9 x1 ~x2 x3 x4 ~x4 x5 ~ ; >= -> 0 -1 pol rup red del id")
	return words[rng.IntN(len(words))]
}

func randomStep(rng *rand.Rand) string {
	relation := func() string {
		var b strings.Builder
		for v := range 5 {
			if rng.IntN(2) == 0 {
				b.WriteString([]string{"1 x", "2 ~x", "1 ~x", "-1 x"}[rng.IntN(4)] + string(rune('1'+v)) + " ")
			}
		}
		return b.String() + ">= " + []string{"0", "1", "2"}[rng.IntN(3)] + " ;"
	}
	switch rng.IntN(3) {
	case 0:
		return "red " + relation() + []string{" x4 -> 0\n", " x4 -> 1\n", " x5 -> 0\n", " x5 -> 1\n"}[rng.IntN(4)]
	case 1:
		return "rup " + relation() + " ~ 1 2 3 4 5\n"
	}
	return "pol " + randomWord(rng) + " " + randomWord(rng) + " " + randomWord(rng) + "\n"
}

// FuzzProofs: no text is a proof for a formula with a solution, and every text gets one of the three verdicts, the same
// each time.
func FuzzProofs(f *testing.F) {
	f.Add(refutation)
	f.Add("pseudo-Boolean proof version 2.0\nf 3\noutput NONE\nconclusion UNSAT : 1\nend pseudo-Boolean proof\n")
	f.Add("pseudo-Boolean proof version 2.0\nf 3\npol 1 2 * 3 d s x1 w\n" +
		"red 1 x9 >= 1 ; x9 -> 1\nred 1 ~x9 >= 1 ; x9 -> 0\n")
	solvable := strings.Replace(strings.Replace(pigeons, "+1 x1 +1 x2 +1 x3 >= 2 ;\n", "", 1), "= 4", "= 3", 1)
	f.Fuzz(func(t *testing.T, text string) {
		if v := verdict(t, solvable, text); v.Verdict == Verified {
			t.Fatalf("a formula with a solution is refuted: %+v", v)
		}
		v := verdict(t, pigeons, text)
		if !slices.Contains([]string{Verified, Wrong, Unreadable}, v.Verdict) || (v.Verdict == Verified) != (v.Reason == "") {
			t.Fatalf("%+v", v)
		}
		if again := verdict(t, pigeons, text); again != v {
			t.Fatalf("%+v, then %+v", v, again)
		}
	})
}

// FuzzFormulas: every text gets a verdict.
func FuzzFormulas(f *testing.F) {
	f.Add(pigeons)
	f.Add("* #variable= 1 #constraint= 1\n2 x1 = 3 ;\n")
	f.Fuzz(func(t *testing.T, text string) {
		if v := verdict(t, text, refutation); !slices.Contains([]string{Verified, Wrong, Unreadable}, v.Verdict) {
			t.Fatalf("%+v", v)
		}
	})
}
