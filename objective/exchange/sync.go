package exchange

import (
	"fmt"
	"slices"

	"leeway/core"
)

// An Event is one send of a schedule. A node sends at most once in a phase, so phase and
// sender name it.
type Event struct {
	Phase    int // from 1
	From, To int32
}

// A Signal is a message without content that keeps two sends apart: After.To sends it
// to Before.From when After has arrived, and Before waits for it.
type Signal struct {
	After, Before Event
}

// A Sync says what a schedule needs if its phases are not in step by themselves.
type Sync struct {
	Phases, Sends int
	// Barriers are the fewest global barriers that suffice without signals: after
	// these phases, ascending.
	Barriers []int
	// Signals are those that suffice without barriers: the fewest that put nothing in
	// order but what must be.
	Signals []Signal
}

// maxEvents bounds the sends of a schedule whose order is worked out: that takes a bit
// for every two of them.
const maxEvents = 1 << 16

// Synchronise returns which barriers or signals a schedule needs. Every node takes its
// sends and receives phase by phase, and starts a send when all its own earlier ones, of
// both kinds, are over; receives are posted beforehand. That orders some sends for free.
// What must be in the order of the phases besides: sends that share a directed link
// (wormhole only), and sends to one node, whose receive port takes one at a time. Of
// these pairs the signals are those that no chain of others implies: what the transitive
// reduction leaves. More than 2^16 sends are an *core.InputError.
func Synchronise(s Schedule) (Sync, error) {
	o, err := orderOf(s)
	if err != nil {
		return Sync{}, err
	}
	out := Sync{Phases: o.phases, Sends: len(o.events)}
	for _, pair := range o.signals() {
		out.Signals = append(out.Signals, Signal{o.events[pair[0]], o.events[pair[1]]})
	}
	out.Barriers = o.barriers()
	return out, nil
}

// A sendOrder says which sends of a schedule come before which. Sends have numbers that
// ascend with their phases.
type sendOrder struct {
	phases int
	events []Event
	free   [][]int // by send: the last sends that its node waits for anyway
	forced [][]int // by send: the last ones before it with one of its links or its receiver
}

// orderOf reads a schedule. Only the last of several earlier sends that concern a send
// for one reason is kept: that one comes after the others for the same reason.
func orderOf(s Schedule) (*sendOrder, error) {
	o := &sendOrder{}
	last := lastSends{send: map[int32]int{}, receives: map[int32][]int{}, receive: map[int32]int{}, link: map[core.Link]int{}}
	if s.Model == Wormhole {
		t, err := core.NewTorus(s.Sides...)
		if err != nil {
			return nil, err
		}
		last.torus = t
	}
	for phase := range s.Phases {
		o.phases++
		start := len(o.events)
		if start+len(phase) > maxEvents {
			return nil, &core.InputError{Text: s.Name, Problem: fmt.Sprintf("the schedule has more than %d sends, too many to put in order", maxEvents)}
		}
		for _, send := range phase {
			o.events = append(o.events, Event{o.phases, send.From, send.To})
			o.free = append(o.free, last.own(send))
			o.forced = append(o.forced, last.sharing(send))
		}
		for i, send := range phase {
			last.note(start+i, start, send)
		}
	}
	return o, nil
}

// lastSends remembers who used what last, as numbers of sends of earlier phases.
type lastSends struct {
	torus    *core.Torus // nil if links do not matter
	send     map[int32]int
	receives map[int32][]int // by node: what it received in or after the phase of its last send
	receive  map[int32]int
	link     map[core.Link]int
}

// own returns the sends that the sender of s was part of, those before its last send
// left out: that one waited for them.
func (l *lastSends) own(s Send) []int {
	list := slices.Clone(l.receives[s.From])
	if e, ok := l.send[s.From]; ok {
		list = append(list, e)
	}
	return list
}

// sharing returns the last sends that used the receive port or a link of s.
func (l *lastSends) sharing(s Send) []int {
	var list []int
	if e, ok := l.receive[s.To]; ok {
		list = append(list, e)
	}
	for _, link := range l.path(s) {
		if e, ok := l.link[link]; ok {
			list = append(list, e)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// note remembers send number i of a phase that starts with number start.
func (l *lastSends) note(i, start int, s Send) {
	l.send[s.From] = i
	l.receives[s.From] = slices.DeleteFunc(l.receives[s.From], func(e int) bool { return e < start })
	l.receives[s.To] = append(l.receives[s.To], i)
	l.receive[s.To] = i
	for _, link := range l.path(s) {
		l.link[link] = i
	}
}

// path returns the links of a send, none if links do not matter.
func (l *lastSends) path(s Send) []core.Link {
	var path []core.Link
	if l.torus != nil {
		for v := int(s.From); v != int(s.To); v = l.torus.Shift(v, s.Axis, int(s.Dir)) {
			path = append(path, l.torus.Link(v, s.Axis, s.Dir))
		}
	}
	return path
}
