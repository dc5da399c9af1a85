package portfolio

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/searchtest"
)

// TestArchive adds many random placements, on tori with few and with many orbits.
func TestArchive(t *testing.T) {
	draws := 1000
	if testing.Short() {
		draws = 60
	}
	for _, p := range []objective.Problem{searchtest.Problem("3x3", "udr", 4),
		searchtest.Problem("4x4", "odr:tie=both", 5), searchtest.Problem("2x3x3", "minimal", 6)} {
		a := coretest.Must(newArchive(t.Context(), p, false))
		group := coretest.Must(symmetry.GroupOf(p.Routing))
		rng := rand.New(rand.NewPCG(1, 2))
		var kept []search.Found // what the model keeps
		for range draws {
			f := search.Found{Placement: core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:p.Size])}
			f.Value, _ = objective.Naive(p.Routing, f.Placement).Max()
			a.add(f)
			kept = expect(group, kept, f)
			if !slices.EqualFunc(a.list, kept, func(x, y search.Found) bool {
				return slices.Equal(x.Placement.Nodes(), y.Placement.Nodes())
			}) {
				t.Fatalf("%s: archive %v, want %v", p, a.list, kept)
			}
		}
		if p.Torus().N() == 16 && len(a.list) != maxArchive {
			t.Errorf("%s: %d placements", p, len(a.list))
		}
	}
}

// expect is the archive's rule in other words: nothing of an orbit that is there; then a stable sort with the newcomer
// in front of all but the first, which counts as better than its equals.
func expect(group *symmetry.Group, kept []search.Found, f search.Found) []search.Found {
	form, _ := group.Canonical(f.Placement.Nodes())
	for _, have := range kept {
		if other, _ := group.Canonical(have.Placement.Nodes()); slices.Equal(form, other) {
			return kept
		}
	}
	if len(kept) == 0 {
		return []search.Found{f}
	}
	list := append([]search.Found{kept[0], f}, kept[1:]...)
	slices.SortStableFunc(list, func(x, y search.Found) int { return x.Value.Cmp(y.Value) })
	return list[:min(len(list), maxArchive)]
}

// TestWithoutGroup checks that placements are told apart by their nodes where there is no group to use.
func TestWithoutGroup(t *testing.T) {
	small, large := searchtest.Problem("4x4", "udr", 2), searchtest.Problem("70x70", "udr", 2)
	for _, c := range []struct {
		p    objective.Problem
		want int
	}{{small, 1}, {large, 2}} {
		a := coretest.Must(newArchive(t.Context(), c.p, false))
		for _, nodes := range [][]int{{0, 1}, {1, 2}, {1, 2}} {
			s := core.MustPlacement(c.p.Torus(), nodes)
			value, _ := fast.Evaluate(objective.Problem{Routing: c.p.Routing}, s).Max()
			a.add(search.Found{Placement: s, Value: value})
		}
		if len(a.list) != c.want {
			t.Errorf("%s: %d placements, want %d", c.p, len(a.list), c.want)
		}
	}
}

func TestTimeShares(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		epoch  int
		left   time.Duration
		atOnce int
		idle   []int
		want   []time.Duration
	}{
		{0, 0, 1, []int{0, 0}, []time.Duration{s / 4, s / 4}},
		{1, 0, 2, []int{3, 3}, []time.Duration{3 * s / 8, 3 * s / 8}},
		{0, 0, 1, []int{0, 6, 99, 7}, []time.Duration{8 * s / 12, 2 * s / 12, s / 12, s / 12}},
		{0, 3 * s / 4, 1, []int{0, 0}, []time.Duration{3 * s / 8, 3 * s / 8}},
		{0, s, 1, []int{0, 0}, []time.Duration{s / 4, s / 4}},
		{9, s, 2, []int{0, 0, 0, 0}, []time.Duration{s / 2, s / 2, s / 2, s / 2}},
	} {
		got := timeShares(c.epoch, c.left, c.atOnce, c.idle)
		for i := range got {
			if d := got[i] - c.want[i]; len(got) != len(c.want) || d.Abs() > time.Microsecond {
				t.Errorf("epoch %d, %s left, idle %v: %v, want %v", c.epoch, c.left, c.idle, got, c.want)
				break
			}
		}
	}
	if grown(firstQuota, 1_000_000) <= 0 || grown(int64(firstTime), 1_000_000) <= 0 {
		t.Error("overflow")
	}
}

// TestArchiveWithoutGroup: where loads pass an int64 the group is out of reach, and placements are told apart by nodes.
func TestArchiveWithoutGroup(t *testing.T) {
	mesh := coretest.Must(core.ParseNetwork("64x64:open=0,1"))
	p := coretest.Must(objective.Problem{Routing: routing.NewMinimal(mesh, routing.TieBoth), Size: 100}.WithTraffic(
		coretest.Must(objective.ParseTraffic("clients:request=1:reply=1"))))
	if _, err := fast.Group(t.Context(), p); err == nil {
		t.Fatal("the group is within reach: the test needs another problem")
	}
	if _, err := newArchive(t.Context(), p, false); err != nil {
		t.Error(err)
	}
}
