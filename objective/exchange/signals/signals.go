// Package signals finds what keeps the sends of an exchange in order if the nodes do not run its phases in step:
// global barriers, or signals between pairs of nodes.
package signals

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// An Event is one send of a schedule. A node sends at most once in a phase, so phase and sender name it.
type Event struct {
	Phase int   `json:"phase"` // from 0
	From  int32 `json:"from"`
	To    int32 `json:"to"`
}

// A Signal is a message without content that orders two sends: After.To sends it to Before.From when After has
// arrived, and Before waits for it.
type Signal struct {
	After  Event `json:"after"`
	Before Event `json:"before"`
}

// A Sync says what a schedule needs if the nodes do not run its phases in step.
type Sync struct {
	// Barriers are the fewest global barriers that suffice without signals: after these phases, ascending from 0.
	Barriers []int `json:"barriers"`
	// Signals are the fewest signals that suffice without barriers and order nothing that need not be ordered.
	Signals []Signal `json:"signals"`
}

// maxEvents bounds the sends of a schedule, since the order takes a bit for every two of them.
const maxEvents = 1 << 16

// Synchronise returns the barriers or signals that a schedule needs. Every node takes its sends and receives phase by
// phase, and starts a send when all its own earlier sends and receives are complete; receives are posted beforehand.
// This orders some sends without further means. Besides, two kinds of pairs must keep the order of their phases:
// sends that share a directed link (wormhole routing only), and sends to the same node, whose receive port takes one
// at a time. The signals are those of these pairs that no chain of others implies: what the transitive reduction
// leaves. More than 2^16 sends are an *core.InputError.
func Synchronise(s exchange.Schedule) (Sync, error) {
	o, err := orderOf(s)
	if err != nil {
		return Sync{}, err
	}
	out := Sync{Barriers: o.barriers(), Signals: []Signal{}}
	for _, pair := range o.signals() {
		out.Signals = append(out.Signals, Signal{o.events[pair[0]], o.events[pair[1]]})
	}
	return out, nil
}

// A sendOrder says which sends of a schedule come before which. Sends have numbers that ascend with their phases.
type sendOrder struct {
	events []Event
	free   [][]int // by send: the last sends that its node waits for anyway
	forced [][]int // by send: the last ones before it with one of its links or its receiver
}

// orderOf reads a schedule. Of several earlier sends that must precede a send for the same reason it keeps the last
// one only, which comes after the others for that reason.
func orderOf(s exchange.Schedule) (*sendOrder, error) {
	var torus *core.Torus // nil: links do not matter
	if s.Model == exchange.Wormhole {
		var err error
		if torus, err = s.Network(); err != nil {
			return nil, err
		}
	}
	o := &sendOrder{}
	last := lastSends{send: map[int32]int{}, receives: map[int32][]int{}, receive: map[int32]int{},
		link: map[core.Link]int{}}
	phases := 0
	for phase := range s.Phases {
		start := len(o.events)
		if start+len(phase) > maxEvents {
			return nil, &core.InputError{Text: s.Name,
				Problem: fmt.Sprintf("the schedule has more than %d sends, too many to put in order", maxEvents)}
		}
		links := make([][]core.Link, len(phase))
		for i, send := range phase {
			if torus != nil {
				links[i] = send.Links(torus)
			}
			o.events = append(o.events, Event{phases, send.From, send.To})
			o.free = append(o.free, last.own(send))
			o.forced = append(o.forced, last.sharing(send, links[i]))
		}
		for i, send := range phase {
			last.note(start+i, start, send, links[i])
		}
		phases++
	}
	return o, nil
}

// lastSends remembers who used what last, as numbers of sends of earlier phases.
type lastSends struct {
	send     map[int32]int
	receives map[int32][]int // by node: what it received in or after the phase of its last send
	receive  map[int32]int
	link     map[core.Link]int
}

// own returns the sends that the sender of s took part in, except those before its last send, which waited for them.
func (l *lastSends) own(s exchange.Send) []int {
	list := slices.Clone(l.receives[s.From])
	if e, ok := l.send[s.From]; ok {
		list = append(list, e)
	}
	return list
}

// sharing returns the last sends that used the receive port or a link of s.
func (l *lastSends) sharing(s exchange.Send, links []core.Link) []int {
	var list []int
	if e, ok := l.receive[s.To]; ok {
		list = append(list, e)
	}
	for _, link := range links {
		if e, ok := l.link[link]; ok {
			list = append(list, e)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// note remembers send number i of a phase that starts with number start.
func (l *lastSends) note(i, start int, s exchange.Send, links []core.Link) {
	l.send[s.From] = i
	l.receives[s.From] = slices.DeleteFunc(l.receives[s.From], func(e int) bool { return e < start })
	l.receives[s.To] = append(l.receives[s.To], i)
	l.receive[s.To] = i
	for _, link := range links {
		l.link[link] = i
	}
}

// signals returns the pairs of sends that must be in order, are not ordered otherwise, and are not joined by a chain
// of other ordered pairs.
func (o *sendOrder) signals() [][2]int {
	earlier := o.closure(o.free, o.forced)
	var pairs [][2]int
	for f, list := range o.forced {
		before := slices.Concat(o.free[f], list)
		for _, e := range list {
			implied := slices.ContainsFunc(before, func(g int) bool { return g > e && earlier[g].Has(e) })
			if !implied && !slices.Contains(o.free[f], e) {
				pairs = append(pairs, [2]int{e, f})
			}
		}
	}
	return pairs
}

// barriers returns the fewest phases after which barriers order all pairs that must be in order and are not ordered
// otherwise. A chain from one send to another stays within their phases, so a barrier helps a pair only if it lies
// between them. So this is a smallest set of points that meets all intervals; the latest useful point for the
// interval that ends first is always part of one.
func (o *sendOrder) barriers() []int {
	earlier := o.closure(o.free)
	points := []int{}
	last := -1                      // the phase after which the last barrier stands
	for f, list := range o.forced { // ascending by the phase of f
		for _, e := range list {
			if o.events[e].Phase > last && !earlier[f].Has(e) {
				last = o.events[f].Phase - 1
				points = append(points, last)
			}
		}
	}
	return points
}

// closure returns for each send the set of sends before it, by chains of the given lists. A set has room for sends of
// smaller numbers only.
func (o *sendOrder) closure(relations ...[][]int) []core.Set {
	earlier := make([]core.Set, len(o.events))
	for f := range o.events {
		earlier[f] = core.NewSet(f)
		for _, before := range relations {
			for _, e := range before[f] {
				earlier[f].Add(e)
				for w, word := range earlier[e] {
					earlier[f][w] |= word
				}
			}
		}
	}
	return earlier
}
