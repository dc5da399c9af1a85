package restrict

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A pathList holds the paths of a displacement, in canonical order.
type pathList struct {
	paths []routing.TablePath
	index map[uint64]int32 // by key
}

// newPathList lists the paths that correct one dimension after the other, limit
// of them if there are more.
func newPathList(t *core.Torus, displacement, limit int) *pathList {
	var dims []int
	for j := range t.D() {
		if t.Coord(displacement, j) != 0 {
			dims = append(dims, j)
		}
	}
	l := &pathList{index: map[uint64]int32{}}
	l.extend(t, displacement, dims, routing.TablePath{}, limit)
	slices.SortFunc(l.paths, routing.TablePath.Compare)
	for i, p := range l.paths {
		l.index[key(p)] = int32(i)
	}
	return l
}

// extend lists the paths that start with the given one and go on along dims, until
// there are limit.
func (l *pathList) extend(t *core.Torus, displacement int, dims []int, start routing.TablePath, limit int) {
	if len(l.paths) == limit {
		return
	}
	if len(dims) == 0 {
		l.paths = append(l.paths, routing.TablePath{Order: slices.Clone(start.Order), Dirs: slices.Clone(start.Dirs)})
		return
	}
	for i, j := range dims {
		rest := slices.Delete(slices.Clone(dims), i, i+1)
		for _, dir := range shortWays(t.Side(j), t.Coord(displacement, j)) {
			l.extend(t, displacement, rest, routing.TablePath{Order: append(start.Order, j), Dirs: append(start.Dirs, dir)}, limit)
		}
	}
}

// shortWays returns the directions of the shortest ways to coordinate c on a ring
// of length k, c != 0.
func shortWays(k, c int) []core.Dir {
	switch {
	case k == 2 || 2*c < k:
		return []core.Dir{core.Plus}
	case 2*c > k:
		return []core.Dir{core.Minus}
	}
	return []core.Dir{core.Plus, core.Minus}
}

// countPaths returns how many paths a displacement has, at most limit+1.
func countPaths(t *core.Torus, displacement, limit int) int {
	count, dims := 1, 0
	for j := range t.D() {
		if c := t.Coord(displacement, j); c != 0 {
			dims++
			count = min(count*dims*len(shortWays(t.Side(j), c)), limit+1)
		}
	}
	return count
}

// key is a number that no other path of the same displacement has: six bits a
// step. maxElements leaves no pair more than nine steps.
func key(p routing.TablePath) uint64 {
	k := uint64(1)
	for i, j := range p.Order {
		k = k<<6 | uint64(j)<<1
		if p.Dirs[i] == core.Minus {
			k |= 1
		}
	}
	return k
}

// appendLinks appends the links of a path from node to node+displacement.
func appendLinks(links []core.Link, t *core.Torus, node, displacement int, p routing.TablePath) []core.Link {
	for i, j := range p.Order {
		for range core.CyclicDistance(0, t.Coord(displacement, j), t.Side(j)) {
			links = append(links, t.Link(node, j, p.Dirs[i]))
			node = t.Shift(node, j, int(p.Dirs[i]))
		}
	}
	return links
}

// Paths returns the paths of a displacement that correct one dimension after the
// other, in canonical order.
func Paths(t *core.Torus, displacement int) []routing.TablePath {
	return newPathList(t, displacement, maxElements).paths
}

// CountPaths returns how many paths a displacement has, at most one more than can be
// searched at all.
func CountPaths(t *core.Torus, displacement int) int { return countPaths(t, displacement, maxElements) }

// AppendLinks appends the links of a path from node to node+displacement.
func AppendLinks(links []core.Link, t *core.Torus, node, displacement int, p routing.TablePath) []core.Link {
	return appendLinks(links, t, node, displacement, p)
}
