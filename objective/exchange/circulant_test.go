package exchange

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCirculants: neighbours and distances by their definition, and a run of status steps
// in which every node sends and receives once and every block comes to its end.
func TestCirculants(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	tried := 0
	for range 400 {
		f := Factor{Kind: CirculantFactor, Nodes: 2 + rng.IntN(19)}
		for s := 1; 2*s <= f.Nodes; s++ {
			if rng.IntN(3) == 0 {
				f.Offsets = append(f.Offsets, s)
			}
		}
		lists := make([][]int, f.Nodes)
		for v := range f.Nodes {
			for w := range f.Nodes {
				if slices.Contains(f.Offsets, (w-v+f.Nodes)%f.Nodes) || slices.Contains(f.Offsets, (v-w+f.Nodes)%f.Nodes) {
					lists[v] = append(lists[v], w)
				}
			}
		}
		n, err := NewNetwork(f)
		if connected := !slices.Contains(distancesFrom(lists, 0), -1); (err == nil) != connected {
			t.Fatalf("%v: %v, connected: %v", f, err, connected)
		} else if !connected {
			continue
		}
		tried++
		for v := range f.Nodes {
			have := n.Neighbours(v)
			if slices.Sort(have); !slices.Equal(have, lists[v]) || !slices.Equal(n.factors[0].distance[v], distancesFrom(lists, v)) {
				t.Fatalf("%v: neighbours of %d are %v, want %v", f, v, have, lists[v])
			}
		}
		playCirculant(t, n, lists)
	}
	if tried < 100 {
		t.Errorf("only %d are connected", tried)
	}
}

func playCirculant(t *testing.T, n *Network, lists [][]int) {
	t.Helper()
	p, err := ProductA2(n)
	if err != nil {
		t.Fatal(err)
	}
	at := map[Block]int32{}
	steps := 0
	for phase := range p.Schedule.Phases {
		steps++
		sent, received := map[int32]bool{}, map[int32]bool{}
		for _, s := range phase {
			b := s.Blocks[0]
			if where, ok := at[b]; ok && where != s.From || !ok && b.From != s.From || !slices.Contains(lists[s.From], int(s.To)) {
				t.Fatalf("%v, step %d: %v", n, steps, s)
			}
			sent[s.From], received[s.To], at[b] = true, true, s.To
		}
		if len(sent) != n.N() || len(received) != n.N() {
			t.Fatalf("%v, step %d: a port is idle or used twice", n, steps)
		}
	}
	for b, v := range at {
		if b.To != v {
			t.Fatalf("%v: %v ends at %d", n, b, v)
		}
	}
	if len(at) != n.N()*(n.N()-1) || steps != n.Status(0) || p.Steps != steps || !p.Optimal {
		t.Fatalf("%v: %d blocks, %d steps announced as %d, status %d", n, len(at), steps, p.Steps, n.Status(0))
	}
}
