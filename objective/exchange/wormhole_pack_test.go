package exchange

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
)

func packed(t *testing.T, torus, placement, paths string) (routing.Routing, core.Placement, Packing) {
	t.Helper()
	tor, err := core.ParseTorus(torus)
	if err != nil {
		t.Fatal(err)
	}
	r, err := routing.Parse(tor, paths)
	if err != nil {
		t.Fatal(err)
	}
	p, err := family.Parse(tor, placement)
	if err != nil {
		t.Fatal(err)
	}
	k, err := PackWormhole(r, p)
	if err != nil {
		t.Fatal(err)
	}
	return r, p, k
}

// verify checks a packing send by send: each pair once, on a path of the routing, ports
// and links once in a phase.
func verify(r routing.Routing, p core.Placement, k Packing) error {
	seen := map[Block]bool{}
	for i, phase := range k.Phases {
		sends, receives, links := map[int32]bool{}, map[int32]bool{}, map[core.Link]bool{}
		for _, s := range phase {
			if seen[s.Block] || sends[s.From] || receives[s.To] {
				return fmt.Errorf("phase %d: %v again", i, s.Block)
			}
			seen[s.Block], sends[s.From], receives[s.To] = true, true, true
			for _, l := range s.Path {
				if links[l] {
					return fmt.Errorf("phase %d: link %d twice", i, l)
				}
				links[l] = true
			}
			known := false
			for path := range r.Paths(int(s.From), int(s.To), p.Set()) {
				known = known || slices.Equal(path, s.Path)
			}
			if !known {
				return fmt.Errorf("phase %d: %v has no such path %v", i, s.Block, s.Path)
			}
		}
	}
	if want := p.Size() * (p.Size() - 1); len(seen) != want {
		return fmt.Errorf("%d pairs are sent, want %d", len(seen), want)
	}
	return nil
}

// TestPackingsOfFamilies packs what issue 6 names: the linear placement of 8x8 and the
// optimum of 16, both without a phase too many.
func TestPackingsOfFamilies(t *testing.T) {
	for _, c := range []struct {
		torus, placement, paths string
		most, relayed           int
	}{
		{"8x8", "linear", "odr", 7, 8}, {"8x8", "linear", "udr:tie=both", 7, 8},
		{"8x8", "spaced:t=2", "odr", 15, 17}, {"8x8", "spaced:t=2", "minimal", 15, 16},
		{"4x4x4", "linear", "odr", 15, 17}, {"16x16", "spaced:t=2", "udr:tie=both", 31, 33},
		{"8x8", "random:n=14:seed=7", "odr", 16, 18}, {"8x8", "random:n=12:seed=1", "avoid", 13, 13},
		{"5x7", "random:n=10:seed=2", "minimal", 10, 11}, {"2x2x2", "full", "udr", 8, 12},
	} {
		if testing.Short() && c.torus == "16x16" {
			continue
		}
		r, p, k := packed(t, c.torus, c.placement, c.paths)
		if err := verify(r, p, k); err != nil {
			t.Error(err)
		}
		if len(k.Phases) > c.most || len(k.Phases) < k.LowerBound || k.LowerBound < p.Size()-1 {
			t.Errorf("%s %s %s: %d phases, want at most %d; bound %d, %s", c.torus, c.placement, c.paths, len(k.Phases), c.most, k.LowerBound, k.Why)
		}
		got, err := simulate(k.Relayed())
		if err != nil || len(got.sizes) > c.relayed {
			t.Errorf("%s %s %s: relayed %v (%v), want at most %d phases", c.torus, c.placement, c.paths, got.sizes, err, c.relayed)
		}
	}
}

// TestPackingBoundOfLoad has a bound that is not that of the ports: in a cluster on a
// ring of 16 most blocks cross one link.
func TestPackingBoundOfLoad(t *testing.T) {
	r, p, k := packed(t, "16", "nodes:0+1+2+3+4+5", "odr")
	if err := verify(r, p, k); err != nil {
		t.Error(err)
	}
	if k.LowerBound != 9 || len(k.Phases) != 9 { // 3 nodes left, 3 right of the middle link
		t.Errorf("%d phases, bound %d: %s", len(k.Phases), k.LowerBound, k.Why)
	}
}

// leastPhases returns the fewest phases of any packing, by trying everything.
func leastPhases(pairs []pathPair) int {
	best := len(pairs)
	var phases [][]DirectSend
	var place func(i int)
	place = func(i int) {
		if len(phases) >= best {
			return
		}
		if i == len(pairs) {
			best = len(phases)
			return
		}
		for _, path := range pairs[i].paths {
			s := DirectSend{pairs[i].Block, path}
			for n, phase := range phases {
				if !slices.ContainsFunc(phase, func(o DirectSend) bool { return clash(o, s) }) {
					phases[n] = append(phase, s)
					place(i + 1)
					phases[n] = phase
				}
			}
			phases = append(phases, []DirectSend{s})
			place(i + 1)
			phases = phases[:len(phases)-1]
		}
	}
	place(0)
	return best
}

func clash(a, b DirectSend) bool {
	return a.From == b.From || a.To == b.To || slices.ContainsFunc(a.Path, func(l core.Link) bool { return slices.Contains(b.Path, l) })
}

// TestPackingAgainstTrial compares bound, packing and the least number of phases of
// small random placements.
func TestPackingAgainstTrial(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	worse := 0
	for range 300 {
		tor := core.MustTorus([][]int{{7}, {3, 3}, {2, 4}, {4, 3}, {2, 2, 3}, {9}}[random.IntN(6)]...)
		text := []string{"odr", "udr", "udr:tie=both", "minimal", "avoid"}[random.IntN(5)]
		r, err := routing.Parse(tor, text)
		if err != nil {
			t.Fatal(err)
		}
		p := core.MustPlacement(tor, random.Perm(tor.N())[:2+random.IntN(2)])
		k, err := PackWormhole(r, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := verify(r, p, k); err != nil {
			t.Fatal(err)
		}
		pairs, _ := pairPaths(r, p)
		least := leastPhases(pairs)
		if k.LowerBound > least || len(k.Phases) < least || len(k.Phases) > least+1 {
			t.Errorf("%s %v %s: bound %d, least %d, packed %d", tor, p.Coords(), text, k.LowerBound, least, len(k.Phases))
		}
		if len(k.Phases) > least {
			worse++
		}
	}
	if worse > 3 {
		t.Errorf("%d of 300 packings are not the shortest", worse)
	}
}

// literalBound counts, for each set of links, the pairs of which every path meets it.
func literalBound(r routing.Routing, p core.Placement) int {
	tor := r.Torus()
	var sets [][]core.Link // single links, and those that leave a layer one way
	for l := range core.Link(tor.M()) {
		sets = append(sets, []core.Link{l})
	}
	for _, port := range tor.Ports() {
		for c := range tor.Side(port.Dim) {
			var layer []core.Link
			for v := range tor.N() {
				if tor.Coord(v, port.Dim) == c {
					layer = append(layer, tor.Link(v, port.Dim, port.Dir))
				}
			}
			sets = append(sets, layer)
		}
	}
	best := max(0, p.Size()-1)
	for _, set := range sets {
		forced := 0
		for _, from := range p.Nodes() {
			for _, to := range p.Nodes() {
				if from == to {
					continue
				}
				always := true
				for path := range r.Paths(from, to, p.Set()) {
					always = always && slices.ContainsFunc(path, func(l core.Link) bool { return slices.Contains(set, l) })
				}
				if always {
					forced++
				}
			}
		}
		best = max(best, (forced+len(set)-1)/len(set))
	}
	return best
}

// TestPackingBound compares the bound with its definition where links count for more
// than ports: on placements of many neighbours.
func TestPackingBound(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 0))
	above := 0
	for range 60 {
		tor := core.MustTorus([][]int{{12}, {10}, {3, 8}, {2, 9}, {4, 6}}[random.IntN(5)]...)
		r, err := routing.Parse(tor, []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal"}[random.IntN(5)])
		if err != nil {
			t.Fatal(err)
		}
		p := core.MustPlacement(tor, rangeOf(5+random.IntN(5)))
		pairs, err := pairPaths(r, p)
		if err != nil {
			t.Fatal(err)
		}
		got, why := packingBound(tor, p.Size(), pairs)
		if want := literalBound(r, p); got != want {
			t.Errorf("%s, %d neighbours, %s: bound %d (%s), want %d", tor, p.Size(), r, got, why, want)
		}
		if got >= p.Size() {
			above++
		}
	}
	if above < 10 {
		t.Errorf("only %d bounds come from links", above)
	}
}

func TestPackingEdges(t *testing.T) {
	for _, nodes := range []string{"nodes:", "nodes:3", "random:n=0", "random:n=1"} {
		tor := core.MustTorus(8)
		p, err := family.Parse(tor, nodes)
		if err != nil {
			continue // not a text for so few nodes
		}
		r, _ := routing.Parse(tor, "odr")
		k, err := PackWormhole(r, p)
		count := 0
		for range k.Relayed().Phases {
			count++
		}
		if err != nil || len(k.Phases) != 0 || k.LowerBound != 0 || count != 0 {
			t.Errorf("%s: %+v, %v", nodes, k, err)
		}
	}
	r, _ := routing.Parse(core.MustTorus(4, 4), "odr")
	var e *core.InputError
	crowd, _ := family.Parse(core.MustTorus(64, 64), "linear")
	many, _ := routing.Parse(crowd.Torus(), "minimal")
	if _, err := PackWormhole(many, crowd); !errors.As(err, &e) {
		t.Errorf("too many paths: error %v", err)
	}
	if _, err := PackWormhole(r, core.MustPlacement(core.MustTorus(8), []int{1, 2})); !errors.As(err, &e) {
		t.Errorf("another torus: error %v", err)
	}
}
