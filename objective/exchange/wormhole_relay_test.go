package exchange

import (
	"testing"

	"leeway/core"
	"leeway/core/routing"
)

// TestRelayedBound: on the diagonal of 8x8 no two processors share a line, so nothing comes
// in the first phase and 7 blocks a processor need 8. Two on one line need 1, and the full
// 2x2 torus 4: of its 12 blocks 4 stop at a processor on their way.
func TestRelayedBound(t *testing.T) {
	for _, c := range []struct {
		sides []int
		nodes []int
		want  int
	}{
		{[]int{8, 8}, []int{0, 9, 18, 27, 36, 45, 54, 63}, 8},
		{[]int{8, 8}, []int{0, 3}, 1},
		{[]int{2, 2}, []int{0, 1, 2, 3}, 4},
		{[]int{2, 2}, []int{0, 3}, 2},
		{[]int{3, 3, 3}, []int{0, 13}, 3},
		{[]int{8, 8}, []int{5}, 0},
	} {
		torus, err := core.NewTorus(c.sides...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.Parse(torus, "udr")
		if err != nil {
			t.Fatal(err)
		}
		p, err := core.NewPlacement(torus, c.nodes)
		if err != nil {
			t.Fatal(err)
		}
		k, err := PackWormhole(r, p)
		if err != nil {
			t.Fatal(err)
		}
		phases := 0
		for range k.Relayed().Phases {
			phases++
		}
		if got := k.RelayedBound(); got != c.want || phases < got {
			t.Errorf("%v: bound %d, want %d; %d phases", c.nodes, got, c.want, phases)
		}
	}
}

// TestRelayedOfSixteen: the 16 processors of spaced:t=2 on 8x8 have 240 blocks. The 16 for
// the processor half-way along both axes stop at a processor if they turn once, so 256 come
// to processors, and others stop elsewhere: 16 is not enough. Paths that turn twice avoid
// these stops, and 15 is not enough. Both are reached.
func TestRelayedOfSixteen(t *testing.T) {
	for paths, want := range map[string]int{"odr": 17, "udr": 17, "udr:tie=both": 17, "minimal": 16} {
		_, _, k := packed(t, "8x8", "spaced:t=2", paths)
		got, err := simulate(k.Relayed())
		if err != nil || len(got.sizes) != want || k.RelayedBound() != want {
			t.Errorf("%s: %d phases, bound %d, want %d: %v", paths, len(got.sizes), k.RelayedBound(), want, err)
		}
	}
}

// leastRelayed returns the least transmission of any schedule of straight sends on a torus
// with sides of 2, where links are never shared, and blocks come nearer with each send: a
// search over all positions of the blocks.
func leastRelayed(tor *core.Torus, processors []int) int {
	var blocks []Block
	start, end := []byte{}, []byte{}
	for _, from := range processors {
		for _, to := range processors {
			if from != to {
				blocks = append(blocks, Block{int32(from), int32(to)})
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
	}{{"2x2", []int{0, 1}}, {"2x2", []int{0, 3}}, {"2x2", []int{0, 1, 2}}, {"2^3", []int{0, 7}}, {"2^3", []int{0, 3, 5}}, {"2^3", []int{0, 1, 6}}, {"2^3", []int{0, 1, 3}}} {
		tor, err := core.ParseTorus(c.torus)
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.Parse(tor, "minimal")
		if err != nil {
			t.Fatal(err)
		}
		p := core.MustPlacement(tor, c.nodes)
		k, err := PackWormhole(r, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := simulate(k.Relayed())
		if least := leastRelayed(tor, c.nodes); err != nil || k.RelayedBound() > least || len(got.sizes) < least || len(got.sizes) > least+1 {
			t.Errorf("%s %v: bound %d, least %d, found %d: %v", c.torus, c.nodes, k.RelayedBound(), least, len(got.sizes), err)
		}
	}
}
