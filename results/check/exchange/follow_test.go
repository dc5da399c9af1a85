package exchange

import (
	"bytes"
	"context"
	"math/big"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
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

// played reads phases, separated by |, of sends such as 0+1:02,12 from node 0 in direction + to node 1 of the blocks of
// 0 for 2 and of 1 for 2, and 0~7:07@0,2,1,1 of a block along a path: 2 links along axis 0, 1 along axis 1.
func played(text string) (list []exchange.Phase) {
	node := func(digit byte) int32 { return int32(digit - '0') }
	if text == "" {
		return nil
	}
	for sends := range strings.SplitSeq(text, "|") {
		phase := exchange.Phase{}
		for one := range strings.FieldsSeq(sends) {
			ends, what, _ := strings.Cut(one, ":")
			blocks, path, turns := strings.Cut(what, "@")
			s := exchange.Send{From: node(ends[0]), To: node(ends[2]), Dir: core.Plus}
			switch ends[1] {
			case '-':
				s.Dir = core.Minus
			case '~':
				s.Dir, s.Axis, s.Path = 0, -1, []exchange.Leg{}
			}
			for b := range strings.SplitSeq(blocks, ",") {
				s.Blocks = append(s.Blocks, block(node(b[0]), node(b[1])))
			}
			for numbers := strings.Split(path, ","); turns && len(numbers) > 1; numbers = numbers[2:] {
				s.Path = append(s.Path, exchange.Leg{Axis: number(numbers[0]), Links: number(numbers[1])})
			}
			phase = append(phase, s)
		}
		list = append(list, phase)
	}
	return list
}

func number(text string) int32 { return int32(coretest.Must(strconv.Atoi(text))) }

// TestPathsThatTurn follows sends that turn, on a mesh of a path and a ring: node 3r+c.
func TestPathsThatTurn(t *testing.T) {
	head := exchange.Head{Model: exchange.Wormhole, Participants: []int{0, 7},
		Axes: []exchange.Axis{{Kind: exchange.Path, Nodes: 3}, {Kind: exchange.Ring, Nodes: 3}}}
	for _, c := range []struct{ back, rule, reason string }{
		{"7~0:70@1,-1,0,-2", "", ""},
		{"7~0:70@0,-1,1,2,0,-1", "", ""},
		{"7~0:70@0,1", ruleLink, "runs off the end"},
		{"7~0:70@1,-1,0,-1", ruleLink, "ends at node 3, not at 0"},
		{"7~0:70@1,3", ruleLink, "from node 6 along axis 1 in direction + is used twice"},
		{"7+0:70@", ruleLink, "a path and an axis"},
		{"7~0:70@1,-1,0,-2,0,2,0,-2", ruleLink, "from node 0 along axis 0 in direction + is used twice"},
	} {
		phases := played("0~7:07@0,2,1,1 " + c.back)
		if strings.HasSuffix(c.back, "@") {
			phases[0][1].Path = []exchange.Leg{}
		}
		v := follow(head, listed(phases))
		if c.rule == "" {
			if v.Verdict != valid || v.Phases != 1 || v.Transmission != 1 {
				t.Errorf("%s: %+v", c.back, v)
			}
			continue
		}
		if v.Verdict != wrong || v.Fault.Rule != c.rule || v.Fault.Send != 1 || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %+v %+v", c.back, v, v.Fault)
		}
	}
}

func block(from, to int32) exchange.Block { return exchange.Block{From: from, To: to} }

// TestRules (docs/exchange.md, The checker): what the checker must reject, by hand on a ring of 4, with the place that
// it names.
func TestRules(t *testing.T) {
	for name, c := range map[string]struct {
		model       exchange.Model
		phases      string
		rule        string
		phase, send int
	}{
		"sent a phase too early": {exchange.StoreAndForward, "0+1:02 1+2:02", rulePosition, 0, 1},
		"two sends from a node":  {exchange.StoreAndForward, "|0+1:01 0-3:03", rulePort, 1, 1},
		"two receives":           {exchange.StoreAndForward, "0+1:01 2-1:21", rulePort, 0, 1},
		"no neighbour":           {exchange.StoreAndForward, "0+2:02", ruleNeighbour, 0, 0},
		"two blocks in a step":   {exchange.StoreAndForward, "0+1:01,02", ruleNeighbour, 0, 0},
		"a link twice":           {exchange.Wormhole, "0+2:02 1+3:13", ruleLink, 0, 1},
		"a block twice":          {exchange.Wormhole, "0+2:02,02", rulePosition, 0, 0},
		"a block of nobody":      {exchange.Wormhole, "0+2:00", ruleNode, 0, 0},
		"a node outside":         {exchange.Wormhole, "0+4:02", ruleNode, 0, 0},
		"a path that ends else":  {exchange.Wormhole, "0~3:02@0,2", ruleLink, 0, 0},
		"a path to its start":    {exchange.Wormhole, "0~0:02@", ruleLink, 0, 0},
		"a path twice":           {exchange.Wormhole, "0~2:02@0,2 1~3:13@0,2", ruleLink, 0, 1},
		"a path over itself":     {exchange.Wormhole, "0~2:02@0,6", ruleLink, 0, 0},
		"a path without an axis": {exchange.Wormhole, "0~2:02@1,2", ruleNode, 0, 0},
		"a path in a step":       {exchange.StoreAndForward, "0~1:01@0,1", ruleNeighbour, 0, 0},
		"undelivered":            {exchange.Wormhole, "0+2:02", ruleDelivery, 0, -1},
		"nothing at all":         {exchange.StoreAndForward, "", ruleDelivery, -1, -1},
	} {
		head := exchange.Head{Model: c.model, Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 4}}}
		v := follow(head, listed(played(c.phases)))
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
					next = append(next, append(phase[:len(phase):len(phase)],
						exchange.Send{From: e[0], To: e[1], Dir: dir, Blocks: []exchange.Block{b}}))
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
	data := coretest.Must(os.ReadFile("../documents/testdata/exchange/valid/ring-4.json"))
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
