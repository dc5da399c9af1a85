package answers

import (
	"fmt"

	"leeway/core"
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
	WorstLink   *LinkName        `json:"worst_link"` // null if WorstLoad is 0
	Permutation [][2][]int       `json:"permutation"`
	Potentials  []Potential      `json:"potentials"`
	FoundBy     *results.FoundBy `json:"found_by,omitempty"` // of a search for the placement
}

// A LinkName names a link by the node that it leaves.
type LinkName struct {
	From []int  `json:"from"`
	Dim  int    `json:"dim"`
	Dir  string `json:"dir"` // "+" or "-"; always "+" on a side of 2
}

// Link returns the link of the name, or an *core.InputError if there is none.
func (n LinkName) Link(t *core.Torus) (core.Link, error) {
	from, err := t.Node(n.From...)
	if err != nil {
		return 0, err
	}
	dir := map[string]core.Dir{"+": core.Plus, "-": core.Minus}[n.Dir]
	l, ok := t.LinkNamed(from, core.Port{Dim: n.Dim, Dir: dir})
	if dir == 0 || !ok {
		return 0, &core.InputError{Text: core.JoinInts(n.From, ","), Problem: fmt.Sprintf(
			"the node has no link along dimension %d in direction %q", n.Dim, results.Shorten(n.Dir))}
	}
	return l, nil
}

// A Potential shows how much a link, and each of its translates by a node that takes the placement to itself, carries
// at most: of a message no more than its sender's and its receiver's number together, so of a permutation no more than
// the sum of all.
type Potential struct {
	LinkName
	Sends    []string `json:"sends"`    // by processor, in the order of nodes
	Receives []string `json:"receives"` // the same
}

// ReadWorst returns the worst case that data spells, with the errors of results.ReadRecord.
func ReadWorst(data []byte) (Worst, error) {
	var d Worst
	err := results.Decode(data, WorstSchema, &d)
	return d, err
}
