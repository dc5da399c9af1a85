// Package exchange holds the vocabulary of complete exchange, in which every processor has a block for every other, and
// of other demands (demand.go): blocks, sends, phases, schedules, the head of a schedule file with the network of
// package core that it describes (network.go), and the lower bounds that need no witness (bounds.go). Generators,
// writers and the checker share this and nothing else: packages steps (store and forward, all ports) and wormhole
// (wormhole routing) make schedules, signals finds what keeps one in order, results/schedules reads and writes files,
// results/check/exchange checks. The models, the sources and the file format are described in docs/exchange.md.
package exchange

import (
	"encoding/json"
	"iter"

	"leeway/core"
)

// A Model says what a phase of a schedule may do.
type Model string

// The models.
const (
	// StoreAndForward: a send takes one block to a neighbour; a phase is a step.
	StoreAndForward Model = "store-and-forward"
	// Wormhole: a send takes any number of blocks along links that no other send of the phase uses; a phase is a
	// startup.
	Wormhole Model = "wormhole"
	// AllPort: a send takes one block over a link; a phase is a step, in which all links of a node work, each as
	// often as its bandwidth says.
	AllPort Model = "all-port"
)

// InSteps reports whether every send of the model takes one block over one link.
func (m Model) InSteps() bool { return m == StoreAndForward || m == AllPort }

// A Kind says which graph an axis of a network is.
type Kind string

// The kinds of axes.
const (
	Ring     Kind = "ring" // of 2 nodes: one link each way
	Path     Kind = "path"
	Complete Kind = "complete"
	Graph    Kind = "graph" // given by its edges
)

// An Axis is a factor of the cartesian product on which a schedule runs.
type Axis struct {
	Kind  Kind    `json:"kind"`
	Nodes int     `json:"nodes"`
	Edges [][]int `json:"edges,omitzero"` // of kind Graph: pairs of nodes, usable both ways; then perhaps a bandwidth

	// Under AllPort only.
	Twist     []int `json:"twist,omitzero"`      // of kind Ring: what a step over the end adds to the coordinates
	Bandwidth int   `json:"bandwidth,omitempty"` // blocks that a link carries in a step; 0: 1
}

// A Head is a schedule without its phases. Nodes are numbered row by row, the last axis fastest.
type Head struct {
	Name         string `json:"name"`
	Model        Model  `json:"model"`
	Axes         []Axis `json:"axes"`
	Participants []int  `json:"participants,omitzero"` // nodes that exchange, ascending; nil: all
	// Demand lists from, to and number of blocks, ascending, in the place of participants, under AllPort only. Traffic
	// and Placement then perhaps say what it is for: a text of package objective, objective.MatrixTraffic with the Matrix,
	// and the nodes of the processors or of the tasks in turn.
	Demand    [][]int          `json:"demand,omitzero"`
	Traffic   string           `json:"traffic,omitempty"`
	Matrix    *json.RawMessage `json:"matrix,omitempty"`
	Placement []int            `json:"placement,omitzero"`
	Proof     *Proof           `json:"proof,omitempty"` // that no exchange has fewer steps
}

// ByBound is the kind of a proof that is a bound; any other is results.ProofUnsat.
const ByBound = "bound"

// Lower bounds on steps that are shown by weights.
const (
	WeightBound     = "weights"    // of nodes, for StoreAndForward
	CongestionBound = "congestion" // of links, for AllPort
)

// A Proof says why no complete exchange of the same processors under the same model, which is one in steps, has fewer,
// or which file shows it.
type Proof struct {
	Kind   string `json:"kind"` // bound or unsat
	Engine string `json:"engine"`
	Below  int    `json:"below"` // no exchange has fewer steps than this

	Bound   string `json:"bound,omitempty"`  // of kind bound: its name
	Weights []int  `json:"weights,omitzero"` // of WeightBound by node, of CongestionBound by link

	Format string `json:"format,omitempty"` // of kind unsat: of the file
	File   string `json:"file,omitempty"`   // of kind unsat: the name of the proof, in the folder of the schedule
	SHA256 string `json:"sha256,omitempty"` // of kind unsat: of the file
}

// A Block is what node From has for node To.
type Block struct{ From, To int32 }

// NewBlock returns the block that one node has for another.
func NewBlock(from, to int) Block { return Block{int32(from), int32(to)} }

// A Send takes blocks from one node to another.
type Send struct {
	From, To int32
	Axis     int      // along which it goes; -1 if that is not said
	Dir      core.Dir // 0 if that is not said; Plus on an axis without directions
	// Path is the way of a wormhole send that turns, which has neither axis nor direction; nil: it does not turn.
	Path   []Leg
	Blocks []Block
}

// Links returns the links of the send on a torus, in order.
func (s Send) Links(t *core.Torus) (links []core.Link) {
	v := int(s.From)
	ahead := func(axis int, dir core.Dir) {
		links = append(links, t.Link(v, axis, dir))
		v = t.Shift(v, axis, int(dir))
	}
	if s.Path == nil {
		for v != int(s.To) {
			ahead(s.Axis, s.Dir)
		}
	}
	for _, leg := range s.Path {
		for range max(leg.Links, -leg.Links) {
			dir := core.Plus
			if leg.Links < 0 {
				dir = core.Minus
			}
			ahead(int(leg.Axis), dir)
		}
	}
	return links
}

// A Leg is a straight part of a path: a number of links along an axis, below 0 in direction minus.
type Leg struct{ Axis, Links int32 }

// A Phase is a list of simultaneous sends. Its slices belong to whoever yields it and may be reused for the next
// phase.
type Phase []Send

// A Schedule is a list of phases after which every participant has what the others have for it. Phases are made as
// they are asked for: some schedules do not fit in memory.
type Schedule struct {
	Head
	Phases iter.Seq[Phase]
}
