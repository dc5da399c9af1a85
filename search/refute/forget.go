package refute

import (
	"cmp"
	"slices"
)

// Learnt clauses that span so few levels are kept always, or while they are of use.
const (
	keptGlue = 2
	goodGlue = 6
)

// forget drops half of the learnt clauses that took part in no conflict lately, those that span most levels first, and
// all clauses that hold on level 0.
func (s *solver) forget() {
	var idle []reference
	kept := s.learnt[:0]
	for _, c := range s.learnt {
		header := s.clauses[c : c+headerWords]
		glue, used := header[glueWord], header[usedWord]
		if used > 0 {
			header[usedWord]--
		}
		if glue <= keptGlue || glue <= goodGlue && used > 0 || used > 1 || s.implies(c) {
			kept = append(kept, c)
		} else {
			idle = append(idle, c)
		}
	}
	slices.SortStableFunc(idle, func(a, b reference) int {
		return cmp.Or(cmp.Compare(s.clauses[a+glueWord], s.clauses[b+glueWord]), cmp.Compare(s.clauses[a], s.clauses[b]))
	})
	half := len(idle) / 2
	for _, c := range idle[half:] {
		s.clauses[c+glueWord] = forgotten
	}
	s.learnt = append(kept, idle[:half]...)
	s.compact()
}

// implies reports whether a literal has its value because of a clause.
func (s *solver) implies(c reference) bool {
	for _, l := range s.clauses.literals(c)[:2] {
		if s.values[l] > 0 && s.reason[l.variable()] == c {
			return true
		}
	}
	return false
}

// compact takes the forgotten clauses, and those that hold on level 0, out of the store.
func (s *solver) compact() {
	old := s.clauses
	packed := make(store, 0, len(old))
	for c := reference(0); int(c) < len(old); c = old.next(c) {
		if old[c+glueWord] != forgotten && s.settled(c) {
			old[c+glueWord] = forgotten
		}
		if old[c+glueWord] != forgotten {
			packed = append(packed, old[c:old.next(c)]...)
			old[c+numberWord] = literal(len(packed)) - literal(old.next(c)-c) // where it stands now
		}
	}
	moved := func(c reference) (reference, bool) { return reference(old[c+numberWord]), old[c+glueWord] != forgotten }
	for l, list := range s.watches {
		kept := list[:0]
		for _, w := range list {
			if to, ok := moved(w.clause); ok {
				w.clause = to
				kept = append(kept, w)
			}
		}
		s.watches[l] = kept
	}
	kept := s.learnt[:0]
	for _, c := range s.learnt {
		if to, ok := moved(c); ok {
			kept = append(kept, to)
		}
	}
	for _, l := range s.trail {
		if r := &s.reason[l.variable()]; *r != none {
			*r, _ = moved(*r)
		}
	}
	s.clauses, s.learnt = packed, kept
}

// settled reports whether a clause holds on level 0. Then it is not a reason of a literal above.
func (s *solver) settled(c reference) bool {
	return slices.ContainsFunc(s.clauses.literals(c), func(l literal) bool {
		return s.values[l] > 0 && s.level[l.variable()] == 0
	})
}
