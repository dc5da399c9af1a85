package elaborate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/encode/cnf/cnftest"
	"leeway/encode/lrat"
)

// elaborated returns the LRAT proof that a DRAT proof becomes.
func elaborated(f cnftest.Clauses, drat string) (string, error) {
	var text strings.Builder
	w := lrat.NewWriter(&text, f.Clauses())
	if err := DRAT(context.Background(), f, strings.NewReader(drat), w); err != nil {
		return "", err
	}
	err := w.Close()
	return text.String(), err
}

// slowLRAT says what is wrong with an LRAT proof, "" if nothing is: it keeps clauses in a map and follows the hints.
func slowLRAT(f cnftest.Clauses, proof string) string {
	held, last := map[int][]int{}, len(f.List)
	for i, c := range f.List {
		held[i+1] = c
	}
	for line := range strings.Lines(proof) {
		words := strings.Fields(line)
		if words[1] == "d" {
			for _, w := range words[2 : len(words)-1] {
				n, _ := strconv.Atoi(w)
				if held[n] == nil {
					return "deleted, but not there: " + line
				}
				delete(held, n)
			}
			continue
		}
		var numbers []int
		for _, w := range words {
			n, err := strconv.Atoi(w)
			if err != nil {
				return err.Error()
			}
			numbers = append(numbers, n)
		}
		if numbers[0] != last+1 {
			return "not the next number: " + line
		}
		last++
		middle := 1 + slices.Index(numbers[1:], 0)
		clause, hints := slices.Clone(numbers[1:middle]), numbers[middle+1:len(numbers)-1]
		fails, refuted := map[int]bool{}, false
		for _, l := range clause {
			fails[l] = true
		}
		for _, h := range hints {
			var open []int
			for _, l := range held[h] {
				if fails[-l] {
					return "a hint holds: " + line
				}
				if !fails[l] && !slices.Contains(open, l) {
					open = append(open, l)
				}
			}
			if refuted || held[h] == nil || len(open) > 1 {
				return "a hint is too much, not there or not unit: " + line
			}
			if refuted = len(open) == 0; !refuted {
				fails[-open[0]] = true
			}
		}
		if !refuted {
			return "no contradiction: " + line
		}
		if held[last] = append([]int{}, clause...); len(clause) == 0 {
			return ""
		}
	}
	return "no empty clause"
}

// refutes reports whether unit propagation on the clauses leads to a contradiction when some literals hold.
func refutes(list [][]int, hold []int) bool {
	value := map[int]bool{}
	for _, l := range hold {
		value[l] = true
	}
	for changed := true; changed; {
		changed = false
		for _, c := range list {
			open, count := 0, 0
			for _, l := range c {
				if value[l] {
					count = 2
				} else if !value[-l] && l != open {
					open = l
					count++
				}
			}
			if count == 0 {
				return true
			}
			if count == 1 {
				value[open], changed = true, true
			}
		}
	}
	return false
}

func negated(c []int) []int {
	n := slices.Clone(c)
	for i := range n {
		n[i] = -n[i]
	}
	return n
}

// A prover writes a DRAT proof with steps that are not needed, and deletions of all kinds of cnftest.Clauses.
type prover struct {
	rng  *rand.Rand
	vars int
	held [][]int
	text strings.Builder
}

func (p *prover) add(c []int) {
	p.held = append(p.held, c)
	p.write("", c)
}

func (p *prover) write(d string, c []int) {
	p.text.WriteString(d)
	for _, l := range c {
		fmt.Fprintf(&p.text, "%d ", l)
	}
	p.text.WriteString("0\n")
}

func (p *prover) clause(most int) []int {
	c := make([]int, 1+p.rng.IntN(most))
	for i := range c {
		c[i] = (1 + p.rng.IntN(p.vars)) * (1 - 2*p.rng.IntN(2))
	}
	return c
}

// noise adds clauses that follow and deletes some.
func (p *prover) noise() {
	for range p.rng.IntN(30) {
		if p.rng.IntN(4) == 0 && len(p.held) > 0 {
			i := p.rng.IntN(len(p.held))
			p.write("d ", p.held[i])
			p.held = slices.Delete(slices.Clone(p.held), i, i+1)
		} else if c := p.clause(4); refutes(p.held, negated(c)) {
			p.add(c)
		}
	}
}

// tree refutes below a prefix and adds its negation, false if there is a model.
func (p *prover) tree(prefix []int) bool {
	if !refutes(p.held, prefix) {
		if len(prefix) == p.vars {
			return false
		}
		v := len(prefix) + 1
		if !p.tree(append(slices.Clone(prefix), v)) || !p.tree(append(slices.Clone(prefix), -v)) {
			return false
		}
	}
	if p.rng.IntN(8) == 0 {
		p.noise()
		return p.tree(prefix) // what was deleted may be missing
	}
	p.add(negated(prefix))
	return true
}

func randomFormula(rng *rand.Rand) cnftest.Clauses {
	p := prover{rng: rng, vars: 2 + rng.IntN(7)}
	f := cnftest.Clauses{Of: p.vars}
	for range rng.IntN(6*p.vars) + p.vars {
		f.List = append(f.List, p.clause(3))
	}
	return f
}

// TestRandomProofs elaborates proofs of random formulas with steps that are not needed, clauses with repeats, and
// deletions: the slow checker must accept what comes out.
func TestRandomProofs(t *testing.T) {
	seen, shorter := 0, 0
	for seed := range uint64(6000) {
		rng := rand.New(rand.NewPCG(1, seed))
		f := randomFormula(rng)
		p := prover{rng: rng, vars: f.Of, held: f.List}
		p.noise()
		if !p.tree(nil) {
			continue
		}
		drat := p.text.String()
		got, err := elaborated(f, drat)
		if err != nil {
			t.Fatalf("seed %d: %v\nformula %v\nproof\n%s", seed, err, f.List, drat)
		}
		if problem := slowLRAT(f, got); problem != "" {
			t.Fatalf("seed %d: %s\nformula %v\nproof\n%s\nelaborated\n%s", seed, problem, f.List, drat, got)
		}
		seen++
		if strings.Count(got, "\n")-strings.Count(got, " d ") < strings.Count(drat, "\n")-strings.Count(drat, "d ") {
			shorter++
		}
	}
	if seen < 2000 || shorter < seen/2 {
		t.Errorf("%d formulas were refuted, %d with fewer steps", seen, shorter)
	}
}

// TestDamagedProofs drops steps, adds literals and steps, and drops clauses of the formula: what still comes out must
// be a proof.
func TestDamagedProofs(t *testing.T) {
	refused := 0
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(2, seed))
		f := randomFormula(rng)
		p := prover{rng: rng, vars: f.Of, held: f.List}
		if !p.tree(nil) {
			continue
		}
		lines := strings.SplitAfter(p.text.String(), "\n")
		lines = lines[:len(lines)-1]
		for range 1 + rng.IntN(2) {
			i := rng.IntN(len(lines))
			l := strconv.Itoa((1 + rng.IntN(f.Of)) * (1 - 2*rng.IntN(2)))
			switch rng.IntN(4) {
			case 0:
				lines = append(slices.Delete(lines, i, i+1), "0\n")
			case 1:
				lines = append(slices.Insert(lines, i, l+" 0\n"), "0\n")
			case 2:
				lines[i] = l + " " + lines[i]
				lines = append(lines, "0\n")
			default:
				j := rng.IntN(len(f.List))
				f.List = slices.Delete(slices.Clone(f.List), j, j+1)
			}
		}
		drat := strings.Join(lines, "")
		got, err := elaborated(f, drat)
		var wrong *ProofError
		switch {
		case errors.As(err, &wrong):
			refused++
		case err != nil:
			t.Fatal(err)
		default:
			if problem := slowLRAT(f, got); problem != "" {
				t.Fatalf("seed %d: %s\nformula %v\nproof\n%s\nelaborated\n%s", seed, problem, f.List, drat, got)
			}
		}
	}
	if refused < 40 {
		t.Errorf("only %d proofs were refused", refused)
	}
}

// square has no model: it demands every combination of two variables to fail.
var square = cnftest.Clauses{Of: 3, List: [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		proof, problem string
		line           int
	}{
		{"", "without a contradiction", 1},
		{"c nothing\n1 3 0\n", "without a contradiction", 3},
		{"3 0\n0\n", "does not follow", 2},
		{"0\n", "does not follow", 1},
		{"1 0\n", "", 0}, // unit clauses do the rest
		{"d 1 2 0\nd 1 -2 0\n2 0\n-2 0\n0\n", "does not follow", 4},
		{"1", "ends before the 0", 1},
		{"1 2\n", "ends before the 0", 2},
		{"1 x 0\n", "'x' is no part", 1},
		{"\n4 0\n", "variable 4 is not one of the 3", 2},
		{"- 0\n", "minus sign", 1},
		{"99999999999 0\n", "too large", 1},
		{"a\x02\x00", "no part of a proof in text", 1},
	} {
		got, err := elaborated(square, c.proof)
		if c.problem == "" {
			if problem := slowLRAT(square, got); err != nil || problem != "" {
				t.Errorf("%q: %v, %s", c.proof, err, problem)
			}
			continue
		}
		var wrong *ProofError
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Problem, c.problem) || wrong.Line != c.line {
			t.Errorf("%q: %v, want line %d: %s", c.proof, err, c.line, c.problem)
		}
	}
}

// TestMemory: clauses beyond what there is for them are refused before they are kept.
func TestMemory(t *testing.T) {
	p := newPropagator(3)
	p.memory = 3 * clauseBytes
	for i := range 3 {
		if _, err := p.take([]int{1, 2, 3}); (err == nil) != (i < 2) {
			t.Errorf("clause %d: %v", i, err)
		}
	}
}

// TestTrivialFormulas are refuted without a step: by a clause that cannot hold, or by unit clauses.
func TestTrivialFormulas(t *testing.T) {
	for _, f := range []cnftest.Clauses{
		{Of: 1, List: [][]int{{1}, {}}},
		{Of: 2, List: [][]int{{-2, 1}, {-1}, {1, 2}, {2}}},
	} {
		got, err := elaborated(f, "1 0\nd 1 0\n")
		if problem := slowLRAT(f, got); err != nil || problem != "" || strings.Count(got, "\n") != 1 {
			t.Errorf("%v: %v, %s, %q", f.List, err, problem, got)
		}
	}
}

// TestStopped ends with the context.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var text strings.Builder
	err := DRAT(ctx, square, strings.NewReader("1 0\n0\n"), lrat.NewWriter(&text, 4))
	if !errors.Is(err, context.Canceled) || text.Len() > 0 {
		t.Errorf("%v, %q", err, text.String())
	}
}
