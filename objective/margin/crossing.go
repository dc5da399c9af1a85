package margin

import (
	"leeway/core/routing"
)

// A split says how the traffic over half an even ring is divided.
type split int

const (
	plusWay split = iota // all of it goes the + way
	halves               // each way carries half of every pair
	unknown              // pair by pair as the routing likes
)

// splitOf returns how r divides ties. Avoid with ties both decides by the
// processors inside, and nothing is assumed of routings that are not known
// here.
func splitOf(r routing.Routing) split {
	switch r.(type) {
	case *routing.Orders, *routing.Minimal:
		if r.Tie() == routing.TieBoth {
			return halves
		}
		return plusWay
	case *routing.Avoid:
		if r.Tie() == routing.TiePlus {
			return plusWay
		}
	}
	return unknown
}

// A crossing is a class of parallel links along a ring of slabs: those of one
// direction in one boundary, or of two boundaries together.
type crossing struct {
	share [][]int64 // share[x][y]: halves of a pair from slab x to slab y that cross
	links int64     // links of the class on each line along the dimension
}

// crossings returns the classes of a ring of k slabs. Where ties split in an
// unknown way, the single boundaries leave them out and count in classes of two
// instead: what goes from half the ring to the rest leaves by its + end or by
// its - end, whatever the split.
func crossings(k int, s split) []crossing {
	plus, minus := boundaries(k, s)
	if k == 2 {
		return plus
	}
	list := append(plus, minus...)
	if s == unknown && k%2 == 0 {
		for start := range k {
			list = append(list, half(k, start))
		}
	}
	return list
}

// boundaries returns, for every edge from slab b to b+1, the pairs that cross it
// in direction + and in direction -.
func boundaries(k int, s split) (plus, minus []crossing) {
	for range k {
		plus = append(plus, newCrossing(k, 1))
		minus = append(minus, newCrossing(k, 1))
	}
	for x := range k {
		for y := range k {
			up, down := ways(k, (y-x+k)%k, s)
			for b := x; b != y; b = (b + 1) % k {
				plus[b].share[x][y] = up
			}
			for b := y; b != x; b = (b + 1) % k {
				minus[b].share[x][y] = down
			}
		}
	}
	return plus, minus
}

// ways returns the halves of a pair at forward distance f that go + and -.
func ways(k, f int, s split) (up, down int64) {
	switch {
	case k == 2 || 2*f < k:
		return 2, 0
	case 2*f > k:
		return 0, 2
	case s == plusWay:
		return 2, 0
	case s == halves:
		return 1, 1
	}
	return 0, 0
}

// half returns the class of the links that leave the k/2 slabs from start on.
func half(k, start int) crossing {
	c := newCrossing(k, 2)
	for i := range k / 2 {
		for j := k / 2; j < k; j++ {
			c.share[(start+i)%k][(start+j)%k] = 2
		}
	}
	return c
}

func newCrossing(k int, links int64) crossing {
	c := crossing{share: make([][]int64, k), links: links}
	for x := range c.share {
		c.share[x] = make([]int64, k)
	}
	return c
}
