package core

// Nearest returns for every node the number of links of a shortest path from the nearest of some nodes, and which of
// them that is; -1 without any. Cost O(M).
func (t *Torus) Nearest(nodes []int) (distance, nearest []int32) {
	distance, nearest = make([]int32, t.N()), make([]int32, t.N())
	for v := range distance {
		distance[v], nearest[v] = -1, -1
	}
	queue := make([]int32, 0, t.N())
	for _, v := range nodes {
		distance[v], nearest[v] = 0, int32(v)
		queue = append(queue, int32(v))
	}
	for next := 0; next < len(queue); next++ {
		v := queue[next]
		for i := range t.ports {
			l := Link(i*t.N() + int(v))
			if !t.HasLink(l) {
				continue
			}
			if _, w := t.LinkEnds(l); distance[w] < 0 {
				distance[w], nearest[w] = distance[v]+1, nearest[v]
				queue = append(queue, int32(w))
			}
		}
	}
	return distance, nearest
}

// Spacing returns the covering radius, the greatest distance from a node to its nearest processor, -1 without
// processors, the distances of all nodes from the nearest one together, and the packing distance, the least between two
// processors, 0 with fewer than two. The unit is one link. Cost O(M).
func (p Placement) Spacing() (radius, total, packing int) {
	t, radius := p.torus, -1
	distance, nearest := t.Nearest(p.nodes)
	for _, d := range distance {
		radius, total = max(radius, int(d)), total+max(0, int(d))
	}
	for l := range t.EachLink() {
		// A shortest path between the two closest has a link between nodes that are nearest to different processors.
		v, w := t.LinkEnds(l)
		if d := int(distance[v] + 1 + distance[w]); nearest[v] != nearest[w] && (packing == 0 || d < packing) {
			packing = d
		}
	}
	return radius, total, packing
}
