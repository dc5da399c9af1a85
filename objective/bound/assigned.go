package bound

import (
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/lowerbound"
)

// maxBoxes is how many boxes are looked at for a placement.
const maxBoxes = 1 << 16

// assignedAt returns lower bounds on E_max for a placement of tasks, whatever the routing: those that cut a box of
// nodes, the product of an interval in every dimension, off the others (separator), and the distance of all demands
// over the capacity of all links (mean). Cost: the links of the network and the demands for every box, of which there
// are up to 2^16; single nodes where there would be more.
func assignedAt(p objective.Problem, s core.Placement) []lowerbound.Bound {
	m, t, a := p.Traffic.Matrix, p.Torus(), s.Tasks()
	travel := int64(0)
	for _, d := range m.Demands {
		travel += d.Amount * int64(t.LeeDistance(a[d.From], a[d.To]))
	}
	list := []lowerbound.Bound{{Name: lowerbound.Mean, Value: big.NewRat(travel, t.Capacity()),
		Witness: lowerbound.Witness{Distance: big.NewRat(travel, m.Den).RatString(), Links: t.Links()}}}
	cut := lowerbound.Bound{Name: lowerbound.Separator, Value: new(big.Rat)}
	for set := range boxes(t) {
		links, capacity, inside := 0, int64(0), core.NewSet(t.N())
		for _, v := range set {
			inside.Add(v)
		}
		for l := range t.EachLink() {
			if from, to := t.LinkEnds(l); inside.Has(from) && !inside.Has(to) {
				links++
				capacity += int64(t.LinkBandwidth(l))
			}
		}
		out, in := int64(0), int64(0)
		for _, d := range m.Demands {
			switch from, to := inside.Has(a[d.From]), inside.Has(a[d.To]); {
			case from && !to:
				out += d.Amount
			case to && !from:
				in += d.Amount
			}
		}
		if links == 0 {
			continue
		}
		if v := big.NewRat(max(out, in), capacity); v.Cmp(cut.Value) > 0 {
			cut.Value = v
			cut.Witness = lowerbound.Witness{Set: core.MustPlacement(t, set).Coords(), Links: links}
		}
	}
	list = append(list, cut)
	for _, b := range list {
		b.Value.Mul(b.Value, big.NewRat(1, m.Den))
	}
	return list
}

// boxes yields the nodes of every product of intervals, or every node where those are too many. Intervals may go around
// the ends.
func boxes(t *core.Torus) func(yield func([]int) bool) {
	count := 1
	for j := range t.D() {
		count = min(maxBoxes+1, count*(t.Side(j)*(t.Side(j)-1)+1))
	}
	return func(yield func([]int) bool) {
		if count > maxBoxes {
			for v := range t.N() {
				if !yield([]int{v}) {
					return
				}
			}
			return
		}
		sets := [][]int{{}}
		for j := range t.D() {
			var intervals [][]int
			for length := 1; length < t.Side(j); length++ {
				for first := range t.Side(j) {
					var interval []int
					for i := range length {
						interval = append(interval, (first+i)%t.Side(j))
					}
					intervals = append(intervals, interval)
				}
			}
			intervals = append(intervals, core.Range(t.Side(j)))
			if j == 0 {
				sets = intervals
				continue
			}
			var products [][]int
			for _, s := range sets {
				for _, interval := range intervals {
					var product []int
					for _, v := range s {
						for _, c := range interval {
							product = append(product, v*t.Side(j)+c)
						}
					}
					products = append(products, product)
				}
			}
			sets = products
		}
		for _, s := range sets {
			if len(s) < t.N() && !yield(s) {
				return
			}
		}
	}
}
