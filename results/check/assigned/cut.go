package assigned

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/lowerbound"
	"leeway/results/check/meter"
)

// maxCutTasks is of how many tasks at most those beyond sets of nodes are added up, for every number of tasks anew.
const maxCutTasks = 1 << 11

// cutBound returns a lower bound on E_max by the links out of sets of nodes, in units of the matrix: for every link the
// nodes that are nearer to its one end than to the other. Some number of tasks is in the set, as many as there is room
// for, and those in it send the others at least what the least of them send beyond their greatest partners; the others
// receive at least as much alike. It is 0 for more tasks than maxCutTasks. amounts has what every task sends, and
// receives, the greatest first.
func cutBound(m *meter.Meter, p objective.Problem, amounts [2][][]int64) (best *big.Rat,
	witness lowerbound.Witness) {
	t, tasks := p.Torus(), p.Traffic.Matrix.Tasks
	if best = new(big.Rat); tasks > maxCutTasks {
		return best, witness
	}
	var least [2][]int64 // by number of tasks: what so many send others, or receive from them
	for way, list := range amounts {
		least[way] = make([]int64, tasks+1)
		beyond := make([]int64, tasks)
		for i, of := range list {
			for _, amount := range of {
				beyond[i] += amount
			}
		}
		for k := 1; k <= tasks; k++ {
			m.ChargeAll(4, tasks)
			sorted := slices.Sorted(slices.Values(beyond))
			for _, amount := range sorted[:k] {
				least[way][k] += amount
			}
			for i, of := range list {
				if k <= len(of) {
					beyond[i] -= of[k-1]
				}
			}
		}
	}
	distances := make([][]int32, t.N())
	for v := range distances {
		distances[v], _ = t.Nearest([]int{v})
	}
	m.ChargeAll(1, t.M(), t.N()+t.M())
	for l := range t.EachLink() {
		u, v := t.LinkEnds(l)
		inside := func(x int) bool { return distances[u][x] < distances[v][x] }
		var set []int
		room := [2]int{} // inside and outside
		for x := range t.N() {
			if inside(x) {
				set = append(set, x)
			}
			if p.MayHave(x) && inside(x) {
				room[0] += p.Traffic.Room()
			} else if p.MayHave(x) {
				room[1] += p.Traffic.Room()
			}
		}
		crosses := int64(-1)
		for k := max(0, tasks-room[1]); k <= min(tasks, room[0]); k++ {
			if c := max(least[0][k], least[1][tasks-k]); crosses < 0 || c < crosses {
				crosses = c
			}
		}
		links, capacity := 0, int64(0)
		for out := range t.EachLink() {
			if from, to := t.LinkEnds(out); inside(from) && !inside(to) {
				links++
				capacity += int64(t.LinkBandwidth(out))
			}
		}
		if value := big.NewRat(max(crosses, 0), capacity); value.Cmp(best) > 0 {
			best, witness = value, lowerbound.Witness{Set: core.MustPlacement(t, set).Coords(), Links: links}
		}
	}
	return best, witness
}
