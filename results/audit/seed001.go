package audit

import (
	"fmt"
	"slices"
)

// seed001 lists the claims of M. Blaum, J. Bruck, G. D. Pifarre and J. L. C. Sanz, "On
// Optimal Placements of Processors in Fault-Tolerant Tori Networks".
func seed001() []Claim {
	return slices.Concat(seed001Plane(), seed001Space(), seed001Sums())
}

// of001 names a place in the paper.
func of001(place string) string { return "Blaum, Bruck, Pifarre and Sanz, " + place }

// seed001Plane are the claims of sections 1 and 2.
func seed001Plane() []Claim {
	return []Claim{
		{"seed001-section-1-width", of001("section 1"), "The torus has bisection width 4k^(d-1).", checkFullWidth(false)},
		{"seed001-section-1-load", of001("section 1"), "On the full torus some link has load at least k^(d+1)/8.", checkFullLoad(false, atLeast, "; seed 000 restricts the statement to even k")},
		{"seed001-section-1-multistage", of001("section 1"), "A multistage network of k x k switches with n injection points has n log_k(n) routing nodes and bisection bandwidth 2n.",
			untested("not about tori; that many switches of k x k would be (n/k) log_k(n), so routing nodes must mean their inputs")},
		{"seed001-definition-2.1", of001("Definition 2.1"), "The torus has k^d nodes, each linked with 2d neighbours.", checkNodesAndNeighbours},
		{"seed001-definition-2.2", of001("Definition 2.2"), "A placement is a set of nodes.", untested(definition)},
		{"seed001-definition-2.3", of001("Definition 2.3"), "A routing algorithm gives every pair a set of shortest paths, taken uniformly.", untested(definition)},
		{"seed001-definition-2.4", of001("Definition 2.4"), "The load of a link, and the largest one, C(N,P).", untested(definition)},
		{"seed001-section-2.1", of001("section 2.1"), "Placements are given that achieve C >= |P|/4 for d = 2 and C >= |P|/6 for d = 3.", checkFraction},
		{"seed001-lemma-2.1", of001("Lemma 2.1"), "C(N,P) is at least (|P|-1)/(2d).", checkDegree},
		{"seed001-section-2.2", of001("section 2.2, end"), "An optimal placement, one that meets Lemma 2.1, has at most k^(d-1) processors: with one more some link has a higher load.", checkMostProcessors},
		{"seed001-figure-1", of001("Figure 1"), "The diagonal of 5x5 is an optimal placement.", checkFigure1},
		{"seed001-figure-2", of001("Figure 2"), "The paths between (3,3) and (0,0) and between (2,2) and (1,1) on 5x5.", checkFigure2},
		{"seed001-algorithm-2.1", of001("Algorithm 2.1"), "On the diagonal there are two paths to every pair for odd k, and more to some for even k.", checkDiagonalPaths},
		{"seed001-lemma-2.2", of001("Lemma 2.2"), "A link at distance s from the processor on its ring has load (k-1)/4 - s/2.", checkLinkLoads(2, diagonal, "udr:tie=both", planeLoad)},
		{"seed001-corollary-2.1", of001("Corollary 2.1"), "The diagonal with Algorithm 2.1 has E_max = (k-1)/4, the value of Lemma 2.1.",
			checkDegreeMet(2, diagonal, "udr:tie=both", "with ties the + way alone it is floor(k/2)/2; on sides of 2, where a node has d neighbours, (|P|-1)/d")},
	}
}

// seed001Space are the claims of section 3.
func seed001Space() []Claim {
	return []Claim{
		{"seed001-section-3-extension", of001("section 3"), "In three dimensions the extension of Algorithm 2.1 does not give an optimal load.", checkExtension},
		{"seed001-section-3-six", of001("section 3"), "Between two processors that are not in one plane six minimal paths can be used.", checkSix},
		{"seed001-section-3-processors", of001("section 3"), "Of 5x5x5 (0,0,0), (2,1,1), (2,1,2), (3,3,4) and (4,4,2) are processors.", checkNamedProcessors},
		{"seed001-definition-3.1", of001("Definition 3.1"), "The shifted diagonal {a_0 + a_1 + a_2 = 0 mod k}; it has k^2 processors.", checkShiftedSize},
		{"seed001-example-3.1", of001("Example 3.1 and Figure 3"), "The shifted diagonal of 5x5x5 is an optimal placement.", checkFigure3},
		{"seed001-algorithm-3.1", of001("Algorithm 3.1 and Figure 4"), "Six paths lead from (0,0,0) to (2,1,2) and four from (3,3,4) to (4,4,2); the two orders with dimension 0 in the middle pass a processor.", checkFigure4},
		{"seed001-algorithm-3.1-differ", of001("Algorithm 3.1"), "Two processors of the shifted diagonal differ in two or three coordinates.", checkDiffer},
		{"seed001-theorem-3.1", of001("Theorem 3.1"), "A message routed by Algorithm 3.1 never passes another processor.", checkNeverPasses},
		{"seed001-theorem-3.2", of001("Theorem 3.2"), "A link at distance s from the processor on its ring has load (k^2-1)/6 - s(s+1)/2.", checkLinkLoads(3, "linear", "avoid", spaceLoad)},
	}
}

// seed001Sums are the steps of the proof of Theorem 3.2 and its consequence.
func seed001Sums() []Claim {
	var list []Claim
	for i, sum := range proofSums() {
		list = append(list, Claim{fmt.Sprintf("seed001-theorem-3.2-sum-%d", i+1), of001(fmt.Sprintf("Theorem 3.2, proof, S_%d", i+1)),
			"The sum over the printed range has the printed value.", checkProofSum(sum)})
	}
	return append(list,
		Claim{"seed001-theorem-3.2-total", of001("Theorem 3.2, proof, end"), "The ten sums add up to the load of the theorem.", checkAllSums},
		Claim{"seed001-theorem-3.2-optimal", of001("Theorem 3.2, end of section 3"), "With s = 0 the load is (k^2-1)/6, so that Algorithm 3.1 is optimal.",
			checkDegreeMet(3, "linear", "avoid", "equal to (|P|-1)/6, which bounds every minimal routing; on sides of 2, where a node has d neighbours, it is (|P|-1)/d")})
}
