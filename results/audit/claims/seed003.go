package claims

import (
	"fmt"
	"math/big"
	"slices"

	"leeway/results/audit/model"
	verdict "leeway/results/check/exchange"
)

// V. V. Dimakopoulos and N. J. Dimopoulos, "Decomposition of Total Exchange for Multidimensional Interconnects":
// complete exchange by store and forward on products of graphs, one port each way. Distances are counted on the
// product, edge by edge, and by breadth first search; schedules are built as the figures print them and go to the
// checker, which counts their steps.
var seed003 = []row{
	{"section-1-degree", "Section 1",
		"In a product the degree of a node is the sum of its degrees in each dimension.",
		onProducts(func(s *survey, p model.Graph, factors []model.Graph) {
			for v, list := range p.Neighbours() {
				degree := 0
				for i, c := range model.Place(v, factors) {
					degree += len(factors[i].Neighbours()[c])
				}
				s.equal(say("%s, node %d", p, v), len(list), degree)
			}
		})},
	{"section-2-size", "Section 2, definition of the product",
		"A product of k graphs has |V_1| ... |V_k| nodes; two are adjacent if they differ in exactly one coordinate, where " +
			"they are adjacent.",
		onProducts(func(s *survey, p model.Graph, factors []model.Graph) {
			n := 1
			for _, g := range factors {
				n *= g.N
			}
			same := p.N == n && model.JoinedAs(p, factors, func(i, x, y int) bool { return factors[i].Distances(x)[y] == 1 })
			s.add(same, say("%s", p), say("%d nodes", n), say("%d nodes and %d edges", p.N, len(p.Edges)))
		})},
	{"section-2-families", "Section 2",
		"Hypercubes are products of two-node arrays, tori of rings, meshes of linear arrays, generalized hypercubes of " +
			"complete graphs.",
		func(s *survey) {
			for _, f := range []struct {
				name   string
				factor func(n int) model.Graph
				joined func(side, x, y int) bool // neighbours as usually defined
			}{
				{"hypercube", model.Path, func(_, _, _ int) bool { return true }},
				{"mesh", model.Path, func(_, x, y int) bool { return x-y == 1 || y-x == 1 }},
				{"torus", model.Ring, func(k, x, y int) bool { return (x-y+k)%k == 1 || (y-x+k)%k == 1 }},
				{"generalized hypercube", model.Complete, func(_, _, _ int) bool { return true }},
			} {
				for _, sides := range [][]int{{2}, {5}, {2, 2}, {2, 3}, {3, 3}, {4, 3}, {4, 4}, {2, 2, 2}, {2, 3, 4}, {2, 2, 2,
					2}} {
					if f.name == "hypercube" && slices.Max(sides) > 2 {
						continue
					}
					var factors []model.Graph
					for _, k := range sides {
						factors = append(factors, f.factor(k))
					}
					same := model.JoinedAs(model.Product(factors...), factors,
						func(i, x, y int) bool { return f.joined(sides[i], x, y) })
					s.add(same, say("%s %v", f.name, sides), "the product", "another graph")
				}
			}
			s.end("each family with sides up to 5, at most 4 dimensions", "")
		}},
	{"figure-1", "Figure 1",
		"The product of a path of two nodes and a ring of three has the six nodes (a,1) to (b,3).",
		func(s *survey) {
			factors := []model.Graph{model.Path(2), model.Ring(3)}
			p := model.Product(factors...)
			var nodes []string
			for v := range p.N {
				c := model.Place(v, factors)
				nodes = append(nodes, fmt.Sprintf("(%c,%d)", 'a'+c[0], 1+c[1]))
			}
			s.same(say("%s", p), nodes, "[(a,1) (a,2) (a,3) (b,1) (b,2) (b,3)]")
			s.end("the printed example", fmt.Sprintf("it has %d edges: two rings of three and three paths of two",
				len(p.Edges)))
		}},
	{"bound-1", "Section 3, (1)",
		"Complete exchange takes at least AS(G) steps, the average status: at most n blocks move in a step.",
		func(s *survey) {
			met := 0
			for _, g := range model.Packed(model.SmallGraphs(5)) {
				count, most := len(g.In), 0
				if g.N <= 3 {
					count = model.FewestSteps(g)
				}
				for _, hops := range g.In {
					most = max(most, len(hops))
				}
				if equals.holds(count, let("x", g.AverageStatus()).value("ceil(x)")) {
					met++
				}
				s.add(atLeast.holds(count, g.AverageStatus()) && most <= g.N, byA2(g), g.AverageStatus(), count)
			}
			path := model.Path(3)
			s.end("connected graphs with at most 5 nodes: the fastest exchange up to 3, by full search, else a packed one",
				fmt.Sprintf("the bound, rounded up, is met on %d of them; not on %s, where AS is %s and the fastest exchange "+
					"takes %d steps", met, path, path.AverageStatus().RatString(), model.FewestSteps(path)))
		}},
	{"theorem-1", "Theorem 1",
		"The status of a node v of a product with n nodes is n times the sum of s_i(v_i)/|V_i|.",
		onProducts(func(s *survey, p model.Graph, factors []model.Graph) {
			for v, status := range p.Statuses() {
				c := model.Place(v, factors)
				claimed := ratios(factors, func(i int, g model.Graph) *big.Rat { return ratio(p.N*g.Statuses()[c[i]], g.N) })
				s.equal(say("%s, node %d", p, v), status, claimed)
			}
		})},
	{"section-3-distance", "Section 3.1, example",
		"The average distance in a generalized hypercube is n/(n-1) times the sum of (m_i - 1)/m_i, which is n/(n-1) (k - " +
			"sum of 1/m_i).",
		func(s *survey) {
			compare := func(factors ...model.Graph) {
				p := model.Product(factors...)
				first := ratios(factors, func(_ int, g model.Graph) *big.Rat { return ratio(g.N-1, g.N) })
				second := ratios(factors, func(_ int, g model.Graph) *big.Rat { return ratio(1, g.N) })
				s.letters = let("n k x y", p.N, len(factors), first, second)
				for _, claimed := range []string{"n/(n-1) x", "n/(n-1) (k - y)"} {
					for v, status := range p.Statuses() {
						if p.N > 1 { // else n-1 is 0
							s.equal(say("%s, node %d", p, v), ratio(status, p.N-1), claimed)
						}
					}
				}
			}
			sides := []model.Graph{model.Complete(1), model.Complete(2), model.Complete(3), model.Complete(4), model.Complete(5)}
			pairs(s, sides, compare)
			triples(s, sides[:4], compare)
			s.end("two sides of 1 to 5 and three of 1 to 4, every node, both forms", "")
		}},
	{"corollary-1", "Corollary 1", "AS(G) is n times the sum of AS(G_i)/|V_i|.",
		onProducts(func(s *survey, p model.Graph, factors []model.Graph) {
			s.equal(say("%s", p), p.AverageStatus(), ratios(factors, func(_ int, g model.Graph) *big.Rat {
				return let("n a b", p.N, g.AverageStatus(), g.N).value("n a/b")
			}))
		})},
	{"figure-2", "Figure 2", "A 4x3 torus is four copies of a ring of three, or three copies of a ring of four.",
		func(s *survey) {
			factors := []model.Graph{model.Ring(3), model.Ring(4)}
			p := model.Product(factors...)
			for i, each := range factors {
				copies, inside := factors[1-i].N, 0 // edges within the copies
				for _, e := range p.Edges {
					if model.Place(e[0], factors)[1-i] == model.Place(e[1], factors)[1-i] {
						inside++
					}
				}
				s.equal(say("%d copies of %s: edges", copies, each), inside, copies*len(each.Edges))
			}
			s.end("the printed example, both ways", "the text has A_1 to A_4 with a top, a middle and a bottom node, so "+
				"there A is the ring of three and n_2 = 4: in its own order A x B that is 3x4")
		}},
	{"figure-3", "Figure 3, algorithm A1",
		"Algorithm A1 solves complete exchange on A x B; its line 3 is \"for every k = 1, ..., n_2, k != i\", where i " +
			"numbers the nodes of A.",
		func(s *survey) {
			var repaired survey
			pairs(s, model.Packed(model.SmallGraphs(4)[1:]), func(factors ...model.Graph) {
				a, b := factors[0], factors[1]
				printed := model.AlgorithmA1(a, b, func(i, j, k int) bool { return k == i || k == j })
				left := printed.Undelivered(a.N * b.N)
				s.add(left == 0, say("A = %s, B = %s", a, b), "every block is delivered", later(func() string {
					return fmt.Sprintf("%d of %d blocks are not; the checker says: %s", left, a.N*b.N*(a.N*b.N-1),
						printed.Judge(a, b).Reason)
				}))
				repeated := model.AlgorithmA1(a, b, func(_, j, k int) bool { return k == j })
				repaired.same(say(""), repeated.Judge(a, b).Verdict, "valid")
			})
			s.end("products of two connected graphs with 2 to 4 nodes each, by size",
				fmt.Sprintf("with k != j in line 3, which may be a slip of the transcription, the checker accepts A1 in %d of %d "+
					"cases",
					repaired.cases-repaired.failed, repaired.cases))
		}},
	{"section-4-disjoint", "Section 4", "Transfers within B_i and within another copy of B have no node in common.",
		func(s *survey) {
			pairs(s, model.SmallGraphs(4), func(factors ...model.Graph) {
				a, b := factors[0], factors[1]
				owner := map[[2]int]int{} // by step of the transfers and node: the copy of B that uses it
				disjoint := true
				for t, hops := range model.Transfers(a, b, func(_, j, k int) bool { return j == k }) {
					for _, h := range hops {
						for _, v := range []int{h.From, h.To} {
							copyOf, used := owner[[2]int{t, v}]
							disjoint = disjoint && (!used || copyOf == h.Source/b.N)
							owner[[2]int{t, v}] = h.Source / b.N
						}
					}
				}
				s.add(disjoint, say("%s,%s", a, b), "no node in common", "two copies share a node")
			})
			s.end("all products of two connected graphs with at most 4 nodes each: every node of every transfer", "")
		}},
	{"table-1", "Table 1",
		"The batches R_r of the nodes of B_i are an instance of complete exchange in B_i: one message from each to each " +
			"other.",
		func(s *survey) {
			pairs(s, model.SmallGraphs(4), func(factors ...model.Graph) {
				a, b := factors[0], factors[1]
				batches := map[[4]int]int{} // messages from (v_i,u_j) to (v_r,u_k), by i, r, j and k
				for u := range a.N * b.N {
					for v := range a.N * b.N {
						from, to := model.Place(u, factors), model.Place(v, factors)
						batches[[4]int{from[0], to[0], from[1], to[1]}]++
					}
				}
				for i := range a.N {
					for r := range a.N {
						once := true
						for j := range b.N {
							for k := range b.N { // those with j = k are not transferred
								once = once && (j == k || batches[[4]int{i, r, j, k}] == 1)
							}
						}
						s.add(once, say("%s,%s, i = %d, r = %d", a, b, i, r), "one message for each pair", "another number")
					}
				}
			})
			s.end("all products of two connected graphs with at most 4 nodes each, every i and r", "the table prints v_j for "+
				"the second coordinate of a source, where the text has u_j: a slip of the transcription at least")
		}},
	{"figure-4", "Figure 4, algorithm A2", "Algorithm A2 solves complete exchange on every product of two graphs.",
		onA2(pairsA2, isExchange, nil)},
	{"section-4-recursion", "Section 4",
		"With more than two dimensions A2 can be used recursively, A being all dimensions but the last.",
		onA2(triplesA2, isExchange, nil)},
	{"theorem-2", "Theorem 2", "From exchanges in T_A and T_B steps A2 takes n_1 T_B + n_2 T_A.",
		onA2(pairsA2, takesSum, func() string {
			mesh := model.Packed([]model.Graph{model.Path(2), model.Path(3), model.Product(model.Path(2), model.Path(3))})
			return fmt.Sprintf("it is the time of A2, not the least possible: on %s A2 takes %d steps, and %d do (--algorithm "+
				"pack)", mesh[2].Name, len(model.ProductA2(mesh[:2]...).In), len(mesh[2].In))
		})},
	{"corollary-2", "Corollary 2", "From exchanges in T_i steps A2 takes n times the sum of T_i/|V_i|.",
		onA2(triplesA2, takesSum, nil)},
	{"theorem-3", "Theorem 3",
		"If the exchange in every dimension takes as many steps as bound (1), AS(G_i), then so it does in G.",
		func(s *survey) {
			most := min(8, s.MaxK)
			graphs := model.SmallGraphs(5)
			for n := 6; n <= most; n++ {
				graphs = append(graphs, model.Ring(n))
			}
			met := optimal(s, model.Packed(graphs), false)
			s.end(fmt.Sprintf("products of two of the %d graphs, connected with at most 5 nodes or rings of at most %d, "+
				"whose packed exchange takes AS(G) steps", met, most), "")
		}},
	{"theorem-3-rounded", "Theorem 3, with bound (1) rounded up to whole steps",
		"If exchanges of the dimensions achieve bound (1), A2 achieves it too. Steps being whole, this reads the bound as " +
			"rounded up.",
		func(s *survey) {
			optimal(s, model.Packed(model.SmallGraphs(4)), true)
			s.end("products of two connected graphs with at most 4 nodes, by size, whose packed exchange takes AS(G) steps, "+
				"rounded up", "A2 pays n/|V_i| times over what a dimension loses by rounding; where every AS(G_i) is whole the "+
				"theorem holds as it stands (seed003-theorem-3)")
		}},
	{"section-5-hypercubes", "Section 5",
		"Between two nodes exchange takes one step, the average status, so that A2 is optimal on hypercubes.",
		func(s *survey) {
			one := model.Packed([]model.Graph{model.Path(2)})
			for d := 1; d <= 6 && !s.done(); d++ {
				factors := slices.Repeat(one, d)
				whole := model.ProductA2(factors...)
				v := whole.In.Judge(factors...)
				s.same(byA2(whole), say("%d steps, idle ports %d, %s", v.Phases, v.IdlePorts, v.Verdict),
					say("%s steps, idle ports 0, valid", whole.AverageStatus().RatString()))
			}
			s.end("hypercubes of 1 to 6 dimensions", "")
		}},
	{"section-5-cayley", "Section 5, after [7]",
		"Every Cayley network has an exchange in as many steps as bound (1).",
		func(s *survey) {
			most := min(10, max(6, s.MaxK))
			for _, g := range model.SmallGroups(most) {
				for c := range g.Cayley() {
					if s.done() {
						return
					}
					v := c.In.Judge(c)
					s.same(say("%s", c), say("%d steps, %s", v.Phases, v.Verdict),
						say("%s steps, valid", c.AverageStatus().RatString()))
				}
			}
			s.end(fmt.Sprintf("every group with at most %d elements and every generating set closed under inverses", most),
				"all nodes pass on along the same generator, one word for each element")
		}},
	{"section-5-families", "Section 5", "A2 is optimal on k-ary n-cubes, general tori and generalized hypercubes.",
		func(s *survey) {
			most := max(4, min(8, s.MaxK))
			var graphs []model.Graph
			for n := 2; n <= most; n++ {
				graphs = append(graphs, model.Ring(n), model.Complete(n))
			}
			list := model.Packed(graphs)
			s.add(optimal(s, list, false) == len(list), say("rings and complete graphs"), "AS(G) steps", "more")
			for _, other := range list[3:5] { // three dimensions
				factors := []model.Graph{list[2], other, list[2]}
				whole := model.ProductA2(factors...)
				s.equal(say("%s", whole), whole.In.Judge(factors...).Phases, whole.AverageStatus())
			}
			s.end(fmt.Sprintf("rings and complete graphs with 2 to %d nodes, their products in pairs, two products of "+
				"three", most),
				"meshes are not among them: a path of three or more nodes cannot meet the bound")
		}},
}

// ratios returns the sum of a number for each factor.
func ratios(factors []model.Graph, of func(i int, g model.Graph) *big.Rat) *big.Rat {
	total := new(big.Rat)
	for i, g := range factors {
		total.Add(total, of(i, g))
	}
	return total
}

// byA2 is a graph as a case, with the command that shows the steps of A2 on it.
func byA2(g model.Graph) text {
	return say("%s", g).withCommand("leeway exchange --graph " + g.Name + " --algorithm product")
}

// pairs calls f with all products of two of the graphs, in the order of their size, triples with those of three.
func pairs(s *survey, graphs []model.Graph, f func(factors ...model.Graph)) {
	var pairs [][]model.Graph
	for _, a := range graphs {
		for _, b := range graphs {
			pairs = append(pairs, []model.Graph{a, b})
		}
	}
	slices.SortStableFunc(pairs, func(p, q []model.Graph) int { return p[0].N*p[1].N - q[0].N*q[1].N })
	for _, p := range pairs {
		if s.done() {
			return
		}
		f(p...)
	}
}

func triples(s *survey, graphs []model.Graph, f func(factors ...model.Graph)) {
	for _, a := range graphs {
		pairs(s, graphs, func(bc ...model.Graph) { f(a, bc[0], bc[1]) })
	}
}

// onProducts is a check of the products on which sections 1 to 3 are checked.
func onProducts(each func(s *survey, p model.Graph, factors []model.Graph)) check {
	return func(s *survey) {
		one := func(factors ...model.Graph) { each(s, model.Product(factors...), factors) }
		pairs(s, model.SmallGraphs(4), one)
		triples(s, model.SmallGraphs(3), one)
		s.end("all products of two connected graphs with at most 4 nodes each and of three with at most 3, by size", "")
	}
}

// A familyA2 is products on which A2 is checked: each calls f with the factors of each, and over says which they are.
type familyA2 struct {
	over string
	each func(s *survey, f func(factors ...model.Graph))
}

var (
	pairsA2 = familyA2{"all products of two connected graphs with at most 4 nodes each, by size; packed exchanges of " +
		"the factors",
		func(s *survey, f func(factors ...model.Graph)) { pairs(s, model.Packed(model.SmallGraphs(4)), f) }}
	triplesA2 = familyA2{"all products of three connected graphs with at most 3 nodes, and of four with at most 2",
		func(s *survey, f func(factors ...model.Graph)) {
			triples(s, model.Packed(model.SmallGraphs(3)), f)
			small := model.Packed(model.SmallGraphs(2))
			pairs(s, small, func(ab ...model.Graph) {
				pairs(s, small, func(cd ...model.Graph) {
					if all := slices.Concat(ab, cd); model.Product(all...).N > 1 {
						f(all...)
					}
				})
			})
		}}
)

// onA2 is a check of A2 on a family of products, by the checker's verdict. The note may be nil.
func onA2(family familyA2, each func(s *survey, whole model.Graph, factors []model.Graph, v verdict.Verdict),
	note func() string) check {
	return func(s *survey) {
		family.each(s, func(factors ...model.Graph) {
			whole := model.ProductA2(factors...)
			each(s, whole, factors, whole.In.Judge(factors...))
		})
		s.end(family.over, "")
		if note != nil {
			s.note = note()
		}
	}
}

func isExchange(s *survey, whole model.Graph, factors []model.Graph, v verdict.Verdict) {
	s.add(v.Verdict == "valid", byA2(whole), "a complete exchange", v.Reason)
}

// takesSum: n times the sum of T_i/n_i steps, which is n_1 T_B + n_2 T_A for two.
func takesSum(s *survey, whole model.Graph, factors []model.Graph, v verdict.Verdict) {
	s.equal(byA2(whole), v.Phases, ratios(factors, func(_ int, g model.Graph) *big.Rat {
		return ratio(whole.N*len(g.In), g.N)
	}))
}

// optimal compares the steps of A2, as the checker counts them, with AS of the product, for all products of two of
// the graphs whose own exchange takes AS(G) steps, or that rounded up. It returns how many these graphs are.
func optimal(s *survey, list []model.Graph, rounded bool) int {
	bound := func(g model.Graph) *big.Rat {
		if rounded {
			return let("x", g.AverageStatus()).value("ceil(x)")
		}
		return g.AverageStatus()
	}
	var meeting []model.Graph
	for _, g := range list {
		if equals.holds(len(g.In), bound(g)) {
			meeting = append(meeting, g)
		}
	}
	pairs(s, meeting, func(factors ...model.Graph) {
		whole := model.ProductA2(factors...)
		s.equal(byA2(whole), whole.In.Judge(factors...).Phases, bound(whole))
	})
	return len(meeting)
}
