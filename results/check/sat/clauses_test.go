package sat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestClauseStore adds, removes and moves clauses at random and compares with a count of every clause by its sorted
// text.
func TestClauseStore(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	marks := newLiteralSet(4)
	s := newClauseStore(marks)
	held := map[string]int{}
	live := map[int32]string{}
	for range 5000 {
		clause := make([]int, rng.IntN(4))
		for i := range clause {
			clause[i] = (1 + rng.IntN(4)) * (1 - 2*rng.IntN(2))
		}
		literals, _ := marks.distinct(nil, clause)
		name := sortedText(literals)
		switch rng.IntN(5) {
		case 0, 1:
			live[s.add(literals)] = name
			held[name]++
		case 2, 3:
			if got := s.remove(literals); got != (held[name] > 0) {
				t.Fatalf("remove %s: %v, held %d times", name, got, held[name])
			}
			held[name] = max(0, held[name]-1)
		default:
			s.compact()
		}
	}
	left := map[string]int{}
	for c, name := range live {
		if s.spans[c].size > 0 {
			left[name]++
			if got := sortedText(s.literals(c)); got != name {
				t.Fatalf("clause %d is %s, added as %s", c, got, name)
			}
		}
	}
	for name, count := range held {
		if name != "[]" && left[name] != count {
			t.Errorf("%s is held %d times, should be %d", name, left[name], count)
		}
	}
}

func sortedText(literals []literal) string {
	sorted := slices.Clone(literals)
	slices.Sort(sorted)
	return fmt.Sprint(sorted)
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
