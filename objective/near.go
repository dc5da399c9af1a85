package objective

import (
	"fmt"
	"strconv"

	"leeway/core"
)

// Near has the conditions on how processors lie, which automorphisms of the network preserve: how far nodes may be from
// their nearest processors, in links of a shortest path; 0 is no condition. Problems and documents have these fields as
// they are here. A new condition is a field with its case in Excess, and an entry of Axes. Admits knows it from there;
// bounds, steps and the kernel leave it out, which is sound, and formulas refuse it.
type Near struct {
	Radius   int `json:"radius,omitempty"`   // of any node
	Distance int `json:"distance,omitempty"` // sum over all nodes
}

// Asked reports whether there is a condition.
func (near Near) Asked() bool { return near != Near{} }

// InSteps returns the conditions that steps can use: the radius and the distance. What is proved of all placements that
// keep to them holds for those that keep to the others too.
func (near Near) InSteps() Near { return Near{Radius: near.Radius, Distance: near.Distance} }

// The most nodes of a torus with a condition on the radius, for which the distances between all are computed, and on
// the distance, for which they are kept.
const (
	mostRadiusNodes   = 1 << 14
	mostDistanceNodes = 1 << 12
)

// WithNear returns the same problem for placements whose processors are as near to all nodes. Errors are
// *core.InputError: a number below 0, a torus of too many nodes, or too few processors, by LeastDistance and the size
// of neighbourhoods.
func (p Problem) WithNear(near Near) (Problem, error) {
	p.Near = near
	if least := min(near.Radius, near.Distance); least < 0 {
		return p, core.Invalid(strconv.Itoa(least), "radius and distance are numbers of links, at least 1")
	}
	asked, most := near.Radius, mostRadiusNodes
	if near.Distance != 0 {
		asked, most = near.Distance, mostDistanceNodes
	}
	if t := p.Torus(); asked != 0 && t.N() > most {
		return p, core.Invalid(strconv.Itoa(asked),
			"this condition is for tori of up to %d nodes, %s has %d", most, t, t.N())
	}
	if least := near.least(p.Torus()); p.Limit == nil && p.Size < least {
		return p, core.Invalid(strconv.Itoa(p.Size),
			"the size is below %d, the least with which every node of %s can have a processor that near", least, p.Torus())
	}
	return p, nil
}

// least returns a size below which no placement is as near to all nodes.
func (near Near) least(t *core.Torus) (n int) {
	if !near.Asked() {
		return 0
	}
	from := distanceCounts(t)
	most := 0 // nodes within the radius of one
	for d, nodes := range from {
		if d <= near.Radius {
			most += nodes
		}
	}
	if near.Radius > 0 {
		n = (t.N() + most - 1) / most
	}
	for near.Distance > 0 && leastDistance(t, from, n) > near.Distance {
		n++
	}
	return n
}

// distanceCounts returns how many nodes are at each distance from one, or more: those of the torus with all dimensions
// closed.
func distanceCounts(t *core.Torus) (from []int) {
	if !t.HasDimensions() {
		return mostDistances(t)
	}
	if !t.Closed() {
		t = core.MustTorus(t.Dims()...)
	}
	distance, _ := t.Nearest([]int{0})
	for _, d := range distance {
		for len(from) <= int(d) {
			from = append(from, 0)
		}
		from[d]++
	}
	return from
}

// mostDistances is distanceCounts without dimensions: within any distance there are as many nodes as within it from the
// node that has most.
func mostDistances(t *core.Network) (from []int) {
	within := make([]int, t.N()) // by distance
	for v := range t.N() {
		counts, sum := make([]int, t.N()), 0
		for u := range t.N() {
			counts[t.LeeDistance(v, u)]++
		}
		for d, nodes := range counts {
			sum += nodes
			within[d] = max(within[d], sum)
		}
	}
	for d := range within {
		if from = append(from, within[d]); d > 0 {
			from[d] -= within[d-1]
		}
	}
	return from
}

// LeastDistance returns a number below which the distances of all nodes from the nearest of n processors, at least 1,
// never add up to: no more nodes are at a distance from some processor than n times those at it from one.
func LeastDistance(t *core.Torus, n int) int { return leastDistance(t, distanceCounts(t), n) }

func leastDistance(t *core.Torus, from []int, n int) (total int) {
	left := t.N()
	for d, nodes := range from {
		here := min(left, n*nodes)
		total, left = total+d*here, left-here
	}
	return total + left*t.N() // without processors all nodes are left
}

// Excess says what of a placement is farther than it may be, "" if nothing is.
func (near Near) Excess(s core.Placement) string {
	radius, total, _ := s.Spacing()
	switch {
	case s.Size() == 0:
		return "there is no processor"
	case near.Radius > 0 && radius > near.Radius:
		return fmt.Sprintf("a node is %d links from the nearest processor, more than %d", radius, near.Radius)
	case near.Distance > 0 && total > near.Distance:
		return fmt.Sprintf("the nodes are %d links from their nearest processors, together more than %d", total,
			near.Distance)
	}
	return ""
}

// Balls returns for every node the nodes within a given number of links, ascending. Cost O(N M).
func (p Problem) Balls(links int) [][]int {
	within := make([][]int, p.Torus().N())
	for v := range within {
		distance, _ := p.Torus().Nearest([]int{v})
		for u, d := range distance {
			if int(d) <= links {
				within[v] = append(within[v], u)
			}
		}
	}
	return within
}
