package store

import (
	"cmp"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"iter"
	"math/big"
	"strconv"

	"leeway/core"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/layout"
)

// An entry is a record with what the store compares it by.
type entry struct {
	results.Record
	problem  texts.Key
	load     *big.Rat
	lower    *big.Rat
	distance *big.Rat // mean distance of clients, nil without
	evidence string
	interim  bool // of a search that is under way
}

// newEntry reads a record. Errors are *core.InputError: parts that do not belong
// together. Whether loads and proofs are right is not looked at.
func newEntry(r results.Record) (entry, error) {
	e := entry{Record: r}
	var err error
	if e.problem, err = KeyOfRecord(r); err != nil {
		return e, err
	}
	if e.load, err = results.ParseFraction(r.MaxLoad); err != nil {
		return e, err
	}
	if e.lower, err = results.ParseFraction(r.LowerBound); err != nil {
		return e, err
	}
	if r.MeanDistance != "" {
		if e.distance, err = results.ParseFraction(r.MeanDistance); err != nil {
			return e, err
		}
	}
	if problem := e.fault(); problem != "" {
		return e, core.Invalid("record", "%s", problem)
	}
	e.evidence = evidence(r)
	return e, nil
}

// fault says which parts do not belong together, "" if all do.
func (e entry) fault() string {
	switch {
	case e.Schema != results.RecordSchema:
		return "its schema is not " + results.RecordSchema
	case e.Size != max(len(e.Nodes), len(e.Assignment)):
		return "its size is not the number of its nodes, or of its tasks"
	case e.ClaimSHA256 != e.Hash():
		return "its claim_sha256 does not belong to its claim"
	case (e.Status == results.StatusOptimal) != (e.Proof != nil):
		return "optimal records, and no others, have a proof"
	case e.lower.Cmp(e.load) > 0:
		return "its lower bound is above its load"
	case e.Proof != nil && e.lower.Cmp(e.load) < 0:
		return "it has a proof, but its lower bound is below its load"
	}
	return ""
}

// evidence returns the hash of what a record gives beyond its claim, "" if it has no proof.
func evidence(r results.Record) string {
	if r.Proof == nil {
		return ""
	}
	text, err := json.Marshal([]any{r.Proof, r.Optima, r.Orbits, r.Labelled})
	if err != nil {
		panic("store: numbers and text always encode")
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// rank orders records of one load: with a proof, with one in steps, counted ones, and with all optima besides.
func rank(r results.Record) (rank int) {
	if r.Proof == nil {
		return 0
	}
	rank = 1
	if r.Proof.Kind == results.ProofSteps {
		rank++
		if r.Proof.Steps != nil {
			rank++
		}
	}
	if r.Optima != nil {
		rank += 3
	}
	return rank
}

// compareDistance orders mean distances, the smaller first: that of clients in records of one load and rank. Those that
// have none are equal to all.
func compareDistance(a, b *big.Rat) int {
	if a == nil || b == nil {
		return 0
	}
	return a.Cmp(b)
}

// compareSteps orders the steps of proofs of one rank, the fewer first.
func (e entry) compareSteps(others int64) int {
	if e.Proof == nil || e.Proof.Steps == nil {
		return 0
	}
	return cmp.Compare(*e.Proof.Steps, others)
}

// AddRecord takes in a record that the caller has verified, with its lower bound, and reports whether the record was
// kept. One with a smaller load than the best is kept and becomes the best; one of the same load is kept if it has a
// proof that the store does not hold, and becomes the best if the best has none, or none in steps that were counted,
// or more steps, or if only it lists all optima. Under client traffic one of the same load is kept, too, if its mean
// distance is smaller than that of the best, and becomes the best if it has as much of a proof. Whatever was kept
// stays. Errors besides those of all methods: *core.InputError for a record whose parts do not belong together,
// *ConflictError.
func (s *Store) AddRecord(r results.Record) (kept bool, err error) { return s.add(r, false) }

// AddInterim is AddRecord for what a search has found while it is under way. A
// record of the same load that is added at an end takes its place.
func (s *Store) AddInterim(r results.Record) (kept bool, err error) { return s.add(r, true) }

func (s *Store) add(r results.Record, interim bool) (kept bool, err error) {
	e, err := newEntry(r)
	if err != nil {
		return false, err
	}
	text, err := layout.Encode(r)
	if err != nil {
		return false, err
	}
	e.interim = interim
	return s.put(e, string(text))
}

// put takes in a record that contradicts nothing, or fails with a *ConflictError.
func (s *Store) put(e entry, text string) (kept bool, err error) {
	return s.change(func(tx *sql.Tx) (bool, error) {
		know, err := s.stand(tx, e.problem)
		if err == nil && !e.interim {
			if err = dropInterim(tx, know.id, e.load); err == nil {
				know, err = s.stand(tx, e.problem)
			}
		}
		if err != nil {
			return false, err
		}
		if err := s.insertBound(tx, e.problem, know, e.bound(), e.load); err != nil {
			return false, err
		}
		if know.best != nil {
			c, farther := e.load.Cmp(know.best), compareDistance(e.distance, know.distance) >= 0
			if c > 0 || c == 0 && e.Proof == nil && farther {
				return false, nil
			}
		}
		return insertRecord(tx, know, e, text)
	})
}

// dropInterim drops the records of a load that searches under way have added.
func dropInterim(tx *sql.Tx, problem int64, load *big.Rat) error {
	const these = `problem = ?1 AND interim = 1 AND numerator = ?2 AND denominator = ?3`
	_, err := tx.Exec(`UPDATE problems SET best = NULL WHERE id = ?1 AND best IN (SELECT id FROM records WHERE `+these+`)`,
		problem, load.Num().String(), load.Denom().String())
	if err == nil {
		_, err = tx.Exec(`DELETE FROM records WHERE `+these, problem, load.Num().String(), load.Denom().String())
	}
	return err
}

// bound returns the lower bound of a record.
func (e entry) bound() Bound {
	b := Bound{Value: e.lower, Reason: e.BoundReason, Proof: e.BoundProof}
	if e.Proof != nil {
		b.Proof = e.Proof
	}
	return b
}

// insertRecord keeps a record that is at least as good as the best, unless it is
// there, and makes it the best if it is better.
func insertRecord(tx *sql.Tx, know standing, e entry, text string) (bool, error) {
	done, err := tx.Exec(`INSERT OR IGNORE INTO records (problem, numerator, denominator, rank, method, seed, evaluations,
		added, claim_sha256, evidence, interim, json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		know.id, e.load.Num().String(), e.load.Denom().String(), rank(e.Record), e.FoundBy.Method,
		strconv.FormatUint(e.FoundBy.Seed, 10), e.FoundBy.Evaluations, now(), e.ClaimSHA256, e.evidence, e.interim, text)
	if err != nil {
		return false, err
	}
	if rows, err := done.RowsAffected(); err != nil || rows == 0 {
		return false, err
	}
	if know.best != nil && e.load.Cmp(know.best) == 0 {
		c := cmp.Or(know.rank-rank(e.Record), compareDistance(e.distance, know.distance), e.compareSteps(know.steps))
		if c >= 0 {
			return true, nil
		}
	}
	id, err := done.LastInsertId()
	if err == nil {
		_, err = tx.Exec(`UPDATE problems SET best = ? WHERE id = ?`, id, know.id)
	}
	return true, err
}

// A row is a record as it stands in its table.
type row struct {
	id          int64
	problem     texts.Key
	load, best  [2]sql.NullString // numerator and denominator: of the record, and of the best of the problem
	rank        int
	method      string
	seed        string
	evaluations int64
	claim       string
	evidence    string
	text        string
}

// rowQuery selects what scanRow reads.
const rowQuery = `SELECT ` + problemColumns + `, r.id, r.numerator, r.denominator, b.numerator, b.denominator, r.rank,
	r.method, r.seed, r.evaluations, r.claim_sha256, r.evidence, r.json
	FROM records r JOIN problems p ON p.id = r.problem LEFT JOIN records b ON b.id = p.best`

func scanRow(scan func(...any) error) (r row, err error) {
	err = scan(append(columns(&r.problem), &r.id, &r.load[0], &r.load[1], &r.best[0], &r.best[1], &r.rank, &r.method,
		&r.seed, &r.evaluations, &r.claim, &r.evidence, &r.text)...)
	return r, err
}

// entry reads the record of a row.
func (r row) entry() (entry, error) {
	record, err := results.ReadRecord([]byte(r.text))
	if err != nil {
		return entry{}, err
	}
	return newEntry(record)
}

// fits reports whether the columns say what the record says.
func (r row) fits(e entry) bool {
	load := ratio(r.load[0].String, r.load[1].String)
	return load != nil && load.Cmp(e.load) == 0 && r.claim == e.ClaimSHA256 && r.evidence == e.evidence &&
		r.rank == rank(e.Record) && r.method == e.FoundBy.Method && r.seed == strconv.FormatUint(e.FoundBy.Seed, 10) &&
		r.evaluations == e.FoundBy.Evaluations
}

// Best returns the record with the smallest load, among those one with a proof, and among those the one with the
// smallest mean distance of clients; ok is false if there is no record of the problem.
func (s *Store) Best(p texts.Key) (r results.Record, ok bool, err error) {
	list, err := s.list(`SELECT json FROM records WHERE id = (SELECT best FROM problems WHERE `+isProblem+`)`,
		values(p)...)
	if err != nil || len(list) == 0 {
		return r, false, err
	}
	return list[0], true, nil
}

// Records returns every record of a problem, in the order in which they came.
func (s *Store) Records(p texts.Key) ([]results.Record, error) {
	return s.list(`SELECT json FROM records WHERE `+ofProblem+` ORDER BY id`, values(p)...)
}

// list returns the records of a query for their JSON.
func (s *Store) list(query string, args ...any) (list []results.Record, err error) {
	for r, err := range s.records(query, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// All yields the best record of every problem, ordered by the texts of torus and routing and then by size: those at the
// moment of the first, whatever is added meanwhile. A record that cannot be read is yielded as a *CorruptError, after
// which it goes on; another error is the last that it yields.
func (s *Store) All() iter.Seq2[results.Record, error] {
	return s.records(`SELECT json FROM problems JOIN records ON records.id = best ORDER BY ` + problemColumns)
}

// records yields the records of a query for their JSON. One that cannot be read is a *CorruptError.
func (s *Store) records(query string, args ...any) iter.Seq2[results.Record, error] {
	return func(yield func(results.Record, error) bool) {
		rows, err := s.read.Query(query, args...)
		if err != nil {
			yield(results.Record{}, fail(s.path, err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				yield(results.Record{}, fail(s.path, err))
				return
			}
			r, err := results.ReadRecord([]byte(text))
			if err != nil {
				err = s.damaged("a record cannot be read: %v", err)
			}
			if !yield(r, err) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(results.Record{}, fail(s.path, err))
		}
	}
}
