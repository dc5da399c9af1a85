package store

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"

	"leeway/core"
	"leeway/results"
)

// A Fault is a record of a store that is not right.
type Fault struct {
	Problem Problem
	Claim   string // claim_sha256
	Err     error
}

// A row is a record as it stands in its table, with its problem.
type row struct {
	problem     Problem
	load, best  [2]sql.NullString // numerator and denominator: of the record, and of the best of the problem
	rank        int
	method      string
	seed        string
	evaluations int64
	claim       string
	evidence    string
	text        string
}

// Verify goes through the whole store: the database looks at itself, every record
// must be what its row says, the best must be the best, and check, if there is one, must have
// nothing to say against any record. It returns what is wrong with records, and as
// an error what kept it from going on: a *CorruptError, or the context's.
func (s *Store) Verify(ctx context.Context, check func(context.Context, results.Record) error) ([]Fault, error) {
	if err := s.sound("integrity_check(1)"); err != nil {
		return nil, fail(s.path, err)
	}
	if err := s.consistent(); err != nil {
		return nil, fail(s.path, err)
	}
	rows, err := s.read.QueryContext(ctx, `SELECT torus, routing, "table", size, r.numerator, r.denominator, b.numerator, b.denominator,
		r.rank, r.method, r.seed, r.evaluations, r.claim_sha256, r.evidence, r.json
		FROM records r JOIN problems p ON p.id = r.problem LEFT JOIN records b ON b.id = p.best ORDER BY r.id`)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), fail(s.path, err))
	}
	defer rows.Close()
	var faults []Fault
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.problem.Torus, &r.problem.Routing, &r.problem.Table, &r.problem.Size, &r.load[0], &r.load[1], &r.best[0], &r.best[1],
			&r.rank, &r.method, &r.seed, &r.evaluations, &r.claim, &r.evidence, &r.text); err != nil {
			return faults, fail(s.path, err)
		}
		if err := s.verifyRow(ctx, r, check); err != nil {
			faults = append(faults, Fault{Problem: r.problem, Claim: r.claim, Err: err})
		}
		if ctx.Err() != nil {
			return faults, ctx.Err()
		}
	}
	return faults, cmp.Or(ctx.Err(), fail(s.path, rows.Err()))
}

// consistent returns nil if every reference leads somewhere.
func (s *Store) consistent() error {
	var broken int
	err := s.read.QueryRow(`SELECT (SELECT count(*) FROM pragma_foreign_key_check) +
		(SELECT count(*) FROM problems p JOIN records r ON r.id = p.best WHERE r.problem != p.id) +
		(SELECT count(*) FROM problems p JOIN bounds b ON b.id = p.bound WHERE b.problem != p.id) +
		(SELECT count(*) FROM problems p JOIN records r ON r.problem = p.id WHERE p.best IS NULL)`).Scan(&broken)
	if err == nil && broken > 0 {
		err = s.damaged("%d references lead nowhere", broken)
	}
	return err
}

func (s *Store) verifyRow(ctx context.Context, r row, check func(context.Context, results.Record) error) error {
	record, err := results.ReadRecord([]byte(r.text))
	if err != nil {
		return err
	}
	e, err := newEntry(record)
	if err != nil {
		return err
	}
	load, err := s.fraction(r.load)
	if err != nil {
		return err
	}
	best, err := s.fraction(r.best)
	if err != nil {
		return err
	}
	switch {
	case e.problem != r.problem:
		return &core.InputError{Text: "record", Problem: "it belongs to another problem: " + e.problem.String()}
	case load.Cmp(e.load) != 0 || r.claim != record.ClaimSHA256 || r.evidence != e.evidence || r.rank != rank(record) || r.method != record.FoundBy.Method ||
		r.seed != strconv.FormatUint(record.FoundBy.Seed, 10) || r.evaluations != record.FoundBy.Evaluations:
		return &core.InputError{Text: "record", Problem: "it is not what its row says"}
	case best == nil || best.Cmp(load) > 0:
		return &core.InputError{Text: "record", Problem: "it is better than the one that counts as the best"}
	}
	if check == nil {
		return nil
	}
	return check(ctx, record)
}
