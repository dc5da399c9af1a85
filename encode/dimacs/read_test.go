package dimacs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// list is a sink that keeps the clauses.
type list [][]int

func (l *list) Add(clause []int) error {
	*l = append(*l, slices.Clone(clause))
	return nil
}

func readText(text string) (vars int, read list, err error) {
	f, err := Read(strings.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	err = f.Write(&read)
	return f.Vars(), read, err
}

// TestReadBack: what Write writes is read back, also with comments and clauses over several lines.
func TestReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var want clauses
		for range rng.IntN(20) {
			c := make([]int, rng.IntN(5))
			for i := range c {
				c[i] = (1 + rng.IntN(3)) * (1 - 2*rng.IntN(2))
			}
			want = append(want, c)
		}
		var b strings.Builder
		if err := Write(&b, []string{"a comment", ""}, want); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if rng.IntN(2) == 0 {
			head, tail, _ := strings.Cut(text, fmt.Sprintf("p cnf 3 %d\n", len(want)))
			text = head + text[len(head):len(text)-len(tail)] +
				strings.ReplaceAll(tail, " 0\n", "\nc in between\n 0\t\r\n\n") + "\n \nc end"
		}
		vars, got, err := readText(text)
		if err != nil || vars != 3 || fmt.Sprint(got) != fmt.Sprint(list(want)) {
			t.Fatalf("%q: %d variables, %v, %v, want %v", text, vars, got, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		text    string
		line    int
		problem string
	}{
		{"", 1, "before its header"},
		{"c only a comment\n", 2, "before its header"},
		{"1 2 0\n", 1, "'1' stands before the header"},
		{"\x1f\x8b\x08", 1, "compressed"},
		{"p cnf 3\n", 1, "the header is not"},
		{"p cnf 3 -1\n", 1, "the header is not"},
		{"p cnf 3 1 1\n", 1, "the header is not"},
		{"p sat 3 1\n", 1, "the header is not"},
		{"p cnf 1073741824 1\n1 0\n", 1, "the header is not"},
		{"p cnf 3 99999999999999999999\n1 0\n", 1, "the header is not"},
		{"p cnf 3 " + strings.Repeat("1", 1<<17), 1, "the header is not"},
		{"p cnf 3 1" + strings.Repeat(" ", 200) + "-1 0\n1 0\n", 1, "the header is not"},
		{"p cnf" + strings.Repeat(" ", 192) + "1 12\n1 0\n", 1, "the header is not"},
		{"p cnf 3 1", 1, "ends after 0 clauses, the header says 1"},
		{"p cnf 3 2\n1 0\n", 3, "ends after 1 clauses, the header says 2"},
		{"p cnf 3 1\n1 0\n2 0\n", 3, "more clauses than the 1"},
		{"p cnf 3 1\n1 0 0\n", 2, "more clauses than the 1"},
		{"p cnf 3 1\n1 2", 2, "before the 0"},
		{"p cnf 3 1\n1 4 0\n", 2, "variable 4 is not one of the 3"},
		{"p cnf 3 1\n-99999999999999999999 0\n", 2, "not one of the 3"},
		{"p cnf 3 1\n\n1 x 0\n", 3, "'x' is no part of a clause"},
		{"p cnf 3 1\n1 c 0\n", 2, "'c' is no part of a clause"},
		{"p cnf 3 1\n1-2 0\n", 2, "'-' where a blank should be"},
		{"p cnf 3 1\n- 0\n", 2, "a minus sign"},
		{"p cnf 3 1\n-0 0\n", 2, "a minus sign"},
		{"p cnf 3 1\n1 0\n%\n0\n", 3, "'%' is no part"},
	} {
		_, _, err := readText(c.text)
		var wrong *FormulaError
		if !errors.As(err, &wrong) || wrong.Line != c.line || !strings.Contains(wrong.Problem, c.problem) {
			t.Errorf("%.40q: %v, want line %d: %s", c.text, err, c.line, c.problem)
		}
	}
}

// sized is a formula with a number of variables.
type sized struct {
	vars int
	clauses
}

func (f sized) Vars() int { return f.vars }

// FuzzRead: what is read and written again is read as the same clauses, as many as the header says.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"p cnf 3 2\n1 -2 0\n\n3 0", "c x\np cnf 0 1\n0\n", "p cnf 2 1\r\n1\r\n2 0\r\n",
		"p cnf 1 0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var read list
		if formula.Write(&read) != nil {
			return
		}
		if int64(len(read)) != formula.Clauses() {
			t.Fatalf("%d clauses, the header says %d", len(read), formula.Clauses())
		}
		var b strings.Builder
		if err := Write(&b, nil, sized{formula.Vars(), clauses(read)}); err != nil {
			t.Fatal(err)
		}
		vars, again, err := readText(b.String())
		if err != nil || vars != formula.Vars() || fmt.Sprint(again) != fmt.Sprint(read) {
			t.Fatalf("%v, then %v, %v", read, again, err)
		}
	})
}
