package picture

import (
	"fmt"
	"strings"

	"leeway/core"
	"leeway/objective/exchange"
)

// A PhaseParams says which phase of a schedule of complete exchange to draw, and how.
// Nodes stand in rows along the last axis, all other axes downwards.
type PhaseParams struct {
	Title  string // any text, "" for the name of the schedule
	Head   exchange.Head
	Number int            // of the phase, from 0
	Phase  exchange.Phase // its sends
	Held   []int          // by node: blocks that wait there for another node when the phase starts
	Theme  Theme
	ASCII  bool // terminal: no characters beyond ASCII
}

// HeldAtStart returns how many blocks wait at each node for another before the first
// phase, an *core.InputError if there are too many nodes to draw.
func HeldAtStart(head exchange.Head) ([]int, error) {
	nodes := 1
	for _, a := range head.Axes {
		if a.Nodes < 1 || nodes*a.Nodes > MaxNodes {
			return nil, &core.InputError{Text: head.Name, Problem: fmt.Sprintf("pictures are limited to %d nodes", MaxNodes),
				Hint: "draw a schedule of a smaller network"}
		}
		nodes *= a.Nodes
	}
	held := make([]int, nodes)
	for v := range held {
		if head.Participants == nil {
			held[v] = nodes - 1
		}
	}
	for _, v := range head.Participants {
		if v < 0 || v >= nodes {
			return nil, &core.InputError{Text: head.Name, Problem: fmt.Sprintf("participant %d is no node", v)}
		}
		held[v] = len(head.Participants) - 1
	}
	return held, nil
}

// Follow changes what nodes hold by the sends of a phase. A send from or to no node is an
// *core.InputError.
func Follow(held []int, phase exchange.Phase) error {
	for i, s := range phase {
		if min(s.From, s.To) < 0 || int(max(s.From, s.To)) >= len(held) {
			return &core.InputError{Text: fmt.Sprintf("%d -> %d", s.From, s.To), Problem: fmt.Sprintf("send %d joins no two "+
				"nodes of the network", i), Hint: "leeway check names the fault"}
		}
		held[s.From] -= len(s.Blocks)
		for _, b := range s.Blocks {
			if b.To != s.To {
				held[s.To]++
			}
		}
	}
	return nil
}

// columns returns how many nodes stand in a row.
func (p PhaseParams) columns() int { return p.Head.Axes[len(p.Head.Axes)-1].Nodes }

// name returns the title, or the name of the schedule.
func (p PhaseParams) name() string {
	if p.Title != "" {
		return p.Title
	}
	return fmt.Sprintf("%s, phase %d", p.Head.Name, p.Number)
}

// facts returns what the phase runs on and its numbers.
func (p PhaseParams) facts() string { return p.network() + ": " + p.traffic() }

// network says on what the phase runs, and which it is.
func (p PhaseParams) network() string {
	var sides []string
	for _, a := range p.Head.Axes {
		sides = append(sides, fmt.Sprintf("%s %d", a.Kind, a.Nodes))
	}
	return fmt.Sprintf("%s, %s, phase %d", strings.Join(sides, " x "), p.Head.Model, p.Number)
}

// traffic returns the numbers of the phase.
func (p PhaseParams) traffic() string {
	blocks, largest := 0, 0
	for _, s := range p.Phase {
		blocks, largest = blocks+len(s.Blocks), max(largest, len(s.Blocks))
	}
	send, receive := p.ports()
	return fmt.Sprintf("%d sends, %d blocks, largest send %d, busy ports %d of %d sending, %d of %d receiving",
		len(p.Phase), blocks, largest, count(send), len(send), count(receive), len(receive))
}

// ports reports by node whether it sends and whether it receives.
func (p PhaseParams) ports() (sends, receives []bool) {
	sends, receives = make([]bool, len(p.Held)), make([]bool, len(p.Held))
	for _, s := range p.Phase {
		sends[s.From], receives[s.To] = true, true
	}
	return sends, receives
}

func count(list []bool) int {
	n := 0
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// processors reports by node whether it exchanges.
func (p PhaseParams) processors() []bool {
	is := make([]bool, len(p.Held))
	for v := range is {
		is[v] = p.Head.Participants == nil
	}
	for _, v := range p.Head.Participants {
		is[v] = true
	}
	return is
}

// blocksOf returns what a send carries: the block of one, or how many.
func blocksOf(s exchange.Send) string {
	if len(s.Blocks) == 1 {
		return fmt.Sprintf("%d>%d", s.Blocks[0].From, s.Blocks[0].To)
	}
	return fmt.Sprintf("%d blocks", len(s.Blocks))
}
