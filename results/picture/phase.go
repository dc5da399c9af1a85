package picture

import (
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/exchange"
)

// A Phase says which phase of a schedule of complete exchange is drawn: Loads are then the blocks that it takes over
// each link. Each node shows how many blocks wait there for another when the phase starts; a terminal lists the sends.
type Phase struct {
	Head   exchange.Head
	Number int            // from 0
	Sends  exchange.Phase // of the phase
	Held   []int          // by node
}

// A NoPhaseError says that a schedule has no phase of a number.
type NoPhaseError struct{ Number, Phases int }

// Error names the number and how many phases there are.
func (e *NoPhaseError) Error() string {
	return fmt.Sprintf("%d: the schedule has %d phases, which count from 0", e.Number, e.Phases)
}

// PhaseAt follows a schedule up to a phase and returns what its picture shows, without looks. An error is
// that of the phases, a *NoPhaseError, or a *core.InputError: the head describes no network, or a send joins no two
// nodes.
func PhaseAt(head exchange.Head, phases iter.Seq2[exchange.Phase, error], number int) (Params, error) {
	t, err := head.Network()
	if err != nil {
		return Params{}, core.Invalid(head.Name, "%v", err)
	}
	demand, err := head.Blocks()
	if err != nil {
		return Params{}, core.Invalid(head.Name, "%v", err)
	}
	processors, err := core.NewPlacement(t, demand.Nodes)
	if err != nil {
		return Params{}, err
	}
	held := make([]int, t.N())
	for _, v := range demand.Nodes {
		for _, blocks := range demand.Receivers(v) {
			held[v] += blocks
		}
	}
	at := 0
	for sends, err := range phases {
		if err != nil {
			return Params{}, err
		}
		p := Phase{Head: head, Number: number, Sends: sends, Held: slices.Clone(held)}
		if err := follow(held, sends); err != nil || at == number {
			title := fmt.Sprintf("%s, phase %d", head.Name, number)
			return Params{Title: title, Placement: processors, Loads: p.blocks(t), Phase: &p}, err
		}
		at++
	}
	return Params{}, &NoPhaseError{Number: number, Phases: at}
}

// follow changes what nodes hold by the sends of a phase. A send from or to no node is an *core.InputError.
func follow(held []int, phase exchange.Phase) error {
	for i, s := range phase {
		if min(s.From, s.To) < 0 || int(max(s.From, s.To)) >= len(held) {
			return core.Invalid(fmt.Sprintf("%d -> %d", s.From, s.To), "send %d joins no two "+
				"nodes of the network", i).Hinted("leeway check names the fault")
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

// blocks returns how many blocks go over each link.
func (p *Phase) blocks(t *core.Network) *objective.Loads {
	count := make([]int64, t.M())
	for _, s := range p.Sends {
		for _, l := range linksOf(t, s) {
			count[l] += int64(len(s.Blocks))
		}
	}
	return objective.NewLoads(t, big.NewInt(1), count, nil)
}

// linksOf returns the links of a send: those on its way or, where it names none, one that joins its ends. Of a send
// that the checker would refuse some may be missing.
func linksOf(t *core.Network, s exchange.Send) []core.Link {
	if s.Path == nil && s.Axis >= 0 && s.Axis < t.D() && s.Dir != 0 && t.HasDimensions() {
		ahead := (t.Coord(int(s.To), s.Axis) - t.Coord(int(s.From), s.Axis)) * int(s.Dir)
		s.Path = []exchange.Leg{{Axis: int32(s.Axis), Links: int32(core.Mod(ahead, t.Side(s.Axis)) * int(s.Dir))}}
	}
	if s.Path == nil || !t.HasDimensions() {
		for l := range t.LinksFrom(int(s.From)) {
			if _, to := t.LinkEnds(l); to == int(s.To) {
				return []core.Link{l}
			}
		}
		return nil
	}
	far := 0
	for _, leg := range s.Path {
		if far += int(max(leg.Links, -leg.Links)); leg.Axis < 0 || int(leg.Axis) >= t.D() || far > t.N() {
			return nil
		}
	}
	return slices.DeleteFunc(s.Links(t), func(l core.Link) bool { return !t.HasLink(l) })
}

// facts returns which phase it is, and its numbers.
func (p *Phase) facts() []string {
	blocks, largest := 0, 0
	sending, receiving := map[int32]bool{}, map[int32]bool{}
	for _, s := range p.Sends {
		blocks, largest = blocks+len(s.Blocks), max(largest, len(s.Blocks))
		sending[s.From], receiving[s.To] = true, true
	}
	return []string{string(p.Head.Model), fmt.Sprintf("phase %d", p.Number), core.Count(len(p.Sends), "send"),
		core.Count(blocks, "block"), fmt.Sprintf("largest send %d", largest),
		fmt.Sprintf("busy ports %d of %d sending, %d of %d receiving", len(sending), len(p.Held), len(receiving),
			len(p.Held))}
}

// maxSendLines is how many sends a terminal lists.
const maxSendLines = 200

// list returns a line for each send, with its block or their number; nodes have their numbers.
func (p *Phase) list(arrow string) string {
	var b strings.Builder
	for i, s := range p.Sends {
		if i == maxSendLines {
			fmt.Fprintf(&b, "and %d sends more\n", len(p.Sends)-i)
			break
		}
		carried := core.Count(len(s.Blocks), "block")
		if len(s.Blocks) == 1 {
			carried = fmt.Sprintf("%d>%d", s.Blocks[0].From, s.Blocks[0].To)
		}
		fmt.Fprintf(&b, "%d %s %d  %s\n", s.From, arrow, s.To, carried)
	}
	return b.String()
}
