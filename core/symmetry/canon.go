package symmetry

import (
	"slices"
)

// Canonical returns the lexicographically smallest of all images of a set of
// nodes, ascending, and the number of group elements that map the set to
// itself. Cost O(points n (n d + n log n)) for n nodes.
func (g *Group) Canonical(nodes []int) (form []int, stabilizer int) {
	if len(nodes) == 0 {
		return []int{}, g.Order()
	}
	// The smallest image contains node 0, so only translations that bring some
	// node there can give it.
	image := make([]int, len(nodes))
	for i := range g.points {
		for _, origin := range nodes {
			o := int(g.images[i][origin])
			for x, v := range nodes {
				image[x] = g.torus.Displacement(o, int(g.images[i][v]))
			}
			slices.Sort(image)
			switch c := compare(image, form); {
			case c < 0:
				form, stabilizer = append(form[:0], image...), 1
			case c == 0:
				stabilizer++
			}
		}
	}
	return form, stabilizer
}

// compare orders images; no form at all comes last.
func compare(image, form []int) int {
	if form == nil {
		return -1
	}
	return slices.Compare(image, form)
}
