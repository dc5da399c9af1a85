package exchange

import (
	"fmt"
	"iter"
	"slices"

	"leeway/core"
)

// A linkedSend is a send with the links that it needs for itself.
type linkedSend struct {
	From, To int32
	links    []core.Link
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
func orderOf(name string, phases iter.Seq[[]linkedSend]) (*sendOrder, error) {
	o := &sendOrder{}
	last := lastSends{send: map[int32]int{}, receives: map[int32][]int{}, receive: map[int32]int{}, link: map[core.Link]int{}}
	for phase := range phases {
		o.phases++
		start := len(o.events)
		if start+len(phase) > maxEvents {
			return nil, &core.InputError{Text: name, Problem: fmt.Sprintf("the schedule has more than %d sends, too many to put in order", maxEvents)}
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
	send     map[int32]int
	receives map[int32][]int // by node: what it received in or after the phase of its last send
	receive  map[int32]int
	link     map[core.Link]int
}

// own returns the sends that the sender of s was part of, those before its last send
// left out: that one waited for them.
func (l *lastSends) own(s linkedSend) []int {
	list := slices.Clone(l.receives[s.From])
	if e, ok := l.send[s.From]; ok {
		list = append(list, e)
	}
	return list
}

// sharing returns the last sends that used the receive port or a link of s.
func (l *lastSends) sharing(s linkedSend) []int {
	var list []int
	if e, ok := l.receive[s.To]; ok {
		list = append(list, e)
	}
	for _, link := range s.links {
		if e, ok := l.link[link]; ok {
			list = append(list, e)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// note remembers send number i of a phase that starts with number start.
func (l *lastSends) note(i, start int, s linkedSend) {
	l.send[s.From] = i
	l.receives[s.From] = slices.DeleteFunc(l.receives[s.From], func(e int) bool { return e < start })
	l.receives[s.To] = append(l.receives[s.To], i)
	l.receive[s.To] = i
	for _, link := range s.links {
		l.link[link] = i
	}
}

// linksOf returns the links of a send, none without a torus, where links do not matter.
func linksOf(t *core.Torus, s Send) []core.Link {
	var links []core.Link
	if t != nil {
		for v := int(s.From); v != int(s.To); v = t.Shift(v, s.Axis, int(s.Dir)) {
			links = append(links, t.Link(v, s.Axis, s.Dir))
		}
	}
	return links
}
