// Package transfer changes known placements of other sizes, routings and tori to fit a problem. It takes them from a
// Table.
package transfer

import (
	"context"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"sync"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/sides"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
)

// A Cell is what is known of a problem.
type Cell struct {
	texts.Key
	Value  *big.Rat // E_max of the placement that the table has of it; nil: none
	Proved bool     // nothing better is looked for
}

// A Table has the cells that are known. Several goroutines may use it at once.
type Table struct {
	cells      []Cell
	networks   []string // of the cells, each once
	read       func(texts.Key) (*core.Placement, error)
	mu         sync.Mutex
	placements map[texts.Key]*core.Placement
}

// NewTable returns the table of some cells, of which the first counts where placements are equally good. Read returns
// the placement of a cell that has a Value, nil where it cannot be read; it may be called from any goroutine.
func NewTable(cells []Cell, read func(texts.Key) (*core.Placement, error)) *Table {
	t := &Table{cells: cells, read: read, placements: map[texts.Key]*core.Placement{}}
	seen := map[string]bool{}
	for _, c := range cells {
		if !seen[c.Torus] {
			seen[c.Torus] = true
			t.networks = append(t.networks, c.Torus)
		}
	}
	return t
}

// An Implied is a placement that a cell could have from another, with less E_max than its own.
type Implied struct {
	Key       texts.Key
	Placement core.Placement
	Value     *big.Rat // its E_max
	Source    string   // from which cell it follows, and how: "8x8 udr:tie=both n=17, 1 processor fewer"
}

// How far from its own size a placement is tried: processors are dropped or added one by one, each time the one that
// leaves the least E_max on the fewest links.
const (
	maxDropped = 8
	maxAdded   = 2
	maxTurned  = 48 // permutations and reflections that placements of other routings are tried under
)

// Implied returns what the cells of the table imply for those of some that are open, at most one placement for each, by
// network and routing. Tried are, for each cell,
//
//   - placements of the same size of all routings, permuted and reflected, also those of other tori of the same graph,
//     where a ring of 4 is 2x2, and of other tori folded or repeated,
//   - placements of more processors less some, of fewer with some more, and what comes of those again.
//
// Cells that the method does not support are left out. Loads are exact. When the context ends it returns its error.
// Cost: some hundred evaluations for each open cell.
func (t *Table) Implied(ctx context.Context, cells []Cell) ([]Implied, error) {
	open := map[[2]string][]Cell{}
	var names [][2]string
	for _, c := range cells {
		name := [2]string{c.Torus, c.Routing}
		if c.Proved {
			continue
		}
		if open[name] == nil {
			names = append(names, name)
		}
		open[name] = append(open[name], c)
	}
	found, errs := make([][]Implied, len(names)), make([]error, len(names))
	parallel.Each(ctx, runtime.GOMAXPROCS(0), len(names), func(i int) {
		found[i], errs[i] = t.implied(ctx, open[names[i]])
	})
	for _, err := range append(errs, ctx.Err()) {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(found...), nil
}

// placement returns the placement of a cell, nil if it cannot be read.
func (t *Table) placement(k texts.Key) (*core.Placement, error) {
	t.mu.Lock()
	p, ok := t.placements[k]
	t.mu.Unlock()
	if ok {
		return p, nil
	}
	p, err := t.read(k)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.placements[k] = p
	return p, nil
}

// implied returns what is implied for open cells of one network and routing.
func (t *Table) implied(ctx context.Context, open []Cell) (list []Implied, err error) {
	p, err := open[0].Problem()
	if err != nil || (Method{}).Supports(p) != nil {
		return nil, err
	}
	n := t.newNeighbourhood(p)
	err = n.explore(ctx, open)
	for _, c := range open {
		if i, ok := n.news(c.Size); ok {
			list = append(list, i)
		}
	}
	return list, err
}

// redrawn returns the other tori of the atlas that are the same graph as a problem's: for each of their nodes that of
// the problem's torus.
func (t *Table) redrawn(p objective.Problem) map[string][]int {
	images := map[string][]int{}
	if !p.Torus().Plain() || p.Where() != core.JoinInts(p.Torus().Dims(), "x") {
		return images
	}
	for _, name := range t.networks {
		if name == p.Where() {
			continue
		}
		if u, err := core.ParseNetwork(name); err == nil { // else there is more to it than the sides
			if image := sides.SameGraph(u, p.Torus()); image != nil {
				images[name] = image
			}
		}
	}
	return images
}

// A neighbourhood is what is tried for some open cells of one network and routing.
type neighbourhood struct {
	*Table
	problem     objective.Problem
	evaluator   *fast.Evaluator
	incremental fast.Incremental
	images      map[string][]int // of the nodes of other tori of the same graph
	best        map[int]*held    // by size: the best placement so far
	over        func() bool      // asked before each evaluation: whether to stop
	spent       int64            // evaluations
}

// A held is the best placement known of a size.
type held struct {
	nodes   []int
	value   *big.Rat
	open    bool
	from    texts.Key
	way     string
	news    bool // it is better than what the cell has
	visited bool // what it implies for others was tried
}

// newNeighbourhood returns the neighbourhood of a problem of any size.
func (t *Table) newNeighbourhood(p objective.Problem) *neighbourhood {
	return &neighbourhood{Table: t, problem: p, evaluator: fast.NewEvaluator(p), images: t.redrawn(p),
		best: map[int]*held{}}
}

// news returns the placement of a size that is better than that of its cell; ok is false if there is none.
func (n *neighbourhood) news(size int) (i Implied, ok bool) {
	h := n.best[size]
	if h == nil || !h.news {
		return i, false
	}
	return Implied{Key: texts.KeyOf(n.problem.WithSize(size)), Placement: core.MustPlacement(n.problem.Torus(), h.nodes),
		Value: h.value, Source: h.from.String() + ", " + h.way}, true
}

// explore looks for placements that are better than those of the open cells, until all is tried or over says so. It
// returns the error of a context that ends.
func (n *neighbourhood) explore(ctx context.Context, open []Cell) error {
	least, most := n.problem.Torus().N(), 0
	for _, c := range open {
		n.best[c.Size] = &held{open: true, value: c.Value}
		least, most = min(least, c.Size), max(most, c.Size)
	}
	if n.over == nil {
		n.over = func() bool { return ctx.Err() != nil }
	}
	var others []Cell // of other routings, and of other tori of the same graph
	for _, r := range n.cells {
		switch near := r.Size >= least-maxAdded && r.Size <= most+maxDropped && r.Value != nil; {
		case !near || r.Torus != open[0].Torus && n.images[r.Torus] == nil:
		case r.Torus != open[0].Torus || r.Routing != open[0].Routing:
			others = append(others, r)
		default:
			if err := n.own(r); err != nil {
				return err
			}
		}
	}
	sizes, _ := n.problem.Sizes()
	var err error
	largest := min(max(sizes, most+maxDropped), n.problem.Torus().N())
	if n.incremental, err = fast.NewIncremental(n.problem, largest); err != nil {
		return nil // loads that do not fit words are for evaluators alone
	}
	for _, r := range others {
		if h := n.best[r.Size]; h == nil || !h.open {
			continue
		}
		p, err := n.placement(r.Key)
		if err != nil {
			return err
		}
		if p != nil {
			n.turned(*p, r.Key)
		}
	}
	if err := n.folded(); err != nil {
		return err
	}
	for !n.over() && n.spread() {
	}
	return ctx.Err()
}

// own takes in a cell of the routing itself, as what its neighbours may follow from.
func (n *neighbourhood) own(r Cell) error {
	p, err := n.placement(r.Key)
	if err != nil || p == nil {
		return err
	}
	h := n.best[r.Size]
	if h == nil {
		h = &held{value: r.Value}
		n.best[r.Size] = h
	}
	h.nodes, h.from, h.way = p.Nodes(), r.Key, "as it is"
	return nil
}

// consider takes a placement for the cell of its size if that is open and the placement is better; most is its load in
// units of the incremental evaluator.
func (n *neighbourhood) consider(nodes []int, most int64, from texts.Key, way string) {
	h := n.best[len(nodes)]
	if h == nil || !h.open {
		return
	}
	if h.value != nil && big.NewRat(most, n.incremental.Den()).Cmp(h.value) >= 0 {
		return
	}
	p, err := core.NewPlacement(n.problem.Torus(), nodes)
	if err != nil || !n.problem.Admits(p) {
		return
	}
	value, _ := n.evaluator.Loads(p).Max() // the incremental one may round
	if h.value == nil || value.Cmp(h.value) < 0 {
		*h = held{nodes: p.Nodes(), value: value, open: true, from: from, way: way, news: true}
	}
}

// try considers a placement.
func (n *neighbourhood) try(nodes []int, from texts.Key, way string) {
	if h := n.best[len(nodes)]; h == nil || !h.open || n.over() {
		return
	}
	n.spent++
	n.incremental.Reset(nodes)
	most, _ := n.incremental.Peak()
	n.consider(nodes, most, from, way)
}

// turned tries a placement under permutations and reflections, which may change its load under this routing; one of
// another torus of the same graph becomes one of this first.
func (n *neighbourhood) turned(p core.Placement, from texts.Key) {
	t, own, way := n.problem.Torus(), p.Nodes(), "under this routing"
	if image := n.images[from.Torus]; image != nil {
		for i, v := range own {
			own[i] = image[v]
		}
		way = "the same graph"
	}
	seen := map[string]bool{}
	for _, g := range symmetry.Points(t, maxTurned) {
		e := elements.Element{Point: g}
		nodes := make([]int, 0, p.Size())
		for _, v := range own {
			nodes = append(nodes, e.Image(t, v))
		}
		slices.Sort(nodes)
		if text := fmt.Sprint(nodes); !seen[text] {
			seen[text] = true
			n.try(nodes, from, way)
		}
	}
}

// folded tries placements of other tori of as many dimensions under the same routing: of larger ones folded to this
// one, and the part in any window of its sides; of smaller ones repeated.
func (n *neighbourhood) folded() error {
	t := n.problem.Torus()
	if n.problem.Where() != core.JoinInts(t.Dims(), "x") {
		return nil // a network or conditions: what is folded is another network
	}
	larger := map[string]bool{} // tori whose sides are multiples, or divisors
	for _, name := range n.networks {
		u, err := core.ParseNetwork(name)
		if err != nil || !u.Plain() || name == t.String() {
			continue
		}
		if multiple(u.Dims(), t.Dims()) || multiple(t.Dims(), u.Dims()) {
			larger[name] = u.N() > t.N()
		}
	}
	for _, r := range n.cells {
		isLarger, ok := larger[r.Torus]
		if !ok || r.Routing != n.problem.Routing.String() || r.Value == nil {
			continue
		}
		p, err := n.placement(r.Key)
		switch {
		case err != nil:
			return err
		case p == nil:
		case isLarger:
			n.fold(*p, r.Key)
		default:
			n.repeat(*p, r.Key)
		}
	}
	return nil
}

// multiple reports whether each side is a multiple of another one.
func multiple(sides, of []int) bool {
	if len(sides) != len(of) {
		return false
	}
	for j, k := range sides {
		if k%of[j] != 0 {
			return false
		}
	}
	return true
}

// fold tries what a placement of a larger torus becomes modulo the sides of this one, and what lies in a window of
// these sides.
func (n *neighbourhood) fold(p core.Placement, from texts.Key) {
	t, wide := n.problem.Torus(), p.Torus()
	whole := core.NewSet(t.N())
	for _, v := range p.Nodes() {
		whole.Add(modulo(t, wide.Coords(v)))
	}
	n.try(whole.Nodes(), from, "folded")
	for corner := range wide.N() {
		at := wide.Coords(corner)
		var nodes []int
		for _, v := range p.Nodes() {
			inside := true
			for j, c := range wide.Coords(v) {
				inside = inside && (c-at[j]+wide.Side(j))%wide.Side(j) < t.Side(j)
			}
			if inside {
				nodes = append(nodes, modulo(t, wide.Coords(v)))
			}
		}
		slices.Sort(nodes)
		n.try(nodes, from, "the part in a window")
	}
}

// modulo returns the node of a torus with some coordinates modulo its sides.
func modulo(t *core.Torus, coords []int) int {
	v := 0
	for j, c := range coords {
		v = v*t.Side(j) + c%t.Side(j)
	}
	return v
}

// repeat tries a placement of a smaller torus repeated.
func (n *neighbourhood) repeat(p core.Placement, from texts.Key) {
	t, set := n.problem.Torus(), p.Set()
	var nodes []int
	for v := range t.N() {
		if set.Has(modulo(p.Torus(), t.Coords(v))) {
			nodes = append(nodes, v)
		}
	}
	n.try(nodes, from, "repeated")
}

// spread drops processors from, and adds them to, the best placement of every size that has not been visited, and
// reports whether there was one.
func (n *neighbourhood) spread() bool {
	again := false
	for size := n.problem.Torus().N(); size >= 1; size-- {
		h := n.best[size]
		if h == nil || h.visited || h.nodes == nil {
			continue
		}
		h.visited, again = true, true
		nodes, from := h.nodes, texts.KeyOf(n.problem.WithSize(size))
		n.walk(nodes, from, maxDropped, -1)
		n.walk(nodes, from, maxAdded, 1)
	}
	return again
}

// walk drops or adds up to a number of processors, each time one that leaves the least load on the fewest links.
func (n *neighbourhood) walk(nodes []int, from texts.Key, steps, sign int) {
	steps = n.reach(len(nodes), steps, sign)
	if steps == 0 {
		return
	}
	e := n.incremental
	e.Reset(nodes)
	at := core.NewSet(n.problem.Torus().N())
	for _, v := range nodes {
		at.Add(v)
	}
	for step := 1; step <= steps; step++ {
		move, back, word := e.Remove, at.Remove, "fewer"
		if sign > 0 {
			move, back, word = e.Add, at.Add, "more"
		}
		best, most, links := -1, int64(0), 0
		for v := range n.problem.Torus().N() {
			if at.Has(v) != (sign < 0) || sign < 0 && n.problem.MustHave(v) || sign > 0 && !n.problem.MayHave(v) {
				continue
			}
			if n.over() {
				return
			}
			n.spent++
			move(v)
			if m, l := e.Peak(); best < 0 || m < most || m == most && l < links {
				best, most, links = v, m, l
			}
			e.Undo()
		}
		if best < 0 {
			return
		}
		move(best)
		back(best)
		n.consider(at.Nodes(), most, from, fmt.Sprintf("%s %s", core.Count(step, "processor"), word))
	}
}

// reach returns how many steps from a size, up to a number of them, lead to an open cell.
func (n *neighbourhood) reach(size, steps, sign int) int {
	for ; steps > 0; steps-- {
		if h := n.best[size+sign*steps]; h != nil && h.open {
			break
		}
	}
	return steps
}
