package deadlock

import (
	"context"
	"math/rand/v2"
	"slices"

	"leeway/core"
)

// Walks are paths that go by one order of the virtual channels of links: each takes of its links channels every one of
// which comes later than the one before, so that messages cannot deadlock. Orders and paths are changed in turn:
// Shuffle draws another order by which all walks go, Walk a path that goes by the order. Neither ever fails where walks
// have paths, since the order, and the paths, that there are will do.
type Walks struct {
	torus    *core.Network
	numbers  int
	courses  []Course
	at       [][]int32 // by walk: its channels, number times links plus link
	rank     []int32   // by channel: its place in the order
	from, to []int32   // by link
	states   []state
	first    []int32
}

// A Course has what a walk may choose from: its i-th link is one of Links[Ends[i-1]:Ends[i]].
type Course struct {
	Links []core.Link
	Ends  []int
}

// A state is a channel to which part of a walk leads.
type state struct {
	channel, before int32
	cost            int64
}

// NewWalks returns walks without paths over a given number of virtual channels. They go by an order that has some
// channels first, then the others by their numbers: walks of no more links than there are numbers go by that whatever
// is first.
func NewWalks(t *core.Network, numbers int, courses []Course, first []Channel) *Walks {
	w := &Walks{torus: t, numbers: numbers, courses: courses, at: make([][]int32, len(courses)),
		rank: slices.Repeat([]int32{-1}, numbers*t.M())}
	for l := range core.Link(t.M()) {
		from, to := t.LinkEnds(l)
		w.from, w.to = append(w.from, int32(from)), append(w.to, int32(to))
	}
	for i, c := range first {
		w.rank[c.Number*t.M()+int(c.Link)] = int32(i)
	}
	for c, place := range w.rank {
		if place < 0 {
			w.rank[c] = int32(len(first) + c)
		}
	}
	return w
}

// Channels returns the channels of a walk, nil where it has none.
func (w *Walks) Channels(i int) []Channel {
	var list []Channel
	for _, c := range w.at[i] {
		list = append(list, w.channel(c))
	}
	return list
}

func (w *Walks) channel(c int32) Channel {
	m := w.torus.M()
	return Channel{core.Link(int(c) % m), int(c) / m}
}

// Walk gives a walk a path of the least cost among those that go by the order, where it costs as much to take a channel
// as cost says, at least 0. It returns false, and changes nothing, where there is none. Cost: for every two links in
// sequence of the course the number of channels squared.
func (w *Walks) Walk(i int, cost func(l core.Link, number int) int64) bool {
	m, course := w.torus.M(), w.courses[i]
	w.states = w.states[:0]
	before, start := 0, 0
	for stage, end := range course.Ends {
		reached := len(w.states)
		for _, l := range course.Links[start:end] {
			for number := range w.numbers {
				next := state{channel: int32(number*m + int(l)), before: -1}
				found := stage == 0
				for j, s := range w.states[before:reached] {
					if w.to[int(s.channel)%m] == w.from[l] && w.rank[s.channel] < w.rank[next.channel] &&
						(!found || s.cost < next.cost) {
						next.before, next.cost, found = int32(before+j), s.cost, true
					}
				}
				if found {
					next.cost += cost(l, number)
					w.states = append(w.states, next)
				}
			}
		}
		before, start = reached, end
	}
	best := -1
	for j := before; j < len(w.states); j++ {
		if best < 0 || w.states[j].cost < w.states[best].cost {
			best = j
		}
	}
	if best < 0 {
		return false
	}
	w.at[i] = w.at[i][:0]
	for j := int32(best); j >= 0; j = w.states[j].before {
		w.at[i] = append(w.at[i], w.states[j].channel)
	}
	slices.Reverse(w.at[i])
	return true
}

// Shuffle draws an order by which all walks go. Cost: channels and links of all walks.
func (w *Walks) Shuffle(rng *rand.Rand) {
	waits := make([]int32, len(w.rank))
	w.first = slices.Grow(w.first[:0], len(w.rank)+1)[:len(w.rank)+1]
	clear(w.first)
	count := 0
	for _, at := range w.at {
		for j := 1; j < len(at); j++ {
			w.first[at[j-1]+1]++
			waits[at[j]]++
			count++
		}
	}
	for c := range w.rank {
		w.first[c+1] += w.first[c]
	}
	next, filled := make([]int32, count), slices.Clone(w.first)
	for _, at := range w.at {
		for j := 1; j < len(at); j++ {
			next[filled[at[j-1]]] = at[j]
			filled[at[j-1]]++
		}
	}
	var ready []int32
	for c, n := range waits {
		if n == 0 {
			ready = append(ready, int32(c))
		}
	}
	for place := int32(0); len(ready) > 0; place++ {
		k := rng.IntN(len(ready))
		c := ready[k]
		ready[k] = ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		w.rank[c] = place
		for _, d := range next[w.first[c]:w.first[c+1]] {
			if waits[d]--; waits[d] == 0 {
				ready = append(ready, d)
			}
		}
	}
}

// Drain looks for paths that take fewer channels of a link, and returns how many that are, at least a given number.
// After an order is drawn all walks are taken anew, with as few channels of the last number as can be; after so many
// orders without progress, or when the context ends, it stops.
func (w *Walks) Drain(ctx context.Context, rng *rand.Rand, least, tries int) int {
	m := int32(w.torus.M())
	for idle := 0; idle < tries && w.numbers > least && ctx.Err() == nil; idle++ {
		last := int32(w.numbers-1) * m
		before := w.uses(last)
		if before == 0 {
			w.numbers, w.rank, idle = w.numbers-1, w.rank[:last], 0
			continue
		}
		w.Shuffle(rng)
		for _, i := range rng.Perm(len(w.at)) {
			w.Walk(i, func(_ core.Link, number int) int64 {
				if int32(number)*m >= last {
					return 1 << 20
				}
				return rng.Int64N(4)
			})
		}
		if w.uses(last) < before {
			idle = 0
		}
	}
	return w.numbers
}

// uses counts the channels from one on that walks take.
func (w *Walks) uses(from int32) (sum int) {
	for _, at := range w.at {
		for _, c := range at {
			if c >= from {
				sum++
			}
		}
	}
	return sum
}

// Order returns the order, of the channels that walks take.
func (w *Walks) Order() []Channel {
	var used []int32
	for _, at := range w.at {
		used = append(used, at...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	slices.SortFunc(used, func(a, b int32) int { return int(w.rank[a] - w.rank[b]) })
	list := make([]Channel, len(used))
	for i, c := range used {
		list[i] = w.channel(c)
	}
	return list
}

// Forced reports whether walks that have no choice depend on each other in a circle, so that two channels are needed
// whatever the others do.
func Forced(t *core.Network, courses []Course) bool {
	g := newDigraph(t.M())
	for _, c := range courses {
		if len(c.Links) != len(c.Ends) {
			continue
		}
		for i, l := range c.Links {
			if g.used[l] = true; i > 0 {
				g.add(int(c.Links[i-1]), int(l))
			}
		}
	}
	_, free := g.order()
	return !free
}
