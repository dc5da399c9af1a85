package sat

import (
	"testing"

	"leeway/encode/card"
)

// pigeons writes that each of n pigeons sits in one of n-1 holes, alone.
func pigeons(n int) *Growing {
	g := NewGrowing("pigeons", n*(n-1), 10_000)
	for p := range n {
		var holes []int
		for h := range n - 1 {
			holes = append(holes, p*(n-1)+h+1)
			for q := range p {
				g.Clause(-(p*(n-1) + h + 1), -(q*(n-1) + h + 1))
			}
		}
		g.Clause(holes...)
	}
	return g
}

// TestCallsAreBoundedAndRepeatable: a hard formula needs several calls, always as many.
func TestCallsAreBoundedAndRepeatable(t *testing.T) {
	calls := [3]int{}
	for i := range calls {
		g := pigeons(8)
		for answer := Open; answer == Open; calls[i]++ {
			if answer = g.Call(); answer == Found {
				t.Fatal("eight pigeons in seven holes")
			}
		}
	}
	if calls[0] < 2 || calls[1] != calls[0] || calls[2] != calls[0] {
		t.Errorf("calls %v", calls)
	}
}

// TestGrows forbids model after model: there are 10 pairs of 5.
func TestGrows(t *testing.T) {
	g := NewGrowing("pairs", 5, 1000)
	card.ExactlyK(g.Builder, []int{1, 2, 3, 4, 5}, 2)
	models := 0
	for ; g.Call() == Found; models++ {
		var clause []int
		for v := 1; v <= 5; v++ {
			if g.Holds(v) {
				clause = append(clause, -v)
			}
		}
		g.Clause(clause...)
	}
	if models != 10 {
		t.Errorf("%d models", models)
	}
}
