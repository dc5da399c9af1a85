package bisect

import (
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Limits of the evaluation behind the lower bound: steps, and dimensions for which
// all their orders are taken.
const (
	maxLoadWork = 1 << 28
	maxLoadDims = 6
)

// lower returns a number of links that leave S, at least, in every cut that the
// question allows.
//
// With a and b processors on the sides, a b messages of the complete exchange
// cross outwards; under a routing whose largest load is E at most E of them use
// one link, so there are at least a b / E links: the separator bound read
// backwards. Besides, every node set but none and all has at least as many links
// out as one node, for tori are as connected as their degree. Where every cut
// is even the bound rounds up to even.
func lower(q Question) int {
	t := q.Placement.Torus()
	if q.Least == 0 {
		return 0
	}
	bound := t.Degree()
	if e := largestLoad(q.Placement); e != nil {
		pairs := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(int64(q.Least)), big.NewInt(int64(q.most()))))
		bound = max(bound, int(objective.UnitsUp(pairs.Quo(pairs, e), big.NewInt(1)).Int64()))
	}
	if bound%2 == 1 && even(t) {
		bound++
	}
	return bound
}

// largestLoad returns E_max under a routing that spreads well and is cheap to
// evaluate, nil where none is or there is no load.
func largestLoad(p core.Placement) *big.Rat {
	t := p.Torus()
	work := t.M()
	if work > maxLoadWork {
		return nil
	}
	for range t.D() - 1 {
		work = min(3*work, maxLoadWork+1)
	}
	var r routing.Routing = routing.NewUDR(t, routing.TieBoth)
	if work > maxLoadWork || t.D() > maxLoadDims {
		var err error
		if r, err = routing.NewODR(t, nil, routing.TieBoth); err != nil {
			return nil
		}
	}
	if e, _ := objective.Evaluate(r, p).Max(); e.Sign() > 0 {
		return e
	}
	return nil
}
