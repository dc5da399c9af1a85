// Package joint looks for a placement and a routing restriction together: a table of paths that correct one dimension
// after the other, around a tie either way, as package restrict chooses them for one placement.
//
// # Chains
//
// A state is a placement with a set of paths for every ordered pair of processors. A move takes one processor
// elsewhere, chooses paths for its pairs where loads are low, and then lets every pair that crosses a link above the
// limit choose again: what a free routing could do after the move, about. Many chains are tied by the translations of a
// lattice, which leaves few pairs to choose for and finds the regular placements that are often the best.
//
// # Rounds
//
// A pool keeps good placements, no two in one orbit, each with its table. In an round four streams of chains run, from
// new states or from the pool; then package restrict looks for better tables of some of the pool: in turns quickly,
// from the table that is there, and in full, with its linear programs. A placement whose bound of linear programming is
// not below the best is not looked at again. At the beginning of every turn other methods may look for placements under
// all paths; the first two rounds of a run look at tables of these alone, so that what two searches one after the other
// find is a part of this one.
//
// Work is counted in choices weighed, by chains and by restrict alike. Under a budget of these nothing depends on the
// workers or the clock. The pool goes from turn to turn in the state of the method.
package joint
