// Package fewest looks for complete exchanges by store and forward in fewer steps
// than are known, one less at a time, by asking a SAT solver, until there is none or a
// lower bound is reached. encode/timetable writes the questions. That there is none is the
// word of the solver, unless it leaves a proof for a checker.
package fewest
