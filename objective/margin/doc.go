// Package margin refutes limits on E_max by exact reasoning over slab counts,
// without looking at placements: the margin bound of docs/margin-bound.md.
//
// The margin of a dimension are the numbers of processors in the slabs across
// it. Two facts make margins strong. The loads of all links of one direction in
// one boundary between slabs add up to a function of that dimension's margin.
// And for two dimensions s and o under odr and udr, the load on the links along
// s in one slab across o is linear in the content of that slab (its pattern,
// the number of processors at every coordinate s), with coefficients that
// depend on the margin of s only. So a limit is refuted when no margins fit all
// boundaries and leave room for the patterns that the other margin asks for.
//
// All arithmetic is on integers. The effort is counted in steps, so results do
// not depend on the machine.
package margin
