package routing_test

import (
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// TestLegsConform: routings of two legs keep the promises of routings on every kind of network.
func TestLegsConform(t *testing.T) {
	for i := range coretest.Cases(400, 60) {
		rng := coretest.Rng(371, i)
		torus := coretest.AnyNetwork(rng, 14)
		r := coretest.Legs(rng, torus)
		conform(t, r, coretest.Placement(rng, torus).Set())
		if _, err := symmetry.GroupOf(r); err != nil {
			t.Fatalf("%s on %s: %v", r, torus, err)
		}
	}
}

// shareOn returns the part of the messages from p to q that cross the link from one node to another.
func shareOn(r routing.Routing, p, q, from, to int) string {
	f := r.Flow(p, q, nil)
	for _, s := range f.Shares {
		if a, b := r.Torus().LinkEnds(s.Link); a == from && b == to {
			return new(big.Rat).SetFrac(s.Num, f.Den).RatString()
		}
	}
	return "0"
}

// TestLegsByHand: shares of messages that cross a link, which are counted by hand.
func TestLegsByHand(t *testing.T) {
	for _, c := range []struct{ network, routing, p, q, from, to, want string }{
		// West-first: to the west and down there is one path, to the east and down there are three.
		{"4x4:open=0,1", "west-first", "02", "10", "02", "01", "1"},
		{"4x4:open=0,1", "west-first", "00", "12", "00", "01", "2/3"},
		// North-last: up, which is north, comes last.
		{"4x4:open=0,1", "north-last", "10", "02", "10", "11", "1"},
		{"4x4:open=0,1", "north-last", "00", "12", "00", "10", "1/3"},
		// Negative-first: what differs in sign has one path in two dimensions, else all.
		{"4x4:open=0,1", "negative-first", "02", "10", "02", "01", "1"},
		{"4x4:open=0,1", "negative-first", "12", "00", "12", "02", "1/3"},
		// ROMM, dimension 0 first, box of 2 x 2 nodes: it leaves along 0 unless the stop is the end along 1.
		{"5x5", "romm", "00", "11", "00", "10", "3/4"},
		// RLB on a ring of 5, 1 step: 4/5 that way, 1/5 the other.
		{"5", "rlb", "0", "1", "0", "1", "4/5"},
		{"5", "rlb", "0", "1", "3", "2", "1/5"},
		// Valiant on a ring of 3: by way of 0, of 1, or of 2, from where it goes down to 1.
		{"3", "val", "0", "1", "0", "1", "2/3"},
		{"3", "val", "0", "1", "0", "2", "1/3"},
	} {
		torus, r := coretest.Parse(c.network, c.routing)
		got := shareOn(r, nodeAt(torus, c.p), nodeAt(torus, c.q), nodeAt(torus, c.from), nodeAt(torus, c.to))
		if got != c.want {
			t.Errorf("%s on %s, %s to %s: the link from %s to %s has %s, by hand %s", c.routing, c.network, c.p, c.q, c.from,
				c.to, got, c.want)
		}
	}
}

// TestLegsRefused: what has no meaning, or too large weights, is refused by name.
func TestLegsRefused(t *testing.T) {
	for _, c := range []struct{ network, routing, problem string }{
		{"4x4x4", "west-first", "two dimensions"}, {"8", "north-last", "two dimensions"},
		{"8x8", "rlb:tie=plus", "both ways of a tie"}, {"4x8:twist=4", "rlb", "around rings"},
		{"100x100:open=0,1", "negative-first", "too large"}, {"40x40x40x40", "rlb", "too large"},
	} {
		torus := coretest.Must(core.ParseNetwork(c.network))
		if r, err := routing.Parse(torus, c.routing); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s on %s: %v, %v, want an error about %q", c.routing, c.network, r, err, c.problem)
		}
	}
	torus := core.MustTorus(8, 8)
	for _, name := range routing.Rules() {
		r := coretest.Must(routing.Parse(torus, strings.ToUpper(name)))
		if shortest := name != "val" && name != "rlb"; routing.Shortest(r) != shortest {
			t.Errorf("%s: its paths are shortest: %v", name, !shortest)
		}
		if uniform := strings.Contains(name, "-"); routing.Uniform(r) != uniform {
			t.Errorf("%s: its paths are uniform: %v", name, !uniform)
		}
	}
}
