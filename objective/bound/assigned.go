package bound

import (
	"cmp"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
)

// Assigned returns lower bounds on E_max for every assignment of a problem whose traffic is a matrix, the first two
// whatever the routing:
//
//	degree  what a task sends, or receives, crosses the links of its node, but for what it exchanges with the other tasks
//	        that may be there, over the largest capacity of a node
//	mean    the partners of a task are on different nodes, so that its demands, largest first, travel at least the
//	        distances of nodes from one, least first; the sum over all tasks over the capacity of all links
//	pair    the largest demand puts what it puts on the busiest link of its paths, at least what that is for the pair of
//	        nodes for which it is least; where tasks may not be on one node
//
// Cost: O(N^2) distances, a sort for every task, and a flow for every pair of nodes, of up to 256.
func Assigned(p objective.Problem) []lowerbound.Bound {
	m, t := p.Traffic.Matrix, p.Torus()
	rows := make([][3][]int64, m.Tasks) // what a task sends, receives, and both, by partner
	both := map[[2]int]int64{}
	for _, d := range m.Demands {
		rows[d.From][0] = append(rows[d.From][0], d.Amount)
		rows[d.To][1] = append(rows[d.To][1], d.Amount)
		both[[2]int{min(d.From, d.To), max(d.From, d.To)}] += d.Amount
	}
	for pair, amount := range both {
		rows[pair[0]][2] = append(rows[pair[0]][2], amount)
		rows[pair[1]][2] = append(rows[pair[1]][2], amount)
	}
	near := places(t, p.Traffic.Room(), m.Tasks)
	degree, capacity := int64(0), 0
	for v := range t.N() {
		capacity = max(capacity, t.CapacityAt(v))
	}
	var travel [3]int64
	for _, row := range rows {
		for i, amounts := range row {
			slices.SortFunc(amounts, func(a, b int64) int { return int(max(-1, min(1, b-a))) })
			out := int64(0)
			for k, amount := range amounts {
				travel[i] += amount * int64(near[k])
				if k >= p.Traffic.Room()-1 {
					out += amount
				}
			}
			if i < 2 {
				degree = max(degree, out)
			}
		}
	}
	least := new(big.Rat).SetFrac64(max(2*travel[0], 2*travel[1], travel[2]), 2*t.Capacity())
	list := []lowerbound.Bound{{Name: lowerbound.Degree, Value: big.NewRat(degree, int64(capacity)),
		Witness: lowerbound.Witness{Links: capacity}}, {Name: lowerbound.Mean, Value: least,
		Witness: lowerbound.Witness{Links: t.Links()}}}
	if p.Traffic.Room() == 1 && t.N() <= maxFlowNodes && len(m.Demands) > 0 {
		most := slices.MaxFunc(m.Demands, func(a, b objective.Demand) int { return cmp.Compare(a.Amount, b.Amount) })
		least := leastShare(p.Routing)
		list = append(list, lowerbound.Bound{Name: lowerbound.Pair, Value: least.Mul(least, big.NewRat(most.Amount, 1))})
	}
	unit := big.NewRat(1, m.Den)
	for _, b := range list {
		b.Value.Mul(b.Value, unit)
	}
	return list
}

// maxFlowNodes is the most nodes for which the flow of every pair is looked at.
const maxFlowNodes = 256

// leastShare returns the least over all pairs of nodes of what a message of 1 puts on the busiest link.
func leastShare(r routing.Routing) (least *big.Rat) {
	t := r.Torus()
	for from := range t.N() {
		if from > 0 && routing.Invariant(r) {
			break
		}
		for to := range t.N() {
			if from == to {
				continue
			}
			most := new(big.Rat)
			flow := r.Flow(from, to, nil)
			for _, s := range flow.Shares {
				load := new(big.Rat).SetFrac(s.Num, new(big.Int).Mul(flow.Den, big.NewInt(int64(t.LinkBandwidth(s.Link)))))
				if load.Cmp(most) > 0 {
					most = load
				}
			}
			if least == nil || most.Cmp(least) < 0 {
				least = most
			}
		}
	}
	return least
}

// places returns lower bounds on how far from a task its partners are, the nearest first: the least over all nodes of
// the distance of the k-th place from one, where every node has room for some tasks.
func places(t *core.Torus, room, tasks int) []int {
	least := make([]int, tasks)
	for v := range t.N() {
		distance, _ := t.Nearest([]int{v})
		slices.Sort(distance)
		for k := range least {
			// The first place is that of the task itself.
			if d := int(distance[min((k+1)/room, t.N()-1)]); v == 0 || d < least[k] {
				least[k] = d
			}
		}
	}
	return least
}

// maxBoxes is how many boxes are looked at for an assignment.
const maxBoxes = 1 << 16

// AssignedAt returns lower bounds on E_max for an assignment, whatever the routing: those that cut a box of nodes, the
// product of an interval in every dimension, off the others (separator), and the distance of all demands over the
// capacity of all links (mean). Cost: the links of the network and the demands for every box, of which there are up to
// 2^16; single nodes where there would be more.
func AssignedAt(p objective.Problem, a objective.Assignment) []lowerbound.Bound {
	m, t := p.Traffic.Matrix, p.Torus()
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
		for l := range t.M() {
			if !t.HasLink(core.Link(l)) {
				continue
			}
			if from, to := t.LinkEnds(core.Link(l)); inside.Has(from) && !inside.Has(to) {
				links++
				capacity += int64(t.LinkBandwidth(core.Link(l)))
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
