package check

import (
	"leeway/core"
	"leeway/results"
)

// checkSend returns the first rule that a send breaks, given what the sends before
// it in the phase use, nil if none; and notes its ports and links.
func (e *exchange) checkSend(i int, send results.ScheduleSend) *fault {
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
	if e.model == results.StoreAndForward {
		return e.checkStep(i, send)
	}
	return e.checkLinks(i, send)
}

// checkNodes checks that the ends and the axis exist.
func (e *exchange) checkNodes(i int, send results.ScheduleSend) *fault {
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
func (e *exchange) checkStep(i int, send results.ScheduleSend) *fault {
	if len(send.Blocks) != 1 {
		return e.wrong(RuleNeighbour, i, "it takes %d blocks; store and forward takes one", len(send.Blocks))
	}
	for j, a := range e.net.axes {
		if send.Axis >= 0 && send.Axis != j || !e.net.differOnly(send.From, send.To, j) {
			continue
		}
		from, to := e.net.coord(send.From, j), e.net.coord(send.To, j)
		if a.adjacent(from, to) && (send.Axis < 0 || a.directed(from, to, send.Dir)) {
			return nil
		}
	}
	if send.Axis < 0 {
		return e.wrong(RuleNeighbour, i, "node %d is no neighbour of node %d", send.To, send.From)
	}
	return e.wrong(RuleNeighbour, i, "node %d is no neighbour of node %d along axis %d in direction %v", send.To, send.From, send.Axis, send.Dir)
}

// checkLinks checks a send of wormhole routing: it takes something along its axis,
// over links that no other send of the phase uses.
func (e *exchange) checkLinks(i int, send results.ScheduleSend) *fault {
	if len(send.Blocks) == 0 {
		return e.wrong(RuleNode, i, "it takes no block")
	}
	if send.Axis < 0 || send.Dir == 0 {
		return e.wrong(RuleLink, i, "it does not say axis and direction")
	}
	a := e.net.axes[send.Axis]
	if a.kind != results.AxisRing && a.kind != results.AxisPath {
		return e.wrong(RuleLink, i, "axis %d is a %s, which has no directions", send.Axis, a.kind)
	}
	if !e.net.differOnly(send.From, send.To, send.Axis) {
		return e.wrong(RuleLink, i, "nodes %d and %d do not differ along axis %d only", send.From, send.To, send.Axis)
	}
	stride, now := e.net.strides[send.Axis], int32(e.phases+1)
	for v := int(send.From); v != int(send.To); {
		c := v / stride % a.nodes
		next := c + int(send.Dir)
		if a.kind == results.AxisPath && (next < 0 || next >= a.nodes) {
			return e.wrong(RuleLink, i, "from node %d it runs off the end of axis %d", send.From, send.Axis)
		}
		next = (next + a.nodes) % a.nodes
		port := 2 * send.Axis
		if send.Dir == core.Minus && a.nodes > 2 { // a side of 2 has one link each way
			port++
		}
		if used := &e.used[port*e.net.nodes+v]; *used != now {
			*used = now
		} else {
			f := e.wrong(RuleLink, i, "the link from node %d along axis %d in direction %v is used twice", v, send.Axis, send.Dir)
			f.Link = &FaultLink{From: v, Axis: send.Axis, Dir: send.Dir.String()}
			return f
		}
		v += (next - c) * stride
	}
	return nil
}
