package wormhole

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/objective/exchange"
)

// A Plan is a complete exchange on a torus by wormhole routing after seed 004. First, for T4 and C64, every block
// moves into the logical torus of its destination, which consists of the nodes congruent to it modulo a period. Then
// the nodes of each logical torus run ring exchanges, one axis per stage. The logical tori fall into groups, by the
// sum of their coordinates, and the groups take the axes in different orders so that no two use the same links.
//
// A plan knows its costs without listing blocks. It is immutable.
type Plan struct {
	name    string
	torus   *core.Torus
	variant Variant
	period  int        // nodes of one logical torus are this far apart on an axis
	turns   [][]int    // by group and stage: the axis, -1 to stay idle
	rings   []ringPlan // by axis, of its logical ring
}

// ByAxes returns the plan that exchanges along one axis after the other, on any torus: the ring exchange of seed 004
// on a single axis, T1 on two, C1 on three. A side above 2048 is an *core.InputError.
func ByAxes(t *core.Torus, v Variant) (*Plan, error) {
	name := map[int]string{1: "ring", 3: "c1"}[t.D()]
	if name == "" {
		name = "t1"
	}
	return newPlan(name, t.D(), t, v, 1, [][]int{core.Range(t.D())})
}

// T4 returns the plan of seed 004 for two axes in four logical tori. It is an *core.InputError if the torus has not
// two axes, or a side is neither 2 nor a multiple of 4: then a logical ring of odd length would need a port twice.
func T4(t *core.Torus, v Variant) (*Plan, error) {
	return newPlan("t4", 2, t, v, 2, [][]int{{0, 1}, {1, 0}})
}

// C64 returns the plan of seed 004 for three axes in 64 logical tori. It is an *core.InputError if the torus has not
// three axes, or a side is neither 4 nor a multiple of 8.
func C64(t *core.Torus, v Variant) (*Plan, error) {
	return newPlan("c64", 3, t, v, 4, [][]int{{0, -1, 2, 1}, {1, 0, -1, 2}, {2, 1, 0, -1}, {-1, 2, 1, 0}})
}

// newPlan returns the plan with the given order of axes for each group, if the axes and sides of the torus suit it.
func newPlan(name string, axes int, t *core.Torus, v Variant, period int, turns [][]int) (*Plan, error) {
	if t.D() != axes {
		return nil, &core.InputError{Text: t.String(),
			Problem: fmt.Sprintf("%s is for tori of %d axes, this one has %d", name, axes, t.D()),
			Hint:    otherPlan}
	}
	p := &Plan{name: name, torus: t, variant: v, period: period, turns: turns}
	for j := range t.D() {
		if problem := sideRule(name, period, t.Side(j)); problem != "" {
			return nil, sideError(t, j, problem)
		}
		if same := slices.Index(t.Dims()[:j], t.Side(j)); same >= 0 {
			p.rings = append(p.rings, p.rings[same])
			continue
		}
		p.rings = append(p.rings, newRingPlan(t.Side(j)/period, v))
	}
	return p, nil
}

const otherPlan = "t1, or ring on one axis, takes every torus"

// sideRule says why a side does not suit a plan, "" if it does.
func sideRule(name string, period, side int) string {
	switch {
	case period > 1 && side != period && side%(2*period) != 0:
		return fmt.Sprintf("%s needs every side to be %d or a multiple of %d, and %d is neither", name, period,
			2*period, side)
	case side/period > maxRing:
		return fmt.Sprintf("%s lists every block of a ring, which is supported up to rings of %d", name, maxRing)
	}
	return ""
}

// sideError returns an error that points to side j of a torus.
func sideError(t *core.Torus, j int, problem string) error {
	sides := strings.Split(t.String(), "x")
	offset := 0
	for _, side := range sides[:j] {
		offset += len(side) + 1
	}
	return &core.InputError{Text: t.String(), Part: strconv.Itoa(t.Side(j)), Offset: offset, Problem: problem,
		Hint: otherPlan}
}

// Name returns ring, t1, c1, t4 or c64.
func (p *Plan) Name() string { return p.name }

// Variant returns which way half-way blocks go.
func (p *Plan) Variant() Variant { return p.variant }

// Torus returns the torus that the plan is for.
func (p *Plan) Torus() *core.Torus { return p.torus }

// A Cost is what a wormhole schedule costs: its latency is Startups t_s + Transmission b t_x, for blocks of size b.
type Cost struct {
	Startups     int
	Transmission int // sum over phases of the largest send, in blocks
	// Independent is the transmission if groups, which share neither nodes nor links, do not wait for each other
	// within a stage: a stage then costs the largest sum of a group. In Transmission all groups run in step.
	Independent int
}

// Cost returns what the plan costs, from the ring exchanges that it is made of.
func (p *Plan) Cost() Cost {
	var c Cost
	for _, s := range p.steps() {
		c.Startups++
		c.Transmission += p.stepSize(s)
		if s.prepares() {
			c.Independent += p.stepSize(s)
		}
	}
	for stage := range p.turns[0] {
		most := 0
		for _, turn := range p.turns {
			if axis := turn[stage]; axis >= 0 {
				most = max(most, totalSize(p.rings[axis].phases)*p.fold(axis))
			}
		}
		c.Independent += most
	}
	return c
}

// PhaseSizes returns the largest send of each phase, in blocks.
func (p *Plan) PhaseSizes() []int {
	var sizes []int
	for _, s := range p.steps() {
		sizes = append(sizes, p.stepSize(s))
	}
	return sizes
}

// A torusStep is one phase of a plan: hop (from 1) of the preparation of an axis, or, with hop 0, a phase of the
// rings in a stage.
type torusStep struct {
	hop, axis    int
	stage, phase int
}

// prepares reports whether blocks move into their logical torus in this step.
func (s torusStep) prepares() bool { return s.hop > 0 }

// steps returns the phases of the plan in order, without those in which nobody sends.
func (p *Plan) steps() []torusStep {
	var steps []torusStep
	for axis := range p.torus.D() {
		for hop := 1; hop < p.period; hop++ {
			steps = append(steps, torusStep{hop: hop, axis: axis})
		}
	}
	for stage := range p.turns[0] {
		longest := 0
		for _, turn := range p.turns {
			if axis := turn[stage]; axis >= 0 {
				longest = max(longest, len(p.rings[axis].phases))
			}
		}
		for phase := range longest {
			if s := (torusStep{stage: stage, phase: phase}); p.stepSize(s) > 0 {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// stepSize returns the largest send of a step, in blocks.
func (p *Plan) stepSize(s torusStep) int {
	if s.prepares() {
		return p.torus.N() / p.period * (p.period - s.hop)
	}
	size := 0
	for _, turn := range p.turns {
		if axis := turn[s.stage]; axis >= 0 && s.phase < len(p.rings[axis].phases) {
			size = max(size, largest(p.rings[axis].phases[s.phase])*p.fold(axis))
		}
	}
	return size
}

// fold returns how many blocks of the torus a block of a logical ring along an axis stands for.
func (p *Plan) fold(axis int) int { return p.period * (p.torus.N() / p.torus.Side(axis)) }

// Schedule returns the phases of the plan with every block of every send. The coordinates of a node determine which
// blocks it holds when a stage starts, so nothing is stored between phases. Memory: about that of the largest phase,
// in which each of N^2 blocks, of 8 bytes, moves at most once.
func (p *Plan) Schedule() exchange.Schedule {
	return exchange.Schedule{Head: exchange.Head{Name: p.name, Model: exchange.Wormhole,
		Axes: exchange.Axes(p.torus)},
		Phases: p.phases(p.torus.Dims())}
}

// phases yields the phases of the plan, listing only blocks whose source has coordinate j below box[j] for all j.
// Sends without such blocks are listed, too.
func (p *Plan) phases(box []int) iter.Seq[exchange.Phase] {
	return func(yield func(exchange.Phase) bool) {
		w := phaseWriter{Plan: p, box: box, parts: make([]axisBlocks, p.torus.D())}
		for _, s := range p.steps() {
			if !yield(w.write(s)) {
				return
			}
		}
	}
}

// A phaseWriter lists the blocks of one phase after the other and reuses its memory.
type phaseWriter struct {
	*Plan
	box    []int
	sends  exchange.Phase
	ends   []int // of the blocks of each send
	blocks []exchange.Block
	rest   []exchange.Block // sums over all axes but one
	spare  []exchange.Block // for the sum to come
	parts  []axisBlocks     // by axis
}

// axisBlocks are the parts of source and destination, as sums for node numbers, that blocks may have in one axis. A
// block is one choice in each axis, added up.
type axisBlocks []exchange.Block

// write returns the phase of a step.
func (w *phaseWriter) write(s torusStep) exchange.Phase {
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
	w.sends = append(w.sends, exchange.Send{From: int32(from), To: int32(to), Axis: axis, Dir: dir})
	w.ends = append(w.ends, len(w.blocks))
}

// prepare lists the blocks that node v forwards one step in a hop of preparing an axis: those that have come hop-1
// steps from their source and have further to go (docs/exchange.md, R10).
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

// untouched appends the parts in axis j of blocks at coordinate c that have not moved along it.
func (w *phaseWriter) untouched(list axisBlocks, j, c int) axisBlocks {
	if c >= w.box[j] {
		return list
	}
	stride := w.torus.Stride(j)
	for dest := range w.torus.Side(j) {
		list = append(list, exchange.NewBlock(c*stride, dest*stride))
	}
	return list
}

// waiting appends the parts in axis j of blocks at coordinate c that have been prepared along it but not exchanged:
// their source is less than a period behind.
func (w *phaseWriter) waiting(list axisBlocks, j, c int) axisBlocks {
	k, stride := w.torus.Side(j), w.torus.Stride(j)
	for back := range w.period {
		source := (c - back + k) % k
		if source >= w.box[j] {
			continue
		}
		for dest := c % w.period; dest < k; dest += w.period {
			list = append(list, exchange.NewBlock(source*stride, dest*stride))
		}
	}
	return list
}

// arrived appends the parts in axis j of blocks at coordinate c that have completed their way along it: they may come
// from anywhere.
func (w *phaseWriter) arrived(list axisBlocks, j, c int) axisBlocks {
	stride := w.torus.Stride(j)
	for source := range w.box[j] {
		list = append(list, exchange.NewBlock(source*stride, c*stride))
	}
	return list
}

// sumRest sets rest to the sums of one choice in each axis but the given one.
func (w *phaseWriter) sumRest(axis int) {
	w.rest = append(w.rest[:0], exchange.Block{})
	for j, choices := range w.parts {
		if j == axis {
			continue
		}
		w.spare = w.spare[:0]
		for _, r := range w.rest {
			for _, c := range choices {
				w.spare = append(w.spare, exchange.Block{From: r.From + c.From, To: r.To + c.To})
			}
		}
		w.rest, w.spare = w.spare, w.rest
	}
}

// list adds the blocks with the given parts in the axis that rest leaves out.
func (w *phaseWriter) list(source, dest int) {
	for _, r := range w.rest {
		w.blocks = append(w.blocks, exchange.Block{From: r.From + int32(source), To: r.To + int32(dest)})
	}
}
