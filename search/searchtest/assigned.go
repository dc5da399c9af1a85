package searchtest

import (
	"math/big"
	"math/rand/v2"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
)

// Assigned returns a problem with a matrix: some tasks, random amounts, now and then a permutation, several tasks a
// node, fixed tasks or forbidden nodes; ok is false where the routing does not go with one.
func Assigned(rng *rand.Rand, nodes, tasks int) (p objective.Problem, ok bool) {
	in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, nodes))
	if in.Routing.DependsOnPlacement() || routing.Complete(in.Routing) != nil {
		return p, false
	}
	n := in.Torus.N()
	perNode := 1 + rng.IntN(4)/3
	forbidden := rng.IntN(3) / 2
	k := 1 + rng.IntN(min(tasks, (n-forbidden)*perNode))
	sparse, next := rng.IntN(3) == 0, rng.Perm(k) // then a task sends to one other only
	var pairs [][2]int
	var amounts []*big.Rat
	for from := range k {
		for to := range k {
			if from != to && (!sparse && rng.IntN(2) == 0 || sparse && next[from] == to) {
				pairs = append(pairs, [2]int{from, to})
				amounts = append(amounts, big.NewRat(int64(rng.IntN(5)), int64(1+rng.IntN(3))))
			}
		}
	}
	m := coretest.Must(objective.NewMatrix(k, pairs, amounts, func(int) string { return "" }))
	p = coretest.Must(objective.Problem{Routing: in.Routing}.WithTraffic(objective.Traffic{Matrix: m, PerNode: perNode}))
	order := rng.Perm(n)
	if forbidden > 0 {
		p.Forbidden = core.MustPlacement(in.Torus, order[:1]).Set()
	}
	if rng.IntN(3) == 0 {
		p.Pinned = []objective.Pin{{Task: rng.IntN(k), Node: order[n-1]}}
	}
	return p, p.CheckRoom() == nil
}

// LeastAssigned returns the least E_max of all placements of tasks by going through all of them.
func LeastAssigned(p objective.Problem) *big.Rat {
	var best *big.Rat
	at := make([]int, p.Traffic.Matrix.Tasks)
	var place func(task int)
	place = func(task int) {
		if task == len(at) {
			s := coretest.Must(p.Place(at))
			if p.Refusal(s) != "" {
				return
			}
			if most, _ := p.Naive(s).Max(); best == nil || most.Cmp(best) < 0 {
				best = most
			}
			return
		}
		for v := range p.Torus().N() {
			at[task] = v
			place(task + 1)
		}
	}
	place(0)
	return best
}
