// Package encode writes the question "is there a placement of n processors with
// no link load above a limit?" as a formula in clauses, for solvers and for
// checkers of their proofs.
//
// It treats every routing whose paths do not depend on the placement. Variable
// v+1 says that node v carries a processor; further variables say that both
// nodes of a pair do, and count. What two nodes send each other in both
// directions is one number for every link, so unordered pairs suffice. Loads
// are integers in units of 1/D, D being the denominator of the routing.
//
// Loads only grow with processors and pairs. So a pair variable is only forced
// to hold, never to fail, and every link gets one "at most" constraint over the
// pairs that use it:
//
//	model, err := encode.NewModel(problem, encode.Options{BreakSymmetry: true})
//	formula, err := model.Formula(big.NewRat(7, 2))
//	err = formula.Write(sink)              // to a solver, or to a file
//	placement, err := model.Decode(value)  // value(v): what the solver gave variable v
//
// encode/cnf holds the clause sink, encode/card the constraints, encode/symbreak
// the symmetry breaking.
package encode
