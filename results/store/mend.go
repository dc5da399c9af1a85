package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
)

// A heldRecord is a record as it stands in its table.
type heldRecord struct {
	entry
	id   int64
	text string
	rank int
	bad  string // why it cannot be what it should, "" if it can
}

// Mend looks at all that the store holds of a problem and takes back what is wrong: rows that
// cannot be read or are not what their records say, a best placement whose load, computed
// again, is another, and bounds above the load of the best placement. Proofs are not
// repeated. It needs a judge, see Heal; without one it does nothing.
func (s *Store) Mend(p Problem) error {
	s.mu.Lock()
	judge := s.judge
	s.mu.Unlock()
	if judge == nil {
		return nil
	}
	records, err := s.held(`WHERE p.torus = ? AND p.routing = ? AND p."table" = ? AND p.size = ?`, p.key()...)
	if err != nil {
		return err
	}
	var best *heldRecord
	slices.SortStableFunc(records, func(a, b heldRecord) int {
		if a.bad != "" || b.bad != "" {
			return strings.Compare(a.bad, b.bad) // unreadable ones last
		}
		return a.load.Cmp(b.load)
	})
	sure := false
	for i := range records {
		h := &records[i]
		if h.bad != "" || best != nil {
			continue
		}
		right, known := s.right(h.Record)
		if known && !right {
			h.bad = "recomputed, its placement has another load"
			continue
		}
		best, sure = h, known
	}
	var done []Retraction
	_, err = s.change(func(tx *sql.Tx) (bool, error) {
		for _, h := range records {
			if h.bad == "" {
				continue
			}
			if err := drop(tx, "records", h.id); err != nil {
				return false, err
			}
			done = append(done, Retraction{p, "a record with E_max " + shown(h.load), h.bad})
		}
		faults, err := dropUnreadable(tx, p)
		if err != nil {
			return false, err
		}
		done = append(done, faults...)
		if len(done) > 0 {
			if err := reopen(tx, p); err != nil {
				return false, err
			}
		}
		return len(done) > 0, point(tx, p)
	})
	if err != nil {
		return err
	}
	s.report(done)
	if best == nil || !sure {
		return nil
	}
	against, err := s.boundsAgainst(p, best.load)
	if err != nil || len(against) == 0 {
		return err
	}
	return s.refute(p, best.load)
}

func shown(load *big.Rat) string {
	if load == nil {
		return "that cannot be read"
	}
	return load.RatString()
}

// held reads records as they stand.
func (s *Store) held(where string, args ...any) ([]heldRecord, error) {
	return collect(s, func(scan func(...any) error) (heldRecord, error) {
		var h heldRecord
		var p Problem
		var parts [2]string
		var claim, proof, method, seed string
		var evaluations int64
		var interim bool
		if err := scan(&h.id, &p.Torus, &p.Routing, &p.Table, &p.Size, &parts[0], &parts[1], &h.rank, &claim, &proof, &method, &seed, &evaluations,
			&interim, &h.text); err != nil {
			return h, err
		}
		r, err := results.ReadRecord([]byte(h.text))
		if err == nil {
			h.entry, err = newEntry(r)
		}
		h.interim = interim
		if err != nil {
			h.bad, h.load = "it cannot be read: "+err.Error(), nil
			h.problem = p
			return h, nil
		}
		load, ok := new(big.Rat).SetString(parts[0] + "/" + parts[1])
		if h.problem != p || !ok || load.Cmp(h.load) != 0 || claim != r.ClaimSHA256 || proof != h.evidence || h.rank != rank(r) ||
			method != r.FoundBy.Method || seed != strconv.FormatUint(r.FoundBy.Seed, 10) || evaluations != r.FoundBy.Evaluations {
			h.bad = "it is not what its row says"
		}
		h.problem = p
		return h, nil
	}, `SELECT r.id, torus, routing, "table", size, numerator, denominator, rank, claim_sha256, evidence, method, seed, evaluations, interim, json
		FROM records r JOIN problems p ON p.id = r.problem `+where+` ORDER BY r.id`, args...)
}

// dropNulls drops the null results of a problem that cannot be read.
func dropNulls(tx *sql.Tx, p Problem) (done []Retraction, err error) {
	rows, err := tx.Query(`SELECT id, seed, budget FROM nulls WHERE problem = (SELECT id FROM problems WHERE `+isProblem+`)`, p.key()...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var bad []int64
	for rows.Next() {
		var id int64
		var seed, text string
		if err := rows.Scan(&id, &seed, &text); err != nil {
			return nil, err
		}
		var budget results.Budget
		if _, err := strconv.ParseUint(seed, 10, 64); err != nil || json.Unmarshal([]byte(text), &budget) != nil {
			bad = append(bad, id)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, id := range bad {
		if _, err := tx.Exec(`DELETE FROM nulls WHERE id = ?`, id); err != nil {
			return nil, err
		}
		done = append(done, Retraction{p, "a null result", "it cannot be read"})
	}
	return done, nil
}

// dropUnreadable drops the bounds and null results of a problem that cannot be read.
func dropUnreadable(tx *sql.Tx, p Problem) ([]Retraction, error) {
	rows, err := tx.Query(`SELECT id, numerator, denominator, proof FROM bounds WHERE problem = (SELECT id FROM problems WHERE `+isProblem+`)`, p.key()...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var bad []int64
	for rows.Next() {
		var id int64
		var parts [2]string
		var text string
		if err := rows.Scan(&id, &parts[0], &parts[1], &text); err != nil {
			return nil, err
		}
		var proof *results.Proof
		if _, ok := new(big.Rat).SetString(parts[0] + "/" + parts[1]); !ok || text != "" && json.Unmarshal([]byte(text), &proof) != nil {
			bad = append(bad, id)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	done, err := dropNulls(tx, p)
	if err != nil {
		return nil, err
	}
	for _, id := range bad {
		if err := drop(tx, "bounds", id); err != nil {
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

// point makes the best record and the largest bound of a problem those that count: of the
// smallest load that with the highest rank, of the largest value one with a proof, and
// of equals the first.
func point(tx *sql.Tx, p Problem) error {
	best, err := first(tx, `SELECT id, numerator, denominator, rank FROM records`, p, func(a, b *big.Rat) bool { return a.Cmp(b) < 0 })
	if err != nil {
		return err
	}
	largest, err := first(tx, `SELECT id, numerator, denominator, proof != '' FROM bounds`, p, func(a, b *big.Rat) bool { return a.Cmp(b) > 0 })
	if err == nil {
		_, err = tx.Exec(`UPDATE problems SET best = ?, bound = ? WHERE `+isProblem+` AND (best IS NOT ? OR bound IS NOT ?)`,
			slices.Concat([]any{best, largest}, p.key(), []any{best, largest})...)
	}
	return err
}

// first returns the row of a problem whose value is before those of the others, null if there is none.
func first(tx *sql.Tx, query string, p Problem, before func(a, b *big.Rat) bool) (at sql.NullInt64, err error) {
	rows, err := tx.Query(query+` WHERE problem = (SELECT id FROM problems WHERE `+isProblem+`) ORDER BY id`, p.key()...)
	if err != nil {
		return at, err
	}
	defer rows.Close()
	var value *big.Rat
	var rank int64
	for rows.Next() {
		var id, r int64
		var parts [2]string
		if err := rows.Scan(&id, &parts[0], &parts[1], &r); err != nil {
			return at, err
		}
		v, ok := new(big.Rat).SetString(parts[0] + "/" + parts[1])
		if ok && (value == nil || before(v, value) || v.Cmp(value) == 0 && r > rank) {
			at, value, rank = sql.NullInt64{Int64: id, Valid: true}, v, r
		}
	}
	return at, rows.Err()
}

// reopen makes the finished runs of a problem begin anew: what they came to rested on a wrong
// claim.
func reopen(tx *sql.Tx, p Problem) error {
	rows, err := tx.Query(`SELECT id, key FROM runs WHERE finished IS NOT NULL`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		var key string
		if err := rows.Scan(&id, &key); err != nil {
			return err
		}
		var run Run
		if json.Unmarshal([]byte(key), &run) == nil && run.Problem == p {
			ids = append(ids, id)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, id := range ids {
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
	records, err := s.held(`WHERE p.torus = ?`, p.Torus)
	if err != nil {
		return err
	}
	var done []Retraction
	_, err = s.change(func(tx *sql.Tx) (bool, error) {
		done = nil
		changed, err := dropBounds(tx, c, load, why, &done)
		if err != nil {
			return false, err
		}
		for _, h := range records {
			if h.bad != "" {
				continue
			}
			whole := c.refuted(h.problem, h.lower, load) || c.rests(h.problem, h.Proof, load) || c.rests(h.problem, h.BoundProof, load)
			upper := c.restsUpper(h.entry, load)
			if !whole && !upper {
				continue
			}
			stripped := h.Record
			what := fmt.Sprintf("the upper bound on the size in the record with E_max %s", h.MaxLoad)
			if whole {
				what = fmt.Sprintf("what the record with E_max %s says of others (%s, at least %s)", h.MaxLoad, h.Status, h.LowerBound)
				strip(&stripped)
			}
			if upper {
				stripped.LoadLimit, stripped.UpperBound, stripped.UpperProofs = nil, nil, nil
			}
			if err := replaceRecord(tx, h, stripped); err != nil {
				return false, err
			}
			done = append(done, Retraction{h.problem, what, why})
			changed = append(changed, h.problem)
		}
		return true, repoint(tx, changed)
	})
	if err == nil {
		s.report(done)
	}
	return err
}

// repoint sets best and bound of problems again, and has them searched again.
func repoint(tx *sql.Tx, changed []Problem) error {
	seen := map[Problem]bool{}
	for _, p := range changed {
		if seen[p] {
			continue
		}
		seen[p] = true
		if err := point(tx, p); err != nil {
			return err
		}
		if err := reopen(tx, p); err != nil {
			return err
		}
	}
	return nil
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

// dropBounds drops the bounds of a torus that a load refutes, and those that rest on them, and
// returns their problems.
func dropBounds(tx *sql.Tx, c scope, load *big.Rat, why string, done *[]Retraction) (changed []Problem, err error) {
	rows, err := tx.Query(`SELECT b.id, torus, routing, "table", size, numerator, denominator, reason, proof FROM bounds b JOIN problems p ON p.id = b.problem
		WHERE torus = ?`, c.problem.Torus)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		var p Problem
		var parts [2]string
		var reason, text string
		if err := rows.Scan(&id, &p.Torus, &p.Routing, &p.Table, &p.Size, &parts[0], &parts[1], &reason, &text); err != nil {
			return nil, err
		}
		value, ok := new(big.Rat).SetString(parts[0] + "/" + parts[1])
		var proof *results.Proof
		if !ok || text != "" && json.Unmarshal([]byte(text), &proof) != nil || !c.refuted(p, value, load) && !c.rests(p, proof, load) {
			continue
		}
		ids, changed = append(ids, id), append(changed, p)
		*done = append(*done, Retraction{p, fmt.Sprintf("the lower bound %s (%s)", value.RatString(), reason), why})
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := drop(tx, "bounds", id); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// strip leaves of a record its placement, with a bound in closed form.
func strip(r *results.Record) {
	r.Status, r.Proof, r.BoundProof, r.SolverClaim = results.StatusFeasible, nil, nil, nil
	r.Optima, r.Orbits, r.Labelled = nil, nil, nil
	r.LowerBound, r.BoundReason = "0", "none: the bound of this record was taken back"
	t, err := core.NewTorus(r.Torus...)
	if err != nil || t.M() > maxStripLinks {
		return
	}
	p := objective.Problem{Size: r.Size}
	if f, free, err := routing.ParseFree(r.RoutingChoice); free && err == nil {
		p = objective.FreeProblem(t, f).At(r.Size)
	} else if p.Routing, err = r.ReadRouting(t); err != nil {
		return
	}
	load, err := results.ParseFraction(r.MaxLoad)
	if b := bound.OfProblem(p); err == nil && b.Value != nil && b.Value.Cmp(load) <= 0 {
		r.LowerBound, r.BoundReason = results.FormatFraction(b.Value), b.Reason()
	}
}

// maxStripLinks is the largest torus for which bounds in closed form are derived while a record is
// changed.
const maxStripLinks = 1 << 18

// replaceRecord puts a record in the place of one; it goes away if the store holds the same
// already.
func replaceRecord(tx *sql.Tx, h heldRecord, r results.Record) error {
	e, err := newEntry(r)
	if err != nil {
		return err
	}
	text, err := r.Encode()
	if err != nil {
		return err
	}
	done, err := tx.Exec(`UPDATE OR IGNORE records SET rank = ?, evidence = ?, json = ? WHERE id = ? AND json = ?`, rank(r), e.evidence, string(text), h.id, h.text)
	if err != nil {
		return err
	}
	if rows, err := done.RowsAffected(); err != nil || rows > 0 {
		if err == nil {
			_, err = tx.Exec(`INSERT OR IGNORE INTO bounds (problem, numerator, denominator, reason, proof, added)
				SELECT problem, ?, ?, ?, '', ? FROM records WHERE id = ?`, e.lower.Num().String(), e.lower.Denom().String(), r.BoundReason, now(), h.id)
		}
		return err
	}
	return drop(tx, "records", h.id)
}

// judgeRivals has the proofs judged that other records of the load of a new one have, and takes
// back those that are wrong: a true proof must not stand behind a false one. If there are any, the
// proofs of other problems that name this one are judged too.
func (s *Store) judgeRivals(e entry) error {
	s.mu.Lock()
	judge := s.judge
	s.mu.Unlock()
	if judge == nil {
		return nil
	}
	records, err := s.held(`WHERE p.torus = ?`, e.problem.Torus)
	if err != nil {
		return err
	}
	var wrong []heldRecord
	pick := func(wanted func(h heldRecord) bool) {
		for _, h := range records {
			if h.bad == "" && wanted(h) {
				if right, known := judge.Record(h.Record); known && !right {
					wrong = append(wrong, h)
				}
			}
		}
	}
	pick(func(h heldRecord) bool {
		return h.problem == e.problem && h.Proof != nil && h.evidence != e.evidence && h.load.Cmp(e.load) == 0
	})
	if len(wrong) == 0 {
		return nil
	}
	pick(func(h heldRecord) bool {
		return names(h.problem, h.Proof, e.problem) || names(h.problem, h.BoundProof, e.problem)
	})
	var done []Retraction
	_, err = s.change(func(tx *sql.Tx) (bool, error) {
		done = nil
		var changed []Problem
		for _, h := range wrong {
			stripped := h.Record
			strip(&stripped)
			if err := dropProofs(tx, h); err != nil {
				return false, err
			}
			if err := replaceRecord(tx, h, stripped); err != nil {
				return false, err
			}
			changed = append(changed, h.problem)
			done = append(done, Retraction{h.problem, fmt.Sprintf("the proof that none is below %s (%s)", h.LowerBound, h.BoundReason), "it does not prove that"})
		}
		return true, repoint(tx, changed)
	})
	if err == nil {
		s.report(done)
	}
	return err
}

// names reports whether a proof in a record of a problem is one about another problem.
func names(of Problem, proof *results.Proof, other Problem) bool {
	if proof == nil || proof.Kind != results.ProofMonotone || proof.Size == nil {
		return false
	}
	of.Size = *proof.Size
	if proof.Routing != "" {
		of.Routing = proof.Routing
	}
	return of == other
}

// dropProofs drops the bounds of a problem with the proofs of a record.
func dropProofs(tx *sql.Tx, h heldRecord) error {
	for _, p := range []*results.Proof{h.Proof, h.BoundProof} {
		text, err := proofText(p)
		if err != nil || text == "" {
			continue
		}
		if _, err := tx.Exec(`UPDATE problems SET bound = NULL WHERE `+isProblem, h.problem.key()...); err != nil {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM bounds WHERE problem = (SELECT id FROM problems WHERE `+isProblem+`) AND proof = ?`,
			append(h.problem.key(), text)...); err != nil {
			return err
		}
	}
	return nil
}
