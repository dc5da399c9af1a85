package claims

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/objective/bisect"
	"leeway/results/audit/model"
)

// M. C. Azizoglu and O. Egecioglu, "Lower Bounds on Communication Loads and Optimal Placements in Torus Networks",
// IEEE Transactions on Computers 49(3), 2000.
var seed000 = []row{
	{"section-1-width", "section 1", "The full torus has bisection width 4k^(d-1) for even k.", fullWidth(true)},
	{"section-1-load", "section 1",
		"On the full torus with even k some link has load at least k^(d+1)/8.", fullLoad(true, atLeast, "")},
	{"inequality-1", "section 1, after inequality 1",
		"E_max is at least |P|/4 for d = 2 and |P|/6 for d = 3, and placements with k and k^2 processors achieve these " +
			"bounds.",
		loadPerProcessor},
	{"definition-1", "Definition 1",
		"The torus has k^d nodes, each with 2d neighbours; a fixed coordinate leaves a torus with one axis less.",
		nodesAndNeighbours},
	{"definition-2", "Definition 2",
		"A placement is a set of nodes; it is uniform if all principal subtori hold equally many processors.",
		definition},
	{"definition-3", "Definition 3",
		"A routing gives every pair of processors a set of shortest paths, of which one is taken uniformly.",
		definition},
	{"figure-1", "Figure 1", "Three processors on 3x3 with shortest paths between them.",
		untested("a drawing that the text at hand does not contain; it states no number")},
	{"definition-4", "Definition 4",
		"The load of a link is the sum over ordered pairs of the share of their paths through it.", definition},
	{"definition-5", "Definition 5", "E_max is the largest load of a link.", definition},
	{"section-2-more-paths", "section 2, after Definition 5",
		"The more paths the routing provides, the smaller the loads of the links in use.",
		limited(12, func(s *survey) { // UDR has all paths of ODR, and minimal all of UDR with both tie ways
			for _, pair := range [][2]string{{"odr", "udr"}, {"odr:tie=both", "udr:tie=both"}, {"udr:tie=both", "minimal"}} {
				for k, d := range cubes(s, 3, 2, 3) {
					few, more := model.SetUp(k, d, "linear", pair[0]), model.SetUp(k, d, "linear", pair[1])
					s.compare(more, more.Load(), atMost, few.Load())
				}
			}
			s.end("linear placements, "+span(s, 3, 2, 3)+"; E_max of odr against udr (either tie rule), of udr against "+
				"minimal (both tie ways)", "claimed is at most E_max of the routing with fewer paths. It is so from odr to udr; "+
				"but minimal, which has all paths of udr and more, sends more of them over the links in the middle of a ring")
		})},
	{"definition-6", "Definition 6",
		"The Lee distance, the sum of the cyclic distances, is the length of a shortest path.", leeDistance},
	{"definition-7", "Definition 7", "The bisection width of a graph.", definition},
	{"definition-8", "Definition 8", "The bisection width with respect to a placement.", definition},
	{"definition-9", "Definition 9", "O and Omega.", definition},

	{"inequality-6", "inequality 6", "E_max is at least (|P|-1)/(2d).", degreeBound},
	{"lemma-1", "Lemma 1",
		"E_max is at least 2|S|(|P|-|S|)/|dS| for every part S of P, dS being the links between S and the rest.",
		separatorBound},
	{"lemma-1-single", "section 3, after Lemma 1", "For one processor |dS| = 4d, so that (7) becomes (6).",
		onCubes(3, axes{1, 2, 3, 4}, "%s", "on sides of 2 it is 2d", func(s *survey, k, d int) {
			t := model.Cube(k, d)
			set := core.NewSet(t.N())
			set.Add(0)
			s.equal(say("torus %s", t), 2*bisect.CapacityOut(t, set), 4*d)
		})},
	{"inequality-8", "inequality 8",
		"E_max is at least 2(|P|/2)^2 over the bisection width with respect to P.", bisectionBound},
	{"inequality-8-boundary", "section 3, after inequality 8",
		"With half of the processors of P as S, dS becomes the bisection width.",
		onTiny(2, "%s, 2 processors or more, the best half S",
			"the claimed value is the bisection width, the true one the least |dS| of a half S of the processors: nodes "+
				"without a processor may join a side and shorten the cut. The bound (8) needs S to be a set of nodes, which the "+
				"proof of Lemma 1 allows.",
			func(s *survey, at model.MinimalSetting, p core.Placement) {
				all, least := model.Mask(p), p.Torus().M()
				for part := all; part > 0; part = (part - 1) & all {
					if bits.OnesCount(part) == p.Size()/2 {
						least = min(least, model.OutLinks(p.Torus(), part))
					}
				}
				s.equal(at.Setting, 2*least, width(s, p))
			})},
	{"inequality-9", "inequality 9", "If E_max = c|P| then |P| is at most 12dc k^(d-1).", sizeBound},

	{"proposition-1", "Proposition 1",
		"Any set of nodes is bisected by removing O(k^(d-1)) edges; so is any subgraph.", anyWidth},
	{"corollary-1", "Corollary 1", "The bisection width with respect to any placement is at most 6dk^(d-1).", anyWidth},
	{"remark-1", "Remark after Corollary 1",
		"Of two complete graphs on 2n nodes joined by an edge, subgraphs with 2n nodes have bisection widths from 1 to " +
			"Omega(n^2).",
		func(s *survey) {
			for n := 1; n <= 3 && !s.done(); n++ {
				low, high := model.InducedWidths(n)
				at := fmt.Sprintf("two complete graphs on %d nodes and an edge, subgraphs with %d nodes", 2*n, 2*n)
				s.equal(say("%s, least width", at), low, 1)
				s.equal(say("%s, largest width", at), high, n*n)
			}
			s.end("n = 1..3, all induced subgraphs, n^2 for the upper end", "n nodes of each copy without an end of the edge "+
				"that joins them have width 0; the rest of the remark, up to n^2, is right")
		}},
	{"theorem-1", "Theorem 1",
		"Removing 4k^(d-1) links bisects the torus with respect to any uniform placement: the width is at most that.",
		uniformWidth(atMost, false,
			"for odd k two cuts cannot halve the slabs; the paper proves even k only, where at most 4k^(d-1) holds")},
	{"theorem-1-exact", "Theorem 1, read as an equation",
		"For even k the bisection width of a uniform placement is 4k^(d-1).",
		uniformWidth(equals, true, "equal on two axes in all cases; on three axes two opposite octants are uniform, and "+
			"cutting around one takes 3k^2 links, both ways counted")},
	{"theorem-1-proof", "Theorem 1, proof, and the generalisation after it",
		"For even k the links at two opposite places across an axis, along which all slabs hold equally many processors, " +
			"number at most 4k^(d-1) and bisect the placement.",
		func(s *survey) {
			cut := func(at model.Setting) { // slabs 1..k/2 across axis 0: that they halve, then their links
				t := at.Torus()
				set, inside := bisect.Band{Dim: 0, Start: 1, Length: t.Side(0) / 2}.Set(t), 0
				for _, v := range at.Placement.Nodes() {
					if set.Has(v) {
						inside++
					}
				}
				s.equal(at, 2*inside, at.Placement.Size())
				s.compare(at, 2*bisect.CapacityOut(t, set), atMost, 4*t.N()/t.Side(0))
			}
			for _, side := range []int{2, 4} {
				for p := range model.AllPlacements(s.ctx, core.MustTorus(4, side), 1) {
					if p.Uniform(0) {
						cut(model.SetUpAt(p, "", ""))
					}
				}
			}
			for k, d := range cubes(s, 4, 2, 3, 4) {
				if k%2 == 0 {
					cut(model.SetUp(k, d, "linear", ""))
					cut(model.SetUp(k, d, "multilinear:t=2", ""))
				}
			}
			s.end("4x2 and 4x4 with every placement that is uniform across axis 0; residue 0 and residues 0,1 on even "+
				span(s, 4, 2, 3, 4), "")
		}},
	{"section-4-bound", "section 4",
		"E_max is at least c^2 k^(d-1)/8 for uniform placements of size ck^(d-1).",
		limited(8, func(s *survey) {
			var repaired survey
			for k, d := range cubes(s, 3, 1, 2, 3) {
				for t := 1; t <= k; t++ {
					if d == 1 && t < k {
						continue // not uniform
					}
					at := model.SetUp(k, d, fmt.Sprintf("multilinear:t=%d", t), "").Minimal()
					s.letters["c"] = t
					truth := best(s, at.Placement)
					s.compare(at, truth, atLeast, "c^2 k^(d-1)/8")
					repaired.compare(at, truth, atLeast, s.value("c^2 "+twoCuts))
				}
			}
			s.end("residues 0..t-1, t = 1..k (full on rings), "+span(s, 3, 1, 2, 3)+", under the best minimal routing",
				"the two cuts halve P for even k only. "+repaired.instead("c^2 "+twoCuts))
		})},
	{"section-4-tighter", "section 4, end", "For large d that bound is tighter than (|P|-1)/(2d).",
		slabsTighter(5, "on four axes it is for even k only, see seed002-abstract")},

	{"definition-10", "Definition 10 and after",
		"A linear placement, one coefficient relatively prime to k, has k^(d-1) processors.", linearSize},
	{"section-5-multiple", "section 5", "Multiple linear placements have tk^(d-1) processors, t < k.", multipleSize},
	{"section-5-uniform", "section 5",
		"Linear and multiple linear placements with all coefficients relatively prime to k are uniform.", linearUniform},
	{"remark-2", "Remark, end of section 5",
		"That a placement is linear does not by itself make the load linear; it takes a routing.",
		func(s *survey) { // E_max over |P| is above k/12, so above any constant
			for k := 3; k <= s.MaxK && !s.done(); k++ {
				at := model.SetUp(k, 3, "linear:c=1,0,1", "udr")
				s.compare(at, new(big.Rat).Quo(at.Load(), ratio(k*k, 1)), above, ratio(k, 12))
			}
			s.end(fmt.Sprintf("E_max/|P| against k/12 for linear:c=1,0,1 on three sides of 3 to %d, routing udr", s.MaxK),
				"the paper gives no example; this one is ours")
		}},
	{"section-6-paths", "section 6",
		"ODR gives one path for odd k, for even k several to some pairs; correcting ties the + way leaves one.", pathsODR},
	{"theorem-2", "Theorem 2, closed form",
		"The linear placement under ODR has E_max = k^(d-1)/8 + k^(d-2)/4 for even k and k^(d-1)/8 - k^(d-3)/8 for odd k.",
		linearLoad(odrLinear, equals, printedODR...)},
	{"theorem-2-linear", "Theorem 2",
		"The linear placement under ODR has linear load: E_max is at most k^(d-1).", linearLoad(odrLinear, atMost, pairsODR)},
	{"theorem-2-middle", "Theorem 2, closed form, for the dimensions between the first and the last",
		"There the largest load is the printed closed form.",
		onCubes(3, axes{3, 4, 5}, "%s, links along axis 1",
			"so the printed closed form is that of the dimensions between the first and the last",
			func(s *survey, k, d int) {
				at, most := model.SetUp(k, d, "linear", "odr"), new(big.Rat)
				loads, t := at.Loads(), at.Torus()
				for v := range t.N() {
					for _, dir := range []core.Dir{core.Plus, core.Minus} {
						most = larger(loads.Load(t.Link(v, 1, dir)), most)
					}
				}
				s.equal(at, most, printedODR[k%2])
			})},
	{"theorem-2-ring", "Theorem 2, proof",
		"On a ring k^2/8 + k/4 (k even) or (k^2-1)/8 (k odd) ordered pairs use a + link.",
		func(s *survey) {
			for k := 3; k <= 4*s.MaxK; k++ {
				at := model.SetUp(k, 1, "full", "odr")
				s.letters = let("k", k)
				s.equal(at, at.Load(), []string{"k^2/8 + k/4", "(k^2-1)/8"}[k%2])
			}
			s.end(fmt.Sprintf("rings of 3 to %d", 4*s.MaxK), "")
		}},
	{"section-6-leading", "section 6.1, end",
		"For linear placements with ODR E_max is k^(d-1)/8 plus lower order terms.", leadingODR},
	{"theorem-3", "Theorem 3", "Multiple linear placements under ODR have linear load: at most t^2 k^(d-1).",
		multipleLoads(odrMultiple, atMost, pairsODR)},
	{"section-7-paths", "section 7", "UDR gives s! paths to a pair that differs in s dimensions.", pathsUDR},
	{"section-7-strict", "section 7.1",
		"Under UDR the load of every link is less than the number of paths through it.",
		limited(10, func(s *survey) {
			var loaded survey
			for k, d := range cubes(s, 3, 2, 3) {
				at := model.SetUp(k, d, "linear", "udr")
				loads := at.Loads()
				for link, n := range model.PathsThrough(at) {
					where, e := linkOf(at, core.Link(link)), loads.Load(core.Link(link))
					s.compare(where, e, below, n)
					if n > 0 {
						loaded.compare(where, e, below, n)
					}
				}
			}
			s.end("linear placements, "+span(s, 3, 2, 3)+", every link", "a link that no path uses has load 0 and 0 paths. "+
				loaded.instead("strictly less on links that some path uses"))
		})},
	{"theorem-4", "Theorem 4",
		"The linear placement under UDR has linear load: E_max is less than 2^(d-1) k^(d-1).",
		linearLoad(udrForm, below, pairsUDR)},
	{"theorem-4-paths", "Theorem 4, proof, last inequality",
		"The paths through a link, the sum of |C| over the pairs, number less than 2^(d-1) k^(d-1).",
		func(s *survey) {
			for d := 2; d <= 7; d++ {
				for k := 3; k <= s.MaxK && !s.done(); k++ {
					at := say("torus %d^%d, placement linear, routing udr, paths through a link next to a processor", k, d)
					s.letters = let("k d t", k, d, 1)
					s.compare(at, model.PathsBesideProcessor(k, d), below, pairsUDR)
				}
			}
			s.end(fmt.Sprintf("sides from 3 to %d, 2 to 7 axes, ties the + way, axes first, then sides", s.MaxK),
				"the proof counts pairs, of which there are fewer, but the formula adds up paths, up to (d-1)! for one pair and "+
					"link. E_max itself stays below, see seed000-theorem-4")
		}},
	{"theorem-5", "Theorem 5",
		"Multiple linear placements under UDR have linear load: less than t^2 2^(d-1) k^(d-1).",
		multipleLoads(udrForm, below, pairsUDR)},

	{"appendix-edges", "appendix", "The torus has dk^(d-1) more edges than the array.",
		onCubes(3, axes{1, 2, 3, 4}, "%s", "", func(s *survey, k, d int) { // undirected ones
			t := model.Cube(k, d)
			s.letters["M"] = t.M()
			s.equal(say("torus %s", t), s.value("M/2 - d (k-1) k^(d-1)"), "d k^(d-1)")
		})},
	{"appendix-direction", "appendix", "For g between 1 and the d-th root of 2: 1 < g < .. < g^(d-1) < 2.",
		func(s *survey) {
			for d := 2; d <= 8; d++ {
				for _, g := range directions(d) {
					p := powers(g, d)
					rising := slices.IsSortedFunc(p, (*big.Rat).Cmp) && above.holds(p[1], p[0])
					s.add(rising && below.holds(p[d-1], 2), say("d = %d, g = %s", d, g.RatString()), "rising, below 2", p[d-1])
				}
			}
			s.end("d = 2..8, for each ten fractions between 1 and the d-th root of 2", "")
		}},
	{"appendix-range", "appendix",
		"For t from 0 to k-1 the hyperplane sweeps the array from (0, .., 0) to (k-1, .., k-1).",
		onCubes(2, axes{2, 3, 4, 5}, "%s, one direction each",
			"the sweep must go on to t = (k-1)(eta_1 + .. + eta_d), about (k-1) sqrt(d); otherwise it misses placements that "+
				"lie in the far corner, such as the single node (k-1, .., k-1). The range is printed twice. Nothing else in the "+
				"proof changes.",
			func(s *survey, k, d int) { // squares, with g near 1: (k-1)^2 (sum g^i)^2 / sum g^2i is the true one
				g := directions(d)[0]
				s.letters["g"] = g
				at := say("array %s, direction 1, g, .. with g = %s, square of the last t", model.Cube(k, d), g.RatString())
				s.equal(at, s.value("(k-1)^2 ((g^d-1)/(g-1))^2 / ((g^(2d)-1)/(g^2-1))"), "(k-1)^2")
			})},
	{"appendix-example", "appendix", "The set {000, 002, 100, 102} has discrepancy 2.",
		func(s *survey) {
			set, d := [][]int{{0, 0, 0}, {0, 0, 2}, {1, 0, 0}, {1, 0, 2}}, 0
			for j := range 3 {
				if slices.ContainsFunc(set, func(node []int) bool { return node[j] != set[0][j] }) {
					d++
				}
			}
			s.equal(say("W = {000, 002, 100, 102}"), d, 2)
			s.end("the printed example", "")
		}},
	{"appendix-discrepancy", "appendix",
		"At most 2k^(d-1) nodes of the array have no three that differ in one coordinate only.",
		func(s *survey) {
			for _, kd := range [][2]int{{2, 2}, {3, 2}, {4, 2}, {2, 3}, {2, 4}} {
				if t := model.Cube(kd[0], kd[1]); !s.done() && kd[0] <= s.MaxK {
					s.compare(say("array %s", t), model.MostSpread(t), atMost, let("k d", kd[0], kd[1]).value("2k^(d-1)"))
				}
			}
			s.end("every set of nodes of 2x2, 3x3, 4x4, 2x2x2 and 2x2x2x2",
				"in general at most two on each of the k^(d-1) lines along one axis")
		}},
	{"appendix-crossing", "appendix",
		"The hyperplane crosses at most 2dk^(d-1) edges of the array, as S_d has at most 2k^(d-1) nodes.",
		limited(12, onCubes(2, axes{2, 3, 4}, "%s, ten directions each, every position of the hyperplane", "",
			func(s *survey, k, d int) {
				for _, g := range directions(d) {
					nodes, edges := model.Sweep(model.Cube(k, d), powers(g, d))
					at := fmt.Sprintf("array %s, g = %s", model.Cube(k, d), g.RatString())
					s.compare(say("%s, nodes in S_d", at), nodes, atMost, "2k^(d-1)")
					s.compare(say("%s, edges crossed", at), edges, atMost, "2d k^(d-1)")
				}
			}))},
}

// directions returns up to ten fractions g with 1 < g and g^d < 2.
func directions(d int) []*big.Rat {
	var list []*big.Rat
	for i := 1; len(list) < 10; i++ {
		g := ratio(1001+i*700/(10*d), 1000)
		if atLeast.holds(let("g d", g, d).value("g^d"), 2) {
			break
		}
		list = append(list, g)
	}
	return list
}

// powers returns g^0, .., g^(d-1).
func powers(g *big.Rat, d int) []*big.Rat {
	p := make([]*big.Rat, d)
	for i := range p {
		p[i] = let("g i", g, i).value("g^i")
	}
	return p
}
