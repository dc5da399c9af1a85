package exchange

import (
	"iter"

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
	var t *core.Torus
	if s.Model == Wormhole {
		var err error
		if t, err = core.NewTorus(s.Sides...); err != nil {
			return Sync{}, err
		}
	}
	return synchronise(s.Name, func(yield func([]linkedSend) bool) {
		for phase := range s.Phases {
			var out []linkedSend
			for _, send := range phase {
				out = append(out, linkedSend{send.From, send.To, linksOf(t, send)})
			}
			if !yield(out) {
				return
			}
		}
	})
}

// Synchronise returns which barriers or signals the packing needs with sends that turn, as
// for a schedule.
func (k Packing) Synchronise() (Sync, error) {
	return synchronise("the packing", func(yield func([]linkedSend) bool) {
		for _, phase := range k.Phases {
			var out []linkedSend
			for _, s := range phase {
				out = append(out, linkedSend{s.From, s.To, s.Path})
			}
			if !yield(out) {
				return
			}
		}
	})
}

func synchronise(name string, phases iter.Seq[[]linkedSend]) (Sync, error) {
	o, err := orderOf(name, phases)
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
