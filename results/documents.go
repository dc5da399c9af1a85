package results

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// ListSchema is the schema version of lists of documents, each of which names its own.
const ListSchema = "leeway/list/1"

// EvaluationSchema is the schema version of evaluations.
const EvaluationSchema = "leeway/evaluation/1"

// An Evaluation is what the command eval prints about one placement.
type Evaluation struct {
	Schema string `json:"schema"`
	Grid
	Routing string `json:"routing"`
	Demand
	Size       int     `json:"size"`
	Nodes      [][]int `json:"nodes"`
	MaxLoad    string  `json:"max_load"`
	MeanLoad   string  `json:"mean_load"`            // over all links
	Links      int     `json:"links"`                // directed links of the torus
	LinksAtMax int     `json:"links_at_max"`         // 0 if max_load is 0
	Throughput string  `json:"throughput,omitempty"` // exchanges per unit time, 1 / max_load; absent if that is 0
	// MeanDistance is that of a client from the processors, for client traffic.
	MeanDistance string `json:"mean_distance,omitempty"`
	// CoveringRadius is the greatest distance from a node to its nearest processor, TotalDistance that of all nodes
	// together, absent without processors, and PackingDistance the least between two processors, absent with fewer than
	// two; in links.
	CoveringRadius  *int       `json:"covering_radius,omitempty"`
	TotalDistance   *int       `json:"total_distance,omitempty"`
	PackingDistance int        `json:"packing_distance,omitempty"`
	Uniform         []bool     `json:"uniform"`        // per dimension
	Loads           []LinkLoad `json:"loads,omitzero"` // links with a load above 0
}

// A LinkLoad is the load of one link, named by the node it leaves.
type LinkLoad struct {
	From []int  `json:"from"`
	Dim  int    `json:"dim"`
	Dir  string `json:"dir"` // "+" or "-"; always "+" on a side of 2
	Load string `json:"load"`
}

// NewEvaluation returns the evaluation of a placement under routing and traffic of a problem from its loads, with the
// list of loaded links if that is asked for.
func NewEvaluation(q objective.Problem, p core.Placement, loads *objective.Loads, withLoads bool) Evaluation {
	t := p.Torus()
	most, count := loads.Max()
	e := Evaluation{Schema: EvaluationSchema, Grid: GridOf(t), Routing: q.Routing.String(), Demand: DemandOf(q),
		Size: p.Size(), Nodes: p.Coords(), MaxLoad: FormatFraction(most), MeanLoad: FormatFraction(loads.Mean()),
		Links: t.Links(), LinksAtMax: count}
	if distance := objective.MeanDistance(p); distance != nil && q.Traffic.Clients() {
		e.MeanDistance = FormatFraction(distance)
	}
	if count > 0 {
		e.Throughput = FormatFraction(new(big.Rat).Inv(most))
	}
	radius, total, packing := p.Spacing()
	if e.PackingDistance = packing; radius >= 0 {
		e.CoveringRadius, e.TotalDistance = &radius, &total
	}
	for j := range t.D() {
		e.Uniform = append(e.Uniform, p.Uniform(j))
	}
	if withLoads {
		e.Loads = linkLoads(loads)
	}
	return e
}

// linkLoads lists the links with a load above 0, in link order.
func linkLoads(loads *objective.Loads) []LinkLoad {
	list := []LinkLoad{}
	t := loads.Torus()
	for l := range t.M() {
		if v := loads.At(core.Link(l)); v.Sign() > 0 {
			from, port := t.LinkFrom(core.Link(l))
			list = append(list, LinkLoad{From: t.Coords(from), Dim: port.Dim, Dir: port.Dir.String(), Load: FormatFraction(v)})
		}
	}
	return list
}

// BoundsSchema is the schema version of lists of bounds.
const BoundsSchema = "leeway/bounds/1"

// Bounds is what the command bound prints: lower bounds on E_max with their witnesses, for one placement or, without
// nodes, for every placement of a size.
type Bounds struct {
	Schema string `json:"schema"`
	Grid
	Routing string `json:"routing"`
	Demand
	Size       int      `json:"size"`
	Conditions          // of the placements, if placement-free
	Nodes      *[][]int `json:"nodes,omitempty"` // absent if placement-free
	Bounds     []Bound  `json:"bounds"`
	Best       string   `json:"best"`   // the largest value
	Reason     string   `json:"reason"` // which bound that is, in words
	Table      *Table   `json:"table,omitempty"`
}

// A Bound is one lower bound, its value a fraction.
type Bound struct {
	Name    string            `json:"name"`
	Value   string            `json:"value"`
	Witness objective.Witness `json:"witness"`
}

// NewBounds returns the document of some bounds, the best of which is given. Placement p is nil if they are
// placement-free.
func NewBounds(r routing.Routing, size int, p *core.Placement, bounds []objective.Bound, best objective.Bound) Bounds {
	d := Bounds{Schema: BoundsSchema, Grid: GridOf(r.Torus()), Routing: r.String(), Size: size,
		Bounds: []Bound{}, Best: FormatFraction(best.Value), Reason: best.Reason(), Table: TableOf(r)}
	if p != nil {
		nodes := p.Coords()
		d.Nodes = &nodes
	}
	for _, b := range bounds {
		d.Bounds = append(d.Bounds, NewBound(b))
	}
	return d
}

// NewBound returns a bound in the words of the document.
func NewBound(b objective.Bound) Bound {
	return Bound{Name: b.Name, Value: FormatFraction(b.Value), Witness: b.Witness}
}

// ReadBounds returns the list of bounds that data spells, with the errors of ReadRecord.
func ReadBounds(data []byte) (Bounds, error) {
	var d Bounds
	err := Decode(data, BoundsSchema, &d)
	return d, err
}

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
	Demand
	Size int `json:"size"`
	Conditions
	Below       string       `json:"below"`
	Status      string       `json:"status"`
	Nodes       *[][]int     `json:"nodes"`    // feasible: the placement, else null
	MaxLoad     *string      `json:"max_load"` // feasible: its E_max, else null
	Proof       *Proof       `json:"proof"`    // infeasible: why, else null
	SolverClaim *SolverClaim `json:"solver_claim" read:"optional"`
	Certificate *Certificate `json:"certificate,omitempty"`
	Table       *Table       `json:"table,omitempty"`
}

// NewBelow returns the unknown answer about a problem, to be filled in.
func NewBelow(p objective.Problem, below *big.Rat) Below {
	return Below{Schema: BelowSchema, Grid: GridOf(p.Torus()), Routing: p.Routing.String(), Demand: DemandOf(p),
		Size: p.Size, Conditions: ConditionsOf(p), Below: FormatFraction(below), Status: StatusUnknown,
		Table: TableOf(p.Routing)}
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
	r := Record{Schema: RecordSchema, Grid: d.Grid, Routing: d.Routing, Demand: d.Demand, Size: d.Size,
		Conditions: d.Conditions, Table: d.Table}
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
