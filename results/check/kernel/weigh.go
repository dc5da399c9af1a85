package kernel

import "slices"

// A weighting gives links whole weights; it holds what pairs and single processors put on them together.
type weighting struct {
	nodes  int
	pair   []int64 // W(u,v) by u*nodes+v, symmetric
	single []int64
	limit  int64 // weighted sum of the limits
}

// A view says of which unknown processors the lower bound counts what they send: those in the outer sets, T together,
// among themselves and to the inner sets, those in inner sets what they send the known ones.
type view struct {
	outer, inner []int
	inT          []bool // by node
}

// newWeighting sums up loads by the weights of links. Cost: all shares of all pairs.
func newWeighting(l *loads, weights []int64, spend Spender) (*weighting, error) {
	n := l.nodes
	if err := spend(int64(n)*int64(n)*8 + int64(n)*8); err != nil {
		return nil, err
	}
	w := &weighting{nodes: n, pair: make([]int64, n*n), single: make([]int64, n)}
	weigh := func(list []share) (total int64, err error) {
		if err := spend(int64(len(list)) + 1); err != nil {
			return 0, err
		}
		for _, s := range list {
			if total += weights[s.link] * s.amount; total > mostPair {
				return 0, wrong("a pair puts more than %d on the links", int64(mostPair))
			}
		}
		return total, nil
	}
	for u := range n {
		var err error
		if w.single[u], err = weigh(l.single[u]); err != nil {
			return nil, err
		}
		for v := u + 1; v < n; v++ {
			total, err := weigh(l.pairs[u*n+v])
			if err != nil {
				return nil, err
			}
			w.pair[u*n+v], w.pair[v*n+u] = total, total
		}
	}
	for i, weight := range weights {
		if w.limit += weight * l.limits[i]; w.limit > 1<<60 || w.limit < -1<<60 {
			return nil, wrong("the limits of the links add up to more than 2^60")
		}
	}
	return w, nil
}

// lowerBound returns twice a lower bound on the weighted load of every placement of the branch, with the weighting
// moved by the inverse of back. It is the formula LB of docs/steps.md, term by term.
func (c *checker) lowerBound(w *weighting, back []int, v *view) (int64, error) {
	n := w.nodes
	between := func(a, b int) int64 { return w.pair[back[a]*n+back[b]] }
	known, isFree := c.nodesNow()
	var total int64
	for i, a := range known {
		total += 2 * w.single[back[a]]
		for _, b := range known[:i] {
			total += 2 * between(a, b)
		}
	}
	inner, missing := c.freeIn(v.inner, known, isFree)
	outer, missingOuter := c.freeIn(v.outer, known, isFree)
	var free int64
	for _, list := range inner {
		free += int64(len(list))
	}
	var costs []int64
	// toInner returns the sum over the inner sets of the least costs of as many nodes as they miss; from is a processor
	// among the free nodes, or -1 for none.
	toInner := func(from int, cost func(x int) int64) (least int64) {
		for i, list := range inner {
			costs = costs[:0]
			want := missing[i]
			for _, x := range list {
				if x == from {
					want--
				} else {
					costs = append(costs, cost(x))
				}
			}
			least += leastSum(costs, want)
		}
		return least
	}
	if err := c.spend(int64(len(known))*(int64(len(known))+free) + int64(n)); err != nil {
		return 0, err
	}
	for _, u := range known {
		total += toInner(-1, func(x int) int64 {
			if v.inT[x] {
				return 0
			}
			return 2 * between(u, x)
		})
	}
	var heads []int64
	for i, list := range outer {
		if missingOuter[i] == 0 {
			continue
		}
		if err := c.spend(int64(len(list)) * (free + int64(len(known)) + 1)); err != nil {
			return 0, err
		}
		heads = heads[:0]
		for _, p := range list {
			head := 2*w.single[back[p]] + toInner(p, func(x int) int64 {
				if v.inT[x] {
					return between(p, x)
				}
				return 2 * between(p, x)
			})
			for _, u := range known {
				head += 2 * between(u, p)
			}
			heads = append(heads, head)
		}
		total += leastSum(heads, missingOuter[i])
	}
	return total, nil
}

// nodesNow returns the nodes that have a processor in every placement of the branch, and which nodes are free: some
// placements may have one there, others not.
func (c *checker) nodesNow() (known []int, isFree []bool) {
	isFree = make([]bool, c.loads.nodes)
	for v := range c.loads.nodes {
		switch s := nodeSet(v); {
		case c.branch.lo[s] > 0:
			known = append(known, v)
		case c.branch.hi[s] > 0:
			isFree[v] = true
		}
	}
	return known, isFree
}

// freeIn returns the free nodes of sets, and how many processors each has there at least.
func (c *checker) freeIn(sets []int, known []int, isFree []bool) (lists [][]int, missing []int64) {
	isKnown := make([]bool, c.loads.nodes)
	for _, v := range known {
		isKnown[v] = true
	}
	for _, s := range sets {
		var list []int
		want := c.branch.lo[s]
		for _, v := range c.sets[s].nodes {
			if isKnown[v] {
				want--
			} else if isFree[v] {
				list = append(list, v)
			}
		}
		lists = append(lists, list)
		missing = append(missing, max(want, 0))
	}
	return lists, missing
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
// its limit.
func (c *checker) overloading() (list []int, err error) {
	known, isFree := c.nodesNow()
	l := c.loads
	load := make([]int64, len(l.ends))
	add := func(shares []share, sign int64) error {
		for _, s := range shares {
			load[s.link] += sign * s.amount
		}
		return c.spend(int64(len(shares)) + 1)
	}
	pair := func(u, v int) []share { return l.pairs[min(u, v)*l.nodes+max(u, v)] }
	for i, u := range known {
		err = add(l.single[u], 1)
		for _, v := range known[:i] {
			err = firstOf(err, add(pair(u, v), 1))
		}
		if err != nil {
			return nil, err
		}
	}
	for v := range l.nodes {
		if !isFree[v] {
			continue
		}
		err = add(l.single[v], 1)
		for _, u := range known {
			err = firstOf(err, add(pair(u, v), 1))
		}
		over := false
		for i := range load {
			over = over || load[i] > l.limits[i]
		}
		if over {
			list = append(list, v)
		}
		err = firstOf(err, add(l.single[v], -1))
		for _, u := range known {
			err = firstOf(err, add(pair(u, v), -1))
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
