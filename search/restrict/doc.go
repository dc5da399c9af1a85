// Package restrict looks for the best routing restriction of a placement: which of the paths that correct one dimension
// after the other (every order, both ways around a tie) each pair of processors may use, one of them taken uniformly,
// so that the most loaded link carries as little as possible. Under client traffic the pairs are those of a client and
// a processor, either way, and one table routes requests and replies.
//
// The paths may be chosen by displacement, where no dimension is open, or by ordered pair, one path a pair
// (deterministic routing) or at least some number of them (fault tolerance).
//
// # Coarsenings
//
// Choices are tied together by symmetry: pairs that an automorphism of the torus takes to each other, and that keeps
// the placement, make the corresponding choice. Then loads are equal on whole classes of links, and a linear placement
// is left with a handful of choices and links. A coarsening says how much is tied; the search goes from the coarsest to
// single pairs, each from the best of those before.
//
// # Local search
//
// Loads are whole numbers over a common denominator. A chain of changes picks a class of links above the limit, one
// item that crosses it, and the best of its changes: add a path, take one away, or exchange two. The best is taken if
// the sum of what loads are above the limit does not grow, and now and then if it does.
package restrict
