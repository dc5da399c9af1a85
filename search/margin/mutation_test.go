package margin

import (
	"context"
	"testing"

	"leeway/core/routing"
	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

// wrong counts the cases that a changed plan answers wrongly.
func wrong(t *testing.T, cases []censustest.Known, change func(q *plan)) int {
	t.Helper()
	return censustest.Wrong(t, cases, func(c censustest.Known) census.Plan {
		q := planned(t, c.Problem, c.Below)
		change(q)
		return q
	})
}

// TestEveryConstraintIsNeeded drops one constraint, or parts of the tree, and
// expects wrong answers: the tests above would notice.
func TestEveryConstraintIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("asks some hundred questions six times")
	}
	cases := censustest.Knowns(t, []string{"4x4", "3x5"}, 10)
	if n := wrong(t, cases, func(*plan) {}); n != 0 {
		t.Fatalf("%d wrong answers unchanged", n)
	}
	for name, change := range map[string]func(q *plan){
		"no column patterns": func(q *plan) { q.silence(false, true) },
		"no row patterns":    func(q *plan) { q.silence(true, false) },
		"half the prefixes":  func(q *plan) { q.prefixes = q.prefixes[:len(q.prefixes)/2] },
		"half the classes": func(q *plan) {
			for g, others := range q.matches {
				q.matches[g] = others[:len(others)/2]
			}
		},
		"too large a limit": func(q *plan) {
			p, err := prepare(context.Background(), q.problem, q.columns.limit+1, bounds{kept: 1 << 19}, 1)
			if err != nil {
				t.Fatal(err)
			}
			*q = *p
		},
	} {
		if wrong(t, cases, change) == 0 {
			t.Errorf("%s: no wrong answer in %d cases", name, len(cases))
		}
	}
}

// silence takes all load off the rows, or the columns, once the margins are
// listed.
func (q *plan) silence(rows, columns bool) {
	if rows {
		q.columns = silent(q.columns)
	}
	if columns {
		q.rows = silent(q.rows)
	}
	q.match(q.classes.turns)
}

// silent returns a side with the same margins and no load.
func silent(s *side) *side {
	d := *s.ring
	d.forms = nil
	for range s.forms {
		d.forms = append(d.forms, square(d.k))
	}
	quiet := newSide(&d, s.limit)
	l := newContents(quiet, quiet.narrow)
	var frames []frame
	for _, f := range s.frames {
		l.under(f.counts, quiet.spare(f.counts))
		f.fits = l.sizes()
		frames = append(frames, f)
	}
	quiet.keep(frames)
	return quiet
}

// TestEverySymmetryMustHold: under odr with ties plus no reflection of a single
// even side preserves E_max, under udr with ties both all eight turns do (project
// design notes, section 3).
func TestEverySymmetryMustHold(t *testing.T) {
	p := searchtest.Problem("4x4", "odr", 4)
	turns, err := turnsOf(p.Routing.(*routing.Orders))
	if err != nil || flipsColumns(turns) || len(turns) != 2 {
		t.Errorf("%v, %v: want the identity and the exchange with both flips", turns, err)
	}
	for _, u := range turns {
		if u.swap != u.flips[0] || u.swap != u.flips[1] {
			t.Errorf("turn %v", u)
		}
	}
	both := searchtest.Problem("4x4", "udr:tie=both", 4)
	if turns, err = turnsOf(both.Routing.(*routing.Orders)); err != nil || !flipsColumns(turns) || len(turns) != 8 {
		t.Errorf("%v, %v: want all eight", turns, err)
	}
}

// TestLeadersStandForTheirOrbit turns every content by hand and expects one
// leader in every orbit.
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
		var counts margin
		for x, v := range c.counts {
			counts[x] = uint8(v)
		}
		count, moves := 0, stabiliser(counts, len(c.counts), c.flip)
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
