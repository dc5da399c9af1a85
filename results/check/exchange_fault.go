package check

import (
	"fmt"

	"leeway/core"
	"leeway/objective/exchange"
)

// An ExchangeFault is the first place where a schedule breaks a rule. Phases and sends count
// from 0. A block left undelivered has the last phase and send -1; without phases the phase
// is -1 too.
type ExchangeFault struct {
	Rule  string `json:"rule"`
	Phase int    `json:"phase"`
	Send  int    `json:"send"`
	// Link is the directed link used twice, or else the first that the send needs, or that
	// an undelivered block needs next; null where a send does not say where it goes.
	Link *FaultLink `json:"link"`
}

// A FaultLink is a directed link to the neighbour along an axis.
type FaultLink struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Axis int    `json:"axis"`
	Dir  string `json:"dir"` // + or -; "" where the axis has no directions
}

func (l FaultLink) String() string {
	text := fmt.Sprintf("the link from node %d to node %d along axis %d", l.From, l.To, l.Axis)
	if l.Dir != "" {
		text += " in direction " + l.Dir
	}
	return text
}

// A fault is a broken rule with its explanation.
type fault struct {
	ExchangeFault
	reason string
}

func (e *follower) wrong(rule string, send int, format string, args ...any) *fault {
	place := fmt.Sprintf("phase %d", e.phases)
	if send >= 0 {
		place += fmt.Sprintf(", send %d", send)
	}
	return &fault{ExchangeFault{Rule: rule, Phase: e.phases, Send: send}, place + ": " + fmt.Sprintf(format, args...)}
}

// onLink adds to a fault the first link of its send, if it names none yet.
func (e *follower) onLink(f *fault, send *exchange.Send) *fault {
	if f.Link == nil {
		if f.Link = e.firstLink(send); f.Link != nil {
			f.reason += fmt.Sprintf(" (%v)", f.Link)
		}
	}
	return f
}

// firstLink returns the first link that a send needs as far as it says so, nil where it
// does not.
func (e *follower) firstLink(send *exchange.Send) *FaultLink {
	if send.From < 0 || int(send.From) >= e.net.nodes {
		return nil
	}
	axis, dir := send.Axis, send.Dir
	if len(send.Path) > 0 {
		leg := send.Path[0]
		axis, dir = int(leg.Axis), core.Plus
		if leg.Links < 0 {
			dir = core.Minus
		}
	}
	if axis >= len(e.net.axes) || axis < -1 {
		return nil
	}
	if axis >= 0 && dir != 0 && e.net.axes[axis].straight() {
		if next, ok := e.net.next(int(send.From), axis, dir); ok && next != int(send.From) {
			return &FaultLink{int(send.From), next, axis, dir.String()}
		}
		return nil
	}
	if send.To < 0 || int(send.To) >= e.net.nodes {
		return nil
	}
	return e.net.linkTowards(send.From, send.To)
}

// linkTowards returns the first link of a shortest way from a node to another, nil if they
// are one.
func (n *network) linkTowards(from, to int32) *FaultLink {
	for i := range n.axes {
		a, c, end := &n.axes[i], n.coord(from, i), n.coord(to, i)
		for next := range a.nodes {
			if a.distance[c][next] != 1 || a.distance[next][end] >= a.distance[c][end] {
				continue
			}
			l := &FaultLink{From: int(from), To: int(from) + (next-c)*n.strides[i], Axis: i}
			if a.straight() {
				l.Dir = core.Plus.String()
				if !a.directed(c, next, core.Plus) {
					l.Dir = core.Minus.String()
				}
			}
			return l
		}
	}
	return nil
}

// undelivered returns the fault of the first block that is not where it belongs.
func (e *follower) undelivered() *fault {
	p := len(e.net.processors)
	for i, from := range e.net.processors {
		e.net.meter.charge(int64(p))
		for j, to := range e.net.processors {
			if at := e.at[i*p+j]; i != j && int(at) != to {
				link := e.net.linkTowards(at, int32(to))
				return &fault{ExchangeFault{Rule: RuleDelivery, Phase: e.phases - 1, Send: -1, Link: link},
					fmt.Sprintf("after the last phase (%d) the block from %d for %d is at %d: it lacks %v", e.phases-1, from, to, at, link)}
			}
		}
	}
	return nil
}
