package levels

import (
	"context"
	"math/big"
	"testing"

	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

// wrong counts the cases that a changed plan answers wrongly.
func wrong(t *testing.T, cases []censustest.Known, change func(q *plan)) int {
	t.Helper()
	return censustest.Wrong(t, cases, func(c censustest.Known) census.Plan {
		q := planned(t, c.Problem, c.Below)
		if len(q.classes) > 0 {
			change(q)
		}
		return q
	})
}

// reclass lists the classes again.
func (q *plan) reclass(t *testing.T, turns []turn) {
	classes, err := choose(q.problem.Torus(), q.sides, turns, &meter{ctx: context.Background(), kept: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	q.classes, q.prefixes = classes, q.prefixes[:0]
	for _, class := range classes {
		var prefix []int
		for s, i := range class {
			prefix = append(prefix, q.sides[s][i].counts...)
		}
		q.prefixes = append(q.prefixes, prefix)
	}
}

// TestEveryConstraintIsNeeded drops one constraint, or parts of the tree, and
// expects wrong answers: the tests above would notice.
func TestEveryConstraintIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("asks some hundred questions many times")
	}
	cases := censustest.Knowns(t, []string{"2x2x4", "2x3x3"}, 9)
	if n := wrong(t, cases, func(*plan) {}); n != 0 {
		t.Fatalf("%d wrong answers unchanged", n)
	}
	for name, change := range map[string]func(q *plan){
		"no rests": func(q *plan) { clear(q.table.pairs) },
		"no shares": func(q *plan) {
			for _, d := range q.rings {
				for e := range d.forced {
					d.forced[e] = square(d.k)
				}
			}
		},
		"narrow lines": func(q *plan) {
			for _, side := range q.sides {
				for i := range side {
					side[i].width--
				}
			}
		},
		"every automorphism leaves every class": func(q *plan) {
			for _, to := range q.slabs {
				for slab := range to {
					to[slab] = uint8(slab)
				}
			}
		},
		"half the classes": func(q *plan) {
			half := len(q.classes) / 2
			q.classes, q.prefixes = q.classes[:half], q.prefixes[:half]
		},
		"fewer slab counts": func(q *plan) {
			q.sides[0] = q.sides[0][1:]
			q.reclass(t, q.turns)
		},
		"too large a limit": func(q *plan) {
			p, err := prepare(q.problem, q.table.limit+1, &meter{ctx: context.Background(), kept: 1 << 20})
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

// TestOneTurnTooMany expects other classes than by the definition when the
// dimensions of odr trade places, which changes E_max.
func TestOneTurnTooMany(t *testing.T) {
	p, below := searchtest.Problem("3x3x2", "odr", 4), big.NewRat(7, 2)
	q, want := planned(t, p, below), len(newTwin(p, below).classes())
	q.reclass(t, q.turns)
	if have := len(q.classes); have != want {
		t.Errorf("%d classes, by the definition %d", have, want)
	}
	q.reclass(t, append(q.turns, turn{[]int{1, 0, 2}, make([]bool, 3)}))
	if have := len(q.classes); have >= want {
		t.Errorf("%d classes with a turn too many, as many by the definition", have)
	}
}
