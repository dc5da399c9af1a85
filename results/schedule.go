package results

import (
	"fmt"
	"iter"

	"leeway/core"
)

// ScheduleSchema is the schema version of schedules of complete exchange.
const ScheduleSchema = "leeway/schedule/1"

// The models of a schedule, as written in its file.
const (
	StoreAndForward = "store-and-forward" // a send takes one block to a neighbour
	Wormhole        = "wormhole"          // a send takes blocks along one axis, over links of its own
)

// The kinds of axes of the network that a schedule runs on.
const (
	AxisRing     = "ring"
	AxisPath     = "path"
	AxisComplete = "complete"
	AxisGraph    = "graph" // given by its edges
)

// A Schedule is the head of a file of phases: what they run on. Nodes are numbered
// row by row, the last axis fastest.
type Schedule struct {
	Name         string         `json:"name"`
	Model        string         `json:"model"`
	Axes         []ScheduleAxis `json:"axes"`
	Participants []int          `json:"participants,omitzero"` // nodes that exchange, ascending; nil: all
	Proof        *ScheduleProof `json:"proof,omitempty"`       // that no exchange has fewer steps
}

// BoundWeights is the name of the bound on steps that has weights.
const BoundWeights = "weights"

// A ScheduleProof says why no complete exchange of the same processors has fewer steps of
// store and forward, or where the reason stands.
type ScheduleProof struct {
	Kind   string `json:"kind"` // bound or unsat
	Engine string `json:"engine"`
	Below  int    `json:"below"` // none has fewer steps than this

	Bound   string `json:"bound,omitempty"`  // bound: its name
	Weights []int  `json:"weights,omitzero"` // bound by weights: of every node

	Format string `json:"format,omitempty"` // unsat: of the file
	File   string `json:"file,omitempty"`   // unsat: name of the proof, in the folder of the schedule
	SHA256 string `json:"sha256,omitempty"` // unsat: of the file
}

// A ScheduleAxis is a factor of the product that is the network.
type ScheduleAxis struct {
	Kind  string  `json:"kind"`
	Nodes int     `json:"nodes"`
	Edges [][]int `json:"edges,omitzero"` // of kind graph: pairs of nodes
}

// A ScheduleBlock is what node From has for node To.
type ScheduleBlock struct{ From, To int32 }

// A ScheduleSend takes blocks from one node to another.
type ScheduleSend struct {
	From, To int32
	Axis     int      // along which it goes; -1 if the file does not say
	Dir      core.Dir // 0 if the file does not say
	// Path is the way of a send that turns, by wormhole routing; such a send has
	// neither axis nor direction. nil: it does not turn.
	Path   []ScheduleLeg
	Blocks []ScheduleBlock
}

// A ScheduleLeg is a straight part of a path: so many links along an axis, below 0
// in direction minus.
type ScheduleLeg struct{ Axis, Links int32 }

// A SchedulePhase is a list of sends at one time.
type SchedulePhase []ScheduleSend

// Phases are the phases of a schedule in order. After an error there is none. A
// phase may be overwritten when the next is asked for.
type Phases = iter.Seq2[SchedulePhase, error]

// scheduleHead is the head as it stands in a file.
type scheduleHead struct {
	Schema string `json:"schema"`
	Schedule
}

// problem says what is wrong with the values of a head, "" if nothing is.
func (s Schedule) problem() string {
	if s.Model != StoreAndForward && s.Model != Wormhole {
		return fmt.Sprintf("model %q is neither %s nor %s", shorten(s.Model), StoreAndForward, Wormhole)
	}
	if len(s.Axes) == 0 {
		return "there are no axes"
	}
	for i, a := range s.Axes {
		switch {
		case a.Kind != AxisRing && a.Kind != AxisPath && a.Kind != AxisComplete && a.Kind != AxisGraph:
			return fmt.Sprintf("axis %d: kind %q is none of ring, path, complete and graph", i, shorten(a.Kind))
		case a.Kind != AxisGraph && a.Edges != nil:
			return fmt.Sprintf("axis %d: a %s has no list of edges", i, a.Kind)
		case a.Kind == AxisGraph && a.Edges == nil:
			return fmt.Sprintf("axis %d: a graph needs its edges", i)
		}
		for j, e := range a.Edges {
			if len(e) != 2 {
				return fmt.Sprintf("axis %d: edge %d has %d ends", i, j, len(e))
			}
		}
	}
	return ""
}
