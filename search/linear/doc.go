// Package linear proves that no placement has E_max below a value, by linear reasoning over the rows of encode/opb:
// every step is a sum of rows, divided and rounded, or follows by unit propagation. No symmetry is assumed, so whoever
// believes the rows and a checker of such proofs need believe nothing else.
//
// The tree is that of the engines of search/slabs: numbers of processors in slabs first. Their variables, "slab x of
// dimension s has at least c", are defined in the proof. What makes it short is a sum for each node p, slab S and count
// c, of the rows y_pq >= x_p + x_q - 1 over q in S, saturated:
//
//	if p has a processor and S has at least c, then sum over q in S of y_pq >= c          (meets)
//
// and the sum of these over the p of another slab T of at least c':
//
//	if S has at least c and T at least c', then sum over p in T, q in S of y_pq >= c c'   (product)
//
// So counts that let the links between two slabs carry too much are refuted by one sum of the rows of these links and
// some products, and the row of one link, with what each node of its line meets, says which nodes of a line can have
// processors together. From that follow the largest number in a line, and so numbers in the slabs of other dimensions.
// What counts leave open is decided node by node, with learned clauses. See docs/proofs.md.
package linear
