// Package message holds what a coordinator and its workers send each other and what the coordinator
// writes to its ledger, each as one line of compact JSON, with the parsers that read it.
//
//	unit.go    a unit of work: a slice of a proof, or a part of a search
//	report.go  what became of a unit, signed by its worker
//	facts.go   job, question under way, incumbent, and the hello of a worker
//	status.go  how a job stands, for people
//	ledger.go  what the coordinator wrote down, with its MAC
//	text.go    JSON, hashes and fractions
//
// Parsers trust nobody: they bound the length, refuse unknown fields and values out of range, and
// evaluate placements again. docs/formats.md lists the fields.
package message
