package exchange

import (
	"slices"

	"leeway/core"
)

// A Variant says which way blocks go that are half way round a ring.
type Variant int

// The variants.
const (
	// Published: all go the positive way, as in seed 004. Only on rings of four do
	// those of even places go the negative way.
	Published Variant = iota
	// Balanced: those of even places go the negative way on every even ring. Both
	// directions then carry the same in each phase.
	Balanced
)

// String returns "published" or "balanced".
func (v Variant) String() string {
	if v == Balanced {
		return "balanced"
	}
	return "published"
}

// maxRing is the longest ring that a plan is made for: a plan lists every block of
// the ring at every hop.
const maxRing = 2048

// A ringPlan is a complete exchange on a ring: no place sends twice or receives twice
// in a phase, and no link is used twice.
type ringPlan struct {
	n      int
	phases [][]ringMove
	byFrom [][]int // by phase and place: the number of its move, -1 if it is silent
}

// newRingPlan returns the gather-scatter exchange on a ring of n places: both trees
// overlapped where they share ports without clashes, which is possible on every even
// ring, and with extra phases on an odd one. Phases without a move are left out, but
// not of the published even form: rings of several lengths that run side by side are to
// keep its step.
func newRingPlan(n int, v Variant) ringPlan {
	p := ringPlan{n: n}
	switch {
	case n == 2:
		p.phases = [][]ringMove{{
			{0, 1, core.Plus, []Block{{0, 1}}},
			{1, 0, core.Plus, []Block{{1, 0}}},
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

// evenPhases overlaps the trees of an even ring. The negative one is the mirror image
// of the positive one under i -> 1-i: above level 0 it has the odd places to itself.
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

// turned returns a move between the mirrored places under i -> c-i, in the other
// direction, with its pairs as they were.
func (m ringMove) turned(n, c int) ringMove {
	return ringMove{(c - m.from + n) % n, (c - m.to + n) % n, -m.dir, m.pairs}
}

// mirrored returns the move as a mirror i -> c-i shows it, the pairs too.
func (m ringMove) mirrored(n, c int) ringMove {
	image := m.turned(n, c)
	image.pairs = make([]Block, len(m.pairs))
	for i, b := range m.pairs {
		image.pairs[i] = Block{int32((c - int(b.From) + n) % n), int32((c - int(b.To) + n) % n)}
	}
	return image
}

// oddPhases overlaps the unmodified trees of an odd ring (docs/exchange.md, R7): negative
// sends whose ports the positive tree needs follow in a phase of their own. Of all
// mirrors i -> c-i that make the negative tree, it takes the first with the fewest
// phases, then with the least transmission.
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

// overlap puts the images of the moves of each phase beside the moves, and those whose
// ports are taken there into a phase after it. It leaves out phases without a move.
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
