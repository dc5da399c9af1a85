package exchange

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
	"leeway/objective/exchange/steps"
	"leeway/objective/exchange/wormhole"
	"leeway/results/schedules"
)

// twin plays a schedule by the rules of docs/exchange.md, with maps. It returns the first phase that breaks a rule,
// len(phases) if blocks are left undelivered, -1 if all is right.
func twin(head exchange.Head, phases []exchange.Phase) int {
	nodes := 1
	for _, a := range head.Axes {
		nodes *= a.Nodes
	}
	at := map[exchange.Block]int32{}
	for s := range int32(nodes) {
		for d := range int32(nodes) {
			if s != d && (head.Participants == nil || slices.Contains(head.Participants, int(s)) &&
				slices.Contains(head.Participants, int(d))) {
				at[exchange.Block{From: s, To: d}] = s
			}
		}
	}
	for i, phase := range phases {
		sends, receives, links := map[int32]bool{}, map[int32]bool{}, map[string]bool{}
		moved := map[exchange.Block]int32{}
		for _, s := range phase {
			if sends[s.From] || receives[s.To] || len(s.Blocks) == 0 {
				return i
			}
			sends[s.From], receives[s.To] = true, true
			for _, b := range s.Blocks {
				if v, ok := at[b]; !ok || v != s.From {
					return i
				}
				if _, twice := moved[b]; twice {
					return i
				}
				moved[b] = s.To
			}
			for _, link := range twinLinks(head.Axes, s) {
				if link == "" || links[link] && head.Model == exchange.Wormhole {
					return i
				}
				links[link] = true
			}
			if head.Model == exchange.StoreAndForward && (len(s.Blocks) != 1 || len(twinLinks(head.Axes, s)) != 1) {
				return i
			}
		}
		for b, v := range moved {
			at[b] = v
		}
	}
	for b, v := range at {
		if v != b.To {
			return len(phases)
		}
	}
	return -1
}

// twinLinks returns the links from one end of a send to the other; one that is "" if they do not lead there. It walks
// coordinates.
func twinLinks(axes []exchange.Axis, s exchange.Send) []string {
	coords := func(v int32) []int {
		c := make([]int, len(axes))
		for i := len(axes) - 1; i >= 0; i-- {
			c[i], v = int(v)%axes[i].Nodes, v/int32(axes[i].Nodes)
		}
		return c
	}
	if s.Path != nil {
		return twinPath(axes, s, coords)
	}
	if s.Axis < 0 || s.Axis >= len(axes) || s.From == s.To {
		return []string{""}
	}
	here, there := coords(s.From), coords(s.To)
	axis := axes[s.Axis]
	var links []string
	for !slices.Equal(here, there) {
		dir := s.Dir
		if axis.Kind == exchange.Ring && axis.Nodes == 2 {
			dir = core.Plus
		}
		links = append(links, fmt.Sprint(here, s.Axis, dir))
		here = slices.Clone(here)
		here[s.Axis] += int(s.Dir)
		if axis.Kind == exchange.Ring {
			here[s.Axis] = (here[s.Axis] + axis.Nodes) % axis.Nodes
		}
		if here[s.Axis] < 0 || here[s.Axis] >= axis.Nodes || len(links) > axis.Nodes {
			return []string{""}
		}
	}
	return links
}

// listed returns the phases for the checker.
func listed(phases []exchange.Phase) schedules.Phases {
	return func(yield func(exchange.Phase, error) bool) {
		for _, p := range phases {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// direct returns an exchange of 4x4 by wormhole routing, made by hand: along one axis and then the other, neighbours
// first; the blocks half-way round go forwards from two nodes and backwards from the other two.
func direct() (exchange.Head, []exchange.Phase) {
	ring := exchange.Axis{Kind: exchange.Ring, Nodes: 4}
	head := exchange.Head{Name: "by hand", Model: exchange.Wormhole, Axes: []exchange.Axis{ring, ring}}
	var phases []exchange.Phase
	for axis, stride := range []int32{4, 1} {
		for _, by := range []int32{1, 3, 2} {
			var phase exchange.Phase
			for v := range int32(16) {
				c := v / stride % 4
				to := v + ((c+by)%4-c)*stride
				send := exchange.Send{From: v, To: to, Axis: axis, Dir: core.Plus}
				if by == 3 || by == 2 && c%2 == 1 {
					send.Dir = core.Minus
				}
				for other := range int32(4) { // the other coordinate: of the receiver, then of the sender
					block := exchange.Block{From: v, To: to - to%4 + other}
					if axis == 1 {
						block = exchange.Block{From: other*4 + v%4, To: to}
					}
					send.Blocks = append(send.Blocks, block)
				}
				phase = append(phase, send)
			}
			phases = append(phases, phase)
		}
	}
	return head, phases
}

func cloned(phases []exchange.Phase) []exchange.Phase {
	out := slices.Clone(phases)
	for i, phase := range out {
		out[i] = slices.Clone(phase)
		for j, s := range phase {
			out[i][j].Blocks = slices.Clone(s.Blocks)
		}
	}
	return out
}

// mutate changes one thing about a schedule.
func mutate(phases []exchange.Phase, rng *rand.Rand) {
	i, k := rng.IntN(len(phases)), rng.IntN(len(phases))
	if len(phases[i]) == 0 {
		return
	}
	j := rng.IntN(len(phases[i]))
	s := &phases[i][j]
	moved := *s
	b := rng.IntN(max(len(s.Blocks), 1))
	switch rng.IntN(11) {
	case 0: // moved
		phases[i] = slices.Delete(phases[i], j, j+1)
		phases[k] = append(phases[k], moved)
	case 1: // doubled
		phases[k] = append(phases[k], moved)
	case 2: // dropped
		phases[i] = slices.Delete(phases[i], j, j+1)
	case 3:
		s.From = (s.From + 1) % 6
	case 4:
		s.To = (s.To + 1) % 6
	case 5:
		s.Dir = -s.Dir
	case 6:
		s.Axis = 1 - s.Axis
	case 7:
		s.Blocks = append(s.Blocks, s.Blocks[b:min(b+1, len(s.Blocks))]...)
	case 8:
		s.Blocks = slices.Delete(s.Blocks, b, min(b+1, len(s.Blocks)))
	case 9:
		phases[i], phases[k] = phases[k], phases[i]
	case 10: // perhaps a block that there is not
		if len(s.Blocks) > 0 {
			s.Blocks[b].To = rng.Int32N(18)
		}
	}
}

// TestCheckerMeetsItsTwin holds the checker against the twin on right schedules of both models and on thousands with
// one to three changes. A link that it names leaves the node of the send.
func TestCheckerMeetsItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	right, faults := 0, map[string]int{}
	compare := func(head exchange.Head, phases []exchange.Phase) {
		t.Helper()
		want := twin(head, phases)
		v := follow(head, listed(phases))
		have := -1
		if f := v.Fault; f != nil {
			if have = f.Phase; f.Rule == ruleDelivery {
				have = len(phases)
			}
			if faults[f.Rule]++; f.Send >= 0 && f.Rule != ruleLink && f.Link != nil &&
				f.Link.From != int(phases[f.Phase][f.Send].From) || f.Link == nil && f.Rule == ruleDelivery {
				t.Fatalf("%s: the link %v is not that of send %d", v.Reason, f.Link, f.Send)
			}
		} else if right++; v.Verdict != valid {
			t.Fatalf("%s without a fault", v.Verdict)
		}
		if have != want {
			t.Fatalf("the checker finds %s in phase %d, the twin in phase %d: %v", v.Reason, have, want, phases)
		}
	}
	wormHead, worm := direct()
	bases := []exchange.Schedule{{Head: wormHead, Phases: slices.Values(worm)},
		coretest.Must(steps.ProductA2(parsed(t, "path:2,path:3"))).Schedule,
		coretest.Must(steps.ProductA2(parsed(t, "ring:4,ring:3"))).Schedule,
		coretest.Must(steps.Pack(parsed(t, "path:2,path:4"), nil)).Schedule,
		planFor(t, "4x4", wormhole.T4, wormhole.Balanced), planFor(t, "3x5", wormhole.ByAxes, wormhole.Published),
		planFor(t, "2x2x4", wormhole.ByAxes, wormhole.Published)}
	for i, s := range bases {
		head, base := asFile(s)
		if compare(head, base); right != i+1 {
			t.Fatalf("%s is wrong", s.Name)
		}
	}
	for _, s := range bases {
		head, base := asFile(s)
		for range rounds(1500) {
			phases := cloned(base)
			for range 1 + rng.IntN(3) {
				mutate(phases, rng)
			}
			compare(head, phases)
		}
	}
	for _, rule := range []string{ruleNode, rulePosition, rulePort, ruleNeighbour, ruleLink, ruleDelivery} {
		if faults[rule] == 0 {
			t.Errorf("no schedule breaks the rule %s: %v", rule, faults)
		}
	}
	if right < rounds(3000)/30 {
		t.Errorf("only %d changes keep the schedule right", right)
	}
}
