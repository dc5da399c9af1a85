// Package core holds the geometry of the problem: tori with numbered directed
// links, sets of nodes, and placements. It is exact and imports only the
// standard library. Sub-packages add families of placements, routings and
// symmetry.
//
// # Conventions
//
// A torus has sides k_0, ..., k_{d-1}, each at least 2. A node is a tuple of
// coordinates, coordinate j in 0..k_j-1, and is numbered row by row: the last
// coordinate moves fastest. A link is a directed edge from a node to its
// neighbour one step along one dimension, in direction + or -. A side of 2 has
// one link each way between its two nodes, so only direction + exists there.
//
// Some dimensions may be open: there is no link between the last coordinate and
// the first, so the numbers of those links name none, see HasLink. A link along
// dimension j has a bandwidth of at least 1; its load counts divided by that.
//
// The pairs (dimension, direction) that exist are the ports of the torus, in
// the order dimension 0 +, dimension 0 -, dimension 1 +, ... The link that
// leaves node v by port i has number i*N + v, so that the loads of one port lie
// side by side in memory.
package core
