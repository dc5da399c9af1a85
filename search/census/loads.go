package census

import (
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/lanes"
)

// Loads are the loads of one question, packed: one lane for all links that carry the same under every placement (under
// udr both directions of an edge often do). They are read only.
type Loads struct {
	lanes.Layout
	Limit int64
	Bias  uint64        // of the limit
	Words int           // of a vector of loads and what is kept beside them
	tops  []uint64      // of a vector, 0 beside the loads
	Lane  []lanes.Place // by link
	Loads int           // words of the loads
	nodes int
	pairs []uint64 // by two nodes: what they load
}

// NewLoads packs what nodes 0 and v load, by node v and link, and its translations, for a limit. Both says in which
// dimensions the two links of an edge may have one lane; they have two where some pair loads them differently. A
// candidate within the limit meets a list within the limit and one more pair: lanes for limit+most-1, most being the
// largest load of a pair, hold the sum with the bias. So many words of every vector are kept
// beside the loads. Cost: a vector for every two nodes.
func NewLoads(t *core.Torus, first [][]int64, both []bool, limit int64, beside int) *Loads {
	most := int64(1)
	for _, list := range first {
		for l, load := range list {
			most = max(most, load)
			if dim := t.Port(l / t.N()).Dim; both[dim] && list[t.Reverse(core.Link(l))] != load {
				both[dim] = false
			}
		}
	}
	q := newLoads(t, both, limit, most, beside)
	sums := core.Sums(t)
	for v, list := range first {
		for l, load := range list {
			port, from := t.Port(l/q.nodes), l%q.nodes
			if load == 0 || both[port.Dim] && port.Dir == core.Minus {
				continue
			}
			for u := range q.nodes { // the translation that takes node 0 to u
				lanes.Add(q.Pair(u, sums.At(u, v)), q.Lane[l-from+sums.At(u, from)], load)
			}
		}
	}
	return q
}

// NewPairLoads packs what every two nodes u < v load, where translations do not say it; see NewLoads.
func NewPairLoads(t *core.Torus, exchanged func(u, v int) []objective.LinkLoad, both []bool, limit int64,
	beside int) *Loads {
	most, loads := int64(1), make([]int64, t.M())
	for v := range t.N() {
		for u := range v {
			list := exchanged(u, v)
			for _, l := range list {
				most = max(most, l.Load)
				loads[l.Link(t)] = l.Load
			}
			for _, l := range list {
				if dim := t.Port(int(l.Port)).Dim; both[dim] && loads[t.Reverse(l.Link(t))] != l.Load {
					both[dim] = false
				}
			}
			for _, l := range list {
				loads[l.Link(t)] = 0
			}
		}
	}
	q := newLoads(t, both, limit, most, beside)
	for v := range t.N() {
		for u := range v {
			for _, l := range exchanged(u, v) {
				if port := t.Port(int(l.Port)); !both[port.Dim] || port.Dir == core.Plus {
					lanes.Add(q.Pair(u, v), q.Lane[l.Link(t)], l.Load)
				}
			}
			copy(q.Pair(v, u), q.Pair(u, v))
		}
	}
	return q
}

// newLoads chooses the lanes. Numbers without a link have none of their own.
func newLoads(t *core.Torus, both []bool, limit, most int64, beside int) *Loads {
	q := &Loads{Layout: lanes.For(limit + most - 1), Limit: limit, nodes: t.N()}
	class, count := t.LinkClasses(both)
	q.Bias, q.Loads = q.Layout.Bias(limit), q.Layout.Words(count)
	q.Words = lanes.Blocks(q.Loads + beside)
	q.tops = append(slices.Repeat([]uint64{q.Tops}, q.Loads), make([]uint64, q.Words-q.Loads)...)
	places := q.Places(count)
	for _, c := range class {
		q.Lane = append(q.Lane, places[max(c, 0)])
	}
	q.pairs = make([]uint64, q.nodes*q.nodes*q.Words)
	return q
}

// Pair returns the packed loads of two nodes.
func (q *Loads) Pair(u, v int) []uint64 { return lanes.Row(q.pairs, u*q.nodes+v, q.Words) }

// Join finds what candidates bring to a list that node u joins, by node in to, given what they bring to it without u.
// The candidates are the nodes of word i of a set. It returns those with which the list passes the limit, biased being
// its loads with u, and ends with the first after spare of them.
func (q *Loads) Join(i int, candidates uint64, spare int, to, from []uint64, u int, biased []uint64) (over uint64) {
	first := i << 6 * q.Words
	return lanes.AddRowsWithin(candidates, spare, to[first:], from[first:], q.pairs[u*q.nodes*q.Words+first:], biased,
		q.tops)
}
