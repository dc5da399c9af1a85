package exchange

import "slices"

// distances returns those of a node, after those of the nodes before it: where all nodes
// are alike they are those of node 0, moved on.
func (f *factor) distances(v int) []int {
	if v == 0 || f.Kind == PathFactor || f.Kind == GraphFactor {
		return distancesFrom(f.neighbours, v)
	}
	row := f.distance[0]
	return slices.Concat(row[f.Nodes-v:], row[:f.Nodes-v])
}

// distancesFrom returns the distance of every node, -1 where there is no path.
func distancesFrom(neighbours [][]int, from int) []int {
	distance := make([]int, len(neighbours))
	for v := range distance {
		distance[v] = -1
	}
	distance[from] = 0
	queue := []int{from}
	for i := 0; i < len(queue); i++ {
		for _, w := range neighbours[queue[i]] {
			if distance[w] < 0 {
				distance[w] = distance[queue[i]] + 1
				queue = append(queue, w)
			}
		}
	}
	return distance
}
