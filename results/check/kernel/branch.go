package kernel

import "slices"

// A Bound says that the count of a set is at least Lo and at most Hi.
type Bound struct {
	Set int   `json:"set"`
	Lo  int64 `json:"lo"`
	Hi  int64 `json:"hi"`
}

// A row says that a sum of numbers, each times a factor, is at most 0. Number 2s is the count of set s, number 2s+1 the
// negative of it, so that a lower bound on one is an upper bound on the other.
type row struct {
	terms  []term
	widest int64 // of the numbers but the first: the most that their bounds leave open, times the factor
}

// A branch is the placements whose counts are within bounds. What rows imply is drawn from every change until nothing
// more follows; a branch whose bounds cross has no placement.
type branch struct {
	least   []int64 // the lower bound of every number
	crossed bool

	rows   []row
	sums   []int64  // by row: what its sum is at least
	within [][]term // by number: the rows where it stands
	queue  []int    // rows that may imply something
	queued []bool
	trail  []change // what was overwritten, for undo
	high   int      // the most entries that trail has had
	work   int64    // that is not paid for
}

// A change is the lower bound that a number had.
type change struct {
	of    int
	least int64
}

func (b *branch) lo(set int) int64 { return b.least[2*set] }
func (b *branch) hi(set int) int64 { return -b.least[2*set+1] }

// addSet adds a set that counts from 0 to most.
func (b *branch) addSet(most int64) {
	b.least, b.within = append(b.least, 0, -most), append(b.within, nil, nil)
}

// addSum adds the two rows by which the count of a set is that of its parts, each times a factor: these count no more
// than it, nor do their negatives more than its. The next propagation draws from them.
func (b *branch) addSum(whole int, parts []term) {
	for side := range 2 {
		i, r := len(b.rows), row{terms: []term{{2*whole + 1 - side, 1}}}
		for _, p := range parts {
			r.terms = append(r.terms, term{2*p.of + side, p.times})
		}
		for j, t := range r.terms {
			if b.within[t.of] = append(b.within[t.of], term{i, t.times}); j > 0 {
				r.widest = max(r.widest, t.times*b.open(t.of))
			}
		}
		b.rows, b.sums = append(b.rows, r), append(b.sums, dot(r.terms, b.least))
		b.queue, b.queued = append(b.queue, i), append(b.queued, true)
	}
}

// tighten takes in that the count of a set is at least lo and at most hi, but not yet what follows from it.
func (b *branch) tighten(set int, lo, hi int64) {
	b.raise(2*set, lo)
	b.raise(2*set+1, -hi)
}

// raise takes in a lower bound of a number.
func (b *branch) raise(number int, least int64) {
	switch {
	case least > -b.least[number^1]:
		b.crossed = true
		return
	case least <= b.least[number]:
		return
	}
	b.trail = append(b.trail, change{number, b.least[number]})
	for _, i := range b.set(number, least) {
		if room, r := -b.sums[i.of], &b.rows[i.of]; !b.queued[i.of] && room < max(r.widest, b.open(r.terms[0].of)) {
			b.queued[i.of] = true
			b.queue = append(b.queue, i.of)
		}
	}
}

// set changes the lower bound of a number, and returns the rows where it stands.
func (b *branch) set(number int, least int64) []term {
	rows, by := b.within[number], least-b.least[number]
	b.work += int64(len(rows)) + 1
	for _, i := range rows {
		b.sums[i.of] += i.times * by
	}
	b.least[number] = least
	return rows
}

// open returns what the bounds of a number leave open.
func (b *branch) open(number int) int64 { return -b.least[number^1] - b.least[number] }

// propagate draws what rows imply until nothing more follows or bounds cross.
func (b *branch) propagate(r *reader) {
	for at := 0; at < len(b.queue) && r.err == nil; at++ {
		i := b.queue[at]
		if b.queued[i] = false; !b.crossed {
			b.draw(i)
		}
		if b.work > 1<<10 {
			r.pay(b.work)
			b.work = 0
		}
	}
	b.queue = b.queue[:0]
	if more := len(b.trail) - b.high; more > 0 {
		b.high += more
		r.pay(16 * int64(more))
	}
}

// draw draws what one row implies for each of its numbers: it is at most what the lower bounds of the others leave.
func (b *branch) draw(i int) {
	room := -b.sums[i]
	b.crossed = room < 0
	terms := b.rows[i].terms
	if room >= b.rows[i].widest {
		terms = terms[:1]
	}
	b.work += int64(len(terms)) + 1
	for _, t := range terms {
		if b.crossed {
			return
		}
		if t.times*b.open(t.of) > room {
			b.raise(t.of^1, -b.least[t.of]-room/t.times)
		}
	}
}

// undo takes back all changes but the first ones.
func (b *branch) undo(changes int) {
	for len(b.trail) > changes {
		was := b.trail[len(b.trail)-1]
		b.trail = b.trail[:len(b.trail)-1]
		b.set(was.of, was.least)
	}
}

// clone returns a branch with the same bounds and no trail.
func (b *branch) clone() *branch {
	return &branch{least: slices.Clone(b.least), crossed: b.crossed, rows: b.rows, sums: slices.Clone(b.sums),
		within: b.within, queued: make([]bool, len(b.rows))}
}
