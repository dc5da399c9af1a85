// Package trees walks the census trees of docs/proofs.md again: orderly, margin, levels and clients, each in the files
// of its name; what margin and levels share is in fill.go. On up to 20 nodes all placements are counted (count.go). It
// shares no code with the engines in search, which must come to the same counts.
package trees

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// A Walk repeats a census: a tree of docs/proofs.md for one question, cut at prefixes. It may be shared by goroutines.
type Walk interface {
	// prefixes returns the prefixes in order. They belong to the walk.
	Prefixes() [][]int
	// run visits the nodes at and below the prefixes from..to-1, in order, and counts them. It ends early with the
	// first placement below the value, when it has counted more than most nodes, or when the meter ends it.
	Run(m *meter.Meter, from, to int, most int64) Tally
}

// A Tally is what a walk met.
type Tally struct {
	Nodes int64
	Sum   uint64 // of the hashes of the nodes
	Found []int  // nodes of a placement below the value, nil if there is none
	Ended bool   // by the limit or the meter; the counts are of no use then
}

// hash takes the next number of a node's list into its hash, which starts at 0.
func hash(h uint64, v int) uint64 {
	z := h + (uint64(v)+1)*0x9e3779b97f4a7c15
	z ^= z >> 30
	z *= 0xbf58476d1ce4e5b9
	z ^= z >> 27
	z *= 0x94d049bb133111eb
	return z ^ z>>31
}

// The trees of docs/proofs.md, by the engines that walk them.
const (
	treeOrderly = "orderly"
	treeMargin  = "margin"
	treeLevels  = "levels"
	treeClients = "clients"
)

// New prepares the walk of the tree of an engine, cut at prefixes of a length, for no placement of n processors with
// E_max below a value: it lists the prefixes. It fails with a *core.InputError for what the tree is not defined for,
// with an error where it has more prefixes than are listed, and with that of the meter. Placements keep to the
// conditions.
func New(m *meter.Meter, r routing.Routing, n int, c Conditions, below *big.Rat, engine string,
	split int) (Walk, error) {
	return meter.Within(m, func() (w Walk, err error) {
		switch {
		case engine == treeOrderly:
			return newOrderlyWalk(m, r, n, c, below, split)
		case engine == treeMargin && split == 0:
			w, err = newMargins(m, r, n, c, below)
		case engine == treeLevels && split == 0:
			w, err = newLevels(m, r, n, c, below)
		default:
			return nil, fmt.Errorf("there is no tree %q with split %d", engine, split)
		}
		if err != nil {
			return nil, err
		}
		return w, w.(interface{ prepare(*meter.Meter) error }).prepare(m)
	})
}

// NewClients is New for client traffic, of which there is the tree clients only.
func NewClients(m *meter.Meter, p objective.Problem, n int, c Conditions, below *big.Rat, engine string,
	split int) (Walk, error) {
	return meter.Within(m, func() (Walk, error) {
		if engine != treeClients || split != 0 {
			return nil, fmt.Errorf("there is no tree %q with split %d for client traffic", engine, split)
		}
		w, err := newClients(m, p, n, c, below)
		if err != nil {
			return nil, err
		}
		return w, w.prepare(m)
	})
}

// Conditions are the nodes on which a placement must have a processor, and those on which it must not; nil: none.
type Conditions struct{ Fixed, Forbidden core.Set }

// Any reports whether there is a condition.
func (c Conditions) Any() bool { return c.Fixed != nil || c.Forbidden != nil }

// Problem says which condition a placement does not keep to, "" if it keeps to all.
func (c Conditions) Problem(p core.Placement) string {
	set := p.Set()
	for _, v := range c.Fixed.Nodes() {
		if !set.Has(v) {
			return fmt.Sprintf("the fixed node %s has no processor", core.JoinInts(p.Torus().Coords(v), ","))
		}
	}
	for _, v := range c.Forbidden.Nodes() {
		if set.Has(v) {
			return fmt.Sprintf("the forbidden node %s has a processor", core.JoinInts(p.Torus().Coords(v), ","))
		}
	}
	return ""
}
