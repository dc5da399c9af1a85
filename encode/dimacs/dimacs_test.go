package dimacs

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/cnf/cnftest"
	"leeway/objective"
)

func TestLimit(t *testing.T) {
	for _, c := range []struct{ torus, routing, below, want string }{
		{"4x4", "odr", "2", "1"}, {"4x4", "odr", "7/3", "2"}, {"4x4", "odr", "0", "-1"}, {"4x4", "odr", "-1/2", "-1"},
		{"4x4", "odr:tie=both", "1", "1/2"}, {"8x8", "udr:tie=both", "4", "15/4"}, {"8x8", "udr:tie=both", "1/100", "0"},
		{"8x8", "udr:tie=both", "4001/1000", "4"}, {"3x3x3", "udr", "1", "5/6"},
	} {
		_, r := coretest.Parse(c.torus, c.routing)
		below, _ := new(big.Rat).SetString(c.below)
		if got := Limit(objective.Problem{Routing: r, Size: 1}, below); got.RatString() != c.want {
			t.Errorf("%s %s below %s: %s, want %s", c.torus, c.routing, c.below, got.RatString(), c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	torus := core.MustTorus(2, 3)
	coretest.Try(Write(&b, Names(torus, "")[4:], cnftest.Clauses{Of: 3, List: [][]int{{1, -2, 3}, {}, {-3}}}))
	want := "c leeway var 5 node 1,1\nc leeway var 6 node 1,2\np cnf 3 3\n1 -2 3 0\n0\n-3 0\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if names := Names(torus, "x"); len(names) != 6 || names[0] != "leeway var x1 node 0,0" {
		t.Errorf("%q", names)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteFails(t *testing.T) {
	if err := Write(full{}, nil, cnftest.Clauses{Of: 3, List: [][]int{{1}}}); err == nil {
		t.Error("a full disk is no error")
	}
}

func TestReadAnswer(t *testing.T) {
	for _, c := range []struct {
		text, prefix string
		status       Status
		holds        []int
	}{
		{"c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n", "", Satisfiable, []int{1, 3}},
		{"s SATISFIABLE\nv 0", "", Satisfiable, nil},
		{"v -1 2 0\n\ns SATISFIABLE\n", "", Satisfiable, []int{2}},
		{"s UNSATISFIABLE\n", "", Unsatisfiable, nil},
		{"s UNKNOWN", "", Unknown, nil},
		{"o 3\ns OPTIMUM FOUND\nv x1 -x2 -x3\n", "x", Satisfiable, []int{1}},
	} {
		a, err := ReadAnswer(strings.NewReader(c.text), 3, c.prefix)
		if err != nil || a.Status != c.status {
			t.Errorf("%q: %v, %v", c.text, a.Status, err)
			continue
		}
		for v := range 5 {
			if a.Value(v) != slices.Contains(c.holds, v) {
				t.Errorf("%q: variable %d holds: %v", c.text, v, a.Value(v))
			}
		}
	}
}

func TestReadAnswerRefuses(t *testing.T) {
	for _, c := range []struct {
		text, prefix string
		line         int
		problem      string
	}{
		{"", "", 1, "no status"}, {"v 1 0\n", "", 2, "no status"},
		{"s SATISFIABLE\ns SATISFIABLE\n", "", 2, "second"}, {"s MAYBE\n", "", 1, "no status"},
		{"s SATISFIABLE\nv 1 2\n", "", 3, "end with 0"}, {"s SATISFIABLE\nv 4 0\n", "", 2, "not a literal"},
		{"s SATISFIABLE\nv 1 -1 0\n", "", 2, "holds and does not"}, {"s SATISFIABLE\nv 1 0 2\n", "", 2,
			"after the closing 0"},
		{"s UNSATISFIABLE\nv 1 0\n", "", 3, "values"}, {"hello\n", "", 1, "hello"},
		{"s SATISFIABLE\nv 1 0\n", "x", 2, "not a literal"}, {"s SATISFIABLE\nv x1 x4\n", "x", 2, "not a literal"},
		{"s SATISFIABLE\nv --1 0\n", "", 2, "not a literal"},
	} {
		_, err := ReadAnswer(strings.NewReader(c.text), 3, c.prefix)
		var wrong *AnswerError
		if !errors.As(err, &wrong) || wrong.Line != c.line || !strings.Contains(wrong.Problem, c.problem) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}
