// Package family builds the named families of placements and reads their text
// form.
//
// A residue-class placement is {p : c.p mod m in R} with coefficients c, a
// modulus m and residues R. With m the common side k, the papers' linear
// placement has R = {r} (seed 000, Definition 10; all coefficients 1 is the
// shifted diagonal of seed 001), their multiple linear placement R =
// {0,...,t-1}; spaced multiple linear takes t residues spread evenly.
package family
