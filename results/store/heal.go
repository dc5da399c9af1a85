package store

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results"
)

// A Judge tells which of the claims that contradict each other is wrong. known is false where
// that would take too long to find out.
type Judge interface {
	// Load reports whether the placement of a record has the load that the record says.
	Load(r results.Record) (right, known bool)
	// Record reports whether everything that a record says is right, its proof too.
	Record(r results.Record) (right, known bool)
}

// A Retraction is a claim that was taken back.
type Retraction struct {
	Problem Problem
	What    string // what was taken back
	Why     string
}

// String returns the retraction for a person.
func (r Retraction) String() string {
	return fmt.Sprintf("%s: taken back: %s: %s", r.Problem, r.What, r.Why)
}

// Heal has the store settle contradictions by a judge from now on, and tell, if it is not nil, of
// every claim that it takes back. It must be called before the store is used by several goroutines.
//
// A placement whose load was computed again refutes every lower bound above it, whatever
// proof the bound has: of its size and, where fewer processors load no link more, of smaller
// ones. What rested on a refuted bound goes with it: monotone proofs that name it, and the
// bounds, proofs and optima of records; their placements stay. Problems that are open
// again are searched again. Without a judge the first claim that came in stays.
func (s *Store) Heal(j Judge, tell func(Retraction)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.judge, s.tell, s.judged = j, tell, map[string]bool{}
}

// right reports whether the load of a record is right, as far as that is known.
func (s *Store) right(r results.Record) (right, known bool) {
	key := r.ClaimSHA256
	if r.Table != nil {
		text, _ := json.Marshal(r.Table) // numbers and text always encode
		key += string(text)
	}
	s.mu.Lock()
	judge, before := s.judge, s.judged[key]
	s.mu.Unlock()
	if before {
		return true, true
	}
	right, known = judge.Load(r)
	if right && known {
		s.mu.Lock()
		s.judged[key] = true
		s.mu.Unlock()
	}
	return right, known
}

// report tells of retractions that are in the file.
func (s *Store) report(list []Retraction) {
	if s.tell != nil {
		for _, r := range list {
			s.tell(r)
		}
	}
}

// A scope is the problems for which a load or a bound of one of them says something.
type scope struct {
	problem  Problem
	routings []string // that load every link alike, by their names
	falls    bool     // loads can fall when a processor is added
}

// scopeOf returns the scope of a problem.
func scopeOf(p Problem) scope {
	c := scope{problem: p, routings: []string{p.Routing}}
	t, err := core.ParseTorus(p.Torus)
	if err != nil {
		c.falls = true
		return c
	}
	if _, free, _ := routing.ParseFree(p.Routing); free || p.Table != "" {
		return c
	}
	r, err := routing.Parse(t, p.Routing)
	if c.falls = err != nil || r.DependsOnPlacement(); c.falls {
		return c
	}
	if !slices.ContainsFunc(t.Dims(), func(k int) bool { return k > 2 && k%2 == 0 }) { // nothing ties
		const plus, both = ":tie=plus", ":tie=both"
		if name, ok := strings.CutSuffix(p.Routing, plus); ok {
			c.routings = append(c.routings, name+both)
		} else if name, ok := strings.CutSuffix(p.Routing, both); ok {
			c.routings = append(c.routings, name+plus)
		}
	}
	return c
}

// bounds reports whether a load of the scope's problem bounds that of another one: a
// placement of it, less some processors, is one of the other.
func (c scope) bounds(p Problem) bool {
	return p.Torus == c.problem.Torus && p.Table == c.problem.Table && slices.Contains(c.routings, p.Routing) &&
		(p.Size == c.problem.Size || p.Size < c.problem.Size && !c.falls)
}

// refuted reports whether a load of the scope's problem shows that a bound of another is wrong.
func (c scope) refuted(p Problem, value, load *big.Rat) bool {
	return value.Cmp(load) > 0 && c.bounds(p)
}

// rests reports whether a proof in a record of a problem rests on a bound that a load refutes.
func (c scope) rests(p Problem, proof *results.Proof, load *big.Rat) bool {
	if proof == nil || proof.Kind != results.ProofMonotone || proof.Size == nil {
		return false
	}
	value, err := results.ParseFraction(proof.Below)
	if err != nil {
		return false
	}
	basis := p
	basis.Size = *proof.Size
	if proof.Routing != "" {
		basis.Routing = proof.Routing
	}
	return c.refuted(basis, value, load)
}

// makeWay settles what contradicts a claim that comes in: a record, or a bound where record is
// nil. What is wrong in the store is taken back; if the claim is wrong the error is a
// *ConflictError. Without a judge it does nothing.
func (s *Store) makeWay(p Problem, load, lower *big.Rat, reason string, e *entry) error {
	s.mu.Lock()
	judge := s.judge
	s.mu.Unlock()
	if judge == nil {
		return nil
	}
	if e == nil || !e.interim {
		if err := s.Mend(p); err != nil {
			return err
		}
	}
	if err := s.defend(p, lower, reason); err != nil || e == nil {
		return err
	}
	against, err := s.boundsAgainst(p, load)
	if err != nil || len(against) == 0 {
		return err
	}
	if right, known := s.right(e.Record); !right || !known {
		b := against[0]
		return &ConflictError{Path: s.path, Problem: b.problem, Load: load, Bound: b.value, Reason: b.reason}
	}
	return s.refute(p, load)
}

// defend returns a *ConflictError if a placement in the store, evaluated again, has a load below a
// bound of a problem. Records whose load is wrong are taken back.
func (s *Store) defend(p Problem, bound *big.Rat, reason string) error {
	for {
		rivals, err := s.loadsBelow(p, bound)
		if err != nil || len(rivals) == 0 {
			return err
		}
		wrong := false
		for _, rival := range rivals {
			right, known := s.right(rival.Record)
			if right || !known {
				return &ConflictError{Path: s.path, Problem: rival.problem, Load: rival.load, Bound: bound, Reason: reason}
			}
			if err := s.Mend(rival.problem); err != nil {
				return err
			}
			wrong = true
		}
		if !wrong {
			return nil
		}
	}
}

// A heldBound is a bound of the store.
type heldBound struct {
	id      int64
	problem Problem
	value   *big.Rat
	reason  string
}

// boundsAgainst returns the bounds that a load of a problem refutes.
func (s *Store) boundsAgainst(p Problem, load *big.Rat) ([]heldBound, error) {
	c := scopeOf(p)
	list, err := collect(s, func(scan func(...any) error) (heldBound, error) {
		var b heldBound
		var parts [2]string
		err := scan(&b.id, &b.problem.Torus, &b.problem.Routing, &b.problem.Table, &b.problem.Size, &parts[0], &parts[1], &b.reason)
		b.value, _ = new(big.Rat).SetString(parts[0] + "/" + parts[1]) // nil if unreadable, see Mend
		return b, err
	}, `SELECT b.id, torus, routing, "table", size, numerator, denominator, reason FROM bounds b JOIN problems p ON p.id = b.problem
		WHERE torus = ? AND size <= ?`, p.Torus, p.Size)
	return slices.DeleteFunc(list, func(b heldBound) bool { return b.value == nil || !c.refuted(b.problem, b.value, load) }), err
}

// loadsBelow returns the best records that, if they are right, refute a bound of a problem.
func (s *Store) loadsBelow(p Problem, bound *big.Rat) ([]entry, error) {
	ids, err := collect(s, func(scan func(...any) error) (int64, error) {
		var id int64
		var of Problem
		var parts [2]string
		if err := scan(&id, &of.Torus, &of.Routing, &of.Table, &of.Size, &parts[0], &parts[1]); err != nil {
			return 0, err
		}
		load, ok := new(big.Rat).SetString(parts[0] + "/" + parts[1])
		if !ok || bound.Cmp(load) <= 0 || !scopeOf(of).bounds(p) {
			return 0, nil
		}
		return id, nil
	}, `SELECT r.id, torus, routing, "table", size, numerator, denominator FROM problems p JOIN records r ON r.id = p.best
		WHERE torus = ? AND size >= ?`, p.Torus, p.Size)
	if err != nil {
		return nil, err
	}
	var list []entry
	for _, id := range ids {
		held, err := s.held(`WHERE r.id = ?`, id)
		if err != nil {
			return nil, err
		}
		for _, h := range held {
			if h.bad == "" {
				list = append(list, h.entry)
			}
		}
	}
	return list, nil
}
