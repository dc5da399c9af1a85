package restrict

import (
	"maps"
	"slices"
)

// starts returns choices of blocks to start from, all within the rule: all paths, the cheapest under the weights of the
// guide, those that it uses, and what earlier solutions choose, where the model can express it. It returns none if an
// item has no set of blocks that the rule allows.
func (m *model) starts(s *candidates, g guide, earlier map[int]solution) [][][]bool {
	all := m.every(func(int) bool { return true })
	if !m.settle(all) {
		return nil
	}
	list := [][][]bool{all}
	cheap := m.cheapest(s, g.weights)
	used := m.usedBy(g, cheap)
	m.settle(cheap)
	m.settle(used)
	list = append(list, cheap, used)
	for _, i := range slices.Sorted(maps.Keys(earlier)) {
		sol := earlier[i]
		if chosen, ok := m.express(sol); ok && m.obeys(chosen) {
			list = append(list, chosen)
		}
	}
	return list
}

// every returns the blocks, numbered over all items, for which in is true.
func (m *model) every(in func(block int) bool) [][]bool {
	chosen := make([][]bool, len(m.items))
	for i, it := range m.items {
		chosen[i] = make([]bool, len(it.blocks))
		for b := range it.blocks {
			chosen[i][b] = in(it.first + b)
		}
	}
	return chosen
}

// cheapest chooses for every item the blocks of least weight.
func (m *model) cheapest(s *candidates, weights []int64) [][]bool {
	cost := map[int32]int64{} // by block
	for _, p := range s.pairs {
		for k, path := range p.paths {
			b := m.block[p.first+k]
			if _, ok := cost[b]; ok {
				continue // the weights of all paths of a block are equal, or about so
			}
			cost[b] = s.cost(p, path, weights)
		}
	}
	chosen := m.every(func(int) bool { return false })
	for i, it := range m.items {
		least := cost[int32(it.first)]
		for b := range it.blocks {
			least = min(least, cost[int32(it.first+b)])
		}
		for b := range it.blocks {
			chosen[i][b] = cost[int32(it.first+b)] == least
		}
	}
	return chosen
}

// usedBy chooses the blocks of which the guide uses a path; for items without, what otherwise says.
func (m *model) usedBy(g guide, otherwise [][]bool) [][]bool {
	in := make([]bool, m.blocks())
	for e, share := range g.used {
		in[m.block[e]] = in[m.block[e]] || share
	}
	chosen := m.every(func(b int) bool { return in[b] })
	for i := range chosen {
		if !slices.Contains(chosen[i], true) {
			copy(chosen[i], otherwise[i])
		}
	}
	return chosen
}

// express returns the blocks of a solution, and whether it chooses all paths of a block or none.
func (m *model) express(sol solution) ([][]bool, bool) {
	state := make([]int8, m.blocks())
	for e, b := range m.block {
		v := int8(1)
		if sol[e] {
			v = 2
		}
		if state[b] |= v; state[b] == 3 {
			return nil, false
		}
	}
	return m.every(func(b int) bool { return state[b] == 2 }), true
}

// blocks returns the number of blocks of all items.
func (m *model) blocks() int {
	n := 0
	for _, it := range m.items {
		n += len(it.blocks)
	}
	return n
}

// solution returns what a choice of blocks allows every pair.
func (m *model) solution(chosen [][]bool) solution {
	in := slices.Concat(chosen...)
	sol := make(solution, len(m.block))
	for e, b := range m.block {
		sol[e] = in[b]
	}
	return sol
}

// obeys reports whether the choice of every item is within the rule.
func (m *model) obeys(chosen [][]bool) bool {
	for i, it := range m.items {
		if !m.allows(it.count(chosen[i]), it.available) {
			return false
		}
	}
	return true
}

// count returns how many paths of a pair some blocks hold.
func (it *item) count(chosen []bool) int {
	n := 0
	for b, in := range chosen {
		if in {
			n += it.blocks[b].paths
		}
	}
	return n
}

// settle changes choices so that they are within the rule. It reports false where no way was found.
func (m *model) settle(chosen [][]bool) bool {
	for i := range m.items {
		if !m.settleItem(&m.items[i], chosen[i]) {
			return false
		}
	}
	return true
}

// settleItem takes blocks away, the last first, until the rule allows what is
// left, or else adds some. For single paths it keeps the first that can be kept.
func (m *model) settleItem(it *item, chosen []bool) bool {
	for b := len(chosen) - 1; b >= 0; b-- {
		if m.allows(it.count(chosen), it.available) {
			return true
		}
		chosen[b] = false
	}
	for b := range chosen {
		chosen[b] = true
		if m.allows(it.count(chosen), it.available) {
			return true
		}
		if m.Single {
			chosen[b] = false
		}
	}
	return false
}
