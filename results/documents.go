package results

import (
	"math/big"

	"leeway/core"
)

// BelowSchema is the schema version of answers to "is E_max below a value possible".
const BelowSchema = "leeway/below/1"

// The answers.
const (
	StatusInfeasible = "infeasible" // no placement of the size has E_max below the value, and proof says why
	StatusUnknown    = "unknown"    // neither a placement nor a proof
)

// A Below answers whether some placement of a size has E_max below a value: feasible with such a placement,
// infeasible with a proof, or unknown.
type Below struct {
	Schema string `json:"schema"`
	Grid
	Routing string `json:"routing"`
	Setting
	Size        int          `json:"size"`
	Below       string       `json:"below"`
	Status      string       `json:"status"`
	Nodes       *[][]int     `json:"nodes"`    // feasible: the placement, else null
	MaxLoad     *string      `json:"max_load"` // feasible: its E_max, else null
	Proof       *Proof       `json:"proof"`    // infeasible: why, else null
	SolverClaim *SolverClaim `json:"solver_claim" read:"optional"`
	Certificate *Certificate `json:"certificate,omitempty"`
	Table       *Table       `json:"table,omitempty"`
}

// Feasible turns the answer into yes, with a placement and its E_max.
func (d *Below) Feasible(p core.Placement, maxLoad *big.Rat) {
	nodes, load := p.Coords(), FormatFraction(maxLoad)
	d.Status, d.Nodes, d.MaxLoad = StatusFeasible, &nodes, &load
}

// Infeasible turns the answer into no, with a proof.
func (d *Below) Infeasible(proof Proof) { d.Status, d.Proof = StatusInfeasible, &proof }

// Record returns the problem of the answer and, if it is infeasible, the lower bound with its proof, as a record
// without a placement.
func (d Below) Record() Record {
	r := Record{Schema: RecordSchema, Grid: d.Grid, Routing: d.Routing, Setting: d.Setting, Size: d.Size,
		Table: d.Table}
	if d.Status == StatusInfeasible {
		r.LowerBound, r.BoundProof = d.Below, d.Proof
	}
	return r
}

// ReadBelow returns the answer that data spells, with the errors of ReadRecord.
func ReadBelow(data []byte) (Below, error) {
	var d Below
	err := Decode(data, BelowSchema, &d)
	return d, err
}
