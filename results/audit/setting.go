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

// A setting is a placement on a torus, with a routing unless only the placement
// matters, and the words of the command line for both.
type setting struct {
	placement               core.Placement
	routing                 routing.Routing
	placedText, routingText string
}

// setUp returns the setting of a placement given by its text, which must be right.
func setUp(t *core.Torus, placed, routed string) setting {
	return setUpAt(must(family.Parse(t, placed)), placed, routed)
}

// setUpNodes returns the setting of a placement without a name.
func setUpNodes(p core.Placement, routed string) setting {
	return setUpAt(p, "", routed)
}

func setUpAt(p core.Placement, placed, routed string) setting {
	s := setting{placement: p, placedText: placed, routingText: routed}
	if routed != "" {
		s.routing = must(routing.Parse(p.Torus(), routed))
	}
	return s
}

// must returns the value of a parser for a text of this package's own.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("audit: %v", err))
	}
	return v
}

// load returns E_max.
func (s setting) load() *big.Rat {
	most, _ := objective.Evaluate(s.routing, s.placement).Max()
	return most
}

func (s setting) torus() *core.Torus { return s.placement.Torus() }

func (s setting) words() string {
	if s.placedText != "" {
		return s.placedText
	}
	return nodesText(s.placement)
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

// nodesText returns the text form that lists the nodes of a placement.
func nodesText(p core.Placement) string {
	var nodes []string
	for _, c := range p.Coords() {
		nodes = append(nodes, joined(c))
	}
	return "nodes:" + strings.Join(nodes, "+")
}

// joined returns numbers with commas between them.
func joined(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

// point returns the coordinates of a node, "(0,1)".
func point(t *core.Torus, v int) string { return "(" + joined(t.Coords(v)) + ")" }

// cube returns the torus with d sides of k.
func cube(k, d int) *core.Torus {
	return core.MustTorus(slices.Repeat([]int{k}, d)...)
}

// cubes yields the tori with the given numbers of axes and equal sides from least to
// what the limits allow: axes first, then sides ascending. It ends with the context.
func cubes(ctx context.Context, l Limits, least int, axes ...int) iter.Seq2[int, int] {
	return func(yield func(k, d int) bool) {
		for _, d := range axes {
			for k := least; k <= l.Side(d); k++ {
				if ctx.Err() != nil || !yield(k, d) {
					return
				}
			}
		}
	}
}

// placements yields the placements of n nodes that contain node 0, in ascending
// order of their node lists: with their translates these are all. It ends with the
// context.
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

// allPlacements yields the placements of least to N nodes that contain node 0, by
// size.
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
