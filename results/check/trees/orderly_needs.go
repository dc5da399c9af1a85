package trees

import (
	"math"
	"slices"

	"leeway/core"
)

// provided reports whether the candidates of the list of m numbers can provide the slabs with what their processors
// need there, for the links out of processors along each dimension and for those into them.
func (k *orderlyWalker) provided(m int) bool {
	t, missing := k.torus, k.size-m
	for s := range t.D() {
		for _, into := range []bool{false, true} {
			wanted := make([]int, t.Slabs(s)) // by slab
			for _, p := range slices.Concat(k.list[:m], k.fixed) {
				need, ok := k.needed(m, s, p, into)
				if !ok {
					return k.stop // nothing is decided where the meter ends
				}
				wanted[t.Slab(p, s)] = max(wanted[t.Slab(p, s)], need)
			}
			total := 0
			for _, need := range wanted {
				total += need
			}
			if total > missing {
				return false
			}
		}
	}
	return true
}

// needed returns how many of the missing processors, chosen among the candidates of the list of m numbers, lie in the
// slab of p across s at least if all together bring no more to the links along s at p, those into it or those out of
// it, than there is room for. It is not ok if no choice does. The choices with j in the slab are tried one by one: the
// lightest candidates there and elsewhere.
func (k *orderlyWalker) needed(m, s, p int, into bool) (need int, ok bool) {
	t, level, missing := k.torus, &k.levels[m], k.size-m
	if !k.spend(16*len(level.nodes) + missing*missing) {
		return 0, false
	}
	var links []core.Link
	for i, port := range t.Ports() {
		if l := core.Link(i*t.N() + p); port.Dim == s && into {
			links = append(links, t.Reverse(l))
		} else if port.Dim == s {
			links = append(links, l)
		}
	}
	carried := func(vector []uint64) (sum int64) {
		for _, l := range links {
			sum += k.loads.at(vector, l)
		}
		return sum
	}
	room := int64(len(links))*k.loads.full() - carried(level.loads)
	light := [2][]int64{} // elsewhere, in the slab
	for i, v := range level.nodes {
		where := 0
		if t.Slab(v, s) == t.Slab(p, s) {
			where = 1
		}
		light[where] = append(light[where], carried(level.cross[i*k.loads.words:][:k.loads.words]))
	}
	slices.Sort(light[0])
	slices.Sort(light[1])
	least := func(list []int64, count int) int64 {
		if count > len(list) {
			return math.MaxInt64 / 4
		}
		sum := int64(0)
		for _, x := range list[:count] {
			sum += x
		}
		return sum
	}
	for j := range missing + 1 {
		if least(light[1], j)+least(light[0], missing-j) <= room {
			return j, true
		}
	}
	return 0, false
}
