// Package dimacs writes formulas as DIMACS text for outside solvers and reads
// their answers back, in the notation of the SAT and pseudo-Boolean
// competitions.
//
// A file starts with comments. One line per node, "leeway var ID node c0,c1",
// says which variable stands for it; the words are the same in every format,
// behind its own comment mark.
//
//	limit := dimacs.Limit(problem.Routing, below)
//	formula, err := model.Formula(limit)
//	err = dimacs.Write(file, dimacs.Names(problem.Torus(), ""), formula)
//	answer, err := dimacs.ReadAnswer(output, formula.Vars(), "")
package dimacs
