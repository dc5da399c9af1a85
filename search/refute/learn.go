package refute

import "slices"

// analysis is what the analysis of conflicts takes; all of it is empty between conflicts.
type analysis struct {
	clause  []literal // that is learnt
	seen    []bool    // by variable: it is in the clause, or was until it was resolved away
	looked  []uint32  // variables that are seen
	fate    []fate    // by variable
	judged  []uint32  // variables with a fate
	stamps  []uint64  // by level: the round in which it was last met
	round   uint64
	marked  []literal
	reasons []uint64 // clauses by the place of what they imply
	hints   []uint32
}

// A fate says whether the literals of the learnt clause imply that a variable's literal fails.
type fate uint8

const (
	open fate = iota
	implied
	needed
)

func newAnalysis(vars int) analysis {
	return analysis{seen: make([]bool, vars), fate: make([]fate, vars), stamps: make([]uint64, vars+1)}
}

// learn learns a clause from a conflict: the first, going back through the reasons, that has only one literal of the
// highest level (L. Zhang and others, ICCAD 2001), without those literals that the others imply (N. Sörensson and
// A. Biere, SAT 2009). It goes back to the level where the clause implies that literal, and assigns it.
func (s *solver) learn(conflict reference) {
	s.resolve(conflict)
	s.order.bump(s.looked)
	s.minimise()
	s.explain(conflict)
	number, glue := s.proof.add(s.clause, s.hints), s.levels(s.clause)
	s.pace.learnt(glue)
	for _, v := range s.looked {
		s.seen[v] = false
	}
	for _, v := range s.judged {
		s.fate[v] = open
	}
	s.looked, s.judged = s.looked[:0], s.judged[:0]

	if len(s.clause) == 1 {
		s.back(0)
		s.fixed[s.clause[0].variable()] = number
		s.assign(s.clause[0], none)
		return
	}
	second := 1
	for i, l := range s.clause {
		if i > 1 && s.level[l.variable()] > s.level[s.clause[second].variable()] {
			second = i
		}
	}
	s.clause[1], s.clause[second] = s.clause[second], s.clause[1]
	s.back(int(s.level[s.clause[1].variable()]))
	c := s.clauses.add(s.clause, number, glue)
	s.clauses[c+usedWord] = 2
	s.learnt = append(s.learnt, c)
	s.watch(c)
	s.assign(s.clause[0], c)
}

// resolve goes back from a conflict through the reasons of the highest level to the clause, whose first literal is the
// one of that level.
func (s *solver) resolve(conflict reference) {
	s.clause = append(s.clause[:0], 0)
	highest, left := uint32(len(s.starts)), 0
	for c, at := conflict, len(s.trail)-1; ; at-- {
		s.use(c)
		for _, l := range s.clauses.literals(c) {
			v := l.variable()
			if s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.looked = append(s.looked, v)
			if s.level[v] == highest {
				left++
			} else {
				s.clause = append(s.clause, l)
			}
		}
		for !s.seen[s.trail[at].variable()] {
			at--
		}
		if left--; left == 0 {
			s.clause[0] = s.trail[at].not()
			return
		}
		c = s.reason[s.trail[at].variable()]
	}
}

// use notes that a clause took part in a conflict.
func (s *solver) use(c reference) {
	if glue := s.clauses[c+glueWord]; glue > 0 {
		s.clauses[c+usedWord] = 2
		if glue > keptGlue {
			s.clauses[c+glueWord] = min(glue, literal(s.levels(s.clauses.literals(c))))
		}
	}
}

// levels returns on how many levels the literals of a clause got their values, its glue.
func (s *solver) levels(clause []literal) (count uint32) {
	s.round++
	for _, l := range clause {
		if level := s.level[l.variable()]; s.stamps[level] != s.round {
			s.stamps[level] = s.round
			count++
		}
	}
	return count
}

// minimise takes those literals out of the clause that the others imply.
func (s *solver) minimise() {
	s.levels(s.clause) // stamps them
	kept := s.clause[:1]
	for _, l := range s.clause[1:] {
		if r := s.reason[l.variable()]; r == none || !s.follows(l.variable(), r, 0) {
			kept = append(kept, l)
		}
	}
	s.clause = kept
}

// maxDepth bounds the recursion of follows.
const maxDepth = 1000

// follows reports whether the literal of a variable fails, by its reason, whenever the clause's others do.
func (s *solver) follows(v uint32, reason reference, depth int) bool {
	result := implied
	for _, l := range s.clauses.literals(reason) {
		u := l.variable()
		if u == v || s.level[u] == 0 || s.fate[u] == implied {
			continue
		}
		// On the highest level the clause has its first literal only; below, all that is seen, and what is taken out follows.
		if s.seen[u] && (s.level[u] < uint32(len(s.starts)) || u == s.clause[0].variable()) {
			continue
		}
		r := s.reason[u]
		if r == none || s.fate[u] == needed || depth == maxDepth || s.stamps[s.level[u]] != s.round ||
			!s.follows(u, r, depth+1) {
			result = needed
			break
		}
	}
	s.fate[v] = result
	s.judged = append(s.judged, v)
	return result == implied
}

// explain finds the hints of the clause: all reasons between it and the conflict, in the order of the trail, so that
// each is unit when those before it are followed.
func (s *solver) explain(conflict reference) {
	s.hints, s.reasons, s.marked = s.hints[:0], s.reasons[:0], s.marked[:0]
	for _, l := range s.clause {
		s.mark(l)
	}
	s.ask(conflict)
	for i := 0; i < len(s.reasons); i++ {
		s.ask(reference(s.reasons[i]))
	}
	slices.Sort(s.reasons)
	for _, at := range s.reasons {
		s.hints = append(s.hints, s.clauses.number(reference(at)))
	}
	s.hints = append(s.hints, s.clauses.number(conflict))
	for _, l := range s.marked {
		s.marks[l] = false
	}
}

func (s *solver) mark(l literal) {
	s.marks[l] = true
	s.marked = append(s.marked, l)
}

// ask adds the reasons why the literals of a clause fail that are not marked; at most one of them holds, which the
// clause implies.
func (s *solver) ask(c reference) {
	for _, l := range s.clauses.literals(c) {
		if s.values[l] > 0 || s.marks[l] {
			continue
		}
		s.mark(l)
		if v := l.variable(); s.level[v] == 0 {
			s.hints = append(s.hints, s.fixed[v])
		} else {
			s.reasons = append(s.reasons, uint64(s.place[v])<<32|uint64(s.reason[v]))
		}
	}
}
