package audit

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

// A setting is a placement on a torus, with a routing unless only the placement matters, and the words of the command
// line for both.
type setting struct {
	placement               core.Placement
	routing                 routing.Routing
	placedText, routingText string
}

// setUp returns the setting on d sides of k of a placement and a routing given by their texts, which must be right.
func setUp(k, d int, placed, routed string) setting {
	return setUpAt(must(family.Parse(cube(k, d), placed)), placed, routed)
}

// setUpAt returns the setting of a placement, whose text is empty if it has no name.
func setUpAt(p core.Placement, placed, routed string) setting {
	s := setting{placement: p, placedText: placed, routingText: routed}
	if routed != "" {
		s.routing = must(routing.Parse(p.Torus(), routed))
	}
	return s
}

func (s setting) torus() *core.Torus { return s.placement.Torus() }

// sides returns the side of a torus with equal sides and the number of its axes.
func (s setting) sides() (k, d int) { return s.torus().Side(0), s.torus().D() }

func (s setting) loads() *objective.Loads { return objective.Evaluate(s.routing, s.placement) }

// load returns E_max.
func (s setting) load() *big.Rat {
	most, _ := s.loads().Max()
	return most
}

// words returns the text form of the placement.
func (s setting) words() string {
	if s.placedText != "" {
		return s.placedText
	}
	return "nodes:" + core.JoinNodes(s.placement.Coords())
}

func (s setting) String() string {
	text := fmt.Sprintf("torus %s, placement %s", s.torus(), s.words())
	if s.routing != nil {
		text += ", routing " + s.routingText
	}
	return text
}

// command evaluates the placement, or finds its bisection width without a routing.
func (s setting) command() string {
	flags := fmt.Sprintf("--torus %s --placement %s", s.torus(), s.words())
	if s.routing == nil {
		return "leeway bisect " + flags
	}
	return fmt.Sprintf("leeway eval %s --routing %s", flags, s.routingText)
}

// A minimalSetting is a placement with the best minimal routing, which explain shows.
type minimalSetting struct{ setting }

func (m minimalSetting) String() string { return m.setting.String() + ", best minimal routing" }

func (m minimalSetting) command() string {
	return fmt.Sprintf("leeway explain --torus %s --placement %s", m.torus(), m.words())
}

// pairs yields the ordered pairs of processors.
func (s setting) pairs() iter.Seq2[int, int] {
	return func(yield func(p, q int) bool) {
		for _, p := range s.placement.Nodes() {
			for _, q := range s.placement.Nodes() {
				if p != q && !yield(p, q) {
					return
				}
			}
		}
	}
}

// link names a link of the setting.
func (s setting) link(l core.Link) text {
	from, port := s.torus().LinkFrom(l)
	return say("%s, link from %s along axis %d, %s", s, point(s.torus(), from), port.Dim, port.Dir)
}

// point is the coordinates of a node, "(0,1)".
func point(t *core.Torus, v int) later {
	return func() string { return "(" + core.JoinInts(t.Coords(v), ",") + ")" }
}

// fromTo names a pair of nodes.
func fromTo(t *core.Torus, p, q int) text {
	return say("torus %s, from %s to %s", t, point(t, p), point(t, q))
}

// fromZero names a pair of nodes up to translation.
func fromZero(t *core.Torus, q int) text { return say("torus %s, from node 0 to %s", t, point(t, q)) }

// cube returns the torus with d sides of k.
func cube(k, d int) *core.Torus { return core.MustTorus(slices.Repeat([]int{k}, d)...) }

// axes are the numbers of axes of the tori of a check.
type axes []int

// cubes yields the tori with the given numbers of axes and equal sides from least to what the limits allow: axes
// first, then sides ascending. It ends with the context.
func cubes(s *survey, least int, list ...int) iter.Seq2[int, int] {
	return func(yield func(k, d int) bool) {
		for _, d := range list {
			for k := least; k <= side(s, d); k++ {
				if s.done() || !yield(k, d) {
					return
				}
			}
		}
	}
}

// side returns the largest side for tori with d axes: MaxK for one or two axes, then MaxK/(d-1), at least 2. The
// default gives 16, 16, 8, 5, 4, 3.
func side(s *survey, d int) int {
	if d <= 2 {
		return s.MaxK
	}
	return max(2, s.MaxK/(d-1))
}

// span describes the tori that cubes yields: "sides 3 to 16 on 2 axes, 3 to 8 on 3 axes".
func span(s *survey, least int, list ...int) string {
	var parts []string
	for _, d := range list {
		on := fmt.Sprintf("%d axes", d)
		if d == 1 {
			on = "rings"
		}
		if side(s, d) >= least {
			parts = append(parts, fmt.Sprintf("%d to %d on %s", least, side(s, d), on))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return "sides " + strings.Join(parts, ", ")
}

// onCubes is a check of each torus that cubes yields. The range stands at the %s of over.
func onCubes(least int, list axes, over, note string, each func(s *survey, k, d int)) check {
	return func(s *survey) {
		for k, d := range cubes(s, least, list...) {
			each(s, k, d)
		}
		s.over(fmt.Sprintf(over, span(s, least, list...)), note)
	}
}

// placements yields the placements of n nodes that contain node 0, in ascending order of their node lists: with their
// translates these are all. It ends with the context.
func placements(ctx context.Context, t *core.Torus, n int) iter.Seq[core.Placement] {
	return func(yield func(core.Placement) bool) {
		nodes := make([]int, n)
		for i := range nodes {
			nodes[i] = i
		}
		for ctx.Err() == nil && yield(core.MustPlacement(t, nodes)) {
			i := n - 1
			for i > 0 && nodes[i] == t.N()-n+i {
				i--
			}
			if i <= 0 {
				return
			}
			nodes[i]++
			for j := i + 1; j < n; j++ {
				nodes[j] = nodes[j-1] + 1
			}
		}
	}
}

// allPlacements yields the placements of least to N nodes that contain node 0, by size.
func allPlacements(ctx context.Context, t *core.Torus, least int) iter.Seq[core.Placement] {
	return func(yield func(core.Placement) bool) {
		for n := least; n <= t.N(); n++ {
			for p := range placements(ctx, t, n) {
				if !yield(p) {
					return
				}
			}
		}
	}
}
