// Package lattice looks among the unions of a few cosets of a sublattice of the
// torus. It contains linear, multiple linear and spaced placements with any
// coefficients, and whatever else repeats along a sublattice.
//
// The sublattices come by their Hermite normal forms (core/family), one of each
// set that symmetries map to each other; the fewer cosets the size needs of one,
// the earlier its turn. A union repeats along its lattice and so do its loads: on
// one node of each coset they say all, and are sums over pairs of cosets. Where the
// unions are few all are tried, up to symmetry, and given up as soon as a part of
// one is no better than the best so far; where they are many, cosets are
// exchanged.
package lattice
