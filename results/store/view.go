package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"leeway/objective/texts"
)

// A Standing is what a store knows of a problem, as it stands there: nothing in it has been looked at.
type Standing struct {
	Problem texts.Key
	Stamp   string // differs after every change of record or bound
	Record  []byte // the JSON of the best record; nil where there is none, or if it was not wanted
	Bound   *Bound // the largest lower bound, without its proof; nil where there is none
	Fault   string // why the bound cannot be read; "" if it can
}

// Standings yields what is known of every problem, ordered by the texts of torus
// and routing and then by size, all at one moment. Records are read only of the problems that
// want picks by their stamp; nil picks all. An error is the last that it yields.
func (s *Store) Standings(want func(p texts.Key, stamp string) bool) iter.Seq2[Standing, error] {
	return func(yield func(Standing, error) bool) {
		tx, err := s.read.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
		if err != nil {
			yield(Standing{}, fail(s.path, err))
			return
		}
		defer tx.Rollback() // nothing was changed
		record, err := tx.Prepare(`SELECT json FROM records WHERE id = ?`)
		if err != nil {
			yield(Standing{}, fail(s.path, err))
			return
		}
		defer record.Close()
		rows, err := tx.Query(`SELECT ` + problemColumns + `, r.id, r.claim_sha256 || r.evidence,
			b.id, b.numerator, b.denominator, b.reason FROM problems
			LEFT JOIN records r ON r.id = best LEFT JOIN bounds b ON b.id = bound ORDER BY ` + problemColumns)
		if err != nil {
			yield(Standing{}, fail(s.path, err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			st, err := s.standing(rows, record, want)
			if !yield(st, fail(s.path, err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Standing{}, fail(s.path, err))
		}
	}
}

// standing reads a row.
func (s *Store) standing(rows *sql.Rows, record *sql.Stmt, want func(texts.Key, string) bool) (Standing, error) {
	var st Standing
	var best, bound sql.NullInt64
	var claim, reason sql.NullString
	var parts [2]sql.NullString
	err := rows.Scan(append(columns(&st.Problem), &best, &claim, &bound, &parts[0], &parts[1], &reason)...)
	if err != nil {
		return st, err
	}
	st.Stamp = fmt.Sprint(best.Int64, claim.String, bound.Int64)
	value, err := s.fraction(parts)
	if err != nil {
		st.Fault, err = "a lower bound cannot be read: "+err.Error(), nil
	}
	if value != nil {
		st.Bound = &Bound{Value: value, Reason: reason.String}
	}
	if best.Valid && (want == nil || want(st.Problem, st.Stamp)) {
		err = record.QueryRow(best.Int64).Scan(&st.Record)
	}
	return st, err
}
