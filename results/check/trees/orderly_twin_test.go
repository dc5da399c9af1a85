package trees

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/results/check/census"
	"leeway/results/check/shares"
)

// An orderlyTwin walks the tree orderly by its text.
type orderlyTwin struct {
	torus *core.Torus
	size  int
	group [][]int     // images of the nodes under all elements
	joint [][][]int64 // by two nodes and link, from the naive evaluator, in units
	unit  int64       // u
	limit int64       // L in units

	split    int
	prefixes [][]int
	tallies  []census.Tally // by prefix
	found    [][]int
}

func newOrderlyTwin(r routing.Routing) *orderlyTwin {
	w := &orderlyTwin{torus: r.Torus()}
	group, err := symmetry.Of(r)
	if err != nil {
		panic(err)
	}
	for i := range group.Points() {
		for shift := range w.torus.N() {
			w.group = append(w.group, group.Images(i, shift))
		}
	}
	pairs, u := make([][]*objective.Loads, w.torus.N()), big.NewInt(1)
	for p := range pairs {
		for v := range p {
			loads := objective.Naive(r, core.MustPlacement(w.torus, []int{v, p}))
			pairs[p] = append(pairs[p], loads)
			for l := range w.torus.M() {
				u = shares.LCM(u, loads.At(core.Link(l)).Denom())
			}
		}
	}
	w.unit, w.joint = u.Int64(), make([][][]int64, len(pairs))
	for p, row := range pairs {
		for _, loads := range row {
			units := make([]int64, w.torus.M())
			for l := range units {
				units[l] = new(big.Rat).Mul(loads.At(core.Link(l)), new(big.Rat).SetInt(u)).Num().Int64()
			}
			w.joint[p] = append(w.joint[p], units)
		}
	}
	return w
}

// walk goes through the tree for n processors below a value, cut at split.
func (w *orderlyTwin) walk(n int, below *big.Rat, split int) {
	w.size, w.split, w.prefixes, w.tallies, w.found = n, split, nil, nil, nil
	w.limit = shares.Ceil(new(big.Rat).Mul(below, big.NewRat(w.unit, 1))).Int64() - 1
	if n >= 1 && w.limit >= 0 && w.roomy([]int{0}) {
		w.visit([]int{0}, make([]bool, w.torus.N()))
	}
}

// visit takes in a list that is visited, and all that it reaches. What its prefixes drop is given.
func (w *orderlyTwin) visit(list []int, dropped []bool) {
	w.count(list)
	if len(list) == w.size {
		return
	}
	dropped = slices.Clone(dropped)
	w.drop(list, dropped)
	var candidates []int
	for v := list[len(list)-1] + 1; v < w.torus.N(); v++ {
		if w.within(append(slices.Clone(list), v)) && !dropped[v] {
			candidates = append(candidates, v)
		}
	}
	for i, v := range candidates {
		if longer := append(slices.Clone(list), v); len(candidates)-i >= w.size-len(list) && w.smallest(longer) &&
			w.roomy(longer) {
			w.visit(longer, dropped)
		}
	}
}

func (w *orderlyTwin) count(list []int) {
	if len(list) == w.split {
		w.prefixes, w.tallies = append(w.prefixes, list), append(w.tallies, census.Tally{})
	}
	if len(list) >= w.split {
		h := uint64(0)
		for _, v := range list {
			h = census.Hash(h, v)
		}
		last := &w.tallies[len(w.tallies)-1]
		last.Nodes++
		last.Sum += h
	}
	if len(list) == w.size {
		w.found = append(w.found, list)
	}
}

func (w *orderlyTwin) loads(list []int) []int64 {
	loads := make([]int64, w.torus.M())
	for i, p := range list {
		for _, v := range list[:i] {
			for l, units := range w.joint[p][v] {
				loads[l] += units
			}
		}
	}
	return loads
}

// smallest is condition 1.
func (w *orderlyTwin) smallest(list []int) bool {
	return !slices.ContainsFunc(w.group, func(g []int) bool { return slices.Compare(imageList(g, list), list) < 0 })
}

// within is condition 2.
func (w *orderlyTwin) within(list []int) bool { return slices.Max(w.loads(list)) <= w.limit }

// roomy is condition 3, for the links out of every processor and those into it.
func (w *orderlyTwin) roomy(list []int) bool {
	loads, need := w.loads(list), int64(w.size-len(list))*w.unit
	for _, p := range list {
		out, in := int64(0), int64(0)
		for l, load := range loads {
			from, to := w.torus.LinkEnds(core.Link(l))
			if from == p {
				out += w.limit - load
			}
			if to == p {
				in += w.limit - load
			}
		}
		if out < need || in < need {
			return false
		}
	}
	return true
}

// drop notes the nodes that a prefix drops.
func (w *orderlyTwin) drop(prefix []int, dropped []bool) {
	for _, g := range w.group {
		image := imageList(g, prefix)
		missing := slices.IndexFunc(prefix, func(p int) bool { return !slices.Contains(image, p) })
		if missing < 0 {
			continue // g(P) = P
		}
		for v, to := range g {
			dropped[v] = dropped[v] || to < prefix[missing]
		}
	}
}

// imageList returns the image of a list, ascending.
func imageList(g, list []int) []int {
	image := make([]int, len(list))
	for i, v := range list {
		image[i] = g[v]
	}
	slices.Sort(image)
	return image
}
