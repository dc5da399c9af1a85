package orderly

import (
	"leeway/core"
	"leeway/objective/lanes"
	"leeway/search/census"
)

// transits are what messages between others bring through every node, packed beside the loads, against what a processor
// there has room for: the links out of its node carry all that it sends the n-1 others, now or later, and these
// messages. What comes in goes out, and a processor sends as much as it receives, so the links into it then have room,
// too.
type transits struct {
	lanes.Layout
	bias []uint64      // with which what is above the room of a node reaches the top bit
	at   []lanes.Place // by node, in this part of a vector
}

// newTransits returns the transits for n processors and so large a limit on loads, without any.
func newTransits(t *core.Torus, n int, unit, limit int64) *transits {
	all := unit * int64(n) * int64(n) // more than ever passes a node
	room, most := make([]int64, t.N()), int64(0)
	for l := range core.Link(t.M()) {
		if from, port := t.LinkFrom(l); t.HasLink(l) {
			b := int64(t.Bandwidth(port.Dim))
			room[from] = min(all, room[from]+b*min(limit, all/b+1))
			most = max(most, room[from])
		}
	}
	q := &transits{Layout: lanes.For(most)}
	q.at = q.Places(t.N())
	q.bias = q.Pack(t.N(), func(v int) int64 { return q.Max() - max(-1, room[v]-unit*int64(n-1)) })
	return q
}

// add puts what every two nodes send through others beside their loads.
func (q *transits) add(t *core.Torus, loads *census.Loads) {
	type end struct {
		lanes.Place
		node      int
		bandwidth int64
	}
	ends := make([][]end, loads.Loads) // by word
	for l := range core.Link(t.M()) {
		if from, port := t.LinkFrom(l); t.HasLink(l) {
			at := loads.Lane[l]
			ends[at.Word] = append(ends[at.Word], end{at, from, int64(t.Bandwidth(port.Dim))})
		}
	}
	for v := range t.N() {
		for u := range v {
			pair := loads.Pair(u, v)
			for i, word := range pair[:loads.Loads] {
				for _, e := range ends[i] {
					if word != 0 && e.node != u && e.node != v {
						lanes.Add(pair[loads.Loads:], q.at[e.node], e.bandwidth*loads.Get(pair, e.Place))
					}
				}
			}
			copy(loads.Pair(v, u), pair)
		}
	}
}

// full reports whether a node has too much to carry for a processor, given what passes the nodes, with the bias.
func (q *transits) full(through []uint64, v int) bool {
	return through[q.at[v].Word]>>(q.at[v].Shift&63)>>(q.Width-1)&1 != 0
}

// A crowd is the top bits of the nodes with processors.
type crowd []uint64

// enter makes c a crowd with one more.
func (c crowd) enter(from crowd, q *transits, v int) {
	copy(c, from)
	c[q.at[v].Word] |= 1 << (q.Width - 1) << (q.at[v].Shift & 63)
}

// fits reports whether no processor has too much to carry, given what passes the nodes, with the bias.
func (c crowd) fits(through []uint64) bool {
	over := uint64(0)
	through = through[:len(c)]
	for i, w := range c {
		over |= w & through[i]
	}
	return over == 0
}
