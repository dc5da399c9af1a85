package audit

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
)

// Sections 3 and 4 of seed 004: exchange on tori. The truth is the checker's count of
// schedules in which every block is followed.

// square returns the sides of a torus with sides 2^d.
func square(axes, d int) []int { return slices.Repeat([]int{1 << d}, axes) }

// torusPlan returns a published plan: t1, c1, t4 or c64.
func torusPlan(name string, sides []int) (*wormhole.Plan, error) {
	t, err := core.NewTorus(sides...)
	if err != nil {
		return nil, err
	}
	switch name {
	case "t4":
		return wormhole.T4(t, wormhole.Published)
	case "c64":
		return wormhole.C64(t, wormhole.Published)
	}
	return wormhole.ByAxes(t, wormhole.Published)
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
		if err := addCost(&s, "t1", square(2, d), 2*(2*d-2), scaled(binary(2, d), printedRing(d))); err != nil {
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

func costOfC1(ctx context.Context, l Limits) Finding {
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
	addRun(ctx, &s, "16x16x16", plan, 3*6, scaled(binary(3, 8), printedRing(4)))
	return s.finding("8x8x8, every block, and 16x16x16, the blocks of one source of each translation class", "")
}

// addRun adds a case that follows the blocks of one source of each translation class. It
// gives up when the context is done: the run itself cannot be stopped.
func addRun(ctx context.Context, s *survey, where string, plan *wormhole.Plan, startups int, transmission *big.Rat) {
	truth := make(chan string, 1)
	go func() {
		run, err := plan.RunClasses()
		if err != nil {
			truth <- err.Error()
			return
		}
		sum := 0
		for _, size := range run.Sizes {
			sum += size
		}
		truth <- fmt.Sprintf("%d startups, %d blocks, valid", len(run.Sizes), sum)
	}()
	select {
	case <-ctx.Done():
	case found := <-truth:
		claimed := costText(startups, transmission)
		s.add(claimed == found, differs(where, claimed, found))
	}
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
			addRun(ctx, &s, "32x32x32", plan, startups, printedC64(d))
			continue
		}
		cost := plan.Cost()
		s.equal(fmt.Sprintf("d = %d, startups", d), count(startups), count(cost.Startups), exchangeOn("c64", square(3, d)))
		s.equal(fmt.Sprintf("d = %d, blocks", d), printedC64(d), count(cost.Transmission), exchangeOn("c64", square(3, d)))
	}
	return s.finding("tori with three sides 2^d, "+how, "")
}

// axesByGroup checks the table of a plan: along which axis the nodes of each group send in
// each stage, 3 for none. A group is the sum of the coordinates modulo the number of groups.
func axesByGroup(s *survey, plan *wormhole.Plan, before int, table [][]int) {
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
	return s.finding("the printed table; C64 on 8x8x8: every send of the four stages, and the checker", "")
}
