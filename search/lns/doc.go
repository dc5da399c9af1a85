// Package lns is a search by large neighbourhoods: most of a placement stays, and a SAT
// solver says whether what is left free can be completed below a limit.
//
// A lane holds a placement. A question takes some processors away: those nearest to a
// random node or to a random slab, those that send most through a link at the maximum,
// or any. A node is a candidate if no link passes the limit when it alone joins the
// fixed processors. As many processors are freed as leave no more candidates than the
// lane has room for, so a low limit frees many and a high one few. The room grows when a
// question is answered and shrinks when the solver comes to no answer.
//
// The limit lies below the lane's load, at a random depth. After a question without a
// completion the next one moves: its limit is the load of the lane, and the processors
// taken away may not all come back. A lane that has not improved for long begins anew.
//
// A formula has one variable for each candidate and the counter for their number. Loads
// only grow with processors, so a set of candidates that passes the limit on some link
// can be forbidden: pairs are at once, larger sets when a model holds them, for every
// link that the model breaks and after leaving out what is not needed. The solver is
// asked again until a model breaks nothing. A question that frees all processors is
// exact, and on small tori the room comes to that.
//
// Calls of the solver are bounded in propagations, not in time (sat.Growing), and lanes
// meet at the borders of rounds only, so the outcome depends on the seed and the
// evaluations alone.
//
// Rejected after measurement:
//
//   - a pseudo-Boolean constraint (card.AtMost) with variables of pairs for each link
//     that a model breaks: 40000 to 80000 clauses on 8x8 with 8 processors free, and
//     320000 propagations seldom bring an answer;
//   - a fixed number of processors to free, whatever the limit: 8x8 n=16 stays at 6,
//     where freeing by the number of candidates comes to 5 and 4.
package lns
