// Package exchange follows every block of a schedule of complete exchange through its phases, and derives lower bounds
// on any exchange of the same processors. It shares package objective/exchange with the generators and nothing else:
// what a send may do and what weights show is worked out here again. Package check reads the files and repeats the
// proofs.
package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/schedules"
)

// The verdicts, as in package check.
const (
	valid      = "valid"
	wrong      = "wrong"
	unreadable = "unreadable"
)

// The rules of complete exchange that a send can break.
const (
	ruleNode      = "node"      // ends, axis and blocks exist
	rulePosition  = "position"  // a block is where it is sent from when the phase starts
	rulePort      = "port"      // one send and one receive a node and phase
	ruleNeighbour = "neighbour" // in steps: one block, to a neighbour
	ruleLink      = "link"      // no directed link twice in a phase, with all ports as often as its bandwidth says
	ruleDelivery  = "delivery"  // at the end every block is where it belongs
	ruleDemand    = "demand"    // the demand is that of the traffic that the head names
)

// maxPositions is the largest number of blocks that are followed: a gigabyte.
const maxPositions = 1 << 28

// A Verdict says whether a schedule is a complete exchange, and what it costs. The figures are those of the phases that
// were read, all of them if the verdict is valid.
type Verdict struct {
	Verdict string `json:"verdict"` // valid, wrong or unreadable
	Reason  string `json:"reason"`  // "" if valid
	Fault   *Fault `json:"fault"`   // what is wrong; null unless wrong

	Model        string `json:"model"`
	Nodes        int    `json:"nodes"`
	Processors   int    `json:"processors"`   // that exchange
	Phases       int    `json:"phases"`       // startups, or steps
	Transmission int64  `json:"transmission"` // sum over phases of the largest send, in blocks
	Sends        int64  `json:"sends"`
	Hops         int64  `json:"hops"`       // blocks moved, counted at each send
	IdlePorts    int64  `json:"idle_ports"` // ports without use, or what links could carry and do not, over all phases
	LowerBound   Bounds `json:"lower_bound"`
	Ratios       Ratios `json:"ratios"`
}

// Ratios are the cost divided by the lower bound, in lowest terms; "" if the bound is 0.
type Ratios struct {
	Phases       string `json:"phases"`
	Transmission string `json:"transmission"`
}

// Follow returns the verdict about phases from anywhere. An error among them makes the schedule unreadable, as does a
// network too large to follow its blocks (2^28). Cost: O(1) per block of a send, plus a search per node of every axis;
// memory four bytes per block.
func Follow(head exchange.Head, phases schedules.Phases, m *meter.Meter) Verdict {
	net, err := newNetwork(head, m)
	if err == nil && head.Model == exchange.Wormhole && !net.HasDimensions() {
		err = fmt.Errorf("wormhole routing needs rings and paths as axes")
	}
	if err != nil {
		return NotRead(err)
	}
	e := newFollower(net, head)
	if problem := e.demandFault(); problem != nil {
		return e.verdict(problem)
	}
	for phase, err := range phases {
		if err != nil {
			return NotRead(err)
		}
		if problem := e.phase(phase); problem != nil {
			return e.verdict(problem)
		}
	}
	return e.verdict(e.undelivered())
}

// NotRead returns the verdict about a schedule that cannot be read or followed.
func NotRead(err error) Verdict { return Verdict{Verdict: unreadable, Reason: err.Error()} }

func (e *follower) verdict(f *fault) Verdict {
	n, p := int64(e.net.N()), len(e.net.demand.Nodes)
	v := Verdict{Verdict: valid, Model: string(e.model), Nodes: e.net.N(), Processors: p, Phases: e.phases,
		Transmission: e.transmission, Sends: e.sends, Hops: e.hops, IdlePorts: 2 * (n*int64(e.phases) - e.sends)}
	if e.model == exchange.AllPort {
		v.IdlePorts = e.net.Capacity()*int64(e.phases) - e.hops
	}
	if f != nil {
		v.Verdict, v.Reason, v.Fault = wrong, f.reason, &f.Fault
	}
	v.LowerBound = e.net.bounds()
	v.Ratios = Ratios{ratio(int64(e.phases), v.LowerBound.Phases), ratio(e.transmission, v.LowerBound.Transmission)}
	return v
}

func ratio(have, bound int64) string {
	if bound == 0 {
		return ""
	}
	return big.NewRat(have, bound).RatString()
}

// A follower follows every block through the phases.
type follower struct {
	net   *network
	model exchange.Model
	// at[i*p+j] is the node that has the block of processor i for processor j, -1 while it is sent; nil with a demand.
	at                        []int32
	held                      map[holding]int // with a demand: how many blocks, where there are some
	sent, received            []int32         // by node: the phase of its last send and receive, from 1
	used                      []int32         // by link: the phase of its last use, from 1
	carried                   []int32         // by link: the blocks of that phase, or by wormhole routing the sends
	phases                    int
	transmission, sends, hops int64
}

func newFollower(net *network, head exchange.Head) *follower {
	p := len(net.demand.Nodes)
	net.meter.Charge(8 * int64(net.N()+net.M()))
	e := &follower{net: net, model: head.Model, sent: make([]int32, net.N()), received: make([]int32, net.N())}
	if head.Model != exchange.StoreAndForward {
		e.used, e.carried = make([]int32, net.M()), make([]int32, net.M())
	}
	if !net.demand.IsComplete() {
		net.meter.Charge(heldSteps * int64(len(head.Demand)))
		e.held = map[holding]int{}
		for _, v := range net.demand.Nodes {
			for to, blocks := range net.demand.Receivers(v) {
				e.held[holding{exchange.NewBlock(v, to), int32(v)}] = blocks
			}
		}
		return e
	}
	net.meter.Charge(4 * int64(p) * int64(p))
	e.at = make([]int32, p*p)
	for i, v := range net.demand.Nodes {
		for j := range p {
			e.at[i*p+j] = int32(v)
		}
	}
	return e
}

// A holding is a block, of those that are alike, at a node.
type holding struct {
	exchange.Block
	at int32
}

// heldSteps is what an entry of the blocks that nodes hold takes.
const heldSteps = 64

// demandFault says that the demand is not that of the traffic which the head names, nil if it is or none is named.
func (e *follower) demandFault() *fault {
	fail := func(format string, args ...any) *fault {
		return &fault{Fault{Rule: ruleDemand, Phase: -1, Send: -1}, "traffic: " + fmt.Sprintf(format, args...)}
	}
	h := e.net.head
	var t objective.Traffic
	var err error
	switch {
	case h.Traffic == "" && h.Placement == nil && h.Matrix == nil:
		return nil
	case (h.Traffic == objective.MatrixTraffic) != (h.Matrix != nil):
		return fail("%q goes with a matrix, and no other traffic does", objective.MatrixTraffic)
	case h.Matrix != nil:
		e.net.meter.Charge(heldSteps * int64(len(*h.Matrix)))
		t.Matrix, err = results.ReadMatrix(*h.Matrix)
	default:
		t, err = objective.ParseTraffic(h.Traffic)
	}
	if err != nil {
		return fail("%v", err)
	}
	e.net.meter.Charge(heldSteps * int64(len(h.Placement)))
	place := core.NewPlacement
	if t.Matrix != nil {
		place = core.PlaceTasks
	}
	p, err := place(e.net.Network, h.Placement)
	if err != nil {
		return fail("%v", err)
	}
	switch at := p.Tasks(); {
	case t.Matrix != nil && len(at) != t.Matrix.Tasks:
		return fail("there are %d tasks, and nodes for %d", t.Matrix.Tasks, len(at))
	case t.Clients():
		e.net.meter.ChargeAll(heldSteps, e.net.N(), p.Size())
	case t.Matrix == nil:
		e.net.meter.ChargeAll(heldSteps, p.Size(), p.Size())
	}
	want := map[[2]int]int64{}
	question := objective.Problem{Routing: routing.NewMinimal(e.net.Network, routing.TieBoth), // any
		Terms: objective.Terms{Traffic: t}}
	for m := range question.Messages(p) {
		want[[2]int{m.From, m.To}] += m.Count
	}
	for _, v := range e.net.demand.Nodes {
		for to, blocks := range e.net.demand.Receivers(v) {
			want[[2]int{v, to}] -= int64(blocks)
		}
	}
	maps.DeleteFunc(want, func(_ [2]int, blocks int64) bool { return blocks == 0 })
	if len(want) == 0 {
		return nil
	}
	ends := slices.MinFunc(slices.Collect(maps.Keys(want)), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return fail("from node %d for node %d there are %d blocks more than in the demand", ends[0], ends[1], want[ends])
}

// phase checks all sends of a phase against the state at its start, and only then moves their blocks.
func (e *follower) phase(phase exchange.Phase) *fault {
	if e.phases == math.MaxInt32-1 {
		return e.wrong(ruleNode, -1, "there are more than %d phases", e.phases)
	}
	steps := 1 + 2*len(phase)
	for i := range phase {
		steps += len(phase[i].Blocks)
	}
	e.net.meter.Charge(int64(steps))
	for i := range phase {
		if f := e.checkSend(i, &phase[i]); f != nil {
			return e.onLink(f, &phase[i])
		}
	}
	largest := 0
	for i := range phase {
		for _, b := range phase[i].Blocks {
			e.put(b, phase[i].To)
		}
		e.hops += int64(len(phase[i].Blocks))
		largest = max(largest, len(phase[i].Blocks))
	}
	e.phases++
	e.transmission += int64(largest)
	e.sends += int64(len(phase))
	return nil
}

// put notes that a block is at a node.
func (e *follower) put(b exchange.Block, node int32) {
	if e.held != nil {
		e.held[holding{b, node}]++
	} else {
		*e.place(b) = node
	}
}

// take takes a block away from the node that sends it.
func (e *follower) take(i int, b exchange.Block, node int32) *fault {
	if e.held != nil {
		e.net.meter.Charge(heldSteps)
		left := e.held[holding{b, node}] - 1
		if left < 0 {
			return e.wrong(rulePosition, i, "node %d has no block from %d for %d, or fewer than it sends", node, b.From, b.To)
		}
		if e.held[holding{b, node}] = left; left == 0 {
			delete(e.held, holding{b, node})
		}
		return nil
	}
	switch at := e.place(b); *at {
	case node:
		*at = -1
		return nil
	case -1:
		return e.wrong(rulePosition, i, "the block from %d for %d stands twice", b.From, b.To)
	default:
		return e.wrong(rulePosition, i, "the block from %d for %d is at %d, not at %d", b.From, b.To, *at, node)
	}
}

// place returns where the position of a block is kept.
func (e *follower) place(b exchange.Block) *int32 {
	return &e.at[int(e.net.number[b.From])*len(e.net.demand.Nodes)+int(e.net.number[b.To])]
}

// checkSend returns the first rule that a send breaks, given what the earlier sends of the phase use, or nil; it notes
// the ports and links of the send.
func (e *follower) checkSend(i int, send *exchange.Send) *fault {
	if f := e.checkNodes(i, send); f != nil {
		return f
	}
	if now := int32(e.phases + 1); e.model != exchange.AllPort {
		switch {
		case e.sent[send.From] == now:
			return e.wrong(rulePort, i, "node %d sends twice", send.From)
		case e.received[send.To] == now:
			return e.wrong(rulePort, i, "node %d receives twice", send.To)
		}
		e.sent[send.From], e.received[send.To] = now, now
	}
	for _, b := range send.Blocks {
		if !e.net.processor(b.From) || !e.net.processor(b.To) || b.From == b.To {
			return e.wrong(ruleNode, i, "there is no block from %d for %d", b.From, b.To)
		}
		if f := e.take(i, b, send.From); f != nil {
			return f
		}
	}
	if e.model.InSteps() {
		return e.checkStep(i, send)
	}
	return e.checkLinks(i, send)
}

// checkNodes checks that the ends and the axis exist.
func (e *follower) checkNodes(i int, send *exchange.Send) *fault {
	for _, v := range []int32{send.From, send.To} {
		if v < 0 || int(v) >= e.net.N() {
			return e.wrong(ruleNode, i, "there is no node %d, only 0..%d", v, e.net.N()-1)
		}
	}
	if send.Axis < -1 || send.Axis >= len(e.net.head.Axes) {
		return e.wrong(ruleNode, i, "there is no axis %d, only 0..%d", send.Axis, len(e.net.head.Axes)-1)
	}
	return nil
}

// checkLinks checks a wormhole send: it carries blocks along its axis, or its path, over links that no other send of
// the phase uses.
func (e *follower) checkLinks(i int, send *exchange.Send) *fault {
	if len(send.Blocks) == 0 {
		return e.wrong(ruleNode, i, "it takes no block")
	}
	if send.Path != nil {
		return e.checkPath(i, send)
	}
	if send.Axis < 0 || send.Dir == 0 {
		return e.wrong(ruleLink, i, "it does not say axis and direction")
	}
	stride := e.net.Stride(send.Axis)
	if c, d := e.net.Coord(int(send.From), send.Axis), e.net.Coord(int(send.To), send.Axis); c == d ||
		int(send.From)+(d-c)*stride != int(send.To) {
		return e.wrong(ruleLink, i, "nodes %d and %d do not differ along axis %d only", send.From, send.To, send.Axis)
	}
	for v := int(send.From); v != int(send.To); {
		next, f := e.traverse(i, v, send.Axis, send.Dir)
		if f != nil {
			return f
		}
		v = next
	}
	return nil
}

// checkPath checks a send that turns.
func (e *follower) checkPath(i int, send *exchange.Send) *fault {
	if send.Axis >= 0 || send.Dir != 0 {
		return e.wrong(ruleLink, i, "it has a path and an axis or a direction")
	}
	if send.From == send.To {
		return e.wrong(ruleLink, i, "it ends where it starts, at node %d", send.From)
	}
	v := int(send.From)
	for _, leg := range send.Path {
		if leg.Axis < 0 || int(leg.Axis) >= len(e.net.head.Axes) {
			return e.wrong(ruleNode, i, "there is no axis %d, only 0..%d", leg.Axis, len(e.net.head.Axes)-1)
		}
		dir, links := core.Plus, int(leg.Links)
		if links < 0 {
			dir, links = core.Minus, -links
		}
		for range links { // ends at the latest when it comes to a link again
			next, f := e.traverse(i, v, int(leg.Axis), dir)
			if f != nil {
				return f
			}
			v = next
		}
	}
	if v != int(send.To) {
		return e.wrong(ruleLink, i, "its path ends at node %d, not at %d", v, send.To)
	}
	return nil
}

// traverse notes that a send uses the link from a node, and returns the node at its end.
func (e *follower) traverse(i, v, axis int, dir core.Dir) (int, *fault) {
	e.net.meter.Charge(1)
	l := e.net.Link(v, axis, dir)
	if !e.net.HasLink(l) || !e.net.follows(l, axis, dir) {
		return v, e.wrong(ruleLink, i, "from node %d it runs off the end of axis %d", v, axis)
	}
	_, next := e.net.LinkEnds(l)
	if !e.carry(l, 1) {
		f := e.wrong(ruleLink, i, "the link from node %d along axis %d in direction %v is used twice", v, axis, dir)
		f.Link = &Link{v, next, axis, dir.String()}
		return v, f
	}
	return next, nil
}

// A Fault is the first place where a schedule breaks a rule. Phases and sends count from 0. For a block left
// undelivered the phase is the last one, -1 if there is none, and the send is -1.
type Fault struct {
	Rule  string `json:"rule"`
	Phase int    `json:"phase"`
	Send  int    `json:"send"`
	// Link is the directed link used twice, or else the first link that the send needs, or the next one of an
	// undelivered block; null if the send does not say which way it goes.
	Link *Link `json:"link"`
}

// A Link is a directed link to the neighbour along an axis.
type Link struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Axis int    `json:"axis"`
	Dir  string `json:"dir"` // + or -; "" where the axis has no directions
}

func (l Link) String() string {
	text := fmt.Sprintf("the link from node %d to node %d along axis %d", l.From, l.To, l.Axis)
	if l.Dir != "" {
		text += " in direction " + l.Dir
	}
	return text
}

// A fault is a broken rule with its explanation.
type fault struct {
	Fault
	reason string
}

func (e *follower) wrong(rule string, send int, format string, args ...any) *fault {
	place := fmt.Sprintf("phase %d", e.phases)
	if send >= 0 {
		place += fmt.Sprintf(", send %d", send)
	}
	return &fault{Fault{Rule: rule, Phase: e.phases, Send: send}, place + ": " + fmt.Sprintf(format, args...)}
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

// firstLink returns the first link of a send, nil if the send does not say which one it is.
func (e *follower) firstLink(send *exchange.Send) *Link {
	axis, dir := send.Axis, send.Dir
	if len(send.Path) > 0 {
		leg := send.Path[0]
		axis, dir = int(leg.Axis), core.Plus
		if leg.Links < 0 {
			dir = core.Minus
		}
	}
	if send.From < 0 || int(send.From) >= e.net.N() || axis >= len(e.net.head.Axes) || axis < -1 {
		return nil
	}
	if axis >= 0 && dir != 0 && e.net.HasDimensions() && e.model != exchange.AllPort {
		if l := e.net.Link(int(send.From), axis, dir); e.net.HasLink(l) && e.net.follows(l, axis, dir) {
			_, next := e.net.LinkEnds(l)
			return &Link{int(send.From), next, axis, dir.String()}
		}
		return nil
	}
	if send.To < 0 || int(send.To) >= e.net.N() {
		return nil
	}
	return e.net.linkTowards(send.From, send.To)
}

// undelivered returns the fault of the first block that is not at its destination, nil if there is none.
func (e *follower) undelivered() *fault {
	late := func(b exchange.Block, at int32) *fault {
		link := e.net.linkTowards(at, b.To)
		return &fault{Fault{Rule: ruleDelivery, Phase: e.phases - 1, Send: -1, Link: link},
			fmt.Sprintf("after the last phase (%d) the block from %d for %d is at %d: it lacks %v", e.phases-1,
				b.From, b.To, at, link)}
	}
	e.net.meter.Charge(int64(len(e.held)))
	var first *holding
	for h := range e.held {
		if h.at != h.To && (first == nil || cmp.Or(h.From-first.From, h.To-first.To, h.at-first.at) < 0) {
			first = &h
		}
	}
	if first != nil {
		return late(first.Block, first.at)
	}
	p := len(e.net.demand.Nodes)
	for i, from := range e.net.demand.Nodes {
		e.net.meter.Charge(int64(p))
		for j, to := range e.net.demand.Nodes {
			if e.at != nil && i != j && int(e.at[i*p+j]) != to {
				return late(exchange.NewBlock(from, to), e.at[i*p+j])
			}
		}
	}
	return nil
}
