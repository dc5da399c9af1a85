package levels

import (
	"cmp"
	"slices"

	"leeway/core"
	"leeway/core/symmetry"
)

// A turn is what an automorphism that fixes node 0 does to the dimensions.
type turn struct {
	to   []int  // by dimension: where it goes
	flip []bool // by dimension: whether it is reversed
}

// turnsOf returns what the points of a group do, one after the other.
func turnsOf(g *symmetry.Group) []turn {
	t := g.Torus()
	list := make([]turn, g.Points())
	for i := range list {
		u := turn{make([]int, t.D()), make([]bool, t.D())}
		image := g.Images(i, 0)
		for s := range t.D() {
			step := image[t.Stride(s)]
			for t.Coord(step, u.to[s]) == 0 {
				u.to[s]++
			}
			u.flip[s] = t.Coord(step, u.to[s]) != 1
		}
		list[i] = u
	}
	return list
}

// A chooser lists the classes: slab counts of all dimensions that leave room for
// each other, the first of every orbit under the turns.
type chooser struct {
	torus *core.Torus
	sides [][]counted // by dimension
	ranks [][2][]int  // by dimension, as it is and reversed, and number: the place in the order
	turns []turn
	meter *meter

	picks, images []int   // by dimension
	classes       [][]int // by class and dimension: the number of its slab counts
}

// choose returns the classes in order. It fails with errTooMany, or with an error of
// the meter.
func choose(t *core.Torus, sides [][]counted, turns []turn, m *meter) ([][]int, error) {
	c := &chooser{torus: t, sides: sides, turns: turns, meter: m, picks: make([]int, t.D()), images: make([]int, t.D())}
	c.rank()
	if err := c.pick(0); err != nil {
		return nil, err
	}
	return c.classes, nil
}

// rank numbers all slab counts and their reversals, so that those of sides of one
// length compare by their numbers.
func (c *chooser) rank() {
	var all [][]int
	of := make([][2][][]int, len(c.sides))
	for s, side := range c.sides {
		for _, m := range side {
			turned := slices.Clone(m.counts)
			slices.Reverse(turned)
			of[s][0], of[s][1] = append(of[s][0], m.counts), append(of[s][1], greatest(turned))
		}
		all = append(append(all, of[s][0]...), of[s][1]...)
	}
	compare := func(a, b []int) int { return cmp.Or(cmp.Compare(len(a), len(b)), order(a, b)) }
	slices.SortFunc(all, compare)
	c.ranks = make([][2][]int, len(c.sides))
	for s := range of {
		for flip, lists := range of[s] {
			for _, list := range lists {
				at, _ := slices.BinarySearchFunc(all, list, compare)
				c.ranks[s][flip] = append(c.ranks[s][flip], at)
			}
		}
	}
}

// pick goes through the slab counts of dimension s and the following.
func (c *chooser) pick(s int) error {
	if s == len(c.sides) {
		if !c.first() {
			return nil
		}
		if c.classes = append(c.classes, slices.Clone(c.picks)); len(c.classes) > c.meter.kept {
			return errTooMany
		}
		return nil
	}
	for i := range c.sides[s] {
		if err := c.meter.step(1); err != nil {
			return err
		}
		if c.picks[s] = i; !c.room(s) {
			continue
		}
		if err := c.pick(s + 1); err != nil {
			return err
		}
	}
	return nil
}

// room reports whether the slab counts of dimension s and those picked before leave
// each other lines enough.
func (c *chooser) room(s int) bool {
	a := c.sides[s][c.picks[s]]
	for t, i := range c.picks[:s] {
		b, lines := c.sides[t][i], c.torus.N()/(c.torus.Side(s)*c.torus.Side(t))
		if slices.Max(a.counts) > b.width*lines || slices.Max(b.counts) > a.width*lines {
			return false
		}
	}
	return true
}

// first reports whether no turn takes the class picked to an earlier one.
func (c *chooser) first() bool {
	for _, u := range c.turns {
		for s, i := range c.picks {
			flip := 0
			if u.flip[s] {
				flip = 1
			}
			c.images[u.to[s]] = c.ranks[s][flip][i]
		}
		for s, i := range c.picks {
			if own := c.ranks[s][0][i]; c.images[s] != own {
				if c.images[s] < own {
					return false
				}
				break
			}
		}
	}
	return true
}
