package exchange

import (
	"bytes"
	"context"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/results/check/meter"
	"leeway/results/schedules"
)

// follow is Follow without a limit.
func follow(head exchange.Head, phases schedules.Phases) Verdict {
	return Follow(head, phases, meter.Unlimited(context.Background()))
}

// weightedSteps returns the bound that weights show on a network.
func weightedSteps(head exchange.Head, weights []int) (*big.Rat, error) {
	n, err := newNetwork(head, meter.Unlimited(context.Background()))
	if err != nil {
		return nil, err
	}
	return n.weightedSteps(weights)
}

func send(from, to int32, dir core.Dir, blocks ...exchange.Block) exchange.Send {
	return exchange.Send{From: from, To: to, Dir: dir, Blocks: blocks}
}

// turning returns a send of one block along a path: axis, links, axis, links, ...
func turning(from, to int32, b exchange.Block, path ...int32) exchange.Send {
	s := exchange.Send{From: from, To: to, Axis: -1, Path: []exchange.Leg{}, Blocks: []exchange.Block{b}}
	for i := 0; i < len(path); i += 2 {
		s.Path = append(s.Path, exchange.Leg{Axis: path[i], Links: path[i+1]})
	}
	return s
}

// TestPathsThatTurn follows sends that turn, on a mesh of a path and a ring: node 3r+c.
func TestPathsThatTurn(t *testing.T) {
	head := exchange.Head{Model: exchange.Wormhole, Participants: []int{0, 7},
		Axes: []exchange.Axis{{Kind: exchange.Path, Nodes: 3}, {Kind: exchange.Ring, Nodes: 3}}}
	there := turning(0, 7, block(0, 7), 0, 2, 1, 1)
	for name, c := range map[string]struct {
		back   exchange.Send
		rule   string
		reason string
	}{
		"right":       {turning(7, 0, block(7, 0), 1, -1, 0, -2), "", ""},
		"round":       {turning(7, 0, block(7, 0), 0, -1, 1, 2, 0, -1), "", ""},
		"off the end": {turning(7, 0, block(7, 0), 0, 1), ruleLink, "runs off the end"},
		"another end": {turning(7, 0, block(7, 0), 1, -1, 0, -1), ruleLink, "ends at node 3, not at 0"},
		"a link again": {turning(7, 0, block(7, 0), 1, 3), ruleLink,
			"from node 6 along axis 1 in direction + is used twice"},
		"both": {exchange.Send{From: 7, To: 0, Dir: core.Plus, Path: []exchange.Leg{},
			Blocks: []exchange.Block{block(7, 0)}}, ruleLink, "a path and an axis"},
		"that of the other": {turning(7, 0, block(7, 0), 1, -1, 0, -2, 0, 2, 0, -2), ruleLink,
			"from node 0 along axis 0 in direction + is used twice"},
	} {
		v := follow(head, listed([]exchange.Phase{{there, c.back}}))
		if c.rule == "" {
			if v.Verdict != valid || v.Phases != 1 || v.Transmission != 1 {
				t.Errorf("%s: %+v", name, v)
			}
			continue
		}
		if v.Verdict != wrong || v.Fault.Rule != c.rule || v.Fault.Send != 1 || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %+v %+v", name, v, v.Fault)
		}
	}
}

func block(from, to int32) exchange.Block { return exchange.Block{From: from, To: to} }

// TestRules (docs/exchange.md, The checker): what the checker must reject, by hand on a ring of 4, with the place that
// it names.
func TestRules(t *testing.T) {
	type phases []exchange.Phase
	for name, c := range map[string]struct {
		model  exchange.Model
		phases phases
		rule   string
		phase  int
		send   int
	}{
		"sent a phase too early": {exchange.StoreAndForward,
			phases{{send(0, 1, 1, block(0, 2)), send(1, 2, 1, block(0, 2))}}, rulePosition, 0, 1},
		"two sends from a node": {exchange.StoreAndForward,
			phases{{}, {send(0, 1, 1, block(0, 1)), send(0, 3, -1, block(0, 3))}}, rulePort, 1, 1},
		"two receives": {exchange.StoreAndForward,
			phases{{send(0, 1, 1, block(0, 1)), send(2, 1, -1, block(2, 1))}}, rulePort, 0, 1},
		"no neighbour": {exchange.StoreAndForward, phases{{send(0, 2, 1, block(0, 2))}}, ruleNeighbour, 0, 0},
		"two blocks in a step": {exchange.StoreAndForward, phases{{send(0, 1, 1, block(0, 1), block(0, 2))}},
			ruleNeighbour, 0, 0},
		"a link twice": {exchange.Wormhole, phases{{send(0, 2, 1, block(0, 2)), send(1, 3, 1, block(1, 3))}},
			ruleLink, 0, 1},
		"a block twice": {exchange.Wormhole, phases{{send(0, 2, 1, block(0, 2), block(0, 2))}}, rulePosition,
			0, 0},
		"a block of nobody":     {exchange.Wormhole, phases{{send(0, 2, 1, block(0, 0))}}, ruleNode, 0, 0},
		"a node outside":        {exchange.Wormhole, phases{{send(0, 4, 1, block(0, 2))}}, ruleNode, 0, 0},
		"a path that ends else": {exchange.Wormhole, phases{{turning(0, 3, block(0, 2), 0, 2)}}, ruleLink, 0, 0},
		"a path to its start":   {exchange.Wormhole, phases{{turning(0, 0, block(0, 2))}}, ruleLink, 0, 0},
		"a path twice": {exchange.Wormhole,
			phases{{turning(0, 2, block(0, 2), 0, 2), turning(1, 3, block(1, 3), 0, 2)}}, ruleLink, 0, 1},
		"a path over itself":     {exchange.Wormhole, phases{{turning(0, 2, block(0, 2), 0, 6)}}, ruleLink, 0, 0},
		"a path without an axis": {exchange.Wormhole, phases{{turning(0, 2, block(0, 2), 1, 2)}}, ruleNode, 0, 0},
		"a path in a step": {exchange.StoreAndForward, phases{{turning(0, 1, block(0, 1), 0, 1)}}, ruleNeighbour,
			0, 0},
		"undelivered":    {exchange.Wormhole, phases{{send(0, 2, 1, block(0, 2))}}, ruleDelivery, 0, -1},
		"nothing at all": {exchange.StoreAndForward, nil, ruleDelivery, -1, -1},
	} {
		head := exchange.Head{Model: c.model, Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 4}}}
		v := follow(head, listed(c.phases))
		if v.Verdict != wrong || v.Fault == nil || v.Fault.Rule != c.rule || v.Fault.Phase != c.phase ||
			v.Fault.Send != c.send {
			t.Errorf("%s: %+v %+v", name, v, v.Fault)
		}
		want := &Link{From: 0, To: 1, Axis: 0, Dir: "+"}
		switch name {
		case "sent a phase too early", "a link twice", "a path twice":
			want.From, want.To = 1, 2
		case "two sends from a node":
			want.To, want.Dir = 3, "-"
		case "two receives":
			want.From, want.To, want.Dir = 2, 1, "-"
		case "a path to its start", "a path without an axis":
			want = nil
		}
		if link := v.Fault.Link; !reflect.DeepEqual(link, want) {
			t.Errorf("%s names the link %v: %s", name, link, v.Reason)
		}
	}
}

// TestThreeStepsAreTooFew: the node in the middle of a path of 3 sends four blocks, so no schedule of three steps on a
// path of 3 is accepted. It tries them all, step by step.
func TestThreeStepsAreTooFew(t *testing.T) {
	if testing.Short() {
		t.Skip("tries all schedules of three steps")
	}
	head := exchange.Head{Model: exchange.StoreAndForward, Axes: []exchange.Axis{{Kind: exchange.Path, Nodes: 3}}}
	var step []exchange.Phase // every step by itself: ports and neighbours are right
	var all []exchange.Block
	for s := range int32(3) {
		for d := range int32(3) {
			if s != d {
				all = append(all, block(s, d))
			}
		}
	}
	for _, ends := range [][][2]int32{{}, {{0, 1}}, {{1, 0}}, {{1, 2}}, {{2, 1}}, {{0, 1}, {1, 0}}, {{0, 1}, {1, 2}},
		{{2, 1}, {1, 0}}, {{2, 1}, {1, 2}}} {
		list := []exchange.Phase{{}}
		for _, e := range ends {
			var next []exchange.Phase
			for _, phase := range list {
				for _, b := range all {
					dir := core.Dir(e[1] - e[0])
					next = append(next, append(phase[:len(phase):len(phase)], send(e[0], e[1], dir, b)))
				}
			}
			list = next
		}
		step = append(step, list...)
	}
	tried := 0
	var extend func(phases []exchange.Phase, left int)
	extend = func(phases []exchange.Phase, left int) {
		v := follow(head, listed(phases))
		if v.LowerBound.Phases != 4 {
			t.Fatalf("the bound is %d, not 4", v.LowerBound.Phases)
		}
		if tried++; v.Verdict == valid {
			t.Fatalf("%v is accepted", phases)
		}
		if left == 0 || v.Fault.Rule != ruleDelivery {
			return
		}
		for _, s := range step {
			extend(append(phases[:len(phases):len(phases)], s), left-1)
		}
	}
	extend(nil, 3)
	if tried < 10000 {
		t.Errorf("only %d were tried", tried)
	}
}

// TestEveryCutOfAScheduleIsUnreadable cuts a right file at every byte.
func TestEveryCutOfAScheduleIsUnreadable(t *testing.T) {
	data, err := os.ReadFile("../documents/testdata/exchange/valid/ring-4.json")
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(strings.TrimRight(string(data), "\n")) {
		r, err := schedules.Read(bytes.NewReader(data[:n]))
		if err != nil {
			continue
		}
		if v := follow(r.Head, r.Phases()); v.Verdict != unreadable {
			t.Fatalf("the first %d bytes are %s: %s", n, v.Verdict, v.Reason)
		}
	}
}

// TestWormholeBounds holds the bounds against values worked out by hand (docs/exchange.md; on 4x4 15, what a node
// receives, not the cut, 8).
func TestWormholeBounds(t *testing.T) {
	for _, c := range []struct {
		sides, procs []int
		want         Bounds
	}{
		{[]int{4, 4}, nil, Bounds{Phases: 4, Transmission: 15}},
		{[]int{8, 8}, nil, Bounds{Phases: 6, Transmission: 64}},
		{[]int{16, 16}, nil, Bounds{Phases: 8, Transmission: 512}},
		{[]int{2, 2}, nil, Bounds{Phases: 2, Transmission: 3}},
		{[]int{8, 8, 8}, nil, Bounds{Phases: 9, Transmission: 512}},
		{[]int{30}, nil, Bounds{Phases: 5, Transmission: 113}}, {[]int{5}, nil, Bounds{Phases: 3, Transmission: 4}},
		{[]int{3, 2}, nil, Bounds{Phases: 3, Transmission: 5}}, {[]int{2, 9}, nil, Bounds{Phases: 5, Transmission: 20}},
		{[]int{2}, nil, Bounds{Phases: 1, Transmission: 1}},
		{[]int{16}, []int{0, 1, 8, 9}, Bounds{Phases: 2, Transmission: 3}}, {[]int{4}, []int{2}, Bounds{}},
	} {
		head := exchange.Head{Model: exchange.Wormhole, Participants: c.procs}
		for _, side := range c.sides {
			head.Axes = append(head.Axes, exchange.Axis{Kind: exchange.Ring, Nodes: side})
		}
		if v := follow(head, listed(nil)); v.LowerBound != c.want {
			t.Errorf("%v among %v: %+v, want %+v", c.sides, c.procs, v.LowerBound, c.want)
		}
	}
}

// TestWeightedSteps: equal weights give the mean status, one node what it must send.
func TestWeightedSteps(t *testing.T) {
	path := exchange.Head{Axes: []exchange.Axis{{Kind: exchange.Path, Nodes: 3}}}
	for want, weights := range map[string][]int{"8/3": {5, 5, 5}, "4": {0, 1, 0}, "2": {0, 0, 7}} {
		if have, err := weightedSteps(path, weights); err != nil || have.RatString() != want {
			t.Errorf("%v: %v, %v, want %s", weights, have, err, want)
		}
	}
	for want, weights := range map[string][]int{"2 weights for 3 nodes": {1, 1}, "weight -1 of node 1": {1, -1, 1},
		"all weights are 0": {0, 0, 0}} {
		if _, err := weightedSteps(path, weights); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", weights, err)
		}
	}
}
