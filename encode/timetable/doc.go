// Package timetable writes the question "is there a complete exchange by store and
// forward in T steps" as a formula in clauses, for solvers and for checkers of
// their proofs.
//
// Blocks for one receiver are alike: which of them goes first decides nothing.
// So the formula has no blocks. For every receiver it has a variable for each send
// of a step, and at each node a number, in unary, of the blocks for that receiver
// that wait there. A block that has come to its receiver stays. What only counting
// shows is written besides (counting.go): solvers are bad at it.
//
//	formula, err := timetable.New(timetable.Question{Neighbours: ring, Steps: 9})
//	err = formula.Write(sink)             // to a solver, or to a file
//	moves, err := formula.Decode(value)   // value(v): what the solver gave variable v
package timetable
