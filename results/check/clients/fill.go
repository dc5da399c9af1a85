package clients

import (
	"math/bits"
	"slices"

	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// lineContents are the contents that lines may have under some counts.
type lineContents struct {
	bySize [maxSide + 1][]uint32
	// By size and class: the least and the most that a content brings to its own line.
	least, most [maxSide + 1][]int64
	total       []int64 // by class: what all lines together have of that
	asked       map[lineSizes]bool
}

// lines lists the contents under counts.
func (s *side) under(m *meter.Meter, counts []int) (*lineContents, error) {
	l := &lineContents{total: make([]int64, len(s.own)), asked: map[lineSizes]bool{}}
	room := make([]int64, len(s.own))
	for e := range s.own {
		room[e] = s.limit
		for x, v := range counts {
			room[e] -= int64(v) * s.other[e][x]
			l.total[e] += int64(v) * s.own[e][x]
		}
	}
	var must, may uint32
	for x, v := range counts {
		if v > 0 {
			may |= 1 << x
		}
		if v == s.lines {
			must |= 1 << x
		}
	}
	steps := int64(0)
	load := make([]int64, len(s.own))
	var grow func(x int, set uint32) // loads only grow
	grow = func(x int, set uint32) {
		steps += int64(2 * len(room))
		if x == s.places {
			l.take(set, load)
			return
		}
		if must>>x&1 == 0 {
			grow(x+1, set)
		}
		if may>>x&1 == 0 {
			return
		}
		within := true
		for e := range load {
			load[e] += s.own[e][x]
			within = within && load[e] <= room[e]
		}
		if within {
			grow(x+1, set|1<<x)
		}
		for e := range load {
			load[e] -= s.own[e][x]
		}
	}
	if len(room) == 0 || slices.Min(room) >= 0 {
		grow(0, 0)
	}
	return l, m.Spend(steps)
}

// take notes a content.
func (l *lineContents) take(set uint32, load []int64) {
	size := bits.OnesCount32(set)
	if l.bySize[size] = append(l.bySize[size], set); l.least[size] == nil {
		l.least[size], l.most[size] = slices.Clone(load), slices.Clone(load)
	}
	for e, v := range load {
		l.least[size][e], l.most[size][e] = min(l.least[size][e], v), max(l.most[size][e], v)
	}
}

// holds reports whether lines of these sizes can bring together what they do.
func (l *lineContents) holds(sizes lineSizes) bool {
	for size, times := range sizes {
		if times > 0 && l.bySize[size] == nil {
			return false
		}
	}
	for e, total := range l.total {
		least, most := int64(0), int64(0)
		for size, times := range sizes {
			if times > 0 {
				least += int64(times) * l.least[size][e]
				most += int64(times) * l.most[size][e]
			}
		}
		if least > total || total > most {
			return false
		}
	}
	return true
}

// allows is holds, asked once.
func (l *lineContents) allows(sizes lineSizes) bool {
	answer, asked := l.asked[sizes]
	if !asked {
		answer = l.holds(sizes)
		l.asked[sizes] = answer
	}
	return answer
}

// A filling goes through the classes of one prefix after the other and fills their rows.
type filling struct {
	census.Pass
	*walk
	known   map[[2]int]*lineContents // of columns, by pair and number of row counts
	rows    *lineContents
	keep    [][]int // maps of the places of a row that leave the column counts as they are
	counts  []int   // of the rows
	order   []int   // rows, fullest first
	alive   []map[uint64]bool
	chosen  []uint32
	columns []int
}

// open goes through the classes of a prefix.
func (f *filling) open(prefix int) {
	p := &f.pairs[f.where[prefix][0]]
	f.columns = p.columns[f.where[prefix][1]]
	head := uint64(0)
	for _, v := range f.heads[prefix] {
		head = census.Hash(head, v)
	}
	var err error
	if f.rows, err = f.sides[1].under(f.Meter, f.columns); err != nil {
		f.Ended = true
		return
	}
	f.keep = nil
	for _, image := range f.sides[1].maps {
		fixes := true
		for x, y := range image {
			fixes = fixes && f.columns[x] == f.columns[y]
		}
		if fixes {
			f.keep = append(f.keep, image)
		}
	}
	columns := sizesOf(f.columns)
	for _, g := range p.groups {
		if !f.Spend(4*len(f.rows.total)*len(g.sizes)) || !f.rows.holds(g.sizes) {
			continue
		}
		for _, i := range g.rows {
			lines := f.known[[2]int{f.where[prefix][0], i}]
			if lines == nil {
				if lines, err = f.sides[0].under(f.Meter, p.rows[i]); err != nil {
					f.Ended = true
					return
				}
				f.known[[2]int{f.where[prefix][0], i}] = lines
			}
			if !f.Spend(8) || !lines.allows(columns) {
				continue
			}
			if f.class(p.rows[i], lines, head); f.Stopped() {
				return
			}
		}
	}
}

// class fills the rows of a class.
func (f *filling) class(rows []int, lines *lineContents, head uint64) {
	f.order = nil
	for size := f.sides[1].places; size >= 0; size-- {
		for i, v := range rows {
			if v == size {
				f.order = append(f.order, i)
			}
		}
	}
	for _, v := range rows {
		head = census.Hash(head, v)
	}
	if f.Meet(head); f.Ended {
		return
	}
	f.counts, f.chosen = rows, make([]uint32, len(rows))
	f.alive = nil
	for j, size := range f.columns {
		f.alive = append(f.alive, f.beginnings(lines.bySize[size], j))
	}
	left := slices.Clone(f.rows.total)
	f.fill(0, make([]uint32, len(f.columns)), left, head)
}

// beginnings returns what column j may hold in the first rows of the order, for each number of rows: content among
// these rows, with the number of rows in the bits above.
func (f *filling) beginnings(contents []uint32, j int) map[uint64]bool {
	alive := map[uint64]bool{}
	for _, set := range contents {
		admitted := true
		for i := range f.counts {
			admitted = admitted && f.admits(i, j, set>>i&1 != 0)
		}
		if !admitted {
			continue
		}
		begun := uint32(0)
		for i, row := range f.order {
			begun |= set & (1 << row)
			alive[uint64(i+1)<<32|uint64(begun)] = true
		}
	}
	f.Spend(4 * len(contents) * len(f.order))
	return alive
}

// admits reports whether the conditions admit that the node in row i and column j has, or has not, a processor.
func (f *filling) admits(i, j int, has bool) bool {
	v := i*f.torus.Stride(0) + j*f.torus.Stride(1)
	if has {
		return f.cond.Forbidden == nil || !f.cond.Forbidden.Has(v)
	}
	return f.cond.Fixed == nil || !f.cond.Fixed.Has(v)
}

// fill tries all contents of row number i in the order, when columns hold what is begun and all rows from it on have
// left to bring.
func (f *filling) fill(i int, begun []uint32, left []int64, h uint64) {
	if i == len(f.order) {
		f.report()
		return
	}
	row := f.order[i]
	contents := f.rows.bySize[f.counts[row]]
	if !f.Spend(2 * len(contents) * (2 + len(left))) {
		return
	}
	for _, set := range contents {
		if i == 0 && !f.first(set) {
			continue
		}
		after := f.goesOn(i, set, left)
		if after == nil {
			continue
		}
		next, alive := slices.Clone(begun), true
		for j := range next {
			next[j] |= set >> j & 1 << row
			alive = alive && f.alive[j][uint64(i+1)<<32|uint64(next[j])] && f.admits(row, j, set>>j&1 != 0)
		}
		if !alive {
			continue
		}
		f.chosen[row] = set
		below := census.Hash(h, int(set))
		if f.Meet(below); f.Ended {
			return
		}
		if f.fill(i+1, next, after, below); f.Stopped() {
			return
		}
	}
}

// goesOn returns what is left to bring after row number i in the order, nil if the rows behind it cannot bring that.
func (f *filling) goesOn(i int, set uint32, left []int64) []int64 {
	after := make([]int64, len(left))
	for e := range left {
		after[e] = left[e] - f.sides[1].load(e, set)
		least, most := int64(0), int64(0)
		for _, row := range f.order[i+1:] {
			size := f.counts[row]
			least, most = least+f.rows.least[size][e], most+f.rows.most[size][e]
		}
		if after[e] < least || after[e] > most {
			return nil
		}
	}
	return after
}

// first reports whether no map that keeps the column counts makes a content's number smaller.
func (f *filling) first(set uint32) bool {
	for _, image := range f.keep {
		moved := uint32(0)
		for x, y := range image {
			moved |= set >> x & 1 << y
		}
		if moved < set {
			return false
		}
	}
	return true
}

// report notes the nodes of the placement that all rows make up.
func (f *filling) report() {
	f.Found = []int{}
	for row, set := range f.chosen {
		for ; set != 0; set &= set - 1 {
			f.Found = append(f.Found, row*f.torus.Stride(0)+bits.TrailingZeros32(set)*f.torus.Stride(1))
		}
	}
}
