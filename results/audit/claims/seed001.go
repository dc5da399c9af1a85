package claims

import (
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/congestion"
	"leeway/results/audit/model"
)

// diagonal is the placement {(i,i)}. Routing Algorithm 2.1 on it is UDR with both ways at ties.
const diagonal = "linear:c=1,-1"

// M. Blaum, J. Bruck, G. D. Pifarre and J. L. C. Sanz, "On Optimal Placements of Processors in Fault-Tolerant Tori
// Networks".
var seed001 = slices.Concat([]row{
	{"section-1-width", "section 1", "The torus has bisection width 4k^(d-1).", fullWidth(false)},
	{"section-1-load", "section 1", "On the full torus some link has load at least k^(d+1)/8.",
		fullLoad(false, atLeast, "; seed 000 restricts the statement to even k")},
	{"section-1-multistage", "section 1",
		"A multistage network of k x k switches with n injection points has n log_k(n) routing nodes and bisection " +
			"bandwidth 2n.",
		untested("not about tori; that many switches of k x k would be (n/k) log_k(n), so routing nodes must mean their " +
			"inputs")},
	{"definition-2.1", "Definition 2.1", "The torus has k^d nodes, each linked with 2d neighbours.", nodesAndNeighbours},
	{"definition-2.2", "Definition 2.2", "A placement is a set of nodes.", definition},
	{"definition-2.3", "Definition 2.3",
		"A routing algorithm gives every pair a set of shortest paths, taken uniformly.", definition},
	{"definition-2.4", "Definition 2.4", "The load of a link, and the largest one, C(N,P).", definition},
	{"section-2.1", "section 2.1",
		"Placements are given that achieve C >= |P|/4 for d = 2 and C >= |P|/6 for d = 3.", loadPerProcessor},
	{"lemma-2.1", "Lemma 2.1", "C(N,P) is at least (|P|-1)/(2d).", degreeBound},
	{"section-2.2", "section 2.2, end",
		"An optimal placement, one that meets Lemma 2.1, has at most k^(d-1) processors: with one more some link has a " +
			"higher load.",
		func(s *survey) {
			for k := 3; k <= min(4, s.MaxK); k++ {
				for n := k + 1; n <= 6; n++ {
					for p := range model.Placements(s.ctx, model.Cube(k, 2), n) {
						at := model.SetUpAt(p, "", "avoid")
						truth := at.Load()
						if k == 3 { // any minimal routing may be taken
							other := model.Must(congestion.Solve(s.ctx, p, congestion.DefaultOptions())).Upper
							if below.holds(other, truth) {
								truth = other
							}
						}
						s.compare(at, truth, above, ratio(n-1, 4))
					}
				}
			}
			s.end("every placement of k+1 to 6 processors, up to translation, on 3x3 under avoid or the best minimal routing "+
				"and on 4x4 under avoid", "two processors on one ring need not load its links more: a row and a column of 3x3, "+
				"five processors, reach (5-1)/4 = 1")
		}},
	{"figure-1", "Figure 1", "The diagonal of 5x5 is an optimal placement.",
		meetsOnFive(2, diagonal, "udr:tie=both", "the diagonal of 5x5 against (|P|-1)/4", "")},
	{"figure-2", "Figure 2", "The paths between (3,3) and (0,0) and between (2,2) and (1,1) on 5x5.",
		func(s *survey) {
			t := model.Cube(5, 2)
			for _, pair := range [][2]int{{18, 0}, {12, 6}} {
				paths := model.PathCount(model.Must(routing.Parse(t, "udr:tie=both")), pair[0], pair[1], nil)
				s.equal(fromTo(t, pair[0], pair[1]), paths, 2)
			}
			s.end("both pairs of the caption", "the drawing itself is not in the text at hand; what is checked is that these "+
				"pairs have two paths each, as the text says for odd k")
		}},
	{"algorithm-2.1", "Algorithm 2.1",
		"On the diagonal there are two paths to every pair for odd k, and more to some for even k.",
		onCubes(3, axes{2}, "%s, every pair", "", func(s *survey, k, d int) {
			at := model.SetUp(k, d, diagonal, "udr:tie=both")
			var counts []int
			for p, q := range at.Placement.Pairs() {
				counts = append(counts, model.PathCount(at.Routing, p, q, nil))
			}
			s.equal(say("%s, fewest paths", at), slices.Min(counts), 2)
			most := slices.Max(counts)
			s.add((most > 2) == (k%2 == 0), say("%s, most paths", at), "above 2 exactly for even k", most)
		})},
	{"lemma-2.2", "Lemma 2.2", "A link at distance s from the processor on its ring has load (k-1)/4 - s/2.",
		linkLoads(2, diagonal, "udr:tie=both", "(k-1)/4 - s/2")},
	{"corollary-2.1", "Corollary 2.1",
		"The diagonal with Algorithm 2.1 has E_max = (k-1)/4, the value of Lemma 2.1.",
		meetsDegreeBound(2, diagonal, "udr:tie=both",
			"with ties the + way alone it is floor(k/2)/2; on sides of 2, where a node has d neighbours, (|P|-1)/d")},

	{"section-3-extension", "section 3",
		"In three dimensions the extension of Algorithm 2.1 does not give an optimal load.",
		onCubes(3, axes{3}, "%s", "wrong for k = 3 only, where UDR meets the degree bound too", func(s *survey, k, d int) {
			at := model.SetUp(k, d, "linear", "udr:tie=both")
			s.compare(at, at.Load(), above, "(k^2-1)/6")
		})},
	{"section-3-six", "section 3",
		"Between two processors that are not in one plane six minimal paths can be used.",
		onCubes(3, axes{3}, "%s, every pair up to translation",
			"six for odd k; for even k each tie doubles them, as the paper says itself in two dimensions",
			func(s *survey, k, d int) {
				at := model.SetUp(k, d, "linear", "udr:tie=both")
				for _, q := range at.Placement.Nodes()[1:] {
					if model.Differing(at.Torus(), 0, q) == 3 {
						s.equal(fromZero(at.Torus(), q), model.PathCount(at.Routing, 0, q, nil), 6)
					}
				}
			})},
	{"section-3-processors", "section 3",
		"Of 5x5x5 (0,0,0), (2,1,1), (2,1,2), (3,3,4) and (4,4,2) are processors.",
		func(s *survey) {
			p := model.SetUp(5, 3, "linear", "").Placement
			for _, c := range [][]int{{0, 0, 0}, {2, 1, 1}, {2, 1, 2}, {3, 3, 4}, {4, 4, 2}} {
				s.add(p.Set().Has(model.Must(p.Torus().Node(c...))), say("torus 5x5x5, node (%s)", core.JoinInts(c, ",")).
					withCommand("leeway eval --torus 5x5x5 --placement linear --routing avoid --json"),
					"a processor, coordinates with sum 0 modulo 5", say("no processor, the sum is %d", c[0]+c[1]+c[2]))
			}
			s.end("the five nodes named in section 3 for the 5-torus",
				"a slip, of the print or of the conversion: the caption of Figure 4 has (2,1,2)")
		}},
	{"definition-3.1", "Definition 3.1",
		"The shifted diagonal {a_0 + a_1 + a_2 = 0 mod k}; it has k^2 processors.",
		onCubes(2, axes{3}, "%s", "", func(s *survey, k, d int) {
			at := model.SetUp(k, d, "linear", "")
			s.equal(at, at.Placement.Size(), k*k)
		})},
	{"example-3.1", "Example 3.1 and Figure 3", "The shifted diagonal of 5x5x5 is an optimal placement.",
		meetsOnFive(3, "linear", "avoid", "the shifted diagonal of 5x5x5 against (|P|-1)/6",
			"the drawing itself is not in the text at hand")},
	{"algorithm-3.1", "Algorithm 3.1 and Figure 4",
		"Six paths lead from (0,0,0) to (2,1,2) and four from (3,3,4) to (4,4,2); the two orders with dimension 0 in the " +
			"middle pass a processor.",
		func(s *survey) { // the paper numbers axes from the right: its dimension 0 is axis 2
			t := model.Cube(5, 3)
			set := model.SetUp(5, 3, "linear", "").Placement.Set()
			from, to := model.Must(t.Node(3, 3, 4)), model.Must(t.Node(4, 4, 2))
			for _, c := range []struct{ from, to, paths int }{{0, model.Must(t.Node(2, 1, 2)), 6}, {from, to, 4}} {
				s.equal(fromTo(t, c.from, c.to), len(model.Algorithm31(t, set, c.from, c.to)), c.paths)
			}
			for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				for path := range model.Must(routing.NewODR(t, order, routing.TiePlus)).Paths(from, to, nil) {
					met := slices.ContainsFunc(path[1:], func(l core.Link) bool { from, _ := t.LinkEnds(l); return set.Has(from) })
					s.same(say("order %s of the coordinates as written", core.JoinInts(order, ",")), say("passes: %t", met),
						say("passes: %t", order[1] == 2))
				}
			}
			s.end("both pairs, and the six orders of the second", "")
		}},
	{"algorithm-3.1-differ", "Algorithm 3.1",
		"Two processors of the shifted diagonal differ in two or three coordinates.",
		onCubes(2, axes{3}, "%s, every pair up to translation", "", func(s *survey, k, d int) {
			at := model.SetUp(k, d, "linear", "")
			for _, q := range at.Placement.Nodes()[1:] {
				t := at.Torus()
				s.compare(say("torus %s, node 0 and %s", t, point(t, q)), model.Differing(t, 0, q), atLeast, 2)
			}
		})},
	{"theorem-3.1", "Theorem 3.1", "A message routed by Algorithm 3.1 never passes another processor.",
		func(s *survey) { // from one processor: translations of the placement give the others
			var same survey
			for k, d := range cubes(s, 3, 3) {
				at := model.SetUp(k, d, "linear", "avoid")
				t, set := at.Torus(), at.Placement.Set()
				for _, q := range at.Placement.Nodes()[1:] {
					where, paths := fromZero(t, q), model.Algorithm31(t, set, 0, q)
					for _, path := range paths {
						s.add(!slices.ContainsFunc(path[:len(path)-1], set.Has), where, "no processor inside",
							say("path by nodes %v", path))
					}
					same.equal(where, model.PathCount(at.Routing, 0, q, set), len(paths))
				}
			}
			same.end("the same pairs", "")
			s.end(span(s, 3, 3)+", every pair up to translation, every path, even sides with both ways at ties",
				"the routing avoid has as many paths for every pair: this "+same.finding().Verdict)
		}},
	{"theorem-3.2", "Theorem 3.2",
		"A link at distance s from the processor on its ring has load (k^2-1)/6 - s(s+1)/2.",
		linkLoads(3, "linear", "avoid", spaceLoad)},
}, proofSumRows(), []row{
	{"theorem-3.2-total", "Theorem 3.2, proof, end", "The ten sums add up to the load of the theorem.",
		func(s *survey) {
			for k := 3; k <= 4*s.MaxK && !s.done(); k += 2 {
				for i := 0; 2*i < k; i++ {
					total := new(big.Rat)
					s.letters = let("k s", k, i)
					for _, part := range proofSums {
						total.Add(total, s.value(part.printed))
					}
					s.equal(say("k = %d, s = %d", k, i), total, spaceLoad)
				}
			}
			s.end(fmt.Sprintf("odd k from 3 to %d, s = 0..(k-1)/2, the printed values against (k^2-1)/6 - s(s+1)/2",
				4*s.MaxK), "")
		}},
	{"theorem-3.2-optimal", "Theorem 3.2, end of section 3",
		"With s = 0 the load is (k^2-1)/6, so that Algorithm 3.1 is optimal.",
		meetsDegreeBound(3, "linear", "avoid", "equal to (|P|-1)/6, which bounds every minimal routing; on sides of 2, "+
			"where a node has d neighbours, it is (|P|-1)/d")},
})

// spaceLoad is Theorem 3.2.
const spaceLoad = "(k^2-1)/6 - s(s+1)/2"

// linkLoads compares the load of every link with a printed value that depends on k and the distance s of the link
// from the processor on its ring.
func linkLoads(d int, placed, routed, printed string) check {
	return onCubes(3, axes{d}, "%s, every link", "", func(s *survey, k, d int) {
		at := model.SetUp(k, d, placed, routed)
		loads, t, set := at.Loads(), at.Torus(), at.Placement.Set()
		for l := range core.Link(t.M()) {
			from, to := t.LinkEnds(l)
			_, port := t.LinkFrom(l)
			near := func(v, by int) bool { return set.Has(t.Shift(v, port.Dim, by)) || set.Has(t.Shift(v, port.Dim, -by)) }
			distance := 0
			for !near(from, distance) && !near(to, distance) {
				distance++
			}
			s.letters["s"] = distance
			s.equal(linkOf(at, l).withCommand(at.Command()+" --loads"), loads.Load(l), printed)
		}
	})
}

// meetsDegreeBound: E_max is (|P|-1)/(2d).
func meetsDegreeBound(d int, placed, routed, note string) check {
	return onCubes(3, axes{d}, "%s", note, func(s *survey, k, d int) {
		at := model.SetUp(k, d, placed, routed)
		s.equal(at, at.Load(), ratio(at.Placement.Size()-1, 2*d))
	})
}

// meetsOnFive is meetsDegreeBound for sides of 5, whatever the limits.
func meetsOnFive(d int, placed, routed, over, note string) check {
	return func(s *survey) {
		at := model.SetUp(5, d, placed, routed)
		s.equal(at, at.Load(), ratio(at.Placement.Size()-1, 2*d))
		s.end(over, note)
	}
}

// A proofSum is one of the ten sums in the proof of Theorem 3.2, for odd k: traffic over the link from (0,0,s) to
// (0,0,s+1), coordinates as written there, from pairs of processors that depend on i and j. With h = (k-1)/2 the
// pairs are (0,0,0) and (k-i-j,j,i) for i from s+1 to h - less, or, across, (0,k-i,i) and (k-j,0,j) for i from 1 to
// s, also with the first two coordinates exchanged.
type proofSum struct {
	across, exchanged bool
	less              int
	j                 func(k, h, s, i int) (from, to int)
	printed           string
}

var proofSums = []proofSum{
	{j: func(k, _, _, i int) (int, int) { return k - i, k - i }, printed: "(k-2s-1)/4"},
	{j: func(_, _, _, _ int) (int, int) { return 0, 0 }, printed: "(k-2s-1)/4"},
	{less: 1, j: func(_, h, _, i int) (int, int) { return 1, h - i }, printed: "(k^2-4k s-4k+4s^2+8s+3)/32"},
	{less: 1, j: func(k, h, _, i int) (int, int) { return h + 1, k - i - 1 }, printed: "(k^2-4k s-4k+4s^2+8s+3)/32"},
	{less: 1, j: func(_, h, _, i int) (int, int) { return h + 1 - i, h },
		printed: "(k^2-4s^2-4s-1)/24"},
	{j: func(k, _, _, i int) (int, int) { return k + 1 - i, k - 1 },
		printed: "(k^2-4k-4s^2+4s+3)/16"},
	{across: true, j: firstAcross, printed: "(k s-2s^2-s)/8"},
	{across: true, exchanged: true, j: firstAcross, printed: "(k s-2s^2-s)/8"},
	{across: true, j: secondAcross, printed: "(s^2+s)/12"},
	{across: true, exchanged: true, j: secondAcross, printed: "(s^2+s)/12"},
}

func firstAcross(_, h, s, _ int) (int, int)  { return s + 1, h }
func secondAcross(_, h, _, i int) (int, int) { return h + 1, h + i }

// traffic returns the load that the pairs of a sum put on its link. Pairs that stand twice count twice.
func (p proofSum) traffic(at model.Setting, k, s int) *big.Rat {
	t, total, h := at.Torus(), new(big.Rat), (k-1)/2
	node := func(c ...int) int { return model.Must(t.Node(c[0]%k, c[1]%k, c[2]%k)) }
	first, last := s+1, h-p.less
	if p.across {
		first, last = 1, s
	}
	for i := first; i <= last; i++ {
		low, high := p.j(k, h, s, i)
		for j := low; j <= high; j++ {
			from, to := 0, node(2*k-i-j, j, i)
			switch {
			case p.exchanged:
				from, to = node(k-i, 0, i), node(0, k-j, j)
			case p.across:
				from, to = node(0, k-i, i), node(k-j, 0, j)
			}
			flow := at.Routing.Flow(from, to, at.Placement.Set())
			for _, share := range flow.Shares {
				if share.Link == t.Link(s, 2, core.Plus) {
					total.Add(total, new(big.Rat).SetFrac(share.Num, flow.Den))
				}
			}
		}
	}
	return total
}

// proofSumRows compares each sum over its printed range with its printed value, and the fifth over a longer one.
func proofSumRows() []row {
	var rows []row
	for n, p := range proofSums {
		rows = append(rows, row{fmt.Sprintf("theorem-3.2-sum-%d", n+1), fmt.Sprintf("Theorem 3.2, proof, S_%d", n+1),
			"The sum over the printed range has the printed value.", func(s *survey) {
				var repaired survey
				for k, d := range cubes(s, 3, 3) {
					at := model.SetUp(k, d, "linear", "avoid")
					for i := 0; k%2 == 1 && 2*i < k; i++ {
						where := say("k = %d, s = %d", k, i)
						s.letters["s"] = i
						s.equal(where, p.traffic(at, k, i), p.printed)
						if n == 4 {
							longer := p
							longer.less = 0
							repaired.equal(where, longer.traffic(at, k, i), s.value(p.printed))
						}
					}
				}
				s.end(span(s, 3, 3)+", odd k, s = 0..(k-1)/2, linear placement, routing avoid, the printed range of the sum "+
					"against its printed value", "")
				if n == 4 {
					s.note = "the value belongs to i up to (k-1)/2; the printed upper end (k-1)/2 - 1, that of S_3 and S_4, leaves " +
						"out i = (k-1)/2 and may be a slip of the print or of the conversion. " +
						repaired.instead("with i up to (k-1)/2 the sum")
				}
			}})
	}
	return rows
}
