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
	links   []int   // by link: the last phase, from 1, that used it
	sizes   []int   // by phase: of its largest send
}

func newClassRunner(t *core.Torus, period []int) *classRunner {
	c := &classRunner{torus: t, number: make([]int, t.N()), links: make([]int, t.M())}
	for v := range t.N() {
		representative := v
		for j := range t.D() {
			coord := t.Coord(v, j)
			representative -= (coord - coord%period[j]) * t.Stride(j)
		}
		if representative == v { // before all others of its class
			c.number[v] = len(c.sources)
			c.sources = append(c.sources, v)
		} else {
			c.number[v] = c.number[representative]
		}
	}
	for _, source := range c.sources {
		c.at = append(c.at, slices.Repeat([]int32{int32(source)}, t.N())...)
	}
	return c
}

// A classSend is what all sends of one class share, and how many blocks they carry.
type classSend struct {
	axis    int
	dir     core.Dir
	by      int // displacement, as a node
	members int
	size    int
}

// play checks a phase and moves its blocks.
func (c *classRunner) play(phase exchange.Phase) error {
	sends := make([]classSend, len(c.sources))
	received := core.NewSet(c.torus.N())
	sent := core.NewSet(c.torus.N())
	for _, s := range phase {
		if sent.Has(int(s.From)) || received.Has(int(s.To)) {
			return fmt.Errorf("send %d -> %d needs a port twice", s.From, s.To)
		}
		sent.Add(int(s.From))
		received.Add(int(s.To))
		if err := c.occupy(s); err != nil {
			return err
		}
		if err := c.fold(s, &sends[c.number[s.From]]); err != nil {
			return err
		}
	}
	size := 0
	for class, s := range sends {
		if s.members != 0 && s.members != c.torus.N()/len(c.sources) {
			return fmt.Errorf("only %d nodes of the class of node %d send", s.members, c.sources[class])
		}
		size = max(size, s.size)
	}
	for _, s := range phase {
		for _, b := range s.Blocks {
			c.at[c.index(b)] = s.To
		}
	}
	c.sizes = append(c.sizes, size)
	return nil
}

// index returns where the position of a block stands.
func (c *classRunner) index(b exchange.Block) int { return c.number[b.From]*c.torus.N() + int(b.To) }

// occupy marks the links of a send as used in this phase.
func (c *classRunner) occupy(s exchange.Send) error {
	now := len(c.sizes) + 1
	for _, l := range s.Links(c.torus) {
		if c.links[l] == now {
			v, _ := c.torus.LinkFrom(l)
			return fmt.Errorf("send %d -> %d uses the link from %d along axis %d, %s, again", s.From, s.To, v, s.Axis,
				s.Dir)
		}
		c.links[l] = now
	}
	return nil
}

// fold adds a send to those of its class, after checking that it is like them and that its blocks are at its sender.
func (c *classRunner) fold(s exchange.Send, class *classSend) error {
	by := c.torus.Displacement(int(s.From), int(s.To))
	if class.members == 0 {
		*class = classSend{axis: s.Axis, dir: s.Dir, by: by}
	}
	if class.axis != s.Axis || class.dir != s.Dir || class.by != by {
		return fmt.Errorf("send %d -> %d differs from others of its class", s.From, s.To)
	}
	class.members++
	class.size += len(s.Blocks)
	for _, b := range s.Blocks {
		if at := c.at[c.index(b)]; at != s.From {
			return fmt.Errorf("send %d -> %d has block %d -> %d, which is at %d", s.From, s.To, b.From, b.To, at)
		}
	}
	return nil
}
