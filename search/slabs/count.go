package slabs

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/steps"
)

// A dimension is the slabs across it, and the links between them.
type dimension struct {
	s, k, room int // room: nodes of a slab
	slabs      []steps.Set
	parts      [][]steps.Set // by number of slabs that are counted by themselves: these, and the others together
	cuts       []cut
	owns       []*own // with fewLines
}

// A cut is links along a dimension that leave slabs, each for a direction, and by two slabs what a processor in each
// exchange over them.
type cut struct {
	exits []exit
	pair  [][]int64
	side  []int // by slab: those of side 1 exchange something with those of side 2 only
}

type exit struct {
	slab int
	dir  core.Dir
}

// newDimension defines the slabs across dimension s and their sums.
func (r *refuter) newDimension(s int, lines bool) *dimension {
	t := r.torus
	d := &dimension{s: s, k: t.Slabs(s), room: t.N() / t.Slabs(s)}
	for x := range d.k {
		var nodes []steps.Set
		slab := r.set(func(v int) int {
			if t.Slab(v, s) != x {
				return 0
			}
			nodes = append(nodes, steps.Node(v))
			return 1
		})
		r.Sum(slab, nodes, nil)
		d.slabs = append(d.slabs, slab)
	}
	suffix := d.slabs[d.k-1]
	d.parts = make([][]steps.Set, d.k+1)
	d.parts[d.k] = d.slabs
	for x := d.k - 1; x >= 0; x-- {
		if x < d.k-1 {
			after := suffix
			suffix = r.set(func(v int) int {
				if t.Slab(v, s) < x {
					return 0
				}
				return 1
			})
			r.Declare(r.to, suffix, []steps.Set{d.slabs[x], after}, nil)
		}
		d.parts[x] = append(slices.Clone(d.slabs[:x]), suffix)
	}
	r.addCuts(d)
	if lines {
		r.addOwn(d)
	}
	return d
}

// addCuts lists the exits of every slab, and those of all bands of neighbouring slabs of a ring.
func (r *refuter) addCuts(d *dimension) {
	twisted := r.torus.Twisted()
	for x := range d.k {
		for _, dir := range [2]core.Dir{core.Plus, core.Minus} {
			if !twisted {
				d.cuts = append(d.cuts, cut{exits: []exit{{x, dir}}})
			}
		}
		for length := 1; length <= d.k/2 && (d.k > 2 || twisted) && !r.torus.Open(d.s); length++ {
			d.cuts = append(d.cuts, cut{exits: []exit{{x, core.Minus}, {(x + length - 1) % d.k, core.Plus}}})
		}
	}
	for i := range d.cuts {
		c := &d.cuts[i]
		for range d.k {
			c.pair = append(c.pair, make([]int64, d.k))
		}
		for x := range d.k {
			for z := range x {
				if len(c.exits) == 1 || c.inBand(x) != c.inBand(z) { // not what passes a band
					c.pair[x][z] = r.unit // any path leaves a band
					if !twisted {
						c.pair[x][z] = r.crossing(d, c.exits, x, z) + r.crossing(d, c.exits, z, x)
					}
					c.pair[z][x] = c.pair[x][z]
				}
			}
		}
	}
	for i := range d.cuts {
		d.cuts[i].divide()
	}
	d.cuts = slices.DeleteFunc(d.cuts, func(c cut) bool { return c.side == nil })
}

// inBand reports whether a slab is in the band of two exits, down from its first slab and up from its last.
func (c *cut) inBand(x int) bool {
	k := len(c.pair)
	return (x-c.exits[0].slab+k)%k <= (c.exits[1].slab-c.exits[0].slab+k)%k
}

// divide finds the sides of a cut; none where nothing crosses.
func (c *cut) divide() {
	side := make([]int, len(c.pair))
	var visit func(x, to int)
	visit = func(x, to int) {
		side[x], c.side = to, side
		for z, amount := range c.pair[x] {
			if amount > 0 && side[z] == 0 {
				visit(z, 3-to)
			}
		}
	}
	for x, row := range c.pair {
		if side[x] == 0 && slices.Max(row) > 0 {
			visit(x, 1)
		}
	}
}

// crossing returns how much of a message from one slab to another takes some exits at least.
func (r *refuter) crossing(d *dimension, exits []exit, from, to int) int64 {
	ways := r.torus.Ways(d.s, from, to, !r.tiesPlus())
	var least, total int64
	for i, dir := range ways {
		sum := int64(0)
		for x := from; x != to; x = (x + int(dir) + d.k) % d.k {
			if slices.Contains(exits, exit{x, dir}) {
				sum += r.unit
			}
		}
		if total += sum; i == 0 || sum < least {
			least = sum
		}
	}
	if r.halves() {
		return total / int64(len(ways))
	}
	return least
}

// tiesPlus reports whether every message that could go either way around a ring goes up, halves whether half of them
// go each way.
func (r *refuter) tiesPlus() bool {
	_, avoids := r.Routing.(*routing.Avoid)
	return r.Routing.Tie() == routing.TiePlus && (avoids || r.fixed()) && r.Free == nil
}

func (r *refuter) halves() bool {
	return r.Routing.Tie() == routing.TieBoth && r.fixed() && r.Free == nil
}

func (r *refuter) fixed() bool {
	_, minimal := r.Routing.(*routing.Minimal)
	_, orders := r.Routing.(*routing.Orders)
	return minimal || orders
}

// A tree is what is asked of the counts of the slabs of a dimension.
type tree struct {
	*dimension
	loads   []loaded
	pattern *pattern // nil: none
}

// Loaded links have a limit, and what processors in slabs exchange over them.
type loaded struct {
	cut
	links []steps.LinkWeight
	limit int64
}

// newTree returns the tree of a dimension: only lines whose coordinates are those of slabs that can have processors
// carry something, if paths correct one dimension after the other.
func (r *refuter) newTree(d *dimension, across []*dimension) *tree {
	tr := &tree{dimension: d}
	for _, c := range d.cuts {
		list := r.linksOf(d.s, c.exits, func(v int) bool {
			for _, o := range across {
				if o != d && r.Hi[o.slabs[r.torus.Slab(v, o.s)]] == 0 {
					return false
				}
			}
			return true
		})
		tr.loads = append(tr.loads, loaded{c, list, r.limitOf(list)})
	}
	return tr
}

// linksOf returns the links along a dimension that leave slabs from some nodes.
func (r *refuter) linksOf(s int, exits []exit, from func(v int) bool) (list []steps.LinkWeight) {
	t := r.torus
	for l := range t.EachLink() {
		v, port := t.LinkFrom(l)
		if port.Dim == s && slices.Contains(exits, exit{t.Slab(v, s), port.Dir}) && from(v) {
			list = append(list, steps.LinkWeight{Link: int(l), Weight: 1})
		}
	}
	return list
}

// limitOf returns the most that weighted links carry together.
func (r *refuter) limitOf(list []steps.LinkWeight) (limit int64) {
	for _, l := range list {
		limit += int64(l.Weight) * r.limits[l.Link]
	}
	if r.strict && len(list) > 0 {
		limit--
	}
	return limit
}

// count closes the case in which the slabs before z are counted by all counts of the others.
func (r *refuter) count(tr *tree, z int) error {
	if r.Crossed {
		r.to.Crossed()
		return nil
	}
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if r.closed(tr, z) {
		return nil
	}
	if z == tr.k || r.work < 0 {
		return ErrOpen
	}
	s := tr.slabs[z]
	return r.Tentatively(func() error {
		for v := r.Lo[s]; v < r.Hi[s]; v = r.Lo[s] {
			r.to.SplitLow(s, v+1)
			if err := r.Tentatively(func() error { r.Bound(s, v, v); return r.count(tr, z+1) }); err != nil {
				return err
			}
			if r.Bound(s, v+1, r.Hi[s]); r.Crossed {
				r.to.Crossed()
				return nil
			}
			if r.closed(tr, z+1) {
				return nil
			}
		}
		return r.count(tr, z+1)
	})
}

// closed closes the branch if some links carry too much with what is known of the first slabs, and of the others
// together.
func (r *refuter) closed(tr *tree, known int) bool {
	r.work -= int64(len(tr.loads) * (known + 1) * tr.k)
	counts, rest := make([]int64, known), int64(0)
	for x := range counts {
		counts[x] = int64(r.Lo[tr.slabs[x]])
	}
	if known < tr.k {
		rest = int64(r.Lo[tr.parts[known][known]])
	}
	for _, l := range tr.loads {
		total, with := int64(0), make([]int64, tr.k) // with: what the counted slabs exchange with one processor, by slab
		for x, c := range counts {
			for z := range with {
				with[z] += c * l.pair[x][z]
			}
			total += c * with[x]
		}
		outer := r.sideOf(tr, &l.cut, known)
		if outer > 0 {
			total += rest * r.leastOf(tr, known, with)
		}
		if total > l.limit {
			var sides [3][]steps.Set
			for x, s := range tr.slabs[:known] {
				if counts[x] > 0 {
					sides[l.side[x]] = append(sides[l.side[x]], s)
				}
			}
			if outer > 0 && rest > 0 {
				sides[outer] = append(sides[outer], tr.parts[known][known])
			}
			outer = max(outer, 1)
			r.weigh(l.links, sides[outer], sides[3-outer])
			return true
		}
		if outer > 0 || rest == 0 {
			continue
		}
		total = 2*total + rest*r.leastOf(tr, known, with)
		for x, c := range counts {
			total += c * rest * r.leastOf(tr, known, l.pair[x])
		}
		if total > 2*l.limit {
			r.weigh(l.links, tr.parts[known], tr.parts[known])
			return true
		}
	}
	return tr.pattern != nil && r.crammed(tr, known, counts, rest)
}

// sideOf returns the side of a cut that all slabs from one on have which can have processors, 0 if they differ.
func (r *refuter) sideOf(tr *tree, c *cut, from int) int {
	var list []int
	for z := from; z < tr.k; z++ {
		if r.Hi[tr.slabs[z]] > 0 {
			list = append(list, c.side[z])
		}
	}
	if len(list) == 0 || slices.Min(list) < slices.Max(list) {
		return 0
	}
	return list[0]
}

// leastOf returns the least of some numbers, by slab, of those from one on that can have processors; 0 without any.
func (r *refuter) leastOf(tr *tree, from int, numbers []int64) (least int64) {
	first := true
	for z := from; z < tr.k; z++ {
		if r.Hi[tr.slabs[z]] > 0 && (first || numbers[z] < least) {
			first, least = false, numbers[z]
		}
	}
	return least
}

// alone refutes by the counts of the slabs of one dimension.
func (r *refuter) alone(dims []*dimension) error {
	d := dims[0]
	if !r.even {
		return r.count(r.newTree(d, nil), 0)
	}
	for t := r.fewest(d); t <= min(d.room, r.Size); t++ {
		if _, err := r.lemma(full(d, t), func() error { return r.count(r.newTree(d, nil), 0) }); err != nil {
			return err
		}
	}
	for t := min(d.room, r.Size); ; t-- {
		for x, s := range d.slabs {
			if r.exclude(s, t, r.lemmas[keyOf(full(d, t))], x*r.torus.Stride(d.s)) {
				return nil
			}
		}
	}
}

// fewest returns the least that a fullest slab has.
func (r *refuter) fewest(d *dimension) int { return (r.Size + d.k - 1) / d.k }

// full returns the premises that slab 0 of a dimension has t processors, and no slab more.
func full(d *dimension, t int) []steps.Premise {
	return append(atMost(d, t), steps.Premise{Set: d.slabs[0], AtLeast: true, Number: t})
}

// atMost returns the premises that no slab has more than t.
func atMost(d *dimension, t int) (list []steps.Premise) {
	for _, s := range d.slabs {
		list = append(list, steps.Premise{Set: s, Number: t})
	}
	return list
}
