// Package refute is a solver for formulas in clauses that proves what it says without any other program: a formula that
// cannot be satisfied comes with a proof in LRAT, one that can with a model.
//
// It learns clauses from conflicts (CDCL). Each learnt clause is kept with its hints, the clauses that it follows from
// in the order of unit propagation, so a proof needs no search after the fact; only the clauses that the empty clause
// rests on are written, each deleted after the last that names it. No step introduces a variable or assumes a symmetry:
// every clause follows from the formula. The outcome depends on the formula alone.
//
//	err := refute.Refute(ctx, formula, lrat.NewWriter(file, formula.Clauses()))
//
// Files: clauses.go holds clauses, solver.go propagates and decides, learn.go analyses conflicts, forget.go drops
// learnt clauses, order.go picks variables, proof.go keeps and writes the proof.
package refute
