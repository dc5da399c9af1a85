package margin

import (
	"context"
	"math"
	"math/big"
	"testing"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/exhaustive"
	"leeway/search/searchtest"
)

// A known is a decision with its answer by the full count.
type known struct {
	problem objective.Problem
	limit   *big.Rat
	want    Verdict
}

// knowns asks on small tori for the optimum and for the step below it.
func knowns(t *testing.T, tori []string) (list []known) {
	for _, torus := range tori {
		for _, r := range []string{"odr", "odr:tie=both", "udr", "udr:tie=both"} {
			for n := 3; n <= 10; n++ {
				p := searchtest.Problem(torus, r, n)
				full, err := exhaustive.New().Run(context.Background(), search.Params{Problem: p, Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				less := new(big.Rat).Sub(full.Value, big.NewRat(1, p.Routing.Denominator().Int64()))
				list = append(list, known{p, full.Value, Found}, known{p, less, None})
			}
		}
	}
	return list
}

// wrong counts the cases that a changed question answers wrongly, by verdict or
// by a placement above the limit.
func wrong(t *testing.T, cases []known, change func(q *question)) (count int) {
	t.Helper()
	for _, c := range cases {
		q, err := prepare(context.Background(), c.problem, c.limit, Effort{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		change(q)
		d := &decision{question: q, left: math.MaxInt64, open: map[int]outcome{}}
		d.run(context.Background(), 1)
		if d.answer.Verdict != c.want {
			count++
		} else if c.want == Found {
			if v, _ := objective.Naive(c.problem.Routing, d.answer.Placement).Max(); v.Cmp(c.limit) > 0 {
				count++
			}
		}
	}
	return count
}

// TestEveryConstraintIsNeeded drops one constraint, or adds one symmetry too
// many, and expects wrong answers: the tests above would notice.
func TestEveryConstraintIsNeeded(t *testing.T) {
	cases := knowns(t, []string{"4x4", "3x5"})
	if n := wrong(t, cases, func(*question) {}); n != 0 {
		t.Fatalf("%d wrong answers unchanged", n)
	}
	for name, change := range map[string]func(q *question){
		"no column patterns": func(q *question) {
			silence(q.across)
			for j, f := range q.rows {
				q.rows[j].fits = q.across.fits(f.counts, q.limit)
			}
			q.groups = nil
			q.group()
		},
		"no row patterns":   func(q *question) { silence(q.along) },
		"half the slices":   func(q *question) { q.columns = q.columns[:len(q.columns)/2] },
		"half the classes":  func(q *question) { q.groups = q.groups[:len(q.groups)/2] },
		"too large a limit": func(q *question) { q.limit++ },
	} {
		if wrong(t, cases, change) == 0 {
			t.Errorf("%s: no wrong answer in %d cases", name, len(cases))
		}
	}
}

// silence takes all load off a ring.
func silence(d *ring) {
	for i, g := range d.forms {
		d.forms[i] = square(len(g))
	}
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
		count := 0
		for _, first := range leaders(c.counts, c.flip) {
			if first {
				count++
			}
		}
		if count != c.want {
			t.Errorf("%v, flip %v: %d leaders, want %d", c.counts, c.flip, count, c.want)
		}
	}
}
