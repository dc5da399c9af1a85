// Package bisect cuts a torus so that the processors of a placement fall on both
// sides: the bisection width with respect to a placement (seed 000, Definition
// 8), alpha-separators (seed 002, Definition 9), and the sparsest cut.
//
// A cut is a set S of nodes. Out(S) is the number of directed links that leave S;
// as many enter it, so the width of the cut, the directed links that join its
// two sides, is twice that. Only processors are counted on the sides; nodes
// without one go where it is cheapest.
//
// There are two exact engines that share no code but the list of neighbours: the
// transfer matrix (transfer.go) sweeps the torus level by level, branch and bound
// (branch.go) puts one processor after the other on a side and bounds by maximum
// flow. Sweeps, slabs and local moves give cuts for tori of any size, and the
// loads of a routing, and metrics of cuts (metric.go), give lower bounds.
//
//	r := bisect.Width(ctx, bisect.Half(p))
//	fmt.Println(r.Width(), r.Exact, r.LowerBound())
package bisect
