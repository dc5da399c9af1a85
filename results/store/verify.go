package store

import "leeway/core"

// A Fault is a record of a store that is not right.
type Fault struct {
	Problem Problem
	Claim   string // claim_sha256
	Err     error
}

// Verify goes through the whole store: the database looks at itself, every record must be what its row says, and the
// best must be the best. Proofs are not repeated. It returns what is wrong with records, and as an error what kept it
// from going on, such as a *CorruptError.
func (s *Store) Verify() ([]Fault, error) {
	if err := s.sound("integrity_check(1)"); err != nil {
		return nil, fail(s.path, err)
	}
	if err := s.consistent(); err != nil {
		return nil, fail(s.path, err)
	}
	rows, err := collect(s.read, scanRow, rowQuery+` ORDER BY r.id`)
	var faults []Fault
	for _, r := range rows {
		if err := s.verifyRow(r); err != nil {
			faults = append(faults, Fault{Problem: r.problem, Claim: r.claim, Err: err})
		}
	}
	return faults, fail(s.path, err)
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
func (s *Store) verifyRow(r row) error {
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
	return nil
}
