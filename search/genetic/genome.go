package genetic

import (
	"math"
	"math/big"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"leeway/core"
)

// A genome is what eaopt moves around: an evaluated individual, or the plan of
// one that Evaluate improves and scores. Individuals are immutable and may be
// shared.
type genome struct {
	island     *island
	individual *individual
	plan       []int
}

// nodes returns the nodes of the individual or of the plan.
func (g *genome) nodes() []int {
	if g.individual != nil {
		return g.individual.nodes
	}
	return g.plan
}

// Evaluate returns the peak load with the share of links that have it as the
// fraction. It only guides; scores are compared exactly. An unevaluated plan is
// first improved by swaps. When the island has nothing left to spend the
// placement counts as infinitely bad.
func (g *genome) Evaluate() (float64, error) {
	is := g.island
	if g.individual == nil {
		if is.finished() {
			return math.Inf(1), nil
		}
		g.individual = is.improve(g.plan, rand.New(rand.NewSource(mix(is.params.Seed, hashNodes(g.plan)))))
		g.plan = nil
		is.note(g.individual)
	}
	s := g.individual.score
	return float64(s.most) + float64(s.links)/float64(is.params.Problem.Torus().M()+1), nil
}

// Clone returns another handle on the same placement.
func (g *genome) Clone() eaopt.Genome {
	c := *g
	return &c
}

// Mutate plans the placement anew with one to three processors moved at random.
func (g *genome) Mutate(rng *rand.Rand) {
	t := g.island.params.Problem.Torus()
	nodes := slices.Clone(g.nodes())
	set := setOf(t, nodes)
	if len(nodes) == t.N() {
		return
	}
	for range 1 + rng.Intn(3) {
		i := rng.Intn(len(nodes))
		to := rng.Intn(t.N())
		if set.Has(to) {
			continue
		}
		set.Remove(nodes[i])
		set.Add(to)
		nodes[i] = to
	}
	g.replace(nodes)
}

// Crossover plans the placement anew from the processors of g inside a band of
// slabs and those of the mate, moved by a random translation, outside it. The
// mate is not changed.
func (g *genome) Crossover(mate eaopt.Genome, rng *rand.Rand) {
	t := g.island.params.Problem.Torus()
	j := rng.Intn(t.D())
	k := t.Side(j)
	width := 1 + rng.Intn(k-1)
	start := rng.Intn(k)
	shift := rng.Intn(t.N())
	inBand := func(v int) bool { return (t.Coord(v, j)-start+k)%k < width }
	child := core.NewSet(t.N())
	for _, v := range g.nodes() {
		if inBand(v) {
			child.Add(v)
		}
	}
	for _, v := range mate.(*genome).nodes() {
		if w := t.Displacement(shift, v); !inBand(w) {
			child.Add(w)
		}
	}
	g.replace(resize(t, child, g.island.params.Problem.Size, rng))
}

func (g *genome) replace(plan []int) {
	g.individual, g.plan = nil, plan
}

func setOf(t *core.Torus, nodes []int) core.Set {
	s := core.NewSet(t.N())
	for _, v := range nodes {
		s.Add(v)
	}
	return s
}

// resize adds or removes random nodes until the set has the given size.
func resize(t *core.Torus, set core.Set, size int, rng *rand.Rand) []int {
	nodes := set.Nodes()
	for len(nodes) > size {
		i := rng.Intn(len(nodes))
		nodes[i] = nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
	}
	if missing := size - len(nodes); missing > 0 {
		var free []int
		for v := range t.N() {
			if !set.Has(v) {
				free = append(free, v)
			}
		}
		for i := range missing {
			x := i + rng.Intn(len(free)-i)
			free[i], free[x] = free[x], free[i]
		}
		nodes = append(nodes, free[:missing]...)
	}
	slices.Sort(nodes)
	return nodes
}

// hashNodes returns a number that names a plan, so that improving it draws from
// a generator of its own whoever does it.
func hashNodes(nodes []int) uint64 {
	h := uint64(len(nodes))
	for _, v := range nodes {
		h = uint64(mix(h, uint64(v)))
	}
	return h
}

// floorMul returns the largest integer at most r*den.
func floorMul(r *big.Rat, den int64) int64 {
	n := new(big.Int).Mul(r.Num(), big.NewInt(den))
	return n.Div(n, r.Denom()).Int64()
}
