package searchtest

import (
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// TableUnit is a common multiple of 1..8, the paths of a pair in LeastOfTables, times that of bandwidths up to 4.
const TableUnit = 840 * 12

// Messages returns what is sent under a traffic by all shortest paths that turn as udr with both ties.
func Messages(p core.Placement, traffic objective.Traffic) []objective.Message {
	return slices.Collect(objective.Problem{Routing: routing.NewUDR(p.Torus(), routing.TieBoth),
		Terms: objective.Terms{Traffic: traffic}}.Messages(p))
}

// tables tries all restrictions, from the definition.
type tables struct {
	torus *core.Torus
	items [][][][]core.Link // by item, then path: the links of all its pairs, one list for each
	free  routing.Free
	loads []int
	best  int
}

// LeastOfTables returns the smallest E_max of a placement under any table of a free routing, by pair or by
// displacement, but at most a value, nil for any. Pairs have at most eight paths. It tries all.
func LeastOfTables(p core.Placement, traffic objective.Traffic, free routing.Free, byPair bool,
	most *big.Rat) *big.Rat {
	t := p.Torus()
	b := &tables{torus: t, free: free, loads: make([]int, t.M()), best: 1 << 60}
	if most != nil {
		b.best = int(new(big.Rat).Mul(most, big.NewRat(TableUnit, 1)).Num().Int64())
	}
	place := map[int]int{}
	for _, m := range Messages(p, traffic) {
		name := t.Displacement(m.From, m.To)
		if byPair {
			name = m.From*t.N() + m.To
		}
		if _, ok := place[name]; !ok {
			place[name] = len(b.items)
			b.items = append(b.items, nil)
		}
		item, i := place[name], 0
		// The paths of pairs of one displacement come in the same order.
		for path := range m.Routing.Paths(m.From, m.To, nil) {
			if i == len(b.items[item]) {
				b.items[item] = append(b.items[item], nil)
			}
			for range m.Count {
				b.items[item][i] = append(b.items[item][i], slices.Clone(path))
			}
			i++
		}
	}
	b.try(0, 0)
	return big.NewRat(int64(b.best), TableUnit)
}

// try goes through the sets of the items from i on. Loads only grow.
func (b *tables) try(i, most int) {
	if most >= b.best {
		return
	}
	if i == len(b.items) {
		b.best = most
		return
	}
	paths := b.items[i]
	for set := 1; set < 1<<len(paths); set++ {
		if count := bits.OnesCount(uint(set)); b.free.Allows(count, len(paths)) {
			b.try(i+1, max(most, b.add(paths, set, TableUnit/count)))
			b.add(paths, set, -TableUnit/count)
		}
	}
}

// add loads the links of a set and returns the largest load among them.
func (b *tables) add(paths [][][]core.Link, set, share int) int {
	most := 0
	for k, pairs := range paths {
		if set>>k&1 == 0 {
			continue
		}
		for _, path := range pairs {
			for _, l := range path {
				b.loads[l] += share / b.torus.LinkBandwidth(l)
				most = max(most, b.loads[l])
			}
		}
	}
	return most
}
