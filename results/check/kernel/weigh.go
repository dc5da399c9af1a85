package kernel

import (
	"fmt"
	"slices"
)

// A weighting gives links whole weights.
type weighting struct {
	weights []int64 // by link
	limit   int64   // weighted sum of the limits

	rows [][]int64 // by node: what row returned
}

// A view says of which unknown processors the lower bound counts what they send: those in the outer sets, T together,
// among themselves and to the inner sets, those in inner sets what they send the known ones.
type view struct {
	outer, inner []int
	inT          []bool // by node
}

// weigh returns why weighted links need not carry too much in the branch.
func (c *checker) weigh() string {
	w, g, v := c.index(len(c.weightings)), c.index(len(c.elements)), c.index(len(c.views))
	if c.err != nil || c.branch.crossed {
		return ""
	}
	limit := 2 * c.weightings[w].limit
	if bound := c.lowerBound(c.weightings[w], c.elements[g], c.views[v]); bound <= limit {
		return fmt.Sprintf("twice the load is only known to be at least %d, twice the limit is %d", bound, limit)
	}
	return ""
}

// row returns what a node and each other put on weighted links together, by the other, and for itself what it puts
// there alone; where paths are to choose from it is 0 if none of them has a weight. Cost: all that the node has a part
// in, once for each weighting.
func (c *checker) row(w *weighting, u int) []int64 {
	if w.rows[u] == nil {
		c.pay(8*int64(c.loads.nodes) + int64(len(w.weights)))
		w.rows[u] = make([]int64, c.loads.nodes)
		weights := make([]int64, len(w.weights)) // by link as seen from u
		for seen, link := range c.seenFrom(u) {
			weights[seen] = w.weights[link]
		}
		for v := range w.rows[u] {
			list := c.loads.exchanged(u, v)
			w.rows[u][v] = dot(list, weights)
			c.pay(int64(len(list)) + 1)
		}
	}
	return w.rows[u]
}

// message returns what a message puts at least on weighted links: it uses its paths evenly, all that are certain to
// have the fewest processors inside, and others that possibly have. Least is the average over the certain paths and, of
// the others, the lightest, as long as they make it less. The bounds of nodes are in c.lo and c.hi.
func (c *checker) message(w *weighting, from, to int) int64 {
	paths := c.loads.paths[from*c.loads.nodes+to]
	c.pay(int64(len(paths) * 8))
	fewest, worst := int64(c.loads.nodes), int64(c.loads.nodes) // processors that some path has inside now, and may have
	inside := c.inside[:0]                                      // by path the same, one after the other
	for _, p := range paths {
		now, most := int64(0), int64(0)
		for _, t := range p.inside {
			now, most = now+c.lo[t.of], most+c.hi[t.of]
		}
		fewest, worst = min(fewest, now), min(worst, most)
		inside = append(inside, now, most)
	}
	c.inside = inside
	least := int64(1) // the number of paths that have to be used
	if free := c.question.Free; free != nil {
		fewest, worst, least = -1, int64(c.loads.nodes), int64(free.Least(len(paths)))
	}
	var total, used int64
	costs := c.costs[:0]
	for i, p := range paths {
		switch now, most := inside[2*i], inside[2*i+1]; {
		case most <= fewest:
			total += dot(p.links, w.weights)
			used++
		case now <= worst:
			costs = append(costs, dot(p.links, w.weights))
		}
	}
	c.costs = costs
	slices.Sort(costs)
	for _, cost := range costs {
		if used < least || cost*used < total {
			total += cost
			used++
		}
	}
	return c.loads.units / used * total
}

// lowerBound returns twice a lower bound on the weighted load of every placement of the branch, with the weighting
// moved by an element. It is the formula LB of docs/steps.md, term by term.
func (c *checker) lowerBound(w *weighting, g *element, v *view) (total int64) {
	known, free := c.nodesNow()
	back := g.back.node
	for x := 0; c.loads.chosen && x < len(free); x++ {
		to := nodeSet(g.to.node[x])
		c.lo[x], c.hi[x] = c.branch.lo(to), c.branch.hi(to)
	}
	// missing returns how many processors a set has besides the known ones.
	missing := func(s int) int64 {
		more := c.branch.lo(s)
		for _, t := range c.sets[s] {
			more -= t.times * c.branch.lo(nodeSet(t.of))
		}
		return more
	}
	inner, size := c.inner[:0], int64(len(free)) // what is missing in the inner sets; nodes to look at for a row
	for _, s := range v.inner {
		inner = append(inner, missing(s))
		size += int64(len(c.sets[s])) + 1
	}
	c.inner = inner
	c.pay((int64(len(known))+1)*(int64(len(known))+size) + int64(len(v.outer)))
	// head returns what p sends the known nodes before it, the first ones, and the free ones in inner sets: of each set
	// as many nodes as are missing there, p among them if it is free, to which it sends least.
	head := func(p int, before []int) int64 {
		row := c.row(w, back[p])
		with := func(x int) int64 { // what p and x send each other at least
			if sent := row[back[x]]; sent == 0 || !c.loads.chosen {
				return sent
			}
			return c.message(w, back[p], back[x]) + c.message(w, back[x], back[p])
		}
		sent := 2 * with(p)
		for _, u := range before {
			sent += 2 * with(u)
		}
		for i, s := range v.inner {
			want, sends := inner[i], c.sends[:0]
			if want <= 0 {
				continue
			}
			for _, t := range c.sets[s] {
				switch x := t.of; {
				case !free[x]:
				case x == p:
					want--
				case !v.inT[x]:
					sends = append(sends, 2*with(x))
				case free[p]:
					sends = append(sends, with(x))
				default:
					sends = append(sends, 0)
				}
			}
			c.sends = sends
			sent += leastSum(sends, want)
		}
		return sent
	}
	for i, p := range known {
		total += head(p, known[:i])
	}
	for _, s := range v.outer {
		heads, want := c.heads[:0], missing(s)
		c.pay(int64(len(c.sets[s])))
		if want <= 0 {
			continue
		}
		c.pay(int64(len(c.sets[s])) * (size + int64(len(known))))
		for _, t := range c.sets[s] {
			if free[t.of] {
				heads = append(heads, head(t.of, known))
			}
		}
		c.heads = heads
		total += leastSum(heads, want)
	}
	return total
}

// leastSum returns the sum of the m least costs, of all where there are fewer. It reorders the costs.
func leastSum(costs []int64, m int64) (total int64) {
	if m <= 0 {
		return 0
	}
	if m < int64(len(costs)) {
		slices.Sort(costs)
		costs = costs[:m]
	}
	for _, c := range costs {
		total += c
	}
	return total
}
