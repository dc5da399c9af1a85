package peers_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/objective"
)

// A share is what two nodes put on one link, in units of 1/den.
type share struct{ link, weight int32 }

// An annealer keeps a placement with the load of every link. A swap changes the loads by the flows of the pairs that it
// touches; the cost is the sum over links of a power of the load, read from a table.
type annealer struct {
	problem  objective.Problem
	den      int64
	joint    [][]share // by p*N+q: what p and q send each other
	load     []int32
	count    []int32   // by load: links that have it
	top      int       // no link has more
	price    []float64 // by load
	cost     float64
	nodes    []int
	free     []int
	rng      *rand.Rand
	best     []int
	bestMost int
}

// smoothing is the power of a load in the cost.
const smoothing = 5

func newAnnealer(p objective.Problem, seed uint64) *annealer {
	n, den := p.Torus().N(), p.Routing.Denominator().Int64()
	a := &annealer{problem: p, den: den, joint: make([][]share, n*n), load: make([]int32, p.Torus().M()),
		rng: rand.New(rand.NewPCG(seed, 0)), bestMost: math.MaxInt}
	for i := range n {
		for j := range i {
			list := pairShares(p, i, j, den)
			a.joint[i*n+j], a.joint[j*n+i] = list, list
		}
	}
	most := p.Size*p.Size*int(den) + 1
	a.count = make([]int32, most)
	a.price = make([]float64, most)
	scale := float64(den*int64(p.Size)) / 4
	for i := range a.price {
		a.price[i] = math.Pow(float64(i)/scale, smoothing)
	}
	return a
}

func pairShares(p objective.Problem, i, j int, den int64) []share {
	var list []share
	for _, pair := range [][2]int{{i, j}, {j, i}} {
		f := p.Routing.Flow(pair[0], pair[1], nil)
		for _, s := range f.Shares {
			list = append(list, share{int32(s.Link), int32(s.Num.Int64() * den / f.Den.Int64())})
		}
	}
	return list
}

// draw starts over from a random placement.
func (a *annealer) draw() {
	nodes := a.rng.Perm(a.problem.Torus().N())
	a.nodes, a.free = nil, nodes
	clear(a.load)
	clear(a.count)
	a.count[0] = int32(len(a.load))
	a.cost, a.top = 0, 0
	for range a.problem.Size {
		last := len(a.free) - 1
		a.flow(a.free[last], -1, 1)
		a.nodes, a.free = append(a.nodes, a.free[last]), a.free[:last]
	}
}

// flow adds, times sign, what node v and every processor but the one at place except exchange.
func (a *annealer) flow(v, except int, sign int32) {
	rows := a.joint[v*a.problem.Torus().N():]
	for i, u := range a.nodes {
		if i == except {
			continue
		}
		for _, s := range rows[u] {
			old := a.load[s.link]
			now := old + sign*s.weight
			a.load[s.link] = now
			a.count[old]--
			a.count[now]++
			a.cost += a.price[now] - a.price[old]
			a.top = max(a.top, int(now))
		}
	}
}

// swap exchanges the processor at place i with the free node at place j.
func (a *annealer) swap(i, j int) {
	a.flow(a.nodes[i], i, -1)
	a.flow(a.free[j], i, 1)
	a.nodes[i], a.free[j] = a.free[j], a.nodes[i]
}

// most returns the largest load.
func (a *annealer) most() int {
	for a.count[a.top] == 0 {
		a.top--
	}
	return a.top
}

// step tries one random swap at a temperature.
func (a *annealer) step(temperature float64) {
	i, j := a.rng.IntN(len(a.nodes)), a.rng.IntN(len(a.free))
	before := a.cost
	a.swap(i, j)
	if rise := a.cost - before; rise > 0 && a.rng.Float64() >= math.Exp(-rise/temperature) {
		a.swap(i, j)
		a.cost = before
		return
	}
	if most := a.most(); most < a.bestMost {
		a.bestMost, a.best = most, append(a.best[:0], a.nodes...)
	}
}

// warmth returns the mean rise of random swaps that raise the cost.
func (a *annealer) warmth() float64 {
	sum, rises := 0.0, 0
	for range 200 {
		before := a.cost
		a.swap(a.rng.IntN(len(a.nodes)), a.rng.IntN(len(a.free)))
		if a.cost > before {
			sum, rises = sum+a.cost-before, rises+1
		}
	}
	return sum / float64(max(1, rises))
}

// The first temperature in parts of the mean rise, and the last in parts of the
// first: with the power above the best of fifteen settings tried on 7x7 n=14.
const (
	hottest = 0.05
	coldest = 0.03
)

// runAnnealing cools again and again, each time from a new start and for twice as
// long, until the goal or the end of the context, and returns the best.
func runAnnealing(ctx context.Context, p objective.Problem, goal *big.Rat, seed uint64) (core.Placement, error) {
	a := newAnnealer(p, seed)
	limit := int(floor(goal, a.den))
	for steps := 10_000; ; steps *= 2 {
		a.draw()
		hot := hottest * a.warmth()
		for i := range steps {
			a.step(hot * math.Pow(coldest, float64(i)/float64(steps)))
			if a.bestMost <= limit || i%64 == 0 && ctx.Err() != nil {
				return core.NewPlacement(p.Torus(), slices.Sorted(slices.Values(a.best)))
			}
		}
	}
}

func floor(r *big.Rat, den int64) int64 {
	n := new(big.Int).Mul(r.Num(), big.NewInt(den))
	return n.Div(n, r.Denom()).Int64()
}
