package local

import (
	"context"
	"math"
	"math/big"

	"leeway/objective"
	"leeway/objective/fast"
)

// A model keeps a placement and prices changes of it. Costs are whole numbers, 0 exactly if no load is above the limit.
type model interface {
	// reset starts over with the given nodes.
	reset(nodes []int)
	// swap moves the processor on node out to node in.
	swap(out, in int)
	// unit returns the denominator of limits and loads, and whether they are exact.
	unit() (den int64, exact bool)
	// aim sets the limit.
	aim(limit int64)
	// cost returns what the placement costs.
	cost() int64
	// swapCost returns what cost would be after a swap, or, where that is above enough, anything above enough.
	swapCost(out, in int, enough int64) int64
	// dropCost returns what cost would be without the processor on node out.
	dropCost(out int) int64
	// most returns the largest load.
	most() int64
}

// newModel returns the overload where the problem allows, otherwise the peak, and with a radius what keeps to that.
// Errors are those of fast.NewIncremental, and of the context.
func newModel(ctx context.Context, p objective.Problem) (model, error) {
	if m, ok := newOverload(p); ok {
		return withRadius(ctx, p, m, m.den, math.MaxInt32)
	}
	inc, err := fast.NewIncremental(p, p.Size)
	if err != nil {
		return nil, err
	}
	m := newPeak(inc, p)
	return withRadius(ctx, p, m, m.scale*inc.Den(), math.MaxInt64/int64(2*p.Torus().N()))
}

// peak is a model whose cost orders placements by the largest load above the
// limit, then by the number of links that have it.
type peak struct {
	inc   fast.Incremental
	scale int64 // what one unit of load costs
	limit int64
}

// newPeak returns the model of no processors. Where the product of loads and links
// could pass 63 bits, or loads only guide, a unit of load costs no more than a link.
func newPeak(inc fast.Incremental, p objective.Problem) *peak {
	links := int64(p.Torus().M())
	most := big.NewInt(int64(p.Size) * int64(p.Size))
	if p.Traffic.Clients() {
		most = big.NewInt(int64(p.Size) * int64(p.Torus().N()))
		most.Mul(most, big.NewInt(int64(p.Traffic.Request+p.Traffic.Reply)))
	}
	most.Mul(most, big.NewInt(inc.Den())).Mul(most, big.NewInt(links))
	if !inc.Exact() || most.Cmp(big.NewInt(math.MaxInt64/2)) > 0 {
		return &peak{inc: inc, scale: 1}
	}
	return &peak{inc: inc, scale: links}
}

func (m *peak) price(most int64, links int) int64 {
	if most <= m.limit {
		return 0
	}
	return (most-m.limit-1)*m.scale + int64(links)
}

func (m *peak) unit() (int64, bool) { return m.inc.Den(), m.inc.Exact() }
func (m *peak) aim(limit int64)     { m.limit = limit }
func (m *peak) reset(nodes []int)   { m.inc.Reset(nodes) }
func (m *peak) swap(out, in int)    { m.inc.Swap(out, in) }
func (m *peak) cost() int64         { return m.price(m.inc.Peak()) }

func (m *peak) swapCost(out, in int, _ int64) int64 { return m.price(m.inc.TrySwap(out, in)) }

func (m *peak) dropCost(out int) int64 {
	m.inc.Remove(out)
	defer m.inc.Undo()
	return m.cost()
}

func (m *peak) most() int64 {
	most, _ := m.inc.Peak()
	return most
}
