package audit

// seed002 lists the claims of M. C. Azizoglu and O. Egecioglu, "Lower Bounds on
// Communication Loads and Optimal Placements in Torus Networks", IPPS/SPDP 1998, the
// conference version of seed 000. What both say is checked by the same program.
func seed002() []Claim {
	return append(seed002Bounds(), seed002Routing()...)
}

// of002 names a place in the paper.
func of002(place string) string { return "Azizoglu and Egecioglu 1998, " + place }

// seed002Bounds are the claims of sections 1 to 4.
func seed002Bounds() []Claim {
	return []Claim{
		{"seed002-abstract", of002("abstract"), "The new lower bound is tighter than (|P|-1)/(2d) for 4 or more dimensions.",
			checkTighter(4, "on four axes k^(d-1)/8 is above for even k only; for odd k two cuts cannot halve. On 3^4 no bound at all is above 13/4, as some minimal routing has it (explain shows it)")},
		{"seed002-section-1-load", of002("section 1"), "On the full torus with even k some link has a load above k^(d+1)/8.", checkFullLoad(true, above, ". The sign may be a damaged >=, which seed 000 prints and which holds")},
		{"seed002-definition-1", of002("Definition 1"), "The torus has k^d nodes, each with 2d neighbours.", checkNodesAndNeighbours},
		{"seed002-definition-2", of002("Definition 2"), "A placement is a set of nodes.", untested(definition)},
		{"seed002-definition-3", of002("Definition 3"), "A routing algorithm.", untested(definition)},
		{"seed002-definition-4", of002("Definition 4"), "The load of a link.", untested(definition)},
		{"seed002-definition-5", of002("Definition 5"), "E_max is the largest load.", untested(definition)},
		{"seed002-definition-6", of002("Definition 6"), "Cyclic distance and Lee distance.", checkLee},
		{"seed002-definition-7", of002("Definition 7"), "The bisection width of a graph.", untested(definition)},
		{"seed002-definition-8", of002("Definition 8"), "The bisection width with respect to a placement.", untested(definition)},
		{"seed002-definition-9", of002("Definition 9 and after"), "The alpha-separator width; for alpha = 1/2 it is the bisection width.", checkHalfSeparator},
		{"seed002-lemma-1", of002("Lemma 1"), "E_max is at least 2|S|(|P|-|S|)/|dS| for every part S of P.", checkSeparator},
		{"seed002-inequality-5", of002("inequality 5"), "E_max is at least 2(|P|/2)^2 over the bisection width with respect to P.", checkBisectionBound},
		{"seed002-theorem-1", of002("Theorem 1"), "Any subgraph has bisection width O(k^(d-1)).", checkAnyWidth},
		{"seed002-corollary-1", of002("Corollary 1"), "The bisection width with respect to any placement is at most 6dk^(d-1).", checkAnyWidth},
		{"seed002-section-3.1", of002("section 3.1"), "If E_max = c|P| then |P| is at most 12dc k^(d-1).", checkSize},
		{"seed002-theorem-2", of002("Theorem 2"), "Any placement of size Theta(k^(d-1)) has an alpha-separator of O(k^(d-1)) links with constants independent of d.", checkSeparatorShare},
		{"seed002-section-4", of002("section 4"), "E_max is at least 2 alpha (1-alpha) |P|^2 over the links of an alpha-separator.", checkSeparatorBound},
	}
}

// seed002Routing are the claims of sections 5 to 7.
func seed002Routing() []Claim {
	return []Claim{
		{"seed002-definition-10", of002("Definition 10 and after"), "A linear placement has k^(d-1) processors.", checkLinearSize},
		{"seed002-section-5-odr", of002("section 5"), "The analysis of ODR applies to all linear placements whose first and last coefficients are relatively prime to k: E_max is at most k^(d-1).", checkGeneralODR},
		{"seed002-section-5-udr", of002("section 5"), "The analysis of UDR applies to them too: E_max is less than 2^(d-1) k^(d-1) if the first and last coefficients are relatively prime to k.", checkGeneralUDR},
		{"seed002-section-5-multiple", of002("section 5"), "Multiple linear placements have tk^(d-1) processors, t < k.", checkMultipleSize},
		{"seed002-section-6-paths", of002("section 6"), "ODR gives one path for odd k, for even k several to some pairs; correcting ties the + way leaves one.", checkPathsODR},
		{"seed002-theorem-3", of002("Theorem 3, closed form"), "The linear placement under ODR has E_max = k^(d-1)/8 + o(k^(d-1)).", checkODRLeading},
		{"seed002-theorem-3-linear", of002("Theorem 3"), "The linear placement under ODR has linear load.", checkLoads("odr", false, atMost, odrPairs, odrLoad, odrLinearForm)},
		{"seed002-theorem-4", of002("Theorem 4"), "Multiple linear placements under ODR have E_max at most t^2 k^(d-1).", checkLoads("odr", true, atMost, odrPairs, odrLoad, odrMultipleForm)},
		{"seed002-section-7-paths", of002("section 7"), "UDR gives s! paths to a pair that differs in s dimensions.", checkPathsUDR},
		{"seed002-theorem-5", of002("Theorem 5"), "The linear placement under UDR has E_max at most 2^(d-1) k^(d-1).", checkLoads("udr", false, atMost, pairsBound, udrLoad, udrForm)},
		{"seed002-theorem-6", of002("Theorem 6"), "Multiple linear placements under UDR have linear load: at most t^2 2^(d-1) k^(d-1).", checkLoads("udr", true, atMost, pairsBound, udrLoad, udrForm)},
	}
}
