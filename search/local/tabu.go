package local

import (
	"cmp"
	"math"
	"slices"
)

// The measures of a step.
const (
	shortlist = 3   // processors that are tried on every free node
	maxOuts   = 64  // processors whose removal is looked at
	maxIns    = 256 // free nodes that are tried
	lookUp    = 4   // after this many evaluations a step looks whether the chain is over
)

// stepLength returns about how many evaluations a step of n processors on a torus of N nodes takes.
func stepLength(n, nodes int) int64 {
	return int64(min(n, maxOuts) + min(n, shortlist)*min(nodes-n, maxIns))
}

// A tabu is the state of a chain between steps.
type tabu struct {
	*chain
	step   int64
	banned []int64 // by node: the last step in which it may not change
	least  int64   // the least cost under the present limit
	outs   []candidate
}

// A candidate is a processor, by its place, and the cost without it.
type candidate struct {
	place int
	cost  int64
}

// A change is a swap of the processor at place i with the free node at place j.
type change struct {
	i, j int
	cost int64
}

// steps makes steps until the chain has ended.
func (c *chain) steps() {
	w := &tabu{chain: c, banned: make([]int64, c.problem.Torus().N())}
	w.aim(c.randomLimit(4))
	for w.step = 1; !c.ended(); w.step++ {
		best, ok := w.choose()
		if !ok {
			continue // all are banned, or the allowance has ended
		}
		out, in := c.nodes[best.i], c.free[best.j]
		w.banned[out] = w.step + 2 + c.rng.Int64N(8) // not to be taken again
		w.banned[in] = w.step + c.rng.Int64N(4)      // not to be left
		c.swap(best.i, best.j)
		c.look()
		w.least = min(w.least, best.cost)
		if best.cost == 0 {
			w.aim(c.randomLimit(8))
		}
	}
}

// aim sets the limit and starts to count costs anew.
func (w *tabu) aim(limit int64) {
	w.model.aim(limit)
	w.least = w.model.cost()
}

// choose returns the best swap that the step allows, one at random among equals, and whether there is any. When the
// allowance or the chain ends, it is the best so far: on the largest tori a whole step takes minutes.
func (w *tabu) choose() (best change, ok bool) {
	w.list()
	ins := sample(w.chain, w.free, maxIns)
	best.cost = math.MaxInt64
	ties := 0
	for _, out := range w.outs {
		for j, in := range ins {
			if w.allowance <= 0 || j%lookUp == 0 && w.halted() {
				return best, ties > 0
			}
			w.allowance--
			w.spent++
			cost := w.model.swapCost(w.nodes[out.place], in, best.cost)
			if cost > best.cost || w.banned[in] >= w.step && cost >= w.least {
				continue
			}
			if cost < best.cost {
				ties = 0
			}
			if ties++; w.rng.IntN(ties) == 0 {
				best = change{out.place, j, cost}
			}
		}
	}
	return best, ties > 0
}

// list fills outs with the processors without which the cost is least.
func (w *tabu) list() {
	w.outs = w.outs[:0]
	for i, v := range sample(w.chain, w.nodes, maxOuts) {
		if i%lookUp == 0 && w.halted() {
			break
		}
		if w.banned[v] >= w.step || w.allowance <= 0 {
			continue
		}
		w.allowance--
		w.spent++
		w.outs = append(w.outs, candidate{i, w.model.dropCost(v)})
	}
	w.rng.Shuffle(len(w.outs), func(i, j int) { w.outs[i], w.outs[j] = w.outs[j], w.outs[i] })
	slices.SortStableFunc(w.outs, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	w.outs = w.outs[:min(shortlist, len(w.outs))]
}

// sample returns the nodes, or if they are many as many as allowed, drawn at random and moved to the front.
func sample(c *chain, nodes []int, most int) []int {
	if len(nodes) <= most {
		return nodes
	}
	for i := range most {
		j := i + c.rng.IntN(len(nodes)-i)
		nodes[i], nodes[j] = nodes[j], nodes[i]
	}
	return nodes[:most]
}
