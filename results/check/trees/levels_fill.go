package trees

import (
	"math/bits"
	"slices"

	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// A levelsFill goes through one class after the other and fills it node by node.
type levelsFill struct {
	census.Pass
	levelsRoom
	first  levelsFirst
	list   []int          // all n places; the first of them are in use
	levels []orderlyLevel // by length of the list
	// by dimension, class and place: the forced load of a processor, a scratch of forcedLoads
	sums  [][][maxFillSide]uint64
	kept  [][]int // by length of the list: the places of its candidates among those of one number less
	ready []bool  // by length of the list: what its candidates load is known, see weigh
}

// A levelsFirst keeps a list that no automorphism of a class takes to an earlier one. Unlike an orderlyFirst it does
// not start with node 0, and the automorphisms are those that fix the empty list, all from the start.
type levelsFirst struct{ *orderlyFirst }

// push puts node v, above the others, at place m of the list and reports whether no automorphism takes it to an earlier
// one. If not, the list is as before.
func (f levelsFirst) push(m, v int) bool {
	from, to := &f.levels[m], &f.levels[m+1]
	if from.dropped[v>>6]>>(v&63)&1 != 0 {
		return false
	}
	to.dropped, to.fixing, to.waits = from.dropped, to.fixing[:0], len(f.waits)
	f.in[v] = true
	if f.moveEdges(to, v) && f.moveFixing(from, to, v) {
		return true
	}
	f.pop(m, v)
	return false
}

func newLevelsFill(m *meter.Meter, w *levelsWalk, most int64) *levelsFill {
	f := &levelsFill{Pass: census.NewPass(m, most), levelsRoom: newLevelsRoom(w),
		first: levelsFirst{newOrderlyFirst(w.group, w.rest)},
		list:  make([]int, w.rest), levels: make([]orderlyLevel, w.rest+1),
		kept: make([][]int, w.rest+1), ready: make([]bool, w.rest+1)}
	f.ready[0] = true
	for i := range f.levels {
		f.levels[i].loads = make([]uint64, w.loads.words)
	}
	f.levels[0].loads = w.loads.empty()
	for _, side := range w.sides {
		f.sums = append(f.sums, make([][maxFillSide]uint64, len(side.forced)))
	}
	return f
}

// open goes through a class.
func (f *levelsFill) open(class int) {
	none := &f.levels[0]
	none.hash = 0
	for _, v := range f.heads[class] {
		none.hash = census.Hash(none.hash, v)
	}
	if f.count(0); f.Stopped() {
		return
	}
	f.reset(class)
	f.forcedLoads(class)
	if !f.begin() {
		return
	}
	points := f.turning(f.picks[class])
	if !f.Spend(4*len(f.points)*len(f.sides) + len(points)*len(f.sides)*maxFillSide*maxFillSide) {
		return
	}
	if f.first.levels[0].fixing = f.keeping(f.picks[class], points); !f.Spend(4 * len(f.first.levels[0].fixing)) {
		return
	}
	f.extend(0)
}

// begin puts the fixed nodes in and finds the candidates of the empty list with their loads. It reports whether that
// list goes on.
func (f *levelsFill) begin() bool {
	none, words := &f.levels[0], f.loads.words
	none.loads = f.loads.empty()
	for i, v := range f.fixed {
		cross := make([]uint64, words)
		if !f.bring(cross, v, f.fixed[:i]) {
			return false
		}
		for j := range cross {
			none.loads[j] += cross[j]
		}
		f.add(v, 1)
	}
	all, open := nodeMask{}, f.levelsRoom.open()
	for _, v := range f.free {
		if open.has(v) {
			all.add(v)
		}
	}
	if !f.Spend(words*(1+len(f.fixed))*len(f.fixed)+4*len(f.lines)) || !f.goesOn(&all) {
		return false // whatever the loads are
	}
	none.nodes, none.cross = none.nodes[:0], slices.Grow(none.cross[:0], len(f.free)*words)[:len(f.free)*words]
	for _, v := range f.free {
		if !all.has(v) {
			continue
		}
		cross := none.cross[len(none.nodes)*words:][:words]
		if clear(cross); f.bring(cross, v, f.fixed) {
			none.nodes = append(none.nodes, v)
		} else if !f.drop(v) {
			return false
		}
	}
	return f.Spend(words * (1 + len(f.fixed)) * len(f.free))
}

// bring finds what node v loads besides others, fixed ones, and reports whether that is within the limit.
func (f *levelsFill) bring(cross []uint64, v int, others []int) bool {
	for _, l := range f.at[v].links {
		cross[l.word] += f.sums[l.dim][l.class][l.place] << (l.shift & 63)
	}
	if len(others) == 0 {
		return true // its place fits, so it loads no link too much
	}
	for _, u := range others {
		terms := f.loads.pairs[min(u, v)][max(u, v)]
		if !f.loads.fits(f.levels[0].loads, cross, terms) {
			return false
		}
		for _, t := range terms {
			cross[t.word] += t.add
		}
	}
	return true
}

// forcedLoads finds the forced loads by place under a class.
func (f *levelsFill) forcedLoads(class int) {
	for s, side := range f.sides {
		counts := f.picked(f.picks[class], s).counts[:side.places]
		for c, forced := range side.forced {
			for x := range side.places {
				sum := int64(0)
				for z, v := range counts {
					sum += forced[x][z] * int64(v)
				}
				f.sums[s][c][x] = uint64(sum / side.carry)
			}
		}
	}
}

// count takes the list of m numbers into the tally.
func (f *levelsFill) count(m int) {
	if f.Meet(f.levels[m].hash); m == f.rest && !f.Ended {
		f.Found = append(slices.Clone(f.list), f.fixed...)
		slices.Sort(f.Found)
	}
}

// extend visits what the list of m numbers, which goes on, leads to.
func (f *levelsFill) extend(m int) {
	if m == f.rest {
		return
	}
	var rest nodeMask // the candidates not tried yet
	nodes := f.levels[m].nodes
	for _, v := range nodes {
		rest.add(v)
	}
	for i, v := range nodes {
		// A node and the candidates above it are among those of this list from v on. If some slab has too few of these,
		// no node from v on makes a list that goes on.
		if !f.enough(&rest) {
			return
		}
		rest.remove(v)
		if !f.enter(m, i) {
			continue
		}
		if f.count(m + 1); !f.Stopped() {
			f.extend(m + 1)
		}
		f.add(v, -1)
		f.first.pop(m, v)
		if f.Stopped() {
			return
		}
	}
}

// enter puts candidate i of the list of m numbers at its end and reports whether the longer list is visited. If not,
// nothing has changed.
func (f *levelsFill) enter(m, i int) bool {
	v := f.levels[m].nodes[i]
	fits := f.first.push(m, v)
	if !f.Spend(f.first.taken()+len(f.lines)) || !fits {
		if fits {
			f.first.pop(m, v)
		}
		return false
	}
	f.add(v, 1)
	if f.list[m] = v; m+1 < f.rest && !f.candidates(m+1, i) {
		f.add(v, -1)
		f.first.pop(m, v)
		return false
	}
	f.levels[m+1].hash = census.Hash(f.levels[m].hash, v)
	return true
}

// candidates finds those of the list of m numbers, whose last was candidate i before, among those of one number less,
// and reports whether the list goes on with them.
func (f *levelsFill) candidates(m, i int) bool {
	from, to, words := &f.levels[m-1], &f.levels[m], f.loads.words
	mask, open, kept := nodeMask{}, f.levelsRoom.open(), f.kept[m][:0]
	for j := i + 1; j < len(from.nodes); j++ {
		if v := from.nodes[j]; open.has(v) {
			kept = append(kept, j)
			mask.add(v)
		}
	}
	f.kept[m], f.ready[m] = kept, false
	if !f.Spend(2*len(from.nodes)+2*len(f.lines)) || !f.goesOn(&mask) || !f.Spend(words) {
		return false // whatever their loads are
	}
	f.weigh(m - 1)
	last := from.cross[i*words:][:words]
	for j, load := range from.loads {
		to.loads[j] = load + last[j]
	}
	pairs := f.loads.pairs[f.list[m-1]]
	to.nodes = to.nodes[:0]
	for _, j := range kept {
		v := from.nodes[j]
		if !f.Spend(len(pairs[v]) / 4) { // a step takes several words
			return false
		}
		if f.loads.fits(to.loads, from.cross[j*words:][:words], pairs[v]) {
			kept[len(to.nodes)] = j
			to.nodes = append(to.nodes, v)
		} else if !f.drop(v) {
			return false
		}
	}
	return f.Spend(len(to.nodes) * words / 4)
}

// weigh finds what the candidates of the list of m numbers load, once a longer list asks for it: most are not followed
// by any.
func (f *levelsFill) weigh(m int) {
	if !f.ready[m] {
		f.ready[m] = true
		f.loads.exchange(&f.levels[m-1], &f.levels[m], f.kept[m], f.loads.pairs[f.list[m-1]])
	}
}

// A nodeMask has one bit a node.
type nodeMask [4]uint64

func (m *nodeMask) add(v int)    { m[v>>6] |= 1 << (v & 63) }
func (m *nodeMask) remove(v int) { m[v>>6] &^= 1 << (v & 63) }

func (m *nodeMask) has(v int) bool { return m[v>>6]>>(v&63)&1 != 0 }

// common returns how many nodes two masks share, of so many words.
func (m *nodeMask) common(other *nodeMask, words int) (count int) {
	for i, word := range m[:words] {
		count += bits.OnesCount64(word & other[i])
	}
	return count
}

// A levelsLine is a line along a dimension.
type levelsLine struct {
	nodes nodeMask
	slabs []int // of the other dimensions, that it lies in: see levelsWalk.slabNumber
}

// A levelsNode is where a node lies.
type levelsNode struct {
	lines []int        // by dimension: number of its line
	slabs []int        // by dimension: number of its slab
	links []levelsLink // on its lines
}

// A levelsLink is a link on a line of a node.
type levelsLink struct {
	dim, class, place int // place is that of the node
	word, shift       int // of a vector of loads; see orderlyLoads
}

// slabNumber returns the number of slab x of dimension s among the slabs of all.
func (w *levelsWalk) slabNumber(s, x int) int {
	for j := range s {
		x += w.torus.Side(j)
	}
	return x
}

// placeLines numbers the lines of all dimensions, those of one dimension in sequence, and finds where nodes lie.
func (w *levelsWalk) placeLines() {
	t := w.torus
	w.at, w.slabs = make([]levelsNode, t.N()), make([]nodeMask, w.slabNumber(t.D(), 0))
	for s := range t.D() {
		for v := range t.N() {
			if start := v - t.Coord(v, s)*t.Stride(s); start == v {
				w.at[v].lines = append(w.at[v].lines, len(w.lines))
				var slabs []int
				for j := range t.D() {
					if j != s {
						slabs = append(slabs, w.slabNumber(j, t.Coord(v, j)))
					}
				}
				w.lines = append(w.lines, levelsLine{slabs: slabs})
			} else {
				w.at[v].lines = append(w.at[v].lines, w.at[start].lines[s])
			}
			w.lines[w.at[v].lines[s]].nodes.add(v)
			slab := w.slabNumber(s, t.Coord(v, s))
			w.at[v].slabs = append(w.at[v].slabs, slab)
			w.slabs[slab].add(v)
		}
	}
}

// A levelsRoom keeps what the slabs of a class lack when a list of nodes is in, and what its lines can still take.
type levelsRoom struct {
	*levelsWalk
	words int     // of a nodeMask in use
	lacks []int   // by slab: processors to come
	takes []int   // by line: its width less the nodes of the list in it
	have  []int   // by line: candidates that goesOn saw
	rooms [][]int // by dimension and slab: the room of the lines along the dimension
}

func newLevelsRoom(w *levelsWalk) levelsRoom {
	slabs := w.slabNumber(w.torus.D(), 0)
	r := levelsRoom{levelsWalk: w, words: (w.torus.N() + 63) / 64, lacks: make([]int, slabs),
		takes: make([]int, len(w.lines)),
		have:  make([]int, len(w.lines))}
	for range w.sides {
		r.rooms = append(r.rooms, make([]int, slabs))
	}
	return r
}

// reset takes in a class and the empty list.
func (r *levelsRoom) reset(class int) {
	copy(r.lacks, r.heads[class])
	for s := range r.sides {
		width := r.picked(r.picks[class], s).width
		for v := range r.at {
			r.takes[r.at[v].lines[s]] = width
		}
	}
}

// add puts a node into the list, or takes it out if by is -1.
func (r *levelsRoom) add(v, by int) {
	at := &r.at[v]
	for s, line := range at.lines {
		r.takes[line] -= by
		r.lacks[at.slabs[s]] -= by
	}
}

// open returns the nodes in no full slab.
func (r *levelsRoom) open() nodeMask {
	open := nodeMask{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	for slab, lack := range r.lacks {
		if lack == 0 {
			for i, word := range r.slabs[slab][:r.words] {
				open[i] &^= word
			}
		}
	}
	return open
}

// enough reports whether every slab has as many candidates as it lacks.
func (r *levelsRoom) enough(candidates *nodeMask) bool {
	for slab, lack := range r.lacks {
		if lack > 0 && r.slabs[slab].common(candidates, r.words) < lack {
			return false
		}
	}
	return true
}

// goesOn reports whether the lines along every dimension have room among some candidates for what the slabs of the
// others lack.
func (r *levelsRoom) goesOn(candidates *nodeMask) bool {
	line, slab := 0, 0
	for s, side := range r.sides {
		rooms := r.rooms[s]
		clear(rooms)
		for end := line + side.slab; line < end; line++ {
			have := r.lines[line].nodes.common(candidates, r.words)
			r.have[line] = have
			if room := min(have, r.takes[line]); room > 0 {
				for _, other := range r.lines[line].slabs {
					rooms[other] += room
				}
			}
		}
		for other, lack := range r.lacks {
			if rooms[other] < lack && (other < slab || other >= slab+side.places) {
				return false
			}
		}
		slab += side.places
	}
	return true
}

// drop takes a node off the candidates with which the list went on, and reports whether it still does.
func (r *levelsRoom) drop(v int) bool {
	for s, line := range r.at[v].lines {
		r.have[line]--
		if r.have[line] >= r.takes[line] {
			continue
		}
		rooms := r.rooms[s]
		for _, other := range r.lines[line].slabs {
			if rooms[other]--; rooms[other] < r.lacks[other] {
				return false
			}
		}
	}
	return true
}
