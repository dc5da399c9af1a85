package audit

import "slices"

const tseng = "Tseng, Ni and Sheu, "

// seed004 lists the claims of Y.-C. Tseng, S.-Y. Ni and J.-P. Sheu, "Toward Optimal
// Complete Exchange on Wormhole-Routed Tori", IEEE Transactions on Computers 48(10),
// 1999. What a proof in its appendix says stands after the statement that is proved.
func seed004() []Claim {
	return slices.Concat(ringClaims(), costClaims(), torusClaims(), comparisonClaims())
}

// ringClaims are those of the abstract, the introduction and Sections 2 to 2.4.
func ringClaims() []Claim {
	return []Claim{
		{"seed004-abstract-shortest-paths", tseng + "abstract, 2)",
			"The schemes enforce shortest paths in routing messages.", shortestPaths},
		{"seed004-section-1-bisection", tseng + "Section 1",
			"A torus has twice the bisection width of a mesh of the same size.", twiceTheBisection},
		{"seed004-section-2-distance", tseng + "Section 2",
			"dist^-(v_i, v_j), the negative distance from v_i to v_j, is n - dist^+(v_i, v_j).",
			onRings(1, "it is n for i = j, where the distance is 0; (i-j) mod n is right. Nothing later depends on it", negativeDistance)},
		{"seed004-definition-1", tseng + "Definition 1",
			"In GP_l^+ and SP_l^+ the multiples of 2^l send to the next ones; in one phase no place sends or receives twice and no link is used twice.",
			onRings(1, "both directions, each apart from the other", definition1Of004)},
		{"seed004-figure-1", tseng + "Figure 1 and Section 2.1",
			"On 16 places the tree has height 3 and three routes lead from v_2 to v_4.", figure1Of004},
		{"seed004-definition-2", tseng + "Definition 2 and Section 2.1",
			"A place of \\hat V_{l+1} joins GP_l and SP_l, but no phase of a higher level.",
			onRings(2, "", definition2Of004)},
		{"seed004-section-2.1-coverage", tseng + "Section 2.1",
			"A v_i of V_l or \\hat V_l gathers from GC_l, itself and the 2^l - 1 places before it, and scatters to SC_l, itself and the 2^l - 1 after it.",
			onRings(2, "read as: by the phases of the levels below l; a v_i of V_l also joins GP_l and gathers more there", coverage)},
		{"seed004-lemma-1", tseng + "Lemma 1",
			"If dist^+(v_s, v_t) <= n/2 a path leads from v_s to v_t on the positive tree, through a v_m of V_h or \\hat V_h as in the proof.",
			onRings(1, "a ring of two places, n = 2^1, has no phases, and no v_m; the lemma holds for d = 2 and more", lemma1Of004)},
		{"seed004-definition-3", tseng + "Definition 3 and Section 2.1",
			"The negative tree reaches, in the same way, what is n/2 or less away in the negative direction.",
			onRings(2, "", lemma1Negative)},
		{"seed004-section-2.1-split", tseng + "Section 2.1",
			"Each place sends n/2 blocks on the positive tree and n/2 - 1 on the negative one, one for every other place.",
			onRings(1, "", split)},
		{"seed004-observation-1", tseng + "Observation 1",
			"The traffic in a place of V_h tends to be busier than in one of \\hat V_h. (The text has V_h twice, a slip of the transcription at least.)",
			onRings(3, "blocks sent and received on the positive tree, the least of V_h against the most of \\hat V_h, h = 1 to d-2", observation1)},
		{"seed004-section-2.2-cases", tseng + "Section 2.2",
			"In Case 1, v_i in \\hat V_{l+1}, the receiver is in V_{l+1}; in Case 2, v_i in V_{l+1}, it is in \\hat V_{l+1}; the items of both cases name the coverage rightly.",
			onRings(2, "in GP_{d-2} Definition 2 makes V_{d-1} empty and all four places \\hat V_{d-1}: Case 1 is then between equals. All else holds", caseFacts)},
		{"seed004-example-1", tseng + "Example 1",
			"On 16 places b_1^2 stays in v_1 in GP_0 and b_1^{3..9} go to v_2; in GP_1 b_1^{3..5} stay in v_2, b_1^{6..9} go to v_4; b_3^{5..11} go to v_4 in GP_0; in GP_1 b_3^5 stays there, b_3^{6..9} go to v_6, and b_3^{10..11} remain in v_6.", example1Of004},
		{"seed004-section-2.3-algorithm", tseng + "Section 2.3, pseudo-code",
			"At the end every place holds the n/2 blocks for it from the places before it.", algorithmOf004},
		{"seed004-section-2.3-correctness", tseng + "Section 2.3",
			"After GP_{d-2} each block is in a v_m of V_h or \\hat V_h whose SC_h has its destination, and the scattering phases bring it home.",
			onRings(2, "with either case in GP_{d-2}", gatheredAt)},
		{"seed004-section-2.4-ports", tseng + "Section 2.4 and Figure 4",
			"Overlapped as they are, positive and negative phases need ports twice; shifted by one they do not above level 0; no shift helps at level 0, where removing every other send does.",
			onRings(2, "", onePortForms)},
		{"seed004-section-2.4-rerouting", tseng + "Section 2.4",
			"Only blocks of distance 1 or 2 used the sends that are removed from level 0.",
			onRings(2, "", reroutedBlocks)},
		{"seed004-section-2.4-example", tseng + "Section 2.4",
			"b_0^1 goes in SP_0, b_0^2 in GP_1 and b_1^2 in GP_0; phases of levels above 1 remain the same.", rerouting},
	}
}

// costClaims are those of Section 2.5, each with what the appendix says in its proof.
func costClaims() []Claim {
	return []Claim{
		{"seed004-lemma-2", tseng + "Lemma 2",
			"GP_l, l <= d-3, sends max(2^(d+l-1) - 5 2^(2l-1) + 3 2^(l-1), 7 2^(2l-2)) blocks.", phaseSizes(true, lowest, inner, "")},
		{"seed004-lemma-2-proof", tseng + "proofs of Lemmas 2 and 5",
			"For l <= d-3 every send of Case 1 has the first number of blocks, every one of Case 2 the second, 2 at level 0.",
			onRings(3, "the proof of Lemma 2 prints the set b_s^{i+3 2^(l-1) .. i+3 2^(l-1)}, of one block; with i+3 2^l - 1 as its end it has the 3 2^(l-1) blocks of the text", eachCase)},
		{"seed004-lemma-3", tseng + "Lemma 3",
			"GP_{d-2} sends 2^(2d-6) + 3 2^(d-3) blocks.", phaseSizes(true, highest, highest, "with Case 2 in GP_{d-2}, as its proof has it")},
		{"seed004-lemma-3-proof", tseng + "proof of Lemma 3",
			"In GP_{d-2} only Case 2 applies, because v_i is in \\hat V_{d-1}; then GP_{d-2} and SP_{d-2} cost what Lemmas 3 and 4 say.",
			onRings(3, "Section 2.2 takes Case 1 for \\hat V, which gives the figures shown: the two phases change places, and the sum stays what it is", lastGathering)},
		{"seed004-lemma-4", tseng + "Lemma 4",
			"SP_{d-2} sends one block.", phaseSizes(false, highest, highest, "with Case 2 in GP_{d-2}")},
		{"seed004-lemma-5", tseng + "Lemma 5",
			"SP_l, l <= d-3, sends as many blocks as GP_l.", phaseSizes(false, lowest, inner, "")},
		{"seed004-corollary-1", tseng + "Corollary 1",
			"The first term of the maximum is the larger one for l <= d-4; for l = d-3 up to d = 5, the second from d = 6 on.",
			onRings(3, "", corollary1Of004)},
		{"seed004-lemma-6", tseng + "Lemma 6",
			"The positive phases take 2d-2 startups and (31/96) 2^(2d-1) + 2^(d-3) - 1/3 blocks for d = 3 to 5, (65/192) 2^(2d-1) - 2^(d-2) - 1/3 from d = 6 on.",
			onRings(3, "", lemma6Of004)},
		{"seed004-theorem-1", tseng + "Theorem 1",
			"The exchange on a ring of 2^d places takes as long as the positive phases and 3 blocks more for d = 3, 2 for d >= 4.", theorem1Of004},
		{"seed004-theorem-1-negative", tseng + "proof of Theorem 1",
			"The latency of a negative phase is smaller than that of the corresponding positive phase.",
			onRings(3, "from d = 6 on Case 2 decides in GP_{d-3} and SP_{d-3}, and has the same blocks both ways; never is the negative phase the longer one, which is all that the theorem needs", negativeSmaller)},
		{"seed004-theorem-1-cases", tseng + "proof of Theorem 1",
			"Every v_s is in one of four cases, by v_s, v_{s+1}, v_{s+2} or v_{s+3}, that say when its blocks of distance 1 and 2 are sent.", theorem1Cases},
		{"seed004-theorem-1-added", tseng + "proof of Theorem 1",
			"Sharing the ports adds one block to GP_0 and one to SP_0, and for d = 3 one to GP_1.", blocksAdded},
	}
}

// torusClaims are those of Sections 3 to 5.
func torusClaims() []Claim {
	return []Claim{
		{"seed004-lemma-7", tseng + "Lemma 7",
			"T1 on 2^d x 2^d nodes, d >= 3, takes twice the time of the ring exchange with blocks 2^d times as large.", lemma7Of004},
		{"seed004-section-3.2-waste", tseng + "Section 3.2",
			"T1 wastes at least half of the bandwidth.", halfWaste},
		{"seed004-section-3.2-partition", tseng + "Section 3.2, P1 and P2",
			"The four logical tori share no nodes; P_{0,0} and P_{1,1} share no links, nor do P_{1,0} and P_{0,1}.", partitions(2, 2, planeSides)},
		{"seed004-table-1", tseng + "Table 1",
			"P_{0,0} and P_{1,1} take the X-stage while the others take the Y-stage, then the other way round; there is no contention.", table1Of004},
		{"seed004-section-3.2-links", tseng + "Section 3.2",
			"This schedule utilizes all links in every phase.", allLinks},
		{"seed004-section-3.2-preparation", tseng + "Section 3.2, Pre1 and Pre2",
			"In both phases every node sends n^2/2 blocks; then all blocks are in the logical torus of their destination.", preparationT4},
		{"seed004-theorem-2", tseng + "Theorem 2",
			"T4, d >= 4, takes 2 startups, 2^(2d) blocks and the time of T1 for d-1 and blocks four times as large.", theorem2Of004},
		{"seed004-section-4-c1", tseng + "Section 4, C1",
			"C1 takes three times the time of the ring exchange with blocks n^2 times as large.", costOfC1},
		{"seed004-section-4-partition", tseng + "Section 4, P1' and P2'",
			"The 64 logical tori share no nodes, and those of one group no links.", partitions(3, 4, cubeSides)},
		{"seed004-table-2", tseng + "Table 2",
			"Each group takes each axis once, each stage has each axis once, a stage is the one before it shifted; there is no contention.", table2Of004},
		{"seed004-figure-6", tseng + "Figure 6 and Section 4",
			"In every stage of C64 all physical links are utilized.", stageLinks},
		{"seed004-section-4-preparation", tseng + "Section 4 and Figure 7",
			"The nine phases of preparation send 48, 32 and 16 times n^3/64 blocks along each axis; then all blocks are in the logical torus of their destination.", preparationC64},
		{"seed004-theorem-3", tseng + "Theorem 3",
			"C64, d >= 5, takes 9 startups, 9 2^(3d-1) blocks and four times the ring exchange for d-2 with blocks 64 2^(2(d-2)) times as large.", theorem3Of004},
		{"seed004-section-5-reach", tseng + "Section 5",
			"A reachability property like that of Lemma 1 holds on rings of any size.", reachAnySize},
		{"seed004-figure-8", tseng + "Figure 8 and Section 5",
			"On 10 places GC_3(v_0) = {v_0, v_9, .., v_5}; on 13 places SC_3(v_12) = {v_12, v_0, .., v_3}.", figure8Of004},
		{"seed004-section-5-any-size", tseng + "Section 5 and abstract, 4)",
			"With the hops of Section 5 the exchange, overlapped as in Section 2.4, applies to rings of any size, one port each way.", oddOverlap},
		{"seed004-section-5-logical-tori", tseng + "Section 5 and abstract, 4)",
			"The extension to tori of any size follows the line of the earlier sections: there the neighbours of a node in its logical torus of T4 and C64 are 2 and 4 away.", logicalNeighbours},
		{"seed004-section-5-conjecture", tseng + "Section 5, conjecture",
			"On a ring of n places the exchange takes at most the time of Theorem 1 for d = ceil(lg n).", sizeConjecture},
	}
}
