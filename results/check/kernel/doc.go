// Package kernel checks that no placement answers a question, from a stream of steps that any program may have
// written.
//
// A question asks for a placement of n processors whose links all carry at most their limits. A stream refutes it by
// cases: it cuts the placements into branches by how many processors sets of nodes have, and closes each branch by
// one of a few rules, of which the most important says that some weighted links would have to carry too much. The
// format, the rules and why each of them holds are in docs/steps.md, from which this package and tools/steps.py were
// written independently of each other.
//
// The code is meant to be read: it does no more than the rules say, with plain integers, which are all bounded when
// they are read. Time and memory are counted and limited by the caller; nothing is read ahead.
package kernel
