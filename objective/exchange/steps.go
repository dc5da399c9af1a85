package exchange

import (
	"iter"

	"leeway/core"
)

// A hop takes one block to a neighbour in a step of store and forward.
type hop struct {
	from, to int
	axis     int
	dir      core.Dir
	block    Block
}

// A run is a complete exchange of nodes 0..nodes-1 as the hops of each step. A
// step's slice may be reused for the next.
type run struct {
	nodes, steps int
	hops         iter.Seq[[]hop]
}

// ringRun is optimal: floor(n^2/4) steps, no port idle. All nodes at once pass on
// the blocks of one offset after the other, +1, -1, +2, -2, ... The rule is
// inferred: seed 003 cites a report for it.
func ringRun(n int) run {
	return run{n, n * n / 4, func(yield func([]hop) bool) {
		hops := make([]hop, n)
		for _, offset := range ringOffsets(n) {
			way := core.Plus
			if offset < 0 {
				way = core.Minus
			}
			at := func(v, by int) int { return ((v+int(way)*by)%n + n) % n }
			for k := range offset * int(way) {
				for v := range n {
					hops[v] = hop{at(v, k), at(v, k+1), 0, way, Block{int32(v), int32(at(v, offset*int(way)))}}
				}
				if !yield(hops) {
					return
				}
			}
		}
	}}
}

// ringOffsets returns 1, -1, 2, -2, ...; half of an even ring once.
func ringOffsets(n int) []int {
	var offsets []int
	for o := 1; 2*o <= n; o++ {
		offsets = append(offsets, o)
		if 2*o < n {
			offsets = append(offsets, -o)
		}
	}
	return offsets
}

// completeRun is optimal: in step k of n-1 every node sends what it has for the
// node k further on.
func completeRun(n int) run {
	return run{n, n - 1, func(yield func([]hop) bool) {
		hops := make([]hop, n)
		for k := 1; k < n; k++ {
			for v := range n {
				w := (v + k) % n
				hops[v] = hop{v, w, 0, core.Plus, Block{int32(v), int32(w)}}
			}
			if !yield(hops) {
				return
			}
		}
	}}
}

// listRun is a run whose steps are known.
func listRun(nodes int, steps [][]hop) run {
	return run{nodes, len(steps), func(yield func([]hop) bool) {
		for _, hops := range steps {
			if !yield(hops) {
				return
			}
		}
	}}
}

// factorRun returns the exchange of one factor: by rule on rings, complete graphs and
// circulants, packed on all others.
func factorRun(f Factor) (run, error) {
	switch f.Kind {
	case RingFactor:
		return ringRun(f.Nodes), nil
	case CompleteFactor:
		return completeRun(f.Nodes), nil
	}
	n, err := NewNetwork(f)
	if err != nil {
		return run{}, err
	}
	if f.Kind == CirculantFactor {
		return circulantRun(n.factors[0]), nil
	}
	steps, _, err := pack(n, nil)
	return listRun(f.Nodes, steps), err
}
