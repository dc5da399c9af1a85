package exchange

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/routing"
)

// A literalSync decides order between all pairs of sends from the definition.
type literalSync struct {
	sends []Block // their ends
	phase []int
	links [][]core.Link
}

func literal(s Schedule) (l literalSync) {
	number, tor := 0, core.MustTorus(s.Sides...)
	for phase := range s.Phases {
		number++
		for _, send := range phase {
			l.add(Block{send.From, send.To}, number, walked(tor, send))
		}
	}
	return l
}

func literalPacking(k Packing) (l literalSync) {
	for i, phase := range k.Phases {
		for _, send := range phase {
			l.add(send.Block, i+1, send.Path)
		}
	}
	return l
}

func (l *literalSync) add(ends Block, phase int, links []core.Link) {
	l.sends, l.phase, l.links = append(l.sends, ends), append(l.phase, phase), append(l.links, links)
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
	return l.sends[e].To == l.sends[f].To || slices.ContainsFunc(l.links[e], func(x core.Link) bool { return slices.Contains(l.links[f], x) })
}

func walked(t *core.Torus, s Send) []core.Link {
	var list []core.Link
	for v := int(s.From); v != int(s.To); v = t.Shift(v, s.Axis, int(s.Dir)) {
		list = append(list, t.Link(v, s.Axis, s.Dir))
	}
	return list
}

// before returns the transitive closure of a relation, by Warshall.
func (l literalSync) before(related func(e, f int) bool) [][]bool {
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
	m := l.before(func(e, f int) bool { return l.free(e, f) || related(e, f) })
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
		if set>>(k-1)&1 != 0 {
			return true
		}
	}
	return false
}

// checkSync compares signals and barriers of a schedule with the definition.
func checkSync(t *testing.T, s Schedule) {
	t.Helper()
	got, err := Synchronise(s)
	if err != nil {
		t.Fatal(err)
	}
	compareSync(t, fmt.Sprintf("%s %v", s.Name, s.Sides), got, literal(s))
}

// compareSync compares signals and barriers with what the sends need.
func compareSync(t *testing.T, name string, got Sync, l literalSync) {
	t.Helper()
	all := l.before(func(e, f int) bool { return l.free(e, f) || l.must(e, f) })
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
		set |= 1 << (k - 1)
	}
	if !l.ordered(func(e, f int) bool { return l.parted(set, e, f) }) {
		t.Fatalf("%s: barriers after %v do not suffice", name, got.Barriers)
	}
	if want := l.fewestBarriers(got.Phases); len(got.Barriers) != want {
		t.Fatalf("%s: barriers after %v, but %d suffice", name, got.Barriers, want)
	}
}

// randomSchedule returns phases of sends without blocks that share no port in a phase,
// nor a link.
func randomSchedule(random *rand.Rand, tor *core.Torus) Schedule {
	phases := make([]Phase, 2+random.IntN(4))
	for i := range phases {
		busy := newBusyPhase(tor)
		for range 1 + random.IntN(4) {
			from, axis := random.IntN(tor.N()), random.IntN(tor.D())
			s := Send{From: int32(from), To: int32(tor.Shift(from, axis, 1+random.IntN(tor.Side(axis)-1))), Axis: axis, Dir: core.Plus}
			if ends, links := (Block{s.From, s.To}), walked(tor, s); !busy.ports(ends) && busy.free(links) {
				busy.add(ends, links)
				phases[i] = append(phases[i], s)
			}
		}
	}
	return Schedule{Name: "random", Model: Wormhole, Sides: tor.Dims(), Phases: slices.Values(phases)}
}

func TestSyncAgainstDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 0))
	for range 400 {
		checkSync(t, randomSchedule(random, core.MustTorus([][]int{{6}, {3, 3}, {2, 4}, {9}}[random.IntN(4)]...)))
	}
	for _, n := range []int{2, 3, 4, 5, 6, 8} {
		checkSync(t, ringSchedule(t, n, Published).Schedule())
	}
	checkSync(t, planOf(t, "t4", "4x4", Published).Schedule())
}

// TestSyncOfPackings does the same where sends turn.
func TestSyncOfPackings(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 0))
	for range 60 {
		tor := core.MustTorus([][]int{{3, 3}, {2, 4}, {4, 4}, {2, 2, 3}}[random.IntN(4)]...)
		text := []string{"odr", "udr:tie=both", "minimal"}[random.IntN(3)]
		r, err := routing.Parse(tor, text)
		if err != nil {
			t.Fatal(err)
		}
		p := core.MustPlacement(tor, random.Perm(tor.N())[:3+random.IntN(3)])
		k, err := PackWormhole(r, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.Synchronise()
		if err != nil {
			t.Fatal(err)
		}
		compareSync(t, fmt.Sprintf("%s %v %s", tor, p.Coords(), text), got, literalPacking(k))
	}
}

// TestSyncOfRings counts barriers of the published rings: 2d-4, one more than seed 004,
// section 7.1, which does not count the receive port; only the middle pair of phases
// needs none between.
func TestSyncOfRings(t *testing.T) {
	for d := 3; d <= 7; d++ {
		got, err := Synchronise(ringSchedule(t, 1<<d, Published).Schedule())
		if err != nil || got.Phases != 2*d-2 || len(got.Barriers) != 2*d-4 || slices.Contains(got.Barriers, d-1) != (d == 3) && d > 3 {
			t.Errorf("ring of %d: %d phases, barriers after %v (%v)", 1<<d, got.Phases, got.Barriers, err)
		}
	}
}

// TestSyncOfSteps takes store and forward, where only ports count: a send to a node that
// hears from another one after.
func TestSyncOfSteps(t *testing.T) {
	phases := []Phase{{{From: 0, To: 1, Axis: -1}}, {{From: 2, To: 1, Axis: -1}, {From: 1, To: 0, Axis: -1}}}
	got, err := Synchronise(Schedule{Name: "steps", Sides: []int{3}, Phases: slices.Values(phases)})
	want := []Signal{{Event{1, 0, 1}, Event{2, 2, 1}}}
	if err != nil || !slices.Equal(got.Signals, want) || !slices.Equal(got.Barriers, []int{1}) {
		t.Errorf("found %+v (%v), want %v", got, err, want)
	}
}

func TestSyncErrors(t *testing.T) {
	big := Schedule{Name: "big", Sides: []int{3}, Phases: slices.Values([]Phase{make(Phase, maxEvents+1)})}
	var e *core.InputError
	if _, err := Synchronise(big); !errors.As(err, &e) {
		t.Errorf("too many sends: error %v", err)
	}
	if _, err := Synchronise(Schedule{Name: "one", Model: Wormhole, Sides: []int{1}}); !errors.As(err, &e) {
		t.Errorf("a side of 1: error %v", err)
	}
}
