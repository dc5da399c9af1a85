// Package counts proves that no placement of a size has E_max below a value, and writes the proof as steps
// (docs/steps.md). It goes by cases: how many processors a line has and where, how many the slabs of one dimension
// after the other have, and where they are.
//
// A slab are the nodes of one coordinate, a line those that differ in one only. What crosses from slab to slab is
// known from their counts, and so is nearly all that the processors of a line put on its links. So a link of a line
// whose processors are known carries too much under most counts.
package counts

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/flows"
)

// Name is that of the engine.
const Name = "counts"

// mostNodes bounds the nodes, for all pairs of which there are tables; mostNumbers bounds the tables of what places and
// slabs put on links.
const (
	mostNodes   = 1 << 9
	mostNumbers = 1 << 24
)

// A PlacementError says that there is no refutation: a placement answers the question.
type PlacementError struct{ Placement core.Placement }

func (e *PlacementError) Error() string { return "a placement is below the value" }

// Refutes returns nil for problems that Refute takes, else an *search.UnsupportedError: paths that do not depend on the
// processors, up to 512 nodes and sides of 64.
func Refutes(p objective.Problem) error {
	t := p.Torus()
	switch den := p.Routing.Denominator(); {
	case routing.ByPair(p.Routing):
		return search.Unsupported(Name, p, "translations change the paths of a table by pair")
	case p.Routing.DependsOnPlacement():
		return search.Unsupported(Name, p, "its paths depend on the processors")
	case !routing.Shortest(p.Routing) || !routing.Shortest(p.ReplyRouting()):
		return search.Unsupported(Name, p, "its paths are longer than the shortest, so slab counts do not say what crosses")
	case !t.HasDimensions():
		return search.Unsupported(Name, p, "the network has no slabs and lines")
	case t.N() > mostNodes:
		return search.Unsupported(Name, p, "the network has %d nodes; the most is %d", t.N(), mostNodes)
	case den == nil || den.BitLen() > 40 || p.Denominator().BitLen() > 40:
		return search.Unsupported(Name, p, "the denominator of its loads is too large")
	}
	for s := range t.D() {
		if k := t.Side(s); k > 64 || t.M()*k*k > mostNumbers {
			return search.Unsupported(Name, p, "a side is %d long", k)
		}
	}
	return nil
}

// Refute writes, as steps, that no placement of a problem has E_max below a value. Errors are
// *search.UnsupportedError, *PlacementError, those of writing and the context's. Cost: some 5 us a step.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	if err := Refutes(p); err != nil {
		return err
	}
	plans := []plan{{lineFirst: true, most: 1 << 15}, {lineFirst: true, deep: true}}
	switch t := p.Torus(); {
	case t.D() > 2:
		plans = []plan{{lineFirst: true, most: 1 << 13}, {deep: true, most: 1 << 13}, {lineFirst: true, most: 1 << 16},
			{deep: true}}
	case !t.Closed():
		plans = []plan{{deep: true}}
	}
	about, err := learn(ctx, p)
	if err != nil {
		return err
	}
	chosen, err := to.Choose(func() (int, error) {
		for i, q := range plans[:len(plans)-1] {
			if err := q.write(ctx, about, below, to.Draft()); !errors.Is(err, errMost) {
				return i, err
			}
		}
		return len(plans) - 1, nil
	})
	if err != nil {
		return err
	}
	q := plans[min(chosen, len(plans)-1)]
	q.most = 0
	return q.write(ctx, about, below, to)
}

// A subject is a problem with what plans need to know of it.
type subject struct {
	objective.Problem
	flows *flows.Table
	group *symmetry.Group
}

func learn(ctx context.Context, p objective.Problem) (subject, error) {
	table, err := flows.New(ctx, p)
	if err != nil {
		return subject{}, err
	}
	g, err := fast.Group(ctx, p)
	return subject{p, table, g}, err
}

// A plan is a way to go by cases: with what a line holds first, or with the counts of slabs. It takes at most a
// number of steps, 0: any number.
type plan struct {
	lineFirst bool
	deep      bool // the counts of some slabs bound those of lines, and of slabs of another dimension
	most      int64
}

var errMost = errors.New("counts: more steps than the plan may take")

func (q plan) write(ctx context.Context, p subject, below *big.Rat, to *steps.Writer) error {
	r, err := newRefuter(ctx, p, below, to, q)
	if err != nil {
		return err
	}
	prove := r.count
	if r.slab = -1; q.lineFirst {
		prove = r.chooseLine
		if err := r.addUnions(); err != nil {
			return err
		}
	}
	if r.Crossed {
		to.Crossed()
	} else if err := prove(); err != nil {
		return err
	}
	return to.Flush()
}

// A refuter writes one proof.
type refuter struct {
	plan
	steps.Branch
	root    steps.Branch // before the first case
	ctx     context.Context
	to      *steps.Writer
	torus   *core.Torus
	size    int
	near    objective.Near
	flows   *flows.Table
	limits  []int64 // by link
	clients bool
	dims    []*dimension
	keys    []steps.Set

	alive   int          // symmetries that may take placements of the branch to greater ones
	waiting [][]*element // by set: those that wait, or have waited, for its bounds to change
	moved   []wait       // from where elements have moved on

	at      *dimension // whose slabs are being counted
	slab    int        // up to which they are; all at the end
	known   []onLine   // lines of which nodes are known
	placing bool       // all slabs are counted

	links []linkPlace     // by link
	alone [][]flows.Share // by node: what it puts on links by itself beyond what the counts of slabs have it put there
	rests [][]flows.Share // by pairs of flows: what excess returns, nil before it is asked for

	members [][]int // by set: its nodes
	load    []int64 // by link, and those who put it there
	taken   []int

	loads []int64 // room for what the links of a line carry with more and more of its places

	numbers  map[*element]steps.Element
	scout    *refuter
	wanted   *[]union          // of a scout that looks for them: those of which the counts would close a case
	supposed bool              // it is the proof of a lemma
	visits   int               // cases until errOpen, none at 0
	widths   map[string]*width // of lines, by dimension and counts of slabs
}

// An onLine is a line with its dimension.
type onLine struct {
	*dimension
	line *line
}

// A linkPlace is the line that a link is on, with its place among those of the line.
type linkPlace struct {
	onLine
	class *class
	place int
}

// An element is a symmetry with what it does to keys and nodes.
type element struct {
	images, inverse []int
	mask            uint
	from            []steps.Set // by key: the set that it takes there, -1 if that has no number
	at              int         // the first of the pairs by which it is judged that may differ, -1: it is out
	listed          []bool      // by set: whether it stands with those that wait for it
}

func newRefuter(ctx context.Context, p subject, below *big.Rat, to *steps.Writer, q plan) (*refuter, error) {
	t := p.Torus()
	r := &refuter{plan: q, ctx: ctx, to: to, torus: t, size: p.Size, near: p.InSteps(), flows: p.flows,
		widths: map[string]*width{}, numbers: map[*element]steps.Element{}}
	r.limits, r.clients = p.flows.Limits(t, below, false), p.Traffic.Clients()
	r.rests = make([][]flows.Share, len(p.flows.Pairs))
	r.Add(t.N())
	r.members = append(r.members, core.Range(t.N()))
	for v := range t.N() {
		r.Add(1)
		r.members = append(r.members, []int{v})
	}
	r.load = make([]int64, t.M())
	var balls [][]int
	if p.Radius > 0 {
		balls = p.Balls(p.Radius)
	}
	for _, nodes := range balls {
		r.Add(len(nodes))
		r.members = append(r.members, nodes)
		r.Sum(steps.Set(len(r.Lo)-1), nodeSets(nodes), nil)
	}
	for len(r.Lo) < to.Sets() { // of links under client traffic, which steps leave alone
		r.Add(math.MaxInt32)
		r.members = append(r.members, nil)
	}
	for s := t.D() - 1; s >= 0; s-- {
		r.dims = append(r.dims, r.newDimension(s))
	}
	for _, d := range r.dims {
		r.numberLines(d)
	}
	for _, d := range r.dims { // after the sums of larger sets
		for x, s := range d.slabs {
			var members []steps.Set
			for v := range t.N() {
				if t.Coord(v, d.s) == x {
					members = append(members, steps.Node(v))
				}
			}
			r.Sum(s, members, nil)
		}
	}
	r.table()
	r.restAlone()
	r.at, r.waiting = r.dims[0], make([][]*element, len(r.Lo))
	for _, d := range r.dims {
		r.loads = slices.Grow(r.loads, len(d.lines[0].links)*(d.k+1))
	}
	r.chooseKeys()
	if err := r.turnings(p.group); err != nil {
		return nil, err
	}
	r.Bound(steps.All, p.Size, p.Size)
	for i, nodes := range balls {
		r.Bound(steps.Set(1+t.N()+i), 1, len(nodes))
	}
	for v := range t.N() {
		switch {
		case p.MustHave(v):
			r.Bound(steps.Node(v), 1, 1)
		case !p.MayHave(v):
			r.Bound(steps.Node(v), 0, 0)
		}
	}
	r.root = r.Clone()
	return r, nil
}

// restAlone finds what single processors put on links beyond what the counts of slabs have them put there.
func (r *refuter) restAlone() {
	r.alone = make([][]flows.Share, r.torus.N())
	for v := range r.alone {
		for _, s := range r.flows.Alone[v] {
			at := r.links[s.Link]
			if at.of[v] == at.line {
				continue // base has it
			}
			if s.Amount -= at.line.outer[at.place][r.torus.Coord(v, at.s)]; s.Amount > 0 {
				r.alone[v] = append(r.alone[v], s)
			}
		}
	}
}

// set returns the set of some nodes, ascending, which it defines if there are several.
func (r *refuter) set(nodes []int) steps.Set {
	switch len(nodes) {
	case 1:
		return steps.Node(nodes[0])
	case r.torus.N():
		return steps.All
	}
	r.Add(len(nodes))
	r.members = append(r.members, slices.Clone(nodes))
	return r.to.Set(nodes)
}

// declare defines a sum of sets.
func (r *refuter) declare(whole steps.Set, parts []steps.Set) { r.Declare(r.to, whole, parts, nil) }

func nodeSets(nodes []int) (list []steps.Set) {
	for _, v := range nodes {
		list = append(list, steps.Node(v))
	}
	return list
}

// chooseKeys lets the count of the first line come first where all lines are alike, then its nodes, then the counts of
// all slabs.
func (r *refuter) chooseKeys() {
	if first := r.dims[0].lines[0]; r.torus.Closed() && r.lineFirst {
		r.keys = append(append(r.keys, first.set), nodeSets(first.nodes)...)
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

// turnings lists the symmetries but the identity. The error is that of the context.
func (r *refuter) turnings(g *symmetry.Group) error {
	for images, mask := range r.flows.Symmetries(r.torus, g) {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		e := &element{images: images, inverse: flows.Inverse(images), mask: mask}
		r.relate(e)
		e.from, e.listed = r.origins(e), make([]bool, len(r.Lo))
		r.alive++
		r.advance(e)
	}
	return nil
}

// origins returns, by key, the set that an element takes to it, -1 if that has no number.
func (r *refuter) origins(e *element) (list []steps.Set) {
	t := r.torus
	for _, key := range r.keys {
		from := steps.Set(-1)
		switch x, d := 0, (*dimension)(nil); {
		case key > 0 && int(key) <= t.N():
			from = steps.Node(e.inverse[key-1])
		default:
			for _, o := range r.dims {
				if i := slices.Index(o.slabs, key); i >= 0 {
					x, d = i, o
				}
			}
			if d == nil {
				for _, l := range r.dims[0].lines {
					if key == l.set {
						from = r.lineOf(e, l.nodes)
					}
				}
				break
			}
			from = r.slabOf(e, d, x)
		}
		list = append(list, from)
	}
	return list
}

// slabOf returns the slab that an element takes to slab x of a dimension, -1 if none is.
func (r *refuter) slabOf(e *element, d *dimension, x int) steps.Set {
	t := r.torus
	first := e.inverse[x*t.Stride(d.s)]
	for _, o := range r.dims {
		c, same := t.Coord(first, o.s), o.k == d.k
		for v := range t.N() {
			if same = same && (t.Coord(v, d.s) != x || t.Coord(e.inverse[v], o.s) == c); !same {
				break
			}
		}
		if same {
			return o.slabs[c]
		}
	}
	return -1
}

// lineOf returns the line along the first dimension that an element takes to the line of some nodes, -1 if none is.
func (r *refuter) lineOf(e *element, nodes []int) steps.Set {
	l := r.dims[0].of[e.inverse[nodes[0]]]
	for _, v := range nodes {
		if r.dims[0].of[e.inverse[v]] != l {
			return -1
		}
	}
	return l.set
}
