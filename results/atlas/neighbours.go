package atlas

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"sync"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/layout"
	"leeway/results/store"
)

// An Implied is what a cell could have from another, or from a bound that can be derived at once: a placement with less
// E_max than its own, or a larger lower bound.
type Implied struct {
	Key       texts.Key
	From      texts.Key       // the other cell; zero for a bound that is derived
	Way       string          // how it follows, as "2 processors fewer"
	Placement *core.Placement // nil for a bound
	Value     string          // fraction: its E_max, or the bound
}

// String says what follows for the cell.
func (i Implied) String() string {
	what, from := "lower bound", ""
	if i.Placement != nil {
		what = "E_max"
	}
	if i.From != (texts.Key{}) {
		from = i.From.String() + ", "
	}
	return fmt.Sprintf("%s: %s %s from %s%s", i.Key, what, layout.WithDecimal(i.Value), from, i.Way)
}

// How far from its own size a placement is tried: processors are dropped or added one by one, each time the one that
// leaves the least E_max on the fewest links.
const (
	maxDropped = 8
	maxAdded   = 2
	maxTurned  = 48 // permutations and reflections that placements of other routings are tried under
)

// Implied returns what other cells of the atlas imply for those of some cells that are open, at most one placement and
// one bound for each, in their order. Tried are, for each cell,
//
//   - placements of the same size of all routings, permuted and reflected, also those of other tori of the same graph,
//     where a ring of 4 is 2x2, and of other tori folded or repeated,
//   - placements of more processors less some, of fewer with some more, and what comes of those again,
//   - bounds of smaller sizes unless paths depend on the processors, of routings with the same loads, of free ones, and
//     those that can be derived at once,
//   - bounds of routings with the same loads on other tori of the same graph.
//
// Cells with a radius or a distance are left out. Loads are exact. When the context ends it returns its error. Cost:
// some hundred evaluations for each open cell.
func (a *Atlas) Implied(ctx context.Context, cells []Cell) ([]Implied, error) {
	open := map[string][]Cell{}
	var ways []string
	for _, c := range cells {
		if c.Fault != "" || c.Status == Optimal || c.Near.Asked() {
			continue
		}
		name := c.Where() + " " + c.Routing
		if open[name] == nil {
			ways = append(ways, name)
		}
		open[name] = append(open[name], c)
	}
	found, errs := make([][]Implied, len(ways)), make([]error, len(ways))
	known := &shelf{atlas: a, rows: a.now.Load().rows, placements: map[texts.Key]*core.Placement{}}
	parallel.Each(ctx, runtime.GOMAXPROCS(0), len(ways), func(i int) {
		found[i], errs[i] = known.implied(ctx, open[ways[i]])
	})
	list := slices.Concat(found...)
	for _, err := range append(errs, ctx.Err()) {
		if err != nil {
			return nil, err
		}
	}
	order := map[texts.Key]int{}
	for i, c := range cells {
		order[c.Key()] = i
	}
	slices.SortStableFunc(list, func(x, y Implied) int { return order[x.Key] - order[y.Key] })
	return list, nil
}

// A shelf has the placements of an atlas.
type shelf struct {
	atlas      *Atlas
	rows       []row
	mu         sync.Mutex
	placements map[texts.Key]*core.Placement // nil for what has none that is right
}

// placement returns the placement of a cell, nil if it has none.
func (s *shelf) placement(k texts.Key) (*core.Placement, error) {
	s.mu.Lock()
	p, ok := s.placements[k]
	s.mu.Unlock()
	if ok {
		return p, nil
	}
	d, ok, err := s.atlas.Detail(k)
	if corrupt := (*store.CorruptError)(nil); errors.As(err, &corrupt) {
		ok = false // the others are not
	} else if err != nil {
		return nil, err
	}
	if ok && d.Record != nil {
		t, err := d.Record.ReadGrid()
		if err != nil {
			return nil, err
		}
		placement, err := core.PlacementFromCoords(t, d.Record.Nodes)
		if err != nil {
			return nil, err
		}
		p = &placement
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.placements[k] = p
	return p, nil
}

// implied returns what is implied for open cells of one network and routing.
func (s *shelf) implied(ctx context.Context, open []Cell) ([]Implied, error) {
	p, err := open[0].Key().Problem()
	if err != nil {
		return nil, err
	}
	var list []Implied
	images, same := s.redrawn(p), map[[2]string]bool{}
	for _, c := range open {
		if b, ok := s.bound(p.WithSize(c.Size), c, images, same); ok {
			list = append(list, b)
		}
	}
	if p.Free != nil {
		return list, nil // its placements come with tables of their own
	}
	n := &neighbourhood{shelf: s, problem: p, evaluator: fast.NewEvaluator(p), images: images, best: map[int]*held{}}
	placements, err := n.explore(ctx, open)
	return append(list, placements...), err
}

// redrawn returns the other tori of the atlas that are the same graph as a problem's: for each of their nodes that of
// the problem's torus.
func (s *shelf) redrawn(p objective.Problem) map[string][]int {
	images := map[string][]int{}
	if !p.Torus().Plain() || p.Where() != core.JoinInts(p.Torus().Dims(), "x") {
		return images
	}
	seen := map[string]bool{p.Where(): true}
	for _, r := range s.rows {
		name := r.key.Torus
		if seen[name] {
			continue
		}
		seen[name] = true
		if u, err := core.ParseNetwork(name); err == nil { // else there is more to it than the sides
			if image := symmetry.SameGraph(u, p.Torus()); image != nil {
				images[name] = image
			}
		}
	}
	return images
}

// bound returns the largest lower bound that is implied for a cell, if it is larger than its own; images are those of
// redrawn, same keeps which tori and routings have the loads of the cell's.
func (s *shelf) bound(p objective.Problem, c Cell, images map[string][]int, same map[[2]string]bool) (Implied, bool) {
	best, value := Implied{Key: c.Key()}, mustFraction(c.LowerBound)
	consider := func(v *big.Rat, from texts.Key, way string) {
		if v.Cmp(value) > 0 {
			best.From, best.Way, best.Value, value = from, way, results.FormatFraction(v), v
		}
	}
	if p.Free == nil && !p.Traffic.Clients() {
		for _, b := range bound.QuickBounds(p) {
			consider(b.Value, texts.Key{}, b.Reason())
		}
	}
	for _, r := range s.rows {
		image, own := images[r.key.Torus], r.key.Torus == best.Key.Torus
		if !own && image == nil || r.Fault != "" || r.Size > p.Size || r.key == best.Key {
			continue
		}
		where := [2]string{r.key.Torus, r.Routing}
		alike, seen := same[where]
		if !seen {
			q, err := r.key.Problem()
			switch {
			case err != nil:
			case own:
				alike = q.Free != nil || p.Free == nil && fast.SameLoads(p.Routing, q.Routing)
			default:
				alike = q.Free == nil && p.Free == nil && fast.SameLoadsBetween(q.Routing, p.Routing, image)
			}
			same[where] = alike
		}
		if alike && (r.Size == p.Size || p.Free == nil && !p.Routing.DependsOnPlacement()) {
			consider(mustFraction(r.LowerBound), r.key, "which holds here")
		}
	}
	return best, best.Value != ""
}

// A neighbourhood is what is tried for the open cells of one network and routing.
type neighbourhood struct {
	*shelf
	problem     objective.Problem
	evaluator   *fast.Evaluator
	incremental fast.Incremental
	images      map[string][]int // of the nodes of other tori of the same graph
	best        map[int]*held    // by size: the best placement so far
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

// explore returns the placements that are better than those of the open cells.
func (n *neighbourhood) explore(ctx context.Context, open []Cell) ([]Implied, error) {
	where, most := open[0].Where(), 0
	for _, c := range open {
		n.best[c.Size] = &held{open: true, value: mustFraction(c.MaxLoad)}
		if c.MaxLoad == "" {
			n.best[c.Size].value = nil
		}
		most = max(most, c.Size)
	}
	var others []row // of other routings, and of other tori of the same graph
	for _, r := range n.rows {
		switch near := r.Size <= most+maxDropped && r.Fault == "" && r.MaxLoad != ""; {
		case !near || r.key.Torus != where && n.images[r.key.Torus] == nil:
		case r.key.Torus != where || r.Routing != open[0].Routing:
			others = append(others, r)
		default:
			if err := n.own(r); err != nil {
				return nil, err
			}
		}
	}
	sizes, _ := n.problem.Sizes()
	var err error
	largest := min(max(sizes, most+maxDropped), n.problem.Torus().N())
	if n.incremental, err = fast.NewIncremental(n.problem, largest); err != nil {
		return nil, nil // loads that do not fit words are for evaluators alone
	}
	for _, r := range others {
		if h := n.best[r.Size]; h == nil || !h.open {
			continue
		}
		p, err := n.placement(r.key)
		if err != nil || p == nil {
			return nil, err
		}
		n.turned(*p, r.key)
	}
	if err := n.folded(); err != nil {
		return nil, err
	}
	for n.spread() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	var list []Implied
	for _, c := range open {
		if h := n.best[c.Size]; h.news {
			p := core.MustPlacement(n.problem.Torus(), h.nodes)
			list = append(list, Implied{Key: c.Key(), From: h.from, Way: h.way, Placement: &p,
				Value: results.FormatFraction(h.value)})
		}
	}
	return list, nil
}

// own takes in a cell of the routing itself, as what its neighbours may follow from.
func (n *neighbourhood) own(r row) error {
	p, err := n.placement(r.key)
	if err != nil || p == nil {
		return err
	}
	h := n.best[r.Size]
	if h == nil {
		h = &held{value: mustFraction(r.MaxLoad)}
		n.best[r.Size] = h
	}
	h.nodes, h.from, h.way = p.Nodes(), r.key, "as it is"
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
	if h := n.best[len(nodes)]; h == nil || !h.open {
		return
	}
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
	for _, r := range n.rows {
		larger, smaller := multiple(r.Torus, t.Dims()), multiple(t.Dims(), r.Torus)
		if r.Routing != n.problem.Routing.String() || r.Fault != "" || r.MaxLoad == "" || larger == smaller ||
			r.key.Torus != core.JoinInts(r.Torus, "x") {
			continue
		}
		p, err := n.placement(r.key)
		if err != nil || p == nil {
			return err
		}
		if smaller {
			n.repeat(*p, r.key)
			continue
		}
		n.fold(*p, r.key)
	}
	return nil
}

// multiple reports whether sides are multiples of others.
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
		nodes, from := h.nodes, texts.Key{Torus: n.problem.Where(), Routing: n.problem.Routing.String(), Size: size}
		n.walk(nodes, from, maxDropped, -1)
		n.walk(nodes, from, maxAdded, 1)
	}
	return again
}

// walk drops or adds up to a given number of processors, each time one that leaves the least load on the fewest links.
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

// reach returns how many of a given number of steps from a size lead to an open cell.
func (n *neighbourhood) reach(size, steps, sign int) int {
	for ; steps > 0; steps-- {
		if h := n.best[size+sign*steps]; h != nil && h.open {
			break
		}
	}
	return steps
}
