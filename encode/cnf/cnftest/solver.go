// Package cnftest holds a solver that a reader believes at sight, to test
// encodings against. Only tests import it.
package cnftest

// A Formula is a list of clauses; it is a cnf.Sink.
type Formula struct {
	Clauses [][]int
	vars    int
	where   map[int][]int // by literal: the clauses with it
}

// Add keeps a copy of the clause and returns nil.
func (f *Formula) Add(clause []int) error {
	if f.where == nil {
		f.where = map[int][]int{}
	}
	for _, l := range clause {
		f.vars = max(f.vars, l, -l)
		f.where[l] = append(f.where[l], len(f.Clauses))
	}
	f.Clauses = append(f.Clauses, append([]int(nil), clause...))
	return nil
}

// Assignment returns the literals that set variables 1..n to the bits of x.
func Assignment(x uint, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -i - 1
		if x>>i&1 != 0 {
			list[i] = i + 1
		}
	}
	return list
}

// Satisfiable reports whether some assignment satisfies every clause and every
// assumed literal, by unit propagation and branching, false first.
func (f *Formula) Satisfiable(assumptions []int) bool {
	s := f.start(assumptions)
	return s != nil && s.branch(1)
}

// Forced returns the literals that unit propagation makes true under the
// assumptions, these included, and false if it meets a contradiction.
func (f *Formula) Forced(assumptions []int) ([]int, bool) {
	s := f.start(assumptions)
	if s == nil {
		return nil, false
	}
	return s.trail, true
}

// start returns a solver after unit propagation, nil on a contradiction.
func (f *Formula) start(assumptions []int) *solver {
	s := &solver{formula: f, value: make([]int8, f.vars+1)}
	for _, l := range assumptions {
		if l < 0 && -l >= len(s.value) || l >= len(s.value) {
			continue // in no clause
		}
		if !s.set(l) {
			return nil
		}
	}
	for _, c := range f.Clauses {
		if len(c) == 0 || len(c) == 1 && !s.set(c[0]) {
			return nil
		}
	}
	return s
}

type solver struct {
	formula *Formula
	value   []int8 // by variable: 1 true, -1 false, 0 open
	trail   []int
}

func (s *solver) litValue(l int) int8 {
	if l < 0 {
		return -s.value[-l]
	}
	return s.value[l]
}

// set makes a literal true with all that follows from it by unit clauses; false
// means a contradiction.
func (s *solver) set(l int) bool {
	if v := s.litValue(l); v != 0 {
		return v > 0
	}
	queue := []int{l}
	s.assign(l)
	for len(queue) > 0 {
		l, queue = queue[0], queue[1:]
		for _, c := range s.formula.where[-l] {
			unit, ok := s.unit(s.formula.Clauses[c])
			if !ok {
				return false
			}
			if unit != 0 {
				s.assign(unit)
				queue = append(queue, unit)
			}
		}
	}
	return true
}

func (s *solver) assign(l int) {
	if l < 0 {
		s.value[-l] = -1
	} else {
		s.value[l] = 1
	}
	s.trail = append(s.trail, l)
}

// unit returns the one literal that is left to satisfy a clause, 0 if there is
// no such need, and false if the clause is violated.
func (s *solver) unit(clause []int) (int, bool) {
	open := 0
	for _, l := range clause {
		switch v := s.litValue(l); {
		case v > 0:
			return 0, true
		case v == 0 && open != 0:
			return 0, true
		case v == 0:
			open = l
		}
	}
	return open, open != 0
}

func (s *solver) branch(from int) bool {
	for from < len(s.value) && s.value[from] != 0 {
		from++
	}
	if from == len(s.value) {
		return true
	}
	for _, l := range []int{-from, from} {
		mark := len(s.trail)
		if s.set(l) && s.branch(from+1) {
			return true
		}
		for _, l := range s.trail[mark:] {
			s.value[max(l, -l)] = 0
		}
		s.trail = s.trail[:mark]
	}
	return false
}
