package routing_test

import (
	"fmt"
	"iter"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/routing"
)

// conform fails the test unless r keeps the promises of routing.Routing on its
// whole torus with the given processors: those of conformPaths, and the text form
// reads back as the same routing.
func conform(t testing.TB, r routing.Routing, processors core.Set) {
	t.Helper()
	conformPaths(t, r, processors)
	checkText(t, r, processors)
}

// conformPaths is conform for a routing whose text form cannot be read back, such
// as a table: paths lead from p to q, shortest or distinct ones where the routing says so, Flow is what they weigh, the
// denominator divides, and, unless the routing says otherwise, translations carry
// paths along. Cost: all pairs times their paths, several times, so the torus
// should be small.
func conformPaths(t testing.TB, r routing.Routing, processors core.Set) {
	t.Helper()
	for p, q := range pairs(r.Torus()) {
		where := describePair(r, p, q, processors)
		counts, total := countLinks(t, where, r, p, q, processors)
		flow := r.Flow(p, q, processors)
		checkFlow(t, where, flow, counts, total)
		checkDenominator(t, where, r.Denominator(), flow)
	}
	if routing.Invariant(r) {
		checkTranslations(t, r, processors)
	}
}

func describePair(r routing.Routing, p, q int, processors core.Set) string {
	return fmt.Sprintf("%s on %s, %v to %v, processors %v", r, r.Torus(), r.Torus().Coords(p), r.Torus().Coords(q),
		processors.Nodes())
}

// checkText checks that the text form names the same routing.
func checkText(t testing.TB, r routing.Routing, processors core.Set) {
	t.Helper()
	again, err := routing.Parse(r.Torus(), r.String())
	if err != nil {
		t.Fatalf("%s on %s does not read back: %v", r, r.Torus(), err)
	}
	if again.String() != r.String() || again.Tie() != r.Tie() || again.DependsOnPlacement() != r.DependsOnPlacement() {
		t.Fatalf("%s on %s reads back as %s", r, r.Torus(), again)
	}
	same := func(l core.Link) core.Link { return l }
	for p, q := range pairs(r.Torus()) {
		where := describePair(r, p, q, processors)
		checkSame(t, where+" read back", again.Flow(p, q, processors), r.Flow(p, q, processors), same)
	}
}

// pairs yields every ordered pair of distinct nodes.
func pairs(torus *core.Torus) iter.Seq2[int, int] {
	return func(yield func(p, q int) bool) {
		for p := range torus.N() {
			for q := range torus.N() {
				if p != q && !yield(p, q) {
					return
				}
			}
		}
	}
}

// countLinks checks every path of a pair and returns the weight of those over each
// link, and that of all.
func countLinks(t testing.TB, where string, r routing.Routing, p, q int, processors core.Set) (map[core.Link]int64,
	int64) {
	t.Helper()
	counts, seen := map[core.Link]int64{}, map[string]bool{}
	total := int64(0)
	for path, weight := range r.Paths(p, q, processors) {
		checkPath(t, where, r, path, p, q)
		key := fmt.Sprint(path)
		if routing.Uniform(r) && (seen[key] || weight != 1) {
			t.Fatalf("%s: path %v comes twice, or with weight %d", where, path, weight)
		}
		if seen[key] = true; weight <= 0 {
			t.Fatalf("%s: path %v has weight %d", where, path, weight)
		}
		total += weight
		for _, l := range path {
			counts[l] += weight
		}
	}
	if total == 0 {
		t.Fatalf("%s: no path", where)
	}
	return counts, total
}

// checkPath walks along a path: it must lead from p to q over neighbours and, where the routing says that its paths are
// shortest ones, as short as can be and without coming back to a node.
func checkPath(t testing.TB, where string, r routing.Routing, path []core.Link, p, q int) {
	t.Helper()
	torus, shortest := r.Torus(), routing.Shortest(r)
	at, visited := p, map[int]bool{p: true}
	for _, l := range path {
		from, to := torus.LinkEnds(l)
		if !torus.HasLink(l) {
			t.Fatalf("%s: path %v leaves %v, the end of an open dimension", where, path, torus.Coords(from))
		}
		if from != at {
			t.Fatalf("%s: path %v jumps from %v to %v", where, path, torus.Coords(at), torus.Coords(from))
		}
		if shortest && visited[to] {
			t.Fatalf("%s: path %v visits %v twice", where, path, torus.Coords(to))
		}
		at, visited[to] = to, true
	}
	if at != q {
		t.Fatalf("%s: path %v ends at %v", where, path, torus.Coords(at))
	}
	if want := torus.LeeDistance(p, q); shortest && len(path) != want {
		t.Fatalf("%s: path %v has %d links, the distance is %d", where, path, len(path), want)
	}
}

// checkFlow compares a flow with the paths through each link.
func checkFlow(t testing.TB, where string, flow routing.Flow, counts map[core.Link]int64, total int64) {
	t.Helper()
	if len(flow.Shares) != len(counts) {
		t.Fatalf("%s: the flow names %d links, the paths use %d", where, len(flow.Shares), len(counts))
	}
	for _, s := range flow.Shares {
		got, want := new(big.Rat).SetFrac(s.Num, flow.Den), big.NewRat(counts[s.Link], total)
		if s.Num.Sign() <= 0 || got.Cmp(want) != 0 {
			t.Fatalf("%s: share of link %d is %s/%s, the paths give %s", where, s.Link, s.Num, flow.Den, want.RatString())
		}
	}
	// Shares that are positive, as many as the links used, and right wherever
	// they stand could still repeat a link.
	seen := map[core.Link]bool{}
	for _, s := range flow.Shares {
		if seen[s.Link] {
			t.Fatalf("%s: link %d is repeated in the flow", where, s.Link)
		}
		seen[s.Link] = true
	}
}

// checkDenominator checks that every share is a multiple of 1/den.
func checkDenominator(t testing.TB, where string, den *big.Int, flow routing.Flow) {
	t.Helper()
	for _, s := range flow.Shares {
		share := new(big.Rat).SetFrac(s.Num, flow.Den)
		if !share.Mul(share, new(big.Rat).SetInt(den)).IsInt() {
			t.Fatalf("%s: share %s/%s is not a multiple of 1/%s", where, s.Num, flow.Den, den)
		}
	}
}

// checkTranslations compares the flow of every pair with that of the pair moved
// by every node x. The processors move along; for a routing that does not depend
// on them they also stay, and may be gone.
func checkTranslations(t testing.TB, r routing.Routing, processors core.Set) {
	t.Helper()
	torus := r.Torus()
	for x := range torus.N() {
		to := translation(torus, x)
		moved := core.NewSet(torus.N())
		for _, v := range processors.Nodes() {
			moved.Add(to[v])
		}
		link := func(l core.Link) core.Link {
			from, port := torus.LinkFrom(l)
			return torus.Link(to[from], port.Dim, port.Dir)
		}
		for q := 1; q < torus.N(); q++ {
			where := fmt.Sprintf("%s on %s, 0 to %v, moved by %v", r, torus, torus.Coords(q), torus.Coords(x))
			flow := r.Flow(0, q, processors)
			checkSame(t, where, r.Flow(to[0], to[q], moved), flow, link)
			if !r.DependsOnPlacement() {
				checkSame(t, where, r.Flow(to[0], to[q], nil), flow, link)
			}
		}
	}
}

// translation returns, for every node v, the node v+x, by single steps.
func translation(torus *core.Torus, x int) []int {
	to := make([]int, torus.N())
	for v := range to {
		to[v] = v
		for j, steps := range torus.Coords(x) {
			for range steps {
				to[v] = torus.Shift(to[v], j, 1)
			}
		}
	}
	return to
}

// checkSame checks that got is want with every link moved.
func checkSame(t testing.TB, where string, got, want routing.Flow, move func(core.Link) core.Link) {
	t.Helper()
	shares := map[core.Link]*big.Rat{}
	for _, s := range got.Shares {
		shares[s.Link] = new(big.Rat).SetFrac(s.Num, got.Den)
	}
	if len(shares) != len(want.Shares) {
		t.Fatalf("%s: %d links carry flow, want %d", where, len(shares), len(want.Shares))
	}
	for _, s := range want.Shares {
		have, share := shares[move(s.Link)], new(big.Rat).SetFrac(s.Num, want.Den)
		if have == nil || have.Cmp(share) != 0 {
			t.Fatalf("%s: link %d carries %v, want %s", where, move(s.Link), have, share.RatString())
		}
	}
}
