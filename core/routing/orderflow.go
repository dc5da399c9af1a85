package routing

import (
	"math/big"
	"slices"

	"leeway/core"
)

// Flow adds up, for every dimension s in which the pair differs and every set of
// dimensions corrected before s, the weight of that split on the straight
// segment that it leads to. Cost: |S| 2^(|S|-1) segments for |S| differing
// dimensions.
func (r *Orders) Flow(p, q int, _ core.Set) Flow {
	f, _ := r.flow(p, q, nil) // no watch, no error
	return f
}

// flow is Flow until the watch ends.
func (r *Orders) flow(p, q int, w *core.Watch) (Flow, error) {
	t := r.torus
	dims := differing(t, p, q)
	var all uint
	for _, j := range dims {
		all |= 1 << j
	}
	den := r.Denominator()
	shares := map[core.Link]*big.Int{}
	var path []core.Link
	for _, s := range dims {
		rest := all &^ (1 << s)
		for before := rest; ; before = (before - 1) & rest {
			if err := w.Err(stepsOfSplit); err != nil {
				return Flow{}, err
			}
			num, d := r.Weight(s, before, rest&^before)
			if num > 0 {
				corner := p
				for _, j := range maskDims(before) {
					corner = t.Shift(corner, j, t.Coord(q, j)-t.Coord(p, j))
				}
				k, a, b := t.Side(s), t.Coord(p, s), t.Coord(q, s)
				dirs := ways(k, a, b, r.tie)
				share := new(big.Int).Div(new(big.Int).Mul(den, big.NewInt(num)), big.NewInt(d*int64(len(dirs))))
				for _, dir := range dirs {
					path, _ = appendSegment(t, path[:0], corner, s, dir, core.CyclicDistance(a, b, k))
					addShares(shares, path, share)
					if err := w.Err(len(path) * stepsOfShare); err != nil {
						return Flow{}, err
					}
				}
			}
			if before == 0 {
				break
			}
		}
	}
	return flowOf(den, shares), nil
}

// How many steps of a watch a split of the dimensions, and adding up a share, are.
const (
	stepsOfSplit = 64
	stepsOfShare = 16
)

func addShares(shares map[core.Link]*big.Int, links []core.Link, share *big.Int) {
	for _, l := range links {
		if have := shares[l]; have != nil {
			have.Add(have, share)
		} else {
			shares[l] = new(big.Int).Set(share)
		}
	}
}

func sortedLinks(shares map[core.Link]*big.Int) []core.Link {
	links := make([]core.Link, 0, len(shares))
	for l := range shares {
		links = append(links, l)
	}
	slices.Sort(links)
	return links
}
