package store

import (
	"cmp"
	"context"

	"leeway/core"
	"leeway/results"
)

// A Fault is a record of a store that is not right.
type Fault struct {
	Problem Problem
	Claim   string // claim_sha256
	Err     error
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
	rows, err := s.read.QueryContext(ctx, rowQuery+` ORDER BY r.id`)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), fail(s.path, err))
	}
	defer rows.Close()
	var faults []Fault
	for rows.Next() {
		r, err := scanRow(rows.Scan)
		if err != nil {
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

// verifyRow says what is wrong with a record, nil if nothing is.
func (s *Store) verifyRow(ctx context.Context, r row, check func(context.Context, results.Record) error) error {
	e, err := r.entry()
	if err != nil {
		return err
	}
	if _, err := s.fraction(r.load); err != nil {
		return err
	}
	best, err := s.fraction(r.best)
	if err != nil {
		return err
	}
	switch {
	case e.problem != r.problem:
		return &core.InputError{Text: "record", Problem: "it belongs to another problem: " + e.problem.String()}
	case !r.fits(e):
		return &core.InputError{Text: "record", Problem: "it is not what its row says"}
	case best == nil || best.Cmp(e.load) > 0:
		return &core.InputError{Text: "record", Problem: "it is better than the one that counts as the best"}
	}
	if check == nil {
		return nil
	}
	return check(ctx, e.Record)
}
