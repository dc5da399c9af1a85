package local

import (
	"context"
	"math/big"

	"leeway/objective"
	"leeway/search"
)

// farPrice is how many messages above the limit on a link a node costs that is too far from all processors.
const farPrice = 4

// nearby is a model for problems whose nodes are to be near processors: every node that is too far, and every link of
// too large a distance, costs as much as some load above the limit, and counts in the largest load as more than all
// that there can be.
type nearby struct {
	model
	objective.Near
	rings [][][]int // by node and distance, from 0 to deep: the nodes
	deep  int       // farther away all is alike
	count []int32   // by node and distance: its processors
	links []int     // by node: to the nearest, or deep+1
	lost  int64     // nodes farther than the radius
	total int64     // of links
	price int64
	over  int64 // above all loads
}

// withRadius returns the model that keeps to the radius and the distance of a problem, or m for a problem without
// either. A message above the limit costs that in m, which has no load above top. The error is that of the context.
// Cost O(N^2).
func withRadius(ctx context.Context, p objective.Problem, m model, message, top int64) (model, error) {
	if !p.Near.Asked() {
		return m, nil
	}
	den, _ := m.unit()
	if over := objective.Numerator(search.UpperValue(p), big.NewInt(den)); over.IsInt64() {
		top = min(top, over.Int64())
	}
	n := p.Torus().N()
	w := &nearby{model: m, Near: p.Near, deep: p.Radius, links: make([]int, n), price: farPrice * message, over: top}
	if p.Distance > 0 {
		w.deep = n
	}
	most := 0
	for v := range n {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rings := [][]int{}
		distance, _ := p.Torus().Nearest([]int{v})
		for u, d := range distance {
			for len(rings) <= min(int(d), w.deep) {
				rings = append(rings, nil)
			}
			if int(d) <= w.deep {
				rings[d] = append(rings[d], u)
			}
		}
		w.rings, most = append(w.rings, rings), max(most, len(rings)-1)
	}
	w.deep = most
	w.count = make([]int32, n*(w.deep+1))
	return w, nil
}

func (w *nearby) reset(nodes []int) {
	w.model.reset(nodes)
	clear(w.count)
	w.lost, w.total = 0, 0
	for v := range w.links {
		w.links[v] = w.deep + 1
		w.tally(w.links[v], 1)
	}
	for _, v := range nodes {
		w.add(v)
	}
}

// tally counts a node that is a given number of links from its nearest processor; with sign -1 it does no longer.
func (w *nearby) tally(links int, sign int64) {
	if w.Radius > 0 && links > w.Radius {
		w.lost += sign
	}
	w.total += sign * int64(links)
}

func (w *nearby) add(v int) {
	for d, ring := range w.rings[v] {
		for _, u := range ring {
			w.count[u*(w.deep+1)+d]++
			if before := w.links[u]; d < before {
				w.tally(before, -1)
				w.links[u] = d
				w.tally(d, 1)
			}
		}
	}
}

func (w *nearby) take(v int) {
	for d, ring := range w.rings[v] {
		for _, u := range ring {
			counts := w.count[u*(w.deep+1):][:w.deep+1]
			if counts[d]--; counts[d] > 0 || d > w.links[u] {
				continue
			}
			w.tally(d, -1)
			for w.links[u] = d; w.links[u] <= w.deep && counts[w.links[u]] == 0; {
				w.links[u]++
			}
			w.tally(w.links[u], 1)
		}
	}
}

// far returns how much is too far: nodes, and links of the distance.
func (w *nearby) far() int64 {
	if w.Distance == 0 {
		return w.lost
	}
	return w.lost + max(0, w.total-int64(w.Distance))
}

func (w *nearby) swap(out, in int) {
	w.model.swap(out, in)
	w.take(out)
	w.add(in)
}

func (w *nearby) aim(limit int64) { w.model.aim(min(limit, w.over)) }

func (w *nearby) cost() int64 { return w.model.cost() + w.far()*w.price }

func (w *nearby) swapCost(out, in int, enough int64) int64 {
	w.take(out)
	w.add(in)
	far := w.far()
	w.take(in)
	w.add(out)
	if far *= w.price; far > enough {
		return far
	}
	return far + w.model.swapCost(out, in, enough-far)
}

func (w *nearby) dropCost(out int) int64 {
	w.take(out)
	far := w.far()
	w.add(out)
	return w.model.dropCost(out) + far*w.price
}

func (w *nearby) most() int64 { return w.model.most() + w.far()*w.over }
