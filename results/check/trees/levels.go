package trees

import (
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// Limits of the walk of the tree levels, besides maxFillSide.
const (
	maxLevelsNodes = 256     // a node is a byte
	maxLevelsLists = 1 << 20 // slab counts of one dimension, and classes: some hundred megabytes
)

// A levelsWalk repeats a census by the tree levels of docs/proofs.md. Loads of links are held like those of the tree
// orderly, with rests in place of what pairs send each other.
type levelsWalk struct {
	torus  *core.Torus
	size   int
	fixed  []int // nodes that every list has besides its own
	free   []int // nodes that a list may have
	rest   int   // length of a list of all processors but the fixed ones
	limit  int64 // on loads, in units, rounded down; -1 if it is negative
	most   int   // slab counts of one dimension, and classes
	loads  *orderlyLoads
	sides  []*levelsSide // by dimension
	images [][]int       // by point: of the nodes
	points []point
	given  bool       // there are conditions
	moves  []slabMove // under conditions: what the images, then of all automorphisms that keep to them, do to slabs
	group  *orderlyGroup
	lines  []levelsLine // of all dimensions
	slabs  []nodeMask   // of all dimensions: see slabNumber
	at     []levelsNode // by node
	heads  [][]int      // the classes
	picks  [][]int32    // by class and dimension: number of its slab counts
}

// newLevels returns the walk without its slab counts and classes.
func newLevels(m *meter.Meter, r routing.Routing, n int, c census.Conditions, below *big.Rat) (*levelsWalk, error) {
	t := r.Torus()
	routings, shape := "", ""
	switch r.(type) {
	case *routing.Minimal:
		if t.D() < 2 {
			shape = "two and more dimensions only"
		}
	case *routing.Orders:
		if t.D() < 3 {
			shape = "three and more dimensions only"
		}
	default:
		routings = "odr, udr, orders and minimal only"
	}
	if t.N() > maxLevelsNodes {
		shape = fmt.Sprintf("up to %d nodes, this torus has %d", maxLevelsNodes, t.N())
	}
	group, err := fillQuestion(m, treeLevels, routings, shape, r, n)
	if err != nil {
		return nil, err
	}
	w := &levelsWalk{torus: t, size: n, most: maxLevelsLists, given: c.Any(), fixed: c.Fixed.Nodes()}
	if w.rest = n - len(w.fixed); w.given && w.rest < 1 {
		return nil, &core.InputError{Text: fmt.Sprint(n), Problem: "all processors are on fixed nodes"}
	}
	for v := range t.N() {
		if (c.Fixed == nil || !c.Fixed.Has(v)) && (c.Forbidden == nil || !c.Forbidden.Has(v)) {
			w.free = append(w.free, v)
		}
	}
	if w.given {
		w.images = keeping(m, c, group)
	} else {
		w.images = imagesOf(m, group)
	}
	w.placeLines()
	if err := w.weigh(m, r, below); err != nil {
		return nil, err
	}
	for s, side := range w.sides {
		side.give(t, s, side.slab, c)
	}
	return w, nil
}

// prepare lists slab counts and classes.
func (w *levelsWalk) prepare(m *meter.Meter) error {
	w.group = newOrderlyGroup(w.torus, w.images)
	if w.given {
		m.ChargeAll(4, len(w.images), w.torus.D(), maxFillSide)
		w.moves = moves(w.torus, w.images)
	} else {
		w.points = pointsOf(w.torus, w.images)
	}
	if w.limit < 0 {
		return nil // no link is within it, so there are no slab counts
	}
	for s, side := range w.sides {
		side.mirror = side.open && reversesAlone(w.points, s)
		if err := side.list(m, w.size, w.most); err != nil {
			return fmt.Errorf("slab counts of dimension %d: %w", s, err)
		}
	}
	w.rankCounts(m)
	return w.listClasses(m)
}

// Prefixes implements census.Walk: they are the classes.
func (w *levelsWalk) Prefixes() [][]int { return w.heads }

// Run implements census.Walk.
func (w *levelsWalk) Run(m *meter.Meter, from, to int, most int64) census.Tally {
	f := newLevelsFill(m, w, most)
	return f.Through(from, to, f.open)
}

// rankCounts numbers the slab counts of all sides, and what reversing makes of them, in their order.
func (w *levelsWalk) rankCounts(m *meter.Meter) {
	var all []ranked
	for _, side := range w.sides {
		m.ChargeAll(512, len(side.counts))
		for _, c := range side.counts {
			all = append(all, c.ranked, rank(side.representative(c.counts, true)))
		}
	}
	slices.SortFunc(all, func(a, b ranked) int { return a.compare(&b) })
	ranks := map[necklace]int32{}
	for _, c := range all {
		if _, ok := ranks[c.counts]; !ok {
			ranks[c.counts] = int32(len(ranks))
		}
	}
	for _, side := range w.sides {
		for i := range side.counts {
			c := &side.counts[i]
			c.ranks = [2]int32{ranks[c.counts], ranks[side.representative(c.counts, true)]}
		}
	}
}

// listClasses lists the classes in their order. It fails with a *core.InputError if they are more than most, or with
// the error of the meter.
func (w *levelsWalk) listClasses(m *meter.Meter) error {
	picks := make([]int32, len(w.sides))
	var choose func(s int) error
	choose = func(s int) error {
		if s == len(w.sides) {
			if err := m.Spend(int64(len(w.points) + 32*len(w.sides)*len(w.moves))); err != nil {
				return err
			}
			return w.addClass(m, picks)
		}
		for i := range w.sides[s].counts {
			if err := m.Spend(int64(s + 1)); err != nil {
				return err
			}
			if picks[s] = int32(i); !w.matches(picks[:s+1]) {
				continue
			}
			if err := choose(s + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return choose(0)
}

// matches reports whether the last of some slab counts and those before leave each other room: a slab of one dimension
// is made of lines along the other.
func (w *levelsWalk) matches(picks []int32) bool {
	t := len(picks) - 1
	last := w.picked(picks, t)
	for s := range t {
		before := w.picked(picks, s)
		lines := w.sides[s].slab / w.sides[t].places
		if last.most > before.width*lines || before.most > last.width*lines {
			return false
		}
	}
	return true
}

// picked returns the slab counts of dimension s.
func (w *levelsWalk) picked(picks []int32, s int) *slabCounts { return &w.sides[s].counts[picks[s]] }

// addClass notes the class of slab counts that go together, unless a point takes it to an earlier one.
func (w *levelsWalk) addClass(m *meter.Meter, picks []int32) error {
	for i := range w.points {
		if w.earlier(&w.points[i], picks) {
			return nil
		}
	}
	for i := range w.moves {
		if w.movedEarlier(&w.moves[i], picks) {
			return nil
		}
	}
	if len(w.heads) == w.most {
		return &core.InputError{Text: fmt.Sprint(w.size),
			Problem: fmt.Sprintf("more than %d classes of %d processors on torus %s",
				w.most, w.size, w.torus)}
	}
	var head []int
	for s, side := range w.sides {
		for _, v := range w.picked(picks, s).counts[:side.places] {
			head = append(head, int(v))
		}
	}
	w.heads, w.picks = append(w.heads, slices.Clip(head)), append(w.picks, slices.Clone(picks))
	return m.Spend(256) // memory
}

// earlier reports whether a point takes the slab counts to earlier ones.
func (w *levelsWalk) earlier(p *point, picks []int32) bool {
	for t, s := range p.from {
		image, own := w.picked(picks, s).ranks[p.way(s)], w.picked(picks, t).ranks[0]
		if image != own {
			return image < own
		}
	}
	return false
}

// rankedOf returns the slab counts of all dimensions.
func (w *levelsWalk) rankedOf(picks []int32) (list []*ranked) {
	for s := range picks {
		list = append(list, &w.picked(picks, s).ranked)
	}
	return list
}

// movedEarlier reports whether a move takes the slab counts to earlier ones.
func (w *levelsWalk) movedEarlier(m *slabMove, picks []int32) bool {
	counts := w.rankedOf(picks)
	for t, image := range m.image(w.torus, counts) {
		if d := image.compare(counts[t]); d != 0 {
			return d < 0
		}
	}
	return false
}

// keeping lists the automorphisms that leave the counts of every dimension as they are: some of the points that turn
// with some translations after them.
func (w *levelsWalk) keeping(picks []int32, points []int) []orderlyImage {
	var list []orderlyImage
	for i := range w.moves {
		counts := w.rankedOf(picks)
		if !slices.ContainsFunc(core.Range(len(picks)), func(t int) bool {
			return w.moves[i].image(w.torus, counts)[t].counts != counts[t].counts
		}) {
			list = append(list, orderlyImage{point: int32(i)})
		}
	}
	for _, i := range points {
		origins := []int{0}
		for s, to := range w.points[i].to {
			var longer []int
			for shift := range w.sides[s].places {
				if w.sides[s].open && shift > 0 {
					break // a path has no rotations
				}
				if w.keeps(picks, s, &w.points[i], shift) {
					for _, o := range origins {
						longer = append(longer, o+shift*w.torus.Stride(to))
					}
				}
			}
			origins = longer
		}
		for _, o := range origins {
			list = append(list, orderlyImage{point: int32(i), origin: uint8(o)})
		}
	}
	return list
}

// turning returns the points that take the slab counts of every dimension to those listed for the other, from where
// rotations may bring them back.
func (w *levelsWalk) turning(picks []int32) (points []int) {
	for i := range w.points {
		p, turns := &w.points[i], true
		for s, t := range p.to {
			turns = turns && w.picked(picks, s).ranks[p.way(s)] == w.picked(picks, t).ranks[0]
		}
		if turns {
			points = append(points, i)
		}
	}
	return points
}

// keeps reports whether a point, then minus a shift, takes every slab of dimension s to one with as many processors.
func (w *levelsWalk) keeps(picks []int32, s int, p *point, shift int) bool {
	k := w.sides[s].places
	from, to := w.picked(picks, s), w.picked(picks, p.to[s])
	for x, v := range from.counts[:k] {
		if p.flip[s] {
			if x = k - x; w.sides[s].open {
				x--
			}
		}
		if to.counts[(x+k-shift)%k] != v {
			return false
		}
	}
	return true
}
