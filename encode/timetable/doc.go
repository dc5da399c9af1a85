// Package timetable writes the question "is there a complete exchange by store and
// forward in T steps" as a formula in clauses, for solvers and for checkers of
// their proofs.
//
// Blocks for one receiver are alike: which of them goes first decides nothing.
// So the formula has no blocks. For every receiver it has a variable for each send
// of a step, and at each node a number, in unary, of the blocks for that receiver
// that wait there. A block that has come to its receiver stays. A step is T-1 at
// the latest; a node has no more blocks for a receiver than can still come there.
//
//	formula, err := timetable.New(timetable.Question{Neighbours: ring, Steps: 9})
//	err = formula.Write(sink)             // to a solver, or to a file
//	moves, err := formula.Decode(value)   // value(v): what the solver gave variable v
package timetable
