package objective

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// Naive returns the loads of all-to-all traffic straight from the definition: see Problem.Naive.
func Naive(r routing.Routing, p core.Placement) *Loads { return Problem{Routing: r}.Naive(p) }

// Naive returns the loads of a placement straight from the definition: it lists the paths of
// every message and adds up, for every total weight c that the paths of a pair can
// have, what the paths of such pairs that use a link weigh, times their messages; the load is the sum of
// these over c, divided by the bandwidth of the link. It is the slow twin of every other evaluator and the only
// one that the checker trusts. Cost: the number of paths of all pairs times
// their length.
func (p Problem) Naive(s core.Placement) *Loads {
	loads, _ := p.NaiveWithin(func(int64) error { return nil }, s)
	return loads
}

// NaiveWithin is Naive within a budget: spend is told of every path and every table how
// many links it has before it is gone through or made. Its first error ends the evaluation and is
// returned.
func (p Problem) NaiveWithin(spend func(links int64) error, s core.Placement) (*Loads, error) {
	t, processors := p.Torus(), s.Set()
	used := map[int64][]int64{} // by weight of all paths of a pair: weights of those over every link
	for m := range p.Messages(s) {
		if err := countPaths(spend, m, processors, used); err != nil {
			return nil, err
		}
	}
	den := big.NewInt(1)
	for c := range used {
		core.FoldLCM(den, big.NewInt(c))
	}
	den.Mul(den, big.NewInt(int64(t.CommonBandwidth())))
	words := int64(1 + den.BitLen()/64)
	if err := spend(int64(t.M()) * (4 + words)); err != nil {
		return nil, err
	}
	loads := &Loads{torus: t, den: den, large: make([]*big.Int, t.M())}
	for l := range loads.large {
		if err := spend(words * int64(len(used))); err != nil {
			return nil, err
		}
		loads.large[l] = new(big.Int)
		for c, counts := range used {
			share := new(big.Int).Div(den, big.NewInt(c*int64(t.LinkBandwidth(core.Link(l)))))
			loads.large[l].Add(loads.large[l], share.Mul(share, big.NewInt(counts[l])))
		}
	}
	den.Mul(den, p.Traffic.Unit().Denom())
	return loads, nil
}

// countPaths adds the paths of one message to the weights for the weight of all of them.
func countPaths(spend func(links int64) error, m Message, processors core.Set, used map[int64][]int64) error {
	total := int64(0)
	for path, weight := range m.Routing.Paths(m.From, m.To, processors) {
		total += weight
		if err := spend(int64(len(path))); err != nil {
			return err
		}
	}
	if used[total] == nil {
		links := m.Routing.Torus().M()
		if err := spend(int64(links)); err != nil {
			return err
		}
		used[total] = make([]int64, links)
	}
	for path, weight := range m.Routing.Paths(m.From, m.To, processors) {
		if err := spend(int64(len(path))); err != nil {
			return err
		}
		for _, l := range path {
			if used[total][l] += weight * m.Count; used[total][l] < 0 {
				return core.Invalid(m.Routing.String(), "the weights of the paths over a link pass 63 bits").
					Hinted("take fewer processors or messages")
			}
		}
	}
	return nil
}

// Pairwise returns the loads by adding up the flow of every message, of any routing, with any denominator. It ends with
// the error of the watch, or of spend, which is called before every flow; both may be nil. Cost: one flow for every
// message.
func (p Problem) Pairwise(s core.Placement, w *core.Watch, spend func() error) (*Loads, error) {
	t := p.Torus()
	processors := s.Set()
	sums, each := make([]*big.Rat, t.M()), p.Traffic.Unit()
	for m := range p.Messages(s) {
		if spend != nil {
			if err := spend(); err != nil {
				return nil, err
			}
		}
		f, err := routing.FlowWatched(m.Routing, m.From, m.To, processors, w)
		if err != nil {
			return nil, err
		}
		if err := w.Err(len(f.Shares) * stepsOfShare); err != nil {
			return nil, err
		}
		for _, share := range f.Shares {
			if sums[share.Link] == nil {
				sums[share.Link] = new(big.Rat)
			}
			load := new(big.Rat).SetFrac(share.Num, f.Den)
			load.Mul(load, new(big.Rat).SetInt64(m.Count))
			sums[share.Link].Add(sums[share.Link], load.Mul(load, each))
		}
	}
	for l, sum := range sums {
		if b := t.LinkBandwidth(core.Link(l)); sum != nil && b > 1 {
			sum.Quo(sum, new(big.Rat).SetInt64(int64(b)))
		}
	}
	large, den := Whole(sums)
	return &Loads{torus: t, den: den, large: large}, w.Err(len(sums))
}

// stepsOfShare is how many steps of a watch adding up a rational share is.
const stepsOfShare = 16
