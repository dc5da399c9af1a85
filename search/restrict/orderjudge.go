package restrict

import (
	"cmp"
	"context"
	"math/big"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
)

// A judgement is what a set of orders is worth; value is nil if it leaves a pair
// too few paths.
type judgement struct {
	routing *routing.Orders
	value   *big.Rat
	links   int // at value
}

// compare orders judgements, the better first.
func (j judgement) compare(o judgement) int {
	switch {
	case j.value == nil && o.value == nil:
		return 0
	case j.value == nil:
		return 1
	case o.value == nil:
		return -1
	}
	return cmp.Or(j.value.Cmp(o.value), cmp.Compare(j.links, o.links))
}

// judge evaluates sets side by side and keeps the best of them, the first among
// equals.
func (h *orderSearch) judge(sets []orderSet) []judgement {
	list := make([]judgement, len(sets))
	parallel.Each(context.Background(), h.Workers, len(sets), func(i int) { list[i] = h.judgeOne(sets[i]) })
	h.evaluations += int64(len(sets))
	for _, j := range list {
		if j.value == nil || h.best != nil && j.compare(judgement{value: h.value, links: h.links}) >= 0 {
			continue
		}
		better := h.best == nil || j.value.Cmp(h.value) < 0
		h.best, h.value, h.links = j.routing, j.value, j.links
		h.observe(h.value, h.evaluations, better, "orders")
	}
	return list
}

func (h *orderSearch) judgeOne(s orderSet) judgement {
	var orders [][]int
	for i, in := range s.in {
		if in {
			orders = append(orders, h.orders[i])
		}
	}
	r, err := routing.NewOrders(h.Placement.Torus(), orders, s.tie)
	if err != nil {
		panic(err) // orders of everyOrder, at least one
	}
	for _, v := range h.kinds {
		if available := countPaths(r.Torus(), v, maxElements); len(pathsOf(r, v)) < h.least(available) {
			return judgement{routing: r}
		}
	}
	value, links := objective.Evaluate(r, h.Placement).Max()
	return judgement{routing: r, value: value, links: links}
}

// fewest returns the least number of paths that a pair has, 0 without pairs.
func (h *orderSearch) fewest(r *routing.Orders) int {
	least := 0
	for i, v := range h.kinds {
		if n := len(pathsOf(r, v)); i == 0 || n < least {
			least = n
		}
	}
	return least
}

func (h *orderSearch) done() bool { return h.best != nil && h.value.Cmp(h.Goal) <= 0 }

func (h *orderSearch) spent() bool {
	return h.best != nil && h.Evaluations > 0 && h.evaluations >= h.Evaluations
}

// room returns how many sets the next batch may have, at least 1.
func (h *orderSearch) room() int {
	if h.Evaluations == 0 {
		return batch
	}
	return int(max(1, min(batch, h.Evaluations-h.evaluations)))
}

// pathsOf returns the paths of a displacement in the words of a table.
func pathsOf(r *routing.Orders, displacement int) []routing.TablePath {
	var list []routing.TablePath
	for links := range r.Paths(0, displacement, nil) {
		var p routing.TablePath
		for _, l := range links {
			_, port := r.Torus().LinkFrom(l)
			if n := len(p.Order); n == 0 || p.Order[n-1] != port.Dim {
				p.Order, p.Dirs = append(p.Order, port.Dim), append(p.Dirs, port.Dir)
			}
		}
		list = append(list, p)
	}
	return list
}

// maxOrderPaths is the most paths of a table of dimension orders.
const maxOrderPaths = 1 << 18

// tablePaths bounds the paths of a table by displacement of dimension orders.
func tablePaths(t *core.Torus) int {
	paths := t.N()
	for j := range t.D() {
		paths *= j + 1
	}
	return paths
}

// tableOf returns the same routing as a table by displacement. Paths in the words of a table
// follow from which coordinates differ, which way, and which are ties: they are listed once
// for each kind.
func tableOf(r *routing.Orders) (*routing.Table, error) {
	t := r.Torus()
	known := map[string][]routing.TablePath{}
	kind := make([]byte, t.D())
	var entries []routing.TableEntry
	for v := 1; v < t.N(); v++ {
		for j := range kind {
			kind[j] = 0
			if c := t.Coord(v, j); c != 0 {
				ways := shortWays(t.Side(j), c)
				kind[j] = byte(len(ways)<<1) + byte(ways[0]+1)<<3
			}
		}
		paths, ok := known[string(kind)]
		if !ok {
			paths = pathsOf(r, v)
			known[string(kind)] = paths
		}
		entries = append(entries, routing.TableEntry{To: v, Paths: paths})
	}
	return routing.NewTable(t, false, entries)
}
