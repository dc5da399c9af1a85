package audit

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Sections 3 and 4 of seed 004: exchange on tori. The truth is the checker's count of
// schedules in which every block is followed.

// square returns the sides of a torus with sides 2^d.
func square(axes, d int) []int { return slices.Repeat([]int{1 << d}, axes) }

// torusPlan returns a published plan: t1, c1, t4 or c64.
func torusPlan(name string, sides []int) (*exchange.TorusPlan, error) {
	t, err := core.NewTorus(sides...)
	if err != nil {
		return nil, err
	}
	switch name {
	case "t4":
		return exchange.T4(t, exchange.Published)
	case "c64":
		return exchange.C64(t, exchange.Published)
	}
	return exchange.ByAxes(t, exchange.Published)
}

// planeExponent returns the largest d for which every block of a torus with two sides 2^d
// is followed: up to twice the largest side, at least 16.
func planeExponent(l Limits) int {
	d := 4
	for 2<<d <= 2*l.MaxK {
		d++
	}
	return min(d, 6)
}

// costText is how costs are compared.
func costText(startups int, transmission *big.Rat) string {
	return fmt.Sprintf("%d startups, %s blocks, valid", startups, transmission.RatString())
}

// addCost adds a case: the claimed costs of a plan against the checker's.
func addCost(s *survey, name string, sides []int, startups int, transmission *big.Rat) error {
	plan, err := torusPlan(name, sides)
	if err != nil {
		return err
	}
	v := judged(plan.Schedule())
	claimed, truth := costText(startups, transmission), fmt.Sprintf("%d startups, %d blocks, %s", v.Phases, v.Transmission, v.Verdict)
	s.add(claimed == truth, func() Counterexample {
		return Counterexample{fmt.Sprintf("%s, sides %v", name, sides), claimed, truth, exchangeOn(name, sides)}
	})
	return nil
}

// exchangeOn is the command that shows the costs of a plan.
func exchangeOn(name string, sides []int) string {
	text := ""
	for i, k := range sides {
		if i > 0 {
			text += "x"
		}
		text += fmt.Sprint(k)
	}
	return fmt.Sprintf("leeway exchange --torus %s --algorithm %s", text, name)
}

func lemma7Of004(ctx context.Context, l Limits) Finding {
	var s survey
	for d := 3; d <= planeExponent(l) && ctx.Err() == nil; d++ {
		if err := addCost(&s, "t1", square(2, d), 2*(2*d-2), total(scaled(binary(2, d), printedRing(d)))); err != nil {
			return broken(err)
		}
	}
	return s.finding(fmt.Sprintf("tori of 2^d x 2^d nodes, d = 3 to %d, every block", planeExponent(l)), "")
}

// scaled returns a b.
func scaled(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func theorem2Of004(ctx context.Context, l Limits) Finding {
	var s survey
	for d := 4; d <= planeExponent(l) && ctx.Err() == nil; d++ {
		ring := scaled(printedRing(d-1), binary(4, d-1))
		if err := addCost(&s, "t4", square(2, d), 2+2*(2*(d-1)-2), total(binary(1, 2*d), ring, ring)); err != nil {
			return broken(err)
		}
	}
	return s.finding(fmt.Sprintf("tori of 2^d x 2^d nodes, d = 4 to %d, every block", planeExponent(l)), "")
}

func costOfC1(_ context.Context, l Limits) Finding {
	var s survey
	if err := addCost(&s, "c1", square(3, 3), 3*4, scaled(binary(3, 6), printedRing(3))); err != nil {
		return broken(err)
	}
	if l.MaxK < 16 {
		return s.finding("8x8x8, every block", "")
	}
	plan, err := torusPlan("c1", square(3, 4))
	if err != nil {
		return broken(err)
	}
	addRun(&s, "16x16x16", plan, 3*6, scaled(binary(3, 8), printedRing(4)))
	return s.finding("8x8x8, every block, and 16x16x16, the blocks of one source of each translation class", "")
}

// addRun adds a case that follows the blocks of one source of each translation class.
func addRun(s *survey, where string, plan *exchange.TorusPlan, startups int, transmission *big.Rat) {
	run, err := plan.RunClasses()
	sum := 0
	for _, size := range run.Sizes {
		sum += size
	}
	claimed, truth := costText(startups, transmission), fmt.Sprintf("%d startups, %d blocks, valid", len(run.Sizes), sum)
	if err != nil {
		truth = err.Error()
	}
	s.add(claimed == truth, differs(where, claimed, truth))
}

// printedC64 is Theorem 3: the transmission of C64.
func printedC64(d int) *big.Rat {
	return total(binary(9, 3*d-1), scaled(binary(4*64, 2*(d-2)), printedRing(d-2)))
}

func theorem3Of004(ctx context.Context, l Limits) Finding {
	var s survey
	how := "d = 5 to 7, from the ring plans"
	for d := 5; d <= 7 && ctx.Err() == nil; d++ {
		plan, err := torusPlan("c64", square(3, d))
		if err != nil {
			return broken(err)
		}
		startups := 9 + 4*(2*(d-2)-2)
		if d == 5 && l.MaxK >= 16 {
			how = "d = 5, following the blocks of one source of each translation class; d = 6 and 7 from the ring plans"
			addRun(&s, "32x32x32", plan, startups, printedC64(d))
			continue
		}
		cost := plan.Cost()
		s.equal(fmt.Sprintf("d = %d, startups", d), count(startups), count(cost.Startups), exchangeOn("c64", square(3, d)))
		s.equal(fmt.Sprintf("d = %d, blocks", d), printedC64(d), count(cost.Transmission), exchangeOn("c64", square(3, d)))
	}
	return s.finding("tori with three sides 2^d, "+how, "")
}

// linksUsed calls f for each phase of a plan with the number of directed links that it
// uses; no link twice, as the checker says.
func linksUsed(plan *exchange.TorusPlan, f func(phase, used int)) {
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

func allLinks(_ context.Context, _ Limits) Finding {
	var s survey
	full := 0
	for d := 4; d <= 5; d++ {
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
	return s.finding("T4 on 16x16 and 32x32, every phase of both stages",
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

// axesByGroup checks the table of a plan: along which axis the nodes of each group send in
// each stage, 3 for none. A group is the sum of the coordinates modulo the number of groups.
func axesByGroup(s *survey, plan *exchange.TorusPlan, before int, table [][]int) {
	t := plan.Torus()
	var phases []exchange.Phase
	for p := range plan.Schedule().Phases {
		phases = append(phases, slices.Clone(p))
	}
	each := (len(phases) - before) / len(table)
	for k, p := range phases[before:] {
		for _, send := range p {
			sum := 0
			for j := range t.D() {
				sum += t.Coord(int(send.From), j)
			}
			group := sum % len(table[0])
			want := table[k/each][group]
			s.add(send.Axis == want, differs(fmt.Sprintf("sides %v, stage %d, group %d", t.Dims(), k/each+1, group), fmt.Sprintf("axis %d", want), fmt.Sprintf("axis %d", send.Axis)))
		}
	}
	v := judged(plan.Schedule())
	s.add(v.Verdict == "valid", differs(fmt.Sprintf("sides %v", t.Dims()), "no contention", v.Reason))
}

func table1Of004(_ context.Context, _ Limits) Finding {
	var s survey
	for d := 3; d <= 4; d++ {
		plan, err := torusPlan("t4", square(2, d))
		if err != nil {
			return broken(err)
		}
		axesByGroup(&s, plan, 2, [][]int{{0, 1}, {1, 0}})
	}
	return s.finding("T4 on 8x8 and 16x16: every send of both stages, and the checker", "")
}

func table2Of004(_ context.Context, _ Limits) Finding {
	var s survey
	table := [][]int{{0, 1, 2, 3}, {3, 0, 1, 2}, {2, 3, 0, 1}, {1, 2, 3, 0}}
	for stage, row := range table {
		shifted := append([]int{table[(stage+3)%4][3]}, table[(stage+3)%4][:3]...)
		var column []int
		for _, other := range table {
			column = append(column, other[stage])
		}
		slices.Sort(column)
		all := slices.Sorted(slices.Values(row))
		s.add(slices.Equal(row, shifted) && slices.Equal(all, []int{0, 1, 2, 3}) && slices.Equal(column, all),
			differs(fmt.Sprintf("row and column %d", stage+1), "each axis once, a cyclic shift", fmt.Sprint(row, column)))
	}
	plan, err := torusPlan("c64", square(3, 3))
	if err != nil {
		return broken(err)
	}
	axesByGroup(&s, plan, 9, table)
	return s.finding("the printed table; C64 on 8x8x8: every send of the four stages, and the checker",
		"of every axis each line has one logical ring at work in each stage")
}

// preparations checks how many blocks every node sends in the preparation of T4 or C64,
// as so many of N/parts, and that all blocks are then in the logical torus of their home.
func preparations(name string, sides []int, period, parts int, shares []int) (survey, error) {
	var s survey
	plan, err := torusPlan(name, sides)
	if err != nil {
		return s, err
	}
	t := plan.Torus()
	at := make([]int32, t.N()*t.N())
	for i := range at {
		at[i] = int32(i / t.N())
	}
	k := 0
	for phase := range plan.Schedule().Phases {
		if k == len(shares) {
			break
		}
		claimed := shares[k] * t.N() / parts
		s.add(len(phase) == t.N(), differs(fmt.Sprintf("sides %v, phase %d", sides, k+1), "all nodes send", fmt.Sprint(len(phase))))
		for _, send := range phase {
			s.add(len(send.Blocks) == claimed, func() Counterexample {
				return differs(fmt.Sprintf("sides %v, phase %d, node %d", sides, k+1, send.From), fmt.Sprint(claimed), fmt.Sprint(len(send.Blocks)))()
			})
			for _, b := range send.Blocks {
				at[int(b.From)*t.N()+int(b.To)] = send.To
			}
		}
		k++
	}
	for i, v := range at {
		home, from, near := i%t.N(), i/t.N(), true
		for j := range t.D() {
			near = near && (t.Coord(int(v), j)-t.Coord(home, j))%period == 0 && (t.Coord(int(v), j)-t.Coord(from, j)+t.Side(j))%t.Side(j) < period
		}
		if from != home {
			s.add(near, func() Counterexample {
				return differs(fmt.Sprintf("sides %v, block %d to %d", sides, from, home), "in the logical torus of its home", fmt.Sprintf("at %d", v))()
			})
		}
	}
	return s, nil
}

func preparationT4(_ context.Context, _ Limits) Finding {
	var all survey
	for _, n := range []int{4, 8, 16} {
		s, err := preparations("t4", []int{n, n}, 2, 4, []int{2, 2})
		if err != nil {
			return broken(err)
		}
		all.join(s)
	}
	return all.finding("4x4, 8x8 and 16x16: every node in both phases, then every block", "")
}

func preparationC64(_ context.Context, _ Limits) Finding {
	s, err := preparations("c64", []int{8, 8, 8}, 4, 64, []int{48, 32, 16, 48, 32, 16, 48, 32, 16})
	if err != nil {
		return broken(err)
	}
	return s.finding("8x8x8: every node in all nine phases, then every block", "")
}

// join adds the cases of another survey.
func (s *survey) join(other survey) {
	if s.failed == 0 {
		s.first = other.first
	}
	s.cases += other.cases
	s.failed += other.failed
}
