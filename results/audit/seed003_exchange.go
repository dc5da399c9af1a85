package audit

import (
	"context"
	"fmt"
	"math/big"
)

// Sections 4 and 5 of seed 003: schedules are built as the figures print them and go to
// the checker; steps are counted by it.

// An exchanged graph has steps that the checker accepted.
type exchanged struct {
	graph
	in steps
}

// exchangedGraphs returns graphs with steps of the packer, of which the checker found
// each a complete exchange.
func exchangedGraphs(graphs []graph) ([]exchanged, error) {
	var list []exchanged
	for _, g := range graphs {
		in, err := g.packed()
		if err != nil {
			return nil, err
		}
		if v := in.judge(g); v.Verdict != "valid" {
			return nil, fmt.Errorf("%s: %s", g, v.Reason)
		}
		list = append(list, exchanged{g, in})
	}
	return list, nil
}

// product returns A2 on two exchanged graphs.
func (a exchanged) product(b exchanged) exchanged {
	return exchanged{productGraph(a.graph, b.graph), algorithmA2(a.graph, b.graph, a.in, b.in)}
}

// broken is the finding of a check that could not be made.
func broken(err error) Finding {
	return Finding{Verdict: Untested, Note: "the check could not be made: " + err.Error()}
}

// exchangeCommand shows the steps of A2 on a product.
func exchangeCommand(factors ...graph) string {
	return "leeway exchange --graph " + productGraph(factors...).name + " --algorithm product"
}

// fewestSteps returns the steps of the fastest complete exchange on a graph with at most
// three nodes, by breadth first search over all positions of the blocks.
func fewestSteps(g graph) int {
	blocks := g.completePairs()
	start, home := "", ""
	for _, b := range blocks {
		start += string(rune(b[0]))
		home += string(rune(b[1]))
	}
	seen := map[string]bool{start: true}
	lists := g.neighbours()
	for layer, count := []string{start}, 0; len(layer) > 0; count++ {
		var next []string
		for _, at := range layer {
			if at == home {
				return count
			}
			eachStep(lists, []byte(at), 0, 0, func(after []byte) {
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

// completePairs returns all ordered pairs of nodes.
func (g graph) completePairs() [][2]int {
	var pairs [][2]int
	for u := range g.n {
		for v := range g.n {
			if u != v {
				pairs = append(pairs, [2]int{u, v})
			}
		}
	}
	return pairs
}

// eachStep calls f with the positions after each possible step in which the nodes from
// sender on send at most one block each, to nodes that are not in the set taken.
func eachStep(lists [][]int, at []byte, sender, taken int, f func(after []byte)) {
	if sender == len(lists) {
		f(at)
		return
	}
	eachStep(lists, at, sender+1, taken, f)
	for _, to := range lists[sender] {
		if taken>>to&1 == 1 {
			continue
		}
		for b, v := range at {
			if int(v) == sender {
				after := append([]byte(nil), at...)
				after[b] = byte(to) | 1<<7 // arrived now: not to be sent on in this step
				eachStep(lists, after, sender+1, taken|1<<to, func(done []byte) {
					clean := append([]byte(nil), done...)
					for i := range clean {
						clean[i] &^= 1 << 7
					}
					f(clean)
				})
			}
		}
	}
}

func statusBound(_ context.Context, _ Limits) Finding {
	var s survey
	graphs, err := exchangedGraphs(smallGraphs(5))
	if err != nil {
		return broken(err)
	}
	met := 0
	for _, g := range graphs {
		count := len(g.in)
		if g.n <= 3 {
			count = fewestSteps(g.graph)
		}
		most := 0
		for _, hops := range g.in {
			most = max(most, len(hops))
		}
		if big.NewRat(int64(count), 1).Cmp(ceiling(g.averageStatus())) == 0 {
			met++
		}
		s.add(big.NewRat(int64(count), 1).Cmp(g.averageStatus()) >= 0 && most <= g.n, func() Counterexample {
			return Counterexample{Case: g.name, Claimed: g.averageStatus().RatString(), True: fmt.Sprint(count), Command: exchangeCommand(g.graph)}
		})
	}
	path := pathGraph(3)
	return s.finding("connected graphs with at most 5 nodes: the fastest exchange up to 3, by full search, else a packed one",
		fmt.Sprintf("the bound, rounded up, is met on %d of them; not on %s, where AS is %s and the fastest exchange takes %d steps",
			met, path, path.averageStatus().RatString(), fewestSteps(path)))
}

// ceiling returns the least whole number that is not below x.
func ceiling(x *big.Rat) *big.Rat {
	whole := new(big.Int).Add(x.Num(), new(big.Int).Sub(x.Denom(), big.NewInt(1)))
	return new(big.Rat).SetInt(whole.Quo(whole, x.Denom()))
}

func figure3Of003(ctx context.Context, _ Limits) Finding {
	graphs, err := exchangedGraphs(smallGraphs(4)[1:])
	if err != nil {
		return broken(err)
	}
	var s, repaired survey
	inA := map[string]steps{}
	var plain []graph
	for _, g := range graphs {
		inA[g.name] = g.in
		plain = append(plain, g.graph)
	}
	pairsOf(ctx, plain, func(a, b graph) {
		run := algorithmA1(a, b, inA[a.name], func(i, j, k int) bool { return k == i || k == j })
		left := run.undelivered(a.n * b.n)
		s.add(left == 0, func() Counterexample {
			return Counterexample{Case: fmt.Sprintf("A = %s, B = %s", a, b), Claimed: "every block is delivered",
				True: fmt.Sprintf("%d of %d blocks are not; the checker says: %s", left, a.n*b.n*(a.n*b.n-1), run.judge(a, b).Reason)}
		})
		charitable := algorithmA1(a, b, inA[a.name], func(_, j, k int) bool { return k == j })
		repaired.add(charitable.judge(a, b).Verdict == "valid", func() Counterexample { return Counterexample{Case: a.name + "," + b.name} })
	})
	return s.finding("products of two connected graphs with 2 to 4 nodes each, by size",
		fmt.Sprintf("with k != j in line 3, which may be a slip of the transcription, the checker accepts A1 in %d of %d cases",
			repaired.cases-repaired.failed, repaired.cases))
}

func copiesDisjoint(ctx context.Context, _ Limits) Finding {
	var s survey
	pairsOf(ctx, smallGraphs(4), func(a, b graph) {
		owner := map[[2]int]int{} // by step of the transfers and node: the copy of B that uses it
		disjoint := true
		for t, hops := range transfers(a, b, func(_, j, k int) bool { return j == k }) {
			for _, h := range hops {
				for _, v := range []int{h.from, h.to} {
					if copyOf, used := owner[[2]int{t, v}]; used && copyOf != h.source/b.n {
						disjoint = false
					}
					owner[[2]int{t, v}] = h.source / b.n
				}
			}
		}
		s.add(disjoint, func() Counterexample {
			return Counterexample{Case: a.name + "," + b.name, Claimed: "no node in common", True: "two copies share a node"}
		})
	})
	return s.finding("all products of two connected graphs with at most 4 nodes each: every node of every transfer", "")
}

func table1Of003(ctx context.Context, _ Limits) Finding {
	var s survey
	pairsOf(ctx, smallGraphs(4), func(a, b graph) {
		batches := map[[2]int]map[[2]int]int{} // by i and r: messages by the ends (u_j, u_k) of their transfer
		for _, m := range productGraph(a, b).completePairs() {
			from, to := place(m[0], []graph{a, b}), place(m[1], []graph{a, b})
			if from[1] == to[1] {
				continue // column j, not transferred
			}
			key := [2]int{from[0], to[0]}
			if batches[key] == nil {
				batches[key] = map[[2]int]int{}
			}
			batches[key][[2]int{from[1], to[1]}]++
		}
		for i := range a.n {
			for r := range a.n {
				batch := batches[[2]int{i, r}]
				whole := len(batch) == b.n*(b.n-1)
				for _, count := range batch {
					whole = whole && count == 1
				}
				s.add(whole, func() Counterexample {
					return Counterexample{Case: fmt.Sprintf("%s,%s, i = %d, r = %d", a, b, i, r), Claimed: "one message for each pair", True: fmt.Sprint(batch)}
				})
			}
		}
	})
	return s.finding("all products of two connected graphs with at most 4 nodes each, every i and r",
		"the table prints v_j for the second coordinate of a source, where the text has u_j: a slip of the transcription at least")
}
