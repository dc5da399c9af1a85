// Package congestion solves min-congestion routing: the smallest E_max that any
// fractional minimal routing of a placement can reach, with both sides of the
// proof.
//
// Every ordered pair of processors sends one unit, split in any way over its
// shortest paths, both ways round at a tie. The primal side is such a routing
// with its exact congestion. The dual side is a weight of at least 0 for every
// link: a unit from p to q meets at least the weight of the cheapest shortest
// path, so the congestion of every minimal routing, and E_max under every
// routing of this program, is at least
//
//	(sum over ordered pairs of the cheapest path) / (sum of all weights).
//
// On a network whose links have bandwidths, load is divided by bandwidth and a weight
// counts bandwidth times in the sum of all.
//
// Under client traffic (SolveTraffic) every node sends messages to every processor and gets
// some back: a pair counts as often as it has messages.
//
// By linear programming duality the best weights meet the best routing.
//
// # Symmetry
//
// The shortest paths of a torus are those of its graph, so an automorphism of
// the torus that maps the placement to itself maps routings to routings; so does
// turning every path around, if there are as many messages the other way. Averaging
// over all of them changes neither side's value: weights and loads are constant on classes of links, and one pair of
// every class of pairs needs a flow. A linear placement on k^d is left with
// about k/2 link classes.
//
//	res, err := congestion.Solve(ctx, p, congestion.DefaultOptions())
//	fmt.Println(res.Lower.RatString(), res.Upper.RatString(), res.Optimal)
package congestion
