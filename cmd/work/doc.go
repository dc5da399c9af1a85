// Package work is the application: what is bounded, tried, confirmed, proved, recorded, kept
// and resumed, without flags and terminal.
//
// A Task is a problem with the way to work on it: the methods of a search or the engine of a
// proof, seed and budget. A plan lists tasks, a store knows them as runs, a command line is
// one or some. A Session works on tasks, one after the other, and has what they share: the
// store, proofs about other sizes, the head of a cluster, an observer.
//
//	task.go, methods.go    tasks; the tables of methods and engines
//	session.go             tasks in turn, in a store: passed over, resumed, kept, ended
//	solve.go               one task: bounds, methods, record
//	attempts.go            a proof in attempts, and why it came to no end
//	lower.go, known.go     what holds for all placements: bounds, and proofs of other sizes
//	record.go              the record of what was found
//	below.go, optima.go, symmetric.go  other questions: one value, all optima, one symmetry
//	fill.go                a cell of an atlas: proof, search, proof
//	documents.go           answers without a record: loads, bounds, faults, bisections, restrictions
//	names.go               names of files
//	log.go                 where to start from: slices walked before
//	form.go                the pattern that a placement follows
package work
