package export_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

// firstHops returns the router to which a router of BookSim2's anynet sends packets for each other, as AnyNet::route
// finds it there: Dijkstra's algorithm, which takes the router of least number among the nearest, looks at neighbours
// in ascending order, and keeps the first of equally short paths.
func firstHops(t *core.Torus, start int) []int {
	far := t.N() + 1
	distance, before, done := make([]int, t.N()), make([]int, t.N()), make([]bool, t.N())
	for v := range distance {
		distance[v] = far
	}
	distance[start] = 0
	for range t.N() {
		at := -1
		for v := range distance {
			if !done[v] && (at < 0 || distance[v] < distance[at]) {
				at = v
			}
		}
		done[at] = true
		for v := range t.N() {
			if joined(t, at, v) && distance[at]+1 < distance[v] {
				distance[v], before[v] = distance[at]+1, at
			}
		}
	}
	hops := make([]int, t.N())
	for v := range hops {
		for hops[v] = v; v != start && before[hops[v]] != start; {
			hops[v] = before[hops[v]]
		}
	}
	return hops
}

// joined reports whether a link leads from u to v.
func joined(t *core.Torus, u, v int) bool {
	for _, p := range t.Ports() {
		if l := t.Link(u, p.Dim, p.Dir); t.HasLink(l) {
			if _, to := t.LinkEnds(l); to == v {
				return true
			}
		}
	}
	return false
}

// TestAnynetBreaksTies: the table of docs/howto/booksim.md, under the routing min of BookSim2's anynet by its own
// algorithm, and under xy and udr by listing paths.
func TestAnynetBreaksTies(t *testing.T) {
	coretest.Alone(t)
	page := coretest.Must(os.ReadFile("../../docs/howto/booksim.md"))
	for _, c := range []struct{ name, network, placement string }{
		{"torus, all nodes", "8x8", "full"},
		{"torus, `spaced:t=2`", "8x8", "spaced:t=2"},
		{"mesh, all nodes", "8x8:open=0,1", "full"},
	} {
		torus := coretest.Must(core.ParseNetwork(c.network))
		p := coretest.Must(family.Parse(torus, c.placement))
		hops := make([][]int, torus.N())
		for v := range hops {
			hops[v] = firstHops(torus, v)
		}
		loads, most := map[[2]int]int{}, 0
		for _, from := range p.Nodes() {
			for _, to := range p.Nodes() {
				for at := from; at != to; at = hops[at][to] {
					link := [2]int{at, hops[at][to]}
					loads[link]++
					most = max(most, loads[link])
				}
			}
		}
		row := fmt.Sprintf("| %s | %d |", c.name, most)
		for _, text := range []string{"xy:tie=both", "udr:tie=both"} {
			load, _ := objective.Naive(coretest.Must(routing.Parse(torus, text)), p).Max()
			row += fmt.Sprintf(" %s |", load.RatString())
		}
		if !strings.Contains(string(page), row) {
			t.Errorf("the page has no row %s", row)
		}
	}
}
