package veripb

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// Of three, at least two hold, and no two hold together. Half the sum of the three clauses says that at least two fail.
// The steps that the end does not need are left out.
func ExampleProof_Write() {
	p := New([]Row{
		Normal(2, []Term{{1, 1}, {1, 2}, {1, 3}}),
		Clause(-1, -2), Clause(-1, -3), Clause(-2, -3),
	})
	unused := p.Define(Clause(1, -4), -4)
	s := p.Sum()
	s.Add(2, 1)
	s.Add(3, 1)
	s.Add(4, 1)
	s.Divide(2)
	one := s.Done()
	p.Follows(Clause(1, 2), []ID{1, unused})
	first := p.Follows(Clause(1), []ID{one, 1})
	s.Add(one, 1)
	s.Add(1, 1)
	s.Done()
	fmt.Println(first, p.Write(os.Stdout, V2))
	// Output:
	// pseudo-Boolean proof version 2.0
	// f 4
	// pol 2 3 + 4 + 2 d
	// pol 5 1 +
	// del id 5
	// output NONE
	// conclusion UNSAT : 6
	// end pseudo-Boolean proof
	// 8 <nil>
}

// small is a proof with every kind of step.
func small() *Proof {
	p := New([]Row{Clause(1, 2), Clause(-1), Clause(-2)})
	d := p.Define(Clause(1, -3), -3)
	f := p.Follows(Clause(-3), []ID{d, 2})
	s := p.Sum()
	s.Add(1, 2)
	s.Add(2, 2)
	s.Add(3, 2)
	s.Add(f, 1)
	s.Weaken(func(Literal) bool { return false })
	s.Done()
	return p
}

// TestVersions: the same steps in every form.
func TestVersions(t *testing.T) {
	want := map[Version]string{
		V1: "version 1.1|f 3|red 1 x1 1 ~x3 >= 1 ; x3 -> 0|rup 1 ~x3 >= 1 ;|del id 4|pol 1 2 * 2 2 * + 3 2 * + 5 + x3 w|" +
			"del id 5|c 6|",
		V2: "version 2.0|f 3|red 1 x1 1 ~x3 >= 1 ; x3 -> 0|rup 1 ~x3 >= 1 ; ~ 4 2|del id 4|" +
			"pol 1 2 * 2 2 * + 3 2 * + 5 + x3 w|del id 5|output NONE|conclusion UNSAT : 6|end pseudo-Boolean proof|",
		V3: "version 3.0|f 3 ;|red 1 x1 1 ~x3 >= 1 : x3 -> 0 ;|rup 1 ~x3 >= 1 : ~ 4 2 ;|del id 4 ;|" +
			"pol 1 2 * 2 2 * + 3 2 * + 5 + x3 w ;|del id 5 ;|output NONE ;|conclusion UNSAT : 6 ;|" +
			"end pseudo-Boolean proof ;|",
	}
	for version, lines := range want {
		var b strings.Builder
		if err := small().Write(&b, version); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(b.String(), "\n", "|"); got != "pseudo-Boolean proof "+lines {
			t.Errorf("%s: %s", version, got)
		}
	}
}

// TestSums: whatever is added, saturated, divided and weakened, what comes out holds wherever the parts do.
func TestSums(t *testing.T) {
	const vars = 5
	rng := rand.New(rand.NewPCG(3, 4))
	strict := 0
	for range 3000 {
		var rows []Row
		for range 3 {
			var terms []Term
			for v := range vars {
				if c := rng.Int64N(9) - 4; c != 0 {
					terms = append(terms, Term{c, Literal(v + 1)})
				}
			}
			rows = append(rows, Normal(rng.Int64N(5)-1, terms))
		}
		p := New(rows)
		s := p.Sum()
		for range 6 {
			switch rng.IntN(6) {
			case 0:
				s.AddLiteral(Literal(1+rng.IntN(vars))*Literal(1-2*rng.IntN(2)), 1+rng.Int64N(3))
			case 1:
				if s.Degree() >= 0 {
					s.Saturate()
				}
			case 2:
				if s.Degree() >= 0 {
					s.Divide(1 + rng.Int64N(3))
				}
			case 3:
				drop := Literal(1 + rng.IntN(vars))
				s.Weaken(func(l Literal) bool { return l != drop })
			default:
				s.Add(ID(1+rng.IntN(len(rows))), 1+rng.Int64N(3))
			}
		}
		r := p.Row(s.Done())
		for x := range 1 << vars {
			if holds(rows[0], x) && holds(rows[1], x) && holds(rows[2], x) && !holds(r, x) {
				t.Fatalf("%v gives %v, which fails at %b", rows, r, x)
			}
			if !holds(r, x) {
				strict++
			}
		}
		if p.Err() != nil {
			t.Fatal(p.Err())
		}
	}
	if strict < 1000 {
		t.Errorf("the sums say little: they exclude %d", strict)
	}
}

func holds(r Row, x int) bool {
	sum := int64(0)
	for _, t := range r.Terms {
		v := max(t.Literal, -t.Literal)
		if x>>(v-1)&1 != 0 == (t.Literal > 0) {
			sum += t.Coef
		}
	}
	return sum >= r.Degree
}

// TestLarge: a number beyond 61 bits is an error, not a proof.
func TestLarge(t *testing.T) {
	p := New([]Row{Normal(1<<40, []Term{{1 << 40, 1}}), Clause(-1)})
	s := p.Sum()
	s.Add(1, 1<<30)
	s.Done()
	p.Follows(Row{Degree: 1}, []ID{1, 2})
	if err := p.Write(&strings.Builder{}, V2); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

func TestUnfinished(t *testing.T) {
	p := New([]Row{Clause(1)})
	p.Follows(Clause(1, 2), []ID{1})
	if err := p.Write(&strings.Builder{}, V2); !errors.Is(err, ErrUnfinished) {
		t.Error(err)
	}
}
