package veripb

import (
	"cmp"
	"fmt"
	"slices"
)

// A literal is twice a variable, 1, 2, ..., plus 1 if negated.
type literal int32

func (l literal) not() literal  { return l ^ 1 }
func (l literal) variable() int { return int(l >> 1) }
func (l literal) String() string {
	if l&1 != 0 {
		return fmt.Sprintf("~x%d", l.variable())
	}
	return fmt.Sprintf("x%d", l.variable())
}

type term struct {
	literal literal
	coef    int64 // above 0
}

// A constraint says that its terms add up to at least the degree. Its variables ascend. All coefficients and the degree
// together stay below most.
type constraint struct {
	terms  []term
	degree int64
}

// most is what sums of coefficients may not reach, so that no difference of two of them overflows.
const most = int64(1) << 61

// normal returns the constraint of coefficients, also below 0, and literals; it says what is wrong, "" if nothing is.
func normal(terms []term, degree int64) (constraint, string) {
	c := constraint{terms: make([]term, 0, len(terms)), degree: degree}
	for _, t := range terms {
		if t.coef < 0 { // -a x = a (1-x) - a
			t.literal, t.coef = t.literal.not(), -t.coef
			if c.degree += t.coef; c.degree >= most {
				return constraint{}, "its coefficients pass 61 bits"
			}
		}
		if t.coef > 0 {
			c.terms = append(c.terms, t)
		}
	}
	slices.SortFunc(c.terms, func(a, b term) int { return cmp.Compare(a.literal, b.literal) })
	for i := 1; i < len(c.terms); i++ {
		if v := c.terms[i].literal.variable(); v == c.terms[i-1].literal.variable() {
			return constraint{}, fmt.Sprintf("x%d stands in it twice", v)
		}
	}
	return c, c.problem()
}

// problem says that a constraint has too large numbers, "" if not.
func (c constraint) problem() string {
	sum := int64(0)
	for _, t := range c.terms {
		if t.coef >= most {
			return "its coefficients pass 61 bits"
		}
		if sum += t.coef; sum >= most {
			return "its coefficients pass 61 bits"
		}
	}
	if c.degree >= most || c.degree <= -most {
		return "its degree passes 61 bits"
	}
	return ""
}

// total returns the sum of the coefficients.
func (c constraint) total() (sum int64) {
	for _, t := range c.terms {
		sum += t.coef
	}
	return sum
}

// negation returns the constraint that holds exactly where c does not: the literals that fail weigh more than the total
// minus the degree.
func (c constraint) negation() constraint {
	n := constraint{terms: make([]term, len(c.terms)), degree: c.total() - c.degree + 1}
	for i, t := range c.terms {
		n.terms[i] = term{t.literal.not(), t.coef}
	}
	return n
}

// contradicts reports whether nothing satisfies the constraint.
func (c constraint) contradicts() bool { return c.total() < c.degree }

// coef returns the coefficient of a literal, 0 without one.
func (c constraint) coef(l literal) int64 {
	i, ok := slices.BinarySearchFunc(c.terms, l, func(t term, l literal) int { return cmp.Compare(t.literal, l) })
	if !ok {
		return 0
	}
	return c.terms[i].coef
}

// implies reports whether d is c plus constraints "a literal is at least 0" and "at most 1".
func (c constraint) implies(d constraint) bool {
	left := c.degree
	for _, t := range c.terms {
		left -= max(t.coef-d.coef(t.literal), 0)
	}
	return left >= d.degree
}

// A sum is a constraint in the making: coefficients by variable, those of a negation below 0.
type sum struct {
	coefs  []int64
	used   []int // variables, each once
	seen   []bool
	degree int64
}

// add adds a constraint so many times; it says what is wrong, "" if nothing is.
func (s *sum) add(c constraint, times int64) string {
	if total := max(c.total(), c.degree, -c.degree); total > 0 && times >= most/total {
		return "a coefficient passes 61 bits"
	}
	if n := len(c.terms); n > 0 {
		if grow := c.terms[n-1].literal.variable() + 1 - len(s.coefs); grow > 0 {
			s.coefs, s.seen = append(s.coefs, make([]int64, grow)...), append(s.seen, make([]bool, grow)...)
		}
	}
	for _, t := range c.terms {
		v, by := t.literal.variable(), t.coef*times
		if !s.seen[v] {
			s.seen[v] = true
			s.used = append(s.used, v)
		}
		if t.literal&1 != 0 {
			by = -by
		}
		old := s.coefs[v]
		if old > 0 && by < 0 || old < 0 && by > 0 { // x and 1-x make 1
			s.degree -= min(max(old, -old), max(by, -by))
		}
		if s.coefs[v] = old + by; s.coefs[v] >= most || s.coefs[v] <= -most {
			return "a coefficient passes 61 bits"
		}
		if s.degree <= -most {
			return "the degree passes 61 bits"
		}
	}
	if s.degree += c.degree * times; s.degree >= most || s.degree <= -most {
		return "the degree passes 61 bits"
	}
	return ""
}

// saturate lowers every coefficient to the degree: a literal that has it suffices.
func (s *sum) saturate() {
	limit := max(s.degree, 0)
	for _, v := range s.used {
		s.coefs[v] = min(max(s.coefs[v], -limit), limit)
	}
}

// divide divides by a number and rounds up.
func (s *sum) divide(by int64) {
	up := func(a int64) int64 { // a is at least 0
		return a/by + min(a%by, 1)
	}
	for _, v := range s.used {
		if c := s.coefs[v]; c < 0 {
			s.coefs[v] = -up(-c)
		} else {
			s.coefs[v] = up(c)
		}
	}
	if s.degree > 0 {
		s.degree = up(s.degree)
	} else {
		s.degree /= by // towards 0 is up
	}
}

// multiply multiplies by a number; it says what is wrong, "" if nothing is.
func (s *sum) multiply(by int64) string {
	for _, v := range s.used {
		if c := max(s.coefs[v], -s.coefs[v]); c > 0 && by >= most/c {
			return "a coefficient passes 61 bits"
		}
		s.coefs[v] *= by
	}
	if d := max(s.degree, -s.degree); d > 0 && by >= most/d {
		return "the degree passes 61 bits"
	}
	s.degree *= by
	return ""
}

// weaken takes out the term of a variable, as if it held; it says what is wrong, "" if nothing is.
func (s *sum) weaken(v int) string {
	if v < len(s.coefs) {
		if s.degree -= max(s.coefs[v], -s.coefs[v]); s.degree <= -most {
			return "the degree passes 61 bits"
		}
		s.coefs[v] = 0
	}
	return ""
}

// constraint returns the sum as a constraint.
func (s *sum) constraint() constraint {
	slices.Sort(s.used)
	c := constraint{terms: make([]term, 0, len(s.used)), degree: s.degree}
	for _, v := range s.used {
		switch a := s.coefs[v]; {
		case a > 0:
			c.terms = append(c.terms, term{literal(2 * v), a})
		case a < 0:
			c.terms = append(c.terms, term{literal(2*v + 1), -a})
		}
	}
	return c
}

func (s *sum) clear() {
	for _, v := range s.used {
		s.coefs[v], s.seen[v] = 0, false
	}
	s.used, s.degree = s.used[:0], 0
}
