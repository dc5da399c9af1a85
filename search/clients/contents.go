package clients

import (
	"leeway/objective/lanes"
)

// A contents lists what a line may hold under some counts, by number of processors, with bounds on what it then carries
// by alpha.
type contents struct {
	*side
	counts counts
	total  []uint64 // what all lines together carry by alpha
	gaps   [][]uint64
	sizes  []sized // by number of processors
	wanted uint32  // numbers of processors asked for, as bits
	keep   bool    // the contents themselves
	sum    [2][]uint64
}

// A sized holds the contents of one number of processors.
type sized struct {
	any   bool
	least []uint64 // what they carry by alpha at least
	spare []uint64 // what they leave of the limit at least
	list  []uint16
	loads []uint64 // of the list
}

func newContents(d *side, keep bool) *contents {
	c := &contents{side: d, keep: keep, total: make([]uint64, d.words), sizes: make([]sized, d.k+1)}
	for range d.k + 1 {
		c.gaps = append(c.gaps, make([]uint64, d.words))
	}
	for i := range c.sizes {
		c.sizes[i].least, c.sizes[i].spare = make([]uint64, d.words), make([]uint64, d.words)
	}
	for i := range c.sum {
		c.sum[i] = make([]uint64, d.words)
	}
	return c
}

// under lists the contents of the wanted sizes under counts that the lines together can carry.
func (c *contents) under(m counts, wanted uint32) {
	c.counts, c.wanted = m, wanted
	for i := range c.sizes {
		s := &c.sizes[i]
		s.any, s.list, s.loads = false, s.list[:0], s.loads[:0]
	}
	clear(c.total)
	copy(c.gaps[0], c.same(c.limit))
	for x, v := range m[:c.k] {
		lanes.AddScaled(c.total, c.total, int(v), c.alpha[x])
		for range v {
			if !c.Subtract(c.gaps[0], c.gaps[0], c.beta[x]) {
				return
			}
		}
	}
	c.extend(0, 0, 0)
}

// extend decides the places from x on.
func (c *contents) extend(x, size int, content uint16) {
	if c.wanted>>size&(2<<(c.k-x)-1) == 0 {
		return
	}
	if x == c.k {
		c.take(size, content)
		return
	}
	if int(c.counts[x]) < c.lines {
		copy(c.gaps[x+1], c.gaps[x])
		c.extend(x+1, size, content)
	}
	if c.counts[x] > 0 && c.Subtract(c.gaps[x+1], c.gaps[x], c.alpha[x]) {
		c.extend(x+1, size+1, content|1<<x)
	}
}

// take notes a content.
func (c *contents) take(size int, content uint16) {
	s, gap := &c.sizes[size], c.gaps[c.k]
	load := c.sum[0]
	c.side.sum(load, c.alpha, content)
	if s.any {
		c.Lower(s.least, s.least, load)
		c.Lower(s.spare, s.spare, gap)
	} else {
		s.any = true
		copy(s.least, load)
		copy(s.spare, gap)
	}
	if c.keep {
		s.list, s.loads = append(s.list, content), append(s.loads, load...)
	}
}

// left returns what a line has left before its content: the limit without what the counts bring by beta.
func (c *contents) left() []uint64 { return c.gaps[0] }

// holds reports whether lines of these sizes, so many of each, can carry by alpha what they do together.
func (c *contents) holds(h *histogram) bool {
	least, most := c.sum[0], c.sum[1]
	clear(least)
	clear(most)
	for size, times := range h[:c.k+1] {
		if times == 0 {
			continue
		}
		s := &c.sizes[size]
		if !s.any {
			return false
		}
		lanes.AddScaled(least, least, int(times), s.least)
		c.addMost(most, int(times), s)
	}
	return c.Covers(c.total, least) && c.Covers(most, c.total)
}

// addMost adds times the most that a content of a size carries by alpha.
func (c *contents) addMost(most []uint64, times int, s *sized) {
	for i, left := range c.left() {
		most[i] += uint64(times) * (left - s.spare[i])
	}
}

// A histogram says how many lines have each number of processors.
type histogram [MaxSide + 1]uint8

// histogram returns how often each number stands among the first k.
func (c *counts) histogram(k int) (h histogram) {
	for _, v := range c[:k] {
		h[v]++
	}
	return h
}

// sizes returns the numbers that occur as bits.
func (h *histogram) sizes() (bits uint32) {
	for v, times := range h {
		if times > 0 {
			bits |= 1 << v
		}
	}
	return bits
}
