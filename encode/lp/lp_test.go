package lp

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/opb"
	"leeway/objective"
)

func model(torus, text string, size int, o opb.Options) *opb.Model {
	_, r := coretest.Parse(torus, text)
	return coretest.Must(opb.New(context.Background(), objective.Problem{Routing: r, Size: size}, big.NewRat(3, 1), o))
}

// TestTextHoldsTheRows reads the text back, token by token, and compares it with
// the rows, which are tested against the definition in package opb.
func TestTextHoldsTheRows(t *testing.T) {
	for _, m := range []*opb.Model{model("3x3", "udr:tie=both", 4, opb.Options{Strengthen: true}),
		model("2x4", "odr", 1, opb.Options{Strengthen: true}), model("4x4", "udr", 5,
			opb.Options{BreakSymmetry: true})} {
		var b strings.Builder
		coretest.Try(Write(&b, []string{"a question"}, m))
		comments, body, _ := strings.Cut(b.String(), "Minimize\n obj: 0 x1\nSubject To\n")
		rows, binaries, found := strings.Cut(body, "Binaries\n")
		if !found || !strings.HasPrefix(comments, "\\ a question\n") || !strings.Contains(comments,
			"\\ leeway var x2 node 0,1\n") {
			t.Fatalf("comments %q", comments)
		}
		checkRows(t, strings.Fields(rows), m)
		want := ""
		for v := 1; v <= m.Vars(); v++ {
			want += fmt.Sprintf("x%d ", v)
		}
		if got := strings.Join(strings.Fields(binaries), " "); got != want+"End" {
			t.Errorf("binaries %q", got)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if len(line) > 255 {
				t.Errorf("a line of %d characters", len(line))
			}
		}
	}
}

func checkRows(t *testing.T, words []string, m *opb.Model) {
	t.Helper()
	count := 0
	m.Rows(func(r opb.Row) bool {
		count++
		want := []string{fmt.Sprintf("r%d:", count)}
		for _, term := range r.Terms {
			sign, size := "+", term.Coef
			if size < 0 {
				sign, size = "-", -size
			}
			want = append(want, sign, strconv.FormatInt(size, 10), fmt.Sprintf("x%d", term.Var))
		}
		want = append(want, map[bool]string{true: "=", false: ">="}[r.Equal], strconv.FormatInt(r.Bound, 10))
		if len(words) < len(want) || strings.Join(words[:len(want)], " ") != strings.Join(want, " ") {
			t.Fatalf("row %d: %v, want %v", count, words[:min(len(words), len(want))], want)
		}
		words = words[len(want):]
		return true
	})
	if len(words) > 0 {
		t.Fatalf("left over after %d rows: %v", count, words)
	}
}
