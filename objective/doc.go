// Package objective says what a placement is worth: the exact load that a
// routing puts on every link, and the questions asked about it.
//
// The load of a link is the sum over ordered pairs p != q of processors of the
// share of the paths from p to q that use it (seed 000, Definition 4); E_max is
// the largest load. Loads are integers over a common denominator and never
// rounded.
//
// There are three ways to the same numbers. Naive lists paths and is what
// everything else is tested against. Evaluate picks the cheapest exact way.
// Incremental keeps the loads while processors move, for searches.
package objective
