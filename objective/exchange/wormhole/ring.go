package wormhole

import (
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// A ringMove is one send of a ring exchange. Its pairs are blocks of the ring: from place From to place To.
type ringMove struct {
	from, to int
	dir      core.Dir
	pairs    []exchange.Block
}

// ringTree is the positive gather-scatter tree of seed 004, section 2, on a ring of n places, for every n
// (docs/exchange.md, R1, R2 and R6). A hop of level l leads from a multiple of 2^l to the next one, or to place 0 if
// the ring ends before it.
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

// coverage returns, for each level l and place i, how many places from i on can be reached from i by hops of the
// levels l-1 to 0, each used at most once. These places are always consecutive, because a hop ends next to, or
// within, what the lower levels reach.
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

// sends reports whether place i, which takes part in level l, forwards a block for dest != i in the gathering or the
// scattering phase of that level.
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

// run returns the phases in which the tree delivers every block (s, t) of the ring for which takes(s, t) holds: a
// gathering phase of each level, then a scattering phase of each level downwards. A phase may be empty; its moves are
// sorted by sender.
func (t ringTree) run(takes func(s, t int) bool) [][]ringMove {
	held := make([][]exchange.Block, t.n)
	for s := range t.n {
		for d := range t.n {
			if s != d && takes(s, d) {
				held[s] = append(held[s], exchange.NewBlock(s, d))
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

// phase performs one phase: the moves are fixed before any block arrives.
func (t ringTree) phase(l int, gather bool, held [][]exchange.Block) []ringMove {
	var moves []ringMove
	for i := 0; i < t.n; i += 1 << l {
		var kept, sent []exchange.Block
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

// A Variant says which direction blocks take whose destination is half-way round a ring.
type Variant int

// The variants.
const (
	// Published: all take the positive direction, as in seed 004, except on rings of four, where those of even places
	// take the negative one.
	Published Variant = iota
	// Balanced: those of even places take the negative direction on every even ring. Both directions then carry the
	// same load in each phase.
	Balanced
)

// String returns "published" or "balanced".
func (v Variant) String() string {
	if v == Balanced {
		return "balanced"
	}
	return "published"
}

// maxRing is the longest ring that a plan is made for: a plan lists every block of the ring at every hop.
const maxRing = 2048

// A ringPlan is a complete exchange on a ring: in a phase no place sends or receives twice, and no link is used
// twice.
type ringPlan struct {
	n      int
	phases [][]ringMove
	byFrom [][]int // by phase and place: the number of its move, -1 if it is silent
}

// newRingPlan returns the gather-scatter exchange on a ring of n places. On an even ring both trees run in the same
// phases without sharing a port; on an odd ring this takes extra phases. Phases without a move are left out, except
// from the published form of even rings: rings of different lengths that run side by side are to stay in step.
func newRingPlan(n int, v Variant) ringPlan {
	p := ringPlan{n: n}
	switch {
	case n == 2:
		p.phases = [][]ringMove{{
			{0, 1, core.Plus, []exchange.Block{exchange.NewBlock(0, 1)}},
			{1, 0, core.Plus, []exchange.Block{exchange.NewBlock(1, 0)}},
		}}
	case n > 2 && n%2 == 0:
		p.phases = evenPhases(n, v)
	case n > 2:
		p.phases = oddPhases(n)
	}
	if v != Published {
		p.phases = slices.DeleteFunc(p.phases, func(moves []ringMove) bool { return len(moves) == 0 })
	}
	for _, moves := range p.phases {
		index := slices.Repeat([]int{-1}, n)
		for i, m := range moves {
			index[m.from] = i
		}
		p.byFrom = append(p.byFrom, index)
	}
	return p
}

// evenPhases runs both trees of an even ring in the same phases. The negative tree is the mirror image of the
// positive one under i -> 1-i, so that above level 0 it uses odd places only.
func evenPhases(n int, v Variant) [][]ringMove {
	negative := func(s, t int) bool {
		ahead := (t - s + n) % n
		half := 2*ahead == n && s%2 == 0 && (v == Balanced || n == 4)
		return 2*ahead > n || half
	}
	tree := newRingTree(n, true)
	phases := tree.run(func(s, t int) bool { return !negative(s, t) })
	back := tree.run(func(s, t int) bool { return negative((n+1-s)%n, (n+1-t)%n) })
	for k, moves := range back {
		for _, m := range moves {
			phases[k] = append(phases[k], m.mirrored(n, 1))
		}
	}
	return phases
}

// turned returns the move between the mirror images of its places under i -> c-i, in the other direction, with the
// same pairs.
func (m ringMove) turned(n, c int) ringMove {
	return ringMove{(c - m.from + n) % n, (c - m.to + n) % n, -m.dir, m.pairs}
}

// mirrored returns the mirror image of the move under i -> c-i, including its pairs.
func (m ringMove) mirrored(n, c int) ringMove {
	image := m.turned(n, c)
	image.pairs = make([]exchange.Block, len(m.pairs))
	for i, b := range m.pairs {
		image.pairs[i] = exchange.NewBlock((c-int(b.From)+n)%n, (c-int(b.To)+n)%n)
	}
	return image
}

// oddPhases runs the unmodified trees of an odd ring together (docs/exchange.md, R7): negative sends whose ports the
// positive tree needs follow in a phase of their own. Among all mirrors i -> c-i that make the negative tree it takes
// the first with the fewest phases and then the least transmission.
func oddPhases(n int) [][]ringMove {
	tree := newRingTree(n, false)
	plus := tree.run(func(s, t int) bool { return 2*tree.ahead(s, t) < n })
	best, bestCount, bestSize := 0, 0, 0
	for c := range n {
		phases := overlap(plus, func(m ringMove) ringMove { return m.turned(n, c) })
		if size := totalSize(phases); c == 0 || len(phases) < bestCount || len(phases) == bestCount && size < bestSize {
			best, bestCount, bestSize = c, len(phases), size
		}
	}
	return overlap(plus, func(m ringMove) ringMove { return m.mirrored(n, best) })
}

// overlap adds the images of the moves to each phase; those whose ports are taken follow in a phase of their own.
// Phases without a move are left out.
func overlap(plus [][]ringMove, image func(ringMove) ringMove) [][]ringMove {
	var phases [][]ringMove
	for _, moves := range plus {
		sends, receives := map[int]bool{}, map[int]bool{}
		for _, m := range moves {
			sends[m.from], receives[m.to] = true, true
		}
		together, later := slices.Clone(moves), []ringMove(nil)
		for _, m := range moves {
			if i := image(m); sends[i.from] || receives[i.to] {
				later = append(later, i)
			} else {
				together = append(together, i)
			}
		}
		for _, group := range [][]ringMove{together, later} {
			if len(group) > 0 {
				phases = append(phases, group)
			}
		}
	}
	return phases
}

// largest returns the size of the largest move, 0 without one.
func largest(moves []ringMove) int {
	size := 0
	for _, m := range moves {
		size = max(size, len(m.pairs))
	}
	return size
}

// totalSize returns the sum over phases of the largest move.
func totalSize(phases [][]ringMove) int {
	sum := 0
	for _, moves := range phases {
		sum += largest(moves)
	}
	return sum
}
