// Package answers holds the documents that answer a question without a record: lists of lower bounds with their
// witnesses, worst cases, and whether messages can wait for each other in a circle.
package answers

import (
	"leeway/objective/lowerbound"
	"leeway/results"
)

// BoundsSchema is the schema version of lists of bounds.
const BoundsSchema = "leeway/bounds/1"

// Bounds is what the command bound prints: lower bounds on E_max with their witnesses, for one placement or, without
// nodes, for every placement of a size.
type Bounds struct {
	Schema string `json:"schema"`
	results.Grid
	Routing         string `json:"routing"`
	results.Setting        // its conditions are those of the placements, if placement-free

	Size   int            `json:"size"`
	Nodes  *[][]int       `json:"nodes,omitempty"` // absent if placement-free
	Bounds []Bound        `json:"bounds"`
	Best   string         `json:"best"`   // the largest value
	Reason string         `json:"reason"` // which bound that is, in words
	Table  *results.Table `json:"table,omitempty"`
}

// A Bound is one lower bound, its value a fraction.
type Bound struct {
	Name    string             `json:"name"`
	Value   string             `json:"value"`
	Witness lowerbound.Witness `json:"witness"`
}

// ReadBounds returns the list of bounds that data spells, with the errors of results.ReadRecord.
func ReadBounds(data []byte) (Bounds, error) {
	var d Bounds
	err := results.Decode(data, BoundsSchema, &d)
	return d, err
}
