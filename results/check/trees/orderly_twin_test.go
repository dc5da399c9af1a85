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
	group [][]int        // images of the nodes under all elements
	joint [][][]int64    // by two nodes and link, from the naive evaluator, in units
	unit  int64          // u, or D
	limit int64          // L in units
	avoid *routing.Avoid // nil unless paths depend on processors
	needs bool           // the tree needs

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
	if avoid, ok := r.(*routing.Avoid); ok {
		w.avoid, w.unit = avoid, 1
		most := 0
		for v := 1; v < w.torus.N(); v++ {
			most = max(most, len(w.insides(0, v, 0, 0)))
		}
		for i := range most {
			w.unit = shares.LCM(big.NewInt(w.unit), big.NewInt(int64(i+1))).Int64()
		}
		return w
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
	if n >= 1 && w.limit >= 0 && w.admits([]int{0}, make([]bool, w.torus.N())) {
		w.visit([]int{0}, make([]bool, w.torus.N()))
	}
}

// visit takes in a list that is visited, and all that it reaches. What its prefixes drop is given.
func (w *orderlyTwin) visit(list []int, dropped []bool) {
	dropped = slices.Clone(dropped)
	w.drop(list, dropped)
	var candidates []int
	for v := list[len(list)-1] + 1; v < w.torus.N() && len(list) < w.size; v++ {
		if (w.avoid != nil || w.within(append(slices.Clone(list), v))) && !dropped[v] {
			candidates = append(candidates, v)
		}
	}
	if w.needs && w.size-len(list) > 1 && !w.serves(list, candidates) {
		return
	}
	w.count(list)
	for i, v := range candidates {
		if longer := append(slices.Clone(list), v); len(candidates)-i >= w.size-len(list) && w.smallest(longer) &&
			w.admits(longer, dropped) {
			w.visit(longer, dropped)
		}
	}
}

// admits is what else a list must meet. What its prefixes drop is given.
func (w *orderlyTwin) admits(list []int, dropped []bool) bool {
	if w.avoid == nil {
		return w.roomy(list)
	}
	dropped = slices.Clone(dropped)
	w.drop(list, dropped)
	var candidates []int
	for v := list[len(list)-1] + 1; v < w.torus.N() && len(list) < w.size; v++ {
		if !dropped[v] {
			candidates = append(candidates, v)
		}
	}
	return len(candidates) >= w.size-len(list) && w.avoids(list, candidates) && w.bands(list, candidates)
}

// An insideTwin is a path with the least and the greatest number of processors inside.
type insideTwin struct {
	links       []core.Link
	least, most int
}

// insides lists the paths of a message, given the nodes with processors and the candidates, one bit each.
func (w *orderlyTwin) insides(p, q int, has, may uint64) (list []insideTwin) {
	for path := range w.avoid.Candidates().Paths(p, q, nil) {
		in := insideTwin{links: slices.Clone(path)}
		for _, l := range path[1:] {
			v, _ := w.torus.LinkFrom(l)
			in.least += int(has >> v & 1)
			in.most += int((has | may) >> v & 1)
		}
		list = append(list, in)
	}
	return list
}

func bitsOf(list []int) (set uint64) {
	for _, v := range list {
		set |= 1 << v
	}
	return set
}

// avoids is conditions 2 and 3 under avoid.
func (w *orderlyTwin) avoids(list, candidates []int) bool {
	loads, sure := make([]int64, w.torus.M()), make([]int64, w.torus.N())
	for _, p := range list {
		for _, q := range list {
			if p == q {
				continue
			}
			paths := w.insides(p, q, bitsOf(list), bitsOf(candidates))
			every := func(holds func(a insideTwin) bool) bool {
				return !slices.ContainsFunc(paths, func(a insideTwin) bool { return !holds(a) })
			}
			possible := int64(0)
			for _, a := range paths {
				if every(func(b insideTwin) bool { return a.least <= b.most }) {
					possible++
				}
			}
			for _, a := range paths {
				if every(func(b insideTwin) bool { return a.most <= b.least }) {
					sure[p] += w.unit / possible
					for _, l := range a.links {
						loads[l] += w.unit / possible
					}
				}
			}
		}
	}
	if slices.Max(loads) > w.limit {
		return false
	}
	return !slices.ContainsFunc(list, func(p int) bool {
		room := int64(0)
		for l, load := range loads {
			if from, _ := w.torus.LinkEnds(core.Link(l)); from == p {
				room += w.limit - load
			}
		}
		return room < int64(w.size-1)*w.unit-sure[p]
	})
}

// bands is condition 4 under avoid.
func (w *orderlyTwin) bands(list, candidates []int) bool {
	for s := range w.torus.D() {
		k := w.torus.Side(s)
		for first := range k {
			for length := 1; length <= k/2 && k > 2; length++ {
				inside := func(v int) bool { return (w.torus.Coord(v, s)-first+k)%k < length }
				fits := false
				for choice := uint64(0); choice < 1<<len(candidates); choice++ {
					n, in := len(list), 0
					for _, v := range list {
						if inside(v) {
							in++
						}
					}
					for i, v := range candidates {
						if choice>>i&1 != 0 {
							if n++; inside(v) {
								in++
							}
						}
					}
					fits = fits || n == w.size && int64(in*(n-in))*w.unit <= 2*int64(w.torus.N()/k)*w.limit
				}
				if !fits {
					return false
				}
			}
		}
	}
	return true
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

// serves is what the tree needs asks of a list of fewer than size-1 numbers. Candidates are taken from the lightest on.
func (w *orderlyTwin) serves(list, candidates []int) bool {
	t, missing, has := w.torus, w.size-len(list), w.loads(list)
	for side := range 2 * t.D() {
		s, needs, sum := side/2, make([]int, t.Slabs(side/2)), 0
		for _, p := range list {
			room, least := int64(0), missing+1
			var links []core.Link
			for l := range core.Link(t.M()) {
				from, to := t.LinkEnds(l)
				if _, port := t.LinkFrom(l); port.Dim == s && [2]int{from, to}[side%2] == p {
					links, room = append(links, l), room+w.limit-has[l]
				}
			}
			var weights [2][]int64
			for _, v := range candidates {
				where, weight, more := 0, int64(0), w.loads(append(slices.Clone(list), v))
				if t.Slab(v, s) == t.Slab(p, s) {
					where = 1
				}
				for _, l := range links {
					weight += more[l] - has[l]
				}
				weights[where] = append(weights[where], weight)
			}
			slices.Sort(weights[0])
			slices.Sort(weights[1])
			for inside := missing; inside >= 0; inside-- {
				if inside <= len(weights[1]) && missing-inside <= len(weights[0]) {
					total := int64(0)
					for _, x := range slices.Concat(weights[1][:inside], weights[0][:missing-inside]) {
						total += x
					}
					if total <= room {
						least = inside
					}
				}
			}
			needs[t.Slab(p, s)] = max(needs[t.Slab(p, s)], least)
		}
		for _, need := range needs {
			sum += need
		}
		if sum > missing {
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
