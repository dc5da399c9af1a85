package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"strconv"

	"leeway/results"
)

// A Null is a search that found nothing better than what was known.
type Null struct {
	Goal        string // as in Run
	Method      string
	Seed        uint64
	Budget      results.Budget
	Evaluations int64
	Best        string // the smallest E_max seen, fraction; "" if nothing was evaluated
	Added       string // RFC 3339, UTC; set by the store if it is ""
}

// AddNull keeps a null result, once.
func (s *Store) AddNull(p Problem, n Null) error {
	_, err := s.change(func(tx *sql.Tx) (bool, error) { return false, insertNull(tx, p, n) })
	return err
}

func insertNull(tx *sql.Tx, p Problem, n Null) error {
	if n.Best != "" {
		if _, err := results.ParseFraction(n.Best); err != nil {
			return err
		}
	}
	budget, err := json.Marshal(n.Budget)
	if err != nil {
		return err
	}
	id, err := insertProblem(tx, p)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT OR IGNORE INTO nulls (problem, goal, method, seed, budget, evaluations, best, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		id, n.Goal, n.Method, strconv.FormatUint(n.Seed, 10), string(budget), n.Evaluations, n.Best, cmp.Or(n.Added, now()))
	return err
}

// Nulls returns the null results of a problem in the order in which they came.
func (s *Store) Nulls(p Problem) ([]Null, error) {
	return collect(s, func(scan func(...any) error) (Null, error) {
		var n Null
		var seed, budget string
		if err := scan(&n.Goal, &n.Method, &seed, &budget, &n.Evaluations, &n.Best, &n.Added); err != nil {
			return n, err
		}
		var err error
		if n.Seed, err = strconv.ParseUint(seed, 10, 64); err == nil {
			err = json.Unmarshal([]byte(budget), &n.Budget)
		}
		if err != nil {
			err = s.damaged("a null result cannot be read: %v", err)
		}
		return n, err
	}, `SELECT goal, method, seed, budget, evaluations, best, added FROM nulls
		WHERE problem = (SELECT id FROM problems WHERE `+isProblem+`) ORDER BY id`, p.key()...)
}
