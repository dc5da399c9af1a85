package kernel

import "slices"

// A weighting gives links whole weights. By pair of nodes it holds what they put on the links together; where that
// depends on the other processors, the most that a message puts there.
type weighting struct {
	weights []int64 // by link
	pair    []int64 // by u*nodes+v
	single  []int64 // by node
	limit   int64   // weighted sum of the limits
}

// A view says of which unknown processors the lower bound counts what they send: those in the outer sets, T together,
// among themselves and to the inner sets, those in inner sets what they send the known ones.
type view struct {
	outer, inner []int
	inT          []bool // by node
}

// addWeighting sums up loads by the weights of links. Cost: all shares of all pairs.
func (c *checker) addWeighting(weights []int64) {
	l, n := c.loads, c.loads.nodes
	w := &weighting{weights: weights, pair: make([]int64, n*n), single: make([]int64, n)}
	c.pay(8 * int64(n*n+n+len(weights)))
	within := func(total int64) int64 {
		if total > mostPair {
			c.wrong("a pair puts more than %d on the links", int64(mostPair))
			return 0
		}
		return total
	}
	weigh := func(list []share) (total int64) {
		c.pay(int64(len(list)) + 1)
		for _, s := range list {
			total = within(total + weights[s.link]*s.amount)
		}
		return total
	}
	for u := range n {
		w.single[u] = weigh(l.single[u])
		for v := range n {
			w.pair[u*n+v] = weigh(l.pairs[u*n+v])
			for _, p := range l.paths[u*n+v] {
				c.pay(int64(len(p.links)) + 1)
				w.pair[u*n+v] = max(w.pair[u*n+v], within(w.of(p)*l.units))
			}
		}
	}
	for i, weight := range weights {
		if w.limit += weight * l.limits[i]; w.limit > 1<<60 || w.limit < -1<<60 {
			c.wrong("the limits of the links add up to more than 2^60")
			return
		}
	}
	c.weightings = append(c.weightings, w)
}

// of returns the weight of a path.
func (w *weighting) of(p path) (total int64) {
	for _, link := range p.links {
		total += w.weights[link]
	}
	return total
}

// message returns what a message puts at least on weighted links: it uses its paths evenly, all that are certain to
// have the fewest processors inside, and others that possibly have. Least is the average over the certain paths and, of
// the others, the lightest, as long as they make it less. Nodes of paths are where an element takes them.
func (c *checker) message(w *weighting, g *element, from, to int) int64 {
	n := c.loads.nodes
	if w.pair[from*n+to] == 0 {
		return 0
	}
	paths := c.loads.paths[from*n+to]
	c.pay(int64(len(paths) * 8))
	fewest, worst := int64(n), int64(n) // the fewest processors that a path has inside now, and may have
	inside := make([]bounds, 0, 16)
	for _, p := range paths {
		var count bounds
		for _, v := range p.inside {
			s := nodeSet(g.to.node[v])
			count.lo += c.branch.lo[s]
			count.hi += c.branch.hi[s]
		}
		fewest, worst = min(fewest, count.lo), min(worst, count.hi)
		inside = append(inside, count)
	}
	var total, used int64
	costs := c.costs[:0]
	for i, p := range paths {
		switch {
		case inside[i].hi <= fewest:
			total += w.of(p)
			used++
		case inside[i].lo <= worst:
			costs = append(costs, w.of(p))
		}
	}
	c.costs = costs
	slices.Sort(costs)
	for _, cost := range costs {
		if used == 0 || cost*used < total {
			total += cost
			used++
		}
	}
	return c.loads.units / used * total
}

// row returns what a processor at p and one at each other node put at least on weighted links, taken back by an
// element; where that depends on the other processors, it does so for known nodes and, if asked, for free ones.
func (c *checker) row(w *weighting, g *element, p int, free bool) []int64 {
	n := c.loads.nodes
	if g == c.elements[0] && !c.loads.chosen {
		return w.pair[p*n:][:n]
	}
	for x := range n {
		from, to := g.back.node[p], g.back.node[x]
		if c.between[x] = w.pair[from*n+to]; c.loads.chosen && (free || c.branch.lo[nodeSet(x)] > 0) {
			c.between[x] = c.message(w, g, from, to) + c.message(w, g, to, from)
		}
	}
	return c.between
}

// lowerBound returns twice a lower bound on the weighted load of every placement of the branch, with the weighting
// moved by an element. It is the formula LB of docs/steps.md, term by term.
func (c *checker) lowerBound(w *weighting, g *element, v *view) (total int64) {
	known, free := c.nodesNow()
	missing := c.missing[:0]  // processors besides the known ones, in the inner sets, then in the outer ones
	nodes := int64(len(free)) // and those of the inner sets, and these
	for i, s := range slices.Concat(v.inner, v.outer) {
		want := c.branch.lo[s]
		for _, x := range c.sets[s].nodes {
			want -= c.branch.lo[nodeSet(x)]
		}
		if missing = append(missing, want); i < len(v.inner) {
			nodes += int64(len(c.sets[s].nodes)) + 1
		}
	}
	// toInner returns the sum over the inner sets of the least that p and as many free nodes as are missing there put on
	// the links; p may be free itself.
	toInner := func(p int, row []int64) (least int64) {
		for i, s := range v.inner {
			want, costs := missing[i], c.costs[:0]
			if want <= 0 {
				continue
			}
			for _, x := range c.sets[s].nodes {
				switch {
				case !free[x]:
				case x == p:
					want--
				case !v.inT[x]:
					costs = append(costs, 2*row[x])
				case free[p]:
					costs = append(costs, row[x])
				default:
					costs = append(costs, 0)
				}
			}
			c.costs = costs
			least += leastSum(costs, want)
		}
		return least
	}
	c.pay((int64(len(known))+1)*(int64(len(known))+nodes) + int64(len(v.outer)))
	for i, p := range known {
		row := c.row(w, g, p, len(v.inner) > 0)
		total += 2*w.single[g.back.node[p]] + toInner(p, row)
		for _, q := range known[:i] {
			total += 2 * row[q]
		}
	}
	for i, s := range v.outer {
		heads, want := c.heads[:0], missing[len(v.inner)+i]
		if want <= 0 {
			continue
		}
		c.pay(int64(len(c.sets[s].nodes)) * (nodes + int64(len(known))))
		for _, p := range c.sets[s].nodes {
			if !free[p] {
				continue
			}
			row := c.row(w, g, p, true)
			head := 2*w.single[g.back.node[p]] + toInner(p, row)
			for _, u := range known {
				head += 2 * row[u]
			}
			heads = append(heads, head)
		}
		c.heads = heads
		total += leastSum(heads, want)
	}
	return total
}

// nodesNow returns the nodes that have a processor in every placement of the branch, and which nodes are free: some
// placements may have one there, others not. Both are overwritten by the next call.
func (c *checker) nodesNow() (known []int, free []bool) {
	known, free = c.known[:0], c.free
	for v := range free {
		s := nodeSet(v)
		if free[v] = c.branch.lo[s] == 0 && c.branch.hi[s] > 0; c.branch.lo[s] > 0 {
			known = append(known, v)
		}
	}
	c.known = known
	return known, free
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

// overloading returns the free nodes v for which the known processors and one at v alone put more on some link than
// its limit; if those without v do, the bounds cross. From filter to filter it keeps what links have room for besides
// the nodes that were known, and what these and one at any other node would bring.
func (c *checker) overloading() (list []int) {
	n, links := c.loads.nodes, len(c.room)
	_, free := c.nodesNow()
	row := func(v int) []int64 { return c.bring[v*links:][:links] }
	for v := range n {
		known, sign := c.branch.lo[nodeSet(v)] > 0, int64(1)
		if known == c.loaded[v] {
			continue
		}
		if c.loaded[v] = known; !known {
			sign = -1
		}
		for link, amount := range row(v) {
			c.room[link] -= sign * amount
		}
		for x := range n {
			for _, s := range c.loads.pairs[v*n+x] {
				c.bring[x*links+s.link] += sign * s.amount
			}
			c.pay(int64(len(c.loads.pairs[v*n+x])) + 1)
		}
	}
	for _, room := range c.room {
		c.branch.crossed = c.branch.crossed || room < 0
	}
	for v := range n {
		if free[v] && exceeds(row(v), c.room) {
			list = append(list, v)
		}
	}
	c.pay(int64(n * links))
	return list
}

// exceeds reports whether some number is above the one at its place in the other list.
func exceeds(list, most []int64) bool {
	for i, x := range list {
		if x > most[i] {
			return true
		}
	}
	return false
}
