package model

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// PathCount returns the number of paths from p to q.
func PathCount(r routing.Routing, p, q int, processors core.Set) int {
	n := 0
	for range r.Paths(p, q, processors) {
		n++
	}
	return n
}

// Choices returns n (n-1) .. (n-m+1), the ordered choices of m out of n.
func Choices(n, m int) int {
	f := 1
	for i := range m {
		f *= n - i
	}
	return f
}

// PathsBesideProcessor returns the number of UDR paths, ties the + way, of the linear placement on k^d through the +
// link that leaves a processor: over the numbers a and b of axes corrected before and after, the ways to choose and
// order them times the pairs. A source at x steps from the processor on the ring has a other coordinates, none 0,
// with sum -x.
func PathsBesideProcessor(k, d int) int {
	total := 0
	for a := range d {
		for b := range d - a {
			pairs := 0
			from, to := nonzeroSums(k, a), nonzeroSums(k, b)
			for x := range k {
				for step := (k-x)%k + 1; step <= k/2; step++ {
					pairs += from[x] * to[(x+step)%k]
				}
			}
			total += Choices(d-1, a) * Choices(d-1-a, b) * pairs
		}
	}
	return total
}

// nonzeroSums returns, for every x, the number of lists of a nonzero residues modulo k whose sum is -x.
func nonzeroSums(k, a int) []int {
	ways := make([]int, k)
	ways[0] = 1
	for range a {
		next := make([]int, k)
		for x, n := range ways {
			for c := 1; c < k; c++ {
				next[(x+k-c)%k] += n
			}
		}
		ways = next
	}
	return ways
}

// PathsThrough returns the number of UDR paths of all pairs through every link: the share of the link times the
// number of paths of the pair, added up.
func PathsThrough(at Setting) []int {
	through := make([]int, at.Torus().M())
	for p, q := range at.Placement.Pairs() {
		n := Differing(at.Torus(), p, q)
		flow, paths := at.Routing.Flow(p, q, nil), Choices(n, n)
		for _, share := range flow.Shares {
			through[share.Link] += int(share.Num.Int64()) * paths / int(flow.Den.Int64())
		}
	}
	return through
}

// A Trail is the nodes of a path, in order.
type Trail []int

// legs returns the ways from node v to coordinate c along axis j by the shortest cyclic distance, as the nodes after
// v: two for a tie.
func legs(t *core.Torus, v, j, c int) []Trail {
	k := t.Side(j)
	ahead := (c - t.Coord(v, j) + k) % k
	var list []Trail
	for _, way := range []struct{ steps, by int }{{ahead, 1}, {k - ahead, -1}} {
		if 2*way.steps <= k {
			leg := make(Trail, way.steps)
			for i := range leg {
				leg[i] = t.Shift(v, j, (i+1)*way.by)
			}
			list = append(list, leg)
		}
	}
	return list
}

// Algorithm31 returns the paths that Routing Algorithm 3.1, as it is written, can take from p to q. After the first
// leg it goes on along any axis i if no processor is met on the way or nothing else is left to correct, along the
// other axis first otherwise.
func Algorithm31(t *core.Torus, processors core.Set, p, q int) []Trail {
	var differ []int
	for j := range t.D() {
		if t.Coord(p, j) != t.Coord(q, j) {
			differ = append(differ, j)
		}
	}
	without := func(list []int, x int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(y int) bool { return x == y })
	}
	var paths []Trail
	var finish func(begun Trail, axes []int) // corrects the axes in order, every way
	finish = func(begun Trail, axes []int) {
		if len(axes) == 0 {
			paths = append(paths, begun)
			return
		}
		for _, leg := range legs(t, begun[len(begun)-1], axes[0], t.Coord(q, axes[0])) {
			finish(slices.Concat(begun, leg), axes[1:])
		}
	}
	for _, j := range differ {
		for _, first := range legs(t, p, j, t.Coord(q, j)) {
			rest := without(differ, j)
			for _, i := range rest {
				others := without(rest, i)
				for _, leg := range legs(t, first[len(first)-1], i, t.Coord(q, i)) {
					if len(others) == 0 || !slices.ContainsFunc(leg, processors.Has) {
						finish(slices.Concat(first, leg), others)
					} else {
						finish(first, []int{others[0], i})
					}
				}
			}
		}
	}
	slices.SortFunc(paths, slices.Compare[Trail])
	return slices.CompactFunc(paths, slices.Equal[Trail])
}
