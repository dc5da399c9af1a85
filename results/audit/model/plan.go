package model

import (
	"iter"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
)

// Plan returns a published plan: ring, t1, c1, t4 or c64.
func Plan(name string, sides ...int) *wormhole.Plan {
	t := core.MustTorus(sides...)
	switch name {
	case "t4":
		return Must(wormhole.T4(t, wormhole.Published))
	case "c64":
		return Must(wormhole.C64(t, wormhole.Published))
	}
	return Must(wormhole.ByAxes(t, wormhole.Published))
}

// Square returns 2^d as the side of each axis.
func Square(axes, d int) []int { return slices.Repeat([]int{1 << d}, axes) }

// PhasesOf yields the phases of a plan, from 0. Those that are kept lose their blocks.
func PhasesOf(p *wormhole.Plan) iter.Seq2[int, exchange.Phase] {
	return func(yield func(int, exchange.Phase) bool) {
		k := 0
		for phase := range p.Schedule().Phases {
			if !yield(k, phase) {
				return
			}
			k++
		}
	}
}

// BlockPhases returns the phases of a plan in which a block moves.
func BlockPhases(p *wormhole.Plan, source, target int) []int {
	var list []int
	for k, phase := range PhasesOf(p) {
		for _, send := range phase {
			if slices.Contains(send.Blocks, exchange.Block{From: int32(source), To: int32(target)}) {
				list = append(list, k)
			}
		}
	}
	return list
}

// PositiveBlocks returns what the positive sends of a phase of a plan take, as TreeBlocks does.
func PositiveBlocks(phase exchange.Phase) map[[3]int]int {
	blocks := map[[3]int]int{}
	for _, send := range phase {
		for _, b := range send.Blocks {
			if send.Dir == core.Plus {
				blocks[[3]int{int(send.From), int(b.From), int(b.To)}]++
			}
		}
	}
	return blocks
}

// LinksUsed returns the number of directed links that a phase uses; no link twice, as the checker says.
func LinksUsed(t *core.Torus, phase exchange.Phase) int {
	used := 0
	for _, send := range phase {
		used += len(send.Links(t))
	}
	return used
}

// Detours counts the blocks of a plan that travel farther than they must.
func Detours(p *wormhole.Plan) int {
	t := p.Torus()
	n, farther := t.N(), 0
	length := make([]int, n*n)
	for phase := range p.Schedule().Phases {
		for _, send := range phase {
			for _, b := range send.Blocks {
				length[int(b.From)*n+int(b.To)] += len(send.Links(t))
			}
		}
	}
	for u := range n {
		for v := range n {
			if length[u*n+v] > t.LeeDistance(u, v) {
				farther++
			}
		}
	}
	return farther
}

// BusyLines counts, by phase, the lines of a torus on which nodes send from a phase of a plan on, and the logical rings
// to which these nodes belong: on a line those of one residue modulo period.
func BusyLines(p *wormhole.Plan, from, period int) (lines, rings int) {
	type line struct{ phase, axis, first int } // first: its node with coordinate 0 on the axis
	t, busy := p.Torus(), map[line]map[int]bool{}
	for k, phase := range PhasesOf(p) {
		for _, send := range phase {
			if k >= from {
				x := t.Coord(int(send.From), send.Axis)
				at := line{k, send.Axis, t.Shift(int(send.From), send.Axis, -x)}
				if busy[at] == nil {
					busy[at] = map[int]bool{}
				}
				busy[at][x%period] = true
			}
		}
	}
	for _, residues := range busy {
		rings += len(residues)
	}
	return len(busy), rings
}

// SharedParts counts what logical tori, each of the nodes of a residue modulo period, have in common: the links of
// those whose residues have one sum modulo period, and the nodes that are not in exactly one.
func SharedParts(t *core.Torus, period int) (links, nodes int) {
	type use struct{ v, axis, dir, group int }
	owner, members := map[use]int{}, map[int]int{} // of links in a group, and of nodes
	residues := Cube(period, t.D())
	for r := range residues.N() {
		group := 0
		for _, x := range residues.Coords(r) {
			group += x
		}
		for v := range t.N() {
			member := true
			for j, x := range residues.Coords(r) {
				member = member && t.Coord(v, j)%period == x
			}
			if !member {
				continue
			}
			members[v]++
			for j := range t.D() {
				for _, dir := range []int{1, -1} {
					for i, at := 0, v; i < period; i, at = i+1, t.Shift(at, j, dir) {
						key := use{at, j, dir, group % period}
						if other, used := owner[key]; used && other != r {
							links++
						}
						owner[key] = r
					}
				}
			}
		}
	}
	for v := range t.N() {
		if members[v] != 1 {
			nodes++
		}
	}
	return links, nodes
}
