package cluster

import (
	"cmp"
	"slices"
)

// A span is a range of prefixes of a tree.
type span struct{ from, count int }

func (s span) end() int { return s.from + s.count }

// spans are ranges that do not meet, in order. Ranges that touch stay apart: they
// may belong to different slices.
type spans []span

// put adds a range that meets none.
func (l *spans) put(s span) {
	if s.count == 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(*l, s, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	*l = slices.Insert(*l, at, s)
}

// take removes up to count prefixes, from the front of the first range. The range
// is empty if there is none.
func (l *spans) take(count int) span {
	if len(*l) == 0 {
		return span{}
	}
	first := &(*l)[0]
	s := span{first.from, min(count, first.count)}
	if first.from, first.count = s.end(), first.count-s.count; first.count == 0 {
		*l = (*l)[1:]
	}
	return s
}

// remove takes a range out and reports whether all of it was there, in one range.
func (l *spans) remove(s span) bool {
	for i, have := range *l {
		if have.from <= s.from && s.end() <= have.end() {
			rest := slices.DeleteFunc([]span{{have.from, s.from - have.from}, {s.end(), have.end() - s.end()}},
				func(s span) bool { return s.count == 0 })
			*l = slices.Replace(*l, i, i+1, rest...)
			return true
		}
	}
	return false
}

// before drops everything from a prefix on.
func (l *spans) before(last int) {
	for i := range *l {
		s := &(*l)[i]
		s.count = min(s.count, max(0, last-s.from))
	}
	*l = slices.DeleteFunc(*l, func(s span) bool { return s.count == 0 })
}
