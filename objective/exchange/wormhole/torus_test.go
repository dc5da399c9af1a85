package wormhole

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
)

var planMakers = map[string]func(*core.Torus, Variant) (*Plan, error){
	"ring": ByAxes, "t1": ByAxes, "c1": ByAxes, "t4": T4, "c64": C64,
}

func planOf(t *testing.T, name, torus string, v Variant) *Plan {
	t.Helper()
	tor := coretest.Must(core.ParseTorus(torus))
	p := coretest.Must(planMakers[name](tor, v))
	if p.Name() != name && tor.D() <= 3 {
		t.Errorf("the plan of %s is called %s", name, p.Name())
	}
	return p
}

// TestTorusTotals: the published totals are the formulas of seed 004, sections 3 and 4, at these sizes; those of
// unequal sides and the balanced ones come from a simulation by another program.
func TestTorusTotals(t *testing.T) {
	for _, c := range []struct {
		name, torus string
		v           Variant
		want        Cost
	}{
		{"t1", "16x16", Published, Cost{12, 1440, 1440}},
		{"t4", "16x16", Published, Cost{10, 1152, 1152}},
		{"t4", "32x32", Published, Cost{14, 6784, 6784}},
		{"t4", "64x64", Published, Cost{18, 47872, 47872}},
		{"t4", "16x32", Published, Cost{14, 3904, 3392}},
		{"c1", "16^3", Published, Cost{18, 34560, 34560}},
		{"c64", "16^3", Published, Cost{17, 34816, 34816}},
		{"c64", "32^3", Published, Cost{25, 376832, 376832}},
		{"t1", "16x16", Balanced, Cost{10, 1280, 1280}},
		{"t4", "16x16", Balanced, Cost{8, 1024, 1024}},
		{"t4", "32x32", Balanced, Cost{12, 6144, 6144}},
		{"c1", "8^3", Balanced, Cost{9, 2304, 2304}},
		{"c64", "32^3", Balanced, Cost{21, 344064, 344064}},
	} {
		if got := planOf(t, c.name, c.torus, c.v).Cost(); got != c.want {
			t.Errorf("%s on %s, %v: %+v, want %+v", c.name, c.torus, c.v, got, c.want)
		}
	}
	got := planOf(t, "t4", "12x20", Published).Cost()
	if got.Transmission != 1776 || got.Independent != 1536 {
		t.Errorf("t4 on 12x20: %+v, want 1776 in step and 1536 independently", got)
	}
}

// TestPlansDeliver follows every plan on small tori block by block, and compares costs with the figures of the plan
// and with the lower bounds.
func TestPlansDeliver(t *testing.T) {
	plans := map[string][]string{
		"t1":  {"2x2", "3x3", "4x4", "2x7", "5x8", "6x6", "9x4", "12x10", "2x2x2x2", "3x4x2x5"},
		"c1":  {"2x2x2", "3x5x6", "4x4x4", "8x8x4", "7x2x3"},
		"t4":  {"2x2", "2x4", "4x4", "8x2", "8x8", "4x12", "12x20", "16x16", "20x4"},
		"c64": {"4x4x4", "4x8x4", "8x8x4", "8x8x8", "4x4x16", "24x4x4"},
	}
	if coretest.Long() {
		plans["t4"] = append(plans["t4"], "32x32", "16x32", "64x64")
		plans["c1"] = append(plans["c1"], "8x8x8")
	}
	for name, tori := range plans {
		for _, torus := range tori {
			for _, v := range []Variant{Published, Balanced} {
				p := planOf(t, name, torus, v)
				if p.Torus().N() > 4000 && v == Balanced {
					continue
				}
				got, err := simulate(p.Schedule())
				if err != nil {
					t.Error(err)
					continue
				}
				cost := p.Cost()
				if len(got.sizes) != cost.Startups || total(got.sizes) != cost.Transmission ||
					!slices.Equal(got.sizes, p.PhaseSizes()) {
					t.Errorf("%s on %s, %v: %v, but the plan says %v", name, torus, v, got.sizes, p.PhaseSizes())
				}
				startups, transmission := exchange.WormholeBounds(p.Torus(), core.Range(p.Torus().N()))
				if int64(cost.Startups) < startups || int64(cost.Independent) < transmission ||
					cost.Independent > cost.Transmission {
					t.Errorf("%s on %s, %v: %+v, but the bounds are %d and %d", name, torus, v, cost, startups,
						transmission)
				}
			}
		}
	}
}

// TestRefusals: sides for which seed 004 has no rule are refused, and the message names the side and the rule.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, torus, part, rule string
		offset                  int
	}{
		{"t4", "6x6", "6", "2 or a multiple of 4, and 6 is neither", 0},
		{"t4", "5x8", "5", "2 or a multiple of 4, and 5 is neither", 0},
		{"t4", "8x10", "10", "2 or a multiple of 4, and 10 is neither", 2},
		{"t4", "8x8x8", "", "tori of 2 axes, this one has 3", 0},
		{"c64", "12^3", "12", "4 or a multiple of 8, and 12 is neither", 0},
		{"c64", "8x4x2", "2", "4 or a multiple of 8, and 2 is neither", 4},
		{"c64", "8x8", "", "tori of 3 axes, this one has 2", 0},
		{"t1", "2x4099", "4099", "up to rings of 2048", 2},
	} {
		tor := coretest.Must(core.ParseTorus(c.torus))
		_, err := planMakers[c.name](tor, Published)
		var e *core.InputError
		if !errors.As(err, &e) || e.Part != c.part || e.Offset != c.offset || !strings.Contains(e.Problem, c.rule) {
			t.Errorf("%s on %s: error %v, want %q about %q", c.name, c.torus, err, c.rule, c.part)
		}
	}
}

// TestPreparation (docs/exchange.md, R10): after the preparation a node has blocks for its own logical torus only, 4
// or 64 for each node of that, one fewer for itself.
func TestPreparation(t *testing.T) {
	for _, c := range []struct {
		name, torus  string
		period, each int
	}{{"t4", "8x8", 2, 4}, {"t4", "12x4", 2, 4}, {"t4", "2x8", 2, 4}, {"c64", "8x8x8", 4, 64},
		{"c64", "4x8x4", 4, 64}} {
		p := planOf(t, c.name, c.torus, Published)
		tor := p.Torus()
		s := p.Schedule()
		whole := s.Phases
		s.Phases = func(yield func(exchange.Phase) bool) {
			left := tor.D() * (c.period - 1)
			for phase := range whole {
				if left--; left < 0 || !yield(phase) {
					return
				}
			}
		}
		got := coretest.Must(follow(s))
		count := make([]int, tor.N()*tor.N()) // by present node and destination
		for i, at := range got.at {
			source, dest := i/tor.N(), i%tor.N()
			for j := range tor.D() {
				if (tor.Coord(int(at), j)-tor.Coord(dest, j))%c.period != 0 {
					t.Fatalf("%s on %s: a block for %d is at %d", c.name, c.torus, dest, at)
				}
			}
			if source != dest {
				count[int(at)*tor.N()+dest]++
			}
		}
		for i, n := range count {
			at, dest := i/tor.N(), i%tor.N()
			want := c.each
			if at == dest {
				want--
			}
			if n != 0 && n != want || n == 0 && at == dest {
				t.Fatalf("%s on %s: node %d has %d blocks for %d, want %d", c.name, c.torus, at, n, dest, want)
			}
		}
	}
}

// TestScheduleStops asks for one phase only.
func TestScheduleStops(t *testing.T) {
	count := 0
	for range planOf(t, "t4", "8x8", Published).Schedule().Phases {
		count++
		break
	}
	if count != 1 {
		t.Errorf("%d phases", count)
	}
}

// TestClassesAgainstAll compares the run of one source a class with the run of all.
func TestClassesAgainstAll(t *testing.T) {
	for _, c := range [][2]string{{"ring", "16"}, {"ring", "9"}, {"t1", "8x16"}, {"t4", "16x16"}, {"t4", "8x32"},
		{"t4", "12x20"}, {"c1", "8x4x5"}, {"c64", "8x8x8"}} {
		p := planOf(t, c[0], c[1], Published)
		got, err := p.RunClasses()
		if err != nil {
			t.Error(err)
			continue
		}
		all, err := simulate(p.Schedule())
		if err != nil {
			t.Error(err)
		}
		if !slices.Equal(got, all.sizes) {
			t.Errorf("%s on %s: sizes by classes %v, by all blocks %v", c[0], c[1], got, all.sizes)
		}
	}
}

// TestC64OnLargestTorus runs 512 of the 32768 sources of 32x32x32.
func TestC64OnLargestTorus(t *testing.T) {
	if testing.Short() {
		t.Skip("follows 16.8 million blocks")
	}
	p := planOf(t, "c64", "32^3", Published)
	got := coretest.Must(p.RunClasses())
	if !slices.Equal(p.periods(), []int{8, 8, 8}) || len(got) != 25 || total(got) != 376832 {
		t.Errorf("found %+v", got)
	}
}

func TestTooManyToFollow(t *testing.T) {
	var e *core.InputError
	if _, err := planOf(t, "c1", "30^3", Published).RunClasses(); !errors.As(err, &e) {
		t.Errorf("error %v", err)
	}
}

// TestClassRunRejects changes one thing in a correct first phase.
func TestClassRunRejects(t *testing.T) {
	p := planOf(t, "t4", "16x16", Published)
	for _, c := range []struct {
		change func(exchange.Phase) exchange.Phase
		want   string
	}{
		{func(f exchange.Phase) exchange.Phase { return f }, "<nil>"},
		{func(f exchange.Phase) exchange.Phase { return append(f, f[3]) }, "port twice"},
		{func(f exchange.Phase) exchange.Phase { f[1].To = f[0].To; return f }, "port twice"},
		{func(f exchange.Phase) exchange.Phase {
			f[0].Dir, f[16].Dir = core.Minus, core.Minus
			f[1], f[16] = f[16], f[1]
			return f
		}, "again"},
		{func(f exchange.Phase) exchange.Phase { f[21].Dir = core.Minus; return f }, "differs"},
		{func(f exchange.Phase) exchange.Phase { return f[1:] }, "only 15 nodes"},
		{func(f exchange.Phase) exchange.Phase { f[0].Blocks[0] = f[1].Blocks[0]; return f }, "which is at"},
	} {
		var phase exchange.Phase
		for first := range p.phases(p.periods()) {
			phase = slices.Clone(first)
			break
		}
		runner := newClassRunner(p.torus, p.periods())
		if err := runner.play(c.change(phase)); !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// simulated is what a literal run of a schedule finds.
type simulated struct {
	sizes []int   // the largest send of each phase
	hops  []int   // by source*N + destination: links travelled
	at    []int32 // likewise: where the block is
}

func torusOf(s exchange.Schedule) *core.Torus {
	var sides []int
	for _, a := range s.Axes {
		sides = append(sides, a.Nodes)
	}
	return core.MustTorus(sides...)
}

// follow moves every block of a wormhole schedule with nothing but tables: a block must be at its sender when a phase
// starts, ports and links are used once in a phase.
func follow(s exchange.Schedule) (simulated, error) {
	t := torusOf(s)
	n := t.N()
	out := simulated{hops: make([]int, n*n), at: make([]int32, n*n)}
	for i := range out.at {
		out.at[i] = int32(i / n)
	}
	for phase := range s.Phases {
		fail := func(send exchange.Send, problem string) (simulated, error) {
			return out, fmt.Errorf("%s %v, phase %d, %d -> %d: %s", s.Name, t, len(out.sizes), send.From, send.To,
				problem)
		}
		links, sends, receives := map[core.Link]bool{}, map[int32]bool{}, map[int32]bool{}
		size := 0
		for _, send := range phase {
			if sends[send.From] || receives[send.To] {
				return fail(send, "port in use")
			}
			sends[send.From], receives[send.To] = true, true
			length := 0
			for v := int(send.From); v != int(send.To); v = t.Shift(v, send.Axis, int(send.Dir)) {
				l := t.Link(v, send.Axis, send.Dir)
				if links[l] {
					return fail(send, "link in use")
				}
				if length++; length > t.Side(send.Axis) {
					return fail(send, "not along its axis")
				}
				links[l] = true
			}
			for _, b := range send.Blocks {
				if out.at[int(b.From)*n+int(b.To)] != send.From {
					return fail(send, fmt.Sprintf("block %v is elsewhere", b))
				}
				out.hops[int(b.From)*n+int(b.To)] += length
			}
			size = max(size, len(send.Blocks))
		}
		for _, send := range phase {
			for _, b := range send.Blocks {
				out.at[int(b.From)*n+int(b.To)] = send.To
			}
		}
		out.sizes = append(out.sizes, size)
	}
	return out, nil
}

// simulate is follow, and all blocks of participants must be home in the end.
func simulate(s exchange.Schedule) (simulated, error) {
	out, err := follow(s)
	if err != nil {
		return out, err
	}
	t := torusOf(s)
	members := s.Participants
	if members == nil {
		members = core.MustPlacement(t, core.Range(t.N())).Nodes()
	}
	for _, from := range members {
		for _, to := range members {
			if at := out.at[from*t.N()+to]; int(at) != to {
				return out, fmt.Errorf("%s %v: block %d -> %d ends at %d", s.Name, t, from, to, at)
			}
		}
	}
	return out, nil
}

func total(sizes []int) int {
	sum := 0
	for _, s := range sizes {
		sum += s
	}
	return sum
}
