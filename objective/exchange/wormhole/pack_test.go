package wormhole

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/exchange"
)

func packed(torus, placement, paths string) (routing.Routing, core.Placement, Packing) {
	tor, r := coretest.Parse(torus, paths)
	p := coretest.Must(family.Parse(tor, placement))
	k := coretest.Must(Pack(r, p))
	return r, p, k
}

// verify checks a packing send by send: each pair once, on a path of the routing, ports and links once in a phase.
func verify(r routing.Routing, p core.Placement, k Packing) error {
	seen := map[exchange.Block]bool{}
	i := 0
	for phase := range k.Direct.Phases {
		sends, receives, links := map[int32]bool{}, map[int32]bool{}, map[core.Link]bool{}
		for _, s := range phase {
			b, path := s.Blocks[0], s.Links(r.Torus())
			if seen[b] || sends[s.From] || receives[s.To] || b.From != s.From || b.To != s.To || len(s.Blocks) != 1 {
				return fmt.Errorf("phase %d: %v again", i, b)
			}
			seen[b], sends[s.From], receives[s.To] = true, true, true
			for _, l := range path {
				if links[l] {
					return fmt.Errorf("phase %d: link %d twice", i, l)
				}
				links[l] = true
			}
			known := false
			for allowed := range r.Paths(int(s.From), int(s.To), p.Set()) {
				known = known || slices.Equal(allowed, path)
			}
			if !known {
				return fmt.Errorf("phase %d: %v has no such path %v", i, b, path)
			}
		}
		i++
	}
	if want := p.Size() * (p.Size() - 1); len(seen) != want || i != k.Phases {
		return fmt.Errorf("%d pairs are sent in %d phases, want %d in %d", len(seen), i, want, k.Phases)
	}
	return nil
}

// TestPackingsOfFamilies packs placements of several families. On 8x8 the linear placement and the optimum of 16 need
// no phase more than processors less one; the other figures are those that the packing reached when it was written.
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
		r, p, k := packed(c.torus, c.placement, c.paths)
		if err := verify(r, p, k); err != nil {
			t.Error(err)
		}
		if k.Phases > c.most || k.Phases < k.LowerBound || k.LowerBound < p.Size()-1 {
			t.Errorf("%s %s %s: %d phases, want at most %d; bound %d, %s", c.torus, c.placement, c.paths, k.Phases,
				c.most, k.LowerBound, k.Why)
		}
		got, err := simulate(k.Relayed())
		if err != nil || len(got.sizes) > c.relayed {
			t.Errorf("%s %s %s: relayed %v (%v), want at most %d phases", c.torus, c.placement, c.paths, got.sizes,
				err, c.relayed)
		}
	}
}

// TestPackingBoundOfLoad has a bound that is not that of the ports: in a cluster on a ring of 16 most blocks cross
// one link.
func TestPackingBoundOfLoad(t *testing.T) {
	r, p, k := packed("16", "nodes:0+1+2+3+4+5", "odr")
	if err := verify(r, p, k); err != nil {
		t.Error(err)
	}
	if k.LowerBound != 9 || k.Phases != 9 { // 3 nodes left, 3 right of the middle link
		t.Errorf("%d phases, bound %d: %s", k.Phases, k.LowerBound, k.Why)
	}
}

// leastPhases returns the fewest phases of any packing, by trying everything.
func leastPhases(pairs []pathPair) int {
	type trial struct {
		exchange.Block
		path []core.Link
	}
	clash := func(a, b trial) bool {
		return a.From == b.From || a.To == b.To ||
			slices.ContainsFunc(a.path, func(l core.Link) bool { return slices.Contains(b.path, l) })
	}
	best := len(pairs)
	var phases [][]trial
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
			s := trial{pairs[i].Block, path}
			for n, phase := range phases {
				if !slices.ContainsFunc(phase, func(o trial) bool { return clash(o, s) }) {
					phases[n] = append(phase, s)
					place(i + 1)
					phases[n] = phase
				}
			}
			phases = append(phases, []trial{s})
			place(i + 1)
			phases = phases[:len(phases)-1]
		}
	}
	place(0)
	return best
}

// TestPackingAgainstTrial compares bound, packing and the least number of phases of small random placements.
func TestPackingAgainstTrial(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	worse := 0
	for range 300 {
		tor := core.MustTorus([][]int{{7}, {3, 3}, {2, 4}, {4, 3}, {2, 2, 3}, {9}}[random.IntN(6)]...)
		text := []string{"odr", "udr", "udr:tie=both", "minimal", "avoid"}[random.IntN(5)]
		r := coretest.Must(routing.Parse(tor, text))
		p := core.MustPlacement(tor, random.Perm(tor.N())[:2+random.IntN(2)])
		k := coretest.Must(Pack(r, p))
		coretest.Try(verify(r, p, k))
		pairs, _ := pairPaths(r, p)
		least := leastPhases(pairs)
		if k.LowerBound > least || k.Phases < least || k.Phases > least+1 {
			t.Errorf("%s %v %s: bound %d, least %d, packed %d", tor, p.Coords(), text, k.LowerBound, least, k.Phases)
		}
		if k.Phases > least {
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
		for from, to := range p.Pairs() {
			always := true
			for path := range r.Paths(from, to, p.Set()) {
				always = always && slices.ContainsFunc(path,
					func(l core.Link) bool { return slices.Contains(set, l) })
			}
			if always {
				forced++
			}
		}
		best = max(best, (forced+len(set)-1)/len(set))
	}
	return best
}

// TestPackingBound compares the bound with its definition where links count for more than ports: on placements of
// many neighbours.
func TestPackingBound(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 0))
	above := 0
	for range 60 {
		tor := core.MustTorus([][]int{{12}, {10}, {3, 8}, {2, 9}, {4, 6}}[random.IntN(5)]...)
		text := []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal"}[random.IntN(5)]
		r := coretest.Must(routing.Parse(tor, text))
		p := core.MustPlacement(tor, core.Range(5+random.IntN(5)))
		pairs := coretest.Must(pairPaths(r, p))
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
		k, err := Pack(r, p)
		count := 0
		for range k.Relayed().Phases {
			count++
		}
		if err != nil || k.Phases != 0 || k.LowerBound != 0 || count != 0 {
			t.Errorf("%s: %+v, %v", nodes, k, err)
		}
	}
	r, _ := routing.Parse(core.MustTorus(4, 4), "odr")
	var e *core.InputError
	crowd, _ := family.Parse(core.MustTorus(64, 64), "linear")
	many, _ := routing.Parse(crowd.Torus(), "minimal")
	if _, err := Pack(many, crowd); !errors.As(err, &e) {
		t.Errorf("too many paths: error %v", err)
	}
	if _, err := Pack(r, core.MustPlacement(core.MustTorus(8), []int{1, 2})); !errors.As(err, &e) {
		t.Errorf("another torus: error %v", err)
	}
}

// TestRelayedBound: on the diagonal of 8x8 no two processors share a line, so nothing comes in the first phase and 7
// blocks a processor need 8. Two on one line need 1, and the full 2x2 torus 4: of its 12 blocks 4 stop at a processor
// on their way.
func TestRelayedBound(t *testing.T) {
	for _, c := range []struct {
		torus, nodes string
		want         int
	}{
		{"8x8", "linear:c=1,-1", 8}, {"8x8", "nodes:0,0+0,3", 1}, {"2x2", "full", 4}, {"2x2", "nodes:0,0+1,1", 2},
		{"3^3", "nodes:0,0,0+1,1,1", 3}, {"8x8", "nodes:0,5", 0},
	} {
		_, _, k := packed(c.torus, c.nodes, "udr")
		phases := 0
		for range k.Relayed().Phases {
			phases++
		}
		if got := k.RelayedBound(); got != c.want || phases < got {
			t.Errorf("%v: bound %d, want %d; %d phases", c.nodes, got, c.want, phases)
		}
	}
}

// TestRelayedOfSixteen: the 16 processors of spaced:t=2 on 8x8 have 240 blocks. The 16 for the processor half-way
// along both axes stop at a processor if they turn once, so 256 come to processors, and others stop elsewhere: 16 is
// not enough. Paths that turn twice avoid these stops, and 15 is not enough. Both are reached.
func TestRelayedOfSixteen(t *testing.T) {
	for paths, want := range map[string]int{"odr": 17, "udr": 17, "udr:tie=both": 17, "minimal": 16} {
		_, _, k := packed("8x8", "spaced:t=2", paths)
		got, err := simulate(k.Relayed())
		if err != nil || len(got.sizes) != want || k.RelayedBound() != want {
			t.Errorf("%s: %d phases, bound %d, want %d: %v", paths, len(got.sizes), k.RelayedBound(), want, err)
		}
	}
}

// leastRelayed returns the least transmission of any schedule of straight sends on a torus with sides of 2, where
// links are never shared, and blocks come nearer with each send: a search over all positions of the blocks.
func leastRelayed(tor *core.Torus, processors []int) int {
	var blocks []exchange.Block
	start, end := []byte{}, []byte{}
	for _, from := range processors {
		for _, to := range processors {
			if from != to {
				blocks = append(blocks, exchange.NewBlock(from, to))
				start, end = append(start, byte(from)), append(end, byte(to))
			}
		}
	}
	cost := map[string]int{string(start): 0}
	level := [][]string{{string(start)}} // by cost
	for now := 0; ; now++ {
		for len(level) <= now+len(blocks) {
			level = append(level, nil)
		}
		for _, state := range level[now] {
			if cost[state] < now {
				continue
			}
			if state == string(end) {
				return now
			}
			at := []byte(state)
			var move func(i int, sends map[byte]byte, receives map[byte]byte, size map[byte]int)
			move = func(i int, sends, receives map[byte]byte, size map[byte]int) {
				if i == len(blocks) {
					most := 0
					for _, n := range size {
						most = max(most, n)
					}
					if old, ok := cost[string(at)]; most > 0 && (!ok || now+most < old) {
						cost[string(at)] = now + most
						level[now+most] = append(level[now+most], string(at))
					}
					return
				}
				move(i+1, sends, receives, size)
				v := at[i]
				for axis := range tor.D() {
					if tor.Coord(int(v), axis) == tor.Coord(int(blocks[i].To), axis) {
						continue
					}
					w := byte(tor.Shift(int(v), axis, 1))
					to, sent := sends[v]
					from, received := receives[w]
					if sent && to != w || received && from != v {
						continue
					}
					at[i], sends[v], receives[w] = w, w, v
					size[v]++
					move(i+1, sends, receives, size)
					if at[i], size[v] = v, size[v]-1; size[v] == 0 {
						delete(sends, v)
						delete(receives, w)
					}
				}
			}
			move(0, map[byte]byte{}, map[byte]byte{}, map[byte]int{})
		}
	}
}

// TestRelayedAgainstTrial compares bound, schedule and the least transmission of any.
func TestRelayedAgainstTrial(t *testing.T) {
	for _, c := range []struct {
		torus string
		nodes []int
	}{{"2x2", []int{0, 1}}, {"2x2", []int{0, 3}}, {"2x2", []int{0, 1, 2}}, {"2^3", []int{0, 7}},
		{"2^3", []int{0, 3, 5}}, {"2^3", []int{0, 1, 6}}, {"2^3", []int{0, 1, 3}}} {
		tor, r := coretest.Parse(c.torus, "minimal")
		p := core.MustPlacement(tor, c.nodes)
		k := coretest.Must(Pack(r, p))
		got, err := simulate(k.Relayed())
		if least := leastRelayed(tor, c.nodes); err != nil || k.RelayedBound() > least || len(got.sizes) < least ||
			len(got.sizes) > least+1 {
			t.Errorf("%s %v: bound %d, least %d, found %d: %v", c.torus, c.nodes, k.RelayedBound(), least,
				len(got.sizes), err)
		}
	}
}
