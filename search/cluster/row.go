package cluster

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/search/census"
)

// window is after how many later units what a unit found becomes a start: unit i
// starts from what units 0..i-window found. So it depends on the seed only, and no
// worker waits for one that is slow.
const window = 64

// mostKept is how many placements are starts.
const mostKept = 8

// A row is the units of a search, by number, without queue and clock.
type row struct {
	seed    uint64
	starts  [][]int // of the first units
	items   []*item
	byID    map[string]*item
	merged  int // units 0..merged-1 are in the archive
	archive []finding
	after   [][][]int // by unit: the starts when it was merged
	last    int       // units from here on are not wanted
	given   int64     // evaluations that units were given
	spent   int64     // evaluations that they took
	known   finding   // what disproved a claim, as good as found
}

// An item is one unit of a row.
type item struct {
	unit        Unit
	done        bool
	quarantined bool
	refusals    int
	times       int       // that it was handed out
	since       time.Time // the last time
	found       finding
	worker      string // that did it
	refuted     bool   // it claims that nothing is better than what it found
	evaluations int64  // that it took
}

// A finding is a placement that was evaluated.
type finding struct {
	nodes  []int
	value  *big.Rat // nil: nothing
	method string
}

func newRow(seed uint64, starts []core.Placement) *row {
	r := &row{seed: seed, byID: map[string]*item{}, last: maxPrefixes}
	for _, s := range starts {
		if len(r.starts) < mostKept {
			r.starts = append(r.starts, s.Nodes())
		}
	}
	return r
}

// ready reports whether what the next unit starts from is known, and that it is
// wanted.
func (r *row) ready() bool { return len(r.items) < r.last && len(r.items)-window < r.merged }

// Units with exact methods: those of numbers that exactEvery divides, the first
// exactTurns of them, each with twice the evaluations of the one before. Exact
// methods begin anew in each, so that many short turns would be of no use.
const (
	exactEvery = 8
	exactTurns = 5
)

// turn returns how many times the evaluations of others a unit has for exact
// methods, 0 if it goes without them.
func turn(number int) int64 {
	if number%exactEvery != 0 || number/exactEvery >= exactTurns {
		return 0
	}
	return 1 << (number / exactEvery)
}

// next returns the work of the next unit. Each is how many evaluations one without
// exact methods has, left how many there are.
func (r *row) next(l Looking, each, left int64, goal string) *Search {
	number := len(r.items)
	s := &Search{Number: number, Seed: census.Hash(census.Hash(0, int(r.seed)), number), Methods: l.Methods, Parts: l.Parts, Evaluations: min(each, left),
		Starts: r.starts, Goal: goal}
	if n := turn(number); n > 0 && len(l.Exact) > 0 {
		s.Exact, s.Evaluations = l.Exact, min(n*each, left)
	}
	if number >= window {
		s.Starts = r.after[number-window]
	}
	return s
}

// issue notes that a unit is out from now on: the next one, or one handed out again.
func (r *row) issue(u Unit, now time.Time) error {
	number := u.Search.Number
	switch {
	case number > len(r.items):
		return fmt.Errorf("cluster: unit %d of a search comes before unit %d", number, len(r.items))
	case number == len(r.items):
		r.items = append(r.items, &item{})
		r.given += u.Search.Evaluations
	}
	i := r.items[number]
	i.unit, i.quarantined, i.since = u, false, now
	i.times++
	r.byID[u.ID()] = i
	return nil
}

// open returns the item of a unit that is out.
func (r *row) open(id string) (*item, error) {
	i := r.byID[id]
	switch {
	case i == nil:
		return nil, unknownUnit
	case i.done:
		return nil, duplicate
	}
	return i, nil
}

// finish notes what a unit found.
func (r *row) finish(i *item, f finding, evaluations int64, goal *big.Rat) {
	i.done, i.found, i.evaluations = true, f, evaluations
	r.spent += evaluations
	if i.refuted || goal != nil && f.value != nil && f.value.Cmp(goal) <= 0 {
		r.last = min(r.last, i.unit.Search.Number+1)
	}
	r.merge()
}

// claim returns the unit that ended the row by the claim that nothing is better,
// nil if none did.
func (r *row) claim() *item {
	if r.last <= len(r.items) && r.last > 0 && r.items[r.last-1].refuted {
		return r.items[r.last-1]
	}
	return nil
}

// reject goes on as if a claim had not been made.
func (r *row) reject(i *item, goal *big.Rat) {
	i.refuted = false
	r.end(goal)
}

// void takes back everything that a worker did. Units that were issued keep the
// starts that they have.
func (r *row) void(worker string, goal *big.Rat) {
	for _, i := range r.items {
		if i.done && i.worker == worker {
			r.spent -= i.evaluations
			i.done, i.found, i.refuted, i.worker = false, finding{}, false, ""
		}
	}
	r.merged, r.archive, r.after = 0, nil, nil
	r.merge()
	r.end(goal)
}

// end finds the last unit that is wanted.
func (r *row) end(goal *big.Rat) {
	r.last = maxPrefixes
	for n, i := range r.items {
		if i.refuted || goal != nil && i.found.value != nil && i.found.value.Cmp(goal) <= 0 {
			r.last = n + 1
			return
		}
	}
}

// merge takes all units up to the first that is out into the archive.
func (r *row) merge() {
	for ; r.merged < len(r.items) && (r.items[r.merged].done || r.items[r.merged].quarantined); r.merged++ {
		r.add(r.items[r.merged].found)
		starts := r.starts
		if len(r.archive) > 0 {
			starts = nil
		}
		for _, f := range r.archive {
			starts = append(starts, f.nodes)
		}
		r.after = append(r.after, starts)
	}
}

// add puts a finding into the archive, behind equally good ones.
func (r *row) add(f finding) {
	if f.value == nil || slices.ContainsFunc(r.archive, func(have finding) bool { return slices.Equal(have.nodes, f.nodes) }) {
		return
	}
	at := 0
	for at < len(r.archive) && r.archive[at].value.Cmp(f.value) <= 0 {
		at++
	}
	r.archive = slices.Insert(r.archive, at, f)
	r.archive = r.archive[:min(len(r.archive), mostKept)]
}

// best returns the best finding of the units that are wanted, the first of several.
func (r *row) best() (b finding) {
	b = r.known
	for _, i := range r.items[:min(r.last, len(r.items))] {
		if f := i.found; f.value != nil && (b.value == nil || f.value.Cmp(b.value) < 0) {
			b = f
		}
	}
	return b
}

// waiting returns how many wanted units are out.
func (r *row) waiting() int { return len(r.outstanding()) }

// outstanding returns the wanted units that are out.
func (r *row) outstanding() (list []*item) {
	for _, i := range r.items[min(r.merged, r.last):min(r.last, len(r.items))] {
		if !i.done && !i.quarantined {
			list = append(list, i)
		}
	}
	return list
}

// quarantined returns how many units are in quarantine.
func (r *row) quarantined() (n int) {
	for _, i := range r.items {
		if i.quarantined && !i.done {
			n++
		}
	}
	return n
}
