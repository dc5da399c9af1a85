package restrict

import "slices"

// A state is a choice of blocks for every item of a model, with the loads that
// follow and, for the chain, what they are above a limit.
type state struct {
	*model
	chosen [][]bool  // by item: its blocks
	count  []int64   // by item: paths of a pair that are chosen
	sums   [][]int64 // by item: how often its chosen blocks cross its classes
	loads  []int64   // by class, in units of 1/unit

	limit int64
	above []int32 // classes above the limit
	place []int32 // by class: its place in above, -1 if it is not there
	looked
}

// looked is the item whose changes are looked at, as gain sees it.
type looked struct {
	over   []int64 // by place of its classes: what their loads without it are above the limit
	now    int64   // sum of what their loads are above the limit
	totals []total // the same, with what it crosses now
	out    int     // a block taken out, or the constant none
	rest   []int64 // by place: how often the blocks but that one cross its classes
	left   []total // the totals of rest
}

// A total is the sum over the classes of an item of what their loads are above the limit if every crossing that is
// chosen counts a given number of units.
type total struct{ unit, sum int64 }

// none stands for no block.
const none = -1

// newState returns the state with the given blocks, which obey the rule.
func newState(m *model, chosen [][]bool) *state {
	s := &state{model: m, chosen: make([][]bool, len(m.items)), count: make([]int64, len(m.items)),
		sums:  make([][]int64, len(m.items)),
		loads: make([]int64, m.classes), place: make([]int32, m.classes)}
	for i, it := range m.items {
		s.chosen[i], s.sums[i] = slices.Clone(chosen[i]), make([]int64, len(it.classes))
		for b, in := range chosen[i] {
			if in {
				s.count[i] += int64(it.blocks[b].paths)
				it.blocks[b].add(s.sums[i], 1)
			}
		}
		for k, c := range it.classes {
			s.loads[c] += s.sums[i][k] * (s.den / s.count[i])
		}
	}
	for c := range s.place {
		s.place[c] = -1
	}
	return s
}

// max returns the largest load.
func (s *state) max() int64 {
	most := int64(0)
	for _, load := range s.loads {
		most = max(most, load)
	}
	return most
}

// setLimit takes a new limit.
func (s *state) setLimit(limit int64) {
	s.limit = limit
	for c := range s.loads {
		s.sort(int32(c))
	}
}

// sort brings a class into above or out of it.
func (s *state) sort(c int32) {
	switch at := s.place[c]; {
	case s.loads[c] > s.limit && at < 0:
		s.place[c] = int32(len(s.above))
		s.above = append(s.above, c)
	case s.loads[c] <= s.limit && at >= 0:
		last := s.above[len(s.above)-1]
		s.above[at], s.place[last] = last, at
		s.above = s.above[:len(s.above)-1]
		s.place[c] = -1
	}
}

// A change takes one block of an item out and another in, or none.
type change struct{ item, out, in int }

// countAfter returns how many paths the item of a change then has.
func (s *state) countAfter(c change) int64 {
	n, blocks := s.count[c.item], s.items[c.item].blocks
	if c.out != none {
		n -= int64(blocks[c.out].paths)
	}
	if c.in != none {
		n += int64(blocks[c.in].paths)
	}
	return n
}

// look prepares gain for the changes of an item, until the next change is made.
func (s *state) look(i int) {
	it, old := &s.items[i], s.den/s.count[i]
	s.over, s.now = slices.Grow(s.over[:0], len(it.classes))[:len(it.classes)], 0
	for k, c := range it.classes {
		over := s.loads[c] - s.limit
		s.now += max(over, 0)
		s.over[k] = over - s.sums[i][k]*old
	}
	s.out, s.rest = none, append(s.rest[:0], s.sums[i]...)
	s.totals, s.left = s.totals[:0], s.left[:0]
}

// gain returns by how much a change of the item looked at lowers the sum, over classes, of what the loads are above the
// limit. Changes that take the same block out should follow each other: then only what comes in is looked at.
func (s *state) gain(c change) int64 {
	blocks, unit := s.items[c.item].blocks, s.den/s.countAfter(c)
	if c.out != s.out {
		if s.out != none {
			blocks[s.out].add(s.rest, 1)
		}
		if s.out = c.out; s.out != none {
			blocks[s.out].add(s.rest, -1)
		}
		s.left = s.left[:0]
	}
	gain := s.now - s.leaving(c.item, unit)
	if c.in != none {
		gain -= blocks[c.in].rise(s.over, s.rest, unit)
	}
	return gain
}

// leaving returns the total of the item looked at without the block taken out.
func (s *state) leaving(i int, unit int64) int64 {
	return kept(&s.left, unit, func() int64 {
		whole := kept(&s.totals, unit, func() (sum int64) {
			for k, crossings := range s.sums[i] {
				sum += max(s.over[k]+crossings*unit, 0)
			}
			return sum
		})
		if s.out != none {
			whole -= s.items[i].blocks[s.out].rise(s.over, s.rest, unit)
		}
		return whole
	})
}

// kept returns the total of a list for a unit, which is found if it is not there.
func kept(list *[]total, unit int64, find func() int64) int64 {
	for _, t := range *list {
		if t.unit == unit {
			return t.sum
		}
	}
	t := total{unit, find()}
	*list = append(*list, t)
	return t.sum
}

// rise returns how much larger a total is with the block than without.
func (b *block) rise(over, sums []int64, unit int64) (rise int64) {
	for k, at := range b.at {
		without := over[at] + sums[at]*unit
		rise += max(without+b.crossings[k]*unit, 0) - max(without, 0)
	}
	return rise
}

// add counts the crossings of a block sign times.
func (b *block) add(sums []int64, sign int64) {
	for k, at := range b.at {
		sums[at] += sign * b.crossings[k]
	}
}

// apply makes a change.
func (s *state) apply(c change) {
	it := &s.items[c.item]
	old, unit := s.den/s.count[c.item], s.den/s.countAfter(c)
	for k, at := range it.classes {
		s.loads[at] -= s.sums[c.item][k] * old
	}
	s.count[c.item] = s.countAfter(c)
	if c.out != none {
		it.blocks[c.out].add(s.sums[c.item], -1)
		s.chosen[c.item][c.out] = false
	}
	if c.in != none {
		it.blocks[c.in].add(s.sums[c.item], 1)
		s.chosen[c.item][c.in] = true
	}
	for k, at := range it.classes {
		s.loads[at] += s.sums[c.item][k] * unit
		s.sort(at)
	}
}

// changes appends the changes of an item that the rule allows.
func (s *state) changes(list []change, i int) []change {
	it := &s.items[i]
	try := func(c change) {
		if n := s.countAfter(c); s.allows(int(n), it.available) {
			list = append(list, c)
		}
	}
	for b, in := range s.chosen[i] {
		if !in {
			try(change{i, none, b})
			continue
		}
		try(change{i, b, none})
		for other, has := range s.chosen[i] {
			if !has {
				try(change{i, b, other})
			}
		}
	}
	return list
}
