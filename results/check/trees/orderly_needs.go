package trees

import (
	"slices"

	"leeway/core"
)

// provided reports whether the candidates of the list of m numbers can provide the slabs with what their processors
// need there, for the links out of processors along each dimension and for those into them.
func (k *orderlyWalker) provided(m int) bool {
	missing := k.size - m
	for i := range k.sides {
		side, wanted, total := &k.sides[i], [MaxOrderlyNodes]int{}, 0 // by slab
		for _, p := range slices.Concat(k.list[:m], k.fixed) {
			need, ok := k.needed(m, side, p)
			if !ok {
				return k.stop // nothing is decided where the meter ends
			}
			if at := &wanted[side.slab[p]]; need > *at {
				total, *at = total+need-*at, need
			}
		}
		if total > missing {
			return false
		}
	}
	return true
}

// A needSide are the links along one dimension out of the nodes, or into them.
type needSide struct {
	lanes [][]orderlyLane // by node: of these links, the words those of a vector
	slab  []int           // by node: that across the dimension
}

// needSides returns them for every dimension, the links out of nodes before those into them.
func (w *orderlyWalk) needSides() (list []needSide) {
	t, c := w.torus, w.loads
	for s := range t.D() {
		slab := make([]int, t.N())
		sides := [2][][]orderlyLane{make([][]orderlyLane, t.N()), make([][]orderlyLane, t.N())}
		for l := range core.Link(t.M()) {
			from, port := t.LinkFrom(l)
			_, to := t.LinkEnds(l)
			slab[from] = t.Slab(from, s)
			if port.Dim == s {
				sides[0][from] = append(sides[0][from], c.held(l))
				sides[1][to] = append(sides[1][to], c.held(l))
			}
		}
		list = append(list, needSide{sides[0], slab}, needSide{sides[1], slab})
	}
	return list
}

// needed returns how many of the missing processors, chosen among the candidates of the list of m numbers, lie in the
// slab of p at least if all together bring no more to the links of a side at p than there is room for. It is not ok if
// no choice does. The choices with j in the slab are tried one by one: the lightest candidates there and elsewhere.
func (k *orderlyWalker) needed(m int, side *needSide, p int) (need int, ok bool) {
	level, missing, full := &k.levels[m], k.size-m, uint64(k.loads.full())
	if !k.spend(6*len(level.nodes) + missing) {
		return 0, false
	}
	lanes, slab := side.lanes[p], side.slab[p]
	room := int64(len(lanes)) * int64(full)
	for _, lane := range lanes {
		room -= int64(level.loads[lane.word] >> (lane.shift & 63) & full)
	}
	here, elsewhere := k.here[:0], k.elsewhere[:0]
	for i, v := range level.nodes {
		cross, weight := level.cross[i*k.loads.words:][:k.loads.words], int64(0)
		for _, lane := range lanes {
			weight += int64(cross[lane.word] >> (lane.shift & 63) & full)
		}
		if side.slab[v] == slab {
			here = append(here, weight)
		} else {
			elsewhere = append(elsewhere, weight)
		}
	}
	k.here, k.elsewhere = here, elsewhere
	slices.Sort(here)
	slices.Sort(elsewhere)
	total := int64(0)
	for _, weight := range elsewhere[:min(missing, len(elsewhere))] {
		total += weight
	}
	for j := range missing + 1 {
		if missing-j <= len(elsewhere) && total <= room {
			return j, true
		}
		if j == missing || j == len(here) {
			break
		}
		if total += here[j]; missing-j <= len(elsewhere) { // one more here, one less elsewhere
			total -= elsewhere[missing-j-1]
		}
	}
	return 0, false
}
