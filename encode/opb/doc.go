// Package opb writes the question "is there a placement of n processors with
// E_max below a value?" as linear constraints over 0/1 variables: the
// pseudo-Boolean form, and its text in the OPB format.
//
// Variable v+1 says that node v carries a processor. Every unordered pair p < q
// has a variable y that is their product:
//
//	x_1 + ... + x_N = n
//	y - x_p - x_q >= -1,  x_p - y >= 0,  x_q - y >= 0
//	sum over the pairs of (what they put on the link) y <= limit    for every link
//
// Loads are in units of 1/D, D being the denominator of the routing. The
// strengthening adds, for every node, that the products with it number n-1 if it
// carries a processor and 0 if not: sum over q of y_pq = (n-1) x_p. It follows
// from the rest, but not for real numbers, and makes cutting planes strong.
//
// Rows are computed pair by pair from the flows of the routing and share nothing
// with the clauses of package encode but those of the symmetry breaking.
package opb
