package sat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"leeway/encode/cnf/cnftest"
)

// randomClauses returns clauses of least to 3 literals, most of them of 3, now and then with a repeat or a variable and
// its negation.
func randomClauses(rng *rand.Rand, vars, count, least int) cnftest.Clauses {
	f := cnftest.Clauses{Of: vars}
	for range count {
		c := make([]int, min(3, least+rng.IntN(6)))
		for i := range c {
			c[i] = (1 + rng.IntN(vars)) * (1 - 2*rng.IntN(2))
		}
		f.List = append(f.List, c)
	}
	return f
}

// A proofStep is one step of a proof in memory.
type proofStep struct {
	literals []int
	hints    []int // numbers of clauses, as where steps follow the formula without gaps
}

// lratText spells the proof of a formula with so many clauses.
func lratText(steps []proofStep, formula int) string { return lratFor(steps, formula, formula) }

// lratFor spells a proof of a formula of own clauses as one of a formula of other clauses: steps keep their meaning.
func lratFor(steps []proofStep, own, other int) string {
	var b strings.Builder
	for i, s := range steps {
		fmt.Fprintf(&b, "%d ", other+1+i)
		for _, l := range append(slices.Clone(s.literals), 0) {
			fmt.Fprintf(&b, "%d ", l)
		}
		for _, h := range s.hints {
			if h > own {
				h += other - own
			}
			fmt.Fprintf(&b, "%d ", h)
		}
		b.WriteString("0\n")
	}
	return b.String()
}

// slowPropagate makes literals true until nothing follows; it looks at every clause each time. It returns the clauses
// used, and whether one is violated.
func slowPropagate(clauses [][]int, holds map[int]bool) (used []int, contradiction bool) {
	for again := true; again; {
		again = false
		for i, c := range clauses {
			open := map[int]bool{}
			satisfied := false
			for _, l := range c {
				satisfied = satisfied || holds[l]
				if !holds[-l] {
					open[l] = true
				}
			}
			if satisfied || len(open) > 1 {
				continue
			}
			used = append(used, i)
			if len(open) == 0 {
				return used, true
			}
			for l := range open {
				holds[l] = true
			}
			again = true
		}
	}
	return used, false
}

// prove splits on variables in order and writes, for every branch that fails, that its choices do not hold together,
// with the clauses that show it. It returns nil if there is a model.
func prove(f cnftest.Clauses) []proofStep {
	p := &prover{clauses: slices.Clone(f.List), vars: f.Of}
	if !p.branch(nil) {
		return nil
	}
	return p.steps
}

type prover struct {
	clauses [][]int
	vars    int
	steps   []proofStep
}

// branch reports whether nothing satisfies the clauses with these choices.
func (p *prover) branch(choices []int) bool {
	holds := map[int]bool{}
	for _, l := range choices {
		holds[l] = true
	}
	used, contradiction := slowPropagate(p.clauses, holds)
	if !contradiction {
		split := 0
		for v := 1; v <= p.vars && split == 0; v++ {
			if !holds[v] && !holds[-v] {
				split = v
			}
		}
		if split == 0 || !p.branch(append(choices[:len(choices):len(choices)], -split)) ||
			!p.branch(append(choices[:len(choices):len(choices)], split)) {
			return false
		}
		clear(holds)
		for _, l := range choices {
			holds[l] = true
		}
		used, _ = slowPropagate(p.clauses, holds)
	}
	step := proofStep{}
	for _, l := range choices {
		step.literals = append(step.literals, -l)
	}
	for _, c := range used {
		step.hints = append(step.hints, c+1)
	}
	p.steps = append(p.steps, step)
	p.clauses = append(p.clauses, step.literals)
	return true
}

// numberedSteps spells a proof as LRAT steps, with gaps in the numbers and deletions of clauses after their last use.
func numberedSteps(rng *rand.Rand, steps []proofStep, formula int) (list []step) {
	numbers, lastUse := []int{}, map[int]int{}
	for i := range formula {
		numbers = append(numbers, i+1)
	}
	for i, s := range steps {
		for _, h := range s.hints {
			lastUse[h] = i
		}
		numbers = append(numbers, numbers[len(numbers)-1]+1+rng.IntN(2)*rng.IntN(9))
	}
	numbers = append(numbers, 0)
	for i, s := range steps {
		added := step{number: numbers[formula+i], list: slices.Clone(s.literals)}
		deleted := step{number: added.number, deletes: true}
		for _, h := range s.hints {
			added.hints = append(added.hints, numbers[h-1])
			if lastUse[h] == i && rng.IntN(2) == 0 && !slices.Contains(deleted.list, numbers[h-1]) {
				deleted.list = append(deleted.list, numbers[h-1])
			}
		}
		if list = append(list, added); len(deleted.list) > 0 && i < len(steps)-1 {
			list = append(list, deleted)
		}
	}
	return list
}

func numberedText(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%d ", s.number)
		if s.deletes {
			b.WriteString("d ")
		}
		for _, l := range s.list {
			fmt.Fprintf(&b, "%d ", l)
		}
		if b.WriteString("0"); !s.deletes {
			for _, h := range s.hints {
				fmt.Fprintf(&b, " %d", h)
			}
			b.WriteString(" 0")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// slowLRAT keeps clauses in a map and follows the hints; it returns the first wrong step, from 1, 0 if there is none,
// and whether the proof is right.
func slowLRAT(f cnftest.Clauses, steps []step) (wrong int, refuted bool) {
	held, last := map[int][]int{}, len(f.List)
	for i, c := range f.List {
		held[i+1] = c
	}
	for i, s := range steps {
		if s.deletes {
			for _, n := range s.list {
				if _, ok := held[n]; !ok {
					return i + 1, false
				}
				delete(held, n)
			}
			continue
		}
		if s.number <= last || !slowHints(held, s) {
			return i + 1, false
		}
		last = s.number
		if held[last] = s.list; len(s.list) == 0 {
			return 0, i == len(steps)-1
		}
	}
	return len(steps), false
}

// slowHints reports whether the hints of a step lead to a contradiction.
func slowHints(held map[int][]int, s step) bool {
	fails := map[int]bool{}
	for _, l := range s.list {
		fails[l] = true
		if fails[-l] {
			return true
		}
	}
	for _, h := range s.hints {
		open := map[int]bool{}
		for _, l := range held[h] {
			if !fails[l] {
				open[l] = true
			}
		}
		if _, ok := held[h]; !ok || len(open) > 1 {
			return false
		}
		if len(open) == 0 {
			return true
		}
		for l := range open {
			fails[-l] = true
		}
	}
	return false
}
