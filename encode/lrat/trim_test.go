package lrat

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
)

// trimmed returns what is left of a proof.
func trimmed(f cnftest.Clauses, proof string) (string, error) {
	var text strings.Builder
	w := NewWriter(&text, f.Clauses())
	if err := Trim(context.Background(), strings.NewReader(proof), w); err != nil {
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

// A prover writes an LRAT proof with gaps between the numbers, steps that are not needed and deletions.
type prover struct {
	rng     *rand.Rand
	vars    int
	held    map[int][]int // by number
	formula int
	last    int
	hints   map[int][]int // by number of a step
	text    strings.Builder
}

func newProver(rng *rand.Rand, f cnftest.Clauses) *prover {
	p := &prover{rng: rng, vars: f.Of, held: map[int][]int{}, formula: len(f.List), last: len(f.List),
		hints: map[int][]int{}}
	for i, c := range f.List {
		p.held[i+1] = c
	}
	return p
}

// refute follows unit clauses where some literals fail, and returns the clauses up to one that fails, nil if all can
// hold.
func (p *prover) refute(fail []int) (hints []int) {
	fails := map[int]bool{}
	for _, l := range fail {
		fails[l] = true
	}
	numbers := make([]int, 0, len(p.held))
	for n := range p.held {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for changed := true; changed; {
		changed = false
		for _, n := range numbers {
			open := map[int]bool{}
			holds := false
			for _, l := range p.held[n] {
				if holds = holds || fails[-l]; !fails[l] {
					open[l] = true
				}
			}
			switch {
			case len(open) == 0:
				return append(hints, n)
			case len(open) == 1 && !holds:
				for l := range open {
					fails[-l], changed = true, true
				}
				hints = append(hints, n)
			}
		}
	}
	return nil
}

func (p *prover) add(clause, hints []int) {
	p.last += 1 + p.rng.IntN(3)*p.rng.IntN(2)
	p.held[p.last], p.hints[p.last] = clause, hints
	fmt.Fprintln(&p.text, strings.Trim(fmt.Sprint(append(append(append([]int{p.last}, clause...), 0), hints...)), "[]"), 0)
}

// noise adds clauses that follow and deletes some.
func (p *prover) noise() {
	for range p.rng.IntN(30) {
		if n := 1 + p.rng.IntN(p.last); p.rng.IntN(4) == 0 && p.held[n] != nil {
			delete(p.held, n)
			fmt.Fprintln(&p.text, p.last, "d", n, 0)
			continue
		}
		c := randomClause(p.rng, p.vars, 4)
		if hints := p.refute(c); hints != nil {
			p.add(c, hints)
		}
	}
}

// tree refutes below choices and adds that they do not hold together, false if there is a model.
func (p *prover) tree(choices []int) bool {
	hints := p.refute(negated(choices))
	if hints == nil {
		if len(choices) == p.vars {
			return false
		}
		v := len(choices) + 1
		if !p.tree(append(slices.Clone(choices), v)) || !p.tree(append(slices.Clone(choices), -v)) {
			return false
		}
		hints = p.refute(negated(choices))
	}
	if hints == nil || p.rng.IntN(8) == 0 {
		p.noise()
		return p.tree(choices) // what was deleted may be missing
	}
	p.add(negated(choices), hints)
	return true
}

func negated(c []int) []int {
	n := slices.Clone(c)
	for i := range n {
		n[i] = -n[i]
	}
	return n
}

func randomClause(rng *rand.Rand, vars, most int) []int {
	c := make([]int, 1+rng.IntN(most))
	for i := range c {
		c[i] = (1 + rng.IntN(vars)) * (1 - 2*rng.IntN(2))
	}
	return c
}

// needed counts the steps that the last one needs, by following hints.
func (p *prover) needed() int {
	seen := map[int]bool{}
	var visit func(n int)
	visit = func(n int) {
		if n > p.formula && !seen[n] {
			seen[n] = true
			for _, h := range p.hints[n] {
				visit(h)
			}
		}
	}
	visit(p.last)
	return len(seen)
}

// named counts the steps that the last one names.
func (p *prover) named() int {
	list := slices.DeleteFunc(slices.Clone(p.hints[p.last]), func(n int) bool { return n <= p.formula })
	slices.Sort(list)
	return len(slices.Compact(list))
}

// TestRandomProofs trims proofs of random formulas: the slow checker accepts what is left, which has the needed steps
// and deletes each but the empty clause and those that it names.
func TestRandomProofs(t *testing.T) {
	seen, shorter := 0, 0
	for seed := range uint64(1200) {
		rng := rand.New(rand.NewPCG(1, seed))
		f := cnftest.Clauses{Of: 2 + rng.IntN(7)}
		for range rng.IntN(6*f.Of) + f.Of {
			f.List = append(f.List, randomClause(rng, f.Of, 3))
		}
		p := newProver(rng, f)
		p.noise()
		if !p.tree(nil) {
			continue
		}
		proof := p.text.String() + "99999999 d 1 0\n"
		got, err := trimmed(f, proof)
		problem := slowLRAT(f, got)
		steps, gone := 0, 0
		for line := range strings.Lines(got) {
			if words := strings.Fields(line); words[1] == "d" {
				gone += len(words) - 3
			} else {
				steps++
			}
		}
		if err != nil || problem != "" || steps != p.needed() || gone != steps-1-p.named() {
			t.Fatalf("seed %d: %v, %s, %d steps of %d, %d deleted\nformula %v\nproof\n%s\ntrimmed\n%s", seed, err, problem,
				steps, p.needed(), gone, f.List, proof, got)
		}
		if seen++; steps < len(p.hints) {
			shorter++
		}
	}
	if seen < 300 || shorter < seen/2 {
		t.Errorf("%d formulas were refuted, %d with fewer steps", seen, shorter)
	}
}

// square has no model: it demands every combination of two variables to fail.
var square = cnftest.Clauses{Of: 3, List: [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		proof, problem string
		step           int
	}{
		{"", "without the empty clause", 1},
		{"5 1 0 1 2 0\n5 d 1 0\n", "without the empty clause", 2},
		{"5 1 0 1 2", "without the empty clause", 1},
		{"5 d 1 d", "d is in", 1},
		{"5 d 1", "without the empty clause", 1},
		{"5 1 0 1 2 0 5 0 5 3 4 0", "number 5 is not above", 2},
		{"4 1 0 1 2 0", "number 4 is not above", 1},
		{"5 1 0 1 2 0 7 0 6 3 4 0", "no clause 6", 2},
		{"5 1 0 5 0", "no clause 5", 1},
		{"5 3 0 -1 2 0", "RAT", 1},
		{"5 3000000000 0 1 0", "no literal", 1},
		{"5 x 0", `"x" is not a number`, 1},
		{"5 1 d 0", "d is in", 1},
		{"d 1 0", "d is in", 1},
		{"a\x02\x00", "not a number", 1},
	} {
		_, err := trimmed(square, c.proof)
		var wrong *StepError
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Problem, c.problem) || wrong.Step != c.step {
			t.Errorf("%q: %v, want step %d: %s", c.proof, err, c.step, c.problem)
		}
	}
}

// TestTrimEnds with the context and with the writer.
func TestTrimEnds(t *testing.T) {
	const proof = "5 1 0 1 2 0\n6 0 5 3 4 0\n"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var text strings.Builder
	w := NewWriter(&text, 4)
	if err := Trim(ctx, strings.NewReader(proof), w); !errors.Is(err, context.Canceled) || text.Len() > 0 {
		t.Errorf("%v, %q", err, text.String())
	}
	w = NewWriter(full{}, 4)
	w.err = errFull
	if err := Trim(t.Context(), strings.NewReader(proof), w); err != errFull {
		t.Errorf("a full disk: %v", err)
	}
}
