package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bound"
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
// A placement whose load was computed again refutes every lower bound above it, whatever proof the bound has: of its
// size and, where fewer processors load no link more, of smaller ones. What rested on a refuted bound goes with it:
// monotone proofs that name it, and the bounds, proofs and optima of records; their placements stay. Problems that are
// open again are searched again. Without a judge the first claim that came in stays.
func (s *Store) Heal(j Judge, tell func(Retraction)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.judge, s.tell, s.judged = j, tell, map[string]bool{}
}

// currentJudge returns the judge, nil if there is none.
func (s *Store) currentJudge() Judge {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.judge
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

// takeBack takes back claims in one transaction: do says which. Their problems get the best record
// and the largest bound that are left, and their finished runs begin anew.
func (s *Store) takeBack(do func(*sql.Tx) ([]Retraction, error)) error {
	var done []Retraction
	_, err := s.change(func(tx *sql.Tx) (_ bool, err error) {
		if done, err = do(tx); err != nil {
			return false, err
		}
		seen := map[Problem]bool{}
		for _, r := range done {
			if seen[r.Problem] {
				continue
			}
			seen[r.Problem] = true
			if err := point(tx, r.Problem); err != nil {
				return false, err
			}
			if err := reopen(tx, r.Problem); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if err == nil && s.tell != nil {
		for _, r := range done {
			s.tell(r)
		}
	}
	return err
}

// makeWay settles what contradicts a claim that comes in: a record, or a bound where record is nil. What is wrong in
// the store is taken back; if the claim is wrong the error is a *ConflictError. Without a judge it does nothing.
func (s *Store) makeWay(p Problem, load, lower *big.Rat, reason string, e *entry) error {
	if s.currentJudge() == nil {
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
		for _, rival := range rivals {
			if right, known := s.right(rival.Record); right || !known {
				return &ConflictError{Path: s.path, Problem: rival.problem, Load: rival.load, Bound: bound, Reason: reason}
			}
			if err := s.Mend(rival.problem); err != nil {
				return err
			}
		}
	}
}

// boundsAgainst returns the bounds that a load of a problem refutes.
func (s *Store) boundsAgainst(p Problem, load *big.Rat) ([]heldBound, error) {
	c := scopeOf(p)
	list, err := heldBounds(s.read, `torus = ? AND size <= ?`, p.Torus, p.Size)
	return slices.DeleteFunc(list, func(b heldBound) bool {
		return b.value == nil || !c.refuted(b.problem, b.value, load) // see Mend for what cannot be read
	}), fail(s.path, err)
}

// loadsBelow returns the best records that, if they are right, refute a bound of a problem.
func (s *Store) loadsBelow(p Problem, bound *big.Rat) ([]held, error) {
	ids, err := collect(s.read, func(scan func(...any) error) (id int64, err error) {
		var of Problem
		var parts [2]string
		err = scan(append(of.columns(), &id, &parts[0], &parts[1])...)
		if load := ratio(parts[0], parts[1]); load == nil || bound.Cmp(load) <= 0 || !scopeOf(of).bounds(p) {
			id = 0
		}
		return id, err
	}, `SELECT `+problemColumns+`, r.id, numerator, denominator FROM problems p JOIN records r ON r.id = p.best
		WHERE torus = ? AND size >= ?`, p.Torus, p.Size)
	var list []held
	for _, id := range ids {
		if id == 0 || err != nil {
			continue
		}
		var found []held
		found, err = s.held(`r.id = ?`, id)
		list = append(list, found...)
	}
	return slices.DeleteFunc(list, func(h held) bool { return h.bad != "" }), fail(s.path, err)
}

// A scope is the problems for which a load or a bound of one of them says something.
type scope struct {
	problem Problem
	twin    string // the routing with the other tie rule where that loads every link alike, else ""
	falls   bool   // loads can fall when a processor is added, or a placement less one may not be one of the problem
}

// scopeOf returns the scope of a problem.
func scopeOf(p Problem) scope {
	if p.Table != "" {
		return scope{problem: p}
	}
	parsed, err := objective.ParseProblem(p.Torus, p.Routing, 1)
	switch {
	case err != nil || parsed.Routing.DependsOnPlacement() || parsed.Near.Asked():
		return scope{problem: p, falls: true}
	case parsed.Free != nil:
		return scope{problem: p}
	}
	return scope{problem: p, twin: Twin(parsed.Torus(), p.Routing)}
}

// The endings of canonical routings.
const (
	tiePlus = ":tie=plus"
	tieBoth = ":tie=both"
)

// Twin returns the routing with the other tie rule where the two are one: nothing ties
// without a ring of an even side above 2. It is "" elsewhere.
func Twin(t *core.Torus, way string) string {
	if t.HasTies() {
		return ""
	}
	if name, ok := strings.CutSuffix(way, tiePlus); ok {
		return name + tieBoth
	}
	if name, ok := strings.CutSuffix(way, tieBoth); ok {
		return name + tiePlus
	}
	return ""
}

// bounds reports whether a load of the scope's problem bounds that of another one: a
// placement of it, less some processors, is one of the other.
func (c scope) bounds(p Problem) bool {
	return p.Torus == c.problem.Torus && p.Table == c.problem.Table &&
		(p.Routing == c.problem.Routing || c.twin != "" && p.Routing == c.twin) &&
		(p.Size == c.problem.Size || p.Size < c.problem.Size && !c.falls)
}

// refuted reports whether a load of the scope's problem shows that a bound of another is wrong.
func (c scope) refuted(p Problem, value, load *big.Rat) bool {
	return value.Cmp(load) > 0 && c.bounds(p)
}

// rests reports whether a proof about a problem rests on a bound that a load refutes.
func (c scope) rests(p Problem, proof *results.Proof, load *big.Rat) bool {
	basis, ok := Basis(p, proof)
	if !ok {
		return false
	}
	value, err := results.ParseFraction(proof.Below)
	return err == nil && c.refuted(basis, value, load)
}

// Basis returns the problem that a monotone proof about another one rests on; ok is false for other proofs.
func Basis(p Problem, proof *results.Proof) (basis Problem, ok bool) {
	if proof == nil || proof.Kind != results.ProofMonotone || proof.Size == nil {
		return p, false
	}
	p.Size, p.Routing, p.Torus = *proof.Size, cmp.Or(proof.Routing, p.Routing), cmp.Or(proof.Torus, p.Torus)
	return p, true
}

// restsUpper reports whether a load shows that the upper bound on the size in a record is wrong, or
// refutes what one of its proofs rests on.
func (c scope) restsUpper(e entry, load *big.Rat) bool {
	if e.UpperBound == nil || e.LoadLimit == nil {
		return false
	}
	for i := range e.UpperProofs {
		if c.rests(e.problem, &e.UpperProofs[i], load) {
			return true
		}
	}
	text, each := *e.LoadLimit, false
	if n := len(text); n > 0 && text[n-1] == 'n' {
		text, each = text[:n-1], true
	}
	limit, err := results.ParseFraction(text)
	if err != nil {
		return false
	}
	if each {
		limit = new(big.Rat).Mul(limit, big.NewRat(int64(c.problem.Size), 1))
	}
	p := e.problem
	p.Size = c.problem.Size
	return c.bounds(p) && c.problem.Size > *e.UpperBound && load.Cmp(limit) <= 0
}

// A held record is one as it stands in its table.
type held struct {
	entry
	row row
	bad string // why it cannot be what it should, "" if it can
}

// held reads the records that a condition picks.
func (s *Store) held(where string, args ...any) ([]held, error) {
	rows, err := collect(s.read, scanRow, rowQuery+` WHERE `+where+` ORDER BY r.id`, args...)
	list := make([]held, len(rows))
	for i, r := range rows {
		e, wrong := r.entry()
		list[i] = held{entry: e, row: r}
		if h := &list[i]; wrong != nil {
			h.bad, h.load = "it cannot be read: "+wrong.Error(), nil
		} else if e.problem != r.problem || !r.fits(e) {
			h.bad = "it is not what its row says"
		}
		list[i].problem = r.problem
	}
	return list, fail(s.path, err)
}

// Mend looks at all that the store holds of a problem and takes back what is wrong: rows that cannot be read or are not
// what their records say, a best placement whose load, computed again, is another, and bounds above the load of the
// best placement. Proofs are not repeated. It needs a judge, see Heal; without one it does nothing.
func (s *Store) Mend(p Problem) error {
	if s.currentJudge() == nil {
		return nil
	}
	records, err := s.held(isProblem, p.key()...)
	if err != nil {
		return err
	}
	slices.SortStableFunc(records, func(a, b held) int {
		if a.bad != "" || b.bad != "" {
			return strings.Compare(a.bad, b.bad) // unreadable ones last
		}
		return a.load.Cmp(b.load)
	})
	var best *big.Rat // known to be right
	for i := range records {
		h := &records[i]
		if h.bad != "" {
			break
		}
		if right, known := s.right(h.Record); right && known {
			best = h.load
			break
		} else if !known {
			break
		}
		h.bad = "recomputed, its placement has another load"
	}
	err = s.takeBack(func(tx *sql.Tx) (done []Retraction, err error) {
		for _, h := range records {
			if h.bad == "" {
				continue
			}
			if err := drop(tx, "records", h.row.id); err != nil {
				return nil, err
			}
			load := "that cannot be read"
			if h.load != nil {
				load = h.load.RatString()
			}
			done = append(done, Retraction{p, "a record with E_max " + load, h.bad})
		}
		unreadable, err := dropUnreadable(tx, p)
		if err != nil {
			return nil, err
		}
		return append(done, unreadable...), point(tx, p)
	})
	if err != nil || best == nil {
		return err
	}
	against, err := s.boundsAgainst(p, best)
	if err != nil || len(against) == 0 {
		return err
	}
	return s.refute(p, best)
}

// dropUnreadable drops the null results and bounds of a problem that cannot be read.
func dropUnreadable(tx *sql.Tx, p Problem) (done []Retraction, err error) {
	nulls, err := collect(tx, func(scan func(...any) error) (id int64, err error) {
		var seed, text string
		var budget results.Budget
		err = scan(&id, &seed, &text)
		if _, bad := strconv.ParseUint(seed, 10, 64); bad == nil && json.Unmarshal([]byte(text), &budget) == nil {
			id = 0
		}
		return id, err
	}, `SELECT id, seed, budget FROM nulls WHERE `+ofProblem, p.key()...)
	if err != nil {
		return nil, err
	}
	for _, id := range nulls {
		if id == 0 {
			continue
		}
		if _, err := tx.Exec(`DELETE FROM nulls WHERE id = ?`, id); err != nil {
			return nil, err
		}
		done = append(done, Retraction{p, "a null result", "it cannot be read"})
	}
	bounds, err := heldBounds(tx, isProblem, p.key()...)
	if err != nil {
		return nil, err
	}
	for _, b := range bounds {
		if _, err := readProof(b.proof); b.value != nil && err == nil {
			continue
		}
		if err := drop(tx, "bounds", b.id); err != nil {
			return nil, err
		}
		done = append(done, Retraction{p, "a lower bound", "it cannot be read"})
	}
	return done, nil
}

// drop deletes a row of records or bounds, and the references to it.
func drop(tx *sql.Tx, table string, id int64) error {
	column := map[string]string{"records": "best", "bounds": "bound"}[table]
	_, err := tx.Exec(`UPDATE problems SET `+column+` = NULL WHERE `+column+` = ?`, id)
	if err == nil {
		_, err = tx.Exec(`DELETE FROM `+table+` WHERE id = ?`, id)
	}
	return err
}

// point makes the best record and the largest bound of a problem those that count: of the smallest load that with the
// highest rank and then the smallest mean distance, of the largest value one with a proof, and of equals the first.
func point(tx *sql.Tx, p Problem) error {
	type candidate struct {
		id       int64
		value    *big.Rat
		rank     int
		distance *big.Rat
	}
	first := func(query string, sign int) (at sql.NullInt64, err error) {
		list, err := collect(tx, func(scan func(...any) error) (c candidate, err error) {
			var parts [2]string
			var distance sql.NullString
			err = scan(&c.id, &parts[0], &parts[1], &c.rank, &distance)
			c.value, c.distance = ratio(parts[0], parts[1]), distanceOf(distance)
			return c, err
		}, query, p.key()...)
		list = slices.DeleteFunc(list, func(c candidate) bool { return c.value == nil })
		if err != nil || len(list) == 0 {
			return at, err
		}
		c := slices.MinFunc(list, func(a, b candidate) int {
			return cmp.Or(sign*a.value.Cmp(b.value), b.rank-a.rank, compareDistance(a.distance, b.distance))
		})
		return sql.NullInt64{Int64: c.id, Valid: true}, nil
	}
	best, err := first(`SELECT r.id, r.numerator, r.denominator, r.rank, `+distanceColumn+`
		FROM records r JOIN problems p ON p.id = r.problem WHERE r.`+ofProblem+` ORDER BY r.id`, 1)
	if err != nil {
		return err
	}
	largest, err := first(`SELECT id, numerator, denominator, proof != '', NULL FROM bounds WHERE `+ofProblem+`
		ORDER BY id`, -1)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE problems SET best = ?, bound = ? WHERE `+isProblem+` AND (best IS NOT ? OR bound IS NOT ?)`,
		slices.Concat([]any{best, largest}, p.key(), []any{best, largest})...)
	return err
}

// reopen makes the finished runs of a problem begin anew: what they came to rested on a wrong claim.
func reopen(tx *sql.Tx, p Problem) error {
	ids, err := collect(tx, func(scan func(...any) error) (id int64, err error) {
		var key string
		var run Run
		if err = scan(&id, &key); json.Unmarshal([]byte(key), &run) != nil || run.Problem != p {
			id = 0
		}
		return id, err
	}, `SELECT id, key FROM runs WHERE finished IS NOT NULL`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if id == 0 {
			continue
		}
		if _, err := tx.Exec(`DELETE FROM runs WHERE id = ?`, id); err != nil {
			return err
		}
	}
	return nil
}

// refute takes back what a load of a problem, known to be right, shows to be wrong.
func (s *Store) refute(p Problem, load *big.Rat) error {
	c := scopeOf(p)
	why := fmt.Sprintf("a placement of %s with E_max %s, evaluated again, is below it", p, load.RatString())
	records, err := s.held(`torus = ?`, p.Torus)
	if err != nil {
		return err
	}
	return s.takeBack(func(tx *sql.Tx) (done []Retraction, err error) {
		bounds, err := heldBounds(tx, `torus = ?`, p.Torus)
		if err != nil {
			return nil, err
		}
		for _, b := range bounds {
			proof, err := readProof(b.proof)
			if err != nil || b.value == nil || !c.refuted(b.problem, b.value, load) && !c.rests(b.problem, proof, load) {
				continue
			}
			if err := drop(tx, "bounds", b.id); err != nil {
				return nil, err
			}
			what := fmt.Sprintf("the lower bound %s (%s)", b.value.RatString(), b.reason)
			done = append(done, Retraction{b.problem, what, why})
		}
		for _, h := range records {
			if h.bad != "" {
				continue
			}
			whole := c.refuted(h.problem, h.lower, load) || c.rests(h.problem, h.Proof, load) ||
				c.rests(h.problem, h.BoundProof, load)
			upper := c.restsUpper(h.entry, load)
			if !whole && !upper {
				continue
			}
			left := h.Record
			what := fmt.Sprintf("the upper bound on the size in the record with E_max %s", h.MaxLoad)
			if whole {
				what = fmt.Sprintf("what the record with E_max %s says of others (%s, at least %s)",
					h.MaxLoad, h.Status, h.LowerBound)
				left = stripped(left)
			}
			if upper {
				left.LoadLimit, left.UpperBound, left.UpperProofs = nil, nil, nil
			}
			if err := replaceRecord(tx, h.row, left); err != nil {
				return nil, err
			}
			done = append(done, Retraction{h.problem, what, why})
		}
		return done, nil
	})
}

// stripped returns a record with its placement and a bound in closed form, without all else that it says.
func stripped(r results.Record) results.Record {
	r.Status, r.Proof, r.BoundProof, r.SolverClaim = results.StatusFeasible, nil, nil, nil
	r.Optima, r.Orbits, r.Labelled, r.OptimaOrbits = nil, nil, nil, nil
	r.LowerBound, r.BoundReason = "0", "none: the bound of this record was taken back"
	p, err := r.Problem()
	if err != nil || p.Torus().M() > maxStripLinks {
		return r
	}
	load, err := results.ParseFraction(r.MaxLoad)
	if b := bound.OfProblem(p); err == nil && b.Value != nil && b.Value.Cmp(load) <= 0 {
		r.LowerBound, r.BoundReason = results.FormatFraction(b.Value), b.Reason()
	}
	return r
}

// maxStripLinks is the largest torus for which bounds in closed form are derived while a record is changed.
const maxStripLinks = 1 << 18

// replaceRecord puts a record in the place of one; it goes away if the store holds the same already.
func replaceRecord(tx *sql.Tx, old row, r results.Record) error {
	e, err := newEntry(r)
	if err != nil {
		return err
	}
	text, err := r.Encode()
	if err != nil {
		return err
	}
	done, err := tx.Exec(`UPDATE OR IGNORE records SET rank = ?, evidence = ?, json = ? WHERE id = ? AND json = ?`,
		rank(r), e.evidence, string(text), old.id, old.text)
	if err != nil {
		return err
	}
	if rows, err := done.RowsAffected(); err != nil {
		return err
	} else if rows == 0 {
		return drop(tx, "records", old.id)
	}
	_, err = tx.Exec(`INSERT OR IGNORE INTO bounds (problem, numerator, denominator, reason, proof, added)
		SELECT problem, ?, ?, ?, '', ? FROM records WHERE id = ?`,
		e.lower.Num().String(), e.lower.Denom().String(), r.BoundReason, now(), old.id)
	return err
}

// judgeRivals has the proofs judged that other records of the load of a new one have, and takes
// back those that are wrong: a true proof must not stand behind a false one. If there are any, the
// proofs of other problems that rest on this one are judged too, for which all records of the torus are read.
func (s *Store) judgeRivals(e entry) error {
	judge := s.currentJudge()
	if judge == nil {
		return nil
	}
	wrong := func(where string, args []any, wanted func(h held) bool) ([]held, error) {
		list, err := s.held(where, args...)
		return slices.DeleteFunc(list, func(h held) bool {
			if h.bad != "" || !wanted(h) {
				return true
			}
			right, known := judge.Record(h.Record)
			return right || !known
		}), err
	}
	list, err := wrong(isProblem+` AND r.evidence NOT IN ('', ?)`, append(e.problem.key(), e.evidence), func(h held) bool {
		return h.Proof != nil && h.load.Cmp(e.load) == 0
	})
	if err != nil || len(list) == 0 {
		return err
	}
	more, err := wrong(`torus = ?`, []any{e.problem.Torus}, func(h held) bool {
		one, ok := Basis(h.problem, h.Proof)
		two, also := Basis(h.problem, h.BoundProof)
		return ok && one == e.problem || also && two == e.problem
	})
	if err != nil {
		return err
	}
	return s.takeBack(func(tx *sql.Tx) (done []Retraction, err error) {
		for _, h := range append(list, more...) {
			for _, p := range []*results.Proof{h.Proof, h.BoundProof} {
				if err := dropProof(tx, h.problem, p); err != nil {
					return nil, err
				}
			}
			if err := replaceRecord(tx, h.row, stripped(h.Record)); err != nil {
				return nil, err
			}
			what := fmt.Sprintf("the proof that none is below %s (%s)", h.LowerBound, h.BoundReason)
			done = append(done, Retraction{h.problem, what, "it does not prove that"})
		}
		return done, nil
	})
}

// dropProof drops the bounds of a problem with a proof.
func dropProof(tx *sql.Tx, p Problem, proof *results.Proof) error {
	text, err := proofText(proof)
	if err != nil || text == "" {
		return err
	}
	if _, err := tx.Exec(`UPDATE problems SET bound = NULL WHERE `+isProblem, p.key()...); err != nil {
		return err
	}
	_, err = tx.Exec(`DELETE FROM bounds WHERE `+ofProblem+` AND proof = ?`, append(p.key(), text)...)
	return err
}
