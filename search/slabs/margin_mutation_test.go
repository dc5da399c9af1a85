package slabs

import (
	"context"
	"testing"

	"leeway/core/symmetry"
	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

// marginWrong counts the cases that a changed plan answers wrongly.
func marginWrong(t *testing.T, cases []censustest.Known, change func(q *rowPlan)) int {
	t.Helper()
	return censustest.Wrong(t, cases, func(c censustest.Known) census.Plan {
		q := marginPlanned(t, c.Problem, c.Below)
		change(q)
		return q
	})
}

// TestMarginEveryConstraintIsNeeded drops one constraint, or parts of the tree, and expects wrong answers: the tests
// above would notice.
func TestMarginEveryConstraintIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("asks some hundred questions six times")
	}
	cases := censustest.Knowns(t, []string{"4x4", "3x5"}, 10)
	if n := marginWrong(t, cases, func(*rowPlan) {}); n != 0 {
		t.Fatalf("%d marginWrong answers unchanged", n)
	}
	for name, change := range map[string]func(q *rowPlan){
		"no column patterns": func(q *rowPlan) { q.silence(false, true) },
		"no row patterns":    func(q *rowPlan) { q.silence(true, false) },
		"half the prefixes":  func(q *rowPlan) { q.prefixes = q.prefixes[:len(q.prefixes)/2] },
		"half the classes": func(q *rowPlan) {
			for g, others := range q.matches {
				q.matches[g] = others[:len(others)/2]
			}
		},
		"too large a limit": func(q *rowPlan) {
			limits := [2]int64{q.rows.limit + 1, q.columns.limit + 1}
			p, err := newRowPlan(q.problem, limits, newBudget(context.Background(), 0, 0), 1)
			if err != nil {
				t.Fatal(err)
			}
			*q = *p
		},
	} {
		if marginWrong(t, cases, change) == 0 {
			t.Errorf("%s: no marginWrong answer in %d cases", name, len(cases))
		}
	}
}

// silence takes all load off the rows, or the columns, once the margins are listed.
func (q *rowPlan) silence(rows, columns bool) {
	if rows {
		q.columns = silent(q.columns)
	}
	if columns {
		q.rows = silent(q.rows)
	}
	q.matches = q.columns.matches(q.rows)
	q.reduce(q.classes.points)
}

// silent returns a side with the same margins and no load.
func silent(s *margins) *margins {
	d := *s.ring
	d.forms = nil
	for range s.forms {
		d.forms = append(d.forms, square(d.k, 0))
	}
	quiet := &margins{side: newSide(&d, s.limit)}
	l := newContents(quiet.side, quiet.narrow)
	var frames []frame
	for _, f := range s.frames {
		l.under(f.counts, quiet.spare(f.counts))
		f.fits = l.sizes()
		frames = append(frames, f)
	}
	quiet.keep(frames)
	return quiet
}

// TestEverySymmetryMustHold: under odr with ties plus no reflection of a single even side preserves E_max, under udr
// with ties both all eight points do: a reflection turns the + way of a tie into the - way, and both ways into each
// other.
func TestEverySymmetryMustHold(t *testing.T) {
	points := func(r string) []symmetry.Point {
		g, err := symmetry.Of(searchtest.Problem("4x4", r, 4).Routing)
		if err != nil {
			t.Fatal(err)
		}
		return g.List()
	}
	some := points("odr")
	if reverses(some, 1) || len(some) != 2 {
		t.Errorf("%v: want the identity and the exchange with both flips", some)
	}
	for _, u := range some {
		if u.Permutes() != u.Flip[0] || u.Permutes() != u.Flip[1] {
			t.Errorf("point %v", u)
		}
	}
	if all := points("udr:tie=both"); !reverses(all, 1) || len(all) != 8 {
		t.Errorf("%v: want all eight", all)
	}
}

// TestLeadersStandForTheirOrbit turns every content by hand and expects one leader in every orbit.
func TestLeadersStandForTheirOrbit(t *testing.T) {
	for _, c := range []struct {
		counts []int
		flip   bool
		want   int
	}{
		{[]int{1, 1, 1, 1}, false, 6}, // necklaces of 4 beads in 2 colours
		{[]int{1, 1, 1, 1, 1, 1}, false, 14},
		{[]int{1, 1, 1, 1, 1, 1}, true, 13}, // bracelets
		{[]int{2, 1, 2, 1}, false, 10},      // half turns only: (16+4)/2
		{[]int{3, 2, 1, 0}, true, 16},
		{[]int{2, 1, 1, 1}, true, 12}, // one reflection that fixes two places: (16+8)/2
	} {
		var counts slabCounts
		for x, v := range c.counts {
			counts[x] = uint8(v)
		}
		count, moves := 0, (&ring{k: len(c.counts)}).fixing(counts, c.flip)
		for mask := range uint16(1) << len(c.counts) {
			if leads(mask, moves) {
				count++
			}
		}
		if count != c.want {
			t.Errorf("%v, flip %v: %d leaders, want %d", c.counts, c.flip, count, c.want)
		}
	}
}
