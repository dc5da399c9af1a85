package orderly

import (
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
	"leeway/search/census"
)

// maxChoiceNodes is the most nodes of a torus on which paths depend on processors: a set of nodes is a word.
const maxChoiceNodes = 64

// choices are the messages between all pairs of nodes under avoid, with the paths that they may take. Where the ways
// back are always the ways there, both links of an edge carry the same, and have one place.
type choices struct {
	room  []int64   // by place of a link: what it may carry, in units
	share []int64   // by number of paths: the units that each has of a message
	sends []message // by nodes u < v at v(v-1)/2+u: one for both ways if they are alike, else one for each
	alike bool
	ends  [][]int32 // by node: the places of the links out of it
	rings []ring
}

// A message goes from one node to another, by some of these paths.
type message struct {
	from, to int
	paths    []way
}

// A way is a path: the nodes strictly inside and the places of its links.
type way struct {
	inside uint64
	places []int32
}

// A ring has the slabs of a dimension, and what the two cuts around a band of them may carry, in units.
type ring struct {
	slabs []uint64
	most  int64
}

// newChoices lists the paths of all pairs, with room for loads up to a limit. Units are those of loads.
func newChoices(r *routing.Avoid, unit, limit int64) *choices {
	t := r.Torus()
	c := &choices{alike: r.Tie() == routing.TieBoth || !t.HasTies(), ends: make([][]int32, t.N())}
	common := int64(t.CommonBandwidth())
	room := func(dim int) int64 { return limit * int64(t.Bandwidth(dim)) / common }
	for j := range t.D() {
		k := t.Slabs(j)
		if k < 3 || t.Open(j) {
			continue
		}
		g := ring{slabs: make([]uint64, k), most: 2 * int64(t.N()/k) * room(j)}
		for v := range t.N() {
			g.slabs[t.Slab(v, j)] |= 1 << v
		}
		c.rings = append(c.rings, g)
	}
	place := make([]int32, t.M())
	for l := range core.Link(t.M()) {
		if !t.HasLink(l) {
			continue
		}
		from, port := t.LinkFrom(l)
		if back := t.Reverse(l); c.alike && back < l {
			place[l] = place[back]
		} else {
			place[l] = int32(len(c.room))
			c.room = append(c.room, room(port.Dim))
		}
		c.ends[from] = append(c.ends[from], place[l])
	}
	most := 0
	send := func(from, to int) {
		m := message{from: from, to: to}
		for path := range r.Candidates().Paths(from, to, nil) {
			var w way
			for i, l := range path {
				if v, _ := t.LinkFrom(l); i > 0 {
					w.inside |= 1 << v
				}
				w.places = append(w.places, place[l])
			}
			m.paths = append(m.paths, w)
		}
		most = max(most, len(m.paths))
		c.sends = append(c.sends, m)
	}
	for v := range t.N() {
		for u := range v {
			if send(u, v); !c.alike {
				send(v, u)
			}
		}
	}
	c.share = make([]int64, most+1)
	for n := 1; n <= most; n++ {
		c.share[n] = unit / common / int64(n)
	}
	return c
}

// between adds the numbers of the messages between a node and some others to a list.
func (c *choices) between(list []int32, v int, others []int) []int32 {
	for _, u := range others {
		i := int32(max(u, v)*(max(u, v)-1)/2 + min(u, v))
		if c.alike {
			list = append(list, i)
		} else {
			list = append(list, 2*i, 2*i+1)
		}
	}
	return list
}

// judge returns how many paths of m are possible and how many are certain, with a processor on every node of set and
// perhaps on open ones, and the processors inside that a certain path has at most. Possible are those with no more
// processors inside than every path may get, certain those that cannot get more than any has.
func (m *message) judge(set, open uint64) (possible, certain, low int) {
	low, high := maxChoiceNodes, maxChoiceNodes
	for i := range m.paths {
		in := m.paths[i].inside
		n := bits.OnesCount64(in & set)
		low, high = min(low, n), min(high, n+bits.OnesCount64(in&open))
	}
	for i := range m.paths {
		in := m.paths[i].inside
		n := bits.OnesCount64(in & set)
		if n <= high {
			possible++
		}
		if n+bits.OnesCount64(in&open) <= low {
			certain++
		}
	}
	return possible, certain, low
}

// load takes a share off the room of every link of the certain paths of m and reports whether all have it.
func (m *message) load(all uint64, low int, share int64, room []int64) bool {
	over := int64(0)
	for i := range m.paths {
		if bits.OnesCount64(m.paths[i].inside&all) <= low {
			for _, place := range m.paths[i].places {
				room[place] -= share
				over |= room[place]
			}
		}
	}
	return over >= 0
}

// A choosing is what is known of the messages of a list.
type choosing struct {
	room []int64 // left by those that are settled
	wait []int32 // numbers of the others
	left []int64 // room less what is sure of those
}

// settle takes the messages that are settled off those that wait. It reports whether all links have room for what is
// sure, and the links out of every processor for all else that it sends to the n-1 others.
func (c *choosing) settle(of *choices, set, open uint64, n int) bool {
	var owed [maxChoiceNodes]int64 // by node: what is not sure of its messages
	wait := c.wait[:0]
	for _, i := range c.wait {
		m := &of.sends[i]
		if possible, certain, low := m.judge(set, open); certain < possible {
			wait = append(wait, i)
		} else if !m.load(set|open, low, of.share[certain], c.room) {
			return false
		}
	}
	c.wait, c.left = wait, append(c.left[:0], c.room...)
	for _, i := range wait {
		m := &of.sends[i]
		possible, certain, low := m.judge(set, open)
		share := of.share[possible]
		if certain > 0 && !m.load(set|open, low, share, c.left) {
			return false
		}
		rest := of.share[1] - int64(certain)*share
		if owed[m.from] += rest; of.alike {
			owed[m.to] += rest
		}
	}
	missing := int64(n-bits.OnesCount64(set)) * of.share[1]
	for rest := set; rest != 0; rest &= rest - 1 {
		v, room := bits.TrailingZeros64(rest), int64(0)
		for _, place := range of.ends[v] {
			room += c.left[place]
		}
		if room < missing+owed[v] {
			return false
		}
	}
	return true
}

// bands reports whether what bands of slabs send to the others can leave them, however n processors are completed.
func (c *choices) bands(set, open uint64, n int) bool {
	for _, g := range c.rings {
		k := len(g.slabs)
		for first := range k {
			band := uint64(0)
			for i := range k / 2 {
				band |= g.slabs[(first+i)%k]
				least := max(bits.OnesCount64(set&band), n-bits.OnesCount64((set|open)&^band))
				most := min(bits.OnesCount64((set|open)&band), n-bits.OnesCount64(set&^band))
				if c.sent(least, n) > g.most && c.sent(most, n) > g.most {
					return false // and so for all numbers between them
				}
			}
		}
	}
	return true
}

// sent returns what so many of n processors send to the others, in units.
func (c *choices) sent(some, n int) int64 { return int64(some*(n-some)) * c.share[1] }

// unchosen makes a level the empty list, as hold does, where paths depend on processors.
func (w *walker) unchosen(none *level) {
	none.room, none.wait = append(none.room[:0], w.avoid.room...), none.wait[:0]
	for i, v := range w.fixed {
		none.wait = w.avoid.between(none.wait, v, w.fixed[:i])
	}
}

// choose is step where paths depend on processors: the last node of child is candidate v of at.
func (w *walker) choose(at, child *level, v int) *level {
	if !child.canon.grow(at.canon, child.nodes) {
		return nil
	}
	if clear(child.next); len(child.nodes) < w.size {
		child.keep(at, v)
	}
	child.room, child.wait = append(child.room[:0], at.room...), append(child.wait[:0], at.wait...)
	for _, others := range [2][]int{w.fixed, at.nodes} {
		child.wait = w.avoid.between(child.wait, v, others)
	}
	if !w.chosen(child) {
		return nil
	}
	child.hash = census.Hash(at.hash, v)
	return child
}

// chosen finds what is known of the messages of a level and reports whether its list is visited, if it is smallest.
func (w *walker) chosen(at *level) bool {
	set, open, n := uint64(0), at.next[0], w.size+len(w.fixed)
	for _, list := range [2][]int{w.fixed, at.nodes} {
		for _, v := range list {
			set |= 1 << v
		}
	}
	return w.whole || bits.OnesCount64(set|open) >= n && w.avoid.bands(set, open, n) && at.settle(w.avoid, set, open, n)
}
