package counts

import (
	"errors"
	"math"

	"leeway/encode/steps"
)

// mostRounds is how many weightings of the links of a line are tried.
const mostRounds = 200

// overTogether closes the branch if the links of a line of which nodes are known carry too much together, each with a
// weight, whatever slabs the others are in. The weights come from fictitious play (Brown, 1951): one more for the link
// that carries the most where the others do the least harm to the weights so far. No weights close the branch once no
// link carries too much on the mean of all these.
func (r *refuter) overTogether(d *dimension, l *line) bool {
	r.look(d, l)
	counts, costs := make([]int64, d.k), make([]int64, d.k)
	weights, limit, sums := make([]int, len(l.links)), int64(0), make([]int64, len(l.links))
	r.cheapest(d, l, costs, counts)
	for range mostRounds {
		worst, most, mean := 0, int64(-1), int64(math.MinInt64)
		for i, link := range l.links {
			over := l.pairs[i] - r.limits[link]
			for z, m := range counts {
				over += m * l.with[i][z]
			}
			if over > most {
				worst, most = i, over
			}
			sums[i] += over
			mean = max(mean, sums[i])
		}
		if most <= 0 || mean <= 0 {
			return false
		}
		weights[worst]++
		limit += r.limits[l.links[worst]] - l.pairs[worst]
		for z, v := range l.with[worst] {
			costs[z] += v
		}
		if r.cheapest(d, l, costs, counts) > limit {
			if outer, ok := r.outerOf(d, l, costs, limit); ok {
				var list []steps.LinkWeight
				for i, w := range weights {
					if w > 0 {
						list = append(list, steps.LinkWeight{Link: l.links[i], Weight: w})
					}
				}
				r.to.Weigh(r.to.Weighting(list), steps.Identity, r.to.View(outer, nil))
				return true
			}
		}
	}
	return false
}

// cheapest finds how many processors besides the known ones of a line the slabs have that cost the least together, and
// returns what they cost.
func (r *refuter) cheapest(d *dimension, l *line, costs, counts []int64) (total int64) {
	left := int64(r.size)
	for z, s := range d.slabs {
		counts[z] = int64(r.Lo[s]) - l.on[z]
		left -= int64(r.Lo[s])
		total += counts[z] * costs[z]
	}
	for left > 0 {
		best, room := -1, int64(0)
		for z, s := range d.slabs {
			if free := int64(r.Hi[s]) - l.on[z] - counts[z]; free > 0 && (best < 0 || costs[z] < costs[best]) {
				best, room = z, free
			}
		}
		if best < 0 {
			return total
		}
		m := min(left, room)
		counts[best], left, total = counts[best]+m, left-m, total+m*costs[best]
	}
	return total
}

// outerOf returns sets of which the processors besides the known ones of a line cost more than a limit.
func (r *refuter) outerOf(d *dimension, l *line, costs []int64, limit int64) (outer []steps.Set, ok bool) {
	for _, least := range costs { // of a slab of those that are taken together
		together, total, count := uint64(0), int64(0), int64(r.size)
		outer = outer[:0]
		for z, s := range d.slabs {
			switch {
			case costs[z] >= least:
				together |= 1 << z
				count -= l.on[z]
			default:
				count -= int64(r.Hi[s])
				if m := int64(r.Lo[s]) - l.on[z]; m > 0 {
					total += m * costs[z]
					outer = append(outer, s)
				}
			}
		}
		if total+count*least <= limit {
			continue
		}
		s, there := d.unions[together]
		if !there && r.wanted != nil {
			*r.wanted = append(*r.wanted, union{d, together})
			d.unions[together], there = s, true
		}
		if there {
			return append(outer, s), true
		}
	}
	return nil, false
}

// A union is slabs of a dimension whose count a proof looks at.
type union struct {
	*dimension
	slabs uint64
}

// mostScouted is how many steps are looked at to find unions.
const mostScouted = 1 << 16

// addUnions defines the unions of slabs by which contents of the first line are closed.
func (r *refuter) addUnions() error {
	var wanted []union
	scout := r.newScout(mostScouted)
	scout.wanted = &wanted
	if err := scout.tentatively(scout.chooseLine); err != nil && !errors.Is(err, errMost) {
		return err
	}
	for _, u := range wanted {
		var nodes []int
		for v := range r.torus.N() {
			if u.slabs>>r.torus.Coord(v, u.s)&1 == 1 {
				nodes = append(nodes, v)
			}
		}
		s := r.set(nodes)
		u.unions[u.slabs], r.waiting = s, append(r.waiting, nil)
		parts := []steps.Set{s}
		for x, slab := range u.dimension.slabs {
			if u.slabs>>x&1 == 0 {
				parts = append(parts, slab)
			}
		}
		r.declare(steps.All, parts)
	}
	r.root = r.Clone()
	return nil
}
