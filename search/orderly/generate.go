package orderly

import (
	"leeway/core"
	"leeway/objective"
)

// A model is what all workers share: read only.
type model struct {
	size   int
	short  bool // keep lists that cannot be completed
	lanes  layout
	words  int // of a vector of loads
	flows  *flows
	images *images
	pair   []uint64 // packed joint loads, by pair
	ends   [][]int  // by node: columns of its out-links, then of its in-links where they differ
	ways   int      // out-links of a node, as many as in-links
}

// newModel packs the flows for one limit in units. It returns false where the
// loads fit no word.
func newModel(p objective.Problem, f *flows, m *images, limit int64, short bool) (*model, bool) {
	lanes, ok := newLayout(limit, f.most)
	if !ok {
		return nil, false
	}
	g := &model{size: p.Size, short: short, lanes: lanes, words: lanes.words(f.columns), flows: f, images: m, ways: f.degree}
	g.pair = make([]uint64, f.n*f.n*g.words)
	for i, list := range f.between {
		for _, c := range list {
			lanes.add(g.pair[i*g.words:][:g.words], c.column, c.load)
		}
	}
	g.ends = endsOf(p.Torus(), f)
	return g, true
}

// endsOf returns for every node the columns of its out-links, then those of its
// in-links unless they are the same.
func endsOf(t *core.Torus, f *flows) [][]int {
	ends := make([][]int, f.n)
	for l := range t.M() {
		from, _ := t.LinkEnds(core.Link(l))
		ends[from] = append(ends[from], f.column[l])
	}
	if f.columns*2 == t.M() && t.Degree() == 2*t.D() {
		return ends // both directions of every edge share a column
	}
	for l := range t.M() {
		_, to := t.LinkEnds(core.Link(l))
		ends[to] = append(ends[to], f.column[l])
	}
	return ends
}

func (g *model) pairRow(p, q int) []uint64 { return g.pair[(p*g.flows.n+q)*g.words:][:g.words] }

// A level is a list with the nodes that may follow it.
type level struct {
	canon  *canon
	load   []uint64 // of the list
	biased []uint64 // the same with the bias
	next   []int    // candidates, ascending
	around []uint64 // by candidate: the loads it would bring
}

// A walker runs through the lists below one list. It belongs to one worker.
type walker struct {
	*model
	levels []*level          // by size
	counts []int64           // lists by size
	split  int               // 0, or the size at which lists are handed to visit
	visit  func(*level) bool // called with every complete list; false ends the walk
	poll   func() bool       // called before every list; false ends the walk
}

func newWalker(g *model) *walker {
	w := &walker{model: g, counts: make([]int64, g.size+1), levels: make([]*level, g.size+1)}
	for i := range w.levels {
		w.levels[i] = &level{canon: newCanon(g.images, i), load: make([]uint64, g.words), biased: make([]uint64, g.words)}
		if i > 0 && (i < g.size || g.size == 1) {
			w.levels[i].around = make([]uint64, g.flows.n*g.words)
		}
	}
	return w
}

// root makes the first level the list of node 0, which every smallest list starts
// with.
func (w *walker) root() *level {
	first := w.levels[1]
	first.canon.grow(w.images, w.levels[0].canon, 0)
	w.setLoad(first, first.load)
	first.next = first.next[:0]
	for v := 1; v < w.flows.n; v++ {
		if row := w.pairRow(0, v); !first.canon.dropped.has(v) && !w.lanes.exceeds(row, first.biased) {
			copy(first.around[len(first.next)*w.words:][:w.words], row)
			first.next = append(first.next, v)
		}
	}
	return first
}

func (w *walker) setLoad(at *level, load []uint64) {
	copy(at.load, load)
	for i, x := range at.load {
		at.biased[i] = x + w.lanes.bias
	}
}

// extend visits all lists that start with the one of level at. It returns false
// when the walk ended early.
func (w *walker) extend(at *level) bool {
	size := len(at.canon.nodes)
	for i := range at.next {
		if !w.short && len(at.next)-i < w.size-size {
			return true
		}
		child := w.step(at, i)
		if child == nil {
			continue
		}
		if !w.poll() {
			return false
		}
		w.counts[size+1]++
		switch {
		case size+1 == w.size || size+1 == w.split:
			if !w.visit(child) {
				return false
			}
		case !w.extend(child):
			return false
		}
	}
	return true
}

// step fills the level above with candidate i of at, or returns nil when that
// list is not smallest or its processors cannot send to all that must follow.
func (w *walker) step(at *level, i int) *level {
	size, v := len(at.canon.nodes), at.next[i]
	child := w.levels[size+1]
	if !child.canon.grow(w.images, at.canon, v) {
		return nil
	}
	copy(child.load, at.load)
	for x, b := range at.around[i*w.words:][:w.words] {
		child.load[x] += b
	}
	if !w.sendable(child) {
		return nil
	}
	w.setLoad(child, child.load)
	if size+1 < w.size {
		w.candidates(at, child, i)
	}
	return child
}

// candidates brings the candidates after number i of a level to its child.
func (w *walker) candidates(at, child *level, i int) {
	child.next = child.next[:0]
	pairs := w.pair[at.next[i]*w.flows.n*w.words:]
	for j := i + 1; j < len(at.next); j++ {
		v := at.next[j]
		if child.canon.dropped.has(v) {
			continue
		}
		sum := child.around[len(child.next)*w.words:][:w.words]
		if !w.lanes.addExceeds(sum, at.around[j*w.words:][:w.words], pairs[v*w.words:][:w.words], child.biased) {
			child.next = append(child.next, v)
		}
	}
}

// sendable reports whether the links at every processor have room for one unit to,
// and one from, each processor still to come.
func (w *walker) sendable(at *level) bool {
	room := w.lanes.limit*int64(w.ways) - w.flows.unit*int64(w.size-len(at.canon.nodes))
	for _, v := range at.canon.nodes {
		for half := 0; half < len(w.ends[v]); half += w.ways {
			sum := int64(0)
			for _, c := range w.ends[v][half : half+w.ways] {
				sum += w.lanes.at(at.load, c)
			}
			if sum > room {
				return false
			}
		}
	}
	return true
}
