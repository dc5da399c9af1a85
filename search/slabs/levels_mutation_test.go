package slabs

import (
	"context"
	"math/big"
	"testing"

	"leeway/core/symmetry"
	"leeway/search/census"
	"leeway/search/census/censustest"
	"leeway/search/searchtest"
)

// levelsWrong counts the cases that a changed plan answers wrongly.
func levelsWrong(t *testing.T, cases []censustest.Known, change func(q *nodePlan)) int {
	t.Helper()
	return censustest.Wrong(t, cases, func(c censustest.Known) census.Plan {
		q := levelsPlanned(t, c.Problem, c.Below)
		if len(q.classes) > 0 {
			change(q)
		}
		return q
	})
}

// reclass lists the classes again.
func (q *nodePlan) reclass(t *testing.T, points []symmetry.Point) {
	var err error
	q.points = points
	if q.classes, err = q.choose(newBudget(context.Background(), 0, 0)); err != nil {
		t.Fatal(err)
	}
	q.prefix()
}

// TestLevelsEveryConstraintIsNeeded drops one constraint, or parts of the tree, and expects wrong answers: the tests
// above would notice.
func TestLevelsEveryConstraintIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("asks some hundred questions many times")
	}
	cases := censustest.Knowns(t, []string{"2x2x4", "2x3x3"}, 9)
	if n := levelsWrong(t, cases, func(*nodePlan) {}); n != 0 {
		t.Fatalf("%d levelsWrong answers unchanged", n)
	}
	for name, change := range map[string]func(q *nodePlan){
		"no rests": func(q *nodePlan) {
			for u := range q.lines.of {
				for v := range q.lines.of {
					clear(q.loads.Pair(u, v))
				}
			}
		},
		"no forced loads": func(q *nodePlan) {
			for _, d := range q.rings {
				for e := range d.forced {
					d.forced[e] = square(d.k, 0)
				}
			}
		},
		"narrow lines": func(q *nodePlan) {
			for _, side := range q.sides {
				for i := range side {
					side[i].width--
				}
			}
		},
		"every automorphism leaves every class": func(q *nodePlan) {
			for _, to := range q.slabs {
				for slab := range to {
					to[slab] = uint8(slab)
				}
			}
		},
		"half the classes": func(q *nodePlan) {
			half := len(q.classes) / 2
			q.classes, q.prefixes = q.classes[:half], q.prefixes[:half]
		},
		"fewer slab counts": func(q *nodePlan) {
			q.sides[0] = q.sides[0][1:]
			q.reclass(t, q.points)
		},
		"too large a limit": func(q *nodePlan) {
			above := new(big.Rat).SetFrac(big.NewInt(q.loads.Limit+2), q.problem.Routing.Denominator())
			p, err := newNodePlan(q.problem, above, newBudget(context.Background(), 0, 0), 1)
			if err != nil {
				t.Fatal(err)
			}
			*q = *p
		},
	} {
		if levelsWrong(t, cases, change) == 0 {
			t.Errorf("%s: no levelsWrong answer in %d cases", name, len(cases))
		}
	}
}

// TestOneTurnTooMany expects other classes than by the definition when the dimensions of odr trade places, which
// changes E_max.
func TestOneTurnTooMany(t *testing.T) {
	p, below := searchtest.Problem("3x3x2", "odr", 4), big.NewRat(7, 2)
	q, want := levelsPlanned(t, p, below), len(newLevelsTwin(p, below).classes())
	q.reclass(t, q.points)
	if have := len(q.classes); have != want {
		t.Errorf("%d classes, by the definition %d", have, want)
	}
	q.reclass(t, append(q.points, symmetry.Point{Perm: []int{1, 0, 2}, Flip: make([]bool, 3)}))
	if have := len(q.classes); have >= want {
		t.Errorf("%d classes with a point too many, as many by the definition", have)
	}
}
