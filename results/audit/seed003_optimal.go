package audit

import (
	"context"
	"fmt"
	"math/big"
)

// Algorithm A2 of seed 003: that it works, how long it takes, when it is optimal.

// overA2 says on which products A2 is checked.
const overA2 = "all products of two connected graphs with at most 4 nodes each, by size; packed exchanges of the factors"

// productsA2 calls f with A2 on these products.
func productsA2(ctx context.Context, f func(a, b, whole exchanged)) error {
	list, err := exchangedGraphs(smallGraphs(4))
	if err != nil {
		return err
	}
	byName, plain := map[string]exchanged{}, []graph{}
	for _, g := range list {
		byName[g.name] = g
		plain = append(plain, g.graph)
	}
	pairsOf(ctx, plain, func(a, b graph) { f(byName[a.name], byName[b.name], byName[a.name].product(byName[b.name])) })
	return nil
}

// count is a whole number as a fraction.
func count(n int) *big.Rat { return big.NewRat(int64(n), 1) }

func figure4Of003(ctx context.Context, _ Limits) Finding {
	var s survey
	err := productsA2(ctx, func(a, b, whole exchanged) {
		v := whole.in.judge(a.graph, b.graph)
		s.add(v.Verdict == "valid", func() Counterexample {
			return Counterexample{Case: whole.name, Claimed: "a complete exchange", True: v.Reason, Command: exchangeCommand(a.graph, b.graph)}
		})
	})
	if err != nil {
		return broken(err)
	}
	return s.finding(overA2, "")
}

func theorem2Of003(ctx context.Context, _ Limits) Finding {
	var s survey
	err := productsA2(ctx, func(a, b, whole exchanged) {
		v := whole.in.judge(a.graph, b.graph)
		s.equal(whole.name, count(a.n*len(b.in)+b.n*len(a.in)), count(v.Phases), exchangeCommand(a.graph, b.graph))
	})
	if err != nil {
		return broken(err)
	}
	mesh, err := exchangedGraphs([]graph{pathGraph(2), pathGraph(3), productGraph(pathGraph(2), pathGraph(3))})
	if err != nil {
		return broken(err)
	}
	return s.finding(overA2, fmt.Sprintf("it is the time of A2, not the least possible: on %s A2 takes %d steps, and %d do (--algorithm pack)",
		mesh[2].name, len(mesh[0].product(mesh[1]).in), len(mesh[2].in)))
}

// recursive returns A2 on several factors, A being all but the last.
func recursive(factors []exchanged) exchanged {
	whole := factors[0]
	for _, f := range factors[1:] {
		whole = whole.product(f)
	}
	return whole
}

// overThree says on which products the recursion is checked.
const overThree = "all products of three connected graphs with at most 3 nodes, and of four with at most 2"

func productsOfThree(ctx context.Context, f func(factors []exchanged, whole exchanged)) error {
	list, err := exchangedGraphs(smallGraphs(3))
	if err != nil {
		return err
	}
	for _, a := range list {
		for _, b := range list {
			for _, c := range list {
				if ctx.Err() == nil {
					f([]exchanged{a, b, c}, recursive([]exchanged{a, b, c}))
				}
				for _, d := range list {
					if max(a.n, b.n, c.n, d.n) == 2 {
						f([]exchanged{a, b, c, d}, recursive([]exchanged{a, b, c, d}))
					}
				}
			}
		}
	}
	return nil
}

// graphsOf returns the factors without their steps.
func graphsOf(factors []exchanged) []graph {
	var list []graph
	for _, f := range factors {
		list = append(list, f.graph)
	}
	return list
}

func recursion(ctx context.Context, _ Limits) Finding {
	var s survey
	err := productsOfThree(ctx, func(factors []exchanged, whole exchanged) {
		v := whole.in.judge(graphsOf(factors)...)
		s.add(v.Verdict == "valid", func() Counterexample {
			return Counterexample{Case: whole.name, Claimed: "a complete exchange", True: v.Reason, Command: exchangeCommand(graphsOf(factors)...)}
		})
	})
	if err != nil {
		return broken(err)
	}
	return s.finding(overThree, "")
}

func corollary2Of003(ctx context.Context, _ Limits) Finding {
	var s survey
	err := productsOfThree(ctx, func(factors []exchanged, whole exchanged) {
		claimed := new(big.Rat)
		for _, f := range factors {
			claimed.Add(claimed, big.NewRat(int64(whole.n*len(f.in)), int64(f.n)))
		}
		v := whole.in.judge(graphsOf(factors)...)
		s.equal(whole.name, claimed, count(v.Phases), exchangeCommand(graphsOf(factors)...))
	})
	if err != nil {
		return broken(err)
	}
	return s.finding(overThree, "")
}

// meeting returns the graphs whose exchange takes AS(G) steps, or that rounded up.
func meeting(list []exchanged, rounded bool) []exchanged {
	var some []exchanged
	for _, g := range list {
		bound := g.averageStatus()
		if rounded {
			bound = ceiling(bound)
		}
		if bound.Cmp(count(len(g.in))) == 0 {
			some = append(some, g)
		}
	}
	return some
}

// optimality compares the steps of A2, as the checker counts them, with AS of the
// product, for all products of two graphs that meet the bound. Rounded says whether
// bounds are rounded up to whole steps.
func optimality(ctx context.Context, list []exchanged, rounded bool) survey {
	var s survey
	byName, plain := map[string]exchanged{}, []graph{}
	for _, g := range meeting(list, rounded) {
		byName[g.name] = g
		plain = append(plain, g.graph)
	}
	pairsOf(ctx, plain, func(a, b graph) {
		whole := byName[a.name].product(byName[b.name])
		v, bound := whole.in.judge(a, b), whole.averageStatus()
		if rounded {
			bound = ceiling(bound)
		}
		s.equal(whole.name, bound, count(v.Phases), exchangeCommand(a, b))
	})
	return s
}

// theorem3Graphs are the graphs with at most five nodes, and longer rings.
func theorem3Graphs(rings int) ([]exchanged, error) {
	graphs := smallGraphs(5)
	for n := 6; n <= rings; n++ {
		graphs = append(graphs, ringGraph(n))
	}
	return exchangedGraphs(graphs)
}

func theorem3Of003(ctx context.Context, l Limits) Finding {
	list, err := theorem3Graphs(min(8, l.MaxK))
	if err != nil {
		return broken(err)
	}
	s := optimality(ctx, list, false)
	return s.finding(fmt.Sprintf("products of two of the %d graphs, connected with at most 5 nodes or rings of at most %d, whose packed exchange takes AS(G) steps",
		len(meeting(list, false)), min(8, l.MaxK)), "")
}

func theorem3Rounded(ctx context.Context, _ Limits) Finding {
	list, err := exchangedGraphs(smallGraphs(4))
	if err != nil {
		return broken(err)
	}
	s := optimality(ctx, list, true)
	const note = "A2 pays n/|V_i| times over what a dimension loses by rounding; where every AS(G_i) is whole the theorem holds as it stands (seed003-theorem-3)"
	return s.finding("products of two connected graphs with at most 4 nodes, by size, whose packed exchange takes AS(G) steps, rounded up", note)
}

func hypercubes(ctx context.Context, _ Limits) Finding {
	var s survey
	one, err := exchangedGraphs([]graph{pathGraph(2)})
	if err != nil {
		return broken(err)
	}
	factors := one
	for ; len(factors) <= 6 && ctx.Err() == nil; factors = append(factors, one[0]) {
		whole := recursive(factors)
		v := whole.in.judge(graphsOf(factors)...)
		idle := fmt.Sprintf("%d steps, idle ports %d, %s", v.Phases, v.IdlePorts, v.Verdict)
		claimed := fmt.Sprintf("%s steps, idle ports 0, valid", whole.averageStatus().RatString())
		s.add(idle == claimed, func() Counterexample {
			return Counterexample{Case: whole.name, Claimed: claimed, True: idle, Command: exchangeCommand(graphsOf(factors)...)}
		})
	}
	return s.finding("hypercubes of 1 to 6 dimensions", "")
}

func optimalFamilies(ctx context.Context, l Limits) Finding {
	most := max(4, min(8, l.MaxK))
	var graphs []graph
	for n := 2; n <= most; n++ {
		graphs = append(graphs, ringGraph(n), completeGraph(n))
	}
	list, err := exchangedGraphs(graphs)
	if err != nil {
		return broken(err)
	}
	s := optimality(ctx, list, false)
	all := len(meeting(list, false)) == len(list)
	s.add(all, func() Counterexample {
		return Counterexample{Case: "rings and complete graphs", Claimed: "AS(G) steps", True: "more"}
	})
	for _, some := range []int{3, 4} { // three dimensions
		whole := recursive([]exchanged{list[2], list[some], list[2]})
		v := whole.in.judge(list[2].graph, list[some].graph, list[2].graph)
		s.equal(whole.name, whole.averageStatus(), count(v.Phases), "")
	}
	return s.finding(fmt.Sprintf("rings and complete graphs with 2 to %d nodes, their products in pairs, two products of three", most),
		"meshes are not among them: a path of three or more nodes cannot meet the bound")
}
