package bisect

import (
	"context"

	"leeway/core"
)

// trace returns a set with the number of processors and links out that the sweep
// found. It sweeps once more, keeps the layer before each slab, and goes back
// slab by slab: memory for k + m layers.
func (x *transfer) trace(f found) core.Set {
	before := make([]*layer, x.k)
	last, _ := x.sweep(context.Background(), f.start, f.first, f.out+1, func(i int, l *layer) { before[i] = l.clone() })
	state := state{count: f.count, cost: uint16(f.out)}
	for p, live := range last.live {
		if live && last.row(uint32(p))[f.count] == state.cost {
			state.pattern = uint32(p)
			break
		}
	}
	set := core.NewSet(x.placement.Torus().N())
	for i := x.k - 1; i >= 1; i-- {
		x.add(set, f.start+i, state.pattern)
		state = x.back(before[i], x.steps(f.start, i, f.first, f.out+1), state)
		before[i] = nil
	}
	x.add(set, f.start, f.first)
	return set
}

// state is one entry of a layer.
type state struct {
	pattern uint32
	count   int
	cost    uint16
}

// back returns the state before the steps of one slab from which the state after
// them comes.
func (x *transfer) back(l *layer, steps []step, after state) state {
	layers := make([]*layer, len(steps))
	for i, s := range steps {
		layers[i] = l.clone()
		l.apply(s)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		after = layers[i].origin(steps[i], after)
	}
	return after
}

// origin returns the state of l from which a step leads to the given one. It
// panics if there is none, which only a fault in the sweep can bring.
func (l *layer) origin(s step, after state) state {
	bit := after.pattern >> s.place & 1
	own := s.own(after.pattern, bit)
	before := state{pattern: after.pattern, count: after.count}
	if s.processor && bit == 1 {
		before.count--
	}
	for range 2 {
		change := uint16(0)
		if before.pattern != after.pattern {
			change = 1
		}
		if cost := l.row(before.pattern)[before.count]; cost+own+change == after.cost {
			before.cost = cost
			return before
		}
		before.pattern ^= 1 << s.place
	}
	panic("bisect: a state has no origin")
}

func (x *transfer) add(set core.Set, slab int, pattern uint32) {
	for i, v := range x.node[slab%x.k] {
		if pattern>>i&1 != 0 {
			set.Add(v)
		}
	}
}
