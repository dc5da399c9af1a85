package objective

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// Naive returns the loads straight from the definition: it lists the paths of
// every ordered pair and counts, for every number of paths c that a pair can
// have, how many paths of such pairs use each link; the load is the sum of
// those counts over c. It is the slow twin of every other evaluator and the only
// one that the checker trusts. Cost: the number of paths of all pairs times
// their length.
func Naive(r routing.Routing, p core.Placement) *Loads {
	t := r.Torus()
	processors := p.Set()
	used := map[int][]int64{} // by number of paths of a pair: uses of every link
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from != to {
				countPaths(r, from, to, processors, used)
			}
		}
	}
	den := big.NewInt(1)
	for c := range used {
		den = lcm(den, big.NewInt(int64(c)))
	}
	loads := &Loads{torus: t, den: den, large: make([]*big.Int, t.M())}
	for l := range loads.large {
		loads.large[l] = new(big.Int)
		for c, counts := range used {
			share := new(big.Int).Div(den, big.NewInt(int64(c)))
			loads.large[l].Add(loads.large[l], share.Mul(share, big.NewInt(counts[l])))
		}
	}
	return loads
}

// countPaths adds the paths of one pair to the counts of its number of paths.
func countPaths(r routing.Routing, from, to int, processors core.Set, used map[int][]int64) {
	paths := 0
	for range r.Paths(from, to, processors) {
		paths++
	}
	if used[paths] == nil {
		used[paths] = make([]int64, r.Torus().M())
	}
	for path := range r.Paths(from, to, processors) {
		for _, l := range path {
			used[paths][l]++
		}
	}
}

// Pairwise returns the loads by adding up the flow of every ordered pair, of any
// routing, with any denominator. Cost O(n^2) flows.
func Pairwise(r routing.Routing, p core.Placement) *Loads {
	loads, _ := pairwise(r, p, nil) // no watch, no error
	return loads
}

// pairwise is Pairwise until the watch ends.
func pairwise(r routing.Routing, p core.Placement, w *core.Watch) (*Loads, error) {
	t := r.Torus()
	processors := p.Set()
	sums := make([]*big.Rat, t.M())
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from == to {
				continue
			}
			f, err := routing.FlowWatched(r, from, to, processors, w)
			if err != nil {
				return nil, err
			}
			if err := w.Err(len(f.Shares) * stepsOfShare); err != nil {
				return nil, err
			}
			for _, s := range f.Shares {
				if sums[s.Link] == nil {
					sums[s.Link] = new(big.Rat)
				}
				sums[s.Link].Add(sums[s.Link], new(big.Rat).SetFrac(s.Num, f.Den))
			}
		}
	}
	return loadsOf(t, sums), w.Err(len(sums))
}

// stepsOfShare is how many steps of a watch adding up a rational share is.
const stepsOfShare = 16

// loadsOf brings rational loads (nil is 0) to their common denominator.
func loadsOf(t *core.Torus, sums []*big.Rat) *Loads {
	den := big.NewInt(1)
	for _, s := range sums {
		if s != nil {
			den = lcm(den, s.Denom())
		}
	}
	loads := &Loads{torus: t, den: den, large: make([]*big.Int, len(sums))}
	for l, s := range sums {
		loads.large[l] = new(big.Int)
		if s != nil {
			loads.large[l].Mul(s.Num(), new(big.Int).Div(den, s.Denom()))
		}
	}
	return loads
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return new(big.Int).Mul(a, new(big.Int).Div(b, g))
}
