// Package pseudo translates proofs as steps (docs/steps.md) to VeriPB's proof format 3, over a formula in OPB.
//
// The formula asks whether some placement has no load above its limit. It has a variable for every node, x, one for
// the product of each two nodes, y, of which only y >= x + x' - 1 is said, and with a distance one, z, that says that
// a node is farther than a given number of links from all processors. Its rows are the size, fixed and forbidden nodes,
// the balls of a radius, the products, for each link the sum of its loads, at most its limit, and the sum of all z. A
// symmetry of the question is one of the formula: it takes rows to rows.
//
// The proof uses no search: every line is a sum of rows, a definition, or one line for each symmetry.
//
//   - A premise "at least t of this set" becomes a variable r, defined by two rows (red) when it is first needed. A
//     branch is a list of such literals, and what closes it a clause with some of their negations.
//   - A bound on the count of a set is a row about its nodes, with the negations of the literals on which it depends,
//     each as often as it takes (pol). It is only written when something rests on it, and deleted with its branch.
//   - weigh: the rows of the links and of products, each times a number, the bounds of the known nodes and of the sets
//     of the view, each times the dearest node that is counted; for a node of an outer set one sum more, saturated,
//     says what it sends the inner sets if it has a processor. What is left over is weakened away: what remains is a
//     clause.
//   - split: the clauses of both sides are added, and the literal cancels. If the first does without it, the second is
//     not written.
//   - lemma, use: the proof of a lemma is written anew for each element that it is moved by, with all names moved, the
//     first time that it is used so. The clause that it leaves is added to the bounds of the branch.
//   - turn: placements are ordered by one number, in which the counts of the keys, then the nodes, are digits; for each
//     element that turns a branch dominance (dom) yields that no placement is less than its image. To this the
//     bounds of the keys are added.
//   - filter, distance, crossed: sums of rows as well.
//
// Steps place and slice have no translation: placements that are listed would have to be excluded up to symmetry, and a
// branch left open is not refuted. Neither have routings whose paths depend on the placement, nor free ones: their
// loads are not sums over pairs.
package pseudo
