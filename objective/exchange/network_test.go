package exchange

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
)

// randomFactor has 2 to 6 nodes.
func randomFactor(rng *rand.Rand) Factor {
	f := Factor{Kind: []FactorKind{RingFactor, PathFactor, CompleteFactor, GraphFactor}[rng.IntN(4)], Nodes: 2 + rng.IntN(5)}
	if f.Kind == GraphFactor {
		for v := 1; v < f.Nodes; v++ {
			f.Edges = append(f.Edges, [2]int{rng.IntN(v), v})
		}
	}
	return f
}

// joined says from the definition whether two nodes of a factor are neighbours.
func joined(f Factor, u, v int) bool {
	switch f.Kind {
	case RingFactor:
		return u != v && ((u+1)%f.Nodes == v || (v+1)%f.Nodes == u)
	case PathFactor:
		return u+1 == v || v+1 == u
	case CompleteFactor:
		return u != v
	}
	return slices.Contains(f.Edges, [2]int{u, v}) || slices.Contains(f.Edges, [2]int{v, u})
}

// productNeighbours lists the neighbours of all nodes from the definition of a
// product: they differ in one coordinate, and are neighbours there.
func productNeighbours(factors []Factor) [][]int {
	nodes := 1
	for _, f := range factors {
		nodes *= f.Nodes
	}
	lists := make([][]int, nodes)
	for u := range nodes {
		for v := range nodes {
			differ, all := 0, true
			for i, a, b := len(factors)-1, u, v; i >= 0; i-- {
				n := factors[i].Nodes
				if a%n != b%n {
					differ++
					all = all && joined(factors[i], a%n, b%n)
				}
				a, b = a/n, b/n
			}
			if differ == 1 && all {
				lists[u] = append(lists[u], v)
			}
		}
	}
	return lists
}

// TestStatus is property 3: the status by a search of the whole product equals the
// formula (Theorem 1), and the mean that of Corollary 1.
func TestStatus(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 60 {
		var factors []Factor
		for range 1 + rng.IntN(3) {
			factors = append(factors, randomFactor(rng))
		}
		n, err := NewNetwork(factors...)
		if err != nil {
			t.Fatal(err)
		}
		lists := productNeighbours(factors)
		total := 0
		for v := range n.N() {
			row := distancesFrom(lists, v)
			total += sumOf(row)
			if n.Status(v) != sumOf(row) {
				t.Fatalf("%v: status of %d is %d, by search %d", n, v, n.Status(v), sumOf(row))
			}
			var have []int
			for _, s := range n.steps(v) {
				have = append(have, s.to)
			}
			if slices.Sort(have); !slices.Equal(have, lists[v]) {
				t.Fatalf("%v: neighbours of %d are %v, not %v", n, v, have, lists[v])
			}
			for w := range n.N() {
				if n.Distance(v, w) != row[w] {
					t.Fatalf("%v: distance of %d and %d is %d, not %d", n, v, w, n.Distance(v, w), row[w])
				}
			}
		}
		if want := big.NewRat(int64(total), int64(n.N())); n.AverageStatus().Cmp(want) != 0 {
			t.Fatalf("%v: AS is %v, not %v", n, n.AverageStatus(), want)
		}
	}
}

// TestAverageStatusOfFactors: floor(n^2/4), n-1 and (n^2-1)/3.
func TestAverageStatusOfFactors(t *testing.T) {
	for n := int64(2); n <= 40; n++ {
		for kind, want := range map[FactorKind]*big.Rat{RingFactor: big.NewRat(n*n/4, 1), CompleteFactor: big.NewRat(n-1, 1), PathFactor: big.NewRat(n*n-1, 3)} {
			net, err := NewNetwork(Factor{Kind: kind, Nodes: int(n)})
			if err != nil || net.AverageStatus().Cmp(want) != 0 {
				t.Errorf("%s of %d: AS %v, want %v, %v", kind, n, net.AverageStatus(), want, err)
			}
		}
	}
}

func TestParseNetwork(t *testing.T) {
	for _, text := range []string{"ring:6,path:3,complete:4", "graph:0-1+1-2+2-0,ring:2", "path:1", "circulant:12:1+3,ring:3", "circulant:6:2+3"} {
		n, err := ParseNetwork(text)
		if err != nil || n.String() != text {
			t.Errorf("%s is read as %v, %v", text, n, err)
		}
	}
	for text, want := range map[string]string{
		"": "unknown factor", "ring": "a ring has 1 to 4096 nodes", "ring:06": "a ring has", "helix:4": `unknown factor`, "ring:64,ring:65": "1 to 4096 nodes",
		"graph:0-1+2-3": "not connected", "graph:1-1": "does not join", "graph:0": "does not join", "path:3,,path:2": "unknown factor", "path:+3": "a path has",
		"circulant:12": "the offset \"\" is no number", "circulant:1:1": "2 to 4096", "circulant:12:7": "outside 1..6", "circulant:12:3+1": "not ascending",
		"circulant:12:2+4": "not connected", "circulant:12:0": "outside", "circulant:12:2+2": "not ascending",
	} {
		var e *core.InputError
		if _, err := ParseNetwork(text); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := NewNetwork(); err == nil {
		t.Error("a network without factors")
	}
}

func FuzzParseNetwork(f *testing.F) {
	f.Add("ring:6,path:3,complete:4")
	f.Add("graph:0-1+1-2")
	f.Add("circulant:12:1+3,ring:3")
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseNetwork(text)
		if err != nil {
			var e *core.InputError
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
		} else if n.String() != text {
			t.Fatalf("%q is printed as %q", text, n)
		}
	})
}
