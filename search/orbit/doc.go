// Package orbit looks for placements with a prescribed symmetry: unions of orbits of a subgroup of the group that
// preserves E_max (Kramer and Mesner's method for designs). Orbits take the place of nodes: choosing some of them whose
// sizes sum to n fixes the placement.
//
// There are two methods. Method goes through cyclic groups, largest first. Lattice goes through translation groups,
// those with the fewest orbits in a union first; they contain linear, multiple linear and spaced placements with any
// coefficients, and whatever else repeats along a sublattice. What two orbits send each other is tabled on every link,
// exactly; links that carry the same under every choice are one. The orbits of a translation group are the cosets of a
// sublattice and form a group themselves, so what two of them send each other depends on their difference only, up to
// translation: these tables are smaller by the number of cosets, so Lattice takes on much larger tori.
//
// Where the unions are few all are tried, up to symmetry; where they are many, orbits are exchanged.
//
// On networks with open dimensions translations move along closed ones only, and Lattice tables what each place in the
// open dimensions sends. An orbit with a fixed node is in every union, one with a forbidden node in none, and only what
// keeps these nodes counts as a symmetry of unions.
//
// Best proves "best among the placements with this symmetry" and no more: better placements without it may exist.
package orbit
