package exchange

import (
	"math/bits"

	"leeway/core"
)

// A ringMove is one send of a ring exchange. Its pairs are blocks of the ring: from
// place From to place To.
type ringMove struct {
	from, to int
	dir      core.Dir
	pairs    []Block
}

// ringTree is the positive gather-scatter tree of seed 004, section 2, on a ring of n
// places, for every n (docs/exchange.md, R1, R2 and R6). A hop of level l leads from a
// multiple of 2^l to the next one, or to place 0 where the ring ends before.
type ringTree struct {
	n, levels int
	onePort   bool    // level 0 in the form that lets both directions share the ports
	reach     [][]int // by level l and place i: see coverage
}

// newRingTree returns the tree of a ring of n >= 3 places.
func newRingTree(n int, onePort bool) ringTree {
	t := ringTree{n: n, levels: bits.Len(uint(n-1)) - 1, onePort: onePort}
	t.reach = t.coverage()
	return t
}

// coverage returns for each level l and place i how many places, i and those after
// it, are reached from i by hops of levels l-1 to 0, each used at most once. They are
// always consecutive: a hop ends next to, or within, what the lower levels reach.
func (t ringTree) coverage() [][]int {
	reach := make([][]int, t.levels+1)
	for l := range reach {
		reach[l] = make([]int, t.n)
		for i := range reach[l] {
			switch {
			case l == 0:
				reach[l][i] = 1
			case !t.joins(l-1, i):
				reach[l][i] = reach[l-1][i]
			default:
				far := t.next(l-1, i)
				reach[l][i] = min(t.n, max(reach[l-1][i], t.ahead(i, far)+reach[l-1][far]))
			}
		}
	}
	return reach
}

// ahead returns how far place b lies after place a.
func (t ringTree) ahead(a, b int) int { return (b - a + t.n) % t.n }

// joins reports whether place i sends at level l.
func (t ringTree) joins(l, i int) bool { return i&(1<<l-1) == 0 }

// next returns where place i sends at level l.
func (t ringTree) next(l, i int) int {
	if i+1<<l >= t.n {
		return 0
	}
	return i + 1<<l
}

// covers reports whether hops of the levels below l lead from place i to dest.
func (t ringTree) covers(l, i, dest int) bool { return t.ahead(i, dest) < t.reach[l][i] }

// sends reports whether place i, which joins level l, passes on a block for dest != i
// in the gathering or the scattering phase of that level.
func (t ringTree) sends(l int, gather bool, i, dest int) bool {
	to := t.next(l, i)
	switch {
	case t.ahead(i, dest) < t.ahead(i, to): // would overshoot
		return false
	case l == 0 && t.onePort && gather:
		return i%2 == 1
	case l == 0 && t.onePort:
		return i%2 == 0 && dest == to
	case !gather:
		return t.covers(l, to, dest)
	case t.joins(l+1, i) || l == t.levels-1: // Case 2 of seed 004
		return t.covers(l+1, to, dest)
	default: // Case 1
		return !t.covers(l+1, i, dest)
	}
}

// run returns the phases in which the tree brings home every block (s, t) of the ring
// for which takes(s, t) holds: a gathering phase of each level, then a scattering one
// of each level downwards. A phase may be empty; its moves ascend by sender.
func (t ringTree) run(takes func(s, t int) bool) [][]ringMove {
	held := make([][]Block, t.n)
	for s := range t.n {
		for d := range t.n {
			if s != d && takes(s, d) {
				held[s] = append(held[s], Block{int32(s), int32(d)})
			}
		}
	}
	phases := make([][]ringMove, 0, 2*t.levels)
	for l := range t.levels {
		phases = append(phases, t.phase(l, true, held))
	}
	for l := t.levels - 1; l >= 0; l-- {
		phases = append(phases, t.phase(l, false, held))
	}
	return phases
}

// phase moves what one phase moves: what is sent is settled before anything arrives.
func (t ringTree) phase(l int, gather bool, held [][]Block) []ringMove {
	var moves []ringMove
	for i := 0; i < t.n; i += 1 << l {
		var kept, sent []Block
		for _, b := range held[i] {
			if int(b.To) != i && t.sends(l, gather, i, int(b.To)) {
				sent = append(sent, b)
			} else {
				kept = append(kept, b)
			}
		}
		if len(sent) > 0 {
			held[i] = kept
			moves = append(moves, ringMove{i, t.next(l, i), core.Plus, sent})
		}
	}
	for _, m := range moves {
		held[m.to] = append(held[m.to], m.pairs...)
	}
	return moves
}
