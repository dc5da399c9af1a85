package veripb

import "slices"

// A Sum is a constraint in the making. The zero value is of no proof; Proof.Sum makes one.
type Sum struct {
	proof  *Proof
	coef   []int64 // by variable; below 0: of its negation
	used   []Literal
	seen   []bool
	degree int64
	ops    []op
}

// Sum returns an empty sum. It can be used for one constraint after the other.
func (p *Proof) Sum() *Sum { return &Sum{proof: p} }

// Add adds a constraint so many times, at least once.
func (s *Sum) Add(id ID, times int64) {
	r := s.proof.rows[id]
	s.ops = append(s.ops, op{'+', int32(id), times})
	for _, t := range r.Terms {
		s.addTerm(t.Literal, t.Coef, times)
	}
	s.degree += s.product(r.Degree, times)
	s.bound(s.degree)
}

// AddLiteral adds "the literal is at least 0" so many times, at least once.
func (s *Sum) AddLiteral(l Literal, times int64) {
	s.ops = append(s.ops, op{'x', int32(l), times})
	s.addTerm(l, 1, times)
}

func (s *Sum) product(a, b int64) int64 {
	if a != 0 && (b >= most/max(a, -a)) {
		s.proof.fail(ErrTooLarge)
		return 0
	}
	return a * b
}

func (s *Sum) bound(v int64) {
	if v >= most || v <= -most {
		s.proof.fail(ErrTooLarge)
		s.degree = 0
	}
}

func (s *Sum) addTerm(l Literal, coef, times int64) {
	c, v := s.product(coef, times), l.variable()
	for int(v) >= len(s.coef) {
		s.coef, s.seen = append(s.coef, 0), append(s.seen, false)
	}
	if !s.seen[v] {
		s.seen[v] = true
		s.used = append(s.used, v)
	}
	old := s.coef[v]
	if l < 0 {
		c = -c
	}
	if old > 0 && c < 0 || old < 0 && c > 0 { // x + (1-x) = 1
		s.degree -= min(max(old, -old), max(c, -c))
	}
	if s.coef[v] = old + c; s.coef[v] >= most || s.coef[v] <= -most {
		s.proof.fail(ErrTooLarge)
		s.coef[v] = 0
	}
}

// Degree returns the degree so far.
func (s *Sum) Degree() int64 { return s.degree }

// Coef returns the coefficient of a literal so far, 0 if its negation has one.
func (s *Sum) Coef(l Literal) int64 {
	v := l.variable()
	if int(v) >= len(s.coef) {
		return 0
	}
	if l < 0 {
		return max(-s.coef[v], 0)
	}
	return max(s.coef[v], 0)
}

// Saturate lowers every coefficient to the degree, which must not be below 0.
func (s *Sum) Saturate() {
	s.ops = append(s.ops, op{kind: 's'})
	for _, v := range s.used {
		s.coef[v] = min(max(s.coef[v], -s.degree), s.degree)
	}
}

// Divide divides by a number, at least 1, and rounds up. The degree must not be below 0.
func (s *Sum) Divide(by int64) {
	if by == 1 {
		return
	}
	s.ops = append(s.ops, op{'d', 0, by})
	up := func(a int64) int64 { return (a + by - 1) / by }
	for _, v := range s.used {
		if c := s.coef[v]; c > 0 {
			s.coef[v] = up(c)
		} else {
			s.coef[v] = -up(-c)
		}
	}
	s.degree = up(s.degree)
}

// Weaken takes out the term of every variable that is not kept, as if it held.
func (s *Sum) Weaken(keep func(Literal) bool) {
	for _, v := range s.used {
		if c := s.coef[v]; c != 0 && !keep(v) {
			s.ops = append(s.ops, op{'w', int32(v), 0})
			s.coef[v] = 0
			s.degree -= max(c, -c)
		}
	}
}

// Done adds the constraint to the proof and empties the sum.
func (s *Sum) Done() ID {
	r := Row{Degree: s.degree}
	slices.Sort(s.used)
	for _, v := range s.used {
		switch c := s.coef[v]; {
		case c > 0:
			r.Terms = append(r.Terms, Term{c, v})
		case c < 0:
			r.Terms = append(r.Terms, Term{-c, -v})
		}
	}
	id := s.proof.add(step{kind: sumStep, ops: slices.Clone(s.ops)}, r)
	s.Clear()
	return id
}

// Clear empties the sum.
func (s *Sum) Clear() {
	for _, v := range s.used {
		s.coef[v], s.seen[v] = 0, false
	}
	s.used, s.ops, s.degree = s.used[:0], s.ops[:0], 0
}
