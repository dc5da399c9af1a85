package objective

import (
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
)

// wordOrders is allOrders for tori of two dimensions with at most 64 nodes,
// where a placement is one word: slab counts and the windows of a ring are
// popcounts, and nothing is stored per node but the loads.
type wordOrders struct {
	*allOrders
	word          uint64
	slabs         [][]uint64 // by dimension and coordinate: the nodes of the slab
	ahead, behind [][]uint64 // by dimension and node: the nodes up to w places on, and back
}

// wordNodes is the most nodes of a placement that is one word.
const wordNodes = 64

func newWordOrders(r *routing.Orders, halves bool) *wordOrders {
	t := r.Torus()
	e := &wordOrders{allOrders: newAllOrders(r, halves)}
	for s := range t.D() {
		slabs, ahead, behind := make([]uint64, t.Side(s)), make([]uint64, t.N()), make([]uint64, t.N())
		for v := range t.N() {
			slabs[t.Coord(v, s)] |= 1 << v
			for i := 1; i <= e.dims[s].w; i++ {
				ahead[v] |= 1 << t.Shift(v, s, i)
				behind[v] |= 1 << t.Shift(v, s, -i)
			}
		}
		e.slabs, e.ahead, e.behind = append(e.slabs, slabs), append(e.ahead, ahead), append(e.behind, behind)
	}
	return e
}

func (e *wordOrders) loads(nodes []int, _ *core.Watch) ([]int64, error) {
	e.word = 0
	for _, v := range nodes {
		e.word |= 1 << v
	}
	for s := range e.dims {
		e.dimension(s)
	}
	return e.load, nil
}

// dimension computes the loads of the links along s. In two dimensions G is the
// slab counts across s with one weight, the same for every ring.
func (e *wordOrders) dimension(s int) {
	d := &e.dims[s]
	counts, weight := d.arrays[0], d.meets[0].weight
	for c, slab := range e.slabs[s] {
		counts.values[c] = int64(bits.OnesCount64(e.word & slab))
	}
	d.differences(counts.values, counts.d, 1)
	d.responses(counts.values, counts.kappa, counts.across, 1)
	other := 1 - s
	for ring := range e.torus.Side(other) {
		e.ringOf(d, ring*e.torus.Stride(other), weight)
	}
}

// ringOf does the ring along one dimension that starts at node base.
func (e *wordOrders) ringOf(d *udrDim, base int, weight int64) {
	t := e.torus
	k, stride, n := d.k, t.Stride(d.s), t.N()
	counts := d.arrays[0]
	var load, tie int64
	for c, v := 0, base; c < k; c, v = c+1, v+stride {
		if e.word>>(v&63)&1 != 0 {
			load += weight * counts.kappa[c]
			if d.tiePlus != 0 {
				tie += weight * counts.across[c]
			}
		}
	}
	weight *= d.full
	up := e.load[t.PortIndex(d.s, core.Plus)*n:][:n]
	down := e.load[t.PortIndex(d.s, core.Minus)*n:][:n]
	ahead, behind := e.ahead[d.s], e.behind[d.s]
	for c, v := 0, base; c < k; c, v = c+1, v+stride {
		if c > 0 {
			moved := int64(bits.OnesCount64(e.word&ahead[v]) - bits.OnesCount64(e.word&behind[v]))
			load += weight * (moved*counts.values[c] + int64(e.word>>(v&63)&1)*counts.d[c])
		}
		if k > 2 { // the - link over the edge leaves its far end
			down[base+step1(c, 1, k)*stride] = load
		}
		up[v] = load + tie
	}
}
