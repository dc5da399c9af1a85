package orderly

import (
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective"
)

// A twin is the tree as docs/proofs.md words it, with loads from the naive evaluator, all automorphisms one by one, and
// nothing kept from node to node.
type twin struct {
	torus  *core.Torus
	unit   int64
	pair   [][][]int64 // by two nodes: what they send each other, by link, in units
	images [][]int     // by automorphism: of every node

	needs bool  // the tree needs
	n     int   // processors
	limit int64 // in units
	seen  []twinNode
}

type twinNode struct {
	list []int
	hash uint64
}

func newTwin(t *testing.T, p objective.Problem) *twin {
	t.Helper()
	w := &twin{torus: p.Torus()}
	g, err := symmetry.Of(p.Routing)
	if err != nil {
		t.Fatal(err)
	}
	for point := range g.Points() {
		for shift := range w.torus.N() {
			w.images = append(w.images, g.Images(point, shift))
		}
	}
	unit := big.NewInt(1)
	w.each(func(a, b int) {
		loads := objective.Naive(p.Routing, core.MustPlacement(w.torus, []int{a, b}))
		for l := range w.torus.M() {
			den := loads.At(core.Link(l)).Denom()
			unit.Mul(unit, new(big.Int).Div(den, new(big.Int).GCD(nil, nil, unit, den)))
		}
	})
	w.unit = unit.Int64()
	w.pair = make([][][]int64, w.torus.N())
	for a := range w.pair {
		w.pair[a] = make([][]int64, w.torus.N())
	}
	w.each(func(a, b int) {
		loads := objective.Naive(p.Routing, core.MustPlacement(w.torus, []int{a, b}))
		row := make([]int64, w.torus.M())
		for l := range row {
			x := loads.At(core.Link(l))
			row[l] = x.Mul(x, new(big.Rat).SetInt(unit)).Num().Int64()
		}
		w.pair[a][b], w.pair[b][a] = row, row
	})
	return w
}

// each calls f with all pairs of nodes.
func (w *twin) each(f func(a, b int)) {
	for a := range w.torus.N() {
		for b := range a {
			f(a, b)
		}
	}
}

// walk lists all that is visited, in lexicographic order.
func (w *twin) walk(n int, below *big.Rat) {
	w.n, w.seen = n, nil
	for w.limit = -1; big.NewRat(w.limit+1, w.unit).Cmp(below) < 0; {
		w.limit++
	}
	if root := []int{0}; n >= 1 && w.limit >= 0 && w.exchange(root) {
		w.enter(root)
	}
}

// enter visits a list and all that it reaches and that meets the conditions.
func (w *twin) enter(s []int) {
	h := uint64(0)
	for _, v := range s {
		h += (uint64(v) + 1) * 0x9e3779b97f4a7c15
		h ^= h >> 30
		h *= 0xbf58476d1ce4e5b9
		h ^= h >> 27
		h *= 0x94d049bb133111eb
		h ^= h >> 31
	}
	var candidates []int
	for v := s[len(s)-1] + 1; v < w.torus.N() && len(s) < w.n; v++ {
		if w.fits(with(s, v)) && !w.dropped(s, v) {
			candidates = append(candidates, v)
		}
	}
	if w.needs && w.n-len(s) > 1 && !w.served(s, candidates) {
		return
	}
	w.seen = append(w.seen, twinNode{s, h})
	for i, v := range candidates {
		longer := with(s, v)
		if len(candidates)-i >= w.n-len(s) && w.smallest(longer) && w.fits(longer) && w.exchange(longer) {
			w.enter(longer)
		}
	}
}

func with(s []int, v int) []int { return append(slices.Clone(s), v) }

func imageOf(s, image []int) []int {
	var list []int
	for _, v := range s {
		list = append(list, image[v])
	}
	slices.Sort(list)
	return list
}

// smallest is condition 1.
func (w *twin) smallest(s []int) bool {
	return !slices.ContainsFunc(w.images, func(g []int) bool { return slices.Compare(imageOf(s, g), s) < 0 })
}

func (w *twin) loads(s []int) []int64 {
	loads := make([]int64, w.torus.M())
	for i, a := range s {
		for _, b := range s[:i] {
			for l, x := range w.pair[a][b] {
				loads[l] += x
			}
		}
	}
	return loads
}

// fits is condition 2.
func (w *twin) fits(s []int) bool { return slices.Max(w.loads(s)) <= w.limit }

// exchange is condition 3.
func (w *twin) exchange(s []int) bool {
	loads := w.loads(s)
	for _, v := range s {
		out, in := int64(0), int64(0)
		for l, load := range loads {
			from, to := w.torus.LinkEnds(core.Link(l))
			if from == v {
				out += w.limit - load
			}
			if to == v {
				in += w.limit - load
			}
		}
		if need := int64(w.n-len(s)) * w.unit; out < need || in < need {
			return false
		}
	}
	return true
}

// served is condition 4 of the tree needs, by all choices of candidates.
func (w *twin) served(s, candidates []int) bool {
	var choices [][]int
	for set := range 1 << len(candidates) {
		if bits.OnesCount(uint(set)) == w.n-len(s) {
			var list []int
			for i, v := range candidates {
				if set>>i&1 != 0 {
					list = append(list, v)
				}
			}
			choices = append(choices, list)
		}
	}
	has := w.loads(s)
	bring := map[int][]int64{}
	for _, v := range candidates {
		bring[v] = w.loads(with(s, v))
	}
	for dim := range w.torus.D() {
		for _, into := range []bool{false, true} {
			needs, sum := map[int]int{}, 0
			for _, p := range s {
				least := w.n
				for _, list := range choices {
					room, inside := int64(0), 0
					for l := range w.torus.M() {
						from, to := w.torus.LinkEnds(core.Link(l))
						if _, port := w.torus.LinkFrom(core.Link(l)); port.Dim != dim || into && to != p || !into && from != p {
							continue
						}
						room += w.limit - has[l]
						for _, v := range list {
							room -= bring[v][l] - has[l]
						}
					}
					for _, v := range list {
						if w.torus.Slab(v, dim) == w.torus.Slab(p, dim) {
							inside++
						}
					}
					if room >= 0 {
						least = min(least, inside)
					}
				}
				needs[w.torus.Slab(p, dim)] = max(needs[w.torus.Slab(p, dim)], least)
			}
			for _, need := range needs {
				sum += need
			}
			if sum > w.n-len(s) {
				return false
			}
		}
	}
	return true
}

func (w *twin) dropped(s []int, v int) bool {
	for m := range s {
		p := s[:m+1]
		for _, g := range w.images {
			image := imageOf(p, g)
			lost := slices.IndexFunc(p, func(x int) bool { return !slices.Contains(image, x) })
			if lost >= 0 && g[v] < p[lost] {
				return true
			}
		}
	}
	return false
}

// ofSize returns the lists visited of one size.
func (w *twin) ofSize(size int) [][]int {
	var lists [][]int
	for _, node := range w.seen {
		if len(node.list) == size {
			lists = append(lists, node.list)
		}
	}
	return lists
}

// split returns the smallest size with enough lists, or the largest with any.
func (w *twin) split(wanted int) int {
	for size := 1; ; size++ {
		if len(w.ofSize(size)) >= wanted || size == w.n || len(w.ofSize(size+1)) == 0 {
			return size
		}
	}
}

// under returns what a walk of a prefix must count, and the first placement.
func (w *twin) under(prefix []int) (nodes int64, sum uint64, found []int) {
	for _, node := range w.seen {
		if len(node.list) >= len(prefix) && slices.Equal(node.list[:len(prefix)], prefix) {
			nodes++
			sum += node.hash
			if len(node.list) == w.n && found == nil {
				found = node.list
			}
		}
	}
	return nodes, sum, found
}
