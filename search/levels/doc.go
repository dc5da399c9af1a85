// Package levels walks the tree levels of docs/proofs.md: exact search on tori of
// three and more dimensions, for odr, udr and orders with either tie rule.
//
// A message that corrects dimension s first stays on its sender's line along s, one
// that corrects it last on its receiver's. So how many processors each slab across s
// holds decides a good part of the load of every link along s: all of it for the first and
// the last dimension under odr, two thirds of what the slabs exchange in three
// dimensions under udr. The question "is there a placement of n processors with
// E_max at most L" then falls into levels:
//
//   - ring.go and counts.go list, for each dimension, the slab counts whose
//     boundaries carry no more than all their links may and whose lines hold enough;
//   - classes.go joins those of all dimensions, one of every orbit;
//   - loads.go, walker.go and smallest.go fill a class node by node, as search/orderly
//     does, but with the loads that the slab counts bring about known from the start.
//
// Often no slab counts are left at all, and most classes end within a few nodes.
package levels
