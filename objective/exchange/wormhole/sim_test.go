package wormhole

import (
	"fmt"

	"leeway/core"
	"leeway/objective/exchange"
)

// simulated is what a literal run of a schedule finds.
type simulated struct {
	sizes []int   // the largest send of each phase
	hops  []int   // by source*N + destination: links travelled
	at    []int32 // likewise: where the block is
}

func torusOf(s exchange.Schedule) *core.Torus {
	var sides []int
	for _, a := range s.Axes {
		sides = append(sides, a.Nodes)
	}
	return core.MustTorus(sides...)
}

// follow moves every block of a wormhole schedule with nothing but tables: a block must be at its sender when a phase
// starts, ports and links are used once in a phase.
func follow(s exchange.Schedule) (simulated, error) {
	t := torusOf(s)
	n := t.N()
	out := simulated{hops: make([]int, n*n), at: make([]int32, n*n)}
	for i := range out.at {
		out.at[i] = int32(i / n)
	}
	for phase := range s.Phases {
		fail := func(send exchange.Send, problem string) (simulated, error) {
			return out, fmt.Errorf("%s %v, phase %d, %d -> %d: %s", s.Name, t, len(out.sizes), send.From, send.To,
				problem)
		}
		links, sends, receives := map[core.Link]bool{}, map[int32]bool{}, map[int32]bool{}
		size := 0
		for _, send := range phase {
			if sends[send.From] || receives[send.To] {
				return fail(send, "port in use")
			}
			sends[send.From], receives[send.To] = true, true
			length := 0
			for v := int(send.From); v != int(send.To); v = t.Shift(v, send.Axis, int(send.Dir)) {
				l := t.Link(v, send.Axis, send.Dir)
				if links[l] {
					return fail(send, "link in use")
				}
				if length++; length > t.Side(send.Axis) {
					return fail(send, "not along its axis")
				}
				links[l] = true
			}
			for _, b := range send.Blocks {
				if out.at[int(b.From)*n+int(b.To)] != send.From {
					return fail(send, fmt.Sprintf("block %v is elsewhere", b))
				}
				out.hops[int(b.From)*n+int(b.To)] += length
			}
			size = max(size, len(send.Blocks))
		}
		for _, send := range phase {
			for _, b := range send.Blocks {
				out.at[int(b.From)*n+int(b.To)] = send.To
			}
		}
		out.sizes = append(out.sizes, size)
	}
	return out, nil
}

// simulate is follow, and all blocks of participants must be home in the end.
func simulate(s exchange.Schedule) (simulated, error) {
	out, err := follow(s)
	if err != nil {
		return out, err
	}
	t := torusOf(s)
	members := s.Participants
	if members == nil {
		members = core.MustPlacement(t, core.Range(t.N())).Nodes()
	}
	for _, from := range members {
		for _, to := range members {
			if at := out.at[from*t.N()+to]; int(at) != to {
				return out, fmt.Errorf("%s %v: block %d -> %d ends at %d", s.Name, t, from, to, at)
			}
		}
	}
	return out, nil
}

func total(sizes []int) int {
	sum := 0
	for _, s := range sizes {
		sum += s
	}
	return sum
}
