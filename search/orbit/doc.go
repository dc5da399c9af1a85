// Package orbit looks for placements with a prescribed symmetry: unions of orbits
// of a subgroup of the group that preserves E_max (Kramer and Mesner's method for
// designs).
//
// Orbits take the place of nodes: choosing some of them whose sizes sum to n fixes
// the placement. What two orbits send each other is tabled on every link, exactly;
// links that carry the same under every choice, as the links of one orbit do,
// become one row. So tables and search shrink by the order of the subgroup.
//
// Best proves "best among the placements with this symmetry" and no more: better
// placements without it may exist. The method goes through many subgroups, largest
// first, and searches for good placements on tori that are too large for a proof.
package orbit
