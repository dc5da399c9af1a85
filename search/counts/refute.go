// Package counts proves that no placement of a size has E_max below a value by cases over how many processors slabs
// have, then lines, then nodes, and writes the proof as steps (docs/steps.md).
package counts

import (
	"context"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
)

// Name is that of the engine.
const Name = "counts"

// A PlacementError says that there is no refutation: a placement answers the question.
type PlacementError struct{ Placement core.Placement }

func (e *PlacementError) Error() string { return "a placement is below the value" }

// Refutes returns nil for problems that Refute takes, else an *search.UnsupportedError.
func Refutes(p objective.Problem) error {
	switch {
	case p.Traffic.Clients():
		return search.Unsupported(Name, p, "client traffic")
	case p.Routing.DependsOnPlacement():
		return search.Unsupported(Name, p, "its paths depend on the processors")
	case p.Near.Asked():
		return search.Unsupported(Name, p, "it knows no radius and no distance")
	}
	return nil
}

// Refute writes, as steps, that no placement of a problem has E_max below a value.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	if err := Refutes(p); err != nil {
		return err
	}
	r, err := newRefuter(ctx, p, below, to)
	if err != nil {
		return err
	}
	if err := r.begin(); err != nil {
		return err
	}
	return to.Flush()
}

// A refuter writes one proof.
type refuter struct {
	branch
	ctx    context.Context
	to     *steps.Writer
	torus  *core.Torus
	size   int
	flows  *pairFlows
	limits []int64 // by link
	dims   []*dimension
	keys   []steps.Set

	elements []*element
	alive    []*element // those that may take placements of the branch to greater ones

	single  []steps.Weighting // by link, -1 before it is used
	without []steps.Weighting // by link: all parallel to it
	views   map[string]steps.View
	full    *line // the line that is known to have the most processors, nil before one is chosen
	at      at
	active  []active
	rests   [][]linkShare
}

// A dimension is what is known of slabs across it and of lines along it.
type dimension struct {
	s, k     int
	slabs    []steps.Set
	suffixes []steps.Set // from each slab on: together
	classes  []*class
	lines    []*line // along it
	of       []*line // by node
}

// A class is parallel links: all that leave a slab the same way.
type class struct {
	links     []int
	weighting steps.Weighting // -1 before it is used
	limit     int64
	pair      [][]int64 // by slabs: the least that a processor of each put on the links together, both directions
}

// A line is the nodes that differ in one dimension only.
type line struct {
	nodes []int
	set   steps.Set // -1: it has no number
	links []int
	own   [][][]int64 // by link, place and slab: the least that a processor at the place and one in the slab put on it
	most  [][][]int64 // by link, place and slab: the most that a processor at the place and one in the slab, off the line, put on it
	rest  [][][]int64 // by link and two places: what processors there put on it together beyond that
	both  [][][]int64 // by link and two places: what processors there put on it
	fits  uint        // places of a content that was found to fit
	begun bool
}

// An element is a symmetry with what it does to keys and nodes.
type element struct {
	images, inverse []int
	mask            uint
	number          steps.Element // -1 before it is used
	from            []steps.Set   // by key: the set that it takes to it, -1 if it has no number
}

func newRefuter(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) (*refuter, error) {
	t := p.Torus()
	flows, err := newPairFlowsOf(ctx, p)
	if err != nil {
		return nil, err
	}
	r := &refuter{ctx: ctx, to: to, torus: t, size: p.Size, flows: flows, views: map[string]steps.View{}}
	for l := range t.M() {
		r.limits = append(r.limits, flows.limit(t, core.Link(l), below))
		r.single, r.without = append(r.single, -1), append(r.without, -1)
	}
	r.add(t.N())
	for range t.N() {
		r.add(1)
	}
	for s := t.D() - 1; s >= 0; s-- {
		r.dims = append(r.dims, r.newDimension(s))
	}
	r.lines()
	r.restsOf()
	r.chooseKeys()
	g, err := p.Group(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.turnings(g); err != nil {
		return nil, err
	}
	r.bound(steps.All, p.Size, p.Size)
	for v := range t.N() {
		switch {
		case p.MustHave(v):
			r.bound(steps.Node(v), 1, 1)
		case !p.MayHave(v):
			r.bound(steps.Node(v), 0, 0)
		}
	}
	return r, nil
}

// set defines a set of nodes.
func (r *refuter) set(nodes []int) steps.Set {
	if len(nodes) == 1 {
		return steps.Node(nodes[0])
	}
	r.add(len(nodes))
	return r.to.Set(nodes)
}

// newDimension defines the slabs across dimension s, and their sums.
func (r *refuter) newDimension(s int) *dimension {
	t := r.torus
	d := &dimension{s: s, k: t.Side(s), of: make([]*line, t.N())}
	members := make([][]int, d.k)
	for v := range t.N() {
		members[t.Coord(v, s)] = append(members[t.Coord(v, s)], v)
	}
	for x := range d.k {
		set := r.set(members[x])
		d.slabs, d.suffixes = append(d.slabs, set), append(d.suffixes, set)
		r.sum(set, nodeSets(members[x]))
	}
	d.suffixes[0] = steps.All
	tail := slices.Clone(members[d.k-1])
	for x := d.k - 2; x >= 0; x-- {
		tail = append(tail, members[x]...)
		if x > 0 {
			slices.Sort(tail)
			d.suffixes[x] = r.set(tail)
		}
		parts := []steps.Set{d.slabs[x], d.suffixes[x+1]}
		r.sum(d.suffixes[x], parts)
		r.to.Sum(d.suffixes[x], []steps.Part{{Set: parts[0], Times: 1}, {Set: parts[1], Times: 1}})
	}
	r.classify(d)
	return d
}

func nodeSets(nodes []int) (list []steps.Set) {
	for _, v := range nodes {
		list = append(list, steps.Node(v))
	}
	return list
}

// classify finds the classes of links along a dimension and what slabs put on them.
func (r *refuter) classify(d *dimension) {
	t := r.torus
	at := map[[2]int]*class{}
	of := make([]*class, t.M())
	for l := range t.M() {
		if !t.HasLink(core.Link(l)) {
			continue
		}
		from, port := t.LinkFrom(core.Link(l))
		if port.Dim != d.s {
			continue
		}
		key := [2]int{t.Coord(from, d.s), int(port.Dir)}
		c := at[key]
		if c == nil {
			c = &class{weighting: -1}
			for range d.k {
				row := slices.Repeat([]int64{math.MaxInt64}, d.k)
				c.pair = append(c.pair, row)
			}
			at[key] = c
			d.classes = append(d.classes, c)
		}
		c.links, c.limit, of[l] = append(c.links, l), c.limit+r.limits[l], c
	}
	sums := map[*class]int64{}
	for v := range t.N() {
		for u := range v {
			clear(sums)
			for _, s := range r.flows.between(u, v) {
				if c := of[s.link]; c != nil {
					sums[c] += s.amount
				}
			}
			x, z := t.Coord(u, d.s), t.Coord(v, d.s)
			for _, c := range d.classes {
				c.pair[x][z] = min(c.pair[x][z], sums[c])
				c.pair[z][x] = c.pair[x][z]
			}
		}
	}
	var kept []*class
	for _, c := range d.classes {
		for x := range d.k {
			for z := range d.k {
				if c.pair[x][z] == math.MaxInt64 {
					c.pair[x][z] = 0 // slabs of one node
				}
			}
		}
		if !slices.ContainsFunc(kept, func(o *class) bool {
			return o.limit == c.limit && slices.EqualFunc(o.pair, c.pair, slices.Equal)
		}) {
			kept = append(kept, c)
		}
	}
	d.classes = kept
}

// lines finds the lines, and what processors on them and in slabs put on their links.
func (r *refuter) lines() {
	t := r.torus
	on := make([]*line, t.M())
	index := make([]int, t.M()) // of the link on its line
	for i, d := range r.dims {
		for v := range t.N() {
			if x := t.Coord(v, d.s); x > 0 {
				d.of[v] = d.of[v-x*t.Stride(d.s)]
			} else {
				d.of[v] = &line{set: -1}
				d.lines = append(d.lines, d.of[v])
			}
			d.of[v].nodes = append(d.of[v].nodes, v)
		}
		if len(r.dims) == 2 {
			for y, l := range d.lines {
				l.set = r.dims[1-i].slabs[y]
			}
		}
		for l := range t.M() {
			if !t.HasLink(core.Link(l)) {
				continue
			}
			from, port := t.LinkFrom(core.Link(l))
			if port.Dim != d.s {
				continue
			}
			line := d.of[from]
			on[l], index[l] = line, len(line.links)
			line.links = append(line.links, l)
			own := make([][]int64, d.k)
			for x := range own {
				own[x] = slices.Repeat([]int64{math.MaxInt64}, d.k)
			}
			line.own = append(line.own, own)
			most := make([][]int64, d.k)
			for x := range most {
				most[x] = make([]int64, d.k)
			}
			line.most = append(line.most, most)
		}
	}
	for _, d := range r.dims {
		count := map[[3]int]int{} // of partners that put something on a link
		for v := range t.N() {
			for u := range v {
				for _, s := range r.flows.between(u, v) {
					l := int(s.link)
					if _, port := t.LinkFrom(s.link); port.Dim != d.s {
						continue
					}
					for _, e := range [2][2]int{{u, v}, {v, u}} {
						if line := on[l]; d.of[e[0]] == line {
							x, z := t.Coord(e[0], d.s), t.Coord(e[1], d.s)
							line.own[index[l]][x][z] = min(line.own[index[l]][x][z], s.amount)
							count[[3]int{l, x, z}]++
							if d.of[e[1]] != line {
								line.most[index[l]][x][z] = max(line.most[index[l]][x][z], s.amount)
							}
						}
					}
				}
			}
		}
		for _, line := range d.lines {
			for i, l := range line.links {
				for x := range d.k {
					for z := range d.k {
						want := t.N() / d.k
						if x == z {
							want--
						}
						if count[[3]int{l, x, z}] < want || want == 0 {
							line.own[i][x][z] = 0
						}
					}
				}
			}
		}
	}
}

// restsOf finds what pairs put on links beyond what own counts.
func (r *refuter) restsOf() {
	t := r.torus
	for v := range t.N() {
		for u := range v {
			var list []linkShare
			for _, s := range r.flows.between(u, v) {
				_, port := t.LinkFrom(s.link)
				for _, d := range r.dims {
					if d.s != port.Dim {
						continue
					}
					x, y := t.Coord(u, d.s), t.Coord(v, d.s)
					from, _ := t.LinkEnds(s.link)
					l := d.of[from]
					i := slices.Index(l.links, int(s.link))
					amount := s.amount
					if d.of[u] == l {
						s.amount -= l.own[i][x][y]
					}
					if d.of[v] == l {
						s.amount -= l.own[i][y][x]
					}
					if d.of[u] == l && d.of[v] == l {
						if l.rest == nil {
							for range l.links {
								square := make([][]int64, d.k)
								for a := range square {
									square[a] = make([]int64, d.k)
								}
								l.rest = append(l.rest, square)
								square = make([][]int64, d.k)
								for a := range square {
									square[a] = make([]int64, d.k)
								}
								l.both = append(l.both, square)
							}
						}
						l.rest[i][x][y], l.rest[i][y][x] = s.amount, s.amount
						l.both[i][x][y], l.both[i][y][x] = amount, amount
					}
				}
				if s.amount != 0 {
					list = append(list, s)
				}
			}
			r.rests = append(r.rests, list)
		}
	}
}

// chooseKeys lets the count of one line come first, then those of all slabs.
func (r *refuter) chooseKeys() {
	if d := r.dims[0]; d.lines[0].set >= 0 && r.torus.Closed() {
		r.keys = append(r.keys, d.lines[0].set)
		for _, v := range d.lines[0].nodes {
			r.keys = append(r.keys, steps.Node(v))
		}
	}
	for _, d := range r.dims {
		for _, s := range d.slabs {
			if !slices.Contains(r.keys, s) {
				r.keys = append(r.keys, s)
			}
		}
	}
	r.to.Keys(r.keys)
}

// turnings lists the symmetries but the identity.
func (r *refuter) turnings(g *symmetry.Group) error {
	t := r.torus
	sets := map[[2]int]steps.Set{}
	slabOf := func(s steps.Set) (dim, x int, ok bool) {
		for _, d := range r.dims {
			if x := slices.Index(d.slabs, s); x >= 0 {
				return d.s, x, true
			}
		}
		return 0, 0, false
	}
	for _, d := range r.dims {
		for x, s := range d.slabs {
			sets[[2]int{d.s, x}] = s
		}
	}
	for i := range g.Points() {
		mask, ok := uint(0), false
		for _, shift := range g.Shifts() {
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			images := g.Images(i, shift)
			if !ok {
				if mask, ok = r.flows.mask(t, images); !ok {
					break
				}
			}
			e := &element{images: images, inverse: make([]int, len(images)), mask: mask, number: -1}
			same := true
			for v, w := range images {
				e.inverse[w] = v
				same = same && v == w
			}
			if same {
				continue
			}
			for _, key := range r.keys {
				e.from = append(e.from, -1)
				if key <= steps.Set(t.N()) && key > 0 {
					e.from[len(e.from)-1] = steps.Node(e.inverse[key-1])
					continue
				}
				dim, x, ok := slabOf(key)
				if !ok {
					continue
				}
				// The nodes of the key come from a slab where they share a coordinate.
				var first []int
				shared := make([]bool, t.D())
				for j := range shared {
					shared[j] = true
				}
				for v := range t.N() {
					if t.Coord(v, dim) != x {
						continue
					}
					c := t.Coords(e.inverse[v])
					if first == nil {
						first = c
					}
					for j := range c {
						shared[j] = shared[j] && c[j] == first[j]
					}
				}
				for j := range shared {
					if shared[j] && t.Side(j) == t.Side(dim) {
						e.from[len(e.from)-1] = sets[[2]int{j, first[j]}]
						break
					}
				}
			}
			r.elements = append(r.elements, e)
		}
	}
	r.alive = r.elements
	return nil
}
