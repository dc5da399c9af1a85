package exchange

import (
	"iter"

	"leeway/core"
)

// A Model says what a phase of a schedule may do.
type Model int

// The models.
const (
	// StoreAndForward: a send takes one block to a neighbour; a phase is a step.
	StoreAndForward Model = iota
	// Wormhole: a send takes any number of blocks along one axis, over links that no
	// other send of the phase uses; a phase is a startup.
	Wormhole
)

// A Block is what node From has for node To. Nodes are numbered row by row, as
// everywhere.
type Block struct{ From, To int32 }

// A Send takes blocks from one node to another.
type Send struct {
	From, To int32
	Axis     int      // along which it goes; -1 on a graph without axes
	Dir      core.Dir // Plus or Minus; Plus on a graph without axes
	Blocks   []Block
}

// A Phase is a list of sends at one time. Its slices belong to the schedule and
// may be reused for the next phase.
type Phase []Send

// A Schedule is a list of phases after which every participant has what the others
// have for it. Phases are made as they are asked for: some schedules do not fit the
// memory at once.
type Schedule struct {
	Name         string
	Model        Model
	Sides        []int    // of the torus, mesh or other product
	Network      *Network // what the sides are; nil: a torus
	Participants []int    // nodes that exchange, ascending; nil: all
	Phases       iter.Seq[Phase]
}
