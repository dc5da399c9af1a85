package store

import (
	"leeway/core"
	"leeway/objective/texts"
)

// A Fault is what is not right about a problem of a store, or about one of its records.
type Fault struct {
	Problem texts.Key
	Claim   string // claim_sha256 of the record, "" for the problem
	Err     error
}

// Verify goes through the whole store: the database looks at itself, every record must be what its row says, and the
// best must be the best. Proofs are not repeated. It returns what is wrong with problems and records, and as an error
// what kept it from going on, such as a *CorruptError.
func (s *Store) Verify() ([]Fault, error) {
	if err := s.sound("integrity_check(1)"); err != nil {
		return nil, fail(s.path, err)
	}
	faults, err := collect(s.read, func(scan func(...any) error) (Fault, error) {
		var p texts.Key
		err := scan(columns(&p)...)
		return Fault{Problem: p, Err: core.Invalid("problem", "its best record or its bound belongs to another problem")}, err
	}, strayQuery)
	if err != nil {
		return nil, fail(s.path, err)
	}
	rows, err := collect(s.read, scanRow, rowQuery+` ORDER BY r.id`)
	for _, r := range rows {
		if err := s.verifyRow(r); err != nil {
			faults = append(faults, Fault{Problem: r.problem, Claim: r.claim, Err: err})
		}
	}
	return faults, fail(s.path, err)
}

// strayQuery selects the problems that refer to a record or bound that is not theirs, and those that have records of
// which none is the best.
const strayQuery = `SELECT ` + problemColumns + ` FROM problems p
	LEFT JOIN records r ON r.id = p.best LEFT JOIN bounds b ON b.id = p.bound
	WHERE p.best IS NOT NULL AND r.problem IS NOT p.id OR p.bound IS NOT NULL AND b.problem IS NOT p.id
	OR p.best IS NULL AND EXISTS (SELECT 1 FROM records x WHERE x.problem = p.id)`

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
		return core.Invalid("record", "it belongs to another problem: %s", e.problem.String())
	case !r.fits(e):
		return core.Invalid("record", "it is not what its row says")
	case best == nil || best.Cmp(e.load) > 0:
		return core.Invalid("record", "it is better than the one that counts as the best")
	}
	return nil
}
