package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"

	"leeway/core"
	"leeway/objective/texts"
	"leeway/results"
)

// A Run is a search by which it is known again: two are the same if all fields are.
type Run struct {
	Problem texts.Key
	Goal    string // what is asked for if not the smallest E_max of the size: "max-load 5/2"
	Seed    uint64
	Budget  results.Budget
	Methods []string
	Then    string `json:",omitempty"` // results.ThenDistance or ""
}

// A Stopped is a run that can go on.
type Stopped struct {
	Run     Run
	Started string // RFC 3339, UTC; "" for a run that was planned and has not begun
	Updated string // likewise
}

// A runText is the JSON of a run, with the names of fields that it always had.
type runText struct {
	Problem runProblem
	Run
}

// A runProblem is an texts.Key in a runText.
type runProblem struct {
	Torus   string
	Routing string
	Table   string `json:",omitempty"`
	Size    int
}

// readRun returns the run that key has written.
func (s *Store) readRun(key string) (Run, error) {
	var text runText
	if json.Unmarshal([]byte(key), &text) != nil {
		return Run{}, s.damaged("a run cannot be read")
	}
	text.Run.Problem = texts.Key(text.Problem)
	return text.Run, nil
}

// key returns the text by which a run is found, from which it can be read again.
func (r Run) key() string {
	if r.Methods == nil {
		r.Methods = []string{} // the same run as with an empty list
	}
	text, err := json.Marshal(runText{runProblem(r.Problem), r})
	if err != nil {
		panic("store: numbers and text always encode")
	}
	return string(text)
}

// Plan notes runs that are to come, in their order, so that Unfinished tells of them before they begin.
// Those that began or came to their end before stay as they are.
func (s *Store) Plan(runs []Run) error {
	_, err := s.change(func(tx *sql.Tx) (bool, error) {
		for _, r := range runs {
			if _, err := tx.Exec(`INSERT OR IGNORE INTO runs (key, started, updated) VALUES (?, '', '')`, r.key()); err != nil {
				return false, err
			}
		}
		return false, nil
	})
	return err
}

// Checkpoint replaces the state of a run, which may be nil to say that the run has begun. A run that was finished
// begins anew. The state must be JSON, otherwise the error is an *core.InputError.
func (s *Store) Checkpoint(r Run, state json.RawMessage) error {
	if state != nil && !json.Valid(state) {
		return core.Invalid("state", "it is not JSON")
	}
	_, err := s.change(func(tx *sql.Tx) (bool, error) {
		text := sql.NullString{String: string(state), Valid: state != nil}
		_, err := tx.Exec(`INSERT INTO runs (key, state, started, updated) VALUES (?1, ?2, ?3, ?3)
			ON CONFLICT (key) DO UPDATE SET state = ?2, updated = ?3, finished = NULL,
			started = iif(finished IS NULL AND started != '', started, ?3)`, r.key(), text, now())
		return false, err
	})
	return err
}

// Resume returns the last state of a run; ok is false if the run never began or is finished.
func (s *Store) Resume(r Run) (state json.RawMessage, ok bool, err error) {
	var text sql.NullString
	err = s.read.QueryRow(`SELECT state FROM runs WHERE key = ? AND finished IS NULL`, r.key()).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if text.Valid {
		state = json.RawMessage(text.String)
	}
	return state, err == nil, fail(s.path, err)
}

// Finish ends a run, drops its state and keeps what it looked at in vain, all at once: a run killed around its end
// leaves null results exactly if it is finished. It is not an error if the run never began.
func (s *Store) Finish(r Run, nulls ...Null) error {
	_, err := s.change(func(tx *sql.Tx) (bool, error) {
		for _, n := range nulls {
			if err := insertNull(tx, r.Problem, n); err != nil {
				return false, err
			}
		}
		_, err := tx.Exec(`INSERT INTO runs (key, started, updated, finished) VALUES (?1, ?2, ?2, ?2)
			ON CONFLICT (key) DO UPDATE SET state = NULL, updated = ?2, finished = ?2,
			started = iif(started != '', started, ?2)`, r.key(), now())
		return false, err
	})
	return err
}

// Finished reports whether a run came to its end.
func (s *Store) Finished(r Run) (bool, error) {
	var done bool
	const query = `SELECT EXISTS (SELECT 1 FROM runs WHERE key = ? AND finished IS NOT NULL)`
	err := s.read.QueryRow(query, r.key()).Scan(&done)
	return done, fail(s.path, err)
}

// Unfinished returns the runs that can go on, or begin, in the order in which they were planned or first began.
func (s *Store) Unfinished() ([]Stopped, error) {
	list, err := collect(s.read, func(scan func(...any) error) (Stopped, error) {
		var key string
		var u Stopped
		if err := scan(&key, &u.Started, &u.Updated); err != nil {
			return u, err
		}
		var err error
		u.Run, err = s.readRun(key)
		return u, err
	}, `SELECT key, started, updated FROM runs WHERE finished IS NULL ORDER BY id`)
	return list, fail(s.path, err)
}

// Ended returns the runs that came to their end, in the order in which they were planned or first began.
func (s *Store) Ended() ([]Run, error) {
	list, err := collect(s.read, func(scan func(...any) error) (r Run, err error) {
		var key string
		if err = scan(&key); err != nil {
			return r, err
		}
		return s.readRun(key)
	}, `SELECT key FROM runs WHERE finished IS NOT NULL ORDER BY id`)
	return list, fail(s.path, err)
}

// A Null is a search that found nothing better than what was known.
type Null struct {
	Goal        string         `json:"goal,omitempty"` // as in Run
	Method      string         `json:"method"`
	Seed        uint64         `json:"seed"`
	Budget      results.Budget `json:"budget"`
	Evaluations int64          `json:"evaluations"`
	Best        string         `json:"best,omitempty"` // the smallest E_max seen, fraction; "" if nothing was evaluated
	Added       string         `json:"added"`          // RFC 3339, UTC; set by the store if it is ""
}

// AddNull keeps a null result, once.
func (s *Store) AddNull(p texts.Key, n Null) error {
	_, err := s.change(func(tx *sql.Tx) (bool, error) { return false, insertNull(tx, p, n) })
	return err
}

func insertNull(tx *sql.Tx, p texts.Key, n Null) error {
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
	_, err = tx.Exec(`INSERT OR IGNORE INTO nulls (problem, goal, method, seed, budget, evaluations, best, added)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		id, n.Goal, n.Method, strconv.FormatUint(n.Seed, 10), string(budget), n.Evaluations, n.Best, cmp.Or(n.Added, now()))
	return err
}

// Nulls returns the null results of a problem in the order in which they came.
func (s *Store) Nulls(p texts.Key) ([]Null, error) {
	list, err := collect(s.read, func(scan func(...any) error) (Null, error) {
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
		WHERE `+ofProblem+` ORDER BY id`, values(p)...)
	return list, fail(s.path, err)
}
