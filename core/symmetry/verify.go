package symmetry

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"leeway/core"
	"leeway/core/routing"
)

// maxVerified is the number of pairs that Preserves looks at; beyond it a fixed
// sample of that size is taken.
const maxVerified = 1024

// preserves reports whether a point preserves the maximum load of every
// placement under r, by comparing the loads of pairs.
//
// For routings that do not depend on the placement it takes the joint load of p
// and q on every link, both ways together, and asks for a map of links that
// carries it to the joint load of their images: every edge goes to its image,
// and for each dimension either every link keeps its direction or every link
// turns around. Since loads are sums over unordered pairs, such a map carries
// all loads of P to those of its image. For avoid it asks that paths go to
// paths, or all to reversed paths, since processors inside decide there. Flows
// from node 0 say nothing about a table by pair: for it the answer is false.
//
// It ends with the error of the watch when that ends.
func preserves(r routing.Routing, g Point, w *core.Watch) (bool, error) {
	t := r.Torus()
	if routing.ByPair(r) {
		return false, nil
	}
	if r.DependsOnPlacement() {
		ok := mapsPaths(r, g, false, w) || mapsPaths(r, g, true, w)
		return ok, w.Err(0)
	}
	dirs := make([][2]bool, t.D()) // by dimension: still possible to keep, to turn
	for j := range dirs {
		dirs[j] = [2]bool{true, true}
	}
	for _, pair := range somePairs(t) {
		a, err := jointFlow(r, pair[0], pair[1], w)
		if err != nil {
			return false, err
		}
		b, err := jointFlow(r, g.Node(t, pair[0]), g.Node(t, pair[1]), w)
		if err != nil {
			return false, err
		}
		if !matchDirections(t, g, a, b, dirs) {
			return false, nil
		}
	}
	return true, nil
}

// somePairs returns pairs of which every other is a translate, or its two nodes the other
// way round, or a sample of these.
func somePairs(t *core.Torus) [][2]int {
	var list [][2]int
	bases := t.Bases()
	if len(bases)*t.N() <= maxVerified {
		for _, b := range bases {
			for q := range t.N() {
				if q != b {
					list = append(list, [2]int{b, q})
				}
			}
		}
		return list
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range maxVerified {
		if len(bases) == 1 {
			list = append(list, [2]int{0, 1 + rng.IntN(t.N()-1)})
			continue
		}
		if b, q := bases[rng.IntN(len(bases))], rng.IntN(t.N()); q != b {
			list = append(list, [2]int{b, q})
		}
	}
	return list
}

// joint is the load that two nodes put on links together, in units of 1/den.
type joint struct {
	den  *big.Int
	load map[core.Link]*big.Int
}

// jointFlow returns that load; the error is that of the watch.
func jointFlow(r routing.Routing, p, q int, w *core.Watch) (joint, error) {
	there, err := routing.FlowWatched(r, p, q, nil, w)
	if err != nil {
		return joint{}, err
	}
	back, err := routing.FlowWatched(r, q, p, nil, w)
	if err != nil {
		return joint{}, err
	}
	j := joint{den: new(big.Int).Set(there.Den), load: map[core.Link]*big.Int{}}
	core.FoldLCM(j.den, back.Den)
	for _, f := range []routing.Flow{there, back} {
		factor := new(big.Int).Div(j.den, f.Den)
		for _, s := range f.Shares {
			if j.load[s.Link] == nil {
				j.load[s.Link] = new(big.Int)
			}
			j.load[s.Link].Add(j.load[s.Link], new(big.Int).Mul(factor, s.Num))
		}
	}
	return j, nil
}

// matchDirections strikes out of dirs what the pair rules out and reports
// whether every dimension still has a possibility.
func matchDirections(t *core.Torus, g Point, a, b joint, dirs [][2]bool) bool {
	if a.den.Cmp(b.den) != 0 || len(a.load) != len(b.load) {
		return false
	}
	for l, load := range a.load {
		_, port := t.LinkFrom(l)
		for i, turned := range []bool{false, true} {
			image := b.load[g.Edge(t, l, turned)]
			if image == nil || image.Cmp(load) != 0 {
				dirs[port.Dim][i] = false
			}
		}
		if !dirs[port.Dim][0] && !dirs[port.Dim][1] {
			return false
		}
	}
	return true
}

// mapsPaths reports whether g maps the candidate paths of every pair onto those
// of the image pair, reversed if asked. Once the watch has ended the answer means nothing.
func mapsPaths(r routing.Routing, g Point, reversed bool, w *core.Watch) bool {
	avoid, ok := r.(*routing.Avoid)
	if !ok {
		return false
	}
	t := r.Torus()
	for _, pair := range somePairs(t) {
		from, to := g.Node(t, pair[0]), g.Node(t, pair[1])
		if reversed {
			from, to = to, from
		}
		want := map[string]int{}
		for path := range avoid.Candidates().Paths(from, to, nil) {
			if w.Err(len(path)*stepsOfNode) != nil {
				return false
			}
			want[nodesOf(t, path, Identity(t.D()), reversed)]++
		}
		for path := range avoid.Candidates().Paths(pair[0], pair[1], nil) {
			want[nodesOf(t, path, g, false)]--
		}
		for _, n := range want {
			if n != 0 {
				return false
			}
		}
	}
	return true
}

// stepsOfNode is how many steps of a watch the image of a node of a path is.
const stepsOfNode = 32

// nodesOf spells the images of the nodes along a path, last first if reversed.
func nodesOf(t *core.Torus, path []core.Link, g Point, reversed bool) string {
	from, _ := t.LinkEnds(path[0])
	nodes := []int{g.Node(t, from)}
	for _, l := range path {
		nodes = append(nodes, g.Node(t, linkTo(t, l)))
	}
	if reversed {
		for i, j := 0, len(nodes)-1; i < j; i, j = i+1, j-1 {
			nodes[i], nodes[j] = nodes[j], nodes[i]
		}
	}
	return fmt.Sprint(nodes)
}
