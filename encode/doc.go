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
// Loads only grow with processors, so what a link carries is only bounded from
// above. For messages between processors there are two ways to write that, and mostly the
// one with fewer clauses is taken (see Model.Formula), which depends on nothing but the
// problem, the limit and the options:
//
//   - pairs: a variable that must hold with both nodes of a pair, and for every
//     link one "at most" constraint over the pairs that use it (pairRules);
//
//   - counts: on tori of two dimensions, where the loads of a line are linear in it
//     once the processors at each place are counted (lineRules).
//
// Under client traffic loads are linear in the nodes themselves: one "at most" constraint
// over these for every link (nodeRules).
//
//	model, err := encode.NewModel(ctx, problem, encode.Options{BreakSymmetry: true})
//	formula, err := model.Formula(ctx, big.NewRat(7, 2))
//	err = formula.Write(sink)              // to a solver, or to a file
//	placement, err := model.Decode(value)  // value(v): what the solver gave variable v
//
// Formula.Lines says where a formula over counts speaks of which line, for solvers that go line by line.
//
// encode/cnf holds the clause sink, encode/card the constraints, encode/symbreak
// the symmetry breaking.
package encode
