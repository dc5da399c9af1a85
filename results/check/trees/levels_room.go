package trees

import "math/bits"

// A nodeMask has one bit a node.
type nodeMask [4]uint64

func (m *nodeMask) add(v int)    { m[v>>6] |= 1 << (v & 63) }
func (m *nodeMask) remove(v int) { m[v>>6] &^= 1 << (v & 63) }

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

// placeLines numbers the lines of all dimensions, those of one dimension in
// sequence, and finds where nodes lie.
func (w *levelsWalk) placeLines() {
	t := w.torus
	w.at = make([]levelsNode, t.N())
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
			w.at[v].slabs = append(w.at[v].slabs, w.slabNumber(s, t.Coord(v, s)))
		}
	}
}

// A levelsRoom keeps what the slabs of a class lack when a list of nodes is in,
// and what its lines can still take.
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
	r := levelsRoom{levelsWalk: w, words: (w.torus.N() + 63) / 64, lacks: make([]int, slabs), takes: make([]int, len(w.lines)),
		have: make([]int, len(w.lines))}
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

// full reports whether a slab of the node is full.
func (r *levelsRoom) full(v int) bool {
	for _, slab := range r.at[v].slabs {
		if r.lacks[slab] == 0 {
			return true
		}
	}
	return false
}

// goesOn reports whether the lines along every dimension have room among some
// candidates for what the slabs of the others lack.
func (r *levelsRoom) goesOn(candidates *nodeMask) bool {
	line, slab := 0, 0
	for s, side := range r.sides {
		rooms := r.rooms[s]
		clear(rooms)
		for end := line + side.slab; line < end; line++ {
			have := 0
			for i, word := range r.lines[line].nodes[:r.words] {
				have += bits.OnesCount64(word & candidates[i])
			}
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

// drop takes a node off the candidates with which the list went on, and reports
// whether it still does.
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
