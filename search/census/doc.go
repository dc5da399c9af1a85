// Package census holds what exact engines share that prove by walking: the plan
// of one question "is there a placement with E_max below a value", its slices,
// slices walked by many workers, and going on from slices done before.
//
// The trees that engines walk are defined in docs/proofs.md: how many nodes a
// slice has depends on the question only, never on incumbents, workers or order.
// A checker that shares no code with the engines walks the same trees.
package census
