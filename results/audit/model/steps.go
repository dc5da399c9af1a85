package model

import (
	"context"
	"fmt"
	"slices"

	"leeway/objective/exchange"
	packer "leeway/objective/exchange/steps"
	"leeway/results/check/documents"
	verdict "leeway/results/check/exchange"
	"leeway/results/schedules"
)

// A Hop moves the block of one pair of nodes to a neighbour.
type Hop struct{ From, To, Source, Target int }

// Steps is a schedule of store and forward: the hops of each step.
type Steps [][]Hop

// Judge returns the checker's verdict about steps on a product of graphs.
func (s Steps) Judge(factors ...Graph) verdict.Verdict {
	head := exchange.Head{Name: "audit", Model: exchange.StoreAndForward}
	for _, g := range factors {
		head.Axes = append(head.Axes, g.axis())
	}
	if head.Nodes() == 1 && !slices.ContainsFunc(s, func(hops []Hop) bool { return len(hops) > 0 }) {
		return verdict.Verdict{Verdict: "valid", Model: string(head.Model), Nodes: 1, Processors: 1, Phases: len(s)}
	}
	return documents.Exchange(head, func(yield func(exchange.Phase, error) bool) {
		for _, hops := range s {
			var phase exchange.Phase
			for _, h := range hops {
				phase = append(phase, exchange.Send{From: int32(h.From), To: int32(h.To), Axis: -1,
					Blocks: []exchange.Block{{From: int32(h.Source), To: int32(h.Target)}}})
			}
			if !yield(phase, nil) {
				return
			}
		}
	})
}

// axis returns the graph as files describe it.
func (g Graph) axis() exchange.Axis {
	axis := exchange.Axis{Kind: exchange.Graph, Nodes: g.N, Edges: [][]int{}}
	for _, e := range g.Edges {
		axis.Edges = append(axis.Edges, e[:])
	}
	return axis
}

// Judged returns the checker's verdict about a schedule of the library, with which it shares no code.
func Judged(s exchange.Schedule) verdict.Verdict {
	return documents.Exchange(s.Head, schedules.WithContext(context.Background(), s.Phases))
}

// Undelivered returns how many blocks are not at home at the end if every hop takes a block that is not at its start
// as an empty one.
func (s Steps) Undelivered(nodes int) int {
	at, missing := map[[2]int]int{}, 0
	for u := range nodes {
		for v := range nodes {
			at[[2]int{u, v}] = u
		}
	}
	for _, hops := range s {
		for _, h := range hops { // a block moves once a step: the order does not matter
			if block := [2]int{h.Source, h.Target}; at[block] == h.From {
				at[block] = h.To
			}
		}
	}
	for block, v := range at {
		if v != block[1] {
			missing++
		}
	}
	return missing
}

// Packed returns graphs with exchanges of the library's packer, of which the checker found each complete.
func Packed(graphs []Graph) []Graph {
	list := slices.Clone(graphs)
	for i, g := range list {
		if g.N == 1 {
			continue
		}
		plan := Must(packer.Pack(Must(packer.NewProduct(exchange.StoreAndForward, g.String(), g.axis())), nil))
		for phase := range plan.Schedule.Phases {
			var hops []Hop
			for _, s := range phase {
				hops = append(hops, Hop{int(s.From), int(s.To), int(s.Blocks[0].From), int(s.Blocks[0].To)})
			}
			g.In = append(g.In, hops)
		}
		if v := g.In.Judge(g); v.Verdict != "valid" {
			panic(fmt.Sprintf("audit: packed exchange on %s: %s", g, v.Reason))
		}
		list[i] = g
	}
	return list
}

// copied returns the steps of one factor in all copies of it at once: each hop becomes those that at gives, by copy.
func copied(in Steps, copies int, at func(copyOf int, h Hop) Hop) Steps {
	var all Steps
	for _, hops := range in {
		var step []Hop
		for i := range copies {
			for _, h := range hops {
				step = append(step, at(i, h))
			}
		}
		all = append(all, step)
	}
	return all
}

// algorithmA2 is Figure 4 on G = A x B, node (v,u) numbered v |B| + u, from exchanges of both.
func algorithmA2(a, b Graph) Steps {
	var all Steps
	for r := range a.N { // lines 1 to 3
		all = append(all, copied(b.In, a.N, func(i int, h Hop) Hop {
			return Hop{i*b.N + h.From, i*b.N + h.To, i*b.N + h.Source, r*b.N + h.Target}
		})...)
	}
	return append(all, secondHalf(a, b)...)
}

// secondHalf is lines 4 to 6 of Figure 4 and 5 to 7 of Figure 3: for every k, exchange in all copies of A what
// started in copy k.
func secondHalf(a, b Graph) Steps {
	var all Steps
	for k := range b.N {
		all = append(all, copied(a.In, b.N, func(j int, h Hop) Hop {
			return Hop{h.From*b.N + j, h.To*b.N + j, h.Source*b.N + k, h.Target*b.N + j}
		})...)
	}
	return all
}

// AlgorithmA1 is Figure 3; skip says for which i, j and k its line 3 leaves the transfer out.
func AlgorithmA1(a, b Graph, skip func(i, j, k int) bool) Steps {
	return append(Transfers(a, b, skip), secondHalf(a, b)...)
}

// Transfers is lines 1 to 4 of Figure 3, algorithm A1, message by message along shortest paths of B, all v_i at
// once, but for those that skip names.
func Transfers(a, b Graph, skip func(i, j, k int) bool) Steps {
	var all Steps
	next := b.Neighbours()
	for j := range b.N {
		for k := range b.N {
			distance := b.Distances(k)
			for r := range a.N {
				for at := j; at != k; {
					toward := at
					for _, w := range next[at] {
						if distance[w] < distance[at] {
							toward = w
						}
					}
					var step []Hop
					for i := range a.N {
						if !skip(i, j, k) {
							step = append(step, Hop{i*b.N + at, i*b.N + toward, i*b.N + j, r*b.N + k})
						}
					}
					all = append(all, step)
					at = toward
				}
			}
		}
	}
	return all
}

// ProductA2 returns the product of graphs with the exchange of algorithm A2, recursively, A being all but the last.
func ProductA2(factors ...Graph) Graph {
	whole := factors[0]
	for i, b := range factors[1:] {
		next := Product(factors[:i+2]...)
		next.In = algorithmA2(whole, b)
		whole = next
	}
	return whole
}

// FewestSteps returns the steps of the fastest complete exchange on a graph with at most three nodes, by breadth
// first search over all positions of the blocks.
func FewestSteps(g Graph) int {
	start, home := "", ""
	for u := range g.N {
		for v := range g.N {
			if u != v {
				start, home = start+string(rune(u)), home+string(rune(v))
			}
		}
	}
	seen, lists := map[string]bool{start: true}, g.Neighbours()
	for layer, count := []string{start}, 0; len(layer) > 0; count++ {
		var next []string
		for _, at := range layer {
			if at == home {
				return count
			}
			eachStep(lists, []byte(at), []byte(at), 0, 0, func(after []byte) {
				if key := string(after); !seen[key] {
					seen[key] = true
					next = append(next, key)
				}
			})
		}
		layer = next
	}
	return -1
}

// eachStep calls f with the positions after each possible step in which the nodes from sender on send at most one
// block each, to nodes that are not in the set taken. Blocks were at before.
func eachStep(lists [][]int, before, after []byte, sender, taken int, f func(after []byte)) {
	if sender == len(lists) {
		f(after)
		return
	}
	eachStep(lists, before, after, sender+1, taken, f)
	for _, to := range lists[sender] {
		for b, v := range before {
			if taken>>to&1 == 0 && int(v) == sender {
				moved := slices.Clone(after)
				moved[b] = byte(to)
				eachStep(lists, before, moved, sender+1, taken|1<<to, f)
			}
		}
	}
}
