package orderly

import (
	"slices"

	"leeway/objective"
)

// A far says of which branches the nodes are farther from their nearest processors, together, than they may be.
type far struct {
	size, most int
	links      [][]int32 // from node to node
	nearest    []int32   // by node: links to a processor
	fewer      []int     // by d: how many fewer nodes are farther than d with one processor more
	taken      [][]int   // by d: the same for each open node
}

func newFar(p objective.Problem) *far {
	n := p.Torus().N()
	f := &far{size: p.Size, most: p.Distance, nearest: make([]int32, n)}
	f.fewer, f.taken = make([]int, n+1), make([][]int, n)
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
	for v := range state {
		f.nearest[v] = n
	}
	for u, s := range state {
		if s == taken {
			missing--
			for v, d := range f.links[u] {
				f.nearest[v] = min(f.nearest[v], d)
			}
		}
	}
	longest := slices.Max(f.nearest)
	if longest == n {
		return false // no processor is known
	}
	for d := range longest {
		f.taken[d] = f.taken[d][:0]
	}
	for x, s := range state {
		if s != open {
			continue
		}
		clear(f.fewer[:longest+1])
		for v, d := range f.links[x] {
			if d < f.nearest[v] {
				f.fewer[d]++
				f.fewer[f.nearest[v]]--
			}
		}
		sum := 0
		for d := range longest {
			sum += f.fewer[d]
			f.taken[d] = append(f.taken[d], sum)
		}
	}
	total := 0
	for d := range longest {
		outside := 0
		for _, near := range f.nearest {
			if near > d {
				outside++
			}
		}
		slices.Sort(f.taken[d])
		for _, within := range f.taken[d][len(f.taken[d])-min(missing, len(f.taken[d])):] {
			outside -= within
		}
		total += max(0, outside)
	}
	return total > f.most
}
