// Package refute is a solver for formulas in clauses that proves what it says without any other program: a formula that
// cannot be satisfied comes with a proof in LRAT, one that can with a model.
//
// It learns clauses from conflicts (CDCL). Each learnt clause is kept with its hints, the clauses that it follows from
// in the order of unit propagation, so a proof needs no search after the fact; only the clauses that the empty clause
// rests on are written, each deleted after the last that names it. No step introduces a variable or assumes a symmetry:
// every clause follows from the formula. The outcome depends on the formula alone.
//
// A formula over the counts of slabs is refuted in three steps, each by solvers that know fewer clauses than the next
// and so meet conflicts many times as fast: first how many processors a line can have, given what it meets, which is
// shown for the first line along a dimension and renamed for the others; then whether the sizes of all lines and the
// loads along one dimension contradict each other; last, all clauses.
//
//	err := refute.Refute(ctx, formula, lrat.NewWriter(file, formula.Clauses()))
//
// Files: lines.go has the steps, clauses.go holds clauses, solver.go propagates and decides, learn.go analyses
// conflicts, forget.go drops learnt clauses, order.go picks variables, proof.go keeps and writes the proof.
package refute
