// Package margin walks the tree margin of docs/proofs.md: exact search on
// two-dimensional tori, for odr, udr and orders with either tie rule.
//
// The columns of a torus are the nodes of equal coordinate 1, its rows those of
// equal coordinate 0; a margin is the list of the counts of processors in them.
// The load on the links of a row is linear in the row's content, with
// coefficients that depend on the column counts only, and the other way round
// (docs/margin-bound.md). So the question "is there a placement of n processors
// with E_max at most L" falls into three steps:
//
//   - counts.go and listing.go list the margins whose boundaries carry no more
//     than all their links may, one of every rotation class;
//   - lines.go lists, for a margin, the contents that a crossing line may have:
//     the sizes of these decide which margins of the two dimensions go together;
//   - walker.go and fill.go fill the matrix of a pair of margins (a class) row by
//     row, with contents that the column counts allow and so that every column can
//     still be completed to one that the row counts allow.
//
// Most margins go with none of the other dimension, so nearly all the time is spent
// on the first two steps. Loads of all links are packed into words (objective/lanes),
// margins are sorted into groups of the same kind (side.go), and groups are
// compared, never margins one by one.
package margin
