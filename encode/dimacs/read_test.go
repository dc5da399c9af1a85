package dimacs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/cnf/cnftest"
)

func readText(text string) (read cnftest.Clauses, err error) {
	f, err := Read(strings.NewReader(text))
	if err != nil {
		return read, err
	}
	read.Of = f.Vars()
	return read, f.Write(&read)
}

// TestReadBack: what Write writes is read back, also with comments and clauses over several lines.
func TestReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		want := cnftest.Clauses{Of: 3}
		for range rng.IntN(20) {
			c := make([]int, rng.IntN(5))
			for i := range c {
				c[i] = (1 + rng.IntN(3)) * (1 - 2*rng.IntN(2))
			}
			want.List = append(want.List, c)
		}
		var b strings.Builder
		coretest.Try(Write(&b, []string{"a comment", ""}, want))
		text := b.String()
		if rng.IntN(2) == 0 {
			head, tail, _ := strings.Cut(text, fmt.Sprintf("p cnf 3 %d\n", want.Clauses()))
			text = head + text[len(head):len(text)-len(tail)] +
				strings.ReplaceAll(tail, " 0\n", "\nc in between\n 0\t\r\n\n") + "\n \nc end"
		}
		got, err := readText(text)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q: %v, %v, want %v", text, got, err, want)
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
		{"p cnf 3 1\n-99999999999999999999 0\n", 2, "too large"},
		{"p cnf 3 1\n\n1 x 0\n", 3, "'x' is not part of a clause"},
		{"p cnf 3 1\n1 c 0\n", 2, "'c' is not part of a clause"},
		{"p cnf 3 1\n1-2 0\n", 2, "'-' where a blank should be"},
		{"p cnf 3 1\n- 0\n", 2, "a minus sign"},
		{"p cnf 3 1\n-0 0\n", 2, "a minus sign"},
		{"p cnf 3 1\n1 0\n%\n0\n", 3, "'%' is not part"},
	} {
		_, err := readText(c.text)
		var wrong *TextError
		if !errors.As(err, &wrong) || wrong.Line != c.line || !strings.Contains(wrong.Problem, c.problem) {
			t.Errorf("%.40q: %v, want line %d: %s", c.text, err, c.line, c.problem)
		}
	}
}

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
		read := cnftest.Clauses{Of: formula.Vars()}
		if formula.Write(&read) != nil {
			return
		}
		if read.Clauses() != formula.Clauses() {
			t.Fatalf("%d clauses, the header says %d", read.Clauses(), formula.Clauses())
		}
		var b strings.Builder
		coretest.Try(Write(&b, nil, read))
		again, err := readText(b.String())
		if err != nil || fmt.Sprint(again) != fmt.Sprint(read) {
			t.Fatalf("%v, then %v, %v", read, again, err)
		}
	})
}
