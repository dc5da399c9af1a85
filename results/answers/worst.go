package answers

import (
	"leeway/core/linkname"
	"leeway/results"
)

// WorstSchema is the schema version of worst cases.
const WorstSchema = "leeway/worst/1"

// A Worst is the largest load of a link over all permutations of the processors of a placement, with a permutation that
// has it and potentials that show that none has more.
type Worst struct {
	Schema string `json:"schema"`
	results.Subject
	// WorstLoad is the load of WorstLink under Permutation, pairs of a sender and a receiver.
	WorstLoad   string           `json:"worst_load"`
	WorstLink   *linkname.Name   `json:"worst_link"` // null if WorstLoad is 0
	Permutation [][2][]int       `json:"permutation"`
	Potentials  []Potential      `json:"potentials"`
	FoundBy     *results.FoundBy `json:"found_by,omitempty"` // of a search for the placement
}

// A Potential shows how much a link, and each of its translates by a node that takes the placement to itself, carries
// at most: of a message no more than its sender's and its receiver's number together, so of a permutation no more than
// the sum of all.
type Potential struct {
	linkname.Name
	Sends    []string `json:"sends"`    // by processor, in the order of nodes
	Receives []string `json:"receives"` // the same
}

// ReadWorst returns the worst case that data spells, with the errors of results.ReadRecord.
func ReadWorst(data []byte) (Worst, error) {
	var d Worst
	err := results.Decode(data, WorstSchema, &d)
	return d, err
}
