package slabs

import (
	"math"

	"leeway/core"
	"leeway/encode/steps"
)

// A pattern is what the processors of slab 0 of a second dimension put on the links in it that go along the first.
type pattern struct {
	slab  steps.Set
	cell  int // nodes that it shares with a slab of the first
	links [][]steps.LinkWeight
	limit []int64
	pull  [][][]int64 // by links and two slabs of the first: twice what one in the pattern and one anywhere put there
}

// newPattern finds what pairs of nodes put on the links.
func (r *refuter) newPattern(d, o *dimension) *pattern {
	t := r.torus
	p := &pattern{slab: o.slabs[0], cell: d.room / o.k}
	in := func(v int) bool { return t.Coord(v, o.s) == 0 }
	place := make([]int, t.M())
	for _, c := range d.cuts {
		if len(c.exits) > 1 {
			continue
		}
		list := r.linksOf(d.s, c.exits, in)
		p.links, p.limit = append(p.links, list), append(p.limit, r.limitOf(list))
		for _, l := range list {
			place[l.Link] = len(p.links)
		}
		pull := make([][]int64, d.k)
		for x := range pull {
			pull[x] = make([]int64, d.k)
			for z := range pull[x] {
				pull[x][z] = math.MaxInt64
			}
		}
		p.pull = append(p.pull, pull)
	}
	amounts := make([]int64, len(p.links)+1)
	for v := range t.N() {
		for u := 0; u < t.N() && in(v); u++ {
			if u == v {
				continue
			}
			clear(amounts)
			for _, s := range r.flows.Pair(u, v) {
				amounts[place[s.Link]] += s.Amount
			}
			x, z := t.Coord(v, d.s), t.Coord(u, d.s)
			for e := range p.pull {
				amount := amounts[e+1]
				if !in(u) {
					amount *= 2
				}
				p.pull[e][x][z] = min(p.pull[e][x][z], amount)
			}
		}
	}
	for e := range p.pull {
		for x := range d.k {
			if p.pull[e][x][x] == math.MaxInt64 { // slabs of one node
				p.pull[e][x][x] = 0
			}
		}
	}
	return p
}

// mostRounds is how many weightings of the links of a pattern are tried.
const mostRounds = 200

// crammed closes the branch if the links of the pattern carry too much together, each with a weight, wherever its
// processors are. The weights come from fictitious play (Brown, 1951): one more for the links that carry the most under
// the pattern that is best against the weights so far.
func (r *refuter) crammed(tr *tree, known int, counts []int64, rest int64) bool {
	p := tr.pattern
	size := int64(r.Lo[p.slab])
	costs := make([][]int64, len(p.pull)) // by links and slab: what one of the pattern puts there
	for e, pull := range p.pull {
		for x := range tr.k {
			cost := rest * r.leastOf(tr, known, pull[x])
			for z, c := range counts {
				cost += c * pull[x][z]
			}
			costs[e] = append(costs[e], cost)
		}
	}
	weights, sums, limit := make([]int, len(costs)), make([]int64, tr.k), int64(0)
	for range mostRounds {
		r.work -= int64(len(costs) * tr.k)
		least, places := r.lightest(tr, sums, size)
		if least > 2*limit {
			break
		}
		worst, most := 0, int64(math.MinInt64)
		for e, cost := range costs {
			over := -2 * p.limit[e]
			for x, m := range places {
				over += m * cost[x]
			}
			if over > most {
				worst, most = e, over
			}
		}
		if most <= 0 {
			return false // this pattern fits
		}
		weights[worst]++
		limit += p.limit[worst]
		for x := range sums {
			sums[x] += costs[worst][x]
		}
	}
	if least, _ := r.lightest(tr, sums, size); least <= 2*limit {
		return false
	}
	divisor := int64(0)
	for _, w := range weights {
		divisor = core.GCD(int64(w), divisor)
	}
	var links []steps.LinkWeight
	for e, w := range weights {
		for _, l := range p.links[e] {
			if w > 0 {
				links = append(links, steps.LinkWeight{Link: l.Link, Weight: w / int(divisor)})
			}
		}
	}
	r.weigh(links, []steps.Set{p.slab}, tr.parts[known])
	return true
}

// lightest returns the least sum of the numbers of the places of a pattern of a size, and how many processors it has in
// each slab.
func (r *refuter) lightest(tr *tree, numbers []int64, size int64) (total int64, places []int64) {
	places = make([]int64, tr.k)
	for size > 0 {
		best := -1
		for x, v := range numbers {
			if places[x] == 0 && r.Hi[tr.slabs[x]] > 0 && (best < 0 || v < numbers[best]) {
				best = x
			}
		}
		if best < 0 {
			return total, places
		}
		places[best] = min(size, int64(tr.pattern.cell))
		size -= places[best]
		total += places[best] * numbers[best]
	}
	return total, places
}

// together refutes by the counts of the slabs of two dimensions. If neither has a slab with more than t, and both have
// one with t, then a slab of the one has t processors where the fullest of the other has no more.
func (r *refuter) together(dims []*dimension) error {
	var pairs [2][2]*dimension
	pairs[0], pairs[1] = [2]*dimension{dims[0], dims[1]}, [2]*dimension{dims[1], dims[0]}
	top := 0
	least := min(r.fewest(dims[0]), r.fewest(dims[1]))
	for _, d := range dims {
		top = max(top, min(d.room, r.Size))
	}
	patterns := [2]*pattern{r.newPattern(dims[0], dims[1]), r.newPattern(dims[1], dims[0])}
	// both: a slab of the first has t, none more, and one of the second has t; above: one of the first has t, and none
	// of the second.
	both := func(i, t int) []steps.Premise {
		return append(full(pairs[i][0], t), steps.Premise{Set: pairs[i][1].slabs[0], AtLeast: true, Number: t})
	}
	above := func(i, t int) []steps.Premise {
		return append(atMost(pairs[i][1], t-1), steps.Premise{Set: pairs[i][0].slabs[0], AtLeast: true, Number: t})
	}
	node := func(d *dimension, x int) int { return x * r.torus.Stride(d.s) }
	for t := least; t <= top; t++ {
		for i, pair := range pairs {
			d, o := pair[0], pair[1]
			if _, err := r.lemma(both(i, t), func() error {
				tr := r.newTree(d, nil)
				tr.pattern = patterns[i]
				return r.count(tr, 0)
			}); err != nil {
				return err
			}
			if _, err := r.lemma(above(i, t), func() error {
				if r.Crossed {
					r.to.Crossed()
					return nil
				}
				for x, s := range o.slabs {
					if r.exclude(s, t-1, r.lemmas[keyOf(both(1-i, t-1))], node(o, x)) {
						return nil
					}
				}
				r.to.Use(r.lemmas[keyOf(above(i, t-1))], steps.Identity)
				return nil
			}); err != nil {
				return err
			}
		}
	}
	for t := top; ; t-- {
		for x, s := range dims[0].slabs {
			if r.Hi[s] < t {
				continue
			}
			r.to.Split(s, t)
			r.Tentatively(func() error {
				r.Bound(s, t, r.Hi[s])
				if r.Crossed {
					r.to.Crossed()
					return nil
				}
				for y, s := range dims[1].slabs {
					if r.exclude(s, t, r.lemmas[keyOf(both(0, t))], node(dims[0], x)+node(dims[1], y)) {
						return nil
					}
				}
				r.to.Use(r.lemmas[keyOf(above(0, t))], r.translation(node(dims[0], x)))
				return nil
			})
			if r.Bound(s, 0, t-1); r.Crossed {
				r.to.Crossed()
				return nil
			}
		}
		for y, s := range dims[1].slabs {
			if r.exclude(s, t, r.lemmas[keyOf(above(1, t))], node(dims[1], y)) {
				return nil
			}
		}
	}
}
