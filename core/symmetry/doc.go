// Package symmetry knows which automorphisms of a torus preserve the maximum
// load under a routing, and reduces placements by them.
//
// The groups are exactly those of docs/conventions.md: all translations, and
// the permutations of equal sides and reflections that the routing allows. A
// wrong symmetry loses optima silently, so a group is verified on the loads of
// pairs before it is handed out.
package symmetry
