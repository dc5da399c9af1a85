package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
)

// A TorusPlan is a complete exchange on a torus by wormhole routing after seed 004:
// first, for T4 and C64, every block moves into the logical torus of its destination,
// the nodes that are congruent to it modulo a period; then the nodes run ring
// exchanges, one axis a stage, in each logical torus apart from the others. The
// logical tori fall into groups, by the sum of their coordinates, that take the axes in
// different turns so that no two use the same links.
//
// A plan knows its costs without listing a block. It is immutable.
type TorusPlan struct {
	name    string
	torus   *core.Torus
	variant Variant
	period  int        // nodes of one logical torus are this far apart on an axis
	turns   [][]int    // by group and stage: the axis, -1 to stay idle
	rings   []ringPlan // by axis, of its logical ring
}

// ByAxes returns the plan that exchanges along one axis after the other, on any torus:
// the ring exchange of seed 004 on a single axis, T1 on two, C1 on three. A side above
// 2048 is an *core.InputError.
func ByAxes(t *core.Torus, v Variant) (*TorusPlan, error) {
	turns := make([]int, t.D())
	for j := range turns {
		turns[j] = j
	}
	name := map[int]string{1: "ring", 3: "c1"}[t.D()]
	if name == "" {
		name = "t1"
	}
	return newTorusPlan(name, t.D(), t, v, 1, [][]int{turns})
}

// T4 returns the plan of seed 004 for two axes in four logical tori. It is an
// *core.InputError if the torus has not two axes, or a side is neither 2 nor a
// multiple of 4: then a logical ring of odd length would need a port twice.
func T4(t *core.Torus, v Variant) (*TorusPlan, error) {
	return newTorusPlan("t4", 2, t, v, 2, [][]int{{0, 1}, {1, 0}})
}

// C64 returns the plan of seed 004 for three axes in 64 logical tori. It is an
// *core.InputError if the torus has not three axes, or a side is neither 4 nor a
// multiple of 8.
func C64(t *core.Torus, v Variant) (*TorusPlan, error) {
	return newTorusPlan("c64", 3, t, v, 4, [][]int{{0, -1, 2, 1}, {1, 0, -1, 2}, {2, 1, 0, -1}, {-1, 2, 1, 0}})
}

// newTorusPlan returns the plan with the given turns if the torus has the axes for it and
// its sides suit.
func newTorusPlan(name string, axes int, t *core.Torus, v Variant, period int, turns [][]int) (*TorusPlan, error) {
	if t.D() != axes {
		return nil, &core.InputError{Text: t.String(), Problem: fmt.Sprintf("%s is for tori of %d axes, this one has %d", name, axes, t.D()),
			Hint: otherPlan}
	}
	p := &TorusPlan{name: name, torus: t, variant: v, period: period, turns: turns}
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
		return fmt.Sprintf("%s needs every side to be %d or a multiple of %d, and %d is neither", name, period, 2*period, side)
	case side/period > maxRing:
		return fmt.Sprintf("%s lists every block of a ring, which is supported up to rings of %d", name, maxRing)
	}
	return ""
}

// sideError names side j of a torus as what does not suit.
func sideError(t *core.Torus, j int, problem string) error {
	sides := strings.Split(t.String(), "x")
	offset := 0
	for _, side := range sides[:j] {
		offset += len(side) + 1
	}
	return &core.InputError{Text: t.String(), Part: strconv.Itoa(t.Side(j)), Offset: offset, Problem: problem, Hint: otherPlan}
}

// Name returns ring, t1, c1, t4 or c64.
func (p *TorusPlan) Name() string { return p.name }

// Variant returns which way half-way blocks go.
func (p *TorusPlan) Variant() Variant { return p.variant }

// Torus returns the torus that the plan is for.
func (p *TorusPlan) Torus() *core.Torus { return p.torus }

// A Cost is what a wormhole schedule costs: its latency is Startups t_s +
// Transmission b t_x, for blocks of size b.
type Cost struct {
	Startups     int
	Transmission int // sum over phases of the largest send, in blocks
	// Independent is the transmission if groups of nodes that share neither nodes
	// nor links do not wait for each other within a stage: a stage then costs the
	// largest sum of a group. Transmission has all in step.
	Independent int
}

// Cost returns what the plan costs, from the ring exchanges that it is made of.
func (p *TorusPlan) Cost() Cost {
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
func (p *TorusPlan) PhaseSizes() []int {
	var sizes []int
	for _, s := range p.steps() {
		sizes = append(sizes, p.stepSize(s))
	}
	return sizes
}

// A torusStep is one phase of a plan: hop (from 1) of preparing an axis, or with hop 0
// one phase of the rings in a stage.
type torusStep struct {
	hop, axis    int
	stage, phase int
}

// prepares reports whether blocks move into their logical torus in this step.
func (s torusStep) prepares() bool { return s.hop > 0 }

// steps returns the phases of the plan in order, without those in which nobody sends.
func (p *TorusPlan) steps() []torusStep {
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
func (p *TorusPlan) stepSize(s torusStep) int {
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

// fold returns how many blocks of the torus a block of a logical ring along an axis
// stands for.
func (p *TorusPlan) fold(axis int) int { return p.period * (p.torus.N() / p.torus.Side(axis)) }
