// Package clients walks the tree clients of docs/proofs.md: exact search under client traffic on networks of two
// dimensions, counts first.
//
// Loads are linear in the placement, and under odr, udr and orders a processor brings the same to all lines along a
// dimension but its own. So what a line along dimension s carries is a sum over its own content, and one over how many
// processors each slab across s holds, wherever in it:
//
//	load(e) = sum of alpha_e[x] over the places x of its content + sum over x of beta_e[x] counts[x]
//
// The question "is there a placement of n processors with E_max at most L" then falls into three steps.
//
//   - side.go lists the counts of rows and of columns for one largest row and one largest column after the other:
//     those that leave room for that line across. With sizes near n/k there are few of them, and for most pairs of
//     sizes none.
//   - plan.go finds out which go together: given the counts, each number of processors on a line has a least and a
//     greatest load that its content may have, and these must add up to what all lines carry together. This decides
//     nearly all.
//   - walk.go fills what is left row by row.
//
// Nothing is assumed about routings but the form above, which is read off the loads of single processors.
package clients
