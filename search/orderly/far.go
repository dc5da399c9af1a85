package orderly

import (
	"slices"

	"leeway/objective"
)

// A far says of which branches the nodes are farther from their nearest processors, together, than they may be.
type far struct {
	size, most    int
	links         [][]int32 // from node to node
	left, nearest []int32   // nodes, and how far they are from a processor
	fewer         []int     // by open node: how many fewer nodes are left with a processor there
}

func newFar(p objective.Problem) *far {
	n := p.Torus().N()
	f := &far{size: p.Size, most: p.Distance, nearest: make([]int32, n)}
	for v := range n {
		links, _ := p.Torus().Nearest([]int{v})
		f.links = append(f.links, links)
	}
	return f
}

// passed reports whether they are so wherever the missing processors are. The sum of all distances is that over d of
// the nodes farther than d: those that are so from all processors, but for what the missing ones have within d.
func (f *far) passed(state []int8) bool {
	missing, n := f.size, int32(len(state))
	f.left = f.left[:0]
	for v := range state {
		f.nearest[v] = n
		f.left = append(f.left, int32(v))
	}
	for u, s := range state {
		if s == taken {
			missing--
			for v, d := range f.links[u] {
				f.nearest[v] = min(f.nearest[v], d)
			}
		}
	}
	if missing == f.size {
		return false // no processor is known
	}
	total := 0
	for d := int32(0); len(f.left) > 0; d++ {
		f.left = slices.DeleteFunc(f.left, func(v int32) bool { return f.nearest[v] <= d })
		f.fewer = f.fewer[:0]
		for x, s := range state {
			if s != open {
				continue
			}
			count := 0
			for _, v := range f.left {
				if f.links[x][v] <= d {
					count++
				}
			}
			f.fewer = append(f.fewer, count)
		}
		slices.Sort(f.fewer)
		outside := len(f.left)
		for _, count := range f.fewer[len(f.fewer)-min(missing, len(f.fewer)):] {
			outside -= count
		}
		total += max(0, outside)
	}
	return total > f.most
}
