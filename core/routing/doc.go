// Package routing says which shortest paths a pair of processors uses.
//
// A routing gives, for every ordered pair p != q, a non-empty set of shortest
// paths of which one is taken uniformly at random (seed 000, Definition 3). It
// does so twice: Paths lists them, straight from the definition; Flow gives the
// exact share of every link without listing. The conformance suite in
// core/coretest holds one against the other.
//
// A dimension whose cyclic distance is exactly half an even side above 2 is a
// tie. With TiePlus the path goes the + way, with TieBoth both ways count as
// separate paths.
package routing
