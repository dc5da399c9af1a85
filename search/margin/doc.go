// Package margin finds optimal placements on two-dimensional tori by margins
// first: exact search for odr, udr and orders with either tie rule.
//
// The columns of a torus are the nodes of equal coordinate 1, its rows those of
// equal coordinate 0; a margin is the list of the counts of processors in them.
// The load on the links of a row is linear in the row's content, with
// coefficients that depend on the column counts only, and the other way round
// (docs/margin-bound.md). So the question "is there a placement of n processors
// with E_max at most L" falls into three steps:
//
//   - counts.go lists the margins whose boundaries carry no more than all their
//     links may, one of every rotation class;
//   - lines.go lists, for a margin, the contents that a crossing line may have;
//   - fill.go fills the matrix of a pair of margins (a class) row by row, with
//     contents that the column counts allow and so that every column can still
//     be completed to one that the row counts allow.
//
// Decide answers for one limit, cut into slices that may be counted one by one;
// Method raises the limit from the degree bound until a placement is found.
package margin
