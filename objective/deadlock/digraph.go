package deadlock

import (
	"container/heap"
	"slices"
)

// A digraph is a directed graph whose vertices are some numbers.
type digraph struct {
	next [][]int32 // by vertex, ascending
	used []bool    // whether a number is a vertex
	seen []int32   // scratch of leads: by vertex the search that met it
	mark int32
}

func newDigraph(vertices int) digraph {
	return digraph{next: make([][]int32, vertices), used: make([]bool, vertices), seen: make([]int32, vertices)}
}

// grow adds numbers.
func (g *digraph) grow(more int) {
	g.next, g.used = append(g.next, make([][]int32, more)...), append(g.used, make([]bool, more)...)
	g.seen = append(g.seen, make([]int32, more)...)
}

// has reports whether there is an edge.
func (g *digraph) has(from, to int) bool {
	_, found := slices.BinarySearch(g.next[from], int32(to))
	return found
}

// add adds an edge, if it is not there.
func (g *digraph) add(from, to int) {
	if i, found := slices.BinarySearch(g.next[from], int32(to)); !found {
		g.next[from] = slices.Insert(g.next[from], i, int32(to))
	}
}

// remove takes an edge away.
func (g *digraph) remove(from, to int) {
	if i, found := slices.BinarySearch(g.next[from], int32(to)); found {
		g.next[from] = slices.Delete(g.next[from], i, i+1)
	}
}

// leads reports whether edges lead from a vertex to another, or both are the same.
func (g *digraph) leads(from, to int) bool {
	g.mark++
	stack := []int32{int32(from)}
	g.seen[from] = g.mark
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int(v) == to {
			return true
		}
		for _, w := range g.next[v] {
			if g.seen[w] != g.mark {
				g.seen[w] = g.mark
				stack = append(stack, w)
			}
		}
	}
	return false
}

// order returns the vertices such that edges lead from earlier ones to later ones, of all such orders the one with the
// smallest numbers first, and false where a cycle forbids any.
func (g *digraph) order() ([]int, bool) {
	waits, vertices := make([]int, len(g.next)), 0
	for v, list := range g.next {
		if g.used[v] {
			vertices++
		}
		for _, w := range list {
			waits[w]++
		}
	}
	var ready smallest
	for v, count := range waits {
		if g.used[v] && count == 0 {
			ready = append(ready, v) // ascending: a heap
		}
	}
	order := make([]int, 0, vertices)
	for len(ready) > 0 {
		v := heap.Pop(&ready).(int)
		order = append(order, v)
		for _, w := range g.next[v] {
			if waits[w]--; waits[w] == 0 {
				heap.Push(&ready, int(w))
			}
		}
	}
	return order, len(order) == vertices
}

// A smallest is a heap of numbers.
type smallest []int

func (h smallest) Len() int           { return len(h) }
func (h smallest) Less(i, j int) bool { return h[i] < h[j] }
func (h smallest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *smallest) Push(v any)        { *h = append(*h, v.(int)) }
func (h *smallest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// cycle returns the vertices of a shortest cycle, nil if there is none: of those the first that breadth-first searches
// from the smallest numbers find.
func (g *digraph) cycle() (best []int) {
	before := make([]int32, len(g.next))
	for start := range g.next {
		g.mark++
		queue, depth := []int32{int32(start)}, []int{1}
		for i := 0; i < len(queue) && (best == nil || depth[i] < len(best)); i++ {
			v := queue[i]
			if g.has(int(v), start) {
				best = []int{int(v)}
				for at := v; int(at) != start; {
					at = before[at]
					best = append(best, int(at))
				}
				slices.Reverse(best)
				break
			}
			for _, w := range g.next[v] {
				if g.seen[w] != g.mark && int(w) != start {
					g.seen[w], before[w] = g.mark, v
					queue, depth = append(queue, w), append(depth, depth[i]+1)
				}
			}
		}
	}
	return best
}
