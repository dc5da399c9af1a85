package store

import (
	"cmp"
	"database/sql"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
)

// KeyOfRecord returns the problem of a record, or an *core.InputError.
func KeyOfRecord(r results.Record) (texts.Key, error) {
	p, err := compose.ProblemOf(r)
	if err != nil {
		return texts.Key{}, err
	}
	if p.Free == nil && p.Routing.String() != r.Routing {
		return texts.Key{}, core.Invalid(r.Routing, "the routing of a record is written %s", p.Routing.String())
	}
	return compose.KeyOf(p), nil
}

// insertProblem returns the row of a problem, which is made if it is not there.
func insertProblem(tx *sql.Tx, p texts.Key) (int64, error) {
	var id int64
	_, err := tx.Exec(`INSERT OR IGNORE INTO problems (`+problemColumns+`) VALUES (?, ?, ?, ?)`, values(p)...)
	if err == nil {
		err = tx.QueryRow(`SELECT id FROM problems WHERE `+isProblem, values(p)...).Scan(&id)
	}
	return id, err
}

// The columns of a problem, the condition on a row of problems that it is about one, and the
// condition on a row of another table that it belongs to one.
const (
	problemColumns = `torus, routing, "table", size`
	isProblem      = `torus = ? AND routing = ? AND "table" = ? AND size = ?`
	ofProblem      = `problem = (SELECT id FROM problems WHERE ` + isProblem + `)`
)

// values returns the values of a key for the conditions, columns where those of a row go.
func values(k texts.Key) []any   { return []any{k.Torus, k.Routing, k.Table, k.Size} }
func columns(k *texts.Key) []any { return []any{&k.Torus, &k.Routing, &k.Table, &k.Size} }

// A standing is what the store knows about a problem: its row and the best of each kind, nil where there is none.
type standing struct {
	id         int64
	best       *big.Rat
	rank       int      // of best
	distance   *big.Rat // of best; nil: it has none
	steps      int64    // of its proof; 0: they are not counted
	bound      *big.Rat
	reason     string // of bound
	boundProof bool
}

// stand returns what is known about a problem.
func (s *Store) stand(tx *sql.Tx, p texts.Key) (standing, error) {
	id, err := insertProblem(tx, p)
	if err != nil {
		return standing{}, err
	}
	know := standing{id: id}
	var best, bound [2]sql.NullString
	var rank, steps sql.NullInt64
	var reason, proof, distance sql.NullString
	err = tx.QueryRow(`SELECT r.numerator, r.denominator, r.rank, `+distanceColumn+`, `+stepsColumn+`,
		b.numerator, b.denominator, b.reason, b.proof
		FROM problems p LEFT JOIN records r ON r.id = p.best LEFT JOIN bounds b ON b.id = p.bound WHERE p.id = ?`, id).
		Scan(&best[0], &best[1], &rank, &distance, &steps, &bound[0], &bound[1], &reason, &proof)
	if err != nil {
		return know, err
	}
	know.rank, know.reason, know.boundProof = int(rank.Int64), reason.String, proof.String != ""
	know.distance, know.steps = distanceOf(distance), steps.Int64
	if know.best, err = s.fraction(best); err == nil {
		know.bound, err = s.fraction(bound)
	}
	return know, err
}

// distanceColumn selects the mean distance of a record r of a problem p, null for all-to-all traffic and where it
// cannot be read.
const distanceColumn = `CASE WHEN instr(p.torus, ':traffic=') AND json_valid(r.json)
	THEN json_extract(r.json, '$.mean_distance') END`

// stepsColumn selects the number of steps that prove a record r, null where none are counted.
const stepsColumn = `CASE WHEN json_valid(r.json) THEN json_extract(r.json, '$.proof.steps') END`

// distanceOf returns the number in a distanceColumn, nil for none.
func distanceOf(text sql.NullString) *big.Rat {
	v, err := results.ParseFraction(text.String)
	if !text.Valid || err != nil {
		return nil
	}
	return v
}

// fraction returns the value of two columns, nil if they are null.
func (s *Store) fraction(parts [2]sql.NullString) (*big.Rat, error) {
	if !parts[0].Valid {
		return nil, nil
	}
	v := ratio(parts[0].String, parts[1].String)
	if v == nil {
		return nil, s.damaged("%q over %q is not a fraction", parts[0].String, parts[1].String)
	}
	return v, nil
}

// ratio returns the value of two columns, nil if they do not make a fraction.
func ratio(numerator, denominator string) *big.Rat {
	v, _ := new(big.Rat).SetString(numerator + "/" + denominator)
	return v
}

// The endings of canonical routings.
const (
	tiePlus = ":tie=plus"
	tieBoth = ":tie=both"
)

// Twin returns the routing with the other tie rule where the two are one: nothing ties
// without a ring of an even side above 2. It is "" elsewhere.
func Twin(t *core.Torus, way string) string {
	if t.HasTies() {
		return ""
	}
	if name, ok := strings.CutSuffix(way, tiePlus); ok {
		return name + tieBoth
	}
	if name, ok := strings.CutSuffix(way, tieBoth); ok {
		return name + tiePlus
	}
	return ""
}

// Basis returns the problem that a monotone proof about another one rests on; ok is false for other proofs.
func Basis(p texts.Key, proof *results.Proof) (basis texts.Key, ok bool) {
	if proof == nil || proof.Kind != results.ProofMonotone || proof.Size == nil {
		return p, false
	}
	p.Size, p.Routing, p.Torus = *proof.Size, cmp.Or(proof.Routing, p.Routing), cmp.Or(proof.Torus, p.Torus)
	return p, true
}
