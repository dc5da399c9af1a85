package refute

import "context"

// A solver looks for values of the variables that satisfy every clause: it decides one variable after the other,
// follows what is implied, and learns a clause from each conflict (J. Marques-Silva and K. Sakallah, GRASP, IEEE
// Transactions on Computers 1999; M. Moskewicz and others, Chaff, DAC 2001).
type solver struct {
	clauses store
	watches [][]watch   // by literal: the clauses to look at when it fails
	learnt  []reference // oldest first
	units   []unit      // of the formula
	empty   uint32      // number of a clause of the formula without literals, 0 if it has none

	values []int8      // by literal: 1 it holds, -1 it fails, 0 it is open
	trail  []literal   // those that hold, in the order of their assignment
	starts []int       // by level above 0: where its decision stands in the trail
	head   int         // where in the trail propagation goes on
	level  []uint32    // by variable with a value
	place  []uint32    // by variable with a value: where it stands in the trail
	reason []reference // by variable with a value: the clause that implies it, none for decisions and on level 0
	fixed  []uint32    // by variable with a value on level 0: the number of the clause that is this literal

	phase []bool // by variable: the value it had last
	order order
	pace  pace
	analysis
	marks     []bool // by literal, false between uses
	proof     *log
	conflicts int64
	memory    int64 // bytes that may be taken
}

// A unit is a clause of one literal, with its number.
type unit struct {
	literal literal
	number  uint32
}

// newSolver returns a solver without clauses, which writes to a proof.
func newSolver(vars int, proof *log, memory int64) *solver {
	return &solver{
		watches:  make([][]watch, 2*vars),
		values:   make([]int8, 2*vars),
		level:    make([]uint32, vars),
		place:    make([]uint32, vars),
		reason:   make([]reference, vars),
		fixed:    make([]uint32, vars),
		phase:    make([]bool, vars),
		order:    newOrder(vars),
		analysis: newAnalysis(vars),
		marks:    make([]bool, 2*vars),
		proof:    proof,
		memory:   memory,
	}
}

// A verdict says what became of a search.
type verdict uint8

const (
	undecided verdict = iota
	satisfiable
	refuted
)

// solve looks for a model in which a literal holds that is assumed, unless it is nothing, until all variables have
// values and no clause fails, or the literal fails, by a clause that the proof has, or the proof ends with the empty
// clause; or until a given number of conflicts, after which it may be called again.
func (s *solver) solve(ctx context.Context, assumed literal, conflicts int64) (verdict, error) {
	s.back(0)
	if !s.assignUnits() {
		return refuted, nil
	}
	for end := s.conflicts + conflicts; ; {
		if conflict := s.propagate(); conflict != none {
			if len(s.starts) == 0 {
				s.contradict(s.clauses.literals(conflict), s.clauses.number(conflict))
				return refuted, nil
			}
			s.learn(conflict)
			s.proof.conflicts++
			if s.conflicts++; s.conflicts%256 == 0 {
				if err := s.interrupted(ctx); err != nil {
					return undecided, err
				}
			}
			continue
		}
		switch {
		case s.conflicts >= end:
			return undecided, nil
		case len(s.starts) == 0 && assumed != nothing && s.values[assumed] < 0:
			return refuted, nil
		case len(s.starts) == 0 && assumed != nothing && s.values[assumed] == 0:
			s.decide(assumed)
		case s.pace.restart():
			s.back(0)
		case s.pace.forget(s.conflicts):
			s.forget()
		default:
			v, ok := s.order.next(s.values)
			if !ok {
				return satisfiable, nil
			}
			s.decide(s.lastOf(v))
		}
	}
}

// interrupted returns the error of the context, or a *LimitError if too much memory is taken.
func (s *solver) interrupted(ctx context.Context) error {
	const word, perClause = 4, 2 * 16 // a clause has two watches
	clauses := int64(s.proof.original) + int64(len(s.learnt))
	if word*(s.proof.words+int64(len(s.clauses)))+perClause*clauses > s.memory {
		return &LimitError{Bytes: s.memory}
	}
	return ctx.Err()
}

// assignUnits assigns the clauses of one literal and reports whether the formula may still have a model; if not, the
// proof has ended.
func (s *solver) assignUnits() bool {
	if s.empty != 0 {
		s.contradict(nil, s.empty)
		return false
	}
	for _, u := range s.units {
		switch s.values[u.literal] {
		case -1:
			s.contradict([]literal{u.literal}, u.number)
			return false
		case 0:
			s.fixed[u.literal.variable()] = u.number
			s.assign(u.literal, none)
		}
	}
	return true
}

// contradict ends the proof: all literals of a clause fail on level 0.
func (s *solver) contradict(clause []literal, number uint32) {
	hints := s.hints[:0]
	for _, l := range clause {
		hints = append(hints, s.fixed[l.variable()])
	}
	s.proof.add(nil, append(hints, number))
	s.proof.ended = true
}

// lastOf returns the literal of a variable that held last, at first its negation.
func (s *solver) lastOf(v uint32) literal {
	if s.phase[v] {
		return literal(v << 1)
	}
	return literal(v<<1 | 1)
}

// decide starts a level with a literal.
func (s *solver) decide(l literal) {
	s.starts = append(s.starts, len(s.trail))
	s.assign(l, none)
}

// assign makes a literal hold.
func (s *solver) assign(l literal, reason reference) {
	v := l.variable()
	if len(s.starts) == 0 && reason != none {
		reason = s.fix(l, reason)
	}
	s.values[l], s.values[l.not()] = 1, -1
	s.level[v], s.place[v], s.reason[v] = uint32(len(s.starts)), uint32(len(s.trail)), reason
	s.trail = append(s.trail, l)
}

// fix writes a literal that is implied on level 0 to the proof as a clause, which takes the place of its reason.
func (s *solver) fix(l literal, reason reference) reference {
	hints := s.hints[:0]
	for _, other := range s.clauses.literals(reason) {
		if other != l {
			hints = append(hints, s.fixed[other.variable()])
		}
	}
	s.hints = append(hints, s.clauses.number(reason))
	s.fixed[l.variable()] = s.proof.add([]literal{l}, s.hints)
	return none
}

// back takes back what was assigned above a level.
func (s *solver) back(level int) {
	if level == len(s.starts) {
		return
	}
	from := s.starts[level]
	for i := len(s.trail) - 1; i >= from; i-- {
		l := s.trail[i]
		s.values[l], s.values[l.not()] = 0, 0
		s.phase[l.variable()] = l&1 == 0
		s.order.add(l.variable())
	}
	s.trail, s.starts, s.head = s.trail[:from], s.starts[:level], from
}

// propagate assigns what clauses imply all but one of whose literals fail, until nothing is implied or all literals of
// a clause fail. It returns this clause, or none.
func (s *solver) propagate() reference {
	for ; s.head < len(s.trail); s.head++ {
		fails := s.trail[s.head].not()
		if conflict := s.visit(fails); conflict != none {
			return conflict
		}
	}
	return none
}

// visit looks at the clauses that watch a literal, which fails. It does so in their order, and keeps those in it that
// still watch the literal. It returns a clause all of whose literals fail, or none.
func (s *solver) visit(fails literal) reference {
	values, list, kept := s.values, s.watches[fails], 0
	conflict := none
watches:
	for i, w := range list {
		value := values[w.other]
		if value <= 0 && !w.binary {
			clause := s.clauses.literals(w.clause)
			w.other = clause[0] ^ clause[1] ^ fails
			if value = values[w.other]; value <= 0 {
				for j, l := range clause[2:] {
					if values[l] >= 0 {
						clause[0], clause[1], clause[j+2] = w.other, l, fails
						s.watches[l] = append(s.watches[l], w)
						continue watches
					}
				}
			}
		}
		list[kept] = w
		kept++
		if value < 0 {
			conflict = w.clause
			kept += copy(list[kept:], list[i+1:])
			break
		}
		if value == 0 {
			s.assign(w.other, w.clause)
		}
	}
	s.watches[fails] = list[:kept]
	return conflict
}

// A pace says when to restart and when to forget clauses.
type pace struct {
	recent, overall float64 // moving averages of the glue of learnt clauses
	since           int64   // conflicts since the last restart
	forgetAt        int64   // conflicts at which clauses are forgotten next
	rounds          int64   // of forgetting
}

// The pace: averages go over about this many conflicts; a restart comes when learnt clauses span so much more levels
// than usual (G. Audemard and L. Simon, IJCAI 2009; A. Biere and A. Fröhlich, POS 2015).
const (
	recentConflicts, overallConflicts = 33, 10000
	restartRatio, restartAfter        = 1.1, 2
	forgetFirst, forgetMore           = 2000, 300
)

// learnt notes the glue of a learnt clause.
func (p *pace) learnt(glue uint32) {
	g := float64(glue)
	if p.overall == 0 {
		p.recent, p.overall, p.forgetAt = g, g, forgetFirst
	}
	p.recent += (g - p.recent) / recentConflicts
	p.overall += (g - p.overall) / overallConflicts
	p.since++
}

// restart reports whether it is time to, and takes it that it is done.
func (p *pace) restart() bool {
	if p.since <= restartAfter || p.recent <= restartRatio*p.overall {
		return false
	}
	p.since = 0
	return true
}

// forget reports whether it is time to, and takes it that it is done.
func (p *pace) forget(conflicts int64) bool {
	if p.forgetAt == 0 || conflicts < p.forgetAt {
		return false
	}
	p.rounds++
	p.forgetAt = conflicts + forgetFirst + forgetMore*p.rounds
	return true
}
