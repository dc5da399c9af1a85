package local

import (
	"context"
	"math/big"
	"math/rand/v2"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
)

// The measures of Nearer: swaps of a round, rounds without a nearer placement after which it ends, and how often it
// looks at the context.
const (
	nearerSteps  = 4000
	nearerRounds = 40
	nearerLooks  = 64
)

// Nearer looks, from a placement of client traffic with the given E_max, for one with no more and a smaller mean
// distance between clients and processors, by random swaps under a threshold that falls to nothing in each round:
// worse distances up to it, and loads above the E_max, at the price of half the largest difference of two nodes for
// each message, are taken on the way. It ends with the context, after a given number of evaluations (0: no limit), or
// when some rounds brought nothing. It returns the start where nothing nearer was found, and the swaps that were
// priced. The error is that of fast.NewIncremental.
func Nearer(ctx context.Context, p objective.Problem, start core.Placement, value *big.Rat, seed uint64,
	evaluations int64) (best core.Placement, spent int64, err error) {
	candidates := p.Candidates()
	far := make([]int64, p.Torus().N())
	least, most := int64(0), int64(0)
	for i, v := range candidates {
		far[v] = fast.Distances(p.Torus(), v)
		if i == 0 || far[v] < least {
			least = far[v]
		}
		most = max(most, far[v])
	}
	if least == most || p.Alone() {
		return start, 0, nil // all placements are as near
	}
	loads, err := fast.NewIncremental(p, p.Size)
	if err != nil || !loads.Exact() {
		return start, 0, err
	}
	limit := new(big.Rat).Mul(value, new(big.Rat).SetInt64(loads.Den())).Num().Int64()
	w := &nearer{problem: p, loads: loads, far: far, limit: limit, unit: max(1, (most-least)/2/loads.Den()),
		rng: rand.New(rand.NewPCG(seed, 3))}
	w.reset(start)
	best = start
	bestFar := w.distance
	for idle := 0; idle < nearerRounds && ctx.Err() == nil; idle++ {
		w.reset(best)
		for step := range nearerSteps {
			if evaluations > 0 && spent >= evaluations || step%nearerLooks == 0 && ctx.Err() != nil {
				return best, spent, nil
			}
			spent++
			w.step((most - least) * int64(nearerSteps-step) / nearerSteps)
			if w.over != 0 || w.distance >= bestFar {
				continue
			}
			if s := core.MustPlacement(p.Torus(), append(p.Fixed.Nodes(), w.in...)); p.Admits(s) {
				best, bestFar, idle = s, w.distance, -1
			}
		}
	}
	return best, spent, nil
}

// nearer is the state of Nearer.
type nearer struct {
	problem  objective.Problem
	loads    fast.Incremental
	far      []int64 // by node: its distances from all others
	limit    int64
	unit     int64
	in, out  []int // processors that are not fixed, candidates without one
	distance int64 // of the processors that are not fixed
	over     int64 // what loads above the limit cost
	rng      *rand.Rand
}

func (w *nearer) reset(s core.Placement) {
	w.loads.Reset(s.Nodes())
	w.in, w.out, w.distance, w.over = w.in[:0], w.out[:0], 0, 0
	processors := s.Set()
	for _, v := range w.problem.Candidates() {
		if processors.Has(v) {
			w.in, w.distance = append(w.in, v), w.distance+w.far[v]
		} else {
			w.out = append(w.out, v)
		}
	}
}

// step makes a random swap if it costs no more than the threshold.
func (w *nearer) step(threshold int64) {
	i, j := w.rng.IntN(len(w.in)), w.rng.IntN(len(w.out))
	from, to := w.in[i], w.out[j]
	change := w.far[to] - w.far[from]
	if change-w.over > threshold {
		return // not even without a load above the limit
	}
	peak, _ := w.loads.TrySwap(from, to)
	over := max(0, peak-w.limit) * w.unit
	if change+over-w.over > threshold {
		return
	}
	w.loads.Swap(from, to)
	w.in[i], w.out[j] = to, from
	w.distance, w.over = w.distance+change, over
}
