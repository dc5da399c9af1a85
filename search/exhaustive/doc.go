// Package exhaustive finds the best placement on a small torus by looking at all
// of them, for any routing.
//
// Translations preserve E_max under every routing and take some processor of
// any placement to node 0. So only placements with node 0 are looked at; there
// are C(N-1, n-1).
package exhaustive
