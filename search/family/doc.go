// Package family looks among residue-class placements: the papers' linear,
// multiple linear and spaced placements first, then all coefficients and all
// moduli that divide the torus evenly, with residues in a row or spread evenly.
// It is quick, has no randomness, and is a good start for every other method.
package family
