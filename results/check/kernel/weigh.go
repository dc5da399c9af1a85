package kernel

import "slices"

// A weighting gives links whole weights.
type weighting struct {
	links []share // with their weights
	limit int64   // weighted sum of the limits

	// What was asked for: by node what it and each other put on the links together, or where paths are to choose from the
	// greatest weight of one between them; by node what it puts there alone.
	row    map[int][]int64
	single map[int]int64
}

// A view says of which unknown processors the lower bound counts what they send: those in the outer sets, T together,
// among themselves and to the inner sets, those in inner sets what they send the known ones.
type view struct {
	outer, inner []int
	inT          []bool // by node
}

// lay writes the weights of a weighting by link, taken back by the translation by a node.
func (c *checker) lay(w *weighting, by int) {
	for _, link := range c.laid {
		c.weights[link] = 0
	}
	c.laid = c.laid[:0]
	for _, s := range w.links {
		link := s.link
		if by > 0 {
			node := link % c.loads.nodes
			link += c.loads.torus.Displacement(by, node) - node
		}
		c.weights[link] = s.amount
		c.laid = append(c.laid, link)
	}
	c.pay(2 * int64(len(w.links)))
}

// weighed returns what shares are together, by the weights that are laid.
func (c *checker) weighed(list []share) (total int64) {
	for _, s := range list {
		total += c.weights[s.link] * s.amount
	}
	c.pay(int64(len(list)) + 1)
	return total
}

// along returns the weight of a path, by the weights that are laid.
func (c *checker) along(p path) (total int64) {
	for _, link := range p.links {
		total += c.weights[link]
	}
	return total
}

// alone returns what a processor and its clients put on weighted links.
func (c *checker) alone(w *weighting, u int) int64 {
	if c.question.Clients == nil {
		return 0
	}
	if _, there := w.single[u]; !there {
		c.lay(w, 0)
		w.single[u] = c.weighed(c.loads.single[u])
		c.pay(32)
	}
	return w.single[u]
}

// rowOf returns the row of a node in a weighting. Cost: all shares of the node, once.
func (c *checker) rowOf(w *weighting, u int) []int64 {
	n, l := c.loads.nodes, c.loads
	if row, there := w.row[u]; there {
		return row
	} else if c.question.Clients != nil {
		return c.none
	}
	c.pay(8*int64(n) + 64)
	row := make([]int64, n)
	w.row[u] = row
	if l.shifted { // what u and u+v put on links, 0 and v put on those that are taken there
		c.lay(w, u)
		for v := range row {
			row[l.sums.At(u, v)] = c.weighed(l.pairs[v])
		}
		return row
	}
	c.lay(w, 0)
	for v := range row {
		row[v] = c.weighed(l.pairs[u*n+v])
		for _, p := range slices.Concat(l.pathsOf(u, v), l.pathsOf(v, u)) {
			row[v] = max(row[v], c.along(p))
			c.pay(int64(len(p.links)) + 1)
		}
	}
	return row
}

// message returns what a message puts at least on weighted links: it uses its paths evenly, all that are certain to
// have the fewest processors inside, and others that possibly have. Least is the average over the certain paths and, of
// the others, the lightest, as long as they make it less. Nodes of paths are where an element takes them.
func (c *checker) message(g *element, from, to int) int64 {
	n, paths := c.loads.nodes, c.loads.pathsOf(from, to)
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
	need := int64(1)
	if free := c.question.Free; free != nil {
		fewest, worst, need = -1, int64(n), int64(free.Least(len(paths)))
	}
	var total, used int64
	costs := c.costs[:0]
	for i, p := range paths {
		switch {
		case inside[i].hi <= fewest:
			total += c.along(p)
			used++
		case inside[i].lo <= worst:
			costs = append(costs, c.along(p))
		}
	}
	c.costs = costs
	slices.Sort(costs)
	for _, cost := range costs {
		if used < need || cost*used < total {
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
	from := g.back.node[p]
	row := c.rowOf(w, from)
	if g == c.elements[0] && !c.loads.chosen {
		return row
	}
	for x := range n {
		to := g.back.node[x]
		c.between[x] = row[to]
		if c.loads.chosen && row[to] > 0 && (free || c.branch.lo[nodeSet(x)] > 0) {
			c.between[x] = c.message(g, from, to) + c.message(g, to, from)
		}
	}
	return c.between
}

// lowerBound returns twice a lower bound on the weighted load of every placement of the branch, with the weighting
// moved by an element. It is the formula LB of docs/steps.md, term by term.
func (c *checker) lowerBound(w *weighting, g *element, v *view) (total int64) {
	c.lay(w, 0)
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
		total += 2*c.alone(w, g.back.node[p]) + toInner(p, row)
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
			head := 2*c.alone(w, g.back.node[p]) + toInner(p, row)
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
	n, links := c.loads.nodes, len(c.loads.limits)
	row := func(v int) []int64 { return c.bring[v*links:][:links] }
	if c.bring == nil {
		if c.pay(8 * int64(n*links)); c.err != nil {
			return nil
		}
		c.room, c.bring, c.loaded = slices.Clone(c.loads.limits), make([]int64, n*links), make([]bool, n)
		for v, list := range c.loads.single {
			for _, s := range list {
				row(v)[s.link] += s.amount
			}
		}
	}
	_, free := c.nodesNow()
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
			bring := row(x)
			c.shares = c.loads.between(v, x, c.shares)
			for _, s := range c.shares {
				bring[s.link] += sign * s.amount
			}
			c.pay(int64(len(c.shares)) + 1)
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
