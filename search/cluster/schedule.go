package cluster

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/search"
	"leeway/search/cluster/message"
	"leeway/search/portfolio"
)

// window is after how many later units what a unit found becomes a start: unit i starts from what units
// 0..i-window found. So the starts depend on the seed only, and no worker waits for a slow one.
const window = 64

// maxKept is how many placements are starts.
const maxKept = 8

// A schedule is the units of a search, by number. It knows no queue and no clock.
type schedule struct {
	seed    uint64
	goal    *big.Rat // nil: none
	starts  [][]int  // of the first units
	units   []*scheduled
	byID    map[string]*scheduled
	merged  int            // units 0..merged-1 are in the archive
	archive []search.Found // the best, best first
	after   [][][]int      // by unit: the starts when it was merged
	last    int            // units from here on are not wanted
	given   int64          // evaluations that units were given
	spent   int64          // evaluations that they took
}

// A scheduled unit is one of a search.
type scheduled struct {
	lease
	unit        message.Unit
	done        bool
	found       search.Found
	evaluations int64 // that it took
}

func newSchedule(seed uint64, starts []core.Placement, goal *big.Rat) *schedule {
	c := &schedule{seed: seed, goal: goal, byID: map[string]*scheduled{}, last: message.MaxNumber}
	for _, s := range starts[:min(len(starts), maxKept)] {
		c.starts = append(c.starts, s.List())
	}
	return c
}

// ready reports whether the next unit is wanted, and what it starts from is known.
func (c *schedule) ready() bool { return len(c.units) < c.last && len(c.units)-window < c.merged }

// next returns the work of the next unit. Each is how many evaluations a unit has, left how many are left.
func (c *schedule) next(p portfolio.Portfolio, each, left int64, goal string) *message.Search {
	number := len(c.units)
	s := &message.Search{Number: number, Seed: mix(mix(0, c.seed), uint64(number)),
		Methods: p.Methods, Parts: p.Parts, Evaluations: min(each, left), Starts: c.starts, Goal: goal}
	if number >= window {
		s.Starts = c.after[number-window]
	}
	return s
}

// mix takes a number into a hash.
func mix(h, v uint64) uint64 {
	h += (v + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// issue notes that a unit is handed out: the next one, or an earlier one again.
func (c *schedule) issue(u message.Unit, now time.Time) error {
	number := u.Search.Number
	switch {
	case number > len(c.units):
		return fmt.Errorf("cluster: unit %d of a search comes before unit %d", number, len(c.units))
	case number == len(c.units):
		c.units = append(c.units, &scheduled{})
		c.given += u.Search.Evaluations
	}
	s := c.units[number]
	s.unit = u
	s.renew(now)
	c.byID[u.ID()] = s
	return nil
}

// open returns the unit of an ID. It fails unless the unit is out.
func (c *schedule) open(id string) (*scheduled, error) {
	s := c.byID[id]
	switch {
	case s == nil:
		return nil, errUnknownUnit
	case s.done:
		return nil, errDuplicate
	}
	return s, nil
}

// ends reports whether the search ends with a unit: it reached the goal.
func (c *schedule) ends(s *scheduled) bool {
	return c.goal != nil && s.found.Value != nil && s.found.Value.Cmp(c.goal) <= 0
}

// finish notes what a unit found.
func (c *schedule) finish(s *scheduled, found search.Found, evaluations int64) {
	s.done, s.found, s.evaluations = true, found, evaluations
	c.spent += evaluations
	if c.ends(s) {
		c.last = min(c.last, s.unit.Search.Number+1)
	}
	c.merge()
}

// quarantine goes on without a unit that has cost too many workers.
func (c *schedule) quarantine(s *scheduled) {
	s.quarantined = true
	c.merge()
}

// merge takes all units before the first that is out into the archive.
func (c *schedule) merge() {
	for ; c.merged < len(c.units) && (c.units[c.merged].done || c.units[c.merged].quarantined); c.merged++ {
		c.keep(c.units[c.merged].found)
		starts := c.starts
		if len(c.archive) > 0 {
			starts = nil
		}
		for _, s := range c.archive {
			starts = append(starts, s.Placement.List())
		}
		c.after = append(c.after, starts)
	}
}

// keep puts a placement into the archive, behind equally good ones.
func (c *schedule) keep(f search.Found) {
	same := func(have search.Found) bool { return slices.Equal(have.Placement.List(), f.Placement.List()) }
	if f.Value == nil || slices.ContainsFunc(c.archive, same) {
		return
	}
	at := 0
	for at < len(c.archive) && !f.IsBelow(c.archive[at].Value) {
		at++
	}
	c.archive = slices.Insert(c.archive, at, f)
	c.archive = c.archive[:min(len(c.archive), maxKept)]
}

// best returns the best placement of the units that are wanted, the first of several.
func (c *schedule) best() (best search.Found) {
	for _, s := range c.units[:min(c.last, len(c.units))] {
		if s.found.IsBelow(best.Value) {
			best = s.found
		}
	}
	return best
}

// outstanding returns the wanted units that are out.
func (c *schedule) outstanding() (list []*scheduled) {
	for _, s := range c.units[min(c.merged, c.last):min(c.last, len(c.units))] {
		if !s.done && !s.quarantined {
			list = append(list, s)
		}
	}
	return list
}

// count counts the units.
func (c *schedule) count() message.Units {
	n := message.Units{Out: len(c.outstanding())}
	for _, s := range c.units {
		if s.quarantined && !s.done {
			n.Quarantined++
		}
	}
	n.Done = len(c.units) - n.Out - n.Quarantined
	return n
}
