package audit

import "slices"

// seed000 lists the claims of M. C. Azizoglu and O. Egecioglu, "Lower Bounds on
// Communication Loads and Optimal Placements in Torus Networks", IEEE Transactions
// on Computers 49(3), 2000.
func seed000() []Claim {
	return slices.Concat(seed000Definitions(), seed000Bounds(), seed000Bisection(), seed000Routing(), seed000Appendix())
}

// of000 names a place in the paper.
func of000(place string) string { return "Azizoglu and Egecioglu 2000, " + place }

const definition = "a definition: nothing is claimed"

// seed000Definitions are the claims of sections 1 and 2.
func seed000Definitions() []Claim {
	return []Claim{
		{"seed000-section-1-width", of000("section 1"), "The full torus has bisection width 4k^(d-1) for even k.", checkFullWidth(true)},
		{"seed000-section-1-load", of000("section 1"), "On the full torus with even k some link has load at least k^(d+1)/8.", checkFullLoad(true, atLeast, "")},
		{"seed000-inequality-1", of000("section 1, after inequality 1"),
			"E_max is at least |P|/4 for d = 2 and |P|/6 for d = 3, and placements with k and k^2 processors achieve these bounds.", checkFraction},
		{"seed000-definition-1", of000("Definition 1"), "The torus has k^d nodes, each with 2d neighbours; a fixed coordinate leaves a torus with one axis less.", checkNodesAndNeighbours},
		{"seed000-definition-2", of000("Definition 2"), "A placement is a set of nodes; it is uniform if all principal subtori hold equally many processors.", untested(definition)},
		{"seed000-definition-3", of000("Definition 3"), "A routing gives every pair of processors a set of shortest paths, of which one is taken uniformly.", untested(definition)},
		{"seed000-figure-1", of000("Figure 1"), "Three processors on 3x3 with shortest paths between them.", untested("a drawing that the text at hand does not contain; it states no number")},
		{"seed000-definition-4", of000("Definition 4"), "The load of a link is the sum over ordered pairs of the share of their paths through it.", untested(definition)},
		{"seed000-definition-5", of000("Definition 5"), "E_max is the largest load of a link.", untested(definition)},
		{"seed000-section-2-more-paths", of000("section 2, after Definition 5"), "The more paths the routing provides, the smaller the loads of the links in use.", checkMorePaths},
		{"seed000-definition-6", of000("Definition 6"), "The Lee distance, the sum of the cyclic distances, is the length of a shortest path.", checkLee},
		{"seed000-definition-7", of000("Definition 7"), "The bisection width of a graph.", untested(definition)},
		{"seed000-definition-8", of000("Definition 8"), "The bisection width with respect to a placement.", untested(definition)},
		{"seed000-definition-9", of000("Definition 9"), "O and Omega.", untested(definition)},
	}
}

// seed000Bounds are the claims of section 3 about E_max.
func seed000Bounds() []Claim {
	return []Claim{
		{"seed000-inequality-6", of000("inequality 6"), "E_max is at least (|P|-1)/(2d).", checkDegree},
		{"seed000-lemma-1", of000("Lemma 1"), "E_max is at least 2|S|(|P|-|S|)/|dS| for every part S of P, dS being the links between S and the rest.", checkSeparator},
		{"seed000-lemma-1-single", of000("section 3, after Lemma 1"), "For one processor |dS| = 4d, so that (7) becomes (6).", checkSingleProcessor},
		{"seed000-inequality-8", of000("inequality 8"), "E_max is at least 2(|P|/2)^2 over the bisection width with respect to P.", checkBisectionBound},
		{"seed000-inequality-8-boundary", of000("section 3, after inequality 8"), "With half of the processors of P as S, dS becomes the bisection width.", checkHalfBoundary},
		{"seed000-inequality-9", of000("inequality 9"), "If E_max = c|P| then |P| is at most 12dc k^(d-1).", checkSize},
	}
}

// seed000Bisection are the claims of sections 3 and 4 about bisections.
func seed000Bisection() []Claim {
	return []Claim{
		{"seed000-proposition-1", of000("Proposition 1"), "Any set of nodes is bisected by removing O(k^(d-1)) edges; so is any subgraph.", checkAnyWidth},
		{"seed000-corollary-1", of000("Corollary 1"), "The bisection width with respect to any placement is at most 6dk^(d-1).", checkAnyWidth},
		{"seed000-remark-1", of000("Remark after Corollary 1"), "Of two complete graphs on 2n nodes joined by an edge, subgraphs with 2n nodes have bisection widths from 1 to Omega(n^2).", checkTwoComplete},
		{"seed000-theorem-1", of000("Theorem 1"), "Removing 4k^(d-1) links bisects the torus with respect to any uniform placement: the width is at most that.", checkUniformWidth(atMost, false,
			"for odd k two cuts cannot halve the slabs; the paper proves even k only, where at most 4k^(d-1) holds")},
		{"seed000-theorem-1-exact", of000("Theorem 1, read as an equation"), "For even k the bisection width of a uniform placement is 4k^(d-1).", checkUniformWidth(equals, true,
			"equal on two axes in all cases; on three axes two opposite octants are uniform, and cutting around one takes 3k^2 links, both ways counted")},
		{"seed000-theorem-1-proof", of000("Theorem 1, proof, and the generalisation after it"), "For even k the links at two opposite places across an axis, along which all slabs hold equally many processors, number at most 4k^(d-1) and bisect the placement.", checkTwoCuts},
		{"seed000-section-4-bound", of000("section 4"), "E_max is at least c^2 k^(d-1)/8 for uniform placements of size ck^(d-1).", checkSlabBound},
		{"seed000-section-4-tighter", of000("section 4, end"), "For large d that bound is tighter than (|P|-1)/(2d).", checkTighter(5, "on four axes it is for even k only, see seed002-abstract")},
	}
}

// seed000Routing are the claims of sections 5 to 7.
func seed000Routing() []Claim {
	multiple := checkLoads("odr", true, atMost, odrPairs, odrLoad, odrMultipleForm)
	return []Claim{
		{"seed000-definition-10", of000("Definition 10 and after"), "A linear placement, one coefficient relatively prime to k, has k^(d-1) processors.", checkLinearSize},
		{"seed000-section-5-multiple", of000("section 5"), "Multiple linear placements have tk^(d-1) processors, t < k.", checkMultipleSize},
		{"seed000-section-5-uniform", of000("section 5"), "Linear and multiple linear placements with all coefficients relatively prime to k are uniform.", checkLinearUniform},
		{"seed000-remark-2", of000("Remark, end of section 5"), "That a placement is linear does not by itself make the load linear; it takes a routing.", checkNotByItself},
		{"seed000-section-6-paths", of000("section 6"), "ODR gives one path for odd k, for even k several to some pairs; correcting ties the + way leaves one.", checkPathsODR},
		{"seed000-theorem-2", of000("Theorem 2, closed form"), "The linear placement under ODR has E_max = k^(d-1)/8 + k^(d-2)/4 for even k and k^(d-1)/8 - k^(d-3)/8 for odd k.",
			checkLoads("odr", false, equals, odrPrinted, odrLoad, odrLinearForm)},
		{"seed000-theorem-2-linear", of000("Theorem 2"), "The linear placement under ODR has linear load: E_max is at most k^(d-1).", checkLoads("odr", false, atMost, odrPairs, odrLoad, odrLinearForm)},
		{"seed000-theorem-2-middle", of000("Theorem 2, closed form, for the dimensions between the first and the last"), "There the largest load is the printed closed form.", checkODRMiddle},
		{"seed000-theorem-2-ring", of000("Theorem 2, proof"), "On a ring k^2/8 + k/4 (k even) or (k^2-1)/8 (k odd) ordered pairs use a + link.", checkRingPairs},
		{"seed000-section-6-leading", of000("section 6.1, end"), "For linear placements with ODR E_max is k^(d-1)/8 plus lower order terms.", checkODRLeading},
		{"seed000-theorem-3", of000("Theorem 3"), "Multiple linear placements under ODR have linear load: at most t^2 k^(d-1).", multiple},
		{"seed000-section-7-paths", of000("section 7"), "UDR gives s! paths to a pair that differs in s dimensions.", checkPathsUDR},
		{"seed000-section-7-strict", of000("section 7.1"), "Under UDR the load of every link is less than the number of paths through it.", checkStrict},
		{"seed000-theorem-4", of000("Theorem 4"), "The linear placement under UDR has linear load: E_max is less than 2^(d-1) k^(d-1).", checkLoads("udr", false, below, pairsBound, udrLoad, udrForm)},
		{"seed000-theorem-4-paths", of000("Theorem 4, proof, last inequality"), "The paths through a link, the sum of |C| over the pairs, number less than 2^(d-1) k^(d-1).", checkPathSum},
		{"seed000-theorem-5", of000("Theorem 5"), "Multiple linear placements under UDR have linear load: less than t^2 2^(d-1) k^(d-1).", checkLoads("udr", true, below, pairsBound, udrLoad, udrForm)},
	}
}

// seed000Appendix are the claims of the appendix.
func seed000Appendix() []Claim {
	return []Claim{
		{"seed000-appendix-edges", of000("appendix"), "The torus has dk^(d-1) more edges than the array.", checkWrapLinks},
		{"seed000-appendix-direction", of000("appendix"), "For g between 1 and the d-th root of 2: 1 < g < .. < g^(d-1) < 2.", checkDirection},
		{"seed000-appendix-range", of000("appendix"), "For t from 0 to k-1 the hyperplane sweeps the array from (0, .., 0) to (k-1, .., k-1).", checkSweepRange},
		{"seed000-appendix-example", of000("appendix"), "The set {000, 002, 100, 102} has discrepancy 2.", checkDiscrepancyExample},
		{"seed000-appendix-discrepancy", of000("appendix"), "At most 2k^(d-1) nodes of the array have no three that differ in one coordinate only.", checkDiscrepancy},
		{"seed000-appendix-crossing", of000("appendix"), "The hyperplane crosses at most 2dk^(d-1) edges of the array, as S_d has at most 2k^(d-1) nodes.", checkHyperplane},
	}
}
