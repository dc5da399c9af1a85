// Package genetic is a memetic search on eaopt: islands of placements that are
// crossed over, mutated, and improved by short tabu chains of package local.
//
// The run is cut into rounds. In an round every island is one short eaopt run of its own, with a generator seeded by
// (seed, round, island) and its part of the evaluations; between rounds the best of each island moves to the next in a
// ring. Islands work in parallel and meet only at the borders, so the result depends on the seed and the evaluations,
// not on the number of workers.
//
// Half of the first population is periodic. A child takes a band of slabs from one parent and the rest from the other,
// moved by a random symmetry of the problem; or it is one parent with a ring turned, two slabs exchanged, a slab turned
// along itself or reflected, or a few processors scattered. Placements of one orbit, told by canonical forms where
// these are cheap, count as the same, and only one stays.
//
// This is the only package that imports eaopt v0.4.2, and it works around its defects: crossover there leaves a mate
// with a stale fitness (ours builds a new genome and never touches the mate), tournaments return wrong indexes, which
// nothing here uses, and the generational model loses the best.
//
// Three models were compared by evaluations to a known value (median over nine seeds, no starts, chains that end after
// 2 idle steps): the model here, ModDownToSize with half a population of children, and ModGenerational, the latter two
// with the best put back and doubles replaced.
//
//	                        own   ModDownToSize   ModGenerational
//	7x7 n=14 udr both     14542           27769             15605
//	8x8 n=16 udr both     18621           22434             28484
//	8x8 n=24 udr both     59831          208566             98804
//	10x10 n=20 odr       121248           95318             81624
//	10x10 n=20 udr both   68381          109548             92981
//	10x10 n=30 udr both  132407          186794            169440
//
// With the usual chains (40 idle steps) the first population reaches the first, second, fourth and fifth of these
// values, in 6818, 8718, 21482 and 23272 evaluations, whatever the model.
package genetic
