package trees

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/results/check/meter"
)

// A levelsTurn is an automorphism that fixes node 0: coordinate s of a node,
// negated if flip[s], becomes coordinate to[s]; from is the other way round.
type levelsTurn struct {
	to, from []int
	flip     []bool
}

// levelsTurnOf reads a turn off the images of the nodes next to node 0.
func levelsTurnOf(t *core.Torus, images []int) levelsTurn {
	turn := levelsTurn{to: make([]int, t.D()), from: make([]int, t.D()), flip: make([]bool, t.D())}
	for s := range t.D() {
		next := images[t.Stride(s)]
		for t.Coord(next, turn.to[s]) == 0 {
			turn.to[s]++
		}
		turn.from[turn.to[s]] = s
		turn.flip[s] = t.Side(s) > 2 && t.Coord(next, turn.to[s]) != 1
	}
	return turn
}

// rankCounts numbers the slab counts of sides of one length, and what reversing
// makes of them, in their order.
func (w *levelsWalk) rankCounts(m *meter.Meter) {
	for k := 2; k <= maxFillSide; k++ {
		var all []slabCounts
		for _, side := range w.sides {
			if side.places != k {
				continue
			}
			m.ChargeAll(512, len(side.counts))
			for _, c := range side.counts {
				reverse := slabCounts{counts: greatestRotation(c.counts, k, true), squares: c.squares}
				all = append(all, c, reverse)
			}
		}
		slices.SortFunc(all, func(a, b slabCounts) int { return compareCounts(&a, &b) })
		ranks := map[necklace]int32{}
		for _, c := range all {
			if _, ok := ranks[c.counts]; !ok {
				ranks[c.counts] = int32(len(ranks))
			}
		}
		for _, side := range w.sides {
			if side.places != k {
				continue
			}
			for i := range side.counts {
				c := &side.counts[i]
				c.ranks = [2]int32{ranks[c.counts], ranks[greatestRotation(c.counts, k, true)]}
			}
		}
	}
}

// listClasses lists the classes in their order. It fails with a *core.InputError
// if they are more than most, or with the error of the meter.
func (w *levelsWalk) listClasses(m *meter.Meter) error {
	picks := make([]int32, len(w.sides))
	var choose func(s int) error
	choose = func(s int) error {
		if s == len(w.sides) {
			if err := m.Spend(int64(256 + 4*len(w.turns))); err != nil {
				return err
			}
			return w.addClass(picks)
		}
		for i := range w.sides[s].counts {
			if err := m.Spend(int64(4 * (s + 1))); err != nil {
				return err
			}
			if picks[s] = int32(i); !w.matches(picks[:s+1]) {
				continue
			}
			if err := choose(s + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return choose(0)
}

// matches reports whether the last of some slab counts and those before leave
// each other room: a slab of one dimension is made of lines along the other.
func (w *levelsWalk) matches(picks []int32) bool {
	t := len(picks) - 1
	last := w.picked(picks, t)
	for s := range t {
		before := w.picked(picks, s)
		lines := w.sides[s].slab / w.sides[t].places
		if last.most > before.width*lines || before.most > last.width*lines {
			return false
		}
	}
	return true
}

// picked returns the slab counts of dimension s.
func (w *levelsWalk) picked(picks []int32, s int) *slabCounts { return &w.sides[s].counts[picks[s]] }

// addClass notes the class of slab counts that go together, unless a turn takes
// it to an earlier one.
func (w *levelsWalk) addClass(picks []int32) error {
	for i := range w.turns {
		if w.turnsEarlier(&w.turns[i], picks) {
			return nil
		}
	}
	if len(w.heads) == w.most {
		return &core.InputError{Text: fmt.Sprint(w.size), Problem: fmt.Sprintf("more than %d classes of %d processors on torus %s",
			w.most, w.size, w.torus)}
	}
	var head []int
	for s, side := range w.sides {
		for _, v := range w.picked(picks, s).counts[:side.places] {
			head = append(head, int(v))
		}
	}
	w.heads, w.picks = append(w.heads, slices.Clip(head)), append(w.picks, slices.Clone(picks))
	return nil
}

// turnsEarlier reports whether a turn takes the slab counts to earlier ones.
func (w *levelsWalk) turnsEarlier(turn *levelsTurn, picks []int32) bool {
	for t, s := range turn.from {
		way := 0
		if turn.flip[s] {
			way = 1
		}
		image, own := w.picked(picks, s).ranks[way], w.picked(picks, t).ranks[0]
		if image != own {
			return image < own
		}
	}
	return false
}

// keeping lists the automorphisms that leave the counts of every dimension as
// they are: some points with some translations after them.
func (w *levelsWalk) keeping(picks []int32) []orderlyImage {
	var list []orderlyImage
	for i := range w.turns {
		origins := []int{0}
		for s, to := range w.turns[i].to {
			var longer []int
			for shift := range w.sides[s].places {
				if w.keeps(picks, s, &w.turns[i], shift) {
					for _, o := range origins {
						longer = append(longer, o+shift*w.torus.Stride(to))
					}
				}
			}
			origins = longer
		}
		for _, o := range origins {
			list = append(list, orderlyImage{point: int32(i), origin: uint8(o)})
		}
	}
	return list
}

// keeps reports whether a turn, then minus a shift, takes every slab of dimension
// s to one with as many processors.
func (w *levelsWalk) keeps(picks []int32, s int, turn *levelsTurn, shift int) bool {
	k := w.sides[s].places
	from, to := w.picked(picks, s), w.picked(picks, turn.to[s])
	for x, v := range from.counts[:k] {
		if turn.flip[s] {
			x = k - x
		}
		if to.counts[(x+k-shift)%k] != v {
			return false
		}
	}
	return true
}
