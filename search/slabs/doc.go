// Package slabs walks the trees margin and levels of docs/proofs.md: exact search for odr, udr and orders with either
// tie rule, slab counts first. Margin is for networks of two dimensions, levels for those of more, and for minimal on
// tori of two.
//
// A slab are the nodes of one coordinate. A message that corrects dimension s first stays on its sender's line along s,
// one that corrects it last on its receiver's. So how many processors each slab across s holds decides a good part of
// the load of every link along s: in two dimensions the load on a line is linear in its content, with coefficients that
// depend on these counts only (docs/margin-bound.md); in three it is all of it for the first and the last dimension
// under odr, two thirds of what the slabs exchange under udr. Under minimal a part of every message stays there, the
// smaller the farther it goes across. The question "is there a placement of n processors with
// E_max at most L" then falls into two steps, the first of which is the same for both trees:
//
//   - ring.go, counts.go and lines.go list, for each dimension, the slab counts whose boundaries carry no more than
//     all their links may and whose lines hold enough, one of every rotation class where the dimension is a ring;
//   - the counts of all dimensions are joined to classes, one of every orbit under the points (symmetries but for
//     translations), and each class is filled with placements. Margin finds the counts that go together by the sizes
//     of the lines they leave room for (pairs.go) and fills row by row (rows.go); levels lists classes (classes.go)
//     and fills node by node (nodes.go, loads.go), as search/orderly does, with the loads that the counts bring about
//     known from the start.
//
// Often no counts are left at all, and most of them go with none of another dimension, so nearly all the time is spent
// on the first step: loads are packed (objective/lanes), and margins are sorted into groups of the same kind, and
// groups compared, never margins one by one.
package slabs
