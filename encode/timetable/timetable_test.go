package timetable_test

import (
	"errors"
	"fmt"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/cnf/cnftest"
	"leeway/encode/timetable"
)

// formula returns the clauses of a question.
func formula(t *testing.T, q timetable.Question) (*timetable.Formula, *cnftest.Formula) {
	t.Helper()
	f := coretest.Must(timetable.New(q))
	var clauses cnftest.Formula
	if err := f.Write(&clauses); err != nil || int64(len(clauses.Clauses)) != f.Clauses() {
		t.Fatalf("%d clauses, announced %d, %v", len(clauses.Clauses), f.Clauses(), err)
	}
	for _, c := range clauses.Clauses {
		for _, l := range c {
			if max(l, -l) > f.Vars() {
				t.Fatalf("variable %d of %d", l, f.Vars())
			}
		}
	}
	return f, &clauses
}

// TestFewestStepsByHand: on two nodes 1 step; on a path of 3 nodes 4, on a triangle 2; between its ends alone 3,
// since the middle receives one block a step.
func TestFewestStepsByHand(t *testing.T) {
	path := [][]int{{1}, {0, 2}, {1}}
	for _, c := range []struct {
		neighbours   [][]int
		participants []int
		fewest       int
	}{
		{[][]int{{}}, nil, 0},
		{[][]int{{1}, {0}}, nil, 1},
		{path, nil, 4},
		{path, []int{0, 2}, 3},
		{path, []int{1}, 0},
		{path, []int{}, 0},
		{[][]int{{1, 2}, {0, 2}, {0, 1}}, nil, 2},
	} {
		for steps := range c.fewest + 2 {
			_, clauses := formula(t,
				timetable.Question{Neighbours: c.neighbours, Participants: c.participants, Steps: steps})
			if got := clauses.Satisfiable(nil); got != (steps >= c.fewest) {
				t.Errorf("%v among %v in %d steps: %v", c.neighbours, c.participants, steps, got)
			}
		}
	}
}

// TestNoWay: nodes that are not joined cannot exchange.
func TestNoWay(t *testing.T) {
	for steps := range 5 {
		if _, clauses := formula(t,
			timetable.Question{Neighbours: [][]int{{}, {}}, Steps: steps}); clauses.Satisfiable(nil) {
			t.Errorf("possible in %d steps", steps)
		}
	}
}

func TestQuestionErrors(t *testing.T) {
	pair := [][]int{{1}, {0}}
	for _, q := range []timetable.Question{
		{Neighbours: [][]int{{1}, {2}}},
		{Neighbours: [][]int{{0}}},
		{Neighbours: [][]int{{1, 1}, {0}}},
		{Neighbours: pair, Participants: []int{1, 0}},
		{Neighbours: pair, Participants: []int{0, 2}},
		{Neighbours: pair, Steps: -1},
		{Neighbours: pair, Steps: 1 << 20},
		{Neighbours: make([][]int, 1<<12)},
	} {
		var e *timetable.QuestionError
		if _, err := timetable.New(q); !errors.As(err, &e) {
			t.Errorf("%v: %v", q, err)
		}
	}
}

// TestDecodeRefusesNothing: an assignment without sends delivers no block.
func TestDecodeRefusesNothing(t *testing.T) {
	f, _ := formula(t, timetable.Question{Neighbours: [][]int{{1}, {0}}, Steps: 2})
	var e *timetable.ModelError
	if _, err := f.Decode(func(int) bool { return false }); !errors.As(err, &e) {
		t.Errorf("%v", err)
	}
}

// On a triangle every node has two blocks to send, one a step.
func ExampleNew() {
	for _, steps := range []int{1, 2} {
		f, err := timetable.New(timetable.Question{Neighbours: [][]int{{1, 2}, {0, 2}, {0, 1}}, Steps: steps})
		if err != nil {
			fmt.Println(err)
			return
		}
		var clauses cnftest.Formula
		err = f.Write(&clauses)
		fmt.Println(steps, clauses.Satisfiable(nil), err)
	}
	// Output:
	// 1 false <nil>
	// 2 true <nil>
}
