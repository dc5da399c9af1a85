package assign

import (
	"math"
	"math/big"
	"slices"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// trees add up what one node sends all others, or receives from them, going from the far nodes to the near ones: what
// arrives at a node, and all that goes on from there, came over the links that enter it in fixed parts. That is so
// under dimension orders, one after the other, and where all shortest paths are equally likely.
type trees struct {
	out, in [][][]hop // by node, by order of the dimensions
}

// A hop is the part of what arrives at a node that comes from another, or, of what a node receives, starts at a node
// and goes on to another.
type hop struct {
	at, to     uint8
	link       uint16
	part, load float64 // of a message; on the link, in units of the table
}

const (
	// The most nodes and numbers of links for which trees are made, powers of 2.
	maxTreeNodes = 1 << 8
	maxTreeLinks = 1 << 12
	// treeFlows is how many links the flows that a change moves must have for each hop, that trees are faster.
	treeFlows = 1
)

// treesOf returns the trees of a problem, nil where pair by pair is faster, or flows are not those of trees.
func treesOf(p objective.Problem, table *fast.Assigned) *trees {
	t, parts, length := p.Torus(), orders(p.Routing), 0
	for v := range t.N() {
		length += len(table.Flow(0, v))
	}
	moved := len(p.Traffic.Matrix.Demands) / p.Traffic.Matrix.Tasks * 8 * length / t.N()
	if t.N() > maxTreeNodes || t.M() > maxTreeLinks || moved < treeFlows*4*t.N()*len(parts) {
		return nil
	}
	return newTrees(p, table, parts)
}

// orders returns the routings by single orders of the dimensions of which a routing is the mean, as far as there are
// few, and the routing itself if it is not by orders.
func orders(r routing.Routing) []routing.Routing {
	all, ok := r.(*routing.Orders)
	if !ok || r.Torus().D() > 3 {
		return []routing.Routing{r}
	}
	var list []routing.Routing
	for _, order := range all.List() {
		if one, err := routing.NewODR(r.Torus(), order, all.Tie()); err == nil {
			list = append(list, one)
		}
	}
	return list
}

// newTrees returns the trees of routings of which that of a problem is the mean, nil where they do not add up to it.
func newTrees(p objective.Problem, table *fast.Assigned, parts []routing.Routing) *trees {
	t, s := p.Torus(), &trees{}
	den, _ := new(big.Float).SetInt(table.Den()).Float64()
	den /= float64(p.Traffic.Matrix.Den) * float64(len(parts))
	hops := func(r routing.Routing, u, from, to, at int) (list []hop) {
		flow := r.Flow(from, to, nil)
		for _, share := range flow.Shares {
			x, y := t.LinkEnds(share.Link)
			if y == at && at == to || x == at && at == from {
				part, _ := new(big.Rat).SetFrac(share.Num, flow.Den).Float64()
				list = append(list, hop{uint8(at), uint8(x + y - at), uint16(share.Link), part,
					part * den / float64(t.LinkBandwidth(share.Link))})
			}
		}
		return list
	}
	for u := range t.N() {
		distance, _ := t.Nearest([]int{u})
		far := make([]int, t.N())
		for v := range far {
			far[v] = v
		}
		slices.SortStableFunc(far, func(a, b int) int { return int(distance[b] - distance[a]) })
		var out, in [][]hop
		for _, r := range parts {
			var from, to []hop
			for _, v := range far[:t.N()-1] {
				from = append(from, hops(r, u, u, v, v)...)
				to = append(to, hops(r, u, v, u, v)...)
			}
			out, in = append(out, from), append(in, to)
		}
		s.out, s.in = append(s.out, out), append(s.in, in)
		if !s.fit(table, t.N(), u) {
			return nil
		}
	}
	return s
}

// fit reports whether the trees of a node add up to the flows of the table, for one choice of amounts.
func (s *trees) fit(table *fast.Assigned, nodes, u int) bool {
	var amounts, sums [maxTreeNodes]float64
	for v := range nodes {
		amounts[v] = float64(1 + v*v%97)
	}
	for i, all := range [][][]hop{s.out[u], s.in[u]} {
		var loads [maxTreeLinks]float64
		walk(all, nodes, &amounts, &loads, &sums, 1)
		for v, amount := range amounts[:nodes] {
			from, to := u, v
			if i == 1 {
				from, to = v, u
			}
			for _, f := range table.Flow(from, to) {
				loads[f.Link] -= amount * float64(f.Share)
			}
		}
		if slices.ContainsFunc(loads[:], func(x float64) bool { return math.Abs(x) > 0.01 }) {
			return false
		}
	}
	return true
}

// walk adds the loads of some amounts, times a factor, at the other ends; sums are for what arrives at nodes.
func walk(all [][]hop, nodes int, amounts *[maxTreeNodes]float64, loads *[maxTreeLinks]float64,
	sums *[maxTreeNodes]float64, factor float64) {
	for _, list := range all {
		copy(sums[:nodes], amounts[:nodes])
		for i := range list {
			h := &list[i]
			x := sums[h.at]
			sums[h.to] += x * h.part
			loads[h.link%maxTreeLinks] += factor * x * h.load
		}
	}
}

// move adds to the change of a state that a task moves to a node, and another, if not -1, takes its place.
func (s *trees) move(st *state, task, other, to int) {
	nodes, from := len(st.on), st.at[task]
	clear(st.out[:nodes])
	clear(st.in[:nodes])
	gather := func(who, but int, factor float64) {
		list := st.partners[who]
		for _, e := range list[:len(list)-1] {
			if int(e.task) != but {
				at := uint8(st.at[e.task])
				st.out[at] += factor * float64(e.out)
				st.in[at] += factor * float64(e.in)
			} else if factor > 0 {
				st.out[from] += float64(e.out - e.in)
				st.in[from] += float64(e.in - e.out)
			}
		}
	}
	if gather(task, other, 1); other >= 0 {
		gather(other, task, -1)
	}
	delta := (*[maxTreeLinks]float64)(st.delta)
	walk(s.out[to], nodes, &st.out, delta, &st.sums, 1)
	walk(s.in[to], nodes, &st.in, delta, &st.sums, 1)
	walk(s.out[from], nodes, &st.out, delta, &st.sums, -1)
	walk(s.in[from], nodes, &st.in, delta, &st.sums, -1)
}
