package signals

import (
	"errors"
	"fmt"
	"leeway/core/coretest"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
)

// A literalSync decides order between all pairs of sends from the definition.
type literalSync struct {
	sends []exchange.Block // their ends
	phase []int
	links [][]core.Link
}

func literal(s exchange.Schedule, tor *core.Torus) (l literalSync) {
	number := -1
	for phase := range s.Phases {
		number++
		for _, send := range phase {
			l.sends, l.phase = append(l.sends, exchange.Block{From: send.From, To: send.To}), append(l.phase, number)
			l.links = append(l.links, walked(tor, send))
		}
	}
	return l
}

// free reports whether the sender of f waits for e anyway.
func (l literalSync) free(e, f int) bool {
	return l.phase[e] < l.phase[f] && (l.sends[e].From == l.sends[f].From || l.sends[e].To == l.sends[f].From)
}

// must reports whether e has to come before f.
func (l literalSync) must(e, f int) bool {
	if l.phase[e] >= l.phase[f] {
		return false
	}
	return l.sends[e].To == l.sends[f].To ||
		slices.ContainsFunc(l.links[e], func(x core.Link) bool { return slices.Contains(l.links[f], x) })
}

// walked returns the links of a send, also of one that turns.
func walked(t *core.Torus, s exchange.Send) []core.Link {
	var list []core.Link
	v := int(s.From)
	for _, leg := range s.Path {
		dir := core.Plus
		if leg.Links < 0 {
			dir = core.Minus
		}
		for range leg.Links * int32(dir) {
			list = append(list, t.Link(v, int(leg.Axis), dir))
			v = t.Shift(v, int(leg.Axis), int(dir))
		}
	}
	if s.Path != nil {
		return list
	}
	for v := int(s.From); v != int(s.To); v = t.Shift(v, s.Axis, int(s.Dir)) {
		list = append(list, t.Link(v, s.Axis, s.Dir))
	}
	return list
}

// closure returns the transitive closure of a relation, by Warshall.
func (l literalSync) closure(related func(e, f int) bool) [][]bool {
	n := len(l.sends)
	m := make([][]bool, n)
	for e := range m {
		m[e] = make([]bool, n)
		for f := range m[e] {
			m[e][f] = related(e, f)
		}
	}
	for g := range n {
		for e := range n {
			for f := range n {
				m[e][f] = m[e][f] || m[e][g] && m[g][f]
			}
		}
	}
	return m
}

// ordered reports whether a relation, with what is free, orders all that must be.
func (l literalSync) ordered(related func(e, f int) bool) bool {
	m := l.closure(func(e, f int) bool { return l.free(e, f) || related(e, f) })
	for e := range m {
		for f := range m {
			if l.must(e, f) && !m[e][f] {
				return false
			}
		}
	}
	return true
}

// fewestBarriers returns the least number of barriers that orders all, by trial.
func (l literalSync) fewestBarriers(phases int) int {
	best := phases
	for set := range 1 << max(0, phases-1) {
		count := 0
		for k := range phases - 1 {
			count += set >> k & 1
		}
		if count < best && l.ordered(func(e, f int) bool { return l.parted(set, e, f) }) {
			best = count
		}
	}
	return best
}

// parted reports whether a barrier of a set stands between two sends.
func (l literalSync) parted(set, e, f int) bool {
	for k := l.phase[e]; k < l.phase[f]; k++ {
		if set>>k&1 != 0 {
			return true
		}
	}
	return false
}

// checkSync compares signals and barriers of a schedule with the definition.
func checkSync(t *testing.T, s exchange.Schedule, tor *core.Torus) {
	t.Helper()
	got := coretest.Must(Synchronise(s))
	name, l := fmt.Sprintf("%s %v", s.Name, tor), literal(s, tor)
	all := l.closure(func(e, f int) bool { return l.free(e, f) || l.must(e, f) })
	index := map[[2]int]bool{}
	for e := range l.sends {
		for f := range l.sends {
			between := false
			for g := range l.sends {
				between = between || all[e][g] && all[g][f]
			}
			if l.must(e, f) && !l.free(e, f) && !between {
				index[[2]int{e, f}] = true
			}
		}
	}
	if len(index) != len(got.Signals) {
		t.Fatalf("%s: %d signals, want %d", name, len(got.Signals), len(index))
	}
	find := func(e Event) int {
		for i, send := range l.sends {
			if l.phase[i] == e.Phase && send.From == e.From && send.To == e.To {
				return i
			}
		}
		return -1
	}
	for _, signal := range got.Signals {
		pair := [2]int{find(signal.After), find(signal.Before)}
		if !index[pair] {
			t.Fatalf("%s: signal %v is not needed", name, signal)
		}
		delete(index, pair)
	}
	set := 0
	for _, k := range got.Barriers {
		set |= 1 << k
	}
	if !l.ordered(func(e, f int) bool { return l.parted(set, e, f) }) {
		t.Fatalf("%s: barriers after %v do not suffice", name, got.Barriers)
	}
	if want := l.fewestBarriers(phasesOf(s)); len(got.Barriers) != want {
		t.Fatalf("%s: barriers after %v, but %d suffice", name, got.Barriers, want)
	}
}

func phasesOf(s exchange.Schedule) (count int) {
	for range s.Phases {
		count++
	}
	return count
}

func scheduleOf(name string, model exchange.Model, tor *core.Torus, phases []exchange.Phase) exchange.Schedule {
	return exchange.Schedule{Head: exchange.Head{Name: name, Model: model, Axes: exchange.Axes(tor)},
		Phases: slices.Values(phases)}
}

// randomSchedule returns phases of sends without blocks that share no port in a phase, nor a link.
func randomSchedule(random *rand.Rand, tor *core.Torus) exchange.Schedule {
	phases := make([]exchange.Phase, 2+random.IntN(4))
	for i := range phases {
		busy := map[string]bool{}
		for range 1 + random.IntN(4) {
			from, axis := random.IntN(tor.N()), random.IntN(tor.D())
			s := exchange.Send{From: int32(from), To: int32(tor.Shift(from, axis, 1+random.IntN(tor.Side(axis)-1))),
				Axis: axis, Dir: core.Plus}
			needs := []string{fmt.Sprint("send ", s.From), fmt.Sprint("receive ", s.To)}
			for _, l := range walked(tor, s) {
				needs = append(needs, fmt.Sprint("link ", l))
			}
			if !slices.ContainsFunc(needs, func(n string) bool { return busy[n] }) {
				for _, n := range needs {
					busy[n] = true
				}
				phases[i] = append(phases[i], s)
			}
		}
	}
	return scheduleOf("random", exchange.Wormhole, tor, phases)
}

// planned returns the published plan of a maker on a torus.
func planned(make func(*core.Torus, wormhole.Variant) (*wormhole.Plan, error), tor *core.Torus) exchange.Schedule {
	return coretest.Must(make(tor, wormhole.Published)).Schedule()
}

func TestSyncAgainstDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 0))
	for range 400 {
		tor := core.MustTorus([][]int{{6}, {3, 3}, {2, 4}, {9}}[random.IntN(4)]...)
		checkSync(t, randomSchedule(random, tor), tor)
	}
	for _, n := range []int{2, 3, 4, 5, 6, 8} {
		ring := core.MustTorus(n)
		checkSync(t, planned(wormhole.ByAxes, ring), ring)
	}
	checkSync(t, planned(wormhole.T4, core.MustTorus(4, 4)), core.MustTorus(4, 4))
}

// TestSyncOfPackings does the same where sends turn.
func TestSyncOfPackings(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 0))
	for range 60 {
		tor := core.MustTorus([][]int{{3, 3}, {2, 4}, {4, 4}, {2, 2, 3}}[random.IntN(4)]...)
		r := coretest.Must(routing.Parse(tor, []string{"odr", "udr:tie=both", "minimal"}[random.IntN(3)]))
		k := coretest.Must(wormhole.Pack(r, core.MustPlacement(tor, random.Perm(tor.N())[:3+random.IntN(3)])))
		checkSync(t, k.Direct, tor)
	}
}

// TestSyncOfRings counts barriers of the published rings: 2d-4, one more than seed 004, section 7.1, which does not
// count the receive port; only the middle pair of phases needs none between.
func TestSyncOfRings(t *testing.T) {
	for d := 3; d <= 7; d++ {
		s := planned(wormhole.ByAxes, core.MustTorus(1<<d))
		got, err := Synchronise(s)
		if err != nil || phasesOf(s) != 2*d-2 || len(got.Barriers) != 2*d-4 ||
			slices.Contains(got.Barriers, d-2) != (d == 3) && d > 3 {
			t.Errorf("ring of %d: barriers after %v (%v)", 1<<d, got.Barriers, err)
		}
	}
}

// TestSyncOfSteps takes store and forward, where only ports count: a send to a node that hears from another one
// after.
func TestSyncOfSteps(t *testing.T) {
	phases := []exchange.Phase{{{From: 0, To: 1, Axis: -1}}, {{From: 2, To: 1, Axis: -1}, {From: 1, To: 0, Axis: -1}}}
	got, err := Synchronise(scheduleOf("steps", exchange.StoreAndForward, core.MustTorus(3), phases))
	want := []Signal{{Event{0, 0, 1}, Event{1, 2, 1}}}
	if err != nil || !slices.Equal(got.Signals, want) || !slices.Equal(got.Barriers, []int{0}) {
		t.Errorf("found %+v (%v), want %v", got, err, want)
	}
}

func TestSyncErrors(t *testing.T) {
	big := scheduleOf("big", exchange.StoreAndForward, core.MustTorus(3),
		[]exchange.Phase{make(exchange.Phase, maxEvents+1)})
	one := exchange.Schedule{Head: exchange.Head{Model: exchange.Wormhole,
		Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 1}}}}
	for _, s := range []exchange.Schedule{big, one} {
		var e *core.InputError
		if _, err := Synchronise(s); !errors.As(err, &e) {
			t.Errorf("%s: error %v", s.Name, err)
		}
	}
}
