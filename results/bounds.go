package results

import (
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// BoundsSchema is the schema version of lists of bounds.
const BoundsSchema = "leeway/bounds/1"

// Bounds is what the command bound prints: lower bounds on E_max with their
// witnesses, for one placement or, without nodes, for every placement of a size.
type Bounds struct {
	Schema  string   `json:"schema"`
	Torus   []int    `json:"torus"`
	Routing string   `json:"routing"`
	Size    int      `json:"size"`
	Nodes   *[][]int `json:"nodes,omitempty"` // absent if placement-free
	Bounds  []Bound  `json:"bounds"`
	Best    string   `json:"best"`   // the largest value
	Reason  string   `json:"reason"` // which bound that is, in words
	Table   *Table   `json:"table,omitempty"`
}

// A Bound is one lower bound, its value a fraction.
type Bound struct {
	Name    string            `json:"name"`
	Value   string            `json:"value"`
	Witness objective.Witness `json:"witness"`
}

// NewBounds returns the document of some bounds, the best of which is given.
// Placement p is nil if they are placement-free.
func NewBounds(r routing.Routing, size int, p *core.Placement, bounds []objective.Bound, best objective.Bound) Bounds {
	d := Bounds{Schema: BoundsSchema, Torus: r.Torus().Dims(), Routing: r.String(), Size: size,
		Bounds: []Bound{}, Best: FormatFraction(best.Value), Reason: best.Reason(), Table: tableOf(r)}
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

// ReadBounds returns the list of bounds that data spells, with the errors of
// ReadRecord.
func ReadBounds(data []byte) (Bounds, error) {
	var d Bounds
	err := Decode(data, BoundsSchema, &d)
	return d, err
}
