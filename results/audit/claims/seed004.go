package claims

import (
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/objective/exchange/wormhole"
	"leeway/results/audit/model"
)

// Y.-C. Tseng, S.-Y. Ni and J.-P. Sheu, "Toward Optimal Complete Exchange on Wormhole-Routed Tori", IEEE
// Transactions on Computers 48(10), 1999. What a proof in its appendix says stands after the statement that is
// proved. The truth is counted on the tree of package model, or on schedules in which the checker follows every block.
var seed004 = slices.Concat(ringRows, costRows, torusRows, comparisonRows)

// Abstract, introduction and Sections 2 to 2.4.
var ringRows = []row{
	{"abstract-shortest-paths", "abstract, 2)", "The schemes enforce shortest paths in routing messages.",
		func(s *survey) {
			for _, c := range []struct {
				name  string
				sides []int
			}{{"ring", model.Square(1, 3)}, {"ring", model.Square(1, 4)}, {"ring", model.Square(1, 5)},
				{"ring", model.Square(1, 6)}, {"t1", model.Square(2, 3)}, {"t1", model.Square(2, 4)},
				{"c1", model.Square(3, 3)}, {"t4", model.Square(2, 4)}} {
				p := model.Plan(c.name, c.sides...)
				farther, n := model.Detours(p), p.Torus().N()
				s.add(farther == 0, say("%s, sides %v", c.name, c.sides).withCommand(exchangeOn(c.name, c.sides...)),
					"all blocks take shortest paths", say("%d of %d blocks travel farther", farther, n*(n-1)))
			}
			s.end("rings of 8 to 64, T1 on 8x8 and 16x16, C1 on 8x8x8, T4 on 16x16",
				"the ring exchange, T1 and C1 keep to shortest paths; the preparation of T4 moves blocks one way only")
		}},
	{"section-1-bisection", "Section 1", "A torus has twice the bisection width of a mesh of the same size.",
		func(s *survey) {
			for n := 2; n <= 4; n++ {
				mesh, torus := model.Product(model.Path(n), model.Path(n)), model.Product(model.Ring(n), model.Ring(n))
				s.same(say("%dx%d", n, n), model.Halves(torus), 2*model.Halves(mesh))
			}
			s.end("2x2, 3x3 and 4x4, all halves", "with one link each way on a side of two a 2x2 torus is a mesh")
		}},
	{"section-2-distance", "Section 2",
		"dist^-(v_i, v_j), the negative distance from v_i to v_j, is n - dist^+(v_i, v_j).",
		onRings(1, "", "it is n for i = j, where the distance is 0; (i-j) mod n is right. Nothing later depends on it",
			func(s *survey, d int) {
				n := 1 << d
				for i := range n {
					for j := range n {
						s.equal(say("n = %d, dist^-(v_%d, v_%d)", n, i, j),
							len(model.Send{From: i, To: j, Dir: -1}.Links(n)), n-model.Ahead(n, i, j))
					}
				}
			})},
	{"definition-1", "Definition 1",
		"In GP_l^+ and SP_l^+ the multiples of 2^l send to the next ones; in one phase no place sends or receives twice " +
			"and no link is used twice.",
		onRings(1, "", "both directions, each apart from the other", func(s *survey, d int) {
			for l := 0; l <= d-2; l++ {
				for _, sends := range [][]model.Send{model.PositiveSends(d, l), model.NegativeSends(d, l, 0)} {
					twice := model.Clashes(1<<d, sends...)
					s.add(twice == 0, say("n = %d, l = %d", 1<<d, l), "no port or link twice", twice)
				}
			}
		})},
	{"figure-1", "Figure 1 and Section 2.1",
		"On 16 places the tree has height 3 and three routes lead from v_2 to v_4.",
		func(s *survey) {
			s.equal(say("n = 16: routes from v_2 to v_4"), model.Routes(16, 2, 4), 3)
			s.equal(say("n = 16: height, the gathering phases"), len(model.AppendixTree(4))/2, 3)
			s.end("the printed example", "")
		}},
	{"definition-2", "Definition 2 and Section 2.1",
		"A place of \\hat V_{l+1} joins GP_l and SP_l, but no phase of a higher level.",
		onRings(2, "", "", func(s *survey, d int) {
			for i := range 1 << d {
				for l := 0; l <= d-2; l++ {
					busy := false // in a phase above level l
					for above := l + 1; above <= d-2; above++ {
						busy = busy || slices.ContainsFunc(model.PositiveSends(d, above),
							func(m model.Send) bool { return m.From == i || m.To == i })
					}
					if joins := i%(1<<l) == 0; model.InHat(d, l+1, i) {
						s.add(joins && !busy, say("n = %d, v_%d, l = %d", 1<<d, i, l), "joins GP_l and nothing above",
							say("joins: %v, busy above: %v", joins, busy))
					}
				}
			}
		})},
	{"section-2.1-coverage", "Section 2.1",
		"A v_i of V_l or \\hat V_l gathers from GC_l, itself and the 2^l - 1 places before it, and scatters to SC_l, " +
			"itself and the 2^l - 1 after it.",
		onRings(2, "", "read as: by the phases of the levels below l; a v_i of V_l also joins GP_l and gathers more there",
			func(s *survey, d int) {
				n := 1 << d
				for l := range d {
					for i := range n {
						if !model.InV(d, l, i) && !model.InHat(d, l, i) {
							continue
						}
						forward, back, same := model.Reached(n, l, i, false), model.Reached(n, l, i, true), true
						for v := range n {
							same = same && slices.Contains(forward, v) == model.Covers(n, l, i, v) &&
								slices.Contains(back, v) == (model.Ahead(n, v, i) < 1<<l)
						}
						s.add(same, say("n = %d, l = %d, v_%d", n, l, i), "2^l places", say("%v %v", forward, back))
					}
				}
			})},
	{"lemma-1", "Lemma 1",
		"If dist^+(v_s, v_t) <= n/2 a path leads from v_s to v_t on the positive tree, through a v_m of V_h or \\hat V_h " +
			"as in the proof.",
		onRings(1, "", "a ring of two places, n = 2^1, has no phases, and no v_m; the lemma holds for d = 2 and more",
			func(s *survey, d int) {
				n := 1 << d
				for from, to := range model.PairsAhead(n) {
					path, meet := model.Routes(n, from, to) > 0, false
					for h := range d {
						for gone := range min(model.Ahead(n, from, to)+1, 1<<h) {
							meet = meet || model.Meeting(d, h, (from+gone)%n, to)
						}
					}
					s.add(path && meet, say("n = %d, v_%d to v_%d", n, from, to), "a path, through a v_m as in the proof",
						say("path: %v, v_m: %v; there are %d phases", path, meet, 2*d-2))
				}
			})},
	{"definition-3", "Definition 3 and Section 2.1",
		"The negative tree reaches, in the same way, what is n/2 or less away in the negative direction.",
		onRings(2, "", "", func(s *survey, d int) {
			n := 1 << d
			for to, from := range model.PairsAhead(n) { // Definition 3 mirrors Definition 1 under i -> -i
				s.add(model.Routes(n, (n-from)%n, (n-to)%n) > 0, say("n = %d, v_%d to v_%d", n, from, to), "a path", "none")
			}
		})},
	{"section-2.1-split", "Section 2.1",
		"Each place sends n/2 blocks on the positive tree and n/2 - 1 on the negative one, one for every other place.",
		onRings(1, "", "", func(s *survey, d int) {
			n := 1 << d
			for i := range n {
				seen := map[int]bool{}
				for j := 1; j <= n/2; j++ {
					seen[(i+j)%n] = true
				}
				for j := 1; j <= n/2-1; j++ {
					seen[(i-j+n)%n] = true
				}
				s.add(len(seen) == n-1 && !seen[i], say("n = %d, v_%d", n, i), say("%d destinations, once each", n-1), seen)
			}
		})},
	{"observation-1", "Observation 1",
		"The traffic in a place of V_h tends to be busier than in one of \\hat V_h. (The text has V_h twice, a slip of the " +
			"transcription at least.)",
		onRings(3, "", "blocks sent and received on the positive tree, the least of V_h against the most of \\hat V_h, h = "+
			"1 to d-2",
			func(s *survey, d int) {
				traffic := make([]int, 1<<d)
				for _, p := range model.AppendixTree(d) {
					for _, m := range p {
						traffic[m.From] += len(m.Blocks)
						traffic[m.To] += len(m.Blocks)
					}
				}
				for h := 1; h <= d-2; h++ {
					var inner, outer []int
					for i, blocks := range traffic {
						if model.InV(d, h, i) {
							inner = append(inner, blocks)
						}
						if model.InHat(d, h, i) {
							outer = append(outer, blocks)
						}
					}
					s.add(slices.Min(inner) > slices.Max(outer), say("n = %d, h = %d", 1<<d, h), "V_h is busier",
						say("some v_i in V_h handles %d blocks, some v_j in \\hat V_h %d", slices.Min(inner), slices.Max(outer)))
				}
			})},
	{"section-2.2-cases", "Section 2.2",
		"In Case 1, v_i in \\hat V_{l+1}, the receiver is in V_{l+1}; in Case 2, v_i in V_{l+1}, it is in \\hat V_{l+1}; " +
			"the items of both cases name the coverage rightly.",
		onRings(2, "", "in GP_{d-2} Definition 2 makes V_{d-1} empty and all four places \\hat V_{d-1}: Case 1 is then "+
			"between equals. All else holds",
			func(s *survey, d int) {
				n := 1 << d
				for l := 0; l <= d-2; l++ {
					for i := 0; i < n; i += 1 << l {
						next, where := (i+1<<l)%n, say("n = %d, l = %d, v_%d", n, l, i)
						switch {
						case model.InHat(d, l+1, i): // Case 1
							s.add(model.InV(d, l+1, next), where, say("v_%d is in V_%d, the busier of the two", next, l+1),
								say("it is not: in V_%d: %v, in \\hat V_%d: %v", l+1, model.InV(d, l+1, next), l+1, model.InHat(d, l+1, next)))
						case model.InV(d, l+1, i): // Case 2
							s.add(model.InHat(d, l+1, next), where, say("v_%d is in \\hat V_%d", next, l+1), "it is not")
						}
						for j := range n {
							t := (i + j) % n
							inner := model.Covers(n, l, i, t) == (j < 1<<l)
							both := (model.Covers(n, l+1, i, t) && model.Covers(n, l+1, next, t)) == (1<<l <= j && j < 2<<l)
							reach := model.Covers(n, l+1, next, t) == (1<<l <= j && j < 3<<l)
							s.add(inner && both && reach, say("%s, distance %d", where, j), "coverage as in the three items of both cases",
								"another")
						}
					}
				}
			})},
	{"example-1", "Example 1",
		"On 16 places b_1^2 stays in v_1 in GP_0 and b_1^{3..9} go to v_2; in GP_1 b_1^{3..5} stay in v_2, b_1^{6..9} go " +
			"to v_4; b_3^{5..11} go to v_4 in GP_0; in GP_1 b_3^5 stays there, b_3^{6..9} go to v_6, and b_3^{10..11} remain " +
			"in v_6.",
		func(s *survey) {
			held := model.RunTree(4, 8, model.AppendixReading).Held
			for _, c := range []struct{ source, first, last, phase, place int }{
				{1, 2, 2, 0, 1}, {1, 3, 9, 0, 2}, // GP_0: b_1^2 stays in v_1, b_1^3..9 go to v_2
				{1, 3, 3, 1, 2}, {1, 4, 5, 1, 2}, {1, 6, 9, 1, 4}, // GP_1
				{3, 5, 11, 0, 4},                                    // GP_0: b_3^5..11 go to v_4
				{3, 5, 5, 1, 4}, {3, 6, 9, 1, 6}, {3, 10, 11, 1, 6}, // GP_1, as printed
			} {
				for t := c.first; t <= c.last; t++ {
					block := model.Block{Source: c.source, Target: t}
					at := slices.IndexFunc(held[c.phase], func(b []model.Block) bool { return slices.Contains(b, block) })
					s.same(say("n = 16, b_%d^%d after GP_%d", c.source, t, c.phase), say("in v_%d", at), say("in v_%d", c.place))
				}
			}
			s.end("the printed example, block by block", "b_3^{10..11} are not sent in GP_1, as the example itself says, so "+
				"they remain in v_4, where they were; it prints v_6")
		}},
	{"section-2.3-algorithm", "Section 2.3, pseudo-code",
		"At the end every place holds the n/2 blocks for it from the places before it.",
		func(s *survey) {
			repaired := 0
			for d := range numbers(s, 2, ringExponent(s)) {
				lost, all := model.RunTree(d, 1<<(d-1), model.PrintedReading).Astray()
				s.add(lost == 0, say("n = %d", 1<<d), "every block arrives", say("%d of %d blocks do not", lost, all))
				one, _ := model.RunTree(d, 1<<(d-1), model.DefinitionReading).Astray()
				two, _ := model.RunTree(d, 1<<(d-1), model.AppendixReading).Astray()
				if one+two == 0 {
					repaired++
				}
			}
			s.end(overRings(2, ringExponent(s))+", positive tree", fmt.Sprintf("the inner test of GP_l repeats \"v_i in "+
				"V_l\", so that Case 1 never applies; with V_{l+1} there, which may be a slip of the transcription, all blocks "+
				"arrive for %d of %d values of d, whichever case GP_{d-2} takes", repaired, s.cases))
		}},
	{"section-2.3-correctness", "Section 2.3",
		"After GP_{d-2} each block is in a v_m of V_h or \\hat V_h whose SC_h has its destination, and the scattering " +
			"phases bring it home.",
		onRings(2, "", "with either case in GP_{d-2}", func(s *survey, d int) {
			n := 1 << d
			for _, how := range []model.Reading{model.AppendixReading, model.DefinitionReading} {
				held := model.RunTree(d, n/2, how).Held
				end := map[model.Block]int{}
				for v, blocks := range held[2*d-3] {
					for _, b := range blocks {
						end[b] = v
					}
				}
				for m, blocks := range held[d-2] {
					for _, b := range blocks {
						found := false
						for h := range d {
							found = found || model.Meeting(d, h, m, b.Target)
						}
						s.add(found && end[b] == b.Target, say("n = %d, b_%d^%d in v_%d", n, b.Source, b.Target, m),
							"covered, and home at the end", say("covered: %v, ends in v_%d", found, end[b]))
					}
				}
			}
		})},
	{"section-2.4-ports", "Section 2.4 and Figure 4",
		"Overlapped as they are, positive and negative phases need ports twice; shifted by one they do not above level 0; " +
			"no shift helps at level 0, where removing every other send does.",
		onRings(2, "", "", func(s *survey, d int) {
			n := 1 << d
			overlap := func(l, shift int) int {
				return model.Clashes(n, slices.Concat(model.PositiveSends(d, l), model.NegativeSends(d, l, shift))...)
			}
			for l := 0; l <= d-2; l++ {
				where := say("n = %d, l = %d", n, l)
				s.add(overlap(l, 0) > 0, where, "the phases as defined clash", "they do not")
				if l > 0 {
					twice := overlap(l, 1)
					s.add(twice == 0, where, "shifted by one they do not clash", say("ports and links needed twice: %d", twice))
					continue
				}
				for shift := range n {
					s.add(overlap(0, shift) > 0, say("%s, shift %d", where, shift), "no shift helps", "this one does")
				}
				for parity := range 2 { // GP_0: odd places send up, even ones down; SP_0: the other way round
					up := slices.DeleteFunc(model.PositiveSends(d, 0), func(m model.Send) bool { return m.From%2 == parity })
					down := slices.DeleteFunc(model.NegativeSends(d, 0, 0), func(m model.Send) bool { return m.From%2 != parity })
					s.add(model.Clashes(n, slices.Concat(up, down)...) == 0, where, "as redefined they do not clash", "they do")
				}
			}
		})},
	{"section-2.4-rerouting", "Section 2.4",
		"Only blocks of distance 1 or 2 used the sends that are removed from level 0.",
		onRings(2, "", "", func(s *survey, d int) {
			phases := model.AppendixTree(d)
			for _, gather := range []bool{true, false} {
				for _, m := range model.PhaseOf(phases, 0, gather) {
					for _, b := range m.Blocks {
						if removed := (m.From%2 == 0) == gather; removed {
							distance := model.Ahead(1<<d, b.Source, b.Target)
							s.add(distance <= 2, say("n = %d, b_%d^%d", 1<<d, b.Source, b.Target), "distance at most 2", distance)
						}
					}
				}
			}
		})},
	{"section-2.4-example", "Section 2.4",
		"b_0^1 goes in SP_0, b_0^2 in GP_1 and b_1^2 in GP_0; phases of levels above 1 remain the same.",
		func(s *survey) {
			most := min(7, ringExponent(s))
			for d := range numbers(s, 4, most) {
				p, tree, last := model.Plan("ring", 1<<d), model.AppendixTree(d), 2*d-3 // SP_0
				for _, c := range []struct{ source, target, phase int }{{0, 1, last}, {0, 2, 1}, {1, 2, 0}} {
					moves := model.BlockPhases(p, c.source, c.target)
					s.add(slices.Equal(moves, []int{c.phase}), say("n = %d, b_%d^%d", 1<<d, c.source, c.target),
						say("phase %d", c.phase+1), say("phases from 0: %v", moves))
				}
				for k, phase := range model.PhasesOf(p) {
					if min(k, last-k) >= 2 {
						s.add(maps.Equal(model.PositiveBlocks(phase), model.TreeBlocks(tree[k])), say("n = %d, phase %d", 1<<d, k+1),
							"the same positive sends", "others")
					}
				}
			}
			s.end(overRings(4, most), "")
		}},
}

// Section 2.5, each with what the appendix says in its proof.
var costRows = []row{
	{"lemma-2", "Lemma 2", "GP_l, l <= d-3, sends max(2^(d+l-1) - 5 2^(2l-1) + 3 2^(l-1), 7 2^(2l-2)) blocks.",
		phaseSizes(true, false, "")},
	{"lemma-2-proof", "proofs of Lemmas 2 and 5",
		"For l <= d-3 every send of Case 1 has the first number of blocks, every one of Case 2 the second, 2 at level 0.",
		onRings(3, "", "the proof of Lemma 2 prints the set b_s^{i+3 2^(l-1) .. i+3 2^(l-1)}, of one block; with i+3 2^l - "+
			"1 as its end it has the 3 2^(l-1) blocks of the text",
			func(s *survey, d int) {
				phases := model.AppendixTree(d)
				for l := 0; l <= d-3; l++ {
					for _, gather := range []bool{true, false} {
						for _, m := range model.PhaseOf(phases, l, gather) {
							s.letters["l"] = l
							claimed := caseTwo
							if l == 0 {
								claimed = "2"
							}
							if model.InV(d, l+1, m.From) != gather { // Case 1: \hat V in GP, V in SP
								claimed = caseOne
							}
							s.equal(say("n = %d, l = %d, gather %v, v_%d", 1<<d, l, gather, m.From), len(m.Blocks), claimed)
						}
					}
				}
			})},
	{"lemma-3", "Lemma 3", "GP_{d-2} sends 2^(2d-6) + 3 2^(d-3) blocks.",
		phaseSizes(true, true, "with Case 2 in GP_{d-2}, as its proof has it")},
	{"lemma-3-proof", "proof of Lemma 3",
		"In GP_{d-2} only Case 2 applies, because v_i is in \\hat V_{d-1}; then GP_{d-2} and SP_{d-2} cost what Lemmas 3 " +
			"and 4 say.",
		onRings(3, "", "Section 2.2 takes Case 1 for \\hat V, which gives the figures shown: the two phases change places, "+
			"and the sum stays what it is",
			func(s *survey, d int) {
				phases := model.RunTree(d, 1<<(d-1), model.DefinitionReading).Phases
				show := func(gather, scatter any) text {
					return say("GP_%d %s, SP_%d %s", d-2, display(gather), d-2, display(scatter))
				}
				s.same(say("n = %d", 1<<d), show(model.PhaseOf(phases, d-2, true).Size(), model.PhaseOf(phases, d-2, false).Size()),
					show(s.value(printedPhase(d, d-2, true)), s.value(printedPhase(d, d-2, false))))
			})},
	{"lemma-4", "Lemma 4", "SP_{d-2} sends one block.", phaseSizes(false, true, "with Case 2 in GP_{d-2}")},
	{"lemma-5", "Lemma 5", "SP_l, l <= d-3, sends as many blocks as GP_l.", phaseSizes(false, false, "")},
	{"corollary-1", "Corollary 1",
		"The first term of the maximum is the larger one for l <= d-4; for l = d-3 up to d = 5, the second from d = 6 on.",
		onRings(3, "", "", func(s *survey, d int) {
			phases := model.AppendixTree(d)
			for l := 0; l <= d-3; l++ {
				s.letters["l"] = l
				claimed := caseOne
				switch {
				case l == d-3 && d <= 5:
					claimed = "3 2^(2d-7) + 3 2^(d-4)"
				case l == d-3:
					claimed = "7 2^(2d-8)"
				}
				for _, gather := range []bool{true, false} {
					s.equal(say("n = %d, l = %d, gather %v", 1<<d, l, gather), model.PhaseOf(phases, l, gather).Size(), claimed)
				}
			}
		})},
	{"lemma-6", "Lemma 6",
		"The positive phases take 2d-2 startups and (31/96) 2^(2d-1) + 2^(d-3) - 1/3 blocks for d = 3 to 5, (65/192) " +
			"2^(2d-1) - 2^(d-2) - 1/3 from d = 6 on.",
		onRings(3, "", "", func(s *survey, d int) {
			phases, blocks := model.AppendixTree(d), 0
			for _, p := range phases {
				blocks += p.Size()
			}
			s.equal(say("n = %d", 1<<d), blocks, treeCost(d))
			s.equal(say("n = %d, startups", 1<<d), len(phases), 2*d-2)
		})},
	{"theorem-1", "Theorem 1",
		"The exchange on a ring of 2^d places takes as long as the positive phases and 3 blocks more for d = 3, 2 for d >= " +
			"4.",
		onRings(3, ", one port each way, by the checker", "sending the half-way blocks of even places the negative way "+
			"takes one startup and some blocks less: leeway exchange --variant balanced",
			func(s *survey, d int) {
				addCost(s, say("n = %d", 1<<d), "ring", model.Square(1, d), 2*d-2, ringCost(d))
			})},
	{"theorem-1-negative", "proof of Theorem 1",
		"The latency of a negative phase is smaller than that of the corresponding positive phase.",
		onRings(3, "", "from d = 6 on Case 2 decides in GP_{d-3} and SP_{d-3}, and has the same blocks both ways; never is "+
			"the negative phase the longer one, which is all that the theorem needs",
			func(s *survey, d int) {
				positive := model.AppendixTree(d)
				negative := model.RunTree(d, 1<<(d-1)-1, model.AppendixReading).Phases
				for k, p := range positive {
					s.add(negative[k].Size() < p.Size(), say("n = %d, phase %d of %d", 1<<d, k+1, len(positive)),
						say("less than %d blocks on the negative tree", p.Size()), negative[k].Size())
				}
			})},
	{"theorem-1-cases", "proof of Theorem 1",
		"Every v_s is in one of four cases, by v_s, v_{s+1}, v_{s+2} or v_{s+3}, that say when its blocks of distance 1 " +
			"and 2 are sent.",
		func(s *survey) {
			rest, most := 0, min(6, ringExponent(s)-1)
			for d := range numbers(s, 4, most) {
				p := model.Plan("ring", 1<<d)
				scatter := func(l int) int { return 2*d - 3 - l } // the phase of SP_l; that of GP_l is l
				for v := range 1 << d {
					at := func(by int) int { return (v + by) % (1 << d) }
					one, two := -1, -1 // the phases that the proof has for distance 1 and 2; -1: it says nothing
					switch {
					case model.InHat(d, 2, v): // 1
						one, two = scatter(0), scatter(1)
					case model.InV(d, 2, at(1)): // 2
						one = 0
					case model.InHat(d, 2, at(2)): // 3
						one, two = scatter(0), 1
					case model.InHat(d, 2, at(3)): // 4
						one = 0
					}
					first := model.BlockPhases(p, v, at(1))
					if one < 0 && slices.Equal(first, []int{0}) && model.InHat(d, 2, at(1)) {
						rest++
					}
					second := two < 0 || slices.Equal(model.BlockPhases(p, v, at(2)), []int{two})
					found := fmt.Sprintf("b_%d^%d moves in phase %d of %d", v, at(1), first[0]+1, 2*d-2)
					if one < 0 {
						found = "in no case; " + found
					}
					s.add(slices.Equal(first, []int{one}) && second, say("n = %d, v_s = v_%d", 1<<d, v), "one of the four cases",
						found)
				}
			}
			s.end(overRings(4, most)+", every source", fmt.Sprintf("case 4 asks for v_{s+3} in \\hat V_2, which is case 2 "+
				"again; sources with v_{s+1} in \\hat V_2 are in no case. With that as case 4 the %d that fail are right: "+
				"b_s^{s+1} goes in GP_0", rest))
		}},
	{"theorem-1-added", "proof of Theorem 1",
		"Sharing the ports adds one block to GP_0 and one to SP_0, and for d = 3 one to GP_1.",
		onRings(3, ", every phase", "", func(s *survey, d int) {
			tree := model.AppendixTree(d)
			for k, size := range model.Plan("ring", 1<<d).PhaseSizes() {
				claimed := 0
				if k == 0 || k == 2*d-3 || d == 3 && k == 1 {
					claimed = 1
				}
				s.equal(say("n = %d, phase %d of %d", 1<<d, k+1, 2*d-2), size-tree[k].Size(), claimed)
			}
		})},
}

// Sections 3 to 5.
var torusRows = []row{
	{"lemma-7", "Lemma 7",
		"T1 on 2^d x 2^d nodes, d >= 3, takes twice the time of the ring exchange with blocks 2^d times as large.",
		onPlanes("t1", 3, func(d int) int { return 2 * (2*d - 2) }, "2 2^d R")},
	{"section-3.2-waste", "Section 3.2", "T1 wastes at least half of the bandwidth.",
		func(s *survey) {
			for d := 3; d <= 4; d++ {
				p := model.Plan("t1", model.Square(2, d)...)
				for k, phase := range model.PhasesOf(p) {
					used, links := model.LinksUsed(p.Torus(), phase), p.Torus().M()
					s.add(2*used <= links, say("n = %d, phase %d", 1<<d, k+1), "at most half of the links", say("%d of %d", used,
						links))
				}
			}
			s.end("T1 on 8x8 and 16x16, every phase", "")
		}},
	{"section-3.2-partition", "Section 3.2, P1 and P2",
		"The four logical tori share no nodes; P_{0,0} and P_{1,1} share no links, nor do P_{1,0} and P_{0,1}.",
		partitions(2, 2, func(most int) []int {
			var list []int
			for n := 4; n <= most; n += 2 {
				list = append(list, n)
			}
			return list
		})},
	{"table-1", "Table 1",
		"P_{0,0} and P_{1,1} take the X-stage while the others take the Y-stage, then the other way round; there is no " +
			"contention.",
		func(s *survey) {
			for d := 3; d <= 4; d++ {
				axesByGroup(s, model.Plan("t4", model.Square(2, d)...), 2, [][]int{{0, 1}, {1, 0}})
			}
			s.end("T4 on 8x8 and 16x16: every send of both stages, and the checker", "")
		}},
	{"section-3.2-links", "Section 3.2", "This schedule utilizes all links in every phase.",
		func(s *survey) {
			for d := 4; d <= planeExponent(s); d++ {
				p := model.Plan("t4", model.Square(2, d)...)
				links := p.Torus().M()
				for k, phase := range model.PhasesOf(p) {
					if used := model.LinksUsed(p.Torus(), phase); k >= 2 {
						s.add(used == links, say("n = %d, phase %d, after the two of preparation", 1<<d, k-1),
							say("all %d links", links), say("%d links", used))
					}
				}
			}
			s.end(fmt.Sprintf("T4 on tori of 2^d x 2^d nodes, d = 4 to %d, every phase of both stages", planeExponent(s)),
				fmt.Sprintf("all lines are busy in every stage, but only %d of the phases use all links: GP_0 and SP_0 use every "+
					"other link each way, and SP_{d-2} carries nothing the negative way", s.cases-s.failed))
		}},
	{"section-3.2-preparation", "Section 3.2, Pre1 and Pre2",
		"In both phases every node sends n^2/2 blocks; then all blocks are in the logical torus of their destination.",
		func(s *survey) {
			for d := 2; d <= 4; d++ {
				preparation(s, "t4", model.Square(2, d), 2, 4, []int{2, 2})
			}
			s.end("4x4, 8x8 and 16x16: every node in both phases, then every block", "")
		}},
	{"theorem-2", "Theorem 2",
		"T4, d >= 4, takes 2 startups, 2^(2d) blocks and the time of T1 for d-1 and blocks four times as large.",
		onPlanes("t4", 4, func(d int) int { return 2 + 2*(2*(d-1)-2) }, "2^(2d) + 2 4 2^(d-1) Q")},
	{"section-4-c1", "Section 4, C1",
		"C1 takes three times the time of the ring exchange with blocks n^2 times as large.",
		func(s *survey) {
			addCost(s, say("c1, sides %v", model.Square(3, 3)), "c1", model.Square(3, 3), 3*4,
				let("R", ringCost(3)).value("3 2^6 R"))
			s.end("8x8x8, every block", "")
			if s.MaxK >= 16 {
				onClasses(s, say("16x16x16"), model.Plan("c1", model.Square(3, 4)...), 3*6, let("R", ringCost(4)).value("3 2^8 R"))
				s.checked += ", and 16x16x16, the blocks of one source of each translation class"
			}
		}},
	{"section-4-partition", "Section 4, P1' and P2'",
		"The 64 logical tori share no nodes, and those of one group no links.",
		partitions(3, 4, func(most int) []int {
			if most < 12 {
				return []int{8}
			}
			return []int{8, 12}
		})},
	{"table-2", "Table 2",
		"Each group takes each axis once, each stage has each axis once, a stage is the one before it shifted; there is no " +
			"contention.",
		func(s *survey) {
			table, all := [][]int{{0, 1, 2, 3}, {3, 0, 1, 2}, {2, 3, 0, 1}, {1, 2, 3, 0}}, []int{0, 1, 2, 3}
			for stage, row := range table {
				before := table[(stage+3)%4]
				var column []int
				for _, other := range table {
					column = append(column, other[stage])
				}
				slices.Sort(column)
				shifted := slices.Equal(row, append([]int{before[3]}, before[:3]...))
				s.add(shifted && slices.Equal(slices.Sorted(slices.Values(row)), all) && slices.Equal(column, all),
					say("row and column %d", stage+1), "each axis once, a cyclic shift", say("%v %v", row, column))
			}
			axesByGroup(s, model.Plan("c64", model.Square(3, 3)...), 9, table)
			s.end("the printed table; C64 on 8x8x8: every send of the four stages, and the checker", "")
		}},
	{"figure-6", "Figure 6 and Section 4", "In every stage of C64 all physical links are utilized.",
		// on every line one logical ring is at work, and its exchange uses every link both ways in some phase
		func(s *survey) {
			lines, rings := model.BusyLines(model.Plan("c64", model.Square(3, 3)...), 9, 4)
			s.add(rings == lines && lines == 4*3*64, say("n = 8"),
				"one logical ring on each of 192 lines, in four stages", lines)
			for d := 3; d <= 6; d++ {
				used := map[int]bool{}
				for _, send := range slices.Concat(model.PlanSends(model.Plan("ring", 1<<d))...) {
					for _, link := range send.Links(1 << d) {
						used[link] = true
					}
				}
				s.add(len(used) == 2<<d, say("logical ring of %d", 1<<d), "all links, both ways", len(used))
			}
			s.end("the lines of 8x8x8 (a stage is one phase there); logical rings of 8 to 64",
				"in the course of a stage, not in each of its phases: see seed004-section-3.2-links")
		}},
	{"section-4-preparation", "Section 4 and Figure 7",
		"The nine phases of preparation send 48, 32 and 16 times n^3/64 blocks along each axis; then all blocks are in the " +
			"logical torus of their destination.",
		func(s *survey) {
			preparation(s, "c64", model.Square(3, 3), 4, 64, []int{48, 32, 16, 48, 32, 16, 48, 32, 16})
			s.end("8x8x8: every node in all nine phases, then every block", "")
		}},
	{"theorem-3", "Theorem 3",
		"C64, d >= 5, takes 9 startups, 9 2^(3d-1) blocks and four times the ring exchange for d-2 with blocks 64 " +
			"2^(2(d-2)) times as large.",
		func(s *survey) {
			how := "d = 5 to 7, from the ring plans"
			for d := range numbers(s, 5, 7) {
				p, startups := model.Plan("c64", model.Square(3, d)...), 9+4*(2*(d-2)-2)
				if d == 5 && s.MaxK >= 16 {
					how = "d = 5, following the blocks of one source of each translation class; d = 6 and 7 from the ring plans"
					onClasses(s, say("32x32x32"), p, startups, costC64(d))
					continue
				}
				command := exchangeOn("c64", model.Square(3, d)...)
				s.equal(say("d = %d, startups", d).withCommand(command), p.Cost().Startups, startups)
				s.equal(say("d = %d, blocks", d).withCommand(command), p.Cost().Transmission, costC64(d))
			}
			s.end("tori with three sides 2^d, "+how, "")
		}},
	{"section-5-reach", "Section 5", "A reachability property like that of Lemma 1 holds on rings of any size.",
		func(s *survey) {
			for n := range numbers(s, 3, 4*s.MaxK) {
				for from, to := range model.PairsAhead(n) {
					s.add(model.Routes(n, from, to) > 0, say("n = %d, v_%d to v_%d", n, from, to), "a path", "none")
				}
			}
			s.end(fmt.Sprintf("rings of 3 to %d places", 4*s.MaxK), "a ring of two has no phases at all, as in Lemma 1")
		}},
	{"figure-8", "Figure 8 and Section 5",
		"On 10 places GC_3(v_0) = {v_0, v_9, .., v_5}; on 13 places SC_3(v_12) = {v_12, v_0, .., v_3}.",
		func(s *survey) {
			back, forward := model.Reached(10, 3, 0, true), model.Reached(13, 3, 12, false)
			s.add(slices.Equal(back, []int{0, 5, 6, 7, 8, 9}), say("n = 10"), "GC_3(v_0) = v_0, v_9 to v_5", back)
			s.add(slices.Equal(forward, []int{0, 1, 2, 3, 12}), say("n = 13"), "SC_3(v_12) = v_12, v_0 to v_3", forward)
			s.end("both printed sets", "")
		}},
	{"section-5-any-size", "Section 5 and abstract, 4)",
		"With the hops of Section 5 the exchange, overlapped as in Section 2.4, applies to rings of any size, one port " +
			"each way.",
		// negative phases are the mirror images under i -> 1-i: on 2^d places the shifted ones of Section 2.4
		func(s *survey) {
			var even survey
			for n := range numbers(s, 3, 4*s.MaxK) {
				for l := 0; 2<<l < n; l++ {
					for _, gather := range []bool{true, false} {
						var sends []model.Send
						for i := 0; i < n; i += 1 << l {
							to := model.Next(n, l, i)
							if l > 0 || (i%2 == 0) != gather {
								sends = append(sends, model.Send{From: i, To: to, Dir: 1},
									model.Send{From: (n + 1 - i) % n, To: (n + 1 - to) % n, Dir: -1})
							}
						}
						twice, where := model.Clashes(n, sends...), say("n = %d, l = %d", n, l)
						s.add(twice == 0, where, "no port twice", say("ports and links needed twice: %d", twice))
						if n%2 == 0 {
							even.equal(where, twice, 0)
						}
					}
				}
			}
			s.end(fmt.Sprintf("rings of 3 to %d places, every phase", 4*s.MaxK), fmt.Sprintf("on rings of even length %d of "+
				"%d phases fail; on odd ones the places at the end of the ring meet, and the program puts negative sends whose "+
				"ports are taken into phases of their own: leeway exchange --torus 9 --algorithm ring", even.failed, even.cases))
		}},
	{"section-5-logical-tori", "Section 5 and abstract, 4)",
		"The extension to tori of any size follows the line of the earlier sections: there the neighbours of a node in its " +
			"logical torus of T4 and C64 are 2 and 4 away.",
		func(s *survey) { // steps of a period along an axis stay in a logical torus
			for n := 2; n <= s.MaxK; n++ {
				for i, name := range []string{"T4", "C64"} {
					period := 2 << i
					for x := 0; n >= period && x < n; x++ {
						y := (x + period) % n
						s.add(y%period == x%period, say("%s, side %d, coordinate %d", name, n, x),
							say("a neighbour congruent to %d modulo %d", x%period, period), say("coordinate %d", y))
					}
				}
			}
			s.end(fmt.Sprintf("sides 2 to %d", s.MaxK), "the program takes T4 with sides 2 or a multiple of 4, and C64 with "+
				"4 or a multiple of 8, where logical rings have even length; T1 and C1 take any sides, with more startups on odd "+
				"ones")
		}},
	{"section-5-conjecture", "Section 5, conjecture",
		"On a ring of n places the exchange takes at most the time of Theorem 1 for d = ceil(lg n).",
		func(s *survey) {
			var more []int
			odd, oddMore, most := 0, 0, max(32, 4*s.MaxK)
			worst := new(big.Rat) // blocks over those of Theorem 1
			for n := range numbers(s, 5, most) {
				d, v := bits.Len(uint(n-1)), model.Judged(model.Plan("ring", n).Schedule())
				if n%2 == 1 {
					odd++
					if v.Phases > 2*d-2 {
						oddMore++
					}
					continue
				}
				holds := v.Verdict == "valid" && v.Phases <= 2*d-2 && atMost.holds(int(v.Transmission), ringCost(d))
				if !holds {
					more = append(more, n)
				}
				worst = let("x b R", worst, int(v.Transmission), ringCost(d)).value("max(x, b/R)")
				s.add(holds, say("n = %d", n).withCommand(exchangeOn("ring", n)),
					say("at most %d startups and %s blocks", 2*d-2, display(ringCost(d))),
					say("%d startups, %d blocks, %s", v.Phases, v.Transmission, v.Verdict))
			}
			s.end(fmt.Sprintf("rings of even length, 6 to %d", most),
				fmt.Sprintf("the bound fails for n = %v, by a factor of %s at most. On odd rings, whose overlap the paper leaves "+
					"open, the program's schedules take more startups for %d of %d lengths", more, worst.FloatString(3), oddMore, odd))
		}},
}

// caseOne and caseTwo are the terms of the maximum in Lemmas 2 and 5.
const (
	caseOne = "2^(d+l-1) - 5 2^(2l-1) + 3 2^(l-1)"
	caseTwo = "7 2^(2l-2)"
)

// printedPhase is Lemmas 2 to 5: the largest send of GP_l or SP_l.
func printedPhase(d, l int, gather bool) string {
	switch {
	case l <= d-3:
		return "max(" + caseOne + ", " + caseTwo + ")"
	case gather:
		return "2^(2d-6) + 3 2^(d-3)"
	}
	return "1"
}

// phaseSizes compares Lemmas 2 to 5 with the tree: the level d-2, or those below.
func phaseSizes(gather, last bool, note string) check {
	return onRings(3, "", note, func(s *survey, d int) {
		phases := model.AppendixTree(d)
		for l := 0; l <= d-2; l++ {
			if last == (l == d-2) {
				s.letters["l"] = l
				s.equal(say("n = %d, l = %d", 1<<d, l), model.PhaseOf(phases, l, gather).Size(), printedPhase(d, l, gather))
			}
		}
	})
}

// treeCost is the transmission of Lemma 6, ringCost that of Theorem 1, costC64 that of Theorem 3.
func treeCost(d int) *big.Rat {
	if d <= 5 {
		return let("d", d).value("(31/96) 2^(2d-1) + 2^(d-3) - 1/3")
	}
	return let("d", d).value("(65/192) 2^(2d-1) - 2^(d-2) - 1/3")
}

func ringCost(d int) *big.Rat {
	if d == 3 {
		return let("x", treeCost(d)).value("x + 3")
	}
	return let("x", treeCost(d)).value("x + 2")
}

func costC64(d int) *big.Rat { return schemeC64.costs(d)[blocks] }

// exchangeOn is the command that shows the costs of a plan.
func exchangeOn(name string, sides ...int) string {
	return fmt.Sprintf("leeway exchange --torus %s --algorithm %s", core.MustTorus(sides...), name)
}

// costText is how costs are compared.
func costText(startups int, blocks number) text {
	return say("%d startups, %s blocks, valid", startups, display(blocks))
}

// addCost adds a case: the claimed costs of a plan against the checker's.
func addCost(s *survey, at text, name string, sides []int, startups int, blocks *big.Rat) {
	v := model.Judged(model.Plan(name, sides...).Schedule())
	s.same(at.withCommand(exchangeOn(name, sides...)),
		say("%d startups, %d blocks, %s", v.Phases, v.Transmission, v.Verdict),
		costText(startups, blocks))
}

// onClasses is addCost by the blocks of one source of each translation class. It gives up when the context is done:
// the run itself cannot be stopped.
func onClasses(s *survey, at text, p *wormhole.Plan, startups int, blocks *big.Rat) {
	truth, err := parallel.Await(s.ctx, 0, func() (text, error) {
		sizes, err := p.RunClasses()
		sum := 0
		for _, size := range sizes {
			sum += size
		}
		return costText(len(sizes), sum), err
	})
	if err != nil {
		truth = say("%s", err)
	}
	s.same(at, truth, costText(startups, blocks))
}

// onPlanes compares the claimed costs of a plan on two sides 2^d with the checker's.
// In blocks R and Q are those of Theorem 1 for d and d-1.
func onPlanes(name string, first int, startups func(d int) int, blocks string) check {
	return func(s *survey) {
		for d := range numbers(s, first, planeExponent(s)) {
			claimed := let("d R Q", d, ringCost(d), ringCost(d-1)).value(blocks)
			addCost(s, say("%s, sides %v", name, model.Square(2, d)), name, model.Square(2, d), startups(d), claimed)
		}
		s.end(fmt.Sprintf("tori of 2^d x 2^d nodes, d = %d to %d, every block", first, planeExponent(s)), "")
	}
}

// partitions checks P1 and P2, or P1' and P2': logical tori, of the nodes of a residue modulo period, share no link
// if their residues have one sum modulo period, and no two share a node.
func partitions(d, period int, sides func(most int) []int) check {
	return func(s *survey) {
		list := sides(s.MaxK)
		for _, n := range list {
			links, nodes := model.SharedParts(model.Cube(n, d), period)
			s.add(links == 0 && nodes == 0 && !s.done(), say("n = %d", n), "no node or link in two of them",
				say("%d links, %d nodes", links, nodes))
		}
		s.end(fmt.Sprintf("sides %v", list), "")
	}
}

// axesByGroup checks the table of a plan: along which axis the nodes of each group send in each stage, 3 for none. A
// group is the sum of the coordinates modulo the number of groups.
func axesByGroup(s *survey, p *wormhole.Plan, before int, table [][]int) {
	t, each := p.Torus(), 0
	for k := range model.PhasesOf(p) {
		each = (k + 1 - before) / len(table)
	}
	for k, phase := range model.PhasesOf(p) {
		if k < before {
			continue
		}
		stage := (k - before) / each
		for _, send := range phase {
			group := 0
			for _, x := range t.Coords(int(send.From)) {
				group += x
			}
			group %= len(table[0])
			s.same(say("sides %v, stage %d, group %d", t.Dims(), stage+1, group), say("axis %d", send.Axis),
				say("axis %d", table[stage][group]))
		}
	}
	v := model.Judged(p.Schedule())
	s.add(v.Verdict == "valid", say("sides %v", t.Dims()), "no contention", v.Reason)
}

// preparation checks how many blocks every node sends in the preparation of T4 or C64, as this many of N/parts, and
// that all blocks are then in the logical torus of their home.
func preparation(s *survey, name string, sides []int, period, parts int, shares []int) {
	p := model.Plan(name, sides...)
	t := p.Torus()
	at := make([]int32, t.N()*t.N())
	for i := range at {
		at[i] = int32(i / t.N())
	}
	for k, phase := range model.PhasesOf(p) {
		if k == len(shares) {
			break
		}
		s.add(len(phase) == t.N(), say("sides %v, phase %d", sides, k+1), "all nodes send", len(phase))
		for _, send := range phase {
			s.equal(say("sides %v, phase %d, node %d", sides, k+1, send.From), len(send.Blocks), shares[k]*t.N()/parts)
			for _, b := range send.Blocks {
				at[int(b.From)*t.N()+int(b.To)] = send.To
			}
		}
	}
	for i, v := range at {
		home, from, near := i%t.N(), i/t.N(), true
		for j := range t.D() {
			x := t.Coord(int(v), j)
			near = near && (x-t.Coord(home, j))%period == 0 && (x-t.Coord(from, j)+t.Side(j))%t.Side(j) < period
		}
		if from != home {
			s.add(near, say("sides %v, block %d to %d", sides, from, home), "in the logical torus of its home", say("at %d", v))
		}
	}
}
