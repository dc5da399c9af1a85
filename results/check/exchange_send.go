package check

import (
	"leeway/core"
	"leeway/objective/exchange"
)

// checkSend returns the first rule that a send breaks, given what the sends before
// it in the phase use, nil if none; and notes its ports and links.
func (e *follower) checkSend(i int, send *exchange.Send) *fault {
	if f := e.checkNodes(i, send); f != nil {
		return f
	}
	now := int32(e.phases + 1)
	switch {
	case e.sent[send.From] == now:
		return e.wrong(RulePort, i, "node %d sends twice", send.From)
	case e.received[send.To] == now:
		return e.wrong(RulePort, i, "node %d receives twice", send.To)
	}
	e.sent[send.From], e.received[send.To] = now, now
	for _, b := range send.Blocks {
		if !e.net.processor(b.From) || !e.net.processor(b.To) || b.From == b.To {
			return e.wrong(RuleNode, i, "there is no block from %d for %d", b.From, b.To)
		}
		if at := *e.place(b); at != send.From {
			return e.wrong(RulePosition, i, "the block from %d for %d is at %d, not at %d", b.From, b.To, at, send.From)
		}
	}
	if e.model == exchange.StoreAndForward {
		return e.checkStep(i, send)
	}
	return e.checkLinks(i, send)
}

// checkNodes checks that the ends and the axis exist.
func (e *follower) checkNodes(i int, send *exchange.Send) *fault {
	for _, v := range []int32{send.From, send.To} {
		if v < 0 || int(v) >= e.net.nodes {
			return e.wrong(RuleNode, i, "there is no node %d, only 0..%d", v, e.net.nodes-1)
		}
	}
	if send.Axis < -1 || send.Axis >= len(e.net.axes) {
		return e.wrong(RuleNode, i, "there is no axis %d, only 0..%d", send.Axis, len(e.net.axes)-1)
	}
	return nil
}

// checkStep checks a send of store and forward: one block, to a neighbour. Axis and
// direction need not be said, but must be right if they are.
func (e *follower) checkStep(i int, send *exchange.Send) *fault {
	if send.Path != nil {
		return e.wrong(RuleNeighbour, i, "it has a path; store and forward goes to a neighbour")
	}
	if len(send.Blocks) != 1 {
		return e.wrong(RuleNeighbour, i, "it takes %d blocks; store and forward takes one", len(send.Blocks))
	}
	if send.Axis >= 0 && send.Dir != 0 && e.net.axes[send.Axis].straight() { // as most files say: without a look at all axes
		if next, ok := e.net.next(int(send.From), send.Axis, send.Dir); ok && next == int(send.To) && next != int(send.From) {
			return nil
		}
		return e.wrongStep(i, send)
	}
	for j := range e.net.axes {
		if send.Axis >= 0 && send.Axis != j || !e.net.differOnly(send.From, send.To, j) {
			continue
		}
		a, from, to := &e.net.axes[j], e.net.coord(send.From, j), e.net.coord(send.To, j)
		if a.adjacent(from, to) && (send.Axis < 0 || a.directed(from, to, send.Dir)) {
			return nil
		}
	}
	return e.wrongStep(i, send)
}

// wrongStep says that a send of store and forward does not go to a neighbour.
func (e *follower) wrongStep(i int, send *exchange.Send) *fault {
	if send.Axis < 0 {
		return e.wrong(RuleNeighbour, i, "node %d is no neighbour of node %d", send.To, send.From)
	}
	return e.wrong(RuleNeighbour, i, "node %d is no neighbour of node %d along axis %d in direction %v", send.To, send.From, send.Axis, send.Dir)
}

// checkLinks checks a send of wormhole routing: it takes something along its axis,
// or its path, over links that no other send of the phase uses.
func (e *follower) checkLinks(i int, send *exchange.Send) *fault {
	if len(send.Blocks) == 0 {
		return e.wrong(RuleNode, i, "it takes no block")
	}
	if send.Path != nil {
		return e.checkPath(i, send)
	}
	if send.Axis < 0 || send.Dir == 0 {
		return e.wrong(RuleLink, i, "it does not say axis and direction")
	}
	if a := &e.net.axes[send.Axis]; !a.straight() {
		return e.wrong(RuleLink, i, "axis %d is a %s, which has no directions", send.Axis, a.kind)
	}
	if !e.net.differOnly(send.From, send.To, send.Axis) {
		return e.wrong(RuleLink, i, "nodes %d and %d do not differ along axis %d only", send.From, send.To, send.Axis)
	}
	for v := int(send.From); v != int(send.To); {
		next, f := e.take(i, v, send.Axis, send.Dir)
		if f != nil {
			return f
		}
		v = next
	}
	return nil
}

// straight reports whether an axis has directions.
func (a *axis) straight() bool { return a.kind == exchange.Ring || a.kind == exchange.Path }

// checkPath checks a send that turns.
func (e *follower) checkPath(i int, send *exchange.Send) *fault {
	if send.Axis >= 0 || send.Dir != 0 {
		return e.wrong(RuleLink, i, "it has a path and an axis or a direction")
	}
	if send.From == send.To {
		return e.wrong(RuleLink, i, "it ends where it starts, at node %d", send.From)
	}
	v := int(send.From)
	for _, leg := range send.Path {
		if leg.Axis < 0 || int(leg.Axis) >= len(e.net.axes) {
			return e.wrong(RuleNode, i, "there is no axis %d, only 0..%d", leg.Axis, len(e.net.axes)-1)
		}
		if a := &e.net.axes[leg.Axis]; !a.straight() {
			return e.wrong(RuleLink, i, "axis %d is a %s, which has no directions", leg.Axis, a.kind)
		}
		dir, links := core.Plus, int(leg.Links)
		if links < 0 {
			dir, links = core.Minus, -links
		}
		for range links { // ends at the latest when it comes to a link again
			next, f := e.take(i, v, int(leg.Axis), dir)
			if f != nil {
				return f
			}
			v = next
		}
	}
	if v != int(send.To) {
		return e.wrong(RuleLink, i, "its path ends at node %d, not at %d", v, send.To)
	}
	return nil
}

// take notes that a send uses the link from a node, and returns the node at its end.
func (e *follower) take(i, v, axis int, dir core.Dir) (int, *fault) {
	e.net.meter.charge(1)
	next, ok := e.net.next(v, axis, dir)
	if !ok {
		return v, e.wrong(RuleLink, i, "from node %d it runs off the end of axis %d", v, axis)
	}
	port := 2 * axis
	if dir == core.Minus && e.net.axes[axis].nodes > 2 { // a side of 2 has one link each way
		port++
	}
	used := &e.used[port*e.net.nodes+v]
	if *used == int32(e.phases+1) {
		f := e.wrong(RuleLink, i, "the link from node %d along axis %d in direction %v is used twice", v, axis, dir)
		f.Link = &FaultLink{v, next, axis, dir.String()}
		return v, f
	}
	*used = int32(e.phases + 1)
	return next, nil
}
