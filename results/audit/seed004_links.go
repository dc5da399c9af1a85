package audit

import (
	"context"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
)

// Which nodes and links the logical tori and the phases of seed 004 use.

// linksUsed calls f for each phase of a plan with the number of directed links that it
// uses; no link twice, as the checker says.
func linksUsed(plan *wormhole.Plan, f func(phase, used int)) {
	t := plan.Torus()
	k := 0
	for phase := range plan.Schedule().Phases {
		used := 0
		for _, send := range phase {
			used += span(t, send)
		}
		f(k, used)
		k++
	}
}

// span returns the number of links of a send.
func span(t *core.Torus, send exchange.Send) int {
	side := t.Side(send.Axis)
	by := (t.Coord(int(send.To), send.Axis) - t.Coord(int(send.From), send.Axis)) * int(send.Dir)
	return (by + side) % side
}

func halfWaste(_ context.Context, _ Limits) Finding {
	var s survey
	for d := 3; d <= 4; d++ {
		plan, err := torusPlan("t1", square(2, d))
		if err != nil {
			return broken(err)
		}
		linksUsed(plan, func(phase, used int) {
			s.add(2*used <= plan.Torus().M(), differs(fmt.Sprintf("n = %d, phase %d", 1<<d, phase+1), "at most half of the links", fmt.Sprintf("%d of %d", used, plan.Torus().M())))
		})
	}
	return s.finding("T1 on 8x8 and 16x16, every phase", "")
}

func allLinks(_ context.Context, l Limits) Finding {
	var s survey
	full := 0
	for d := 4; d <= planeExponent(l); d++ {
		plan, err := torusPlan("t4", square(2, d))
		if err != nil {
			return broken(err)
		}
		linksUsed(plan, func(phase, used int) {
			if phase < 2 {
				return // the preparation
			}
			links := plan.Torus().M()
			if used == links {
				full++
			}
			s.add(used == links, differs(fmt.Sprintf("n = %d, phase %d, after the two of preparation", 1<<d, phase-1), fmt.Sprintf("all %d links", links), fmt.Sprintf("%d links", used)))
		})
	}
	return s.finding(fmt.Sprintf("T4 on tori of 2^d x 2^d nodes, d = 4 to %d, every phase of both stages", planeExponent(l)),
		fmt.Sprintf("all lines are busy in every stage, but only %d of the phases use all links: GP_0 and SP_0 use every other link each way, and SP_{d-2} carries nothing the negative way", full))
}

// logicalLinks calls f with every directed unit link, as node, axis and direction, of the
// logical torus of the nodes of a residue modulo period.
func logicalLinks(t *core.Torus, period int, residue []int, f func(v, axis, dir int)) {
	for v := range t.N() {
		member := true
		for j, r := range residue {
			member = member && t.Coord(v, j)%period == r
		}
		for j := 0; member && j < t.D(); j++ {
			for _, dir := range []int{1, -1} {
				at := v
				for range period {
					f(at, j, dir)
					at = t.Shift(at, j, dir)
				}
			}
		}
	}
}

// partitions checks P1 and P2, or P1' and P2': logical tori whose residues have one sum
// modulo period share no link, and no two share a node.
func partitions(axes, period int, sides func(l Limits) []int) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		list := sides(l)
		for _, n := range list {
			t, err := core.NewTorus(slices.Repeat([]int{n}, axes)...)
			if err != nil {
				return broken(err)
			}
			residues := 1
			for range axes {
				residues *= period
			}
			type use struct{ v, axis, dir, group int }
			links, starts := map[use]int{}, map[int]int{}
			linkTwice, nodeTwice := 0, 0
			for r := range residues {
				residue, sum := make([]int, axes), 0
				for j, x := 0, r; j < axes; j, x = j+1, x/period {
					residue[j] = x % period
					sum += x % period
				}
				members := map[int]bool{}
				logicalLinks(t, period, residue, func(v, axis, dir int) {
					key := use{v, axis, dir, sum % period}
					if owner, used := links[key]; used && owner != r {
						linkTwice++
					}
					links[key] = r
				})
				for v := range t.N() {
					member := true
					for j := range axes {
						member = member && t.Coord(v, j)%period == residue[j]
					}
					members[v] = member
					if member {
						starts[v]++
					}
				}
			}
			for v := range t.N() {
				if starts[v] != 1 {
					nodeTwice++
				}
			}
			s.add(linkTwice == 0 && nodeTwice == 0 && ctx.Err() == nil, differs(fmt.Sprintf("n = %d", n), "no node or link in two of them", fmt.Sprintf("%d links, %d nodes", linkTwice, nodeTwice)))
		}
		return s.finding(fmt.Sprintf("sides %v", list), "")
	}
}

func planeSides(l Limits) []int {
	var list []int
	for n := 4; n <= l.MaxK; n += 2 {
		list = append(list, n)
	}
	return list
}

func cubeSides(l Limits) []int {
	if l.MaxK < 12 {
		return []int{8}
	}
	return []int{8, 12}
}

// logicalNeighbours checks that steps of a period along an axis stay in a logical torus:
// on sides of any length, as the extension of Section 5 has it.
func logicalNeighbours(_ context.Context, l Limits) Finding {
	var s survey
	for n := 2; n <= l.MaxK; n++ {
		for _, c := range []struct {
			name   string
			period int
		}{{"T4", 2}, {"C64", 4}} {
			for x := range n {
				if n < c.period {
					continue
				}
				y := (x + c.period) % n
				s.add(y%c.period == x%c.period, differs(fmt.Sprintf("%s, side %d, coordinate %d", c.name, n, x), fmt.Sprintf("a neighbour congruent to %d modulo %d", x%c.period, c.period), fmt.Sprintf("coordinate %d", y)))
			}
		}
	}
	return s.finding(fmt.Sprintf("sides 2 to %d", l.MaxK), "the program takes T4 with sides 2 or a multiple of 4, and C64 with 4 or a multiple of 8, where logical rings have even length; T1 and C1 take any sides, with more startups on odd ones")
}

// stageLinks checks that a stage of C64 uses all links: on every line of the three axes one
// logical ring is at work, and its exchange uses every link of it both ways in some phase.
func stageLinks(_ context.Context, _ Limits) Finding {
	var s survey
	plan, err := torusPlan("c64", square(3, 3))
	if err != nil {
		return broken(err)
	}
	t := plan.Torus()
	type line struct{ stage, axis, first int } // first: its node with coordinate 0 on the axis
	rings := map[line]map[int]bool{}           // by line: the residues modulo 4 of its senders
	k := 0
	for phase := range plan.Schedule().Phases {
		if k >= 9 {
			for _, send := range phase {
				x := t.Coord(int(send.From), send.Axis)
				key := line{k - 9, send.Axis, t.Shift(int(send.From), send.Axis, -x)}
				if rings[key] == nil {
					rings[key] = map[int]bool{}
				}
				rings[key][x%4] = true
			}
		}
		k++
	}
	single := true
	for _, residues := range rings {
		single = single && len(residues) == 1
	}
	s.add(single && len(rings) == 4*3*64, differs("n = 8", "one logical ring on each of 192 lines, in four stages", fmt.Sprint(len(rings))))
	for d := 3; d <= 6; d++ {
		ring, err := ringPlan(1 << d)
		if err != nil {
			return broken(err)
		}
		used := map[core.Link]bool{}
		for phase := range ring.Schedule().Phases {
			for _, send := range phase {
				for v := int(send.From); v != int(send.To); v = ring.Torus().Shift(v, 0, int(send.Dir)) {
					used[ring.Torus().Link(v, 0, send.Dir)] = true
				}
			}
		}
		s.add(len(used) == ring.Torus().M(), differs(fmt.Sprintf("logical ring of %d", 1<<d), "all links, both ways", fmt.Sprint(len(used))))
	}
	return s.finding("the lines of 8x8x8 (a stage is one phase there); logical rings of 8 to 64", "in the course of a stage, not in each of its phases: see seed004-section-3.2-links")
}
