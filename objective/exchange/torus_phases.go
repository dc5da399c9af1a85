package exchange

import (
	"iter"

	"leeway/core"
)

// Schedule returns the phases of the plan with every block of every send. Nothing is
// stored between phases: which blocks a node holds when a stage starts follows from its
// coordinates. Memory: about that of the largest phase, in which each of N^2 blocks, of 8
// bytes, moves once at most.
func (p *TorusPlan) Schedule() Schedule {
	return Schedule{Name: p.name, Model: Wormhole, Sides: p.torus.Dims(), Phases: p.phases(p.torus.Dims())}
}

// phases yields the phases of the plan, listing only blocks whose source has
// coordinate j below box[j] for all j. A send is there even if none of its blocks is.
func (p *TorusPlan) phases(box []int) iter.Seq[Phase] {
	return func(yield func(Phase) bool) {
		w := phaseWriter{TorusPlan: p, box: box, parts: make([]axisBlocks, p.torus.D())}
		for _, s := range p.steps() {
			if !yield(w.write(s)) {
				return
			}
		}
	}
}

// A phaseWriter lists the blocks of one phase after the other into memory that it uses
// again.
type phaseWriter struct {
	*TorusPlan
	box    []int
	sends  Phase
	ends   []int // of the blocks of each send
	blocks []Block
	rest   []Block      // sums over all axes but one
	spare  []Block      // for the sum to come
	parts  []axisBlocks // by axis
}

// axisBlocks are the parts of source and destination, as sums for node numbers, that
// blocks may have in one axis. A block is one choice in each axis, added up.
type axisBlocks []Block

// write returns the phase of a step.
func (w *phaseWriter) write(s torusStep) Phase {
	w.sends, w.ends, w.blocks = w.sends[:0], w.ends[:0], w.blocks[:0]
	for v := range w.torus.N() {
		if s.prepares() {
			w.prepare(v, s)
		} else {
			w.exchange(v, s)
		}
	}
	start := 0
	for i, end := range w.ends {
		w.sends[i].Blocks = w.blocks[start:end:end]
		start = end
	}
	return w.sends
}

// finish adds the send whose blocks were listed last.
func (w *phaseWriter) finish(from, to, axis int, dir core.Dir) {
	w.sends = append(w.sends, Send{From: int32(from), To: int32(to), Axis: axis, Dir: dir})
	w.ends = append(w.ends, len(w.blocks))
}

// prepare lists what node v passes one step on in a hop of preparing an axis: what has
// come hop-1 steps from its source and has more to go (docs/exchange.md, R10).
func (w *phaseWriter) prepare(v int, s torusStep) {
	k, stride := w.torus.Side(s.axis), w.torus.Stride(s.axis)
	source := (w.torus.Coord(v, s.axis) - (s.hop - 1) + k) % k
	if source < w.box[s.axis] {
		for j := range w.torus.D() {
			if j < s.axis {
				w.parts[j] = w.waiting(w.parts[j][:0], j, w.torus.Coord(v, j))
			} else if j > s.axis {
				w.parts[j] = w.untouched(w.parts[j][:0], j, w.torus.Coord(v, j))
			}
		}
		w.sumRest(s.axis)
		for dest := range k {
			if (dest-source+k)%w.period >= s.hop {
				w.list(source*stride, dest*stride)
			}
		}
	}
	w.finish(v, w.torus.Shift(v, s.axis, 1), s.axis, core.Plus)
}

// exchange lists what node v sends in a phase of its ring, if it sends at all.
func (w *phaseWriter) exchange(v int, s torusStep) {
	sum := 0
	for j := range w.torus.D() {
		sum += w.torus.Coord(v, j)
	}
	turn := w.turns[sum%len(w.turns)]
	axis := turn[s.stage]
	if axis < 0 || s.phase >= len(w.rings[axis].phases) {
		return
	}
	place, class := w.torus.Coord(v, axis)/w.period, w.torus.Coord(v, axis)%w.period
	index := w.rings[axis].byFrom[s.phase][place]
	if index < 0 {
		return
	}
	for j := range w.torus.D() {
		w.parts[j] = w.waiting(w.parts[j][:0], j, w.torus.Coord(v, j))
	}
	for _, j := range turn[:s.stage] {
		if j >= 0 {
			w.parts[j] = w.arrived(w.parts[j][:0], j, w.torus.Coord(v, j))
		}
	}
	w.sumRest(axis)
	move := w.rings[axis].phases[s.phase][index]
	k, stride := w.torus.Side(axis), w.torus.Stride(axis)
	for _, b := range move.pairs {
		at, dest := int(b.From)*w.period+class, int(b.To)*w.period+class
		for back := range w.period {
			if source := (at - back + k) % k; source < w.box[axis] {
				w.list(source*stride, dest*stride)
			}
		}
	}
	w.finish(v, v+(move.to-move.from)*w.period*stride, axis, move.dir)
}

// untouched appends the parts in axis j of blocks at coordinate c that have not moved
// along it.
func (w *phaseWriter) untouched(list axisBlocks, j, c int) axisBlocks {
	if c >= w.box[j] {
		return list
	}
	stride := w.torus.Stride(j)
	for dest := range w.torus.Side(j) {
		list = append(list, Block{int32(c * stride), int32(dest * stride)})
	}
	return list
}

// waiting appends the parts in axis j of blocks at coordinate c that are prepared along
// it and no more: their source is less than a period behind.
func (w *phaseWriter) waiting(list axisBlocks, j, c int) axisBlocks {
	k, stride := w.torus.Side(j), w.torus.Stride(j)
	for back := range w.period {
		source := (c - back + k) % k
		if source >= w.box[j] {
			continue
		}
		for dest := c % w.period; dest < k; dest += w.period {
			list = append(list, Block{int32(source * stride), int32(dest * stride)})
		}
	}
	return list
}

// arrived appends the parts in axis j of blocks at coordinate c that have made their way
// along it: they come from anywhere.
func (w *phaseWriter) arrived(list axisBlocks, j, c int) axisBlocks {
	stride := w.torus.Stride(j)
	for source := range w.box[j] {
		list = append(list, Block{int32(source * stride), int32(c * stride)})
	}
	return list
}

// sumRest makes rest the sums of one choice in each axis but the given one.
func (w *phaseWriter) sumRest(axis int) {
	w.rest = append(w.rest[:0], Block{})
	for j, choices := range w.parts {
		if j == axis {
			continue
		}
		w.spare = w.spare[:0]
		for _, r := range w.rest {
			for _, c := range choices {
				w.spare = append(w.spare, Block{r.From + c.From, r.To + c.To})
			}
		}
		w.rest, w.spare = w.spare, w.rest
	}
}

// list adds the blocks with the given parts in the axis that rest leaves out.
func (w *phaseWriter) list(source, dest int) {
	for _, r := range w.rest {
		w.blocks = append(w.blocks, Block{r.From + int32(source), r.To + int32(dest)})
	}
}
