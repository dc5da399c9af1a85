// Package local is a tabu search by swaps of one processor, aimed below the best value seen.
//
// A chain has a limit at a random depth below the best load and minimises the overload, the sum over links of what each
// carries above the limit. A placement without overload becomes the best, and the limit drops. That turns a landscape
// of plateaus, on which few placements differ in E_max, into one with a slope.
//
// A step looks first at removing each processor alone and keeps the few whose removal leaves the least overload; then
// it tries each of these on every free node and makes the best swap, be it worse than nothing. For some steps a node
// that was left may not be taken again, nor one taken be left, unless the swap beats all under the present limit. So a
// step costs n + 3(N-n) evaluations where the full neighbourhood has n(N-n).
//
// Chains run in rounds. A chain starts from a uniformly random placement; only the first chains of the first round
// start from the placements given, if any. No family and no symmetry is put in. Chains are numbered, each has its own
// generator, and chains of a round know the best value of the rounds before, so the result depends on the seed and the
// evaluations only.
//
// Overloads need the load of every link after a swap. Where the vectors for that do not fit (tori beyond some hundred
// nodes) or loads depend on more than the displacements of pairs (avoid, tables by pair), E_max with the number of
// links that have it is minimised instead, by fast.Incremental.
//
// Rejected after measurement:
//
//   - annealing and late acceptance on the same overload, from random swaps: 8x8
//     n=16 takes them 0.1 s and more where this takes 0.01, 7x7 n=14 likewise, and
//     on 4^4 n=64 both stay at 13 after the 4 million evaluations in which tabu
//     came to 10; neither won anywhere;
//   - tabu over the whole neighbourhood: as good up to 64 nodes, but on 4^4 n=64
//     it stays above 16 where this comes to 10;
//   - the square of the overload: aimed just below the best it stayed at 5 on 8x8
//     n=16, aimed deeper it reaches 4, no sooner than the plain sum;
//   - starts from random orbits of a translation: no target needed them.
package local
