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
	moved []int64 // buffer of gain
}

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
				s.add(i, b, 1)
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

// add counts the crossings of a block sign times.
func (s *state) add(i, b int, sign int64) {
	bl := &s.items[i].blocks[b]
	for k, at := range bl.at {
		s.sums[i][at] += sign * bl.crossings[k]
	}
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

// A change takes one block of an item out and another in; -1 stands for none.
type change struct{ item, out, in int }

// countAfter returns how many paths the item of a change then has.
func (s *state) countAfter(c change) int64 {
	n, blocks := s.count[c.item], s.items[c.item].blocks
	if c.out >= 0 {
		n -= int64(blocks[c.out].paths)
	}
	if c.in >= 0 {
		n += int64(blocks[c.in].paths)
	}
	return n
}

// exchange moves the crossings of a change from the sums, or back.
func (s *state) exchange(c change, sign int64) {
	if c.out >= 0 {
		s.add(c.item, c.out, -sign)
	}
	if c.in >= 0 {
		s.add(c.item, c.in, sign)
	}
}

// gain returns by how much a change lowers the sum, over classes, of what the loads are above the limit.
func (s *state) gain(c change) int64 {
	it := &s.items[c.item]
	if len(s.moved) < len(it.classes) {
		s.moved = make([]int64, len(it.classes))
	}
	old, unit := s.den/s.count[c.item], s.den/s.countAfter(c)
	for k, sum := range s.sums[c.item] {
		s.moved[k] = -sum * old
	}
	s.exchange(c, 1)
	gain := int64(0)
	for k, sum := range s.sums[c.item] {
		if delta := s.moved[k] + sum*unit; delta != 0 {
			at := it.classes[k]
			over := s.loads[at] - s.limit
			gain += max(over, 0) - max(over+delta, 0)
		}
	}
	s.exchange(c, -1)
	return gain
}

// apply makes a change.
func (s *state) apply(c change) {
	it := &s.items[c.item]
	old, unit := s.den/s.count[c.item], s.den/s.countAfter(c)
	for k, at := range it.classes {
		s.loads[at] -= s.sums[c.item][k] * old
	}
	s.count[c.item] = s.countAfter(c)
	s.exchange(c, 1)
	for k, at := range it.classes {
		s.loads[at] += s.sums[c.item][k] * unit
		s.sort(at)
	}
	if c.out >= 0 {
		s.chosen[c.item][c.out] = false
	}
	if c.in >= 0 {
		s.chosen[c.item][c.in] = true
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
			try(change{i, -1, b})
			continue
		}
		try(change{i, b, -1})
		for other, has := range s.chosen[i] {
			if !has {
				try(change{i, b, other})
			}
		}
	}
	return list
}
