package sat

// clauseStore holds clauses of distinct literals, each under a number counting
// from 0, and finds them by their content.
type clauseStore struct {
	arena []literal
	spans []span           // by clause; the length of a deleted one is 0
	waste int              // literals of the arena that belong to no clause
	heads map[uint64]int32 // by key: the clause added last with it
	next  []int32          // by clause: the one before with the same key, -1 at the end
	marks *literalSet
}

// A span is where the literals of a clause stand in the arena.
type span struct{ start, size int32 }

func newClauseStore(marks *literalSet) clauseStore {
	return clauseStore{heads: map[uint64]int32{}, marks: marks}
}

// key returns a number that does not depend on the sequence of the literals.
func key(literals []literal) uint64 {
	sum := uint64(len(literals))
	for _, l := range literals {
		x := (uint64(l) + 1) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		sum += x * 0xbf58476d1ce4e5b9
	}
	return sum
}

// add stores a clause and returns its number.
func (s *clauseStore) add(literals []literal) int32 {
	if s.waste > 1<<20 && s.waste > len(s.arena)/2 {
		s.compact()
	}
	c := int32(len(s.spans))
	s.spans = append(s.spans, span{start: int32(len(s.arena)), size: int32(len(literals))})
	s.arena = append(s.arena, literals...)
	k := key(literals)
	last, ok := s.heads[k]
	if !ok {
		last = -1
	}
	s.next = append(s.next, last)
	s.heads[k] = c
	return c
}

// literals returns those of a clause, none if it was deleted. Their sequence may
// be changed.
func (s *clauseStore) literals(c int32) []literal {
	at := s.spans[c]
	return s.arena[at.start : at.start+at.size]
}

// remove deletes one clause with exactly these literals and reports whether
// there was one.
func (s *clauseStore) remove(literals []literal) bool {
	s.marks.reset()
	for _, l := range literals {
		s.marks.add(l)
	}
	k := key(literals)
	before, c := int32(-1), int32(-1)
	if head, ok := s.heads[k]; ok {
		c = head
	}
	for c >= 0 && !s.marked(c, len(literals)) {
		before, c = c, s.next[c]
	}
	switch {
	case c < 0:
		return false
	case before >= 0:
		s.next[before] = s.next[c]
	case s.next[c] >= 0:
		s.heads[k] = s.next[c]
	default:
		delete(s.heads, k)
	}
	s.waste += int(s.spans[c].size)
	s.spans[c].size = 0
	return true
}

// marked reports whether a clause has the given size and only marked literals.
func (s *clauseStore) marked(c int32, size int) bool {
	literals := s.literals(c)
	for _, l := range literals {
		if !s.marks.has(l) {
			return false
		}
	}
	return len(literals) == size
}

// compact moves the clauses together.
func (s *clauseStore) compact() {
	arena := make([]literal, 0, len(s.arena)-s.waste)
	for c := range s.spans {
		literals := s.literals(int32(c))
		s.spans[c].start = int32(len(arena))
		arena = append(arena, literals...)
	}
	s.arena, s.waste = arena, 0
}
