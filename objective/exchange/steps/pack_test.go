package steps

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
)

// heaviest tries every edge and none for each row in turn.
func heaviest(edges [][]edge, taken []bool) int {
	if len(edges) == 0 {
		return 0
	}
	best := heaviest(edges[1:], taken)
	for _, e := range edges[0] {
		if !taken[e.column] {
			taken[e.column] = true
			best = max(best, e.weight+heaviest(edges[1:], taken))
			taken[e.column] = false
		}
	}
	return best
}

// TestMatchingIsHeaviest holds matchings against all there are, one matcher used again and again.
func TestMatchingIsHeaviest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	const rows, columns = 6, 5
	m := newMatcher(rows, columns)
	for range 3000 {
		m.clear()
		for r := range rows {
			for range rng.IntN(4) {
				m.edges[r] = append(m.edges[r], edge{column: rng.IntN(columns), weight: 1 + rng.IntN(20)})
			}
		}
		weight, taken := 0, make([]bool, columns)
		for r, i := range m.solve() {
			if i < 0 {
				continue
			}
			e := m.edges[r][i]
			if taken[e.column] {
				t.Fatalf("column %d is taken twice: %v", e.column, m.edges)
			}
			taken[e.column] = true
			weight += e.weight
		}
		if want := heaviest(m.edges, make([]bool, columns)); weight != want {
			t.Fatalf("weight %d, there is %d: %v", weight, want, m.edges)
		}
	}
}

// randomFactor has 2 to 6 nodes.
func randomFactor(rng *rand.Rand) exchange.Axis {
	f := exchange.Axis{Kind: []exchange.Kind{exchange.Ring, exchange.Path, exchange.Complete, exchange.Graph}[rng.IntN(4)],
		Nodes: 2 + rng.IntN(5)}
	if f.Kind == exchange.Graph {
		for v := 1; v < f.Nodes; v++ {
			f.Edges = append(f.Edges, []int{rng.IntN(v), v})
		}
	}
	return f
}

// joined says from the definition whether two nodes of a factor are neighbours.
func joined(f exchange.Axis, u, v int) bool {
	switch f.Kind {
	case exchange.Ring:
		return u != v && ((u+1)%f.Nodes == v || (v+1)%f.Nodes == u)
	case exchange.Path:
		return u+1 == v || v+1 == u
	case exchange.Complete:
		return u != v
	}
	return slices.ContainsFunc(f.Edges, func(e []int) bool {
		return slices.Equal(e, []int{u, v}) || slices.Equal(e, []int{v, u})
	})
}

// productNeighbours lists the neighbours of all nodes from the definition of a product: they differ in one
// coordinate, and are neighbours there.
func productNeighbours(factors []exchange.Axis) [][]int {
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

// averageStatus returns AS(G), which the bound "status" is on all nodes.
func averageStatus(n *Network) *big.Rat {
	bounds := exchange.Bounds(n.Model(), n.Network, n.complete(nil))
	return bounds[slices.IndexFunc(bounds, func(b exchange.Bound) bool { return b.Name == "status" })].Value
}

// TestStatus: the status of every node by a search of the whole product is N times the sum of s_i/n_i (seed 003,
// Theorem 1), distances are those of the search, and the bound "status" is the mean (Corollary 1).
func TestStatus(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 60 {
		var factors []exchange.Axis
		for range 1 + rng.IntN(3) {
			factors = append(factors, randomFactor(rng))
		}
		n := coretest.Must(NewProduct(exchange.StoreAndForward, "", factors...))
		lists := productNeighbours(factors)
		total, neighbours := 0, exchange.Neighbours(n.Network)
		for v := range n.N() {
			row, status := exchange.Distances(lists, v), 0
			for i, w := len(factors)-1, v; i >= 0; i-- {
				f := coretest.Must(NewProduct(exchange.StoreAndForward, "", factors[i]))
				status, w = status+n.N()/f.N()*statusOf(f.Network, w%f.N()), w/f.N()
			}
			if total += sumOf(row); status != sumOf(row) {
				t.Fatalf("%v: status of %d is %d, by search %d", n, v, status, sumOf(row))
			}
			if have := neighbours[v]; !slices.Equal(have, lists[v]) {
				t.Fatalf("%v: neighbours of %d are %v, not %v", n, v, have, lists[v])
			}
			for w := range n.N() {
				if n.LeeDistance(v, w) != row[w] {
					t.Fatalf("%v: distance of %d and %d is %d, not %d", n, v, w, n.LeeDistance(v, w), row[w])
				}
			}
		}
		if want := big.NewRat(int64(total), int64(n.N())); averageStatus(n).Cmp(want) != 0 {
			t.Fatalf("%v: AS is %v, not %v", n, averageStatus(n), want)
		}
	}
}

func TestParseNetwork(t *testing.T) {
	for _, text := range []string{"ring:6,path:3,complete:4", "graph:0-1+1-2+2-0,ring:2", "path:2",
		"circulant:12:1+3,ring:3", "circulant:6:2+3"} {
		n, err := ParseNetwork(text)
		if err != nil || n.String() != text {
			t.Errorf("%s is read as %v, %v", text, n, err)
		}
	}
	for text, want := range map[string]string{
		"": "unknown factor", "ring": "a ring has 2 to 4096 nodes", "ring:06": "a ring has",
		"helix:4": `unknown factor`, "ring:64,ring:65": "more than 4096",
		"graph:0-1+2-3": "not connected", "graph:1-1": "does not join", "graph:0": "does not join",
		"path:3,,path:2": "unknown factor", "path:+3": "a path has",
		"path:1": "a path has 2", "circulant:12": "the offset \"\" is not a number", "circulant:1:1": "2 to 4096",
		"circulant:12:7":   "outside 1..6",
		"circulant:12:3+1": "not above",
		"circulant:12:2+4": "not connected", "circulant:12:0": "outside", "circulant:12:2+2": "not above",
	} {
		var e *core.InputError
		if _, err := ParseNetwork(text); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := NewProduct(exchange.StoreAndForward, ""); err == nil {
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

// TestCirculants: neighbours are those of the definition.
func TestCirculants(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	tried := 0
	for range 400 {
		nodes, offsets := 2+rng.IntN(19), []int(nil)
		for s := 1; 2*s <= nodes; s++ {
			if rng.IntN(3) == 0 {
				offsets = append(offsets, s)
			}
		}
		lists := make([][]int, nodes)
		for v := range nodes {
			for w := range nodes {
				if slices.Contains(offsets, (w-v+nodes)%nodes) ||
					slices.Contains(offsets, (v-w+nodes)%nodes) {
					lists[v] = append(lists[v], w)
				}
			}
		}
		f := fmt.Sprintf("circulant:%d:%s", nodes, core.JoinInts(offsets, "+"))
		n, err := ParseNetwork(f)
		connected := !slices.Contains(exchange.Distances(lists, 0), exchange.Unreachable)
		if (err == nil) != connected {
			t.Fatalf("%v: %v, connected: %v", f, err, connected)
		} else if !connected {
			continue
		}
		tried++
		if have := exchange.Neighbours(n.Network); !slices.EqualFunc(have, lists, slices.Equal[[]int]) {
			t.Fatalf("%v: neighbours are %v, want %v", f, have, lists)
		}
	}
	if tried < 100 {
		t.Errorf("only %d are connected", tried)
	}
}

func sumOf(list []int) (total int) {
	for _, x := range list {
		total += x
	}
	return total
}
