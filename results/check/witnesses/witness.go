package witnesses

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective/lowerbound"
	"leeway/results/check/meter"
)

// cutProblem says what is wrong with a bound for placement p whose witness is a set S of nodes (degree, separator,
// slab, bisection), "" if nothing is.
//
// Under any routing by paths, each message from a processor in S to one outside uses a link that leaves S, so E_max is
// at least |P in S| |P not in S| / out(S), out(S) being the sum of the bandwidths of these links. The nodes are read
// again, the links out of S are looked at one by one and the fraction is recomputed. The names promise more: one
// processor for degree, half of the processors for bisection, neighbouring slabs for slab. The value 0 needs no
// witness. Cost O(M).
func cutProblem(m *meter.Meter, t *core.Torus, p core.Placement, b lowerbound.Bound) string {
	if b.Value == nil {
		return b.Name + " has no value"
	}
	w := b.Witness
	if b.Value.Sign() == 0 && w.Set == nil && w.Links == 0 && w.Capacity == 0 && w.Dim == nil {
		return ""
	}
	m.Charge(4 * int64(t.M()))
	set, problem := cutSet(t, b.Witness.Set)
	if problem != "" {
		return fmt.Sprintf("the set of %s: %s", b.Name, problem)
	}
	out, capacity := linksOut(t, set)
	if out != b.Witness.Links {
		return fmt.Sprintf("%d links leave the set of %s, not %d", out, b.Name, b.Witness.Links)
	}
	if !holds(t, b.Witness, capacity) {
		return fmt.Sprintf("the links out of the set of %s have bandwidth %d, not %d", b.Name, capacity, b.Witness.Capacity)
	}
	if b.Witness.Links == 0 {
		return fmt.Sprintf("no link leaves the set of %s", b.Name)
	}
	in := 0
	for _, v := range p.Nodes() {
		if set.Has(v) {
			in++
		}
	}
	value := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(int64(in)), big.NewInt(int64(p.Size()-in))),
		big.NewInt(capacity))
	if value.Cmp(b.Value) != 0 {
		return fmt.Sprintf("the set of %s gives %s, not %s", b.Name, value.RatString(), b.Value.RatString())
	}
	return shapeProblem(t, set, in, p.Size(), b)
}

// cutSet reads a set of nodes and says what is wrong with it.
func cutSet(t *core.Torus, coords [][]int) (core.Set, string) {
	set := core.NewSet(t.N())
	for _, c := range coords {
		v, err := t.Node(c...)
		if err != nil {
			return nil, err.Error()
		}
		if set.Has(v) {
			return nil, fmt.Sprintf("node %s stands twice", core.JoinInts(c, ","))
		}
		set.Add(v)
	}
	return set, ""
}

// linksOut counts the directed links from nodes in the set to nodes outside and adds up their bandwidths.
func linksOut(t *core.Torus, set core.Set) (count int, capacity int64) {
	for l := range t.EachLink() {
		if from, to := t.LinkEnds(l); set.Has(from) && !set.Has(to) {
			count++
			capacity += int64(t.LinkBandwidth(l))
		}
	}
	return count, capacity
}

// shapeProblem says in how far a set is not what the name of the bound promises.
func shapeProblem(t *core.Torus, set core.Set, in, n int, b lowerbound.Bound) string {
	switch b.Name {
	case lowerbound.Degree:
		if in != 1 || set.Count() != 1 {
			return "the set of degree is not one processor"
		}
	case lowerbound.Bisection:
		if d := 2*in - n; d < -1 || d > 1 {
			return fmt.Sprintf("the set of bisection holds %d of %d processors", in, n)
		}
	case lowerbound.Slab:
		return bandProblem(t, set, b.Witness.Dim)
	}
	return ""
}

// bandProblem says why a set is not a band of neighbouring slabs across dim.
func bandProblem(t *core.Torus, set core.Set, dim *int) string {
	if dim == nil || *dim < 0 || *dim >= t.D() {
		return "slab names no dimension of the torus"
	}
	k := t.Slabs(*dim)
	counts := make([]int, k)
	for _, v := range set.Nodes() {
		counts[t.Slab(v, *dim)]++
	}
	ends := 0 // places where the band begins or ends on the ring, or on the path
	for i, c := range counts {
		if c != 0 && c != t.N()/k {
			return fmt.Sprintf("the set of slab holds only a part of slab %d across dimension %d", i, *dim)
		}
		if last := i+1 == k && t.Open(*dim); !last && (c == 0) != (counts[(i+1)%k] == 0) {
			ends++
		}
	}
	if ends != 2 && (ends != 1 || !t.Open(*dim)) {
		return fmt.Sprintf("the set of slab is not between two cuts across dimension %d", *dim)
	}
	return ""
}

// maxWeight is the largest link weight that is checked: cheapest paths on any torus then fit in an int64.
const maxWeight = 1 << 40

// weightsProblem returns what is wrong with the witness of a congestion bound for the messages between nodes, "" if
// nothing is; nodes are those that have any. Weights w of at least 0 on links bound every routing by shortest paths: a
// message from p to q meets at least the weight of the cheapest shortest path, and a largest load E lets all messages
// together meet at most E times the total of weight times bandwidth.
// Cost O(M) for every node that sends.
func weightsProblem(m *meter.Meter, t *core.Torus, b lowerbound.Bound, nodes []int,
	messages func(from, to int) int64) string {
	if len(b.Witness.Weights) == 0 {
		if b.Value.Sign() == 0 {
			return "" // no load is below 0
		}
		return "there are no weights"
	}
	m.ChargeAll(16, t.M())
	weights, total, problem := readWeights(t, b.Witness.Weights)
	if problem != "" {
		return problem
	}
	if total.Sign() == 0 {
		return "all weights are 0"
	}
	sum := new(big.Int)
	m.ChargeAll(4, len(nodes), len(nodes))
	for _, from := range nodes {
		var cheapest []int64
		for _, to := range nodes {
			count := messages(from, to)
			if count == 0 || from == to {
				continue
			}
			if cheapest == nil {
				cheapest = cheapestFrom(m, t, from, weights)
			}
			sum.Add(sum, new(big.Int).Mul(big.NewInt(cheapest[to]), big.NewInt(count)))
		}
	}
	if v := new(big.Rat).SetFrac(sum, total); v.Cmp(b.Value) != 0 {
		return fmt.Sprintf("the weights give %s, not %s", v.RatString(), b.Value.RatString())
	}
	return ""
}

// readWeights returns the weight of every link and their total, or what is wrong with the list.
func readWeights(t *core.Torus, list []lowerbound.LinkWeight) (weights []int64, total *big.Int, problem string) {
	weights, total = make([]int64, t.M()), new(big.Int)
	listed := make([]bool, t.M())
	for _, w := range list {
		link, err := w.Link(t)
		if err != nil {
			return nil, nil, err.Error()
		}
		if listed[link] {
			return nil, nil, fmt.Sprintf("the link %s stands twice", w.Text(t))
		}
		listed[link] = true
		v, ok := new(big.Int).SetString(w.Weight, 10)
		switch {
		case !ok || v.String() != w.Weight:
			return nil, nil, fmt.Sprintf("weight %q is not a whole number", w.Weight)
		case v.Sign() < 0:
			return nil, nil, fmt.Sprintf("weight %s is below 0", w.Weight)
		case v.Cmp(big.NewInt(maxWeight)) > 0:
			return nil, nil, fmt.Sprintf("weight %s is above %d, the most that is checked", w.Weight, int64(maxWeight))
		}
		weights[link] = v.Int64()
		total.Add(total, new(big.Int).Mul(v, big.NewInt(int64(t.LinkBandwidth(link)))))
	}
	return weights, total, ""
}

// cheapestFrom returns the weight of the cheapest shortest path from a node to every node: each link of one leads one
// step farther from the node, so nodes are gone through by distance.
func cheapestFrom(m *meter.Meter, t *core.Torus, from int, weights []int64) []int64 {
	m.ChargeAll(4*t.D(), t.M())
	best, distance := make([]int64, t.N()), make([]int, t.N())
	for v := range best {
		best[v], distance[v] = math.MaxInt64, t.LeeDistance(from, v)
	}
	best[from] = 0
	nodes := core.Range(t.N())
	slices.SortFunc(nodes, func(u, v int) int { return distance[u] - distance[v] })
	for _, v := range nodes {
		for l := range t.LinksFrom(v) {
			if _, to := t.LinkEnds(l); distance[to] == distance[v]+1 {
				best[to] = min(best[to], best[v]+weights[l])
			}
		}
	}
	return best
}
