package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"math/big"

	"leeway/core"
	"leeway/objective/texts"
	"leeway/results"
)

// A Bound says that no placement of a problem has a smaller E_max than Value.
type Bound struct {
	Value  *big.Rat
	Reason string         // as in the field bound_reason of a record
	Proof  *results.Proof // nil where a bound that can be derived again gives it
}

// AddBound takes in a lower bound that the caller has verified. It is kept if it is
// larger than the largest, or has a proof that the store does not hold. Errors
// besides those of all methods: *core.InputError without a value, *ConflictError.
func (s *Store) AddBound(p texts.Key, b Bound) error {
	if b.Value == nil {
		return core.Invalid("bound", "it has no value")
	}
	_, err := s.change(func(tx *sql.Tx) (bool, error) {
		know, err := s.stand(tx, p)
		if err != nil {
			return false, err
		}
		return false, s.insertBound(tx, p, know, b, nil)
	})
	return err
}

// insertBound keeps a bound if it says something new, and sees that bounds and
// loads agree; load is that of a record that comes with the bound, or nil.
func (s *Store) insertBound(tx *sql.Tx, p texts.Key, know standing, b Bound, load *big.Rat) error {
	if load != nil && know.bound != nil && know.bound.Cmp(load) > 0 {
		return &ConflictError{Path: s.path, Problem: p, Load: load, Bound: know.bound, Reason: know.reason}
	}
	if know.best != nil && b.Value.Cmp(know.best) > 0 {
		return &ConflictError{Path: s.path, Problem: p, Load: know.best, Bound: b.Value, Reason: b.Reason}
	}
	larger := know.bound == nil || b.Value.Cmp(know.bound) > 0
	if !larger && b.Proof == nil {
		return nil
	}
	proof, err := proofText(b.Proof)
	if err != nil {
		return err
	}
	done, err := tx.Exec(`INSERT OR IGNORE INTO bounds (problem, numerator, denominator, reason, proof, added)
		VALUES (?, ?, ?, ?, ?, ?)`, know.id, b.Value.Num().String(), b.Value.Denom().String(), b.Reason, proof, now())
	if err != nil {
		return err
	}
	rows, err := done.RowsAffected()
	if err != nil || rows == 0 || !larger && (know.boundProof || b.Value.Cmp(know.bound) < 0) {
		return err
	}
	id, err := done.LastInsertId()
	if err == nil {
		_, err = tx.Exec(`UPDATE problems SET bound = ? WHERE id = ?`, id, know.id)
	}
	return err
}

// proofText returns a proof as JSON, "" for none.
func proofText(p *results.Proof) (string, error) {
	if p == nil {
		return "", nil
	}
	text, err := json.Marshal(p)
	return string(text), err
}

// readProof is the reverse of proofText.
func readProof(text string) (p *results.Proof, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &p)
	}
	return p, err
}

// Bound returns the largest lower bound of a problem, those of its records among
// them, and of the same value one with a proof; ok is false if there is none.
func (s *Store) Bound(p texts.Key) (b Bound, ok bool, err error) {
	var parts [2]sql.NullString
	var proof string
	err = s.read.QueryRow(`SELECT numerator, denominator, reason, proof FROM bounds
		WHERE id = (SELECT bound FROM problems WHERE `+isProblem+`)`, values(p)...).
		Scan(&parts[0], &parts[1], &b.Reason, &proof)
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	if err == nil {
		b.Value, err = s.fraction(parts)
	}
	if err == nil {
		if b.Proof, err = readProof(proof); err != nil {
			err = s.damaged("a proof cannot be read")
		}
	}
	return b, err == nil, fail(s.path, err)
}
