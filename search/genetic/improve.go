package genetic

import (
	"math/rand"
	"slices"
)

// improve scores the nodes and tries random swaps of one processor with one free
// node, keeping those that do not make the score worse.
func (is *island) improve(plan []int, rng *rand.Rand) *individual {
	t := is.params.Problem.Torus()
	nodes := slices.Clone(plan)
	is.inc.Reset(nodes)
	now := is.peak()
	if len(nodes) == t.N() {
		return &individual{nodes: nodes, score: now}
	}
	set := setOf(t, nodes)
	for fails := 0; fails < is.options.Trials && is.allowance > 0 && !is.stop.Load() && now.most > is.goal; {
		i, to := rng.Intn(len(nodes)), rng.Intn(t.N())
		if set.Has(to) {
			continue
		}
		from := nodes[i]
		then := is.trySwap(from, to)
		if now.less(then) {
			fails++
			continue
		}
		is.inc.Swap(from, to)
		if then.less(now) {
			fails = 0
		} else {
			fails++
		}
		set.Remove(from)
		set.Add(to)
		nodes[i], now = to, then
	}
	slices.Sort(nodes)
	return &individual{nodes: nodes, score: now}
}
