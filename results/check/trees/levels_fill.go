package trees

import (
	"iter"
	"math/bits"
	"slices"

	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// A levelsFill goes through one class after the other and fills it node by node.
type levelsFill struct {
	census.Pass
	levelsLacks
	first  levelsFirst
	list   []int         // all n places; the first of them are in use
	levels []levelsLevel // by length of the list
	// by dimension, class and place: the forced load of a processor, a scratch of forcedLoads
	sums [][][maxFillSide]uint64
}

// A levelsLevel is what is known of the list of one length.
type levelsLevel struct {
	hash       uint64
	loads      []uint64
	candidates nodeMask
	room       levelsRoom // of the candidates that no longer list has tried
	cross      []uint64   // by node, of the candidates: what it exchanges with the list, one vector each
	ready      bool       // cross is known, see weigh
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
	f := &levelsFill{Pass: census.NewPass(m, most), levelsLacks: newLevelsLacks(w),
		first: levelsFirst{newOrderlyFirst(w.group, w.rest)},
		list:  make([]int, w.rest), levels: make([]levelsLevel, w.rest+1)}
	for i := range f.levels {
		f.levels[i] = levelsLevel{loads: make([]uint64, w.loads.words), room: newLevelsRoom(w)}
	}
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
	if !f.Spend(len(f.points)*len(f.sides) + len(points)*len(f.sides)*maxFillSide*maxFillSide/looksPerStep) {
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
	none.candidates = nodeMask{}
	open := f.levelsLacks.open()
	for _, v := range f.free {
		if open.has(v) {
			none.candidates.add(v)
		}
	}
	if !f.Spend(words*(1+len(f.fixed))*len(f.fixed)+len(f.lines)) || !f.goesOn(&none.room, &none.candidates) {
		return false // whatever the loads are
	}
	none.ready, none.cross = true, slices.Grow(none.cross, f.torus.N()*words)[:f.torus.N()*words]
	for v := range none.candidates.all() {
		cross := none.cross[v*words:][:words]
		if clear(cross); f.bring(cross, v, f.fixed) {
			continue
		}
		if none.candidates.remove(v); !f.drop(&none.room, v) {
			return false
		}
	}
	return f.Spend(words * (1 + len(f.fixed)*looksPerStep) * len(f.free) / looksPerStep)
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
	l := &f.levels[m]
	rest := l.candidates // not tried yet
	for v := range l.candidates.all() {
		rest.remove(v)
		if f.enter(m, v, &rest) {
			if f.count(m + 1); !f.Stopped() {
				f.extend(m + 1)
			}
			f.add(v, -1)
			f.first.pop(m, v)
		}
		// A node and the candidates above it are among those of this list from v on. If these leave too little room, no
		// node from v on makes a list that goes on.
		if f.Stopped() || !f.drop(&l.room, v) {
			return
		}
	}
}

// enter puts candidate v, above which are some others, at the end of the list of m numbers and reports whether the
// longer list is visited. If not, nothing has changed.
func (f *levelsFill) enter(m, v int, above *nodeMask) bool {
	fits := f.first.push(m, v)
	if !f.Spend((f.first.taken()+len(f.lines))/looksPerStep) || !fits {
		if fits {
			f.first.pop(m, v)
		}
		return false
	}
	f.levels[m+1].room.enter(&f.levels[m].room, &f.levelsLacks, v)
	f.add(v, 1)
	if f.list[m] = v; m+1 < f.rest && !f.candidates(m+1, above) {
		f.add(v, -1)
		f.first.pop(m, v)
		return false
	}
	f.levels[m+1].hash = census.Hash(f.levels[m].hash, v)
	return true
}

// candidates finds those of the list of m numbers among some of one number less, those above its last, and reports
// whether the list goes on with them.
func (f *levelsFill) candidates(m int, above *nodeMask) bool {
	from, to, words, last := &f.levels[m-1], &f.levels[m], f.loads.words, f.list[m-1]
	to.candidates, to.ready = *above, false
	full := *above
	for i, open := range f.levelsLacks.open() {
		to.candidates[i] &= open
		full[i] &^= open
	}
	for v := range full.all() {
		if !f.drop(&to.room, v) {
			return false // whatever their loads are
		}
	}
	if f.weigh(m - 1); !f.Spend(words / looksPerStep) {
		return false
	}
	for j, load := range from.cross[last*words:][:words] {
		to.loads[j] = from.loads[j] + load
	}
	tried, goesOn, pairs := 0, true, f.loads.pairs[last]
	for i, word := range to.candidates[:f.words] {
		for ; word != 0 && goesOn; word &= word - 1 {
			v := i<<6 + bits.TrailingZeros64(word)
			if tried++; !f.loads.fits(to.loads, from.cross[v*words:][:words], pairs[v]) {
				to.candidates.remove(v)
				goesOn = f.drop(&to.room, v)
			}
		}
	}
	return f.Spend(tried*(1+words/(2*looksPerStep))) && goesOn
}

// weigh finds what the candidates of the list of m numbers load, once a longer list asks for it: most are not followed
// by any.
func (f *levelsFill) weigh(m int) {
	to, words := &f.levels[m], f.loads.words
	if to.ready {
		return
	}
	to.ready, to.cross = true, slices.Grow(to.cross, f.torus.N()*words)[:f.torus.N()*words]
	if !f.Spend(to.candidates.common(&to.candidates, f.words) * (1 + words/(2*looksPerStep))) {
		return
	}
	pairs := f.loads.pairs[f.list[m-1]]
	for v := range to.candidates.all() {
		exchange(to.cross[v*words:][:words], f.levels[m-1].cross[v*words:], pairs[v])
	}
}

// A nodeMask has one bit a node.
type nodeMask [4]uint64

func (m *nodeMask) add(v int)    { m[v>>6] |= 1 << (v & 63) }
func (m *nodeMask) remove(v int) { m[v>>6] &^= 1 << (v & 63) }

func (m *nodeMask) has(v int) bool { return m[v>>6]>>(v&63)&1 != 0 }

// all yields the nodes in ascending order, as they are when it starts.
func (m nodeMask) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range m {
			for ; word != 0; word &= word - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

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

// A levelsLacks keeps what the slabs of a class lack when a list of nodes is in, and what its lines can still take.
type levelsLacks struct {
	*levelsWalk
	words int   // of a nodeMask in use
	lacks []int // by slab: processors to come
	takes []int // by line: its width less the nodes of the list in it
}

func newLevelsLacks(w *levelsWalk) levelsLacks {
	return levelsLacks{levelsWalk: w, words: (w.torus.N() + 63) / 64, lacks: make([]int, w.slabNumber(w.torus.D(), 0)),
		takes: make([]int, len(w.lines))}
}

// reset takes in a class and the empty list.
func (r *levelsLacks) reset(class int) {
	copy(r.lacks, r.heads[class])
	for s := range r.sides {
		width := r.picked(r.picks[class], s).width
		for v := range r.at {
			r.takes[r.at[v].lines[s]] = width
		}
	}
}

// add puts a node into the list, or takes it out if by is -1.
func (r *levelsLacks) add(v, by int) {
	at := &r.at[v]
	for s, line := range at.lines {
		r.takes[line] -= by
		r.lacks[at.slabs[s]] -= by
	}
}

// open returns the nodes in no full slab.
func (r *levelsLacks) open() nodeMask {
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

// A levelsRoom is what candidates of a list leave of the room on lines, all numbers below 256.
type levelsRoom struct {
	have  []uint8   // by line: candidates
	rooms [][]uint8 // by dimension and slab: the room of the lines along the dimension
}

func newLevelsRoom(w *levelsWalk) levelsRoom {
	r := levelsRoom{have: make([]uint8, len(w.lines))}
	for range w.sides {
		r.rooms = append(r.rooms, make([]uint8, len(w.slabs)))
	}
	return r
}

// goesOn finds the room among some candidates and reports whether, along every dimension, the lines have as much as the
// slabs of the others lack.
func (r *levelsLacks) goesOn(room *levelsRoom, candidates *nodeMask) bool {
	line, slab := 0, 0
	for s, side := range r.sides {
		rooms := room.rooms[s]
		clear(rooms)
		for end := line + side.slab; line < end; line++ {
			have := r.lines[line].nodes.common(candidates, r.words)
			room.have[line] = uint8(have)
			if more := min(have, r.takes[line]); more > 0 {
				for _, other := range r.lines[line].slabs {
					rooms[other] += uint8(more)
				}
			}
		}
		for other, lack := range r.lacks {
			if int(rooms[other]) < lack && (other < slab || other >= slab+side.places) {
				return false
			}
		}
		slab += side.places
	}
	return true
}

// enter takes over the room of a list for a longer one, into which a candidate goes that is not in it yet. The slabs of
// that lack one less, so there is still room.
func (room *levelsRoom) enter(from *levelsRoom, r *levelsLacks, v int) {
	copy(room.have, from.have)
	for s, line := range r.at[v].lines {
		copy(room.rooms[s], from.rooms[s])
		if room.have[line]--; r.takes[line] > 0 {
			for _, slab := range r.lines[line].slabs {
				room.rooms[s][slab]--
			}
		}
	}
}

// drop takes a node off the candidates with which a list goes on, and reports whether it still does.
func (r *levelsLacks) drop(room *levelsRoom, v int) bool {
	for s, line := range r.at[v].lines {
		room.have[line]--
		if int(room.have[line]) >= r.takes[line] {
			continue
		}
		rooms := room.rooms[s]
		for _, slab := range r.lines[line].slabs {
			if rooms[slab]--; int(rooms[slab]) < r.lacks[slab] {
				return false
			}
		}
	}
	return true
}
