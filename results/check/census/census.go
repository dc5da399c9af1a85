// Package census has what all censuses share: the conditions on placements, and what a walk of a tree is and counts.
// Small tori need no tree: all their placements are counted (count.go).
package census

import (
	"fmt"

	"leeway/core"
	"leeway/objective"
	"leeway/results/check/meter"
)

// A Walk repeats a census: a tree of docs/proofs.md for one question, cut at prefixes. It may be shared by goroutines.
type Walk interface {
	// Prefixes returns the prefixes in order. They belong to the walk.
	Prefixes() [][]int
	// Run visits the nodes at and below the prefixes from..to-1, in order, and counts them. It ends early with the
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

// Hash takes the next number of a node's list into its hash, which starts at 0.
func Hash(h uint64, v int) uint64 {
	z := h + (uint64(v)+1)*0x9e3779b97f4a7c15
	z ^= z >> 30
	z *= 0xbf58476d1ce4e5b9
	z ^= z >> 27
	z *= 0x94d049bb133111eb
	return z ^ z>>31
}

// A Pass is one pass through a tree, under way.
type Pass struct {
	Tally
	Meter *meter.Meter
	most  int64 // nodes
}

// NewPass returns a pass that counts no more than most nodes and ends when the meter ends it.
func NewPass(m *meter.Meter, most int64) Pass { return Pass{Meter: m, most: most} }

// Meet counts a node with the given hash.
func (p *Pass) Meet(h uint64) {
	p.Nodes++
	p.Sum += h
	if p.Nodes > p.most {
		p.Ended = true
	}
}

// Spend charges steps and reports whether the pass goes on.
func (p *Pass) Spend(steps int) bool {
	if p.Meter.Spend(int64(steps)) != nil {
		p.Ended = true
	}
	return !p.Ended
}

// Stopped reports whether there is no more to be done.
func (p *Pass) Stopped() bool { return p.Ended || p.Found != nil }

// Through opens the prefixes from..to-1 in turn and returns what was met.
func (p *Pass) Through(from, to int, open func(prefix int)) Tally {
	for i := from; i < to && !p.Stopped(); i++ {
		if p.Ended = p.Meter.Err() != nil; !p.Ended {
			open(i)
		}
	}
	return p.Tally
}

// Conditions are the nodes on which a placement must have a processor, and those on which it must not; nil: none. And
// how far nodes may be from their nearest processors.
type Conditions struct {
	Fixed, Forbidden core.Set
	objective.Near
}

// ConditionsOf returns the conditions of a problem.
func ConditionsOf(p objective.Problem) Conditions {
	return Conditions{Fixed: p.Fixed, Forbidden: p.Forbidden, Near: p.Near}
}

// Of returns a problem with the conditions. Errors are those of its methods WithNodes and WithNear.
func (c Conditions) Of(p objective.Problem) (objective.Problem, error) {
	p, err := p.WithNodes(c.Fixed.Nodes(), c.Forbidden.Nodes())
	if err != nil {
		return p, err
	}
	return p.WithNear(c.Near)
}

// Any reports whether nodes are fixed or forbidden.
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
	if c.Near.Asked() {
		return c.Near.Excess(p)
	}
	return ""
}
