package audit

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// Section 2 and 3 of seed 003: products of graphs and their distances. The truth is
// counted on the product, edge by edge, and by breadth first search.

// pairsOf calls f with all products of two of the graphs, in the order of their size.
func pairsOf(ctx context.Context, graphs []graph, f func(a, b graph)) {
	var pairs [][2]graph
	for _, a := range graphs {
		for _, b := range graphs {
			pairs = append(pairs, [2]graph{a, b})
		}
	}
	slices.SortStableFunc(pairs, func(p, q [2]graph) int { return p[0].n*p[1].n - q[0].n*q[1].n })
	for _, p := range pairs {
		if ctx.Err() != nil {
			return
		}
		f(p[0], p[1])
	}
}

// triplesOf calls f with all products of three of the graphs.
func triplesOf(ctx context.Context, graphs []graph, f func(a, b, c graph)) {
	for _, a := range graphs {
		pairsOf(ctx, graphs, func(b, c graph) { f(a, b, c) })
	}
}

// products calls f with the products on which Sections 1 to 3 are checked; overProducts
// says which they are.
func products(ctx context.Context, f func(factors ...graph)) {
	pairsOf(ctx, smallGraphs(4), func(a, b graph) { f(a, b) })
	triplesOf(ctx, smallGraphs(3), func(a, b, c graph) { f(a, b, c) })
}

const overProducts = "all products of two connected graphs with at most 4 nodes each and of three with at most 3, by size"

// place returns the coordinates of a node of a product.
func place(v int, factors []graph) []int {
	c := make([]int, len(factors))
	for i := len(factors) - 1; i >= 0; i-- {
		c[i] = v % factors[i].n
		v /= factors[i].n
	}
	return c
}

func degreesAdd(ctx context.Context, _ Limits) Finding {
	var s survey
	products(ctx, func(factors ...graph) {
		p := productGraph(factors...)
		lists := p.neighbours()
		for v := range p.n {
			sum := 0
			for i, c := range place(v, factors) {
				sum += len(factors[i].neighbours()[c])
			}
			s.equal(fmt.Sprintf("%s, node %d", p, v), big.NewRat(int64(sum), 1), big.NewRat(int64(len(lists[v])), 1), "")
		}
	})
	return s.finding(overProducts, "")
}

// adjacent reports whether nodes of a product are, by the definition in words.
func adjacent(u, v int, factors []graph) bool {
	a, b := place(u, factors), place(v, factors)
	differ := 0
	ok := true
	for i := range factors {
		if a[i] != b[i] {
			differ++
			ok = factors[i].distances()[a[i]][b[i]] == 1
		}
	}
	return differ == 1 && ok
}

func productSize(ctx context.Context, _ Limits) Finding {
	var s survey
	products(ctx, func(factors ...graph) {
		p, n := productGraph(factors...), 1
		for _, g := range factors {
			n *= g.n
		}
		same := p.n == n
		rows := p.distances()
		for u := range p.n {
			for v := range p.n {
				same = same && (rows[u][v] == 1) == adjacent(u, v, factors)
			}
		}
		s.add(same, func() Counterexample {
			return Counterexample{Case: p.name, Claimed: fmt.Sprintf("%d nodes", n), True: fmt.Sprintf("%d nodes and %d edges", p.n, len(p.edges))}
		})
	})
	return s.finding(overProducts, "")
}

// namedFamilies compares products with the networks as they are usually defined, by a
// rule for two lists of coordinates.
func namedFamilies(_ context.Context, _ Limits) Finding {
	var s survey
	near := func(by func(side, a, b int) bool) func(sides, a, b []int) bool {
		return func(sides, a, b []int) bool {
			differ, joined := 0, true
			for i := range a {
				if a[i] != b[i] {
					differ++
					joined = by(sides[i], a[i], b[i])
				}
			}
			return differ == 1 && joined
		}
	}
	families := []struct {
		name   string
		factor func(n int) graph
		joined func(sides, a, b []int) bool
	}{
		{"hypercube", pathGraph, near(func(_, _, _ int) bool { return true })},
		{"mesh", pathGraph, near(func(_, a, b int) bool { return a-b == 1 || b-a == 1 })},
		{"torus", ringGraph, near(func(k, a, b int) bool { return (a-b+k)%k == 1 || (b-a+k)%k == 1 })},
		{"generalized hypercube", completeGraph, near(func(_, _, _ int) bool { return true })},
	}
	sideLists := [][]int{{2}, {5}, {2, 2}, {2, 3}, {3, 3}, {4, 3}, {4, 4}, {2, 2, 2}, {2, 3, 4}, {2, 2, 2, 2}}
	for _, f := range families {
		for _, sides := range sideLists {
			if f.name == "hypercube" && slices.Max(sides) > 2 {
				continue
			}
			var factors []graph
			for _, k := range sides {
				factors = append(factors, f.factor(k))
			}
			p := productGraph(factors...)
			same := true
			for u, row := range p.distances() {
				for v, d := range row {
					same = same && (d == 1) == f.joined(sides, place(u, factors), place(v, factors))
				}
			}
			s.add(same, func() Counterexample {
				return Counterexample{Case: fmt.Sprintf("%s %v", f.name, sides), Claimed: "the product", True: "another graph"}
			})
		}
	}
	return s.finding("each family with sides up to 5, at most 4 dimensions", "")
}

func figure1Of003(_ context.Context, _ Limits) Finding {
	var s survey
	factors := []graph{pathGraph(2), ringGraph(3)}
	p := productGraph(factors...)
	var nodes []string
	for v := range p.n {
		c := place(v, factors)
		nodes = append(nodes, fmt.Sprintf("(%c,%d)", 'a'+c[0], 1+c[1]))
	}
	const claimed = "[(a,1) (a,2) (a,3) (b,1) (b,2) (b,3)]"
	s.add(fmt.Sprint(nodes) == claimed, func() Counterexample {
		return Counterexample{Case: p.name, Claimed: claimed, True: fmt.Sprint(nodes)}
	})
	return s.finding("the printed example", fmt.Sprintf("it has %d edges: two rings of three and three paths of two", len(p.edges)))
}

func theorem1Of003(ctx context.Context, _ Limits) Finding {
	var s survey
	products(ctx, func(factors ...graph) {
		p := productGraph(factors...)
		for v, truth := range p.statuses() {
			claimed := new(big.Rat)
			for i, c := range place(v, factors) {
				claimed.Add(claimed, big.NewRat(int64(p.n*factors[i].statuses()[c]), int64(factors[i].n)))
			}
			s.equal(fmt.Sprintf("%s, node %d", p, v), claimed, big.NewRat(int64(truth), 1), "")
		}
	})
	return s.finding(overProducts, "")
}

func corollary1Of003(ctx context.Context, _ Limits) Finding {
	var s survey
	products(ctx, func(factors ...graph) {
		p := productGraph(factors...)
		claimed := new(big.Rat)
		for _, g := range factors {
			share := g.averageStatus()
			claimed.Add(claimed, share.Mul(share, big.NewRat(int64(p.n), int64(g.n))))
		}
		s.equal(p.name, claimed, p.averageStatus(), "")
	})
	return s.finding(overProducts, "")
}

func hypercubeDistance(ctx context.Context, _ Limits) Finding {
	var s survey
	sides := []graph{completeGraph(1), completeGraph(2), completeGraph(3), completeGraph(4), completeGraph(5)}
	compare := func(factors ...graph) {
		p := productGraph(factors...)
		if p.n == 1 {
			return // no other node: n-1 is 0
		}
		first, second := new(big.Rat), big.NewRat(int64(len(factors)), 1)
		for _, g := range factors {
			first.Add(first, big.NewRat(int64(g.n-1), int64(g.n)))
			second.Sub(second, big.NewRat(1, int64(g.n)))
		}
		each := big.NewRat(int64(p.n), int64(p.n-1))
		for _, claimed := range []*big.Rat{first, second} {
			claimed.Mul(claimed, each)
			for v, status := range p.statuses() {
				s.equal(fmt.Sprintf("%s, node %d", p, v), claimed, big.NewRat(int64(status), int64(p.n-1)), "")
			}
		}
	}
	pairsOf(ctx, sides, func(a, b graph) { compare(a, b) })
	triplesOf(ctx, sides[:4], func(a, b, c graph) { compare(a, b, c) })
	return s.finding("two sides of 1 to 5 and three of 1 to 4, every node, both forms", "")
}

func figure2Of003(_ context.Context, _ Limits) Finding {
	var s survey
	rows, columns := ringGraph(3), ringGraph(4)
	p := productGraph(rows, columns)
	for _, c := range []struct{ copies, each graph }{{columns, rows}, {rows, columns}} {
		inside := 0 // edges within the copies
		for _, e := range p.edges {
			u, v := place(e[0], []graph{rows, columns}), place(e[1], []graph{rows, columns})
			if axis := map[int]int{3: 1, 4: 0}[c.each.n]; u[axis] == v[axis] {
				inside++
			}
		}
		s.equal(fmt.Sprintf("%d copies of %s: edges", c.copies.n, c.each),
			big.NewRat(int64(c.copies.n*len(c.each.edges)), 1), big.NewRat(int64(inside), 1), "")
	}
	return s.finding("the printed example, both ways",
		"the text has A_1 to A_4 with a top, a middle and a bottom node, so there A is the ring of three and n_2 = 4: in its own order A x B that is 3x4")
}
