package exchange

import (
	"math/rand/v2"
	"slices"

	"leeway/core"
)

// A packer stops after this many rounds, or after about this many trials of a pair in a
// phase.
const (
	packRounds = 8000
	packEffort = 1 << 24
)

// A pathPacker assigns pairs to phases and chooses their paths.
type pathPacker struct {
	torus  *core.Torus
	pairs  []pathPair
	phase  []int // by pair
	choice []int // by pair: the number of its path
	used   int   // phases
	busy   []busyPhase
	random *rand.Rand
}

// A busyPhase is what sends of one phase use.
type busyPhase struct{ sends, receives, links core.Set }

func newPathPacker(t *core.Torus, pairs []pathPair) *pathPacker {
	return &pathPacker{torus: t, pairs: pairs, phase: make([]int, len(pairs)), choice: make([]int, len(pairs)),
		random: rand.New(rand.NewPCG(1, 0))}
}

// improve packs the pairs as they are sorted, then in other orders, each from the best
// packing so far, until there are target phases or the effort is spent.
func (k *pathPacker) improve(target int) {
	k.pack([][]int{k.all()})
	for round, spent := 0, 0; k.used > target && round < packRounds && spent < packEffort; round++ {
		used, phase, choice := k.used, slices.Clone(k.phase), slices.Clone(k.choice)
		k.pack(k.regroup())
		spent += len(k.pairs) * k.used
		if k.used > used {
			k.used, k.phase, k.choice = used, phase, choice
		}
	}
}

// all returns the numbers of the pairs as they are sorted.
func (k *pathPacker) all() []int {
	order := make([]int, len(k.pairs))
	for i := range order {
		order[i] = i
	}
	return order
}

// regroup returns the pairs by phase, the phases in random order or, every other time on
// average, the smallest last. Now and then some random pairs go to the front, each a
// group of its own: that leads out of packings to which no order of the phases is a way.
func (k *pathPacker) regroup() [][]int {
	var front [][]int
	moved := map[int]bool{}
	if k.random.IntN(4) == 0 {
		for range k.random.IntN(k.used + 1) {
			if i := k.random.IntN(len(k.pairs)); !moved[i] {
				moved[i] = true
				front = append(front, []int{i})
			}
		}
	}
	groups := make([][]int, k.used)
	for i, phase := range k.phase {
		if !moved[i] {
			groups[phase] = append(groups[phase], i)
		}
	}
	k.random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	if k.random.IntN(2) == 0 {
		slices.SortStableFunc(groups, func(a, b []int) int { return len(b) - len(a) })
	}
	return slices.Concat(front, groups)
}

// pack puts the pairs, group by group, into the first phases that have room for them. In
// a phase that was opened for an earlier group a pair may take any path, in one opened
// for its own only the path that it had. So pairs that shared a phase before need at most
// one of their own, and with the phases as groups the count never grows.
func (k *pathPacker) pack(groups [][]int) {
	k.used = 0
	for _, group := range groups {
		opened := k.used
		for _, i := range group {
			phase := 0
			for phase < k.used && !k.fits(i, phase, phase < opened) {
				phase++
			}
			if phase == k.used {
				k.open()
			}
			k.phase[i] = phase
			k.busy[phase].add(k.pairs[i].Block, k.pairs[i].paths[k.choice[i]])
		}
	}
}

// open starts a new phase.
func (k *pathPacker) open() {
	if k.used == len(k.busy) {
		k.busy = append(k.busy, newBusyPhase(k.torus))
	} else {
		k.busy[k.used].clear()
	}
	k.used++
}

// fits reports whether a phase has room for pair i. It may take a path other than the
// last one if any will do: the first free one from a random one on.
func (k *pathPacker) fits(i, phase int, any bool) bool {
	pair, busy := k.pairs[i], k.busy[phase]
	if busy.ports(pair.Block) {
		return false
	}
	if !any {
		return busy.free(pair.paths[k.choice[i]])
	}
	start := k.random.IntN(len(pair.paths))
	for n := range pair.paths {
		if c := (start + n) % len(pair.paths); busy.free(pair.paths[c]) {
			k.choice[i] = c
			return true
		}
	}
	return false
}

func newBusyPhase(t *core.Torus) busyPhase {
	return busyPhase{core.NewSet(t.N()), core.NewSet(t.N()), core.NewSet(t.M())}
}

// ports reports whether one of the ports that a send needs is in use.
func (b busyPhase) ports(ends Block) bool {
	return b.sends.Has(int(ends.From)) || b.receives.Has(int(ends.To))
}

// free reports whether no link of a path is in use.
func (b busyPhase) free(path []core.Link) bool {
	return !slices.ContainsFunc(path, func(l core.Link) bool { return b.links.Has(int(l)) })
}

// add notes what a send from ends.From to ends.To uses.
func (b busyPhase) add(ends Block, path []core.Link) {
	b.sends.Add(int(ends.From))
	b.receives.Add(int(ends.To))
	for _, l := range path {
		b.links.Add(int(l))
	}
}

func (b busyPhase) clear() {
	clear(b.sends)
	clear(b.receives)
	clear(b.links)
}
