// Package wormhole schedules complete exchange by wormhole routing (seed 004).
package wormhole

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// maxFollowed bounds the blocks that RunClasses follows.
const maxFollowed = 1 << 27

// RunClasses follows the blocks of one source in each translation class through the plan, for tori with too many
// blocks to follow them all, and returns the largest send of each phase, in blocks of all sources. It checks that every
// block followed is at its sender and arrives at its destination, that no node sends or receives twice in a phase, that
// no link is used twice, and that nodes of one class send alike; errors say what fails. That the blocks of a send are
// translates of those of its class follows from the ring plans, whose period is measured, not assumed. Memory: 4 bytes
// for each block, besides the blocks of a phase. More than 2^27 blocks to follow are an *core.InputError.
func (p *Plan) RunClasses() ([]int, error) {
	period, followed := p.periods(), p.torus.N()
	for _, length := range period {
		if followed > maxFollowed/length {
			return nil, &core.InputError{Text: p.torus.String(),
				Problem: fmt.Sprintf("%s has more than %d blocks to follow, even one source a class", p.name, maxFollowed)}
		}
		followed *= length
	}
	c := newClassRunner(p.torus, period)
	for phase := range p.phases(period) {
		if err := c.play(phase); err != nil {
			return nil, fmt.Errorf("%s on %s, phase %d: %w", p.name, p.torus, len(c.sizes)+1, err)
		}
	}
	for i, at := range c.at {
		if dest := i % p.torus.N(); int(at) != dest {
			return nil, fmt.Errorf("%s on %s: block %d -> %d ends at %d", p.name, p.torus,
				c.sources[i/p.torus.N()], dest, at)
		}
	}
	return c.sizes, nil
}

// periods returns the least translation along each axis under which the plan is invariant.
func (p *Plan) periods() []int {
	periods := make([]int, p.torus.D())
	for j, r := range p.rings {
		periods[j] = p.period * r.period()
	}
	return periods
}

// period returns the least shift of places that maps the moves of every phase onto themselves, with their blocks.
func (p ringPlan) period() int {
	for shift := 1; shift < p.n; shift++ {
		if p.n%shift == 0 && p.invariant(shift) {
			return shift
		}
	}
	return p.n
}

// invariant reports whether shifting all places by shift maps the plan onto itself.
func (p ringPlan) invariant(shift int) bool {
	move := func(i int32) int { return (int(i) + shift) % p.n }
	order := func(a, b exchange.Block) int { return (int(a.From)-int(b.From))*p.n + int(a.To) - int(b.To) }
	for k, moves := range p.phases {
		for _, m := range moves {
			index := p.byFrom[k][(m.from+shift)%p.n]
			if index < 0 {
				return false
			}
			image := moves[index]
			shifted := make([]exchange.Block, len(m.pairs))
			for i, b := range m.pairs {
				shifted[i] = exchange.NewBlock(move(b.From), move(b.To))
			}
			there := slices.Clone(image.pairs)
			slices.SortFunc(shifted, order)
			slices.SortFunc(there, order)
			if image.to != (m.to+shift)%p.n || image.dir != m.dir || !slices.Equal(shifted, there) {
				return false
			}
		}
	}
	return true
}

// A classRunner holds where the blocks followed are.
type classRunner struct {
	torus   *core.Torus
	sources []int   // nodes that represent their class
	number  []int   // by node: the class it belongs to
	at      []int32 // by class and destination: where the block of its representative is
	sizes   []int   // by phase: of its largest send
}

func newClassRunner(t *core.Torus, period []int) *classRunner {
	c := &classRunner{torus: t, number: make([]int, t.N())}
	for v := range t.N() {
		representative := v
		for j := range t.D() {
			coord := t.Coord(v, j)
			representative -= (coord - coord%period[j]) * t.Stride(j)
		}
		if representative == v { // before all others of its class
			c.number[v] = len(c.sources)
			c.sources = append(c.sources, v)
			c.at = append(c.at, slices.Repeat([]int32{int32(v)}, t.N())...)
		}
		c.number[v] = c.number[representative]
	}
	return c
}

// index returns where the position of a block stands.
func (c *classRunner) index(b exchange.Block) int { return c.number[b.From]*c.torus.N() + int(b.To) }

// play checks a phase and moves its blocks.
func (c *classRunner) play(phase exchange.Phase) error {
	type send struct { // what all sends of a class share
		axis int
		dir  core.Dir
		by   int // displacement, as a node
	}
	classes := len(c.sources)
	firsts, members, sizes := make([]send, classes), make([]int, classes), make([]int, classes)
	sent, received, used := core.NewSet(c.torus.N()), core.NewSet(c.torus.N()), core.NewSet(c.torus.M())
	for _, s := range phase {
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("send %d -> %d %s", s.From, s.To, fmt.Sprintf(format, args...))
		}
		if sent.Has(int(s.From)) || received.Has(int(s.To)) {
			return wrong("needs a port twice")
		}
		sent.Add(int(s.From))
		received.Add(int(s.To))
		for _, l := range s.Links(c.torus) {
			if used.Has(int(l)) {
				v, _ := c.torus.LinkFrom(l)
				return wrong("uses the link from %d along axis %d, %s, again", v, s.Axis, s.Dir)
			}
			used.Add(int(l))
		}
		class, like := c.number[s.From], send{s.Axis, s.Dir, c.torus.Displacement(int(s.From), int(s.To))}
		if members[class] == 0 {
			firsts[class] = like
		}
		if firsts[class] != like {
			return wrong("differs from others of its class")
		}
		members[class]++
		sizes[class] += len(s.Blocks)
		for _, b := range s.Blocks {
			if at := c.at[c.index(b)]; at != s.From {
				return wrong("has block %d -> %d, which is at %d", b.From, b.To, at)
			}
		}
	}
	size := 0
	for class, n := range members {
		if n != 0 && n != c.torus.N()/classes {
			return fmt.Errorf("only %d nodes of the class of node %d send", n, c.sources[class])
		}
		size = max(size, sizes[class])
	}
	for _, s := range phase {
		for _, b := range s.Blocks {
			c.at[c.index(b)] = s.To
		}
	}
	c.sizes = append(c.sizes, size)
	return nil
}
